"""Products of stored vectors: half floats that stand somewhere in memory, each row at an address of its own.

An address (int64) must be that of d half floats for as long as a call lasts; who gives addresses vouches for that.
"""

from libc.stdint cimport int64_t, uint16_t
from libc.string cimport memcpy

import numpy as np

cimport numpy as cnp

cnp.import_array()

cdef extern from "half.h" nogil:
    void half_expand(const uint16_t* halves, float* out, long size) noexcept
    void half_prefetch(const uint16_t* halves, long size) noexcept
    ctypedef float (*half_product)(const uint16_t* left, const float* right, long size) noexcept
    half_product half_dot_of_this_machine() noexcept

cdef enum:
    AHEAD = 3


def cosines(const int64_t[::1] addresses, const float[::1] query):
    """Return float32[m], the inner product of the query float32[d] with each vector. Raises ValueError if d is 0."""
    cdef Py_ssize_t i, d = query.shape[0]
    if d == 0:
        raise ValueError("query must have at least one number")
    products = np.empty(addresses.shape[0], dtype=np.float32)
    cdef float[::1] out = products
    cdef half_product half_dot = half_dot_of_this_machine()
    with nogil:
        for i in range(addresses.shape[0]):
            if i + AHEAD < addresses.shape[0]:
                half_prefetch(<const uint16_t*>addresses[i + AHEAD], d)
            out[i] = half_dot(<const uint16_t*>addresses[i], &query[0], d)
    return products


def expand(const int64_t[::1] addresses, Py_ssize_t d):
    """Return float32[m, d], the vectors. Raises ValueError unless d ≥ 1."""
    cdef Py_ssize_t i
    if d < 1:
        raise ValueError(f"d must be ≥ 1, got {d}")
    vectors = np.empty((addresses.shape[0], d), dtype=np.float32)
    cdef float[:, ::1] out = vectors
    with nogil:
        for i in range(addresses.shape[0]):
            half_expand(<const uint16_t*>addresses[i], &out[i, 0], d)
    return vectors


def read(const int64_t[::1] addresses, Py_ssize_t d):
    """Return uint16[m, d], the bits of the half floats. Raises ValueError unless d ≥ 1."""
    cdef Py_ssize_t i
    if d < 1:
        raise ValueError(f"d must be ≥ 1, got {d}")
    halves = np.empty((addresses.shape[0], d), dtype=np.uint16)
    cdef uint16_t[:, ::1] out = halves
    with nogil:
        for i in range(addresses.shape[0]):
            memcpy(&out[i, 0], <const uint16_t*>addresses[i], d * sizeof(uint16_t))
    return halves


def write(const int64_t[::1] addresses, const uint16_t[:, ::1] halves):
    """Put the bits of half floats uint16[m, d] in place of the vectors. Raises ValueError if lengths differ."""
    cdef Py_ssize_t i, d = halves.shape[1]
    if halves.shape[0] != addresses.shape[0]:
        raise ValueError(f"addresses has {addresses.shape[0]} entries but halves has {halves.shape[0]}")
    if d == 0:
        return
    with nogil:
        for i in range(addresses.shape[0]):
            memcpy(<uint16_t*>addresses[i], &halves[i, 0], d * sizeof(uint16_t))
