"""What is put right as soon as it is told: `python -m tests.extraction.righted` counts what is believed in the end.

`righted/` has dialogues by language: a kind, what the user says, what the assistant answers, what the user says next, a
part of the first that must be held no more, what must be held instead. Kinds: `c`, the second message corrects the
first; `r`, it takes it back; `n`, it does neither, and the part must still be held. *seen* and *held* are of one hand
a language, which saw no rule, split at random; *more* is of another, asked never to put right twice in the same way.
The writer of the rules has read *seen* and *more*, of *held* totals alone. Of what was not learned at first nothing
can be told; it is counted apart.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from brain_core import Brain
from brain_core.extract.known import value_of
from tests.building import active, open_brain, say

DIALOGUES = Path(__file__).parent / "righted"
LANGUAGES = ("en", "zh")
HALVES = ("seen", "held", "more")
_DOUBTED = ("Perhaps no longer so", "perhaps no longer so")


class Righted(NamedTuple):
    """A dialogue. kind: c, r or n."""

    kind: str
    first: str
    answer: str
    second: str
    old: str
    new: str


def dialogues(lang: str, half: str) -> Iterator[Righted]:
    """Yield the dialogues of a half."""
    for line in (DIALOGUES / f"{lang}_{half}.tsv").read_text("utf-8").splitlines():
        yield Righted(*[*line.split("\t"), ""][:6])


def measured(lang: str, half: str) -> Counter[str]:
    """Return how many of each kind there are, "c", of which what was told first is learned, and right, "c right"."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, open_brain(Path(folder)) as brain:
        for number, each in enumerate(dialogues(lang, half)):
            memory = f"m{number}"
            brain.commit_turn(say(memory, "s", each.first, each.answer))
            if not _holds(brain, memory, each.old):
                counts["not learned"] += 1
                continue
            brain.commit_turn(say(memory, "s", each.second))
            counts[each.kind] += 1
            counts[f"{each.kind} right"] += _is_right(brain, memory, each)
    return counts


def _is_right(brain: Brain, memory: str, each: Righted) -> bool:
    if each.kind == "n":
        return _holds(brain, memory, each.old)
    stale = any(each.old.casefold() in said and each.new.casefold() not in said for said in _told(brain, memory))
    stale = stale or (not each.new and _holds(brain, memory, each.old))
    return not stale and (not each.new or _holds(brain, memory, each.new))


def _holds(brain: Brain, memory: str, words: str) -> bool:
    return any(words.casefold() in said for said in _told(brain, memory))


def _told(brain: Brain, memory: str) -> Iterator[str]:
    """Yield what is believed and not in doubt, a profile fact by fact, in small letters."""
    for item in active(brain, memory, "entities"):
        value = value_of(item)
        says = item.text.partition("\n")[2]
        texts = [f"{fact['k']}: {fact['v']}" for fact in value.get("facts", ())] if item.type == "profile" else [says]
        yield from (text.casefold() for text in texts if not any(mark in text for mark in _DOUBTED))


def main() -> None:
    """Print a line for each half."""
    for lang in LANGUAGES:
        for half in HALVES:
            counts = measured(lang, half)
            told = ", ".join(f"{kind} {counts[f'{kind} right']} of {counts[kind]}" for kind in "crn")
            print(f"{lang}_{half:6} {told} ({counts['not learned']} not learned at first)")


if __name__ == "__main__":
    main()
