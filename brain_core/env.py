"""The outside world as brain_core sees it: time and ids, passed in so that a test can hold them still."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

Micros = int
"""Unix time in microseconds."""


_RANDOM_BYTES = 10
_AT_ONCE = 256
_random: list[int] = []
os.register_at_fork(after_in_child=_random.clear)


def _drawn() -> int:
    """Return 80 random bits. The system is asked for those of many ids at once: each call cost as much as the rest."""
    while True:
        try:
            return _random.pop()  # of a list that other threads pop from too
        except IndexError:
            drawn = os.urandom(_RANDOM_BYTES * _AT_ONCE)
            starts = range(0, len(drawn), _RANDOM_BYTES)
            _random.extend(int.from_bytes(drawn[start : start + _RANDOM_BYTES], "big") for start in starts)


def uuid7(now_us: Micros) -> str:
    """Return a UUIDv7 (RFC 9562): sorts by millisecond of making, random otherwise."""
    value = (now_us // 1000) << 80 | _drawn()
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    digits = f"{value:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


Watch = Callable[[Callable[[], None]], bool]
"""Is handed what to call once nobody waits for an answer any more; returns False if that is so already."""


@dataclass(frozen=True, slots=True)
class Env:
    """Clock and ids. now_us gives Unix microseconds; new_id gives an id never given before."""

    now_us: Callable[[], Micros]
    new_id: Callable[[], str]


def system_env() -> Env:
    """Return the machine's clock and fresh UUIDv7 ids."""

    def now_us() -> Micros:
        return time.time_ns() // 1000

    return Env(now_us, lambda: uuid7(now_us()))
