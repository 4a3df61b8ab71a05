"""What `diversify.select` answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.sums import in_lanes

OVER_K = 0
_KEPT, _WAITING = -1, -2


def select(  # noqa: PLR0913  the signature of the kernel
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    vectors: NDArray[np.float32],
    columns: tuple[NDArray[np.int32], ...],
    sources: tuple[NDArray[np.int32], ...],
    caps: NDArray[np.int32],
    trade: float,
    k: int,
    named: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], list[int]]:
    """Choose up to k candidates, good and not all the same: maximal marginal relevance under caps.

    Each step looks at the candidate with the highest trade · score - (1 - trade) · likeness, the earlier one among
    equals; likeness is its highest cosine to one already kept, 0 if that is negative. It is kept unless caps[g] kept
    ones share its group of column or source g already (what is below 0 shares with none); then it is out for good.
    rows: int32[m]. scores: float64[m]. vectors: float32[m, d], cosines summed in lanes, see `in_lanes`. columns:
    int32[n] each, by row. sources: int32[m] each. caps: int32[g]. Returns (places int64[≤ k] of those kept, ascending;
    rows int32[≤ named] of the first others, and why each is dropped: OVER_K, or g + 1 over cap g; how many each cap
    kept out).
    """
    m = len(rows)
    if len(scores) != m or len(vectors) != m:
        raise ValueError(f"scores and vectors must have {m} rows, one for each of rows")
    if len(caps) != len(columns) + len(sources):
        raise ValueError(f"there are {len(columns)} columns and {len(sources)} sources but {len(caps)} caps")
    if not 0 <= trade <= 1:
        raise ValueError(f"trade must be in 0..1, got {trade}")
    if k < 0 or named < 0:
        raise ValueError(f"k and named must be ≥ 0, got {k} and {named}")
    for number, cap in enumerate(caps):
        if cap < 1:
            raise ValueError(f"caps[{number}] must be ≥ 1, got {cap}")
    groups = np.array([*(column[rows] for column in columns), *sources], dtype=np.int32).reshape(len(caps), m).T
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
        fates[best] = _KEPT
        kept.append(best)
        nearest = np.maximum(nearest, in_lanes(vectors * vectors[best]))
    fates[fates == _WAITING] = OVER_K
    others = np.flatnonzero(fates != _KEPT)[:named]
    capped = [int(np.count_nonzero(fates == number + 1)) for number in range(len(caps))]
    return np.flatnonzero(fates == _KEPT), rows[others], fates[others], capped
