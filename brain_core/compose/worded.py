"""Queries by meaning alone, made of their words where the memory is known that tells which of them are common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brain_core.index.lexical import LexicalIndex
from brain_core.index.weighed import weighed
from brain_core.kernels.pool import turned
from brain_core.models.embedder import Words


class Worded(NamedTuple):
    """The words of a query and of its hints. share: of the hints, beside 1 of the query."""

    query: Words
    hints: Words | None
    share: float

    def plain(self) -> NDArray[np.float32] | None:
        """Return the unweighed sum of the query's words, float32[dimension]; None if that is nothing."""
        vector: NDArray[np.float32] = np.add.reduce(self.query.vectors)
        return vector if np.count_nonzero(vector) else None

    def vector(self, lexical: LexicalIndex) -> NDArray[np.float32]:
        """Return the query's vector, float32[dimension], as the memory of an index weighs its words."""
        own = weighed(self.query, lexical)
        if self.hints is None:
            return own
        vector: NDArray[np.float32] = turned(np.stack([own, weighed(self.hints, lexical)]), [(0, 1)], self.share)[0]
        return vector


def in_words(
    worded: Sequence[Worded | None], vectors: NDArray[np.float32], lexical: LexicalIndex
) -> NDArray[np.float32]:
    """Return the vectors of a plan's queries, float32[queries, dimension], of those that are worded by their words."""
    if not any(worded):
        return vectors
    made = [vector if one is None else one.vector(lexical) for vector, one in zip(vectors, worded, strict=True)]
    return np.array(made, dtype=np.float32)
