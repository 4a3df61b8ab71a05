"""`python -m benchmarks.limits --data DIR --tokenizer FILE --out DIR`: see benchmarks/README.md."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypedDict

from smartbrain.conversations import ConversationError
from smartbrain.errors import SmartBrainError
from tokenizers import Tokenizer
from tqdm import tqdm

from benchmarks.arguments import positive
from benchmarks.limits.judge import Judge
from benchmarks.limits.sweep import LIMITS, Row, sample, sweep
from benchmarks.machine import Machine, describe_machine, in_one_line
from benchmarks.quality.datasets import DataError, load_data
from benchmarks.server import ServerError, running_server
from brain_core.compose.slots import SlotCounter
from brain_core.policy import load_policy
from brain_core.text.tokens import APPROX, make_counter

RULES = [
    {"type": "format_rules", "text": "Answer in the language of the question."},
    {"type": "safety_rules", "text": "不确定的事情要说明不确定，不要编造。"},
]
"""developer_blocks of the server, so that no slot is always empty."""

SAME_PIECES = {"evidence_item_tokens": 1, "evidence_max_items": min(LIMITS)}
"""As many pieces are asked for under each limit, so that whatever a smaller one lacks must be named."""

RULED_OUT = ("size", "order", "user message", "explained")
_EXAMPLES = 20


class Line(TypedDict):
    """One limit under one counter. used: mean tokens as the server counts them. exact_most: by the tokenizer."""

    limit: int
    packages: int
    refused: int
    used: float
    exact_most: int
    filled: dict[str, int]
    dropped: dict[str, int]
    breaches: dict[str, int]
    examples: list[str]


class Results(TypedDict):
    """The whole of results.json. questions: by data set. counters: what the server counts by, then by limit."""

    machine: Machine
    questions: dict[str, int]
    counters: dict[str, list[Line]]


def main(arguments: list[str] | None = None) -> int:
    """Ask everything at every limit; 1 when something that must hold does not, or the data cannot be used."""
    chosen = _parser().parse_args(arguments)
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        results = _measured(chosen.data, chosen.tokenizer, chosen.questions)
    except (OSError, DataError, ConversationError, ServerError, SmartBrainError) as error:
        print(f"benchmarks.limits: {error}", file=sys.stderr)
        return 1
    table = markdown(results)
    (chosen.out / "results.json").write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (chosen.out / "table.md").write_text(table, encoding="utf-8")
    print(f"{table}\nwritten to {chosen.out}: table.md, results.json")
    return int(any(line["breaches"] for lines in results["counters"].values() for line in lines))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.limits", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR", help="folder; repeatable")
    parser.add_argument("--tokenizer", type=Path, required=True, metavar="FILE", help="tokenizer.json that counts")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    parser.add_argument("--questions", type=positive, default=200, metavar="N", help="of all; default: %(default)s")
    return parser


def _measured(folders: Sequence[Path], tokenizer: Path, most: int) -> Results:
    machine, exact = describe_machine(), exact_counter(tokenizer)
    data_sets = [load_data(folder) for folder in folders]
    chosen = sample(data_sets, most)
    steps = sum(len({one.conversation_id for one in asked}) + len(asked) for asked in chosen)
    counters: dict[str, list[Line]] = {}
    for setting in (APPROX, str(tokenizer.resolve())):
        counter = make_counter(setting)
        composition = {"tokenizer": setting, "developer_blocks": RULES, **SAME_PIECES}
        policy = load_policy({"policies": {"composition": composition}})
        judge = Judge(exact, SlotCounter(counter), policy.policies.composition)
        settings = {"policies": {"composition": composition}, "store": {"durability": "process"}}
        with running_server(settings) as server, tqdm(total=steps, desc=counter.name, unit="", disable=None) as bar:
            rows = sweep(server.target, data_sets, chosen, judge, bar.update)
        counters[counter.name] = [_line(row) for row in rows]
    asked = {data.name: len(questions) for data, questions in zip(data_sets, chosen, strict=True)}
    return Results(machine=machine, questions=asked, counters=counters)


def exact_counter(tokenizer: Path) -> Callable[[str], int]:
    """Return what counts tokens by a tokenizer.json, without those that a chat template adds."""
    loaded = Tokenizer.from_file(str(tokenizer))
    loaded.no_truncation()
    loaded.no_padding()
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)


def _line(row: Row) -> Line:
    return Line(
        limit=row.limit,
        packages=len(row.used),
        refused=row.refused,
        used=round(sum(row.used) / max(len(row.used), 1), 1),
        exact_most=max(row.exact, default=0),
        filled=dict(sorted(row.filled.items())),
        dropped=dict(sorted(row.dropped.items())),
        breaches=dict(row.breaches),
        examples=row.examples[:_EXAMPLES],
    )


def markdown(results: Results) -> str:
    """Write the whole table.md."""
    told = ", ".join(f"{count} of {name}" for name, count in results["questions"].items())
    parts = [
        "# Token limits",
        in_one_line(results["machine"]),
        f"Questions: {told}; limits {LIMITS[0]} … {LIMITS[-1]}.",
    ]
    slots = ("system_blocks", "developer_blocks", "evidence", "working_summary", "recent_turns")
    head = ("limit", "packages", "refused", "used, mean", "exact, most", *slots, "dropped", *RULED_OUT)
    for name, lines in results["counters"].items():
        rows = [
            (
                f"{line['limit']:,}",
                str(line["packages"]),
                str(line["refused"]),
                f"{line['used']:,.0f}",
                f"{line['exact_most']:,}",
                *(str(line["filled"].get(slot, 0)) for slot in slots),
                f"{sum(line['dropped'].values()):,}",
                *(str(line["breaches"].get(rule, 0)) for rule in RULED_OUT),
            )
            for line in lines
        ]
        cells = (head, ["---"] * len(head), *rows)
        parts += [f"Counted by {name}.", "\n".join("| " + " | ".join(row) + " |" for row in cells)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
