"""What the memory holds, as seen from inside a commit: what is held of the store, and over it what has changed so far.

The store must stand still meanwhile: the caller holds the memory's lock, or the view is a snapshot.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import Protocol

from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core.commit.held import MOST, Asked, HeldItems, newest_first
from brain_core.commit.ledger import Ledger, Slot
from brain_core.extract.claims import Claims
from brain_core.extract.known import Known
from brain_core.store import items
from brain_core.store.kv import ReadView

_Changed = dict[str, MemoryItem]


class Readable(Known, Protocol):
    """What is known, and any item of the memory by its key."""

    def read(self, item_type: str, key: str) -> MemoryItem | None:
        """Return the newest version of an item, whatever its status, or None."""


class StoreAndLedger:
    """The items of a memory under a commit. held: those of the memory, as they are in the view."""

    def __init__(self, view: ReadView, memory_id: str, ledger: Ledger, held: HeldItems) -> None:
        self.view = view
        self._memory_id = memory_id
        self._ledger = ledger
        self._held = held
        self._stored: dict[Slot, MemoryItem | None] = {}
        self._active: dict[Asked, tuple[_Changed, list[MemoryItem]]] = {}

    @property
    def claims(self) -> Claims:
        """What was worked out of the items before."""
        return self._held.claims

    @property
    def everybodys(self) -> dict[tuple[str, int], bool]:
        """Whether stored versions, by id and version, are of all who talk in the memory, as far as that was asked."""
        return self._held.everybodys

    def read(self, item_type: str, key: str) -> MemoryItem | None:
        """Return the newest version of an item, whatever its status, or None."""
        slot = (item_type, key)
        written = self._ledger.written.get(slot)
        if written is not None:
            return written
        if slot not in self._stored:
            self._stored[slot] = items.read_item(self.view, self._memory_id, item_type, key)
        return self._stored[slot]

    def claims_of(self, subject: str) -> Claims:
        """Return what was worked out of a subject's items before."""
        return self._held.claims_of(subject)

    def active(self, item_type: str, key_prefix: str = "", subject: str | None = None) -> Sequence[MemoryItem]:
        """Return the ACTIVE items of a type, newest first, at most `MOST`; of those whose keys begin so.

        subject: whose they are, "" the owner's; None are anybody's. The same sequence comes again until one of them
        changes.
        """
        changed = {key: item for (type_, key), item in self._ledger.written.items() if type_ == item_type}
        asked = Asked(item_type, key_prefix, subject)
        before, found = self._active.get(asked, (None, []))
        if before is None or changed != before:
            found = self._newest(self._held.active(self.view, *asked), changed, asked)
            self._active[asked] = changed, found
        return found

    def _newest(self, held: list[MemoryItem], changed: _Changed, asked: Asked) -> list[MemoryItem]:
        if changed:
            held = [item for item in held if item.key not in changed]
            for key, item in changed.items():
                if item.status == ITEM_STATUS_ACTIVE and asked.has(key):
                    insort(held, item, key=newest_first)
        return held if len(held) <= MOST else held[:MOST]

    def dependents(self, item_id: str) -> list[Slot]:
        """Return the type and key of items that rest, or once rested, on an item."""
        written = [slot for slot, item in self._ledger.written.items() if any(x.item_id == item_id for x in item.links)]
        stored = items.dependents(self.view, self._memory_id, item_id)
        return list(dict.fromkeys([*stored, *written]))
