"""A few candidates out of many: good, and not all the same."""

from libc.stdint cimport int64_t
from libcpp.pair cimport pair
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

OVER_K = 0
"""Why a candidate is dropped, unless for a cap: those are counted from 1."""

cdef extern from "products.h" nogil:
    enum: TOGETHER
    float float_dot(const float* left, const float* right, long size) noexcept
    void float_dots(const float* const* lefts, const float* right, float* out, long size) noexcept

cdef enum:
    KEPT = -1
    FATE_OVER_K = 0


cdef struct Groups:
    vector[int] of  # of m candidates, cap by cap; < 0 is none
    vector[int] kept  # of up to k that are kept, cap by cap
    Py_ssize_t m, k, caps


cdef int over_cap(const Groups& groups, const int[::1] caps, Py_ssize_t i, Py_ssize_t kept) noexcept nogil:
    """The number of the first cap that has no room for a candidate, from 1; 0 if all have."""
    cdef Py_ssize_t g, j
    cdef int group, used
    cdef const int* those
    for g in range(groups.caps):
        group = groups.of[g * groups.m + i]
        if group < 0:
            continue
        those = groups.kept.data() + g * groups.k
        used = 0
        for j in range(kept):
            used += those[j] == group
        if used >= caps[g]:
            return <int>g + 1
    return 0


cdef float most_alike(const float[:, ::1] vectors, const int[::1] others, Py_ssize_t one) noexcept nogil:
    """Return the highest cosine of one vector to some others, 0 if none is positive."""
    cdef const float* four[TOGETHER]
    cdef float similarities[TOGETHER]
    cdef float highest = 0
    cdef Py_ssize_t at = 0, i, count = others.shape[0], d = vectors.shape[1]
    while at < count:
        if count - at >= TOGETHER:
            for i in range(TOGETHER):
                four[i] = &vectors[others[at + i], 0]
            float_dots(four, &vectors[one, 0], similarities, d)
            for i in range(TOGETHER):
                highest = max(highest, similarities[i])
            at += TOGETHER
        else:
            highest = max(highest, float_dot(&vectors[others[at], 0], &vectors[one, 0], d))
            at += 1
    return highest


cdef Py_ssize_t choose(
    const double[::1] scores, const float[:, ::1] vectors, Groups& groups, const int[::1] caps, double trade,
    Py_ssize_t k, int[::1] order, vector[int]& fates,
) noexcept nogil:
    """Put places in the order in which they are kept, at most k; return how many there are. fates: KEPT, or why not.

    A value only falls as more are kept, so what is best by what is known of it, and known in full, is the best: most
    candidates are never compared with most of those kept (lazy greedy, Minoux 1978).
    """
    cdef Py_ssize_t m = scores.shape[0], kept = 0, d = vectors.shape[1], i, g, best
    cdef vector[float] nearest  # highest cosine of each to the first `compared` of those kept
    cdef vector[int] compared
    cdef priority_queue[pair[double, Py_ssize_t]] waiting  # value as far as it is known, and of equals the first
    nearest.resize(m, 0)
    compared.resize(m, 0)
    fates.resize(m, FATE_OVER_K)
    for i in range(m):
        waiting.push(pair[double, Py_ssize_t](trade * scores[i], -i))
    while kept < k and not waiting.empty():
        best = -waiting.top().second
        waiting.pop()
        if d and compared[best] < kept:
            nearest[best] = max(nearest[best], most_alike(vectors, order[compared[best]:kept], best))
            compared[best] = <int>kept
            waiting.push(pair[double, Py_ssize_t](trade * scores[best] - (1.0 - trade) * nearest[best], -best))
            continue
        fates[best] = over_cap(groups, caps, best, kept)
        if fates[best]:
            continue
        fates[best] = KEPT
        order[kept] = <int>best
        for g in range(groups.caps):
            groups.kept[g * k + kept] = groups.of[g * m + best]
        kept += 1
    return kept


