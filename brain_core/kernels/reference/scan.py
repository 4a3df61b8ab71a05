"""What `scan.near` answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_CENTROIDS, _ROWS_OF_BLOCK, _SUM_MOST = 16, 32, 65_535


def near(
    codes: NDArray[np.uint8],
    centroids: NDArray[np.float32],
    query: NDArray[np.float32],
    allowed: NDArray[np.uint8],
    wanted: int,
) -> NDArray[np.int32]:
    """Return int32[m], ascending: the rows that seem nearest to a query, `wanted` of them and all that equal the last.

    Rows past those that have codes are all among them. codes: uint8[b · 32 · ⌈p / 2⌉], 4 bits for each of p parts of
    the vectors of b ≤ ⌈n / 32⌉ blocks of 32 rows, one after the other: of each two parts 16 bytes of the first and 16
    of the second, whose lower halves are of rows 0, 8, 1, 9, … 7, 15 and upper ones of rows 16, 24, … 23, 31.
    centroids: float32[p, d / p, 16]. query: float32[d], finite. allowed: uint8[n].
    What a centroid makes with its part of the query is counted above the least of the part, in steps of the widest
    part's 255th, wider if a sum could be above 65,535 - p.
    """
    parts, numbers, each = centroids.shape
    n, pairs = len(allowed), -(-parts // 2)
    if not 0 < parts < _SUM_MOST or each != _CENTROIDS or numbers == 0:
        raise ValueError(f"centroids must be 16 of at least one number for each part, got {centroids.shape}")
    if len(query) != parts * numbers:
        raise ValueError(f"query has {len(query)} numbers, centroids have {parts * numbers}")
    size, most = pairs * _ROWS_OF_BLOCK, -(-n // _ROWS_OF_BLOCK)
    if len(codes) % size or len(codes) // size > most:
        raise ValueError(f"codes of {n} rows must have {size} bytes for each of up to {most} blocks, got {len(codes)}")
    if wanted < 0:
        raise ValueError(f"wanted must be ≥ 0, got {wanted}")
    bytes_ = codes.reshape(-1, pairs, 2, 8, 2)  # block, two of these, row, row + 8
    halves = np.stack([bytes_ & 15, bytes_ >> 4], axis=-1)  # row, row + 16
    named = halves.transpose(0, 5, 4, 3, 1, 2).reshape(-1, 2 * pairs)[:n, :parts]
    table = _table(centroids, query.reshape(parts, numbers))
    sums = table[np.arange(parts), named].sum(axis=1, dtype=np.int64)
    there, past = np.flatnonzero(allowed[: len(sums)]), len(sums) + np.flatnonzero(allowed[len(sums) :])
    if wanted and len(there):
        least = np.sort(sums[there])[-min(wanted, len(there))]
        past = np.concatenate([there[sums[there] >= least], past])
    return past.astype(np.int32)


def _table(centroids: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return int64[p, 16], 0..255: what centroids make with a query float32[p, d / p], in steps above the least."""
    made = np.zeros(centroids.shape[::2], dtype=np.float32)
    for number in range(query.shape[1]):
        made += query[:, number, None] * centroids[:, number]
    above = made - made.min(axis=1, keepdims=True)
    spans = above.max(axis=1)
    together = np.float32(0)
    for span in spans:
        together += span
    if not together:
        return np.zeros(above.shape, dtype=np.int64)
    steps = min(np.float32(255) / spans.max(), (np.float32(_SUM_MOST) - np.float32(len(spans))) / together)
    table: NDArray[np.int64] = np.rint(above * steps).astype(np.int64)
    return table
