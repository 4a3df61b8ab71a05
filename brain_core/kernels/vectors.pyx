"""Vectors as an index keeps them, a row each: d signed bytes, then the scale that they count, a float32.

A row of zeros has scale 0: it has no vector.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

cdef extern from "products.h" nogil:
    const int BYTE_MOST
    const int WHOLE_MOST
    float scale_of(const float* numbers, long size, int most) noexcept
    float short_scale(float scale) noexcept
    void to_bytes(const float* numbers, float scale, int8_t* out, long size) noexcept
    void to_wholes(const float* numbers, float scale, int16_t* out, long size) noexcept
    void bytes_expand(const int8_t* bytes, float scale, float* out, long size) noexcept
    void prefetch_all(const void* place, long bytes) noexcept
    ctypedef int64_t (*bytes_product)(const int8_t* bytes, const int16_t* wholes, long size) noexcept
    bytes_product bytes_dot_of_this_machine() noexcept

cdef extern from "order.h" nogil:
    uint64_t place_of(float score, int row) noexcept
    int row_at(uint64_t place) noexcept
    float score_at(uint64_t place) noexcept
    void keep_best(vector[uint64_t]& places, size_t k) noexcept

cdef enum:
    AHEAD = 8

SCALE_BYTES = SCALE


cdef inline float scale_at(const uint8_t[:, ::1] packed, Py_ssize_t row) noexcept nogil:
    cdef float scale
    memcpy(&scale, &packed[row, packed.shape[1] - SCALE], SCALE)
    return scale


cdef Py_ssize_t dimension_of(const uint8_t[:, ::1] packed) except -1:
    if packed.shape[1] <= SCALE:
        raise ValueError("vectors must have at least one number")
    return packed.shape[1] - SCALE


cdef int check(const uint8_t[:, ::1] packed, const int[::1] rows, const float[::1] query) except -1:
    cdef Py_ssize_t d = dimension_of(packed)
    if query.shape[0] != d:
        raise ValueError(f"query has {query.shape[0]} numbers, vectors have {d}")
    return check_rows(packed, rows)


cdef int check_rows(const uint8_t[:, ::1] packed, const int[::1] rows) except -1:
    cdef Py_ssize_t i
    for i in range(rows.shape[0]):
        if rows[i] < 0 or rows[i] >= packed.shape[0]:
            raise IndexError(f"rows[{i}] is {rows[i]}, not in 0..{packed.shape[0] - 1}")
    return 0


cdef float wholes_of(const float[::1] query, vector[int16_t]& wholes) noexcept nogil:
    """Make whole numbers of a query, and return what 1 of them counts."""
    cdef long d = query.shape[0]
    cdef float scale
    wholes.resize(d)
    if d == 0:
        return 0
    scale = scale_of(&query[0], d, WHOLE_MOST)
    to_wholes(&query[0], scale, wholes.data(), d)
    return scale


cdef void multiply(
    const uint8_t[:, ::1] packed, const int* rows, Py_ssize_t m, const int16_t* wholes, float scale, float* out
) noexcept nogil:
    """The inner products of a query with rows. wholes, scale: as `wholes_of` makes them."""
    cdef Py_ssize_t i, d = packed.shape[1] - SCALE
    cdef bytes_product dot = bytes_dot_of_this_machine()
    for i in range(m):
        if i + AHEAD < m:
            prefetch_all(&packed[rows[i + AHEAD], 0], packed.shape[1])
        out[i] = <float>dot(<const int8_t*>&packed[rows[i], 0], wholes, d) * (scale_at(packed, rows[i]) * scale)


cdef void pack(const float[:, ::1] vectors, uint8_t[:, ::1] packed) noexcept nogil:
    cdef Py_ssize_t i, d = vectors.shape[1]
    cdef float scale
    for i in range(vectors.shape[0]):
        scale = short_scale(scale_of(&vectors[i, 0], d, BYTE_MOST))
        to_bytes(&vectors[i, 0], scale, <int8_t*>&packed[i, 0], d)
        memcpy(&packed[i, d], &scale, SCALE)


def quantise(const float[:, ::1] vectors):
    """Return uint8[m, d + 4], the vectors float32[m, d], d ≥ 1, as an index keeps them.

    scale: the greatest |number| / 127, rounded to 17 bits; bytes: number / scale, half to even. What `expand` makes
    of a row gives that row again. A vector with a number that is not within ±65536, as half floats are, is one of
    zeros. Raises ValueError.
    """
    if vectors.shape[1] == 0:
        raise ValueError("vectors must have at least one number")
    packed = np.empty((vectors.shape[0], vectors.shape[1] + SCALE), dtype=np.uint8)
    cdef uint8_t[:, ::1] out = packed
    with nogil:
        pack(vectors, out)
    return packed


def cosines(const uint8_t[:, ::1] packed, const int[::1] rows, const float[::1] query):
    """Return float32[m], the inner product of the query float32[d] with the vectors of rows int32[m].

    packed: uint8[n, d + 4] as of `quantise`, d ≥ 1. The query is rounded to 32,767ths of its greatest number, half to
    even; one with a number that is not within ±65536 is one of zeros. Raises ValueError, or IndexError for a row that
    is not there.
    """
    cdef vector[int16_t] wholes
    check(packed, rows, query)
    cdef float scale = wholes_of(query, wholes)
    products = np.empty(rows.shape[0], dtype=np.float32)
    cdef float[::1] out = products
    if rows.shape[0]:
        with nogil:
            multiply(packed, &rows[0], rows.shape[0], wholes.data(), scale, &out[0])
    return products


def nearest(const uint8_t[:, ::1] packed, const int[::1] rows, const float[::1] query, Py_ssize_t k):
    """Return (rows int32[≤ k], inner products float32[≤ k]) of the k best of rows, the lower row first among equals.

    A row whose product is 0 has no vector and is left out. k ≥ 0; otherwise as cosines.
    """
    cdef Py_ssize_t i, m = rows.shape[0]
    cdef vector[int16_t] wholes
    cdef vector[float] products
    cdef vector[uint64_t] found
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    check(packed, rows, query)
    cdef float scale = wholes_of(query, wholes)
    with nogil:
        products.resize(m)
        if m:
            multiply(packed, &rows[0], m, wholes.data(), scale, products.data())
        found.reserve(m)
        for i in range(m):
            if products[i] != 0:
                found.push_back(place_of(products[i], rows[i]))
        keep_best(found, k)
    best, scores = np.empty(found.size(), dtype=np.int32), np.empty(found.size(), dtype=np.float32)
    cdef int[::1] best_out = best
    cdef float[::1] scores_out = scores
    for i in range(<Py_ssize_t>found.size()):
        best_out[i], scores_out[i] = row_at(found[i]), score_at(found[i])
    return best, scores


def expand(const uint8_t[:, ::1] packed, const int[::1] rows):
    """Return float32[m, d], the vectors of rows int32[m]: exact products of byte and scale.

    packed: uint8[n, d + 4], d ≥ 1. Raises ValueError, or IndexError for a row that is not there.
    """
    cdef Py_ssize_t i, d = dimension_of(packed)
    check_rows(packed, rows)
    vectors = np.empty((rows.shape[0], d), dtype=np.float32)
    cdef float[:, ::1] out = vectors
    with nogil:
        for i in range(rows.shape[0]):
            bytes_expand(<const int8_t*>&packed[rows[i], 0], scale_at(packed, rows[i]), &out[i, 0], d)
    return vectors
