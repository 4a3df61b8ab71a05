"""The vector index: signed bytes by row, and from some thousand rows on short codes that say where to look."""

from __future__ import annotations

import math
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from brain_core.index.codes import Codes, Packed
from brain_core.index.growing import with_room
from brain_core.kernels.vectors import SCALE_BYTES, cosines, expand, nearest, quantise

CODED_FROM = 4_000
"""Rows from which codes are scanned instead of all vectors: from there on that is faster."""

_GROWTH = 4  # codes are learned anew whenever there are four times as many rows
_FIRST_CAPACITY = 64  # rows
_PER_WANTED, _PER_ROOT = 3, 3  # rows looked at for k wanted of n: benchmarks/core measures the recall that this gives
_FETCHING = 2  # times as long as to look at a vector takes to fetch a row by its code
_SCANNING = 0.02  # and to pass over a code
_CAUGHT_UP = 4_096  # rows that codes may lack when they are taken over
_REPLACED = 0.05  # share of all rows

_builder = ThreadPoolExecutor(1, thread_name_prefix="codes")

Rows = NDArray[np.int32]
Found = tuple[Rows, NDArray[np.float32]]


class VectorIndex:
    """Unit vectors by row, kept once.

    Few rows are all looked at. Of many, codes (product quantisation) say which are worth a look; they are learned in
    the background while all rows are still looked at, and from nothing but the rows and their order.
    """

    def __init__(self, dimension: int, coded_from: int = CODED_FROM) -> None:
        self._packed: Packed = np.zeros((_FIRST_CAPACITY, dimension + SCALE_BYTES), dtype=np.uint8)
        self._count = 0
        self._next_size = coded_from
        self._codes: Codes | None = None
        self._learned_of, self._learning_of = 0, 0  # rows
        self._building: Future[Codes] | None = None
        self._replaced = _no_rows()  # since the codes were learned
        self._replaced_since = _no_rows()  # since the next ones began to be

    def __len__(self) -> int:
        return self._count

    @property
    def coded(self) -> int:
        """Return how many rows have codes; 0 while all are looked at."""
        return len(self._codes) if self._codes else 0

    @property
    def learned_of(self) -> int:
        """Return how many rows the codes in use were learned of; 0 while all rows are looked at."""
        return self._learned_of

    @property
    def nbytes(self) -> int:
        """Bytes held: room to grow takes none."""
        return self.all().nbytes + (self._codes.nbytes if self._codes else 0)

    def add(self, vectors: NDArray[np.float16]) -> None:
        """Append float16[m, dimension] as the next rows."""
        stop = self._count + len(vectors)
        packed = _packed(vectors)
        self._packed = with_room(self._packed, stop, _FIRST_CAPACITY)
        self._packed[self._count : stop] = packed
        self._count = stop
        self.adopt()
        if self._codes is not None:
            self._codes.add(self._packed[len(self._codes) : stop])
        self._grow()

    def replace(self, rows: Rows, vectors: NDArray[np.float16]) -> Rows:
        """Give rows the vectors float16[m, dimension], and return those of them that had others.

        Until codes are learned anew, these are always looked at. Raises ValueError.
        """
        packed = _packed(vectors)
        if len(packed) != len(rows):
            raise ValueError(f"{len(packed)} vectors for {len(rows)} rows")
        differing = np.any(packed != self._packed[rows], axis=1)
        changed = rows[differing]
        self._packed[changed] = packed[differing]
        if self._codes is not None or self._building is not None:
            self._replaced = np.union1d(self._replaced, changed)
            self._replaced_since = np.union1d(self._replaced_since, changed)
            if len(self._replaced) > _REPLACED * self._count and self._building is None:
                self._learn()
        return changed

    def settle(self) -> None:
        """Wait until codes that are being learned are in use."""
        while self._building is not None:
            self._building.result()
            self.adopt()

    def search(self, query: NDArray[np.float32], k: int, allowed: NDArray[np.uint8], count: int) -> Found:
        """Return (rows int32[≤ k], cosines float32[≤ k]), best first, the lower row among equals.

        query: float32[dimension], unit length. allowed: uint8[n], 0 leaves a row out of the search. count: how many are
        allowed. Exact unless rows have codes and so many are allowed that it is quicker to scan these.
        """
        k = min(k, count)
        rows = self._worth_a_look(query, k, allowed, count) if k else None
        return self.search_all(query, k, allowed, count) if rows is None else nearest(self.all(), rows, query, k)

    def search_all(self, query: NDArray[np.float32], k: int, allowed: NDArray[np.uint8], count: int) -> Found:
        """Return the same after a look at all rows that are allowed: exact."""
        k = min(k, count)
        if k == 0:
            return _no_rows(), np.empty(0, dtype=np.float32)
        return nearest(self.all(), allowed.nonzero()[0].astype(np.int32), query, k)

    def _worth_a_look(self, query: NDArray[np.float32], k: int, allowed: NDArray[np.uint8], count: int) -> Rows | None:
        """Return rows that are allowed and near as their codes say; None if a look at all that are is quicker."""
        if self._codes is None:
            return None
        wanted = math.ceil(_PER_WANTED * k + _PER_ROOT * math.sqrt(self._count))
        if count <= _FETCHING * wanted + _SCANNING * self._count:
            return None
        rows = self._codes.near(query, wanted, allowed)
        if len(self._replaced):
            rows = np.union1d(rows, self._replaced[allowed[self._replaced] != 0])
        return rows

    def cosines(self, rows: Rows, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return float32[len(rows)], the cosine of each row with a query float32[dimension]. Raises IndexError."""
        return cosines(self.all(), rows, query)

    def vectors(self, rows: Rows) -> NDArray[np.float32]:
        """Return float32[len(rows), dimension]. Raises IndexError."""
        return expand(self.all(), rows)

    def all(self) -> Packed:
        """Return all vectors by row; a view, valid until the next add."""
        return self._packed[: self._count]

    def dump(self) -> tuple[Packed, NDArray[np.uint8], Rows]:
        """Return (all vectors by row, codes or nothing, replaced rows): copies for a snapshot.

        Codes about to be learned anew are left out: whoever loads this learns them, and has no others than we.
        """
        self.adopt()
        lasting = self._codes if self._building is None else None
        codes = lasting.to_bytes() if lasting else np.empty(0, dtype=np.uint8)
        return self.all().copy(), codes, self._replaced

    @staticmethod
    def load(packed: Packed, codes: NDArray[np.uint8], replaced: Rows) -> VectorIndex:
        """Make what `dump` was called on. Raises ValueError if the parts do not fit together."""
        dimension = packed.shape[1] - SCALE_BYTES
        scales = packed[:, dimension:].copy().view(np.float32)
        if not (np.isfinite(scales) & (scales >= 0)).all():
            raise ValueError("the scale of a vector is negative or not finite")
        index = VectorIndex(dimension)
        index._packed, index._count = packed.copy(), len(packed)
        if len(codes):
            index._codes = Codes.from_bytes(codes, dimension)
            if len(index._codes) != len(packed):
                raise ValueError(f"{len(index._codes)} codes of {len(packed)} vectors")
            if len(replaced) and not 0 <= int(replaced.min()) <= int(replaced.max()) < len(packed):
                raise ValueError("a replaced row is not there")
            index._replaced = replaced.astype(np.int32)
            index._next_size = _next_size(index._next_size, len(packed))
            index._learned_of = index._next_size // _GROWTH
        else:
            index._grow()
        return index

    def _grow(self) -> None:
        """Have codes learned from the first rows if there are enough of them."""
        if self._building is None and self._count >= self._next_size:
            self._next_size = _next_size(self._next_size, self._count)
            self._learn(self._next_size // _GROWTH)

    def _learn(self, size: int | None = None) -> None:
        self._replaced_since = _no_rows()
        self._learning_of = size or self._count
        self._building = _builder.submit(Codes.learned, self.all()[:size].copy())

    def adopt(self) -> None:
        """Take over codes that are ready, once no more than a few rows are missing from them.

        Searches between two calls go by the same codes.
        """
        if self._building is None or not self._building.done():
            return
        made = self._building.result()
        missing = self._packed[len(made) : self._count]
        if len(missing) > _CAUGHT_UP:
            self._building = _builder.submit(_extended, made, missing.copy())
            return
        self._codes, self._learned_of = _extended(made, missing), self._learning_of
        self._building, self._replaced = None, self._replaced_since
        self._grow()


def _extended(codes: Codes, missing: Packed) -> Codes:
    codes.add(missing)
    return codes


def _packed(vectors: NDArray[np.float16]) -> Packed:
    return quantise(np.ascontiguousarray(vectors, dtype=np.float32))


def _next_size(size: int, count: int) -> int:
    """Return the least of size, size · 4, size · 16, … that is above count."""
    while size <= count:
        size *= _GROWTH
    return size


def _no_rows() -> Rows:
    return np.empty(0, dtype=np.int32)
