"""What `diversify.select` answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.sums import in_lanes

KEPT, OVER_K = 0, -1
_WAITING = -2


def select(
    scores: NDArray[np.float64],
    vectors: NDArray[np.float32],
    groups: NDArray[np.int32],
    caps: NDArray[np.int32],
    trade: float,
    k: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Choose up to k candidates, good and not all the same: maximal marginal relevance under caps.

    Each step looks at the candidate with the highest trade · score - (1 - trade) · likeness, the earlier one among
    equals; likeness is its highest cosine to one already kept, 0 if that is negative. It is kept unless caps[g] kept
    ones share its groups[:, g] already (-1 shares with none); then it is out for good. scores: float64[m]. vectors:
    float32[m, d], cosines summed in lanes, see `in_lanes`. groups: int32[m, g]. caps: int32[g].
    Returns (order int32[≤ k], fates int32[m]: 0 kept, -1 over k, g + 1 over cap g).
    """
    m = len(scores)
    if len(vectors) != m or len(groups) != m:
        raise ValueError(f"vectors and groups must have {m} rows, one for each of scores")
    if groups.shape[1] != len(caps):
        raise ValueError(f"groups has {groups.shape[1]} kinds but caps has {len(caps)}")
    if not 0 <= trade <= 1:
        raise ValueError(f"trade must be in 0..1, got {trade}")
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    for number, cap in enumerate(caps):
        if cap < 1:
            raise ValueError(f"caps[{number}] must be ≥ 1, got {cap}")
    fates = np.full(m, _WAITING, dtype=np.int32)
    nearest = np.zeros(m, dtype=np.float32)
    kept: list[int] = []
    while len(kept) < k and (fates == _WAITING).any():
        value = trade * scores - (1.0 - trade) * nearest.astype(np.float64)
        best = int(np.argmax(np.where(fates == _WAITING, value, -np.inf)))
        shared = np.count_nonzero((groups[kept] == groups[best]) & (groups[best] >= 0), axis=0)
        over = np.flatnonzero(shared >= caps)
        if len(over):
            fates[best] = int(over[0]) + 1
            continue
        fates[best] = KEPT
        kept.append(best)
        nearest = np.maximum(nearest, in_lanes(vectors * vectors[best]))
    fates[fates == _WAITING] = OVER_K
    return np.array(kept, dtype=np.int32), fates
