"""What `budget.fit` answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def fit(costs: NDArray[np.int64], limit: int, most: int) -> tuple[NDArray[np.uint8], int]:
    """Take pieces in order while they fit, at most `most`; return (kept uint8[m], what they cost).

    A piece that does not fit is passed over, and later ones may still fit. costs: int64[m]. A limit below 0 counts
    as 0.
    """
    if most < 0:
        raise ValueError(f"most must be ≥ 0, got {most}")
    for number, size in enumerate(costs):
        if size < 0:
            raise ValueError(f"costs[{number}] must be ≥ 0, got {size}")
    kept = np.zeros(len(costs), dtype=np.uint8)
    used = 0
    for number, size in enumerate(costs.tolist()):
        if kept.sum() < most and used + size <= max(limit, 0):
            kept[number] = 1
            used += size
    return kept, used
