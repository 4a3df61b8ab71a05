"""Loaded indexes, bounded by bytes; the least recently used is written out and dropped."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from brain_core.index.memory_index import MemoryIndex

_NEVER_SAVED = 2**63 - 1
"""As the revision of a snapshot: that of an index that gets none."""


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
    Both are called with that memory's lock held and without the cache's: memories never wait for each other's disk.

    loads, evictions: how many indexes were loaded, and dropped to make room, so far.
    """

    def __init__(
        self,
        load: Callable[[str], tuple[MemoryIndex, int]],
        save: Callable[[str, MemoryIndex], None],
        capacity_bytes: int,
    ) -> None:
        self.loads = self.evictions = 0
        self._load = load
        self._save = save
        self._capacity = capacity_bytes
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._nbytes = 0
        self._leaving = 0  # bytes of those that are being written out to be dropped
        self._lock = threading.Lock()

    def holds(self, memory_id: str) -> bool:
        """Return whether the index of a memory that has a commit is loaded just now; a dry run loads one of none."""
        slot = self._slots.get(memory_id)
        index = None if slot is None else slot.index
        return index is not None and index.revision > 0

    def use(self, memory_id: str) -> Using:
        """Give a memory's index, loaded if need be, with the memory's lock held until the end of the block."""
        return Using(self, memory_id)

    def hold(self, memory_id: str) -> Holding:
        """Give a memory's index if it is loaded, without making it more recent, with the memory's lock held."""
        return Holding(self, memory_id)

    def come_for(self, memory_id: str, *, recent: bool) -> _Slot:
        """Take hold of a slot and its lock, which `leave` lets go. recent: whether it is more recent then."""
        with self._lock:
            slot = self._slots.get(memory_id)
            if slot is None:
                slot = self._slots[memory_id] = _Slot()
            elif recent:
                self._slots.move_to_end(memory_id)
            slot.users += 1
        try:
            slot.lock.acquire()
        except BaseException:  # as KeyboardInterrupt, while it waits
            with self._lock:
                self._let_go(memory_id, slot)
            raise
        return slot

    def loaded(self, memory_id: str, slot: _Slot) -> MemoryIndex:
        """Return the index of a slot, loaded if need be. The caller has come for it."""
        if slot.index is None:
            slot.index, slot.saved_revision = self._load(memory_id)
            with self._lock:
                self.loads += 1
        return slot.index

    def leave(self, memory_id: str, slot: _Slot) -> None:
        """Let go of a slot and its lock, and make room where its index has grown."""
        nbytes = 0
        try:
            nbytes = slot.index.nbytes if slot.index is not None else 0
        finally:
            slot.lock.release()
            with self._lock:
                self._nbytes += nbytes - slot.nbytes
                slot.nbytes = nbytes
                self._let_go(memory_id, slot)
                is_full = self._is_full()
            if is_full:
                self._make_room(memory_id)

    @contextmanager
    def discarding(self, memory_id: str) -> Iterator[None]:
        """Forget a memory's loaded index if the block fails half-way; the next use loads it anew. Held by `use`."""
        try:
            yield
        except BaseException:
            self._slots[memory_id].index = None
            raise

    def replace(self, memory_id: str, index: MemoryIndex) -> None:
        """Put a newly made index in place of the loaded one and write it out. The caller holds its lock."""
        slot = self._slots[memory_id]
        slot.index, slot.saved_revision = index, 0
        self._write_out(memory_id, slot)

    def withhold(self, memory_id: str) -> None:
        """Have a memory's loaded index not written out: it has texts that the store has no more. The lock is held."""
        self._slots[memory_id].saved_revision = _NEVER_SAVED

    def is_withheld(self, memory_id: str) -> bool:
        """Return whether a memory's loaded index has texts that the store has no more. The lock is held."""
        return self._slots[memory_id].saved_revision == _NEVER_SAVED

    def forget(self, memory_id: str) -> None:
        """Drop a memory's index; the next use loads it anew. The caller holds it by `hold`."""
        self._slots[memory_id].index = None

    def close(self) -> None:
        """Write out every index that has changed since its snapshot. No call may be under way."""
        for memory_id, slot in self._slots.items():
            self._write_out(memory_id, slot)
        self._slots.clear()

    def stats(self) -> tuple[int, int]:
        """Return (indexes loaded, bytes they hold)."""
        with self._lock:
            return sum(slot.index is not None for slot in self._slots.values()), self._nbytes

    def _let_go(self, memory_id: str, slot: _Slot) -> None:
        """Count a user less. The cache's lock is held."""
        slot.users -= 1
        if slot.index is None and slot.users == 0:
            del self._slots[memory_id]

    def _make_room(self, spared: str) -> None:
        """Write out and drop what was used longest ago, one by one, until the rest is within the capacity."""
        while (chosen := self._choose(spared)) is not None:
            memory_id, slot, nbytes = chosen
            try:
                if slot.lock.acquire(blocking=False):
                    try:
                        self._write_out(memory_id, slot)
                    finally:
                        slot.lock.release()
            finally:
                with self._lock:
                    self._leaving -= nbytes
                    dropped = slot.index if slot.users == 1 else None  # nobody has come for it meanwhile
                    if dropped is not None:
                        slot.index = None
                        self._nbytes -= slot.nbytes
                        self.evictions += 1
                    self._let_go(memory_id, slot)
            del dropped  # here, for it takes its time, and the lock is free

    def _choose(self, spared: str) -> tuple[str, _Slot, int] | None:
        """Take hold of an index to be dropped, as its only user; None if there is room, or nothing to drop."""
        with self._lock:
            if not self._is_full():
                return None
            for memory_id, slot in self._slots.items():
                if slot.users == 0 and memory_id != spared:
                    slot.users = 1
                    self._leaving += slot.nbytes
                    return memory_id, slot, slot.nbytes
            return None

    def _is_full(self) -> bool:
        """Return whether loaded indexes take more than there is room for. The cache's lock is held."""
        return self._nbytes - self._leaving > self._capacity

    def _write_out(self, memory_id: str, slot: _Slot) -> None:
        if slot.index is None or slot.index.revision <= slot.saved_revision:
            return
        # A snapshot only saves time: without room for it the index is made anew from the store at its next use.
        with contextlib.suppress(OSError):
            self._save(memory_id, slot.index)
            slot.saved_revision = slot.index.revision


class _Held:
    """A block in which a memory's lock is held. A class, since of generators one within another each costs as much."""

    __slots__ = ("_cache", "_memory_id", "_slot")

    def __init__(self, cache: IndexCache, memory_id: str) -> None:
        self._cache = cache
        self._memory_id = memory_id
        self._slot: _Slot

    def __exit__(self, *raised: object) -> None:
        """Let go of the lock."""
        self._cache.leave(self._memory_id, self._slot)


class Holding(_Held, AbstractContextManager["MemoryIndex | None"]):
    """Such a block, which gives the memory's index if it is loaded."""

    __slots__ = ()

    def __enter__(self) -> MemoryIndex | None:
        """Wait for the lock."""
        self._slot = self._cache.come_for(self._memory_id, recent=False)
        return self._slot.index


class Using(_Held, AbstractContextManager[MemoryIndex]):
    """Such a block, which gives the memory's index, loaded if need be."""

    __slots__ = ()

    def __enter__(self) -> MemoryIndex:
        """Wait for the lock. Raises what loading the index does."""
        self._slot = self._cache.come_for(self._memory_id, recent=True)
        try:
            return self._cache.loaded(self._memory_id, self._slot)
        except BaseException:
            self.__exit__()
            raise
