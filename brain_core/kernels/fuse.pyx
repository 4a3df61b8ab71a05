"""Several ranked lists become one: a step of `rank`, which calls `join`; alone, `fuse` is for tests and benchmarks."""

from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

METHODS = {"rrf": 0, "weighted_sum": 1, "none": 2}

# Leaves the entries in no order; a row's place is the first list that has it.
cdef void join(
    const int[::1] rows, const double[::1] scores, const long long[::1] offsets, const double[::1] weights,
    int method, double rrf_k, vector[Entry]& entries,
) noexcept nogil:
    cdef Py_ssize_t which, i, start, stop
    cdef double low, high, gain
    cdef Entry entry
    cdef RowPlaces* places = new RowPlaces(rows.shape[0])
    cdef int* place
    entries.reserve(rows.shape[0])
    entry.tie = 0
    for which in range(weights.shape[0]):
        start, stop = offsets[which], offsets[which + 1]
        low = high = 0.0
        for i in range(start, stop):
            low = scores[i] if i == start or scores[i] < low else low
            high = scores[i] if i == start or scores[i] > high else high
        for i in range(start, stop):
            if method == 0:
                gain = weights[which] / (rrf_k + (i - start) + 1)
            elif method == 1:
                gain = weights[which] * ((scores[i] - low) / (high - low) if high > low else 1.0)
            else:
                gain = weights[which] * scores[i]
            place = &places[0][rows[i]]
            if place[0] < 0:
                place[0] = <int>entries.size()
                entry.row, entry.score, entry.place = rows[i], gain, <int>which
                entries.push_back(entry)
            elif method == 2:
                entries[place[0]].score = max(entries[place[0]].score, gain)
            else:
                entries[place[0]].score += gain
    del places


cdef int check_lists(
    const int[::1] rows, const double[::1] scores, const long long[::1] offsets, const double[::1] weights, double rrf_k
) except -1:
    cdef Py_ssize_t i
    if scores.shape[0] != rows.shape[0]:
        raise ValueError(f"rows has {rows.shape[0]} entries but scores has {scores.shape[0]}")
    if offsets.shape[0] != weights.shape[0] + 1 or offsets[0] != 0 or offsets[weights.shape[0]] != rows.shape[0]:
        raise ValueError("offsets must run from 0 to the number of rows, one more than weights")
    for i in range(weights.shape[0]):
        if offsets[i + 1] < offsets[i] or not weights[i] >= 0:
            raise ValueError(f"list {i}: offsets must not fall and weight must be ≥ 0")
    if not rrf_k > 0:
        raise ValueError(f"rrf_k must be > 0, got {rrf_k}")
    return 0


def fuse(
    const int[::1] rows, const double[::1] scores, const long long[::1] offsets, const double[::1] weights,
    str method, double rrf_k,
):
    """Join ranked lists; return (rows int32[m], fused float64[m]), best first, lower row first among equals.

    rows, scores: the lists one after another, each best first, a row at most once in a list. offsets: int64[lists + 1].
    weights: float64[lists], ≥ 0. method: rrf (weight / (rrf_k + rank), Cormack et al. 2009), weighted_sum (scores
    min-max normalised in each list), none (best weighted score). Raises ValueError on anything else.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {sorted(METHODS)}, got {method!r}")
    check_lists(rows, scores, offsets, weights, rrf_k)
    cdef Py_ssize_t i
    cdef int code = METHODS[method]
    cdef vector[Entry] entries
    with nogil:
        join(rows, scores, offsets, weights, code, rrf_k, entries)
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
