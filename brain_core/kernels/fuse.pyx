"""Several ranked lists become one: a step of `rank`, which calls `join`; alone, `fuse` is for tests and benchmarks."""

from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

METHODS = {"rrf": 0, "weighted_sum": 1, "none": 2}

# Leaves the entries in no order; a row's place is the first list that has it.
cdef void join(const vector[Listed]& lists, int method, double rrf_k, vector[Entry]& entries) noexcept nogil:
    cdef size_t which, total = 0
    cdef Py_ssize_t i
    cdef double low, high, gain
    cdef Listed one
    cdef Entry entry
    cdef int* place
    for which in range(lists.size()):
        total += lists[which].size
    cdef RowPlaces* places = new RowPlaces(total)
    entries.reserve(total)
    entry.tie = 0
    for which in range(lists.size()):
        one = lists[which]
        low = high = 0.0
        for i in range(one.size if method == 1 else 0):
            low = one.scores[i] if i == 0 or one.scores[i] < low else low
            high = one.scores[i] if i == 0 or one.scores[i] > high else high
        for i in range(one.size):
            if method == 0:
                gain = one.weight / (rrf_k + i + 1)
            elif method == 1:
                gain = one.weight * ((one.scores[i] - low) / (high - low) if high > low else 1.0)
            else:
                gain = one.weight * one.scores[i]
            place = &places[0][one.rows[i]]
            if place[0] < 0:
                place[0] = <int>entries.size()
                entry.row, entry.score, entry.place = one.rows[i], gain, <int>which
                entries.push_back(entry)
            elif method == 2:
                entries[place[0]].score = max(entries[place[0]].score, gain)
            else:
                entries[place[0]].score += gain
    del places


cdef int method_of(str method, double rrf_k) except -1:
    if method not in METHODS:
        raise ValueError(f"method must be one of {sorted(METHODS)}, got {method!r}")
    if not rrf_k > 0:
        raise ValueError(f"rrf_k must be > 0, got {rrf_k}")
    return METHODS[method]


cdef int take(const int[::1] rows, const double[::1] scores, double weight, vector[Listed]& lists) except -1:
    """Add a list, which stays where it is."""
    cdef Listed one
    if scores.shape[0] != rows.shape[0]:
        raise ValueError(f"list {lists.size()}: rows has {rows.shape[0]} entries but scores has {scores.shape[0]}")
    if not weight >= 0:
        raise ValueError(f"list {lists.size()}: weight must be ≥ 0, got {weight}")
    one.size, one.weight = rows.shape[0], weight
    one.rows = &rows[0] if one.size else <const int*>NULL
    one.scores = &scores[0] if one.size else <const double*>NULL
    lists.push_back(one)
    return 0


def fuse(list lists not None, str method not None, double rrf_k):
    """Join ranked lists; return (rows int32[m], fused float64[m]), best first, lower row first among equals.

    lists: (rows int32[r], scores float64[r], weight ≥ 0) of each, best first, a row at most once in a list. method: rrf
    (weight / (rrf_k + rank), Cormack et al. 2009), weighted_sum (scores min-max normalised in each list), none (best
    weighted score). rrf_k > 0. Raises ValueError on anything else.
    """
    cdef Py_ssize_t i
    cdef int code = method_of(method, rrf_k)
    cdef vector[Entry] entries
    cdef vector[Listed] taken
    for rows, scores, weight in lists:
        take(rows, scores, weight, taken)
    with nogil:
        join(taken, code, rrf_k, entries)
        sort(entries.begin(), entries.end(), ComesFirst())
    union = np.empty(entries.size(), dtype=np.int32)
    fused = np.empty(entries.size(), dtype=np.float64)
    cdef int[::1] union_view = union
    cdef double[::1] fused_view = fused
    for i in range(<Py_ssize_t>entries.size()):
        union_view[i] = entries[i].row
        fused_view[i] = entries[i].score
    return union, fused


def places_in(const int[::1] listed, const int[::1] rows):
    """Return the place of each row in a list, from 1, the first if it has several; 0 of one that is not there.

    listed: int32[k]. rows: int32[m], few. Returns int32[m].
    """
    cdef Py_ssize_t i, j, m = rows.shape[0]
    places = np.zeros(m, dtype=np.int32)
    cdef int[::1] out = places
    with nogil:
        for i in range(m):
            for j in range(listed.shape[0]):
                if listed[j] == rows[i]:
                    out[i] = <int>j + 1
                    break
    return places
