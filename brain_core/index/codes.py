"""Short codes of vectors: 4 bits for every 4 numbers, scanned 32 rows at a time. The only file that knows FAISS.

A scan of codes says roughly which rows are near; whoever asks looks at those again. (Product quantisation, Jégou et al.
2011; in registers, André et al. 2015.)
"""

from __future__ import annotations

from math import gcd
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.vectors import SCALE_BYTES, expand

if TYPE_CHECKING:
    import faiss

Packed = NDArray[np.uint8]
"""Vectors by row, d signed bytes and their scale: uint8[n, d + 4], as of kernels.vectors.quantise."""

_NUMBERS = 4  # of a vector that share a code
_BITS = 4
_SAMPLE = 8_192  # vectors that codes are learned from
_AT_ONCE = 4_096  # vectors that are in full at once


class Codes:
    """Codes of rows 0, 1, …, made from nothing but the vectors and their order."""

    def __init__(self, index: faiss.IndexPQFastScan) -> None:
        self._index = index

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
        return int(self._index.ntotal)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return int(self._index.codes.size())

    def add(self, packed: Packed) -> None:
        """Give the vectors of the next rows their codes."""
        _faiss()
        for start in range(0, len(packed), _AT_ONCE):
            piece = packed[start : start + _AT_ONCE]
            self._index.add(expand(piece, np.arange(len(piece), dtype=np.int32)))

    def near(self, query: NDArray[np.float32], k: int) -> NDArray[np.int32]:
        """Return int32[≤ k], the rows that seem nearest to a query float32[d], in no order to rely on."""
        _faiss()
        found = self._index.search(query[None, :], min(k, len(self)))[1][0]
        rows: NDArray[np.int32] = found[found >= 0].astype(np.int32)
        return rows

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


def _faiss() -> ModuleType:
    """Return FAISS, loaded at first use: small memories have no codes. It is told to start no threads.

    Calls of many threads run side by side; threads inside a call would only fight over the cores. OpenMP keeps that
    for each calling thread.
    """
    import faiss  # noqa: PLC0415  a tenth of the time that brain_core takes to load

    faiss.omp_set_num_threads(1)
    return faiss
