"""Products of stored vectors: half floats, a row each."""

from libc.stdint cimport uint16_t, uint64_t
from libcpp.algorithm cimport nth_element, sort
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

cdef extern from "half.h" nogil:
    void half_expand(const uint16_t* halves, float* out, long size) noexcept
    void half_prefetch(const uint16_t* halves, long size) noexcept
    ctypedef float (*half_product)(const uint16_t* left, const float* right, long size) noexcept
    half_product half_dot_of_this_machine() noexcept

cdef extern from "order.h" nogil:
    uint64_t place_of(float score, int row) noexcept
    int row_at(uint64_t place) noexcept
    float score_at(uint64_t place) noexcept

cdef enum:
    AHEAD = 3


cdef int check(const uint16_t[:, ::1] halves, const int[::1] rows, const float[::1] query) except -1:
    if halves.shape[1] == 0:
        raise ValueError("vectors must have at least one number")
    if query.shape[0] != halves.shape[1]:
        raise ValueError(f"query has {query.shape[0]} numbers, vectors have {halves.shape[1]}")
    return check_rows(halves, rows)


cdef int check_rows(const uint16_t[:, ::1] halves, const int[::1] rows) except -1:
    cdef Py_ssize_t i
    for i in range(rows.shape[0]):
        if rows[i] < 0 or rows[i] >= halves.shape[0]:
            raise IndexError(f"rows[{i}] is {rows[i]}, not in 0..{halves.shape[0] - 1}")
    return 0


cdef void multiply(
    const uint16_t[:, ::1] halves, const int[::1] rows, const float[::1] query, float* out
) noexcept nogil:
    cdef Py_ssize_t i, d = halves.shape[1]
    cdef half_product half_dot = half_dot_of_this_machine()
    for i in range(rows.shape[0]):
        if i + AHEAD < rows.shape[0]:
            half_prefetch(&halves[rows[i + AHEAD], 0], d)
        out[i] = half_dot(&halves[rows[i], 0], &query[0], d)


def cosines(const uint16_t[:, ::1] halves, const int[::1] rows, const float[::1] query):
    """Return float32[m], the inner product of the query float32[d] with the vectors of rows int32[m].

    halves: uint16[n, d], the bits of half floats, d ≥ 1. Raises ValueError, or IndexError for a row that is not there.
    """
    check(halves, rows, query)
    products = np.empty(rows.shape[0], dtype=np.float32)
    cdef float[::1] out = products
    if rows.shape[0]:
        with nogil:
            multiply(halves, rows, query, &out[0])
    return products


def nearest(const uint16_t[:, ::1] halves, const int[::1] rows, const float[::1] query, Py_ssize_t k):
    """Return (rows int32[≤ k], inner products float32[≤ k]) of the k best of rows, the lower row first among equals.

    A row whose product is 0 has no vector and is left out. k ≥ 0; otherwise as cosines.
    """
    cdef Py_ssize_t i, m = rows.shape[0]
    cdef vector[float] products
    cdef vector[uint64_t] found
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    check(halves, rows, query)
    with nogil:
        products.resize(m)
        if m:
            multiply(halves, rows, query, products.data())
        found.reserve(m)
        for i in range(m):
            if products[i] != 0:
                found.push_back(place_of(products[i], rows[i]))
        if k < <Py_ssize_t>found.size():
            nth_element(found.begin(), found.begin() + k, found.end())
            found.resize(k)
        sort(found.begin(), found.end())
    best, scores = np.empty(found.size(), dtype=np.int32), np.empty(found.size(), dtype=np.float32)
    cdef int[::1] best_out = best
    cdef float[::1] scores_out = scores
    for i in range(<Py_ssize_t>found.size()):
        best_out[i], scores_out[i] = row_at(found[i]), score_at(found[i])
    return best, scores


def expand(const uint16_t[:, ::1] halves, const int[::1] rows):
    """Return float32[m, d], the vectors of rows int32[m]. Raises IndexError for a row that is not there."""
    cdef Py_ssize_t i, d = halves.shape[1]
    check_rows(halves, rows)
    vectors = np.empty((rows.shape[0], d), dtype=np.float32)
    cdef float[:, ::1] out = vectors
    if d == 0:
        return vectors
    with nogil:
        for i in range(rows.shape[0]):
            half_expand(&halves[rows[i], 0], &out[i, 0], d)
    return vectors
