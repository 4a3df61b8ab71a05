"""What the memory holds, as seen from inside a commit: the store, and over it what the commit has changed so far."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core.commit.ledger import Ledger, Slot
from brain_core.store import items
from brain_core.store.kv import ReadView

MOST = 100
"""Active items of a type that are looked at, the newest."""


class StoreAndLedger:
    """The items of a memory under a commit; those of a type are read from the store once, when asked for."""

    def __init__(self, view: ReadView, memory_id: str, ledger: Ledger) -> None:
        self._view = view
        self._memory_id = memory_id
        self._ledger = ledger
        self._active: dict[tuple[str, str], list[MemoryItem]] = {}

    def read(self, item_type: str, key: str) -> MemoryItem | None:
        """Return the newest version of an item, whatever its status, or None."""
        written = self._ledger.written.get((item_type, key))
        return written or items.read_item(self._view, self._memory_id, item_type, key)

    def active(self, item_type: str, key_prefix: str = "") -> Sequence[MemoryItem]:
        """Return the ACTIVE items of a type, newest first, at most `MOST`; of those whose keys begin so."""
        asked = (item_type, key_prefix)
        if asked not in self._active:
            self._active[asked] = sorted(self._stored(item_type, key_prefix), key=_newest_first)
        changed = {key: item for (type_, key), item in self._ledger.written.items() if type_ == item_type}
        if not changed:
            return self._active[asked][:MOST]
        held = [item for item in self._active[asked] if item.key not in changed]
        held += [
            item for key, item in changed.items() if item.status == ITEM_STATUS_ACTIVE and key.startswith(key_prefix)
        ]
        return sorted(held, key=_newest_first)[:MOST]

    def _stored(self, item_type: str, key_prefix: str) -> list[MemoryItem]:
        scanned = items.scan_items(self._view, self._memory_id, item_type, key_prefix)
        stored = list(islice(scanned, MOST + 1))
        if len(stored) > MOST and not key_prefix:
            newest = items.newest_active(self._view, self._memory_id, item_type, MOST)
            if len(newest) == MOST:
                return newest
        stored += islice(scanned, 3 * MOST)
        # Few items, or a part of the key space: as they stand. Items of stores from before 'n' are found here, too.
        return [item for item in stored if item.status == ITEM_STATUS_ACTIVE]

    def dependents(self, item_id: str) -> list[Slot]:
        """Return the type and key of items that rest, or once rested, on an item."""
        written = [slot for slot, item in self._ledger.written.items() if any(x.item_id == item_id for x in item.links)]
        stored = items.dependents(self._view, self._memory_id, item_id)
        return list(dict.fromkeys([*stored, *written]))


def _newest_first(item: MemoryItem) -> tuple[int, int, str]:
    return -item.updated_at.seconds, -item.updated_at.nanos, item.key
