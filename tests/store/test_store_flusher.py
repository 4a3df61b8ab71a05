"""One flush for all that wait."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from brain_core.store.flusher import Flusher

_WAITERS = 40
_SECONDS = 60


class _Gate:
    """A flush that stops until it is let through, and counts."""

    def __init__(self) -> None:
        self.flushes = 0
        self.begun = threading.Semaphore(0)
        self.let_through = threading.Semaphore(0)
        self.failure: BaseException | None = None
        self.untried: Exception | None = None

    def flush(self) -> Exception | None:
        self.flushes += 1
        self.begun.release()
        assert self.let_through.acquire(timeout=_SECONDS)
        if self.failure is not None:
            raise self.failure
        return self.untried


def _wait_for_tickets(flusher: Flusher, count: int) -> None:
    with flusher._state:
        assert flusher._state.wait_for(lambda: flusher._asked >= count, timeout=_SECONDS)


def test_all_that_arrive_during_a_flush_share_the_next() -> None:
    gate = _Gate()
    flusher = Flusher(gate.flush)
    with ThreadPoolExecutor(_WAITERS) as pool:
        first = pool.submit(flusher.wait)
        assert gate.begun.acquire(timeout=_SECONDS)
        others = [pool.submit(flusher.wait) for _ in range(_WAITERS - 1)]
        _wait_for_tickets(flusher, _WAITERS)
        gate.let_through.release()
        first.result(_SECONDS)
        assert gate.begun.acquire(timeout=_SECONDS)
        assert not any(other.done() for other in others), "a flush that began before them does not count"
        gate.let_through.release()
        for other in others:
            other.result(_SECONDS)
    assert gate.flushes == 2
    flusher.stop()


class _Panic(BaseException):
    """What a panic of a native library looks like: no Exception."""


@pytest.mark.parametrize("failure", [OSError("disk gone"), _Panic("disk gone")])
def test_a_failure_reaches_every_waiter_and_stays(failure: BaseException) -> None:
    gate = _Gate()
    gate.failure = failure
    flusher = Flusher(gate.flush)
    with ThreadPoolExecutor(_WAITERS) as pool:
        waiters = [pool.submit(flusher.wait) for _ in range(_WAITERS)]
        _wait_for_tickets(flusher, _WAITERS)
        gate.let_through.release(2 * _WAITERS)
        for waiter in waiters:
            assert waiter.exception(_SECONDS) is failure
        gate.failure = None
        later = pool.submit(flusher.wait)
        assert later.exception(_SECONDS) is failure, "after a failed fsync nothing counts as durable"
    flusher.stop()


def test_what_was_not_tried_is_told_to_those_who_waited_and_over_with_the_next_flush() -> None:
    gate = _Gate()
    gate.untried = OSError("no room")
    gate.let_through.release(2)
    flusher = Flusher(gate.flush)
    with pytest.raises(OSError, match="no room"):
        flusher.wait()
    gate.untried = None
    flusher.wait()
    flusher.stop()


def test_stopping_finishes_what_was_asked_and_refuses_more() -> None:
    gate = _Gate()
    flusher = Flusher(gate.flush)
    with ThreadPoolExecutor(2) as pool:
        asked = pool.submit(flusher.wait)
        assert gate.begun.acquire(timeout=_SECONDS)
        stopping = pool.submit(flusher.stop)
        gate.let_through.release()
        asked.result(_SECONDS)
        stopping.result(_SECONDS)
    with pytest.raises(RuntimeError, match="stopped"):
        flusher.wait()
    assert gate.flushes == 1
