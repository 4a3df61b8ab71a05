"""`python -m benchmarks.core --out DIR`: see benchmarks/README.md."""

import argparse
import json
import multiprocessing
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from smartbrain.conversations import ConversationError
from tqdm import tqdm

from benchmarks.arguments import positive
from benchmarks.core.report import Results, markdown
from benchmarks.core.trial import Trial, from_folders
from benchmarks.machine import describe_machine
from benchmarks.quality.datasets import DataError


def main(arguments: list[str] | None = None) -> int:
    """Measure the core; 1 with a message when the data cannot be used."""
    chosen = _parser().parse_args(arguments)
    told = f"of {', '.join(one.name for one in chosen.data)}" if chosen.data else "made up"
    results = Results(machine=describe_machine(), load=os.getloadavg()[0], texts=told, trials=[])
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        for chunks in tqdm(chosen.chunks, desc="sizes", unit="", disable=None):
            results["trials"].append(_alone(chosen.data, chunks, chosen.questions, chosen.dimension))
            _write(chosen.out, results)
    except (OSError, ValueError, ConversationError, DataError) as error:
        print(f"benchmarks.core: {error}", file=sys.stderr)
        return 1
    print(f"written to {chosen.out}: table.md, results.json")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.core", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    parser.add_argument("--chunks", type=positive, nargs="+", default=[10_000, 100_000], metavar="N", help="sizes")
    parser.add_argument(
        "--data", type=Path, action="append", default=[], metavar="DIR", help="folder; repeatable; default: made up"
    )
    parser.add_argument(
        "--dimension", type=positive, metavar="N", help="numbers a vector, of its principal axes; default: all"
    )
    parser.add_argument("--questions", type=positive, default=200, metavar="N", help="default: %(default)s")
    return parser


def _alone(folders: Sequence[Path], chunks: int, questions: int, dimension: int | None) -> Trial:
    """Run a trial in a fresh process, whose memory is nobody else's."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(from_folders, list(folders), chunks, questions, dimension).result()


def _write(out: Path, results: Results) -> None:
    (out / "results.json").write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(markdown(results), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
