"""A fact told, and later told otherwise: `python -m tests.extraction.updates` counts what is believed in the end.

`updates/` has pairs by language: `plain` were written with the rules, the others by hands that saw no rule; the rules'
writer has read `seen` and `more`, never `held` and `kept`. `unchanged` has facts, each with a sentence that mentions
the same and changes nothing; `unchanged_more` and `unchanged_kept` are of those who wrote `more` and `kept`, as traps.
`beside` has what is said of other matters by one who knows the facts in `memory`, `among` what makes one of these
untrue, finishes or moves it, with a word of that one: both by a hand that saw no rule, and read since.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from tests.building import open_brain, say

UPDATES = Path(__file__).parent / "updates"
_DAY = 86_400


def rows(name: str) -> list[list[str]]:
    """Return the lines of a file by column: (first, second, old, new), or (fact, later) of what changes nothing."""
    return [line.split("\t") for line in (UPDATES / f"{name}.tsv").read_text("utf-8").splitlines()]


def outdated(name: str) -> list[str]:
    """Return the pairs after which the new value is not believed, or the old one still is."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder, open_brain(Path(folder)) as brain:
        for number, (first, second, old, new) in enumerate(rows(name)):
            memory = f"m{number}"
            brain.commit_turn(say(memory, "one", first, at=0))
            brain.commit_turn(say(memory, "two", second, at=2 * _DAY))
            held = believed(brain, memory)
            stale = [text for type_, text in held if old and old in text and new not in text and type_ != "events"]
            if stale or (new and not any(new in text for _, text in held)) or (not new and held):
                wrong.append(f"{first} | {second}: {held}")
    return wrong


def changed(name: str, **policy: dict[str, Any]) -> list[str]:
    """Return what is no longer believed after a sentence that changes nothing. policy: sections of it."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder, open_brain(Path(folder), **policy) as brain:
        for number, (fact, later) in enumerate(rows(name)):
            memory = f"m{number}"
            brain.commit_turn(say(memory, "one", fact, at=0))
            before = lines(brain, memory)
            brain.commit_turn(say(memory, "two", later, at=_DAY))
            lost = before - lines(brain, memory)
            if lost:
                wrong.append(f"{fact} | {later}: {sorted(lost)}")
    return wrong


def lost_among(language: str, messages: str) -> list[tuple[list[str], set[str]]]:
    """Return of each message its columns and what of many facts is no longer believed as it was."""
    found = []
    with tempfile.TemporaryDirectory() as folder, open_brain(Path(folder)) as brain:
        for number, message in enumerate(rows(f"{language}_{messages}")):
            memory = f"m{number}"
            for hour, [fact] in enumerate(rows(f"{language}_memory")):
                brain.commit_turn(say(memory, "one", fact, at=3600 * hour))
            before = pieces(brain, memory)
            brain.commit_turn(say(memory, "two", message[0], at=_DAY))
            found.append((message, before - pieces(brain, memory)))
    return found


def pieces(brain: Brain, memory: str) -> set[str]:
    """Return what is believed: each fact of a profile is a piece, any other item is one."""
    held = believed(brain, memory)
    return {each for name, text in held for each in (text.split("\n") if name == "profile" else [text])}


def changed_beside(language: str) -> list[str]:
    """Return the messages about other matters after which something is no longer believed."""
    return [message for [message], lost in lost_among(language, "beside") if lost]


def changed_among(language: str) -> list[str]:
    """Return the messages after which what they speak of is no longer believed as it was, and all else is."""
    changes = lost_among(language, "among")
    return [message for (message, word), lost in changes if lost and all(word in piece for piece in lost)]


def believed(brain: Brain, memory: str) -> list[tuple[str, str]]:
    """Return type and text of the active items but entities, which name and claim nothing."""
    listed = _all_items(brain, memory)
    return [(item.type, item.text.partition("\n")[2]) for item in listed if item.type != "entities"]


def _all_items(brain: Brain, memory: str) -> Iterator[MemoryItem]:
    page = ListItemsRequest(memory_id=memory)
    while True:
        answer = brain.list_items(page)
        yield from answer.items
        if not answer.next_page_token:
            return
        page.page_token = answer.next_page_token


def lines(brain: Brain, memory: str) -> set[str]:
    """Return the lines of what is believed: each fact of a profile is one."""
    return {line for _, text in believed(brain, memory) for line in text.split("\n")}


def main() -> None:
    """Print how many pairs of each file are right, and how many facts are changed by what changes nothing."""
    for language in ("en", "zh"):
        for half in ("plain", "seen", "held", "more", "kept"):
            name = f"{language}_{half}"
            print(f"{name:17} {len(rows(name)) - len(outdated(name))} of {len(rows(name))} up to date")
        for half in ("unchanged", "unchanged_more", "unchanged_kept"):
            name = f"{language}_{half}"
            print(f"{name:17} {len(changed(name))} of {len(rows(name))} changed")
        print(f"{language}_beside         {len(changed_beside(language))} of {len(rows(f'{language}_beside'))} changed")
        print(
            f"{language}_among          {len(changed_among(language))} of {len(rows(f'{language}_among'))} up to date"
        )


if __name__ == "__main__":
    main()
