"""One thread that goes round the memories, a step of each in turn: what a commit does not wait for."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable

_FIRST_PAUSE_SECONDS = 0.25
_NICENESS = 10
"""Of the thread, on Linux. On two busy cores a compose beside a refiner took 2.1 instead of 5.7 ms at p95."""


class Stopped(Exception):
    """The thread is to end."""


class Rounds:
    """Calls `step` with each memory that was noticed, again while it returns that there may be more.

    A step that fails is called again after a pause, twice as long each time, up to a longest one.
    """

    def __init__(self, name: str, step: Callable[[str], bool], longest_pause_seconds: float) -> None:
        """name: of the thread. `start` begins."""
        self._step = step
        self._longest_pause = longest_pause_seconds
        self._state = threading.Condition()
        self._waiting: dict[str, None] = {}  # an ordered set
        self._later: dict[str, float] = {}
        self._problem = ""
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def problem(self) -> str:
        """Why the last step failed, or what it waits for, in words; "" if it did not."""
        return self._problem

    @property
    def stopping(self) -> bool:
        """Whether a step that takes long should give up."""
        return self._stopping

    def start(self, memory_ids: Iterable[str]) -> None:
        """Begin with what earlier runs have left."""
        self._waiting = dict.fromkeys(memory_ids)
        self._thread.start()

    def notice(self, memory_id: str) -> None:
        """Look at a memory, for it has something new."""
        with self._state:
            self._waiting[memory_id] = None
            self._later.pop(memory_id, None)
            self._state.notify()

    def notice_later(self, memory_id: str, seconds: float) -> None:
        """Look at a memory after so many seconds, unless it is noticed before."""
        with self._state:
            if memory_id not in self._waiting:
                self._later[memory_id] = time.monotonic() + seconds
                self._state.notify()

    def wait(self, seconds: float, why: str) -> None:
        """Let a step wait for something. Raises Stopped."""
        self._problem = why
        self._pause(seconds)
        with self._state:
            if self._stopping:
                raise Stopped
        self._problem = ""

    def stop(self) -> None:
        """Let the thread end after its step, without waiting for that."""
        with self._state:
            self._stopping = True
            self._state.notify()

    def close(self) -> None:
        """End the thread, once its step is done or has given up."""
        self.stop()
        self._thread.join()

    def _run(self) -> None:
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
        pause = _FIRST_PAUSE_SECONDS
        while (memory_id := self._next()) is not None:
            try:
                more = self._step(memory_id)
            except Exception as error:  # noqa: BLE001  a model may fail in any way; the thread must outlive it
                self._problem = f"memory {memory_id!r}: {error}"
                self.notice(memory_id)
                self._pause(pause)
                pause = min(2 * pause, self._longest_pause)
            else:
                self._problem, pause = "", _FIRST_PAUSE_SECONDS
                if more:
                    self.notice(memory_id)

    def _next(self) -> str | None:
        with self._state:
            while not self._stopping:
                now = time.monotonic()
                for memory_id in [each for each, due in self._later.items() if due <= now]:
                    self._waiting[memory_id] = None
                    del self._later[memory_id]
                if self._waiting:
                    memory_id = next(iter(self._waiting))
                    del self._waiting[memory_id]
                    return memory_id
                self._state.wait(min(self._later.values()) - now if self._later else None)
            return None

    def _pause(self, seconds: float) -> None:
        with self._state:
            self._state.wait_for(lambda: self._stopping, timeout=seconds)
