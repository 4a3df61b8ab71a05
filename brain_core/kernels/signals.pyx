"""What places of a ranking were given on the way: their ranks in the lists, and the scores."""

from libc.math cimport NAN, isnan
from libc.stdint cimport int64_t
from libcpp.algorithm cimport sort, unique
from libcpp.vector cimport vector

import numpy as np

from brain_core.kernels.signals cimport FINAL, FUSED, RANK_COLUMNS, RECENCY, SIGNAL_COLUMNS

RANKS = ("vector_rank", "fts_rank")
SIGNALS = ("vector_score", "fts_score", "rrf_score", "rerank_score", "recency_score")
"""Columns of the ranks and of the scores of a piece, as the contract's Signals calls them."""


def told(
    const int[::1] rows, const double[::1] scores, const int[::1] queries, const double[::1] fused,
    const double[::1] recency, const int64_t[::1] places, list lists,
):
    """Return what places of a ranking were given: (ranks int32[m, 2], signals float64[m, 5], final float64[m]).

    rows, scores, queries, fused, recency: of a ranking, [n]. places: int64[m]. lists: (query, column, rows int32[k],
    values float64[k]) of each list of a query: the column of RANKS, and of SIGNALS, that it fills for places of that
    query. Ranks are from 1, 0 is none; signals as in SIGNALS, NaN is none: rerank_score, which is the final one, where
    there is no recency. final: at most 1. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef Py_ssize_t i, at, n = rows.shape[0], m = places.shape[0]
    if {scores.shape[0], queries.shape[0], fused.shape[0], recency.shape[0]} != {n}:
        raise ValueError(f"scores, queries, fused and recency must have {n} entries, one for each of rows")
    for i in range(m):
        if not 0 <= places[i] < n:
            raise IndexError(f"places[{i}] is {places[i]}, not in 0..{n - 1}")
    ranks, signals = np.zeros((m, RANK_COLUMNS), dtype=np.int32), np.empty((m, SIGNAL_COLUMNS))
    final = np.empty(m)
    cdef int[:, ::1] rank = ranks
    cdef double[:, ::1] signal = signals
    signal[:, :] = NAN
    cdef double[::1] last = final
    cdef const int[::1] listed
    cdef const double[::1] given
    cdef int query, column
    with nogil:
        for i in range(m):
            at = places[i]
            last[i] = min(scores[at], 1.0)
            signal[i, FUSED], signal[i, RECENCY] = fused[at], recency[at]
            if not isnan(recency[at]):
                signal[i, FINAL] = last[i]
    for query, column, listed, given in lists:
        if given.shape[0] != listed.shape[0]:
            raise ValueError(f"a list of query {query} has {listed.shape[0]} rows but {given.shape[0]} values")
        if not 0 <= column < RANK_COLUMNS:
            raise IndexError(f"a list of query {query} is for column {column}, not 0 or 1")
        with nogil:
            for i in range(m):
                at = places[i]
                if queries[at] == query:
                    find(rows[at], listed, given, &rank[i, column], &signal[i, column])
    return ranks, signals, final


def counted(list lists not None, const int[::1] rows):
    """Return (how many rows there are in some lists, how many of `rows` are among these), each once.

    lists: int32[k] each, of distinct rows. rows: int32[m], distinct.
    """
    cdef vector[int] listed
    cdef const int[::1] one
    cdef Py_ssize_t i, found = 0
    cdef bint several = len(lists) > 1
    for one in lists:
        for i in range(one.shape[0]):
            listed.push_back(one[i])
    with nogil:
        if several:
            sort(listed.begin(), listed.end())
            listed.erase(unique(listed.begin(), listed.end()), listed.end())
        for i in range(rows.shape[0]):
            found += stands_in(listed, rows[i])
    return listed.size(), found


cdef bint stands_in(const vector[int]& listed, int row) noexcept nogil:
    cdef size_t i
    cdef int found = 0
    for i in range(listed.size()):
        found |= listed[i] == row
    return found


cdef void find(int row, const int[::1] listed, const double[::1] given, int* rank, double* value) noexcept nogil:
    """Tell the rank of a row in a list, from 1, and what it was given there, if it stands there."""
    cdef Py_ssize_t j
    for j in range(listed.shape[0]):
        if listed[j] == row:
            rank[0], value[0] = <int>j + 1, given[j]
            return
