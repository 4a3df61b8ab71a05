"""What `signals.told` answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.fuse import places_in

RANKS = ("vector_rank", "fts_rank")
SIGNALS = ("vector_score", "fts_score", "rrf_score", "rerank_score", "recency_score")


def told(
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    queries: NDArray[np.int32],
    fused: NDArray[np.float64],
    recency: NDArray[np.float64],
    places: NDArray[np.int64],
    lists: list[tuple[int, int, NDArray[np.int32], NDArray[np.float64]]],
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """Return what places of a ranking were given: (ranks int32[m, 2], signals float64[m, 5], final float64[m]).

    lists: (query, column, rows, values): what a list gives to places of its query. Twin of signals.told.
    """
    n = len(rows)
    if {len(scores), len(queries), len(fused), len(recency)} != {n}:
        raise ValueError(f"scores, queries, fused and recency must have {n} entries, one for each of rows")
    for number, place in enumerate(places.tolist()):
        if not 0 <= place < n:
            raise IndexError(f"places[{number}] is {place}, not in 0..{n - 1}")
    ranks, signals = np.zeros((len(places), 2), dtype=np.int32), np.full((len(places), 5), np.nan)
    final = np.minimum(scores[places], 1.0)
    signals[:, 2], signals[:, 4] = fused[places], recency[places]
    signals[:, 3] = np.where(np.isnan(recency[places]), np.nan, final)
    for query, column, listed, given in lists:
        if len(given) != len(listed):
            raise ValueError(f"a list of query {query} has {len(listed)} rows but {len(given)} values")
        if column not in (0, 1):
            raise IndexError(f"a list of query {query} is for column {column}, not 0 or 1")
        mine = (queries[places] == query).nonzero()[0]
        found = places_in(listed, rows[places[mine]])
        ranks[mine[found > 0], column] = found[found > 0]
        signals[mine[found > 0], column] = given[found[found > 0] - 1]
    return ranks, signals, final


def counted(lists: list[NDArray[np.int32]], rows: NDArray[np.int32]) -> tuple[int, int]:
    """Return (how many rows there are in some lists, how many of `rows` are among these), each once."""
    listed = {row for one in lists for row in one.tolist()}
    return len(listed), len(listed.intersection(rows.tolist()))


def check_given(
    ranks: NDArray[np.int32], signals: NDArray[np.float64], scores: NDArray[np.float64], pieces: int
) -> None:
    """Refuse what pieces were given where it is not of so many, or has other columns. Raises ValueError."""
    if {len(ranks), len(signals), len(scores)} != {pieces}:
        raise ValueError(f"ranks, signals and scores must be of {pieces} pieces")
    if (ranks.shape[1], signals.shape[1]) != (len(RANKS), len(SIGNALS)):
        raise ValueError(f"ranks and signals must have {len(RANKS)} and {len(SIGNALS)} columns")
