"""What is accepted of proposals, and orders to tasks by id: `python -m tests.extraction.accepting --show`.

`accepted/` has lines by language: a sign, what the assistant said, what the user answers, and words of the decision
that comes of it (`+`) or not (`-`); in `…_tasks` a sign, what the user says, and which task is in which state then
("-" for ended). Of each sign every other line, from the first on, was read while the rules were written (`seen`),
the rest was only counted (`aside`). All were written before the rules, by the rules' writer.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from smartbrain.v1.event_pb2 import Message, TurnEvents
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.kinds.draft import Draft
from tests.extraction.reading import item, read_events

HALVES = ("seen", "aside")
_FOLDER = Path(__file__).parent / "accepted"


def rows(name: str, half: str) -> Iterator[list[str]]:
    """Yield the lines of a half by column: of those with a sign every other, from the first or the second on."""
    lines = [line.split("\t") for line in (_FOLDER / f"{name}.tsv").read_text("utf-8").splitlines()]
    for sign in "+-":
        yield from [line for line in lines if line[0] == sign][HALVES.index(half) :: 2]


def tasks() -> list[MemoryItem]:
    """Return the tasks that are known."""
    return [
        item("tasks", task_id="T3", title="Write the release notes", status="todo"),
        item("tasks", task_id="T7", title="Order the new badges", status="blocked"),
        item("tasks", task_id="T9", title="Sort the invoices", status="done"),
        item("tasks", task_id="PROJ-12", title="Migrate the billing database", status="todo"),
        item("tasks", task_id="45", title="Plant the garden hedge", status="todo"),
    ]


def wrong(name: str, half: str) -> list[str]:
    """Return the lines of a half that are read otherwise than they say, with what was read."""
    read = _of_task if name.endswith("tasks") else _accepted
    return [
        "\t".join([*line, f"=> {found}"]) for line in rows(name, half) for found in [read(line)] if found is not None
    ]


def _accepted(line: list[str]) -> list[str] | None:
    """Return the decisions that are read of a line, None where they are as it says."""
    said = [("assistant", line[1].replace("\\n", "\n")), ("user", line[2])]
    messages = [Message(role=role, content=text, message_id=role) for role, text in said]
    read = read_events(TurnEvents(messages=messages))
    found = [each.given["decision"] for each in read if isinstance(each, Draft) and each.kind.type == "decisions"]
    is_right = len(found) == 1 and line[3] in found[0] if line[0] == "+" else not found
    return None if is_right else found


def _of_task(line: list[str]) -> list[str] | None:
    """Return what becomes of which tasks by a line, None where it is as the line says."""
    read = read_events(TurnEvents(messages=[Message(role="user", content=line[1])]), *tasks())
    told = [each for each in read if isinstance(each, Draft) and each.kind.type == "tasks"]
    found = [f"{each.given['task_id']} {'-' if each.denies else each.given['status']}" for each in told]
    return None if ",".join(found) == line[2] else found


def main() -> None:
    """Print how many lines of each file are right, and with --show the others of the half that was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=HALVES, default="seen")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    if asked.show and asked.half != "seen":
        parser.error("--show: only what was seen while the rules were written may be looked at")
    for name in ("en", "zh", "en_tasks", "zh_tasks"):
        missed = wrong(name, asked.half)
        if asked.show:
            print("\n".join(missed))
        for sign, what in (("+", "read"), ("-", "left alone")):
            number = sum(line[0] == sign for line in rows(name, asked.half))
            print(f"{name} {asked.half}: {number - sum(line[0] == sign for line in missed)} of {number} {what}")


if __name__ == "__main__":
    main()
