"""The lexical index: a vocabulary over the BM25 kernel."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.bm25 import Postings
from brain_core.text.words import terms

_UNKNOWN = -1


class LexicalIndex:
    """Texts by row, found by their terms."""

    def __init__(self) -> None:
        self._vocabulary: dict[str, int] = {}
        self._postings = Postings()

    def __len__(self) -> int:
        return len(self._postings)

    @property
    def nbytes(self) -> int:
        """Bytes held, the vocabulary estimated."""
        return self._postings.nbytes + 120 * len(self._vocabulary)

    def add(self, text: str) -> None:
        """Add a text as the next row."""
        counts = Counter(terms(text))
        ids = [self._vocabulary.setdefault(term, len(self._vocabulary)) for term in counts]
        self._postings.add(np.array(ids, dtype=np.int32), np.array(list(counts.values()), dtype=np.float32))

    def score(self, text: str, k1: float, b: float) -> NDArray[np.float32]:
        """Return BM25 of each row for a query: float32[n]; a term that the query repeats counts once."""
        wanted = dict.fromkeys(terms(text))
        ids = np.array([self._vocabulary.get(term, _UNKNOWN) for term in wanted], dtype=np.int32)
        return self._postings.score(ids, np.ones(len(ids), dtype=np.float32), k1, b)

    def dump(self) -> tuple[list[str], NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
        """Return (vocabulary in the order of ids, and the postings' dump), for a snapshot."""
        return list(self._vocabulary), *self._postings.dump()

    @staticmethod
    def load(
        vocabulary: list[str],
        offsets: NDArray[np.int64],
        term_ids: NDArray[np.int32],
        counts: NDArray[np.float32],
    ) -> LexicalIndex:
        """Make an index of what `dump` returned. Raises ValueError if the parts do not fit together."""
        if len(term_ids) and int(term_ids.max()) >= len(vocabulary):
            raise ValueError(f"a term id is not in the vocabulary of {len(vocabulary)}")
        index = LexicalIndex()
        index._vocabulary = {term: number for number, term in enumerate(vocabulary)}
        index._postings = Postings.load(offsets, term_ids, counts)
        return index
