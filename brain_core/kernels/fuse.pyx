"""Several ranked lists become one, and one order comes of scores."""

from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

METHODS = {"rrf": 0, "weighted_sum": 1, "none": 2}

cdef struct Entry:
    double score
    long long tie
    int row
    int place


cdef bint of_lower_row(const Entry& left, const Entry& right) noexcept nogil:
    return left.row < right.row or (left.row == right.row and left.place < right.place)


cdef bint comes_first(const Entry& left, const Entry& right) noexcept nogil:
    if left.score != right.score:
        return left.score > right.score
    if left.tie != right.tie:
        return left.tie < right.tie
    return left.row < right.row


cdef void accumulate(
    const int[::1] rows, const double[::1] scores, const long long[::1] offsets, const double[::1] weights,
    int method, double rrf_k, vector[Entry]& entries,
) noexcept nogil:
    cdef Py_ssize_t which, i, start, stop
    cdef double low, high, gain
    cdef Entry entry
    cdef Py_ssize_t last = 0
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
            entry.row, entry.score, entry.place = rows[i], gain, <int>which
            entries.push_back(entry)
    sort(entries.begin(), entries.end(), &of_lower_row)
    for i in range(1, <Py_ssize_t>entries.size()):
        if entries[i].row != entries[last].row:
            last += 1
            entries[last] = entries[i]
        elif method == 2:
            entries[last].score = max(entries[last].score, entries[i].score)
        else:
            entries[last].score += entries[i].score
    if entries.size():
        entries.resize(last + 1)


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
    if scores.shape[0] != rows.shape[0]:
        raise ValueError(f"rows has {rows.shape[0]} entries but scores has {scores.shape[0]}")
    if offsets.shape[0] != weights.shape[0] + 1 or offsets[0] != 0 or offsets[weights.shape[0]] != rows.shape[0]:
        raise ValueError("offsets must run from 0 to the number of rows, one more than weights")
    cdef Py_ssize_t i
    for i in range(weights.shape[0]):
        if offsets[i + 1] < offsets[i] or not weights[i] >= 0:
            raise ValueError(f"list {i}: offsets must not fall and weight must be ≥ 0")
    if not rrf_k > 0:
        raise ValueError(f"rrf_k must be > 0, got {rrf_k}")
    cdef int code = METHODS[method]
    cdef vector[Entry] entries
    with nogil:
        accumulate(rows, scores, offsets, weights, code, rrf_k, entries)
        sort(entries.begin(), entries.end(), &comes_first)
    union = np.empty(entries.size(), dtype=np.int32)
    fused = np.empty(entries.size(), dtype=np.float64)
    cdef int[::1] union_view = union
    cdef double[::1] fused_view = fused
    for i in range(<Py_ssize_t>entries.size()):
        union_view[i] = entries[i].row
        fused_view[i] = entries[i].score
    return union, fused


def order(const int[::1] rows, const double[::1] scores, const long long[::1] ties):
    """Return int32[m], the places of rows best first: higher score, then lower tie, then lower row.

    rows: int32[m], each once. scores: float64[m], no NaN. ties: int64[m]. Raises ValueError if lengths differ.
    """
    cdef Py_ssize_t i, m = rows.shape[0]
    if scores.shape[0] != m or ties.shape[0] != m:
        raise ValueError(f"scores and ties must have {m} entries, one for each of rows")
    places = np.empty(m, dtype=np.int32)
    cdef int[::1] out = places
    cdef vector[Entry] entries
    with nogil:
        entries.resize(m)
        for i in range(m):
            entries[i].row, entries[i].score, entries[i].tie, entries[i].place = rows[i], scores[i], ties[i], <int>i
        sort(entries.begin(), entries.end(), &comes_first)
        for i in range(m):
            out[i] = entries[i].place
    return places
