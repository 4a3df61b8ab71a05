"""A few candidates out of many: good, and not all the same."""

from libcpp.pair cimport pair
from libcpp.queue cimport priority_queue
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

KEPT = 0
OVER_K = -1

cdef extern from "products.h" nogil:
    enum: TOGETHER
    float float_dot(const float* left, const float* right, long size) noexcept
    void float_dots(const float* const* lefts, const float* right, float* out, long size) noexcept

cdef enum:
    WAITING = -2
    FATE_OVER_K = -1


cdef int over_cap(
    const int[:, ::1] groups, const int[::1] caps, vector[unordered_map[int, int]]& used, Py_ssize_t i
) noexcept nogil:
    cdef Py_ssize_t g
    for g in range(caps.shape[0]):
        if groups[i, g] >= 0 and used[g].count(groups[i, g]) and used[g][groups[i, g]] >= caps[g]:
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
    const double[::1] scores, const float[:, ::1] vectors, const int[:, ::1] groups, const int[::1] caps,
    double trade, Py_ssize_t k, int[::1] order, int[::1] fates, float[::1] nearest, int[::1] compared,
) noexcept nogil:
    """As `select`. nearest: highest cosine of each to the first `compared` of those kept; both 0 to begin with.

    A value only falls as more are kept, so what is best by what is known of it, and known in full, is the best: most
    candidates are never compared with most of those kept (lazy greedy, Minoux 1978).
    """
    cdef Py_ssize_t m = scores.shape[0], kept = 0, d = vectors.shape[1], i, g, best
    cdef int cap
    cdef vector[unordered_map[int, int]] used
    cdef priority_queue[pair[double, Py_ssize_t]] waiting  # value as far as it is known, and of equals the first
    used.resize(caps.shape[0])
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
        cap = over_cap(groups, caps, used, best)
        if cap:
            fates[best] = cap
            continue
        fates[best] = 0
        order[kept] = <int>best
        kept += 1
        for g in range(caps.shape[0]):
            if groups[best, g] >= 0:
                used[g][groups[best, g]] += 1
    for i in range(m):
        if fates[i] == WAITING:
            fates[i] = FATE_OVER_K
    return kept


def select(
    const double[::1] scores, const float[:, ::1] vectors, const int[:, ::1] groups, const int[::1] caps,
    double trade, Py_ssize_t k,
):
    """Choose up to k candidates by maximal marginal relevance (Carbonell and Goldstein 1998) under caps.

    Each step takes the highest trade · score - (1 - trade) · (highest cosine to a kept one, if positive); among equals
    the earlier candidate. scores: float64[m], best first. vectors: float32[m, d], unit length or zero. groups:
    int32[m, g], an ordinal per kind of origin, -1 is none. caps: int32[g], ≥ 1. trade in 0..1; 1 is pure relevance.
    Returns (order int32[≤ k], indices kept in order; fates int32[m]: 0 kept, -1 over k, g + 1 over cap g).
    Raises ValueError if shapes differ or a number is out of its range.
    """
    cdef Py_ssize_t m = scores.shape[0], g
    if vectors.shape[0] != m or groups.shape[0] != m:
        raise ValueError(f"vectors and groups must have {m} rows, one for each of scores")
    if groups.shape[1] != caps.shape[0]:
        raise ValueError(f"groups has {groups.shape[1]} kinds but caps has {caps.shape[0]}")
    if not 0 <= trade <= 1:
        raise ValueError(f"trade must be in 0..1, got {trade}")
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    for g in range(caps.shape[0]):
        if caps[g] < 1:
            raise ValueError(f"caps[{g}] must be ≥ 1, got {caps[g]}")
    kept_order = np.empty(min(k, m), dtype=np.int32)
    kept_fates = np.full(m, WAITING, dtype=np.int32)
    cdef int[::1] order = kept_order
    cdef int[::1] fates = kept_fates
    cdef float[::1] nearest = np.zeros(m, dtype=np.float32)
    cdef int[::1] compared = np.zeros(m, dtype=np.int32)
    cdef Py_ssize_t kept
    with nogil:
        kept = choose(scores, vectors, groups, caps, trade, min(k, m), order, fates, nearest, compared)
    return kept_order[:kept], kept_fates
