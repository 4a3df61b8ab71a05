"""The best rows by a score that every row has."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

cdef extern from "order.h" nogil:
    uint64_t place_of(float score, int row) noexcept
    int row_at(uint64_t place) noexcept
    void keep_best(vector[uint64_t]& places, size_t k) noexcept
    const int BLOCK
    void tops_of_blocks(const float* scores, const unsigned char* allowed, long size, float* tops) noexcept
    float reached_by(const vector[float]& tops, size_t k) noexcept
    unsigned int which_reach(const float* scores, const unsigned char* allowed, float least) noexcept
    int first_of(unsigned int bits) noexcept


cdef void select(
    const float[::1] scores, const unsigned char[::1] allowed, size_t k, vector[uint64_t]& best
) noexcept nogil:
    """Leave the places of the k best rows of positive score, best first; k ≥ 1. What cannot be one is passed over."""
    cdef int row, first, size = <int>scores.shape[0]
    cdef size_t block
    cdef float least
    cdef unsigned int bits
    cdef vector[float] tops
    tops.resize((size + BLOCK - 1) // BLOCK)
    tops_of_blocks(&scores[0], &allowed[0], size, tops.data())
    least = reached_by(tops, k)
    best.reserve(2 * k)
    for block in range(tops.size()):
        if tops[block] < least or tops[block] <= 0:
            continue
        first = <int>block * BLOCK
        if size - first < BLOCK:
            for row in range(first, size):
                if scores[row] >= least and scores[row] > 0 and allowed[row]:
                    best.push_back(place_of(scores[row], row))
            break
        bits = which_reach(&scores[first], &allowed[first], least)
        while bits:
            row = first + first_of(bits)
            best.push_back(place_of(scores[row], row))
            bits &= bits - 1
    keep_best(best, k)


def top_k(const float[::1] scores, const unsigned char[::1] allowed, Py_ssize_t k):
    """Return the rows of the k highest positive scores, best first; among equals the lower row.

    scores: float32[n]. allowed: uint8[n], 0 leaves a row out. k ≥ 0. Returns int32[≤ k]. Raises ValueError.
    """
    if allowed.shape[0] != scores.shape[0]:
        raise ValueError(f"scores has {scores.shape[0]} rows but allowed has {allowed.shape[0]}")
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    cdef size_t i, most = min(k, scores.shape[0])
    cdef vector[uint64_t] best
    if most:
        with nogil:
            select(scores, allowed, most, best)
    rows = np.empty(best.size(), dtype=np.int32)
    cdef int[::1] out = rows
    for i in range(best.size()):
        out[i] = row_at(best[i])
    return rows
