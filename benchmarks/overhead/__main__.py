"""`python -m benchmarks.overhead --out DIR`: see benchmarks/README.md."""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import grpc
from smartbrain.conversations import ConversationError

from benchmarks.arguments import positive
from benchmarks.engine.texts import GivenTexts, MadeUpTexts
from benchmarks.machine import describe_machine
from benchmarks.overhead.messages import given, made_up
from benchmarks.overhead.report import Results, markdown
from benchmarks.overhead.trial import run
from benchmarks.quality.datasets import DataError
from benchmarks.server import ServerError


def main(arguments: list[str] | None = None) -> int:
    """Measure; 1 with a message when data, server or a call fails."""
    chosen = _parser().parse_args(arguments)
    machine, load = describe_machine(), os.getloadavg()[0]
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        texts = GivenTexts(chosen.data) if chosen.data else MadeUpTexts()
        messages = made_up(texts, chosen.chunks, chosen.messages)
        if chosen.data:
            messages |= given(chosen.data, chosen.messages)
        with tempfile.TemporaryDirectory(prefix="sb-overhead-") as folder:
            rows = run(texts, chosen.chunks, messages, chosen.rounds, Path(folder))
    except (OSError, ValueError, ConversationError, DataError, ServerError, grpc.RpcError) as error:
        print(f"benchmarks.overhead: {error}", file=sys.stderr)
        return 1
    told = f"of {chosen.data.name}" if chosen.data else "made up"
    results = Results(machine=machine, load=load, texts=told, chunks=chosen.chunks, rows=rows)
    (chosen.out / "results.json").write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (chosen.out / "table.md").write_text(markdown(results), encoding="utf-8")
    print(f"written to {chosen.out}: table.md, results.json")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.overhead", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    parser.add_argument("--chunks", type=positive, default=10_000, metavar="N", help="default: %(default)s")
    parser.add_argument("--messages", type=positive, default=240, metavar="N", help="of a kind; default: %(default)s")
    parser.add_argument(
        "--rounds", type=positive, default=5, metavar="N", help="that are counted; default: %(default)s"
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="texts of its conversations, and its questions too; default: made up"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