def select(
    const int[::1] rows, const double[::1] scores, const float[:, ::1] vectors, tuple columns not None,
    tuple sources not None, const int[::1] caps, double trade, Py_ssize_t k, Py_ssize_t named,
):
    """Choose up to k candidates by maximal marginal relevance (Carbonell and Goldstein 1998) under caps.

    Each step takes the highest trade · score - (1 - trade) · (highest cosine to a kept one, if positive); among equals
    the earlier candidate. rows: int32[m], scores: float64[m], best first. vectors: float32[m, d], unit length or zero.
    columns: int32[n] each, by row, and sources: int32[m] each, by candidate: ordinals per kind of origin, < 0 is none.
    caps: int32 of each column and source, ≥ 1. trade in 0..1; 1 is pure relevance. Returns (places int64[≤ k] of those
    kept, ascending; rows int32[d] of the first `named` ≥ 0 others, and why each is dropped, int32[d]: OVER_K, or g + 1
    over cap g; how many each cap kept out). Raises ValueError if shapes differ or a number is out of its range,
    IndexError for a row that is not there.
    """
    cdef Py_ssize_t m = rows.shape[0], g, kept
    cdef Groups groups
    cdef vector[int] fates
    if scores.shape[0] != m or vectors.shape[0] != m:
        raise ValueError(f"scores and vectors must have {m} rows, one for each of rows")
    if caps.shape[0] != len(columns) + len(sources):
        raise ValueError(f"there are {len(columns)} columns and {len(sources)} sources but {caps.shape[0]} caps")
    if not 0 <= trade <= 1:
        raise ValueError(f"trade must be in 0..1, got {trade}")
    if k < 0 or named < 0:
        raise ValueError(f"k and named must be ≥ 0, got {k} and {named}")
    for g in range(caps.shape[0]):
        if caps[g] < 1:
            raise ValueError(f"caps[{g}] must be ≥ 1, got {caps[g]}")
    groups.m, groups.k, groups.caps = m, min(k, m), caps.shape[0]
    gather(rows, columns, sources, groups)
    ordered = np.empty(groups.k, dtype=np.int32)
    cdef int[::1] order = ordered
    with nogil:
        groups.kept.resize(groups.caps * groups.k)
        kept = choose(scores, vectors, groups, caps, trade, groups.k, order, fates)
    return told(rows, fates, kept, min(named, m - kept), groups.caps)


cdef int gather(const int[::1] rows, tuple columns, tuple sources, Groups& groups) except -1:
    """Find the group that each candidate has by each column and source."""
    cdef const int[::1] column
    cdef Py_ssize_t i, at = 0, m = rows.shape[0]
    groups.of.resize(groups.caps * m)
    for column in columns:
        for i in range(m):
            if not 0 <= rows[i] < column.shape[0]:
                raise IndexError(f"rows[{i}] is {rows[i]}, not in 0..{column.shape[0] - 1}")
            groups.of[at + i] = column[rows[i]]
        at += m
    for column in sources:
        if column.shape[0] != m:
            raise ValueError(f"a source has {column.shape[0]} entries, not {m}")
        for i in range(m):
            groups.of[at + i] = column[i]
        at += m
    return 0


cdef tuple told(const int[::1] rows, const vector[int]& fates, Py_ssize_t kept, Py_ssize_t named, Py_ssize_t caps):
    """What `select` returns. named: how many others there are, as far as they are named."""
    cdef Py_ssize_t i, k = 0, d = 0
    places = np.empty(kept, dtype=np.int64)
    dropped, why = np.empty(named, dtype=np.int32), np.empty(named, dtype=np.int32)
    cdef int64_t[::1] place = places
    cdef int[::1] row = dropped, reason = why
    cdef vector[Py_ssize_t] out
    out.resize(caps + 1, 0)
    for i in range(rows.shape[0]):
        if fates[i] == KEPT:
            place[k] = i
            k += 1
            continue
        out[fates[i]] += 1
        if d < named:
            row[d], reason[d] = rows[i], fates[i]
            d += 1
    return places, dropped, why, [out[i] for i in range(1, caps + 1)]
