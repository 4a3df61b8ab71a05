"""`python -m benchmarks.memories --out DIR`: see benchmarks/README.md."""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from smartbrain.conversations import ConversationError

from benchmarks.arguments import positive
from benchmarks.core.texts import Windows
from benchmarks.engine.texts import MadeUpTexts
from benchmarks.machine import describe_machine
from benchmarks.memories.report import Results, markdown
from benchmarks.memories.trial import run_trial
from benchmarks.quality.datasets import DataError


def main(arguments: list[str] | None = None) -> int:
    """Measure; 1 with a message when the data or the disk cannot be used."""
    chosen = _parser().parse_args(arguments)
    machine, load = describe_machine(), os.getloadavg()[0]
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        texts = Windows(chosen.data) if chosen.data else MadeUpTexts()
        with tempfile.TemporaryDirectory(prefix="sb-memories-") as folder:
            trial = run_trial(texts, Path(folder) / "data", chosen.memories, chosen.chunks, chosen.cache_bytes)
    except (OSError, ValueError, ConversationError, DataError) as error:
        print(f"benchmarks.memories: {error}", file=sys.stderr)
        return 1
    told = f"of {', '.join(one.name for one in chosen.data)}" if chosen.data else "made up"
    results = Results(machine=machine, load=load, texts=told, trial=trial)
    (chosen.out / "results.json").write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (chosen.out / "table.md").write_text(markdown(results), encoding="utf-8")
    print(f"written to {chosen.out}: table.md, results.json")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memories", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    parser.add_argument("--memories", type=positive, default=10_000, metavar="N", help="default: %(default)s")
    parser.add_argument("--chunks", type=positive, default=200, metavar="N", help="of each; default: %(default)s")
    parser.add_argument(
        "--cache-bytes", type=positive, default=2**30, metavar="N", help="for loaded indexes; default: %(default)s"
    )
    parser.add_argument(
        "--data", type=Path, action="append", default=[], metavar="DIR", help="folder; repeatable; default: made up"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
