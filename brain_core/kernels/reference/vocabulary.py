"""What `vocabulary.Vocabulary` answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


class Vocabulary(dict[str, int]):
    """Ids of terms, in the order in which they came. Twin of vocabulary.Vocabulary."""

    def ids(self, terms: Iterable[str]) -> NDArray[np.int32]:
        """Return the ids of terms: int32[t], -1 of one that is not known."""
        return np.array([self.get(term, -1) for term in terms], dtype=np.int32)

    def learn(self, terms: Iterable[str]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return (ids int32[t] of the distinct terms in the order in which they are met first, float32[t] how often).

        A term that is not known gets the next id.
        """
        counts = Counter(terms)
        ids = [self.setdefault(term, len(self)) for term in counts]
        return np.array(ids, dtype=np.int32), np.array([*counts.values()], dtype=np.float32)

    def starting_with(self, prefix: str) -> NDArray[np.int32]:
        """Return the ids of the terms with a prefix: int32[m], ascending."""
        return np.array([number for term, number in self.items() if term.startswith(prefix)], dtype=np.int32)

    def terms(self) -> list[str]:
        """Return all terms, in the order of their ids."""
        return [*self]

    def add(self, term: str) -> int:
        """Return the id of a term, the next one if it is not known."""
        return self.setdefault(term, len(self))
