"""What is in memory at the end of whole lives: `python -m tests.extraction.remembered` counts it.

`remembered/` has lives of twenty to twenty-five turns, each of another person and way of writing, with all that such
talk has: questions, small talk, plans, changes of mind, pasted text, what others think. They were written before any
rule was read, and split at random; of *held* the writer of the rules has seen totals alone. A line "u" is the user's
message, "a" the answer to it. At the end of a life, one to a line: "+", what an item must have; "." what one may have;
"-" what none may have that is not over. "&" asks for parts that one item must have together, "/" for one of several.
Case does not count.

An item that no "+" and no "." asks for is *other*: junk, or a way of saying it that the writer did not think of.
"""

from __future__ import annotations

import argparse
import itertools
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from brain_core import Brain, load_policy
from brain_core.env import Env
from tests.building import active, say

LIVES = Path(__file__).parent / "remembered"
HALVES = ("en_seen", "en_held")
_TOLD_AT = int(datetime(2026, 11, 28, 10, tzinfo=UTC).timestamp())


@dataclass(slots=True)
class Life:
    """Turns of a user's message and its answer, and what items must, may and must not have."""

    title: str
    turns: list[tuple[str, str]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


class Remembered(NamedTuple):
    """What a life has left. wrong: what must not be there and is, with the item; other: items nothing asks for."""

    life: Life
    items: list[str]
    missing: list[str]
    wrong: list[tuple[str, str]]
    other: list[str]


def lives(half: str) -> Iterator[Life]:
    """Yield the lives of a half."""
    for block in (LIVES / f"{half}.txt").read_text("utf-8").strip().split("\n\n"):
        title, *lines = block.split("\n")
        life, said = Life(title.removeprefix("# ")), ""
        parts = {"+": life.asked, ".": life.allowed, "-": life.refused}
        for line in lines:
            mark, _, rest = line.partition(" ")
            if mark == "u":
                said = rest
            elif mark == "a":
                life.turns.append((said, rest))
            else:
                parts[mark].append(rest.lower())
        yield life


def remembered(half: str) -> Iterator[Remembered]:
    """Live each life of a half in a memory of its own, one minute a turn, and compare what is active at its end."""
    seconds, ids = itertools.count(_TOLD_AT, 60), itertools.count(1)
    now = [next(seconds)]
    env = Env(lambda: now[0] * 1_000_000, lambda: f"i{next(ids)}")
    policy = load_policy({"store": {"durability": "process"}})
    with tempfile.TemporaryDirectory() as folder, Brain.open(Path(folder), policy, env=env) as brain:
        for number, life in enumerate(lives(half)):
            for user, answer in life.turns:
                now[0] = next(seconds)
                brain.commit_turn(say(f"m{number}", "s", user, answer))
            items = [f"{each.type}: {_told(each.text)}" for each in active(brain, f"m{number}") if each.type in TYPES]
            yield _compared(life, items)


TYPES = ("profile", "preferences", "goals", "tasks", "knowledge", "decisions", "events")


def _told(text: str) -> str:
    return text.partition("\n")[2].replace("\n", " / ")


def _compared(life: Life, items: list[str]) -> Remembered:
    missing = [each for each in life.asked if not any(_has(item, each) for item in items)]
    wrong = [(each, item) for each in life.refused for item in items if _has(item, each) and not _ENDED.search(item)]
    bad = {item for _, item in wrong}
    known = [*life.asked, *life.allowed]
    rest = [item for item in items if item not in bad and not _ENDED.search(item)]
    other = [item for item in rest if not any(_has(item, each) for each in known)]
    return Remembered(life, items, missing, wrong, other)


_ENDED = re.compile(r"Status: done|^goals: Goal \((?:reached|dropped)\)")
"""What is over may say what it was."""


def _has(item: str, asked: str) -> bool:
    told = item.lower()
    return all(any(one in told for one in part.split("/")) for part in asked.split(" & "))


def counted(found: list[Remembered]) -> dict[str, int]:
    """Return how many are asked for, there, refused and there all the same, not asked for, and all items."""
    return {
        "asked": sum(len(each.life.asked) for each in found),
        "there": sum(len(each.life.asked) - len(each.missing) for each in found),
        "wrong": sum(len(each.wrong) for each in found),
        "other": sum(len(each.other) for each in found),
        "items": sum(len(each.items) for each in found),
    }


def main() -> None:
    """Print what is there of each half, and with --show what is not, or should not be, of seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    show = parser.parse_args().show
    for half in ("en_seen",) if show else HALVES:
        found = list(remembered(half))
        for each in found if show else ():
            print(f"# {each.life.title}")
            for kind, lines in (("items", each.items), ("missing", each.missing), ("other", each.other)):
                print(f"  {kind}", *lines, sep="\n    ")
            print("  wrong", *(f"{asked}: {item}" for asked, item in each.wrong), sep="\n    ")
        print(f"{half}  " + ", ".join(f"{name} {count}" for name, count in counted(found).items()))


if __name__ == "__main__":
    main()
