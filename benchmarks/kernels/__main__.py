"""`python -m benchmarks.kernels --out DIR`: see benchmarks/README.md."""

import argparse
import importlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from benchmarks.kernels.case import SIZES, Case
from benchmarks.kernels.measure import measure
from benchmarks.kernels.report import Results, markdown
from benchmarks.machine import describe_machine

KERNELS = sorted(path.stem for path in (Path(__file__).parent / "cases").glob("[!_]*.py"))


def main(arguments: list[str] | None = None) -> int:
    """Measure the kernels; 1 when the results cannot be written."""
    chosen = _parser().parse_args(arguments)
    results = Results(machine=describe_machine(), load=os.getloadavg()[0], rows=[])
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        with tqdm(desc="cases", unit="", disable=None) as bar:
            for size, case in _cases(chosen.sizes, chosen.kernel or KERNELS):
                bar.set_postfix_str(f"{case.kernel}, {size}")
                results["rows"].append(measure(case, size, chosen.seconds))
                bar.update()
                _write(chosen.out, results)
    except OSError as error:
        print(f"benchmarks.kernels: {error}", file=sys.stderr)
        return 1
    print(f"written to {chosen.out}: table.md, results.json")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernels", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    parser.add_argument(
        "--kernel", action="append", choices=KERNELS, metavar="NAME", help=f"{', '.join(KERNELS)}; default: all"
    )
    parser.add_argument("--sizes", nargs="+", choices=list(SIZES), default=["small", "large"], metavar="SIZE")
    parser.add_argument(
        "--seconds", type=float, default=0.3, metavar="S", help="for the repeats of each implementation, about"
    )
    return parser


def _cases(sizes: list[str], kernels: list[str]) -> Iterator[tuple[str, Case]]:
    for size in sizes:
        for name in dict.fromkeys(kernels):
            for case in importlib.import_module(f"benchmarks.kernels.cases.{name}").cases(SIZES[size]):
                yield size, case


def _write(out: Path, results: Results) -> None:
    """Write what there is so far, so that a run that is broken off keeps its rows."""
    (out / "results.json").write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(markdown(results), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
