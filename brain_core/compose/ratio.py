"""Memory and documents share the evidence at about a ratio, as far as both have something good.

Nothing here runs where a memory has no documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brain_core.policy import Diversity


@dataclass(frozen=True, slots=True)
class Ratio:
    """memory, documents: pieces of evidence that each has room for.

    least: of the best score, from which a candidate has room because of the ratio.
    """

    memory: int
    documents: int
    least: float

    @staticmethod
    def of(policy: Diversity, most: int) -> Ratio:
        """Share `most` pieces as "40/60" says."""
        memory, documents = map(int, policy.memory_resource_ratio.split("/"))
        of_memory = int(most * memory / (memory + documents) + 0.5)
        return Ratio(of_memory, most - of_memory, policy.ratio_min_share)

    def caps(self, resource: NDArray[np.bool_], scores: NDArray[np.float64], k: int) -> NDArray[np.int32]:
        """Return how many of k kept may be memory's and how many documents', so that the other's quota is left free.

        resource: bool[m]. scores: float64[m] of the same candidates. Only as many are left free as qualify.
        """
        good = scores >= self.least * scores.max(initial=0.0)
        left_free = (
            min(self.documents, np.count_nonzero(good & resource)),
            min(self.memory, np.count_nonzero(good & ~resource)),
        )
        return np.maximum(1, k - np.array(left_free, dtype=np.int32))
