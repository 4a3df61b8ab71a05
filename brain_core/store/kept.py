"""Values of a store that were read lately, for those that come back: each compose reads the same few of its session."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Final

_MOST_BYTES = 4 << 20
_OF_A_ROW = 128  # bytes that one takes beside key and value
_LONGEST = 131_072  # bytes of one value: what every context of a memory carries is a value that grows with its items


class Unread(Enum):
    """What stands for the value of a row that nothing is known of."""

    UNREAD = 0


UNREAD: Final = Unread.UNREAD


class Kept:
    """Rows with their values, None of absent ones, never older than the store's but while a write is under way.

    Safe from many threads. A read that a write came between keeps nothing. Where there is no more
    room all of them are let go.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[bytes, bytes | None] = {}
        self._nbytes = 0
        self._writes = 0

    def get(self, row: bytes) -> bytes | Unread | None:
        """Return what is kept of a row, or UNREAD."""
        return self._values.get(row, UNREAD)

    @property
    def writes(self) -> int:
        """How many writes began and ended so far: to be asked before the store is read."""
        return self._writes

    def keep(self, values: Mapping[bytes, bytes | None], writes: int) -> None:
        """Keep what was read of the store, unless a write began or ended since. writes: as it was before."""
        with self._lock:
            if self._writes != writes:
                return
            for row, value in values.items():
                size = _size(row, value)
                if size <= _LONGEST and row not in self._values:
                    if self._nbytes + size > _MOST_BYTES:
                        self._values.clear()
                        self._nbytes = 0
                    self._values[row] = value
                    self._nbytes += size

    @contextmanager
    def written(self, rows: Iterable[bytes], ranges: Iterable[bytes] = ()) -> Iterator[None]:
        """Let go of rows, and of all that begin as one of some ranges, once the block has written them or failed to."""
        with self._lock:
            self._writes += 1
        try:
            yield
        finally:
            with self._lock:
                self._writes += 1
                gone = [row for begin in ranges for row in self._values if row.startswith(begin)]
                for row in (*rows, *gone):
                    value = self._values.pop(row, UNREAD)
                    self._nbytes -= _size(row, value) if value is not UNREAD else 0


def _size(row: bytes, value: bytes | None) -> int:
    return len(row) + len(value or b"") + _OF_A_ROW
