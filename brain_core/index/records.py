"""The evidence that each row becomes, kept ready: a context is written from here, without a look at the store."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.index.growing import with_room
from brain_core.kernels.evidence import evidence_ids, text_and_title

Joined = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Pieces of bytes one after the other, and where each ends, after a 0."""

_Made = TypeVar("_Made")

_FIRST_BYTES, _FIRST_ROWS = 1 << 14, 64
_REMEMBERED = 4096  # things made of rows


class Records:
    """Serialised smartbrain.v1.Evidence by row, without what depends on a query, one after the other.

    content: uint8[≥ bytes]. ends: int64[≥ n + 1], row r stands in content[ends[r]:ends[r + 1]]. What is past the rows
    is room to grow.
    """

    def __init__(self) -> None:
        self.content: NDArray[np.uint8] = np.zeros(_FIRST_BYTES, dtype=np.uint8)
        self.ends: NDArray[np.int64] = np.zeros(_FIRST_ROWS, dtype=np.int64)
        self._count = 0
        self._made: dict[tuple[int, Hashable], Any] = {}

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """Bytes held: room to grow takes none."""
        return int(self.ends[self._count]) + self.ends.itemsize * (self._count + 1)

    def add(self, evidence: Evidence) -> None:
        """Append the next row."""
        record = evidence.SerializeToString()
        start = int(self.ends[self._count])
        stop = start + len(record)
        self.content = with_room(self.content, stop)
        self.content[start:stop] = np.frombuffer(record, dtype=np.uint8)
        self._count += 1
        self.ends = with_room(self.ends, self._count + 1)
        self.ends[self._count] = stop

    def id(self, row: int) -> str:
        """Return the id of a row."""
        return self.ids([row])[0]

    def ids(self, rows: Iterable[int]) -> list[str]:
        """Return the ids of rows."""
        return evidence_ids(self.content, self.ends, rows)

    def text_and_title(self, row: int) -> tuple[str, str]:
        """Return the text of a row as contexts show it, whole, and its title."""
        return text_and_title(self.content, self.ends, row)

    def read(self, rows: Sequence[int]) -> list[Evidence]:
        """Return the evidence of rows."""
        content, ends = self.content, self.ends
        return [Evidence.FromString(content[ends[row] : ends[row + 1]].tobytes()) for row in rows]

    def made_of(self, row: int, what: Hashable, make: Callable[[Evidence], _Made]) -> _Made:
        """Return what is made of a row's evidence, of some `what`: remembered, for rows never change.

        Each compose would parse the same evidences anew.
        """
        known, key = self._made, (row, what)
        made: _Made | None = known.get(key)
        if made is None:
            if len(known) >= _REMEMBERED:
                known.clear()
            [evidence] = self.read([row])
            made = known[key] = make(evidence)
        return made

    def dump(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return (content, ends) without room to grow, for a snapshot."""
        return self.content[: int(self.ends[self._count])].copy(), self.ends[: self._count + 1].copy()

    @staticmethod
    def load(content: NDArray[np.uint8], ends: NDArray[np.int64]) -> Records:
        """Make what `dump` was called on. Raises ValueError if the parts do not fit together."""
        if not len(ends) or ends[0] or int(ends[-1]) != len(content) or bool((np.diff(ends) < 0).any()):
            raise ValueError(f"records end at other places than their {len(content)} bytes say")
        loaded = Records()
        loaded._count = len(ends) - 1
        loaded.content = with_room(content, len(content) + _FIRST_BYTES)
        loaded.ends = with_room(ends.astype(np.int64), len(ends) + _FIRST_ROWS)
        return loaded


def joined(pieces: Sequence[bytes]) -> Joined:
    """Return pieces of bytes as kernels read them."""
    return np.frombuffer(b"".join(pieces), dtype=np.uint8), ends_of(map(len, pieces))


def ends_of(sizes: Iterable[int]) -> NDArray[np.int64]:
    """Return where each of some parts ends that follow one another, after a 0."""
    return np.array([*accumulate(sizes, initial=0)], dtype=np.int64)
