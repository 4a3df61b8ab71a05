"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009) of two indexes over the same texts."""

import numpy as np

from benchmarks.quality.baseline import Index, Texts

K = 60


class Rrf:
    """Ranks by the sum of 1 / (60 + rank) over the indexes' complete rankings; a text one did not rank gets 0 of it."""

    def __init__(self, *indexes: Index) -> None:
        self._indexes = indexes
        self._size = 0

    def add(self, text: str, speaker: str) -> None:
        """Add the next text to every index."""
        for index in self._indexes:
            index.add(text, speaker)
        self._size += 1

    def rank(self, question: str) -> Texts:
        """Return the numbers of the texts that any index ranked, best first, equal ones in the order added."""
        scores = np.zeros(self._size)
        for index in self._indexes:
            ranked = index.rank(question)
            scores[ranked] += 1.0 / (K + 1.0 + np.arange(len(ranked)))
        return np.argsort(-scores, kind="stable")[: np.count_nonzero(scores)]
