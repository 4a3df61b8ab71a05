"""The cache of loaded indexes: bounded, least recently used out first, nothing lost."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from brain_core import Brain
from brain_core.errors import FailedPrecondition
from brain_core.index.cache import IndexCache
from brain_core.index.memory_index import MemoryIndex
from tests.building import found, open_brain, say
from tests.index.test_index_snapshot import equal

_SECONDS = 60


class Disk:
    """Where a cache loads from and saves to."""

    def __init__(self) -> None:
        self.saved: dict[str, int] = {}
        self.loads: list[str] = []

    def load(self, memory: str) -> tuple[MemoryIndex, int]:
        self.loads.append(memory)
        revision = self.saved.get(memory, 0)
        return MemoryIndex(4, revision), revision

    def save(self, memory: str, index: MemoryIndex) -> None:
        self.saved[memory] = index.revision


_ONE = MemoryIndex(4).nbytes


def used(cache: IndexCache, memory: str, *, change: bool = False) -> None:
    with cache.use(memory) as index:
        index.revision += change


def test_the_least_recently_used_is_written_out_and_dropped() -> None:
    disk = Disk()
    cache = IndexCache(disk.load, disk.save, 2 * _ONE)
    used(cache, "a", change=True)
    used(cache, "b", change=True)
    used(cache, "a")
    used(cache, "c", change=True)
    assert disk.saved == {"b": 1}, "b was used longest ago"
    assert cache.stats() == (2, 2 * _ONE)
    used(cache, "a")
    assert disk.loads == ["a", "b", "c"], "a stayed"
    used(cache, "b")
    assert disk.loads == ["a", "b", "c", "b"]
    assert disk.saved == {"b": 1, "c": 1}
    cache.close()
    assert disk.saved == {"b": 1, "c": 1, "a": 1}


def test_an_unchanged_index_is_not_written() -> None:
    disk = Disk()
    cache = IndexCache(disk.load, disk.save, _ONE)
    for memory in "abcabc":
        used(cache, memory)
    cache.close()
    assert disk.saved == {}


def test_one_in_use_is_never_evicted() -> None:
    disk = Disk()
    cache = IndexCache(disk.load, disk.save, 1)
    with cache.use("a") as held:
        held.revision = 1
        for memory in "bcd":
            used(cache, memory)
        with cache.use("a") as again:
            assert again is held
    assert disk.loads == ["a", "b", "c", "d"]
    assert disk.saved == {}, "nothing of a was lost or written half-way"
    used(cache, "e")
    assert disk.saved == {"a": 1}


def test_an_index_that_cannot_be_loaded_leaves_the_cache_usable() -> None:
    disk = Disk()
    failing = True

    def load(memory: str) -> tuple[MemoryIndex, int]:
        if failing:
            raise OSError("no")
        return disk.load(memory)

    cache = IndexCache(load, disk.save, 10 * _ONE)
    with pytest.raises(OSError, match="no"), cache.use("a"):
        pass
    assert cache.stats() == (0, 0)
    failing = False
    used(cache, "a", change=True)
    assert cache.stats() == (1, _ONE)


def test_a_memory_is_used_by_one_thread_at_a_time() -> None:
    disk = Disk()
    cache = IndexCache(disk.load, disk.save, 1)
    inside = threading.Semaphore(1)

    def work(number: int) -> None:
        with cache.use("ab"[number % 2] if number % 5 else "shared") as index:
            if number % 5 == 0:
                assert inside.acquire(blocking=False), "two at once"
            index.revision += 1
            if number % 5 == 0:
                inside.release()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(300), timeout=_SECONDS))
    cache.close()
    assert disk.saved["shared"] == 60
    assert disk.saved["a"] + disk.saved["b"] == 240, "no change was lost to an eviction"


class SlowDisk(Disk):
    """Lets a test hold up the writing of one memory."""

    def __init__(self, slow: str) -> None:
        super().__init__()
        self._slow = slow
        self.writing, self.may_end = threading.Event(), threading.Event()
        self.open: set[str] = set()

    def load(self, memory: str) -> tuple[MemoryIndex, int]:
        assert memory not in self.open, "two loads of one memory at once"
        self.open.add(memory)
        loaded = super().load(memory)
        self.open.remove(memory)
        return loaded

    def save(self, memory: str, index: MemoryIndex) -> None:
        if memory == self._slow:
            self.writing.set()
            assert self.may_end.wait(_SECONDS)
        super().save(memory, index)


def test_memories_do_not_wait_for_one_that_is_written_out() -> None:
    disk = SlowDisk("a")
    cache = IndexCache(disk.load, disk.save, _ONE)
    used(cache, "a", change=True)
    with ThreadPoolExecutor(1) as pool:
        evicting = pool.submit(used, cache, "b")
        assert disk.writing.wait(_SECONDS)
        used(cache, "c", change=True)  # loads, and finds room to make, while a is being written
        used(cache, "c")
        assert cache.stats()[0] >= 2
        disk.may_end.set()
        evicting.result(_SECONDS)
    used(cache, "d")
    assert cache.stats() == (1, _ONE)
    assert disk.saved == {"a": 1, "c": 1}


def test_one_that_is_wanted_while_it_is_written_out_stays() -> None:
    disk = SlowDisk("a")
    cache = IndexCache(disk.load, disk.save, _ONE)
    with cache.use("a") as before:
        before.revision = 1
    with ThreadPoolExecutor(2) as pool:
        evicting = pool.submit(used, cache, "b")
        assert disk.writing.wait(_SECONDS)
        wanting = pool.submit(used, cache, "a", change=True)
        while cache._slots["a"].users < 2:
            threading.Event().wait(0.001)
        disk.may_end.set()
        evicting.result(_SECONDS)
        wanting.result(_SECONDS)
    assert before.revision == 2, "the same index was used again"
    assert disk.loads == ["a", "b"]
    cache.close()
    assert disk.saved["a"] == 2


def test_a_write_that_fails_loses_nothing_but_time() -> None:
    disk, failing = Disk(), True

    def save(memory: str, index: MemoryIndex) -> None:
        if failing:
            raise OSError("no room")
        disk.save(memory, index)

    cache = IndexCache(disk.load, save, _ONE)
    used(cache, "a", change=True)
    used(cache, "b")
    assert cache.stats() == (1, _ONE)
    failing = False
    used(cache, "a", change=True)
    assert disk.loads == ["a", "b", "a"]
    assert (cache.loads, cache.evictions) == (3, 2)
    cache.close()
    assert disk.saved == {"a": 1}


def test_threads_evicting_at_once_drop_no_more_than_is_needed() -> None:
    disk = Disk()
    cache = IndexCache(disk.load, disk.save, 8 * _ONE)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: used(cache, f"m{number % 30}", change=True), range(600), timeout=_SECONDS))
    loaded, nbytes = cache.stats()
    assert (loaded, nbytes) == (8, 8 * _ONE)
    assert cache.loads - cache.evictions == 8
    cache.close()
    assert sum(disk.saved.values()) == 600, "no change was lost"


def test_an_evicted_index_comes_back_equal(folder: Path) -> None:
    with open_brain(folder, index={"cache_bytes": 1}) as brain:
        brain.commit_turn(say("m1", "s", "marmalade oranges", "yes"))
        with brain._indexes.use("m1") as index:
            before = index
        for number in range(3):
            brain.commit_turn(say(f"other{number}", "s", "something else"))
        assert brain._indexes.stats()[0] == 1, "bounded to the one just used"
        assert found(brain, "m1", "marmalade") == ["marmalade oranges", "yes"]
        with brain._indexes.use("m1") as index:
            assert index is not before
            equal(index, before)


def test_a_revision_that_is_not_reached_leaves_the_memory_to_others(folder: Path) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", "marmalade oranges"))
        with pytest.raises(FailedPrecondition, match="min_revision"), brain._indexes.reading("m", 2):
            pass
        assert [slot.users for slot in brain._indexes._slots.values()] == [0]


def test_memories_stay_right_under_a_tiny_cache(folder: Path) -> None:
    with open_brain(folder, index={"cache_bytes": 1}) as brain:
        _many(brain)
    with open_brain(folder) as brain:
        for memory in range(6):
            assert len(found(brain, f"m{memory}", "word", mode="exact")) == 10


def _many(brain: Brain) -> None:
    def work(number: int) -> None:
        brain.commit_turn(say(f"m{number % 6}", "s", f"word number {number}"))
        assert f"word number {number}" in found(brain, f"m{number % 6}", f"{number}", mode="exact")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(60), timeout=_SECONDS))
