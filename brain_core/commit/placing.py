"""What is read in a text beside what is known: the item that it is about, and what the caller has told of it.

A sentence says "we decided on Postgres" and names no project; the caller's items name theirs. Without this the old
decision would hold beside the new one, under another key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.commit.known import Readable
from brain_core.commit.learn import GUESSES
from brain_core.commit.ledger import HOLDS, Slot
from brain_core.commit.material import same
from brain_core.extract.known import value_of
from brain_core.kinds.draft import Draft
from brain_core.kinds.subject import subject_fields, without_subject


def placed(draft: Draft, known: Readable, session_id: str) -> Draft:
    """Return a draft that was read in a text, under the key of the item that it is about. known: to who says it.

    Such an item is active, its key differs only in what the draft leaves open (of which project, say), or it says the
    same in as many words. One of this session is meant, the newest; else the only one there is, unless the session has
    items of its own elsewhere.
    """
    kind, value = draft.kind, draft.kind.complete(draft.given)
    left_open = [part for part in kind.parts if part in kind.defaults and part not in draft.given]
    if not left_open or len(left_open) == len(kind.parts):
        return draft
    current = known.read(kind.type, draft.key)
    if current is not None and current.status in HOLDS:
        return draft
    active = known.active(kind.type)
    about = list(_about(active, value, draft, left_open))
    meant = next((item for item in about if item.session_id == session_id), None)
    if meant is None and len(about) == 1 and not _is_elsewhere(active, about[0], left_open, session_id):
        meant = about[0]
    if meant is None:
        return draft
    theirs = value_of(meant)
    given = {**without_subject(draft.given), **subject_fields(theirs), **{part: theirs[part] for part in kind.parts}}
    return replace(draft, given=given)


def _about(
    active: Sequence[MemoryItem], value: Mapping[str, Any], draft: Draft, left_open: Sequence[str]
) -> Iterator[MemoryItem]:
    """Yield the items that a draft may be of: what it leaves open is as theirs. value: of the draft, complete."""
    kind = draft.kind
    compared = [name for name in kind.compared if name in value]
    keys: dict[tuple[Any, ...], str] = {}  # of the draft, by what it leaves open
    for item in active:
        theirs = value_of(item)
        open_parts = tuple(theirs.get(part) for part in left_open)
        if open_parts not in keys:
            keys[open_parts] = kind.key(without_subject({**value, **dict(zip(left_open, open_parts, strict=True))}))
        is_named = keys[open_parts] == kind.key(without_subject(theirs))
        if is_named or (compared and all(same(theirs.get(name), value[name]) for name in compared)):
            yield item


def _is_elsewhere(active: Sequence[MemoryItem], about: MemoryItem, left_open: Sequence[str], session_id: str) -> bool:
    """Return whether a session has items, but none where `about` is."""
    of_session = [value_of(item) for item in active if item.session_id == session_id]
    there = value_of(about)
    return bool(of_session) and not any(
        all(each.get(part) == there.get(part) for part in left_open) for each in of_session
    )


class Told:
    """What the caller of a turn has told as facts: what is read in its texts of the same does not replace it."""

    def __init__(self) -> None:
        self._facts: dict[Slot, set[str]] = {}

    def note(self, draft: Draft) -> None:
        """Remember a draft of the caller's that is written; a guess leaves room for what the user says."""
        if draft.source not in GUESSES:
            self._facts.setdefault((draft.kind.type, draft.key), set()).update(_names(draft))

    def left_of(self, draft: Draft) -> Draft | None:
        """Return what a draft that was read says beside what is told, None if that is nothing."""
        told = self._facts.get((draft.kind.type, draft.key))
        if told is None or draft.kind.policy == "accumulate":
            return draft
        rest = [fact for fact in draft.given["facts"] if fact["k"] not in told] if draft.has_facts else []
        return replace(draft, given={**draft.given, "facts": rest}) if rest else None


def _names(draft: Draft) -> list[str]:
    return [fact["k"] for fact in draft.given["facts"]] if draft.has_facts else []
