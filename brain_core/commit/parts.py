"""Which item of a profile a fact stands in: the first, which every context carries, or a further one once that is full.

A change of one fact reads and writes its item whole, so no item grows without end. A fact stays in the item in which it
stands; what is said of it, denials too, finds it there.

The parts are items of the profile and not knowledge, because times, origins, doubts and denials of single facts exist
for the profile alone. They are not single facts, because a commit looks at the newest hundred items of a type: as
parts, it sees some 10,000 facts. Further parts have priority 3, so a search finds them and no context carries them
unasked. Retracting the first part retracts all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from smartbrain.v1.brain_service_pb2 import RetentionVerdict
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.commit.known import StoreAndLedger
from brain_core.commit.ledger import HOLDS
from brain_core.extract.known import Remembered, value_of
from brain_core.extract.vital import is_vital
from brain_core.kinds.draft import Draft
from brain_core.kinds.registry import KINDS

_VITAL_SHARE = 1.25
"""How many times as long the first item may become by facts that must not be forgotten."""


def parted(
    known: StoreAndLedger, draft: Draft, verdict: RetentionVerdict, most_bytes: int
) -> Iterator[tuple[Draft, RetentionVerdict]]:
    """Yield a draft as one for each item that its facts stand or get in, each with a verdict of its own.

    Of any other type it stays as it is. most_bytes: of the text of an item, UTF-8, above which it takes in no other
    fact; a single one may be longer.
    """
    if not draft.has_facts or not draft.given["facts"]:
        yield draft, verdict
        return
    places = _Places(known, draft, most_bytes)
    facts_of: dict[str, list[dict[str, Any]]] = {}
    for fact in draft.given["facts"]:
        for part in places.of_denied(fact) if draft.denies else [places.of(fact)]:
            facts_of.setdefault(part, []).append(fact)
    for number, (part, facts) in enumerate(facts_of.items()):
        given = {**draft.given, "facts": facts, **({draft.kind.continued: part} if part else {})}
        its = verdict
        if number:
            its = RetentionVerdict()
            its.CopyFrom(verdict)
        one = replace(draft, given=given)
        if part and not draft.denies:
            its.reason = f"{draft.reason}; {draft.key} goes on in part {part}, where this stands"
        its.key = one.key
        yield one, its


def further_keys(known: StoreAndLedger, item_type: str, key: str) -> list[str]:
    """Return the keys of the active items that go on with the item of a key."""
    if item_type not in KINDS or not KINDS[item_type].continued:
        return []
    return [item.key for item in known.active(item_type, f"{key}:")]


class _Places:
    """The items of the profile that a draft is about, by part: "" is the first."""

    def __init__(self, known: StoreAndLedger, draft: Draft, most_bytes: int) -> None:
        kind = draft.kind
        subject = kind.subject_of(draft.key)
        active = known.active(kind.type, kind.keys_of(subject), subject)
        parts = {str(value_of(item).get(kind.continued, "")): item for item in active}
        first = None if "" in parts else known.read(kind.type, draft.key)
        if first is not None and first.status in HOLDS:
            parts[""] = first
        self._draft = draft
        self._most = most_bytes
        self._items = dict(sorted(parts.items(), key=lambda each: int(each[0] or 1)))
        self._sizes = {"": self._size()} | {part: len(item.text.encode()) for part, item in self._items.items()}
        self._given: dict[str, str] = {}

    def of_denied(self, fact: Mapping[str, Any]) -> list[str]:
        """Return the parts in which a fact of a name stands; the first if it stands in none."""
        return [part for part, item in self._items.items() if fact.get("k") in _names_in(item)["facts"]] or [""]

    def of(self, fact: Mapping[str, Any]) -> str:
        """Return the part in which a fact stands, or stood when it was denied; else one that has room for it."""
        name = str(fact["k"])
        if name not in self._given:
            stands = (part for sort in _SORTS for part, item in self._items.items() if name in _names_in(item)[sort])
            found = next(stands, None)
            self._given[name] = self._entered(fact) if found is None else found
        return self._given[name]

    def _entered(self, fact: Mapping[str, Any]) -> str:
        heading = self._size()
        size = self._size(fact) - heading
        first_most = self._most * (_VITAL_SHARE if is_vital(str(fact["k"]), str(fact["v"])) else 1)
        for part, taken in self._sizes.items():
            if taken <= heading or taken + size <= (self._most if part else first_most):
                break
        else:
            part = next(str(number) for number in count(2) if str(number) not in self._sizes)
            self._sizes[part] = heading + len(f":{part}")
        self._sizes[part] += size
        return part

    def _size(self, *facts: Mapping[str, Any]) -> int:
        """Return the bytes of the text of a first item that has these facts."""
        kind = self._draft.kind
        return len(kind.text(kind.complete({**self._draft.given, "facts": facts})).encode())


_SORTS = ("facts", "denied")


def _names(item: MemoryItem) -> dict[str, frozenset[Any]]:
    value = value_of(item)
    return {sort: frozenset(each["k"] for each in value.get(sort, ())) for sort in _SORTS}


_names_in = Remembered(_names)
"""Return the names of what a profile says and denies."""
