"""Loaded indexes, bounded by bytes; the least recently used is written out and dropped."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from brain_core.index.memory_index import MemoryIndex


@dataclass(slots=True)
class _Slot:
    lock: threading.RLock = field(default_factory=threading.RLock)
    index: MemoryIndex | None = None
    saved_revision: int = 0
    nbytes: int = 0
    users: int = 0


class IndexCache:
    """One index and one lock per memory.

    load: makes the index of a memory, with the revision at which its snapshot on disk stands. save: writes a snapshot.
    """

    def __init__(
        self,
        load: Callable[[str], tuple[MemoryIndex, int]],
        save: Callable[[str, MemoryIndex], None],
        capacity_bytes: int,
    ) -> None:
        self._load = load
        self._save = save
        self._capacity = capacity_bytes
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._nbytes = 0
        self._lock = threading.Lock()

    @contextmanager
    def use(self, memory_id: str) -> Iterator[MemoryIndex]:
        """Give a memory's index, loaded if need be, with the memory's lock held until the end of the block."""
        with self._lock:
            slot = self._slots.setdefault(memory_id, _Slot())
            self._slots.move_to_end(memory_id)
            slot.users += 1
        try:
            with slot.lock:
                if slot.index is None:
                    slot.index, slot.saved_revision = self._load(memory_id)
                yield slot.index
        finally:
            with self._lock:
                slot.users -= 1
                self._weigh(slot)
                self._evict(memory_id)

    @contextmanager
    def discarding(self, memory_id: str) -> Iterator[None]:
        """Forget a memory's loaded index if the block fails half-way; the next use loads it anew. Held by `use`."""
        try:
            yield
        except BaseException:
            self._slots[memory_id].index = None
            raise

    def replace(self, memory_id: str, index: MemoryIndex) -> None:
        """Put a newly made index in place of the loaded one and write it out. The caller holds it by `use`."""
        self._save(memory_id, index)
        slot = self._slots[memory_id]
        slot.index, slot.saved_revision = index, index.revision

    def close(self) -> None:
        """Write out every index that has changed since its snapshot. No call may be under way."""
        for memory_id, slot in self._slots.items():
            self._write_out(memory_id, slot)
        self._slots.clear()

    def stats(self) -> tuple[int, int]:
        """Return (indexes loaded, bytes they hold)."""
        with self._lock:
            return sum(slot.index is not None for slot in self._slots.values()), self._nbytes

    def _weigh(self, slot: _Slot) -> None:
        nbytes = slot.index.nbytes if slot.index is not None else 0
        self._nbytes += nbytes - slot.nbytes
        slot.nbytes = nbytes

    def _evict(self, spared: str) -> None:
        if self._nbytes <= self._capacity:
            return
        for memory_id, slot in list(self._slots.items()):
            if self._nbytes <= self._capacity:
                return
            if slot.users == 0 and memory_id != spared:
                self._write_out(memory_id, slot)
                del self._slots[memory_id]
                self._nbytes -= slot.nbytes

    def _write_out(self, memory_id: str, slot: _Slot) -> None:
        if slot.index is None or slot.index.revision <= slot.saved_revision:
            return
        # A snapshot only saves time: without room for it the index is made anew from the store at its next use.
        with contextlib.suppress(OSError):
            self._save(memory_id, slot.index)
            slot.saved_revision = slot.index.revision
