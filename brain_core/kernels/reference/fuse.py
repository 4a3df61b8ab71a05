"""What the functions of `fuse` answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def fuse(
    lists: Sequence[tuple[NDArray[np.int32], NDArray[np.float64], float]], method: str, rrf_k: float
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Join ranked lists; return (rows int32[m], joined scores float64[m]), best first, lower row first among equals.

    lists: (rows, scores, weight) of each. rrf: a row gains weight / (rrf_k + rank) from each list, rank from 1.
    weighted_sum: it gains weight · its score, min-max normalised within the list (1 where all are equal). none: it has
    its best weight · score. What a row gains
    is added in the order of the lists; a list has a row at most once.
    """
    if method not in {"rrf", "weighted_sum", "none"}:
        raise ValueError(f"method must be one of ['none', 'rrf', 'weighted_sum'], got {method!r}")
    if not rrf_k > 0:
        raise ValueError(f"rrf_k must be > 0, got {rrf_k}")
    for number, (rows, scores, weight) in enumerate(lists):
        if len(scores) != len(rows):
            raise ValueError(f"list {number}: rows has {len(rows)} entries but scores has {len(scores)}")
        if not weight >= 0:
            raise ValueError(f"list {number}: weight must be ≥ 0, got {weight}")
    joined: dict[int, float] = {}
    for rows, scores, weight in lists:
        one = scores.tolist()
        low, high = min(one, default=0.0), max(one, default=0.0)
        for place, (row, value) in enumerate(zip(rows.tolist(), one, strict=True)):
            if method == "rrf":
                joined[row] = joined.get(row, 0.0) + weight / (rrf_k + place + 1)
            elif method == "weighted_sum":
                joined[row] = joined.get(row, 0.0) + weight * ((value - low) / (high - low) if high > low else 1.0)
            else:
                joined[row] = max(joined.get(row, weight * value), weight * value)
    best = sorted(joined, key=lambda row: (-joined[row], row))
    return np.array(best, dtype=np.int32), np.array([joined[row] for row in best], dtype=np.float64)


def places_in(listed: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the place of each row in a list, from 1, the first if it has several; 0 of one that is not there."""
    places = {row: place for place, row in reversed(list(enumerate(listed.tolist(), start=1)))}
    return np.array([places.get(row, 0) for row in rows.tolist()], dtype=np.int32)
