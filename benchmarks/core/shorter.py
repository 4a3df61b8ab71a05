"""The built-in embedder with fewer numbers a vector, for what memory is said to take of these."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from brain_core.models.static import StaticEmbedder


class Shorter:
    """An embedder of the first principal axes of some texts' vectors (uncentred), of unit length again."""

    def __init__(self, embedder: StaticEmbedder, dimension: int, texts: Sequence[str]) -> None:
        vectors = embedder.embed(texts).astype(np.float64)
        _, directions = np.linalg.eigh(vectors.T @ vectors)  # eigenvalues ascend
        self._embedder = embedder
        self._axes = np.ascontiguousarray(directions[:, : -dimension - 1 : -1].astype(np.float32))
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32[n, dimension], rows of unit length; a text without known words gives zeros."""
        vectors: NDArray[np.float32] = self._embedder.embed(texts) @ self._axes
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))
        return vectors
