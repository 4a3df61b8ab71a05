"""A known value that is told otherwise in few words: "rent went up to 3400", "make that 10", 「涨到三千五了」.

Each language reads what is said to have changed, and to what (`Change`). What that is of is found here: where nothing
is named, what the last message of the session with such a value has told; else what has that name, or the value that
is said to hold no more. One value is changed, and of two none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.bare_day import DayOf, in_month_of
from brain_core.extract.dates import Day, last_of_month
from brain_core.extract.known import DATED, FIELDS, on_day, value_of, words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.replaced import denied
from brain_core.extract.values import Value, fits, put, values
from brain_core.extract.vital import is_vital_item
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

_LOOKED_BACK = 4
"""Messages of the user before one that names nothing, in which what it is of may stand."""
_DAYS = frozenset({"weekday", "date", "month"})
OF_THE_CLOCK = _DAYS | {"hour"}
"""Kinds of values that tell what time it is where they are only said to be so now: "its 5pm now"."""
_TOO_MANY = "left undecided: {} known values may be meant, so none of them is ended"


@dataclass(frozen=True, slots=True)
class Change:
    """What a passage says that changed. names: whether a text is of what it names; None names nothing.

    old: the value that is said to hold no more. way: 1 or -1 where it went up or down. once: whether it is for a week
    or day, which leaves what comes every week as it is.
    """

    new: Value
    names: Callable[[str], bool] | None = None
    old: Value | None = None
    way: int = 0
    once: bool = False

    def in_text(self, text: str) -> Sequence[Value]:
        """Return the values of a text that it may change."""
        if self.old is not None:
            return [value for value in values(text) if value.is_same(self.old)]
        held = [value for value in values(text) if not (self.once and value.is_every_week)]
        return [value for value in held if fits(self.new, value, self.way) or value.is_same(self.new)]


@dataclass(frozen=True, slots=True)
class Held:
    """A value in what is known. fact: of a profile. said: what the item, or the fact, says."""

    item: MemoryItem
    fact: dict[str, Any] | None
    said: str
    value: Value

    @property
    def named(self) -> str:
        """What it says, and under which name it is told."""
        return self.said if self.fact is None else f"{str(self.fact['k']).replace('_', ' ')} {self.said}"


def brief_rules(
    cues: str, with_a_value: Expression, changes: Callable[[Scene], Iterable[Change]], day_of: DayOf
) -> tuple[Rule, Rule]:
    """Return a language's rules: of what is changed, and of what is left as it is since two things may be meant.

    changes: what a clause says that changed. with_a_value: what a clause must have for it.
    """

    def amend(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
        for change in changes(scene):
            yield from _amended(change, scene, day_of)

    def leave(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
        for change in changes(scene):
            yield from _undecided(change, scene)

    return (
        Rule("told_briefly", "", cues, with_a_value, amend, vital=True),
        Rule("left_undecided", "", cues, with_a_value, leave, shares=True, vital=True),
    )


def _amended(change: Change, scene: Scene, day_of: DayOf) -> Iterator[Found]:
    """Yield the one known value that a change is of with the new value in its place."""
    held = _may_be_meant(change, scene)
    if len(held) == 1 and not held[0].value.is_same(change.new):
        yield from in_place(held[0], change.new, scene, day_of)


def _undecided(change: Change, scene: Scene) -> Iterator[Found]:
    """Yield why nothing comes of a change that more than one known value may be meant by."""
    held = _may_be_meant(change, scene)
    if len(held) > 1 and not any(each.value.is_same(change.new) for each in held):
        yield Found({}, unmet=_TOO_MANY.format(len(held)), span=(0, len(scene.clause.text)))


def _may_be_meant(change: Change, scene: Scene) -> list[Held]:
    if change.names is not None:
        named = [
            each for each in _held(change, scene) if change.names(each.named) and not _is_this(each, change, scene)
        ]
        told_here = [each for each in named if each.item.session_id == scene.session]
        return told_here if len(told_here) == 1 else named
    if any(_is_this(each, change, scene) for each in _held(change, scene)):
        return []
    told, text = _told_last(change, scene) if scene.session else ((), "")
    held = [each for each in _held(change, scene) if any(each.value.is_same(value) for value in told)]
    if not held and change.old is not None and change.old.kind != "number":
        return list(_held(change, scene))
    here = words_of(scene.message[: scene.clause.start])  # may name what the change is of
    common = [(len((said := words_of(each.said)) & here), len(said & words_of(text))) for each in held]
    return [each for each, both in zip(held, common, strict=True) if both == max(common)]


def _is_this(held: Held, change: Change, scene: Scene) -> bool:
    """Return whether what is held has the new value by the message itself: a decision that names it, or the change."""
    return held.item.source_message_id == scene.message_id and held.value.is_same(change.new)


def _told_last(change: Change, scene: Scene) -> tuple[Sequence[Value], str]:
    """Return the values that may be changed of the last message that has any, the one read included, and its text."""
    before = [scene.message[: scene.clause.start], *reversed(scene.earlier())]
    return next(((found, text) for text in before[: _LOOKED_BACK + 1] if (found := change.in_text(text))), ((), ""))


def _held(change: Change, scene: Scene) -> Iterator[Held]:
    """Yield the known values that a change may be of; of a text that has two, each."""
    for name in ("profile", *FIELDS):
        for item in scene.known.active(name):
            for fact, said in sayings(item):
                if not is_vital_item(item, fact):
                    yield from (Held(item, fact, said, value) for value in change.in_text(said))


def sayings(item: MemoryItem) -> Iterator[tuple[dict[str, Any] | None, str]]:
    """Yield what an item says, a profile fact by fact."""
    value = value_of(item)
    if item.type == "profile":
        yield from ((fact, str(fact["v"])) for fact in value.get("facts", ()))
    else:
        yield None, str(value.get(FIELDS[item.type], ""))


def in_place(held: Held, new: Value, scene: Scene, day_of: DayOf) -> Iterator[Found]:
    """Yield what is held with a new value: under its key, or under another one that is made of the value."""
    item, span = held.item, (0, len(scene.clause.whole))
    text = put(held.said, held.value, new)
    if held.fact is not None:
        k = str(held.fact["k"])
        now = _renamed(k, held.value, new)
        if now != k:
            yield denied(item, held.fact, span)
        yield Found({"subject": "user", "facts": [{"k": now, "v": text}]}, type="profile", span=span)
        return
    value = value_of(item)
    fields = {name: part for name, part in value.items() if isinstance(part, str)}
    fields[FIELDS[item.type]] = text
    name, dated = _NAMES.get(item.type, ""), DATED.get(item.type, "")
    if name in fields:
        fields[name] = _renamed(fields[name], held.value, new)
    told = fields.get(dated, "")
    day = _day(new.text, scene.said, told, day_of) if dated and new.kind in _DAYS else None
    if day is not None:
        if day.day.isoformat() == told:
            return  # its text says what day it was meant for before
        fields = on_day(item.type, fields, day)
    if any(fields[part] != value[part] for part in (name, "date") if part in value):
        yield denied(item, None, span)
    yield Found(fields, type=item.type, span=span)


def _renamed(name: str, old: Value, new: Value) -> str:
    """Return a name with the new value where it has the old one as a word of its own."""
    for written in (slug, _joined):
        name = re.sub(rf"(?<![a-z0-9]){re.escape(written(old.text))}(?![a-z0-9])", written(new.text), name)
    return name


def _joined(text: str) -> str:
    """Return a value as a name has it that is made of Chinese without spaces: 5万 of "5 万"."""
    return slug(text.replace(" ", ""))


_NAMES = {"preferences": "name", "goals": "name"}
"""Fields that are shown beside what an item says, and are at times made of it."""


def _day(text: str, said: date, told: str, day_of: DayOf) -> Day | None:
    """Return the day that a text names, of a month alone that which is nearest to what was told."""
    day = day_of(text, said)
    if day is None or not told:
        return day
    old = date.fromisoformat(told)
    if day.exact:
        return in_month_of(old, day, text, day_of, said)
    months = [day.day.replace(day=1, year=year) for year in (old.year - 1, old.year, old.year + 1)]
    first = min(months, key=lambda each: abs((each - old).days))
    return replace(day, day=first, last=last_of_month(first))
