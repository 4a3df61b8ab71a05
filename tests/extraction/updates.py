"""A fact told, and later told otherwise: `python -m tests.extraction.updates` counts what is believed in the end.

`updates/` has pairs by language: `plain` were written with the rules, the others by hands that saw no rule; the rules'
writer has read `seen` and `more`, never `held` and `kept`. `unchanged` has facts, each with a sentence that mentions
the same and changes nothing; `unchanged_more` and `unchanged_kept` are of those who wrote `more` and `kept`, as traps.
`beside` has what is said of other matters by one who knows the facts in `memory`, `among` what makes one of these
untrue, finishes or moves it, with a word of that one: both by a hand that saw no rule, and read since. `crowds` has
worlds of some names that come up again and again, of 58 lines each; hardly any of them ends anything. Never read.
`brief` has chains of messages in which a value changes in few words, and `brief_unchanged` near misses of such; those
of `brief_kept` and `brief_unchanged_kept` are by the same hand, told at once with them, and were only measured.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from smartbrain.v1.item_pb2 import MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from benchmarks.quality.worth.labels import crowds
from brain_core import Brain
from brain_core.extract.known import value_of
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


def behind(name: str) -> list[str]:
    """Return the chains after which the new value is not believed, or the old one still is.

    A line is the old value, the new one, and the messages; "+" begins a session a day later. Case does not count.
    """
    wrong = []
    with tempfile.TemporaryDirectory() as folder, open_brain(Path(folder)) as brain:
        for number, (old, new, *messages) in enumerate(rows(name)):
            days = 0
            for minute, message in enumerate(messages):
                days += message.startswith("+")
                said = say(f"m{number}", f"s{days}", message.lstrip("+"), at=days * _DAY + 60 * minute)
                brain.commit_turn(said)
            held = [text.lower() for _, text in believed(brain, f"m{number}")]
            if not any(new in text for text in held) or any(old in text and new not in text for text in held):
                wrong.append(f"{' | '.join(messages)}: {held}")
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
            before = set(believed(brain, memory))
            brain.commit_turn(say(memory, "two", message[0], at=_DAY))
            found.append((message, {piece for _, piece in before - set(believed(brain, memory))}))
    return found


def pieces(brain: Brain, memory: str) -> set[str]:
    """Return what is held, in doubt or not: each fact of a profile is a piece, any other item is one."""
    return {piece for _, piece, _ in _pieces(brain, memory)}


def _doubted(brain: Brain, memory: str) -> set[str]:
    """Return the pieces that are in doubt."""
    return {piece for _, piece, doubted in _pieces(brain, memory) if doubted}


def changed_beside(language: str) -> list[str]:
    """Return the messages about other matters after which something is no longer believed."""
    return [message for [message], lost in lost_among(language, "beside") if lost]


def changed_among(language: str) -> list[str]:
    """Return the messages after which what they speak of is no longer believed as it was, and all else is."""
    changes = lost_among(language, "among")
    return [message for (message, word), lost in changes if lost and all(word in piece for piece in lost)]


class Crowded(NamedTuple):
    """What became of lines about the same few people and things.

    losing, doubting: those after which something else is held no more, or is in doubt. revising: those that make a
    fact untrue which had been learned. up_to_date: of these, those after which it is not held, or in doubt, what holds
    instead is, and nothing else is lost.
    """

    lines: int
    losing: list[str]
    doubting: list[str]
    revising: int
    up_to_date: int


def crowded(path: Path) -> Crowded:
    """Tell a brain block by block, each in a memory of its own, a line a day."""
    said, revising, up_to_date, losing, doubting = 0, 0, 0, list[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder, open_brain(Path(folder)) as brain:
        for number, block in enumerate(crowds(path)):
            memory, held, unsure = f"m{number}", set[str](), set[str]()
            for day, (_, text, *change) in enumerate(block):
                brain.commit_turn(say(memory, f"s{day}", text, at=day * _DAY))
                before, held = held, pieces(brain, memory)
                old, new = [*change, "", ""][:2]
                about = {each for each in before if old and old in each}
                lost = before - held - about
                doubted = _doubted(brain, memory) - unsure
                unsure |= doubted
                stale = any(not (new and new in each) for each in (held & about) - unsure)
                said, revising = said + 1, revising + bool(about)
                now = not new or any(new in each for each in held)
                up_to_date += bool(about) and not lost and not (doubted - about) and not stale and now
                if lost:
                    losing.append(f"{text}: {sorted(lost)}")
                if doubted - about:
                    doubting.append(f"{text}: {sorted(doubted - about)}")
    return Crowded(said, losing, doubting, revising, up_to_date)


def believed(brain: Brain, memory: str) -> list[tuple[str, str]]:
    """Return type and text of the pieces that are not in doubt."""
    return [(name, piece) for name, piece, doubted in _pieces(brain, memory) if not doubted]


def _pieces(brain: Brain, memory: str) -> Iterator[tuple[str, str, bool]]:
    """Yield type, text, and whether it is in doubt, of what is active but entities, which name and claim nothing."""
    for item in all_items(brain, memory):
        if item.type == "profile":
            yield from ((item.type, _fact(fact), "doubted" in fact) for fact in value_of(item)["facts"])
            continue
        said, doubts = _DOUBT.subn("", item.text.partition("\n")[2])
        told = value_of(item).get("value", "") if item.type == "preferences" else ""
        yield item.type, f"{said}\n{told}".strip(), doubts > 0


def _fact(fact: dict[str, Any]) -> str:
    """Return a fact of a profile in the words it was told in, with its times."""
    times = [f"{name} {fact[name]}" for name in ("since", "until") if fact.get(name)]
    times += [f"until then {fact['until_then']}"] if fact.get("until_then") else []
    return f"{fact['k']}: {fact['v']}" + (f" ({', '.join(times)})" if times else "")


_DOUBT = re.compile(r"\nPerhaps no longer so since: \S+")
"""What an item says of its being in doubt."""


def all_items(brain: Brain, memory: str) -> Iterator[MemoryItem]:
    """Yield what is active of a memory, but entities."""
    page = ListItemsRequest(memory_id=memory)
    while True:
        answer = brain.list_items(page)
        yield from (item for item in answer.items if item.type != "entities")
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
        for half in ("brief", "brief_kept"):
            name = f"{language}_{half}"
            print(f"{name:17} {len(rows(name)) - len(behind(name))} of {len(rows(name))} up to date")
        for half in ("unchanged", "unchanged_more", "unchanged_kept", "brief_unchanged", "brief_unchanged_kept"):
            name = f"{language}_{half}"
            print(f"{name:17} {len(changed(name))} of {len(rows(name))} changed")
        print(f"{language}_beside         {len(changed_beside(language))} of {len(rows(f'{language}_beside'))} changed")
        print(
            f"{language}_among          {len(changed_among(language))} of {len(rows(f'{language}_among'))} up to date"
        )
        told = crowded(UPDATES / f"{language}_crowds.tsv")
        lost = f"{len(told.losing)} of {told.lines} lines end something else, {len(told.doubting)} doubt it"
        print(f"{language}_crowds         {told.up_to_date} of {told.revising} up to date, {lost}")


if __name__ == "__main__":
    main()
