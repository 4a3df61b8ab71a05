"""Where each session as a whole points: the sum of its texts' vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brain_core.index.growing import with_room
from brain_core.index.vector import VectorIndex

_NONE = -1
_FIRST_CAPACITY = 16  # sessions


class SessionVectors:
    """Sums of vectors by session ordinal. A session of one row keeps none: its row says the same."""

    def __init__(self, dimension: int) -> None:
        self._rows = np.full((_FIRST_CAPACITY, 2), _NONE, dtype=np.int32)  # by session: its first row, place of its sum
        self._sums = np.zeros((_FIRST_CAPACITY, dimension), dtype=np.float32)
        self._count = 0

    @property
    def nbytes(self) -> int:
        """Bytes held: room to grow takes none."""
        return self._rows.nbytes + self._sums[: self._count].nbytes

    def dump(self) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return (first row and place of the sum of each session, the sums), for a snapshot."""
        known = int(np.flatnonzero(self._rows[:, 0] != _NONE).max(initial=_NONE)) + 1
        return self._rows[:known].copy(), self._sums[: self._count].copy()

    @staticmethod
    def load(rows: NDArray[np.int32], sums: NDArray[np.float32], dimension: int, row_count: int) -> SessionVectors:
        """Make what `dump` was called on, of an index of row_count rows. Raises ValueError if it does not fit."""
        if rows.shape != (len(rows), 2) or sums.shape != (len(sums), dimension):
            raise ValueError(f"session vectors have shapes {rows.shape} and {sums.shape}")
        if len(rows) and not (rows.min() >= _NONE and (rows.max(axis=0) < (row_count, len(sums))).all()):
            raise ValueError("a session's row or sum is not there")
        loaded = SessionVectors(dimension)
        loaded._rows, loaded._sums, loaded._count = rows.astype(np.int32), sums.astype(np.float32), len(sums)
        return loaded

    def add(self, row: int, session: int, vector: NDArray[np.float32], vectors: VectorIndex) -> None:
        """Take in a row of a session. vectors: of all rows, this one among them."""
        if session < 0:
            return
        known = len(self._rows)
        self._rows = with_room(self._rows, session + 1, _FIRST_CAPACITY)
        self._rows[known:] = _NONE
        first, place = self._rows[session]
        if first == _NONE:
            self._rows[session, 0] = row
            return
        if place == _NONE:
            place = self._rows[session, 1] = self._count
            self._count += 1
            self._sums = with_room(self._sums, int(place) + 1, _FIRST_CAPACITY)
            self._sums[place] = vectors.vectors(np.array([first], dtype=np.int32))[0]
        self._sums[place] += vector

    def replaced(self, session: int, rows: NDArray[np.int32], vectors: VectorIndex) -> None:
        """Make the sum of a session anew, of all its rows in order: some have other vectors."""
        place = self._rows[session, 1] if 0 <= session < len(self._rows) else _NONE
        if place != _NONE:
            self._sums[place] = 0
            for vector in vectors.vectors(rows):  # one by one, as `add` does, for the same bits
                self._sums[place] += vector

    def sums(self) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return (int32[s], where the sum of each session stands, -1 is nowhere; the sums float32[≥ c, dimension])."""
        return np.ascontiguousarray(self._rows[:, 1]), self._sums
