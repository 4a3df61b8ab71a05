"""When to leave a server alone that does not answer: after some failures in a row, for longer each time."""

from __future__ import annotations

import threading
from collections.abc import Callable

from smartbrain.v1.admin_service_pb2 import ExecutorStatus

FAILURES = 3
"""Failures in a row after which it is left alone."""

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0  # seconds


class Breaker:
    """Counts failures in a row. Safe for use from many threads.

    After a pause one call is let through as a trial; if it fails, the pause doubles, up to a minute.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        """Begin without failures. now: gives seconds that only grow."""
        self._now = now
        self._lock = threading.Lock()
        self._failures = 0
        self._pause = 0.0
        self._until = 0.0
        self._trying = False

    def admit(self) -> float:
        """Return 0 if a call may be made, else in how many seconds the next one may."""
        with self._lock:
            if self._failures < FAILURES:
                return 0.0
            left = self._until - self._now()
            if left > 0:
                return left
            self._trying = True
            self._until = self._now() + self._pause  # for those that come while the trial is under way
            return 0.0

    def resting(self) -> float:
        """Return for how many seconds no call may be made, 0 if one may now."""
        with self._lock:
            return max(0.0, self._until - self._now()) if self._failures >= FAILURES else 0.0

    def succeeded(self) -> None:
        """Count a call that had an answer."""
        with self._lock:
            self._failures, self._trying = 0, False

    def failed(self) -> None:
        """Count a call that had none. Those that were under way when it was left alone do not make the pause longer."""
        with self._lock:
            self._failures += 1
            if self._failures == FAILURES:
                self._pause = _FIRST_PAUSE
            elif self._failures > FAILURES and self._trying:
                self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            else:
                return
            self._trying = False
            self._until = self._now() + self._pause


class Calls:
    """How calls to one server or model went, for its status. Safe for use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._problem = ""
        self._calls = self._failures = 0

    @property
    def problem(self) -> str:
        """Why the newest call that ended failed, empty if it did not."""
        with self._lock:
            return self._problem

    def began(self) -> None:
        """Count a call."""
        with self._lock:
            self._calls += 1

    def ended(self, problem: str) -> None:
        """Note how a call ended. problem: in words, empty if there was none."""
        with self._lock:
            self._problem = problem
            self._failures += bool(problem)

    def status(self, name: str, target: str, resting: float) -> ExecutorStatus:
        """Return how it is doing. resting: seconds for which it is left alone."""
        with self._lock:
            state = "resting" if resting else "failing" if self._problem else "ready" if self._calls else "untried"
            return ExecutorStatus(
                name=name,
                target=target,
                state=state,
                problem=self._problem,
                resting_seconds=resting,
                calls=self._calls,
                failures=self._failures,
            )
