"""The vector index. The only file that knows FAISS."""

from __future__ import annotations

import faiss
import numpy as np
from numpy.typing import NDArray

# Calls of many threads run side by side; threads inside a call would only fight over the cores.
faiss.omp_set_num_threads(1)


class VectorIndex:
    """Unit vectors by row, kept as half floats, scanned exactly."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._index = faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return len(self) * self._dimension * 2

    def add(self, vectors: NDArray[np.float16]) -> None:
        """Append float16[m, dimension] as the next rows."""
        self._index.add(vectors.astype(np.float32))

    def search(
        self, query: NDArray[np.float32], k: int, allowed: NDArray[np.uint8] | None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return (rows int32[≤ k], cosines float32[≤ k]), best first, the lower row among equals.

        query: float32[dimension], unit length. allowed: uint8[n], 0 leaves a row out of the search; None allows all.
        """
        k = min(k, len(self))
        if k == 0:
            return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32)
        parameters = None
        if allowed is not None:
            bits = np.packbits(allowed, bitorder="little")
            selector = faiss.IDSelectorBitmap(len(allowed), faiss.swig_ptr(bits))
            parameters = faiss.SearchParameters(sel=selector)  # type: ignore[call-arg]
        one_more = min(k + 1, len(self))
        near, places = self._index.search(query[None, :], one_more, params=parameters)
        found = places[0] >= 0
        rows, scores = places[0][found], near[0][found]
        if len(rows) > k and scores[k] == scores[k - 1]:
            # FAISS keeps any of those that share the last place: take them all and let the lower rows win.
            below = float(np.nextafter(scores[k], np.float32(-np.inf)))
            _, scores, rows = self._index.range_search(query[None, :], below, params=parameters)
        order = np.lexsort((rows, -scores))[:k]
        return rows[order].astype(np.int32), scores[order]

    def vectors(self, rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return float32[len(rows), dimension]."""
        return self._codes()[rows].astype(np.float32)

    def dump(self) -> NDArray[np.float16]:
        """Return float16[n, dimension], for a snapshot."""
        return self._codes().copy()

    def _codes(self) -> NDArray[np.float16]:
        size = len(self) * self._dimension * 2
        if size == 0:
            return np.empty((0, self._dimension), dtype=np.float16)
        codes: NDArray[np.uint8] = faiss.rev_swig_ptr(self._index.codes.data(), size)
        return codes.view(np.float16).reshape(len(self), self._dimension)
