"""Commits that wait for the disk share its syncs, at every wait level, and none is answered before one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import WaitLevel

from brain_core import Brain, load_policy
from brain_core.store.flusher import Flusher
from brain_core.store.rocks import RocksKV
from tests.building import embedder, say, ticking

WRITERS = 32
_SECONDS = 120


class Disk:
    """Stands before a store's flush: counts the syncs, and holds each until it is let through. Wide open at first."""

    def __init__(self, brain: Brain) -> None:
        assert isinstance(brain._kv, RocksKV)
        assert isinstance(brain._kv._flusher, Flusher)
        self._flusher = brain._kv._flusher
        self._flush, self._flusher._flush = self._flusher._flush, self._pass
        self._asked_before = self._flusher._asked
        self.syncs = 0
        self.begun = threading.Semaphore(0)
        self.open = threading.Event()
        self.open.set()

    def _pass(self) -> None:
        self.syncs += 1
        self.begun.release()
        assert self.open.wait(_SECONDS)
        self._flush()

    def wait_for(self, waiting: int) -> None:
        """Wait until so many have asked for a sync since this disk stands here (opening a new store asks for one)."""
        asked = self._asked_before + waiting
        with self._flusher._state:
            assert self._flusher._state.wait_for(lambda: self._flusher._asked >= asked, _SECONDS)


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    """Give a brain whose answers wait for the disk."""
    with Brain.open(folder, load_policy({"store": {"durability": "disk"}}), embedder(), ticking()) as opened:
        yield opened


def test_commits_in_flight_share_a_sync(brain: Brain) -> None:
    disk = Disk(brain)
    disk.open.clear()
    with ThreadPoolExecutor(WRITERS) as pool:
        first = pool.submit(brain.commit_turn, say("m", "s", "First."))
        assert disk.begun.acquire(timeout=_SECONDS)
        others = [pool.submit(brain.commit_turn, say(f"m{n % 3}", "s", f"{n}")) for n in range(1, WRITERS)]
        disk.wait_for(WRITERS)
        assert not any(one.done() for one in (first, *others)), "answered before the disk had it"
        disk.open.set()
        for one in (first, *others):
            one.result(_SECONDS)
    assert disk.syncs == 2


@pytest.mark.parametrize("level", WaitLevel.values(), ids=WaitLevel.keys())
def test_every_wait_level_waits_for_the_disk(brain: Brain, level: WaitLevel.ValueType) -> None:
    disk = Disk(brain)
    request = say("m", "s", "Hello.")
    request.request_id, request.wait_level = "r", level
    for syncs in (1, 2):  # a repeat may be answered only once the first try is durable
        brain.commit_turn(request)
        assert disk.syncs == syncs


def test_a_commit_that_is_to_be_synced_later_waits_for_no_disk(brain: Brain) -> None:
    disk = Disk(brain)
    for number in range(10):
        brain.commit_turn(say("m", "s", f"{number}"), sync=False)
    assert disk.syncs == 0
    brain.sync()
    assert disk.syncs == 1
    request = say("m", "s", "Only asked.")
    request.validate_only = True
    brain.commit_turn(request)
    assert disk.syncs == 1, "nothing was written"


def test_without_durability_no_sync_is_waited_for(folder: Path) -> None:
    with Brain.open(folder, load_policy({"store": {"durability": "process"}}), embedder(), ticking()) as brain:
        assert isinstance(brain._kv, RocksKV)
        assert brain._kv._flusher is None
        assert brain.commit_turn(say("m", "s", "Hello.")).revision == 1
