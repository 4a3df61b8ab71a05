"""Short codes of vectors: 4 bits for every 4 numbers, learned and made by FAISS. The only file that knows it.

A scan of codes says roughly which rows are near; whoever asks looks at those again. (Product quantisation, Jégou et al.
2011.) The scan is a kernel's: it passes over rows that are left out, where FAISS would be asked again for more.
"""

from __future__ import annotations

from math import gcd
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.scan import near
from brain_core.kernels.vectors import SCALE_BYTES, expand

if TYPE_CHECKING:
    import faiss

Packed = NDArray[np.uint8]
"""Vectors by row, d signed bytes and their scale: uint8[n, d + 4], as of kernels.vectors.quantise."""

_NUMBERS = 4  # of a vector that share a code
_BITS = 4
_SAMPLE = 8_192  # vectors that codes are learned from
_AT_ONCE = 4_096  # vectors that are in full at once


BLOCK = 32
"""Rows whose codes FAISS packs together."""


class Codes:
    """Codes of rows 0, 1, …, made from nothing but the vectors and their order.

    Those past the last whole block have none and count as near whatever they are: FAISS is asked once for a block, and
    takes as long for one row as for some twenty.
    """

    def __init__(self, index: faiss.IndexPQFastScan) -> None:
        self._index = index
        self._rows = int(index.ntotal)
        parts, numbers = index.pq.M, index.pq.dsub
        centroids = _faiss().vector_to_array(index.pq.centroids).reshape(parts, 1 << _BITS, numbers)
        self._centroids: NDArray[np.float32] = np.ascontiguousarray(centroids.transpose(0, 2, 1))
        self._packed = _whole_blocks(index)

    @staticmethod
    def learned(packed: Packed) -> Codes:
        """Learn codes from at least 16 vectors, spread evenly, and give each of them its own."""
        faiss = _faiss()
        count, dimension = len(packed), packed.shape[1] - SCALE_BYTES
        index = faiss.IndexPQFastScan(
            dimension, dimension // gcd(dimension, _NUMBERS), _BITS, faiss.METRIC_INNER_PRODUCT
        )
        size = min(count, _SAMPLE)
        index.train(expand(packed, (np.arange(size) * count // size).astype(np.int32)))
        codes = Codes(index)
        codes.add(packed)
        return codes

    def __len__(self) -> int:
        """Rows that have codes: whole blocks, but for what an older version wrote."""
        return self._rows

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._packed.nbytes + self._centroids.nbytes

    def add(self, packed: Packed) -> None:
        """Give as many of the next rows their codes as fill whole blocks."""
        size = (self._rows + len(packed)) // BLOCK * BLOCK - self._rows
        if size <= 0:
            return
        _faiss()
        for start in range(0, size, _AT_ONCE):
            piece = packed[start : min(start + _AT_ONCE, size)]
            self._index.add(expand(piece, np.arange(len(piece), dtype=np.int32)))
        self._rows, self._packed = int(self._index.ntotal), _whole_blocks(self._index)

    def near(self, query: NDArray[np.float32], wanted: int, allowed: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Return int32[m], ascending: of rows that are allowed those that seem nearest to a query float32[d].

        As many as are wanted, all that seem as near as the last of them, and all that have no codes. allowed: uint8[n],
        0 leaves a row out.
        """
        return near(self._packed, self._centroids, query, allowed, wanted)

    def to_bytes(self) -> NDArray[np.uint8]:
        """Return everything, for a snapshot: uint8[bytes]."""
        packed: NDArray[np.uint8] = _faiss().serialize_index(self._index)
        return packed

    @staticmethod
    def from_bytes(packed: NDArray[np.uint8], dimension: int) -> Codes:
        """Make codes of what `to_bytes` returned. Raises ValueError if it is not such."""
        faiss = _faiss()
        try:
            loaded = faiss.deserialize_index(packed)
        except (RuntimeError, MemoryError) as error:
            raise ValueError(f"FAISS cannot read it: {error}") from error
        if not isinstance(loaded, faiss.IndexPQFastScan) or loaded.d != dimension:
            raise ValueError(f"codes stand in a {type(loaded).__name__} of dimension {loaded.d}, not {dimension}")
        return Codes(loaded)


def _whole_blocks(index: faiss.IndexPQFastScan) -> NDArray[np.uint8]:
    """Return the codes of whole blocks as FAISS keeps them, a view until more are added."""
    size = index.ntotal // BLOCK * BLOCK * index.M2 // 2
    if not size:
        return np.empty(0, dtype=np.uint8)
    codes: NDArray[np.uint8] = _faiss().rev_swig_ptr(index.codes.get(), size)
    return codes


def _faiss() -> ModuleType:
    """Return FAISS, loaded at first use: small memories have no codes. It is told to start no threads.

    Calls of many threads run side by side; threads inside a call would only fight over the cores. OpenMP keeps that
    for each calling thread.
    """
    import faiss  # noqa: PLC0415  a tenth of the time that brain_core takes to load

    faiss.omp_set_num_threads(1)
    return faiss
