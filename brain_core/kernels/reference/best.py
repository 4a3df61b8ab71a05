"""What `best.top_k` answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def top_k(scores: NDArray[np.float32], allowed: NDArray[np.uint8], k: int) -> NDArray[np.int32]:
    """Return the rows of the k highest positive scores, best first; among equals the lower row. int32[≤ k].

    scores: float32[n]. allowed: uint8[n], 0 leaves a row out.
    """
    if len(allowed) != len(scores):
        raise ValueError(f"scores has {len(scores)} rows but allowed has {len(allowed)}")
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    rows = np.flatnonzero((allowed != 0) & (scores > 0))
    return rows[np.lexsort((rows, -scores[rows]))][:k].astype(np.int32)
