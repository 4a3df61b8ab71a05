"""What the memory already holds, as rules see it: to find the item that a sentence speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from google.protobuf import json_format
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.kinds.registry import KINDS
from brain_core.text.words import terms

if TYPE_CHECKING:
    from brain_core.extract.claims import Claims
    from brain_core.extract.dates import Day

Of = TypeVar("Of")
Made = TypeVar("Made")

_REMEMBERED = 4096  # items, whose values and words are asked for by commit after commit


FIELDS = {
    "preferences": "value", "knowledge": "content", "decisions": "decision", "goals": "description",
    "tasks": "title", "events": "title",
}  # fmt: skip
"""The field of each type that tells the thing itself."""
DATED = {"events": "date", "tasks": "due"}
"""The field of each type that tells its day."""


class Known(Protocol):
    """The active items of a memory, read when they are asked for."""

    @property
    def claims(self) -> Claims:
        """What was worked out of the items for earlier sentences."""

    def active(self, item_type: str) -> Sequence[MemoryItem]:
        """Return the ACTIVE items of a type, newest first; at most some hundred."""


def on_day(item_type: str, fields: dict[str, str], day: Day) -> dict[str, str]:
    """Return the fields of an event or a task on another day: an event with the last of its days, if it has several."""
    moved = {name: part for name, part in fields.items() if name != "until"} | {DATED[item_type]: day.day.isoformat()}
    return moved if day.last is None or item_type != "events" else {**moved, "until": day.last.isoformat()}


class Remembered(Generic[Of, Made]):
    """What is made of an item, or of a list of them, remembered of the object, which nobody changes. For many threads.

    What was made is nobody's to change either.
    """

    def __init__(self, make: Callable[[Of], Made], most: int = _REMEMBERED) -> None:
        self._make = make
        self._most = most
        # By identity, which is an object's own for as long as it is held here.
        self._made: dict[int, tuple[Of, Made]] = {}
        self._making = Lock()

    def __call__(self, of: Of) -> Made:
        """Return what is made of an object."""
        found = self._made.get(id(of))
        return self._anew(of) if found is None else found[1]

    def _anew(self, of: Of) -> Made:
        made = self._make(of)
        with self._making:
            if len(self._made) >= self._most:
                del self._made[next(iter(self._made))]
            self._made[id(of)] = of, made
        return made


def _value(item: MemoryItem) -> dict[str, Any]:
    value: dict[str, Any] = json_format.MessageToDict(item.value)
    return value


value_of = Remembered(_value)
"""Return an item's value as plain data, not to be changed."""


def day_of(item: MemoryItem) -> date | None:
    """Return the day of an event, or the day that a task is due; None where it has none."""
    day = str(value_of(item).get(DATED.get(item.type, ""), ""))
    return date.fromisoformat(day[:10]) if _ISO.match(day) else None


_ISO = re.compile(r"\d{4}-\d\d-\d\d")


_facts_of: Remembered[MemoryItem, tuple[tuple[str, str], ...]] = Remembered(
    lambda item: tuple((str(fact["k"]), str(fact["v"])) for fact in value_of(item).get("facts", ()))
)


def known_facts(known: Known) -> Iterator[tuple[str, str]]:
    """Yield (k, v) of the facts that are known of the user."""
    return chain.from_iterable(map(_facts_of, known.active("profile")))


def last_of(known: Known, types: Iterable[str], session: str) -> MemoryItem | None:
    """Return `last_told` of the items of these types."""
    return last_told(known, (item for name in types for item in known.active(name)[:2]), session)


def last_told(known: Known, among: Iterable[MemoryItem], session: str) -> MemoryItem | None:
    """Return which of these items "it" may be, said of nothing else: the session's only one, or what it told last.

    None where what was told last of all is none of them: then "it" is that. No session points at what another told.
    """
    wanted = [item for item in among if item.session_id == session]
    if len(wanted) <= 1:
        return next(iter(wanted), None)
    newest = (item for name in TOLD for item in known.active(name)[:1])
    last = max(newest, key=lambda item: item.updated_at.ToMicroseconds(), default=None)
    return last if last is not None and last in wanted and last.session_id == session else None


TOLD = ("preferences", "knowledge", "profile", "decisions", "goals", "tasks", "events")
"""Types that a sentence may speak of as "it"."""


def find(known: Known, item_type: str, words: str, least: float = 0.5) -> MemoryItem | None:
    """Return the item that holds the largest share of the words' terms, or None below `least`. The newest of equals.

    A share of 0.5 means that half of what was said to name the item stands in its text.
    """
    wanted = set(terms(words))
    if not wanted:
        return None
    best, best_share = None, 0.0
    for item in known.active(item_type):
        if item_type == "tasks" and names_another(words, body_of(item)):
            continue
        share = _share(item, wanted)
        if share > best_share:
            best, best_share = item, share
    return best if best_share >= least else None


def names_another(text: str, other: str) -> bool:
    """Return whether two texts each name something by a number of its own, PROJ-1187, #12, v1.2, and never the same."""
    now = _numbers(text)
    then = _numbers(other) if now else now
    return bool(now and then) and now.isdisjoint(then)


@lru_cache(maxsize=_REMEMBERED)
def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBERED.findall(text.lower()))


_NUMBERED = re.compile(r"(?<![\w.:/-])(?!\d{4}-\d\d)(?:#\d+|[a-z]+[-_]?\d+(?:\.\d+)*|\d{3,})(?![\w%:/]|\.\d)", re.ASCII)


def overlap(item: MemoryItem, words: str) -> float:
    """Return the share of the words' terms that an item's text holds."""
    wanted = set(terms(words))
    return _share(item, wanted) if wanted else 0.0


def _share(item: MemoryItem, wanted: set[str]) -> float:
    return len(wanted & words_of(body_of(item))) / len(wanted)


@lru_cache(maxsize=_REMEMBERED)
def words_of(text: str) -> frozenset[str]:
    """Return the terms of what an item says, which is asked for commit after commit."""
    return frozenset(terms(text))


def denial(item: MemoryItem) -> dict[str, Any]:
    """Return what a Found with denies=True gives to retract an item: the parts of its key."""
    value, kind = value_of(item), KINDS[item.type]
    return {part: value[part] for part in (*kind.parts, kind.continued) if part in value}


def _body(item: MemoryItem) -> str:
    value = value_of(item)
    if item.type == "preferences":
        return f"The user prefers ({value['scope']}) {value['name']}: {value['value']}"
    if item.type == "goals":
        return f"Goal: {value['name']} ({value['status']})\n{value.get('description', '')}"
    if item.type == "profile":
        return "\n".join(f"{fact['k']}: {fact['v']}" for fact in value.get("facts", ()))
    return item.text.partition("\n")[2] or item.text


body_of = Remembered(_body)
"""Return what an item says, in the words in which it was told and under its names: by these it is spoken of."""
