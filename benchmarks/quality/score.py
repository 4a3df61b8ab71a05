"""`python -m benchmarks.quality.score answers.jsonl --data DIR …`: the same metrics again, from the answers alone."""

import argparse
import json
import sys
from pathlib import Path

from benchmarks.quality.answers import read_answers
from benchmarks.quality.datasets import DataError, load_data
from benchmarks.quality.scoring import score


def main(arguments: list[str] | None = None) -> int:
    """Print the scores as JSON; 1 with a message when the answers and the data do not belong together."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.score", description=__doc__)
    parser.add_argument("answers", type=Path, help="answers.jsonl of a run")
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR", help="folder; repeatable")
    parser.add_argument(
        "--exclude-category", action="append", metavar="NAME", help="not in the headline (default: adversarial)"
    )
    chosen = parser.parse_args(arguments)
    excluded = chosen.exclude_category if chosen.exclude_category is not None else ["adversarial"]
    try:
        answers = read_answers(chosen.answers)
        data_sets = [load_data(folder) for folder in chosen.data]
        results = score(answers, data_sets, excluded)
    except (OSError, ValueError, DataError) as error:
        print(f"benchmarks.quality.score: {error}", file=sys.stderr)
        return 1
    print(json.dumps(results, ensure_ascii=False, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
