"""Short lives, in which some of what was told changes amid other talk: `python -m tests.extraction.lives`.

`lives/` has, by language, what sixty people told an assistant, each in a few messages, and at the end a question. They
were written by the writer of the rules before reading any rule, and split at random, the same life to the same half in
both languages (they have subjects in common). He has looked at what is wrong in `seen` only, and counted `held`; nine
lives of it that he used from memory while trying rules went to `seen`.

A line is a message. "+" begins a session a day later; "~" marks what looks like a change and is none. "? question | old
| new" asks for what has changed, "= question | value" for what has not. The package composed for the question in a new
session is judged: whether the new value is in it, and no piece that it presents as what holds, or that it leaves out
because the message it was read in stands there, has the old one, unless beside the new one. What is told of a past
day is history; what is in doubt says so itself, and neither is presented as current. Case does not count.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from smartbrain.v1.context_pb2 import ContextPackage

from brain_core import Brain
from tests.building import compose, open_brain, say
from tests.composed import everything, presented
from tests.extraction.updates import all_items

LIVES = Path(__file__).parent / "lives"
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked at the end of a life. new: empty where nothing has changed."""

    text: str
    old: str
    new: str = ""


@dataclass(frozen=True, slots=True)
class Life:
    """Messages by day, the place of the first that looks like a change and is none, and the questions."""

    messages: list[tuple[int, str]]
    looks_like: int
    questions: list[Question]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one question. wrong: empty if nothing is. shown: what is presented as current."""

    life: Life
    question: Question
    wrong: str
    shown: list[str]


def lives(name: str) -> Iterator[Life]:
    """Yield the lives of a file."""
    for block in (LIVES / f"{name}.txt").read_text("utf-8").strip().split("\n\n"):
        messages, questions, day, looks_like = list[tuple[int, str]](), list[Question](), 0, -1
        for line in block.split("\n"):
            mark, _, rest = line.partition(" ")
            if mark in ("?", "="):
                questions.append(Question(*rest.split(" | ")))
                continue
            day += "+" in mark and not mark.strip("+~")
            if "~" in mark and not mark.strip("+~"):
                looks_like = len(messages)
            messages.append((day, rest if not mark.strip("+~") else line))
        yield Life(messages, looks_like, questions)


def judged(name: str) -> Iterator[Judged]:
    """Tell a brain each life in a memory of its own, ask, and judge what is composed."""
    with tempfile.TemporaryDirectory() as folder, open_brain(Path(folder)) as brain:
        for number, life in enumerate(lives(name)):
            _tell(brain, f"m{number}", life.messages)
            if life.looks_like >= 0:
                _tell(brain, f"before {number}", life.messages[: life.looks_like])
            for question in life.questions:
                package = compose(brain, f"m{number}", "asked", question.text)
                shown = list(current(brain, f"m{number}", package))
                if question.new:
                    wrong = _stale(question, everything(package).lower(), shown)
                else:
                    before = compose(brain, f"before {number}", "asked", question.text)
                    held = list(current(brain, f"before {number}", before))
                    wrong = _lost(question, everything(package).lower(), held, shown)
                yield Judged(life, question, wrong, shown)


def _tell(brain: Brain, memory: str, messages: list[tuple[int, str]]) -> None:
    for place, (day, message) in enumerate(messages):
        brain.commit_turn(say(memory, f"s{day}", message, at=day * _DAY + 60 * place))


def _stale(question: Question, package: str, shown: list[str]) -> str:
    old, new = question.old.lower(), question.new.lower()
    if any(old in piece and new not in piece for piece in shown):
        return "the old value stands"
    return "" if new in package else "the new value is missing"


def _lost(question: Question, package: str, before: list[str], shown: list[str]) -> str:
    value = question.old.lower()
    if any(value in piece for piece in before) and not any(value in piece for piece in shown):
        return "what holds is lost"
    return "" if value in package else "what holds is missing"


def current(brain: Brain, memory: str, package: ContextPackage) -> Iterator[str]:
    """Yield the lines that a package presents as current, in small letters."""
    told = {item.id: item.text for item in all_items(brain, memory) if item.type != "events"}
    events = {each.snippet for each in package.evidence if each.ref.memory_item_id not in told}
    read = [each.id.rpartition(":")[0] for each in package.debug.dropped if each.detail.startswith("was read in")]
    for text in [*(each for each in presented(package) if each not in events), *(told.get(each, "") for each in read)]:
        if not _IN_DOUBT.search(text):
            lines = (line for line in text.split("\n") if not line.startswith("[") and _FACT_IN_DOUBT not in line)
            yield from (line.lower() for line in lines)


_IN_DOUBT = re.compile("^Perhaps no longer so since", re.MULTILINE)
_FACT_IN_DOUBT = "perhaps no longer so since"


def right(found: list[Judged]) -> tuple[int, int, int, int]:
    """Return how many questions about a change are answered, of how many, and the same about what has not changed."""
    changes = [each for each in found if each.question.new]
    others = [each for each in found if not each.question.new]
    answered = [sum(not each.wrong for each in part) for part in (changes, others)]
    return answered[0], len(changes), answered[1], len(others)


def main() -> None:
    """Print how many questions of each file are answered, and with --show what is wrong with the others of seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    show = parser.parse_args().show
    for name in ("en_seen", "zh_seen") if show else ("en_seen", "en_held", "zh_seen", "zh_held"):
        found = list(judged(name))
        for each in found if show else ():
            if each.wrong:
                said = "\n".join(f"  {day} {message}" for day, message in each.life.messages)
                print(f"{said}\n  ? {each.question}: {each.wrong}\n" + "".join(f"    {one}\n" for one in each.shown))
        up_to_date, changes, kept, others = right(found)
        print(f"{name}  {up_to_date} of {changes} changes up to date, {kept} of {others} that look like one left alone")


if __name__ == "__main__":
    main()
