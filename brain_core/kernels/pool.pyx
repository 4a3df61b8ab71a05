"""One vector from many rows of a table of bytes, and which rows these are."""

from libc.math cimport sqrt, sqrtf
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

cdef extern from "products.h" nogil:
    void prefetch_all(const void* place, long bytes) noexcept

cdef enum:
    AHEAD = 3  # rows of the table on their way while one is added
    SPREAD = 0x9E3779B1  # 2^32 over the golden ratio: neighbouring ids fall far apart


cdef void add_rows(
    const signed char[:, ::1] rows, const float[::1] scales, const int* ids, const float* weights, Py_ssize_t count,
    float* total,
) noexcept nogil:
    cdef Py_ssize_t i, j, size = rows.shape[1]
    cdef const signed char* row
    cdef float factor
    for i in range(size):
        total[i] = 0.0
    for i in range(min(<Py_ssize_t>AHEAD, count)):
        prefetch_all(&rows[ids[i], 0], size)
    for i in range(count):
        if i + AHEAD < count:
            prefetch_all(&rows[ids[i + AHEAD], 0], size)
        row = &rows[ids[i], 0]
        factor = scales[ids[i]] * weights[i]
        for j in range(size):
            total[j] += factor * row[j]


cdef void to_unit_length(float* total, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t j
    cdef double squares = 0.0
    for j in range(size):
        squares += <double>total[j] * total[j]
    if squares > 0.0:
        squares = sqrt(squares)
        for j in range(size):
            total[j] = <float>(total[j] / squares)


cdef check_table(const signed char[:, ::1] rows, const float[::1] scales, float[::1] out):
    if scales.shape[0] != rows.shape[0]:
        raise ValueError(f"rows has {rows.shape[0]} entries but scales has {scales.shape[0]}")
    if out.shape[0] != rows.shape[1] or out.shape[0] == 0:
        raise ValueError(f"rows has {rows.shape[1]} columns but out has {out.shape[0]}")


cdef int check_ids(const signed char[:, ::1] rows, const int[::1] ids, const float[::1] weights) except -1:
    cdef Py_ssize_t i
    if weights.shape[0] != ids.shape[0]:
        raise ValueError(f"ids has {ids.shape[0]} entries but weights has {weights.shape[0]}")
    for i in range(ids.shape[0]):
        if not 0 <= ids[i] < rows.shape[0]:
            raise ValueError(f"ids[{i}] must be in 0..{rows.shape[0] - 1}, got {ids[i]}")
    return 0


cdef void count_tokens(list tokens, vector[int]& ids, vector[float]& weights):
    """Read tokens, each once where it first stands, and √n for each that stands there n times."""
    cdef size_t slots = 2, place
    cdef vector[int] found
    cdef int token
    while slots < 2 * <size_t>len(tokens):
        slots *= 2
    found.resize(slots, -1)
    for token in tokens:
        place = (<size_t>token * SPREAD) & (slots - 1)
        while found[place] >= 0 and ids[found[place]] != token:
            place = (place + 1) & (slots - 1)
        if found[place] < 0:
            found[place] = <int>ids.size()
            ids.push_back(token)
            weights.push_back(0)
        weights[found[place]] += 1
    for place in range(weights.size()):
        weights[place] = sqrtf(weights[place])


def pool_tokens(const signed char[:, ::1] rows, const float[::1] scales, list tokens not None, float[::1] out):
    """Do what `pool` does for the rows of some tokens, in their order; what is there n times weighs √n.

    tokens: of 0..n - 1. rows, scales, out: as of `pool`. Raises ValueError.
    """
    cdef vector[int] ids
    cdef vector[float] weights
    check_table(rows, scales, out)
    for place, token in enumerate(tokens):
        if not 0 <= token < rows.shape[0]:
            raise ValueError(f"tokens[{place}] must be in 0..{rows.shape[0] - 1}, got {token}")
    count_tokens(tokens, ids, weights)
    with nogil:
        add_rows(rows, scales, ids.data(), weights.data(), <Py_ssize_t>ids.size(), &out[0])
        to_unit_length(&out[0], out.shape[0])


def pool(
    const signed char[:, ::1] rows, const float[::1] scales, const int[::1] ids, const float[::1] weights,
    float[::1] out,
):
    """Write the weighted sum of rows, scaled to unit length, into out; zeros if the sum is zero.

    rows: int8[n, d], d ≥ 1; row i stands for scales[i] · rows[i]. scales: float32[n]. ids: int32[k], 0..n - 1.
    weights: float32[k]. out: float32[d]. Raises ValueError.
    """
    check_table(rows, scales, out)
    check_ids(rows, ids, weights)
    with nogil:
        add_rows(
            rows, scales, &ids[0] if ids.shape[0] else NULL, &weights[0] if ids.shape[0] else NULL, ids.shape[0],
            &out[0],
        )
        to_unit_length(&out[0], out.shape[0])


def pool_parts(
    const signed char[:, ::1] rows, const float[::1] scales, const int[::1] ids, const float[::1] weights,
    const int[::1] ends,
):
    """Return the weighted sums of some parts, as they are: float32[p, d].

    rows, scales, ids, weights: as of `pool`. ends: int32[p + 1], from 0 to k and never falling: part i is of
    ids[ends[i]:ends[i + 1]]. Raises ValueError.
    """
    cdef Py_ssize_t i, k = ids.shape[0], p = ends.shape[0] - 1
    check_ids(rows, ids, weights)
    if ends.shape[0] == 0 or ends[0] != 0 or ends[p] != k:
        raise ValueError(f"ends must run from 0 to {k}")
    for i in range(p):
        if ends[i + 1] < ends[i]:
            raise ValueError("ends must not fall")
    sums = np.empty((p, rows.shape[1]), dtype=np.float32)
    cdef float[:, ::1] out = sums
    if p:
        check_table(rows, scales, out[0])
        with nogil:
            for i in range(p):
                add_rows(
                    rows, scales, &ids[0] + ends[i] if k else NULL, &weights[0] + ends[i] if k else NULL,
                    ends[i + 1] - ends[i], &out[i, 0],
                )
    return sums


def counted(list ids not None):
    """Return the distinct ids int32[k], as they first stand, and float32[k]: √ of how often each does.

    ids: of -2^31..2^31 - 1. Raises OverflowError, TypeError.
    """
    cdef vector[int] distinct
    cdef vector[float] weights
    cdef size_t i
    count_tokens(ids, distinct, weights)
    found, often = np.empty(distinct.size(), dtype=np.int32), np.empty(distinct.size(), dtype=np.float32)
    cdef int[::1] found_view = found
    cdef float[::1] often_view = often
    for i in range(distinct.size()):
        found_view[i] = distinct[i]
        often_view[i] = weights[i]
    return found, often


def parts_of(
    const int[::1] starts, const int[::1] ids, const float[::1] weights, const int[::1] wanted, const int[::1] counts,
):
    """Return the ids int32[k] and weights float32[k] of some parts, one after the other; n times a part weighs √n.

    starts: int32[p + 1]: part i is entries starts[i]..starts[i + 1] - 1 of ids and of weights. wanted: int32[m], numbers
    of parts. counts: int32[m], ≥ 1, how often each. Raises ValueError.
    """
    cdef Py_ssize_t i, j, first, size, at = 0, total = 0, p = starts.shape[0] - 1
    cdef float factor
    if weights.shape[0] != ids.shape[0]:
        raise ValueError(f"ids has {ids.shape[0]} entries but weights has {weights.shape[0]}")
    if counts.shape[0] != wanted.shape[0]:
        raise ValueError(f"wanted has {wanted.shape[0]} entries but counts has {counts.shape[0]}")
    for i in range(wanted.shape[0]):
        if not (0 <= wanted[i] < p and counts[i] >= 1):
            raise ValueError(f"wanted[{i}] must be in 0..{p - 1}, at least once, got {wanted[i]}, {counts[i]} times")
        if not 0 <= starts[wanted[i]] <= starts[wanted[i] + 1] <= ids.shape[0]:
            raise ValueError(f"part {wanted[i]} is not in 0..{ids.shape[0]}")
        total += starts[wanted[i] + 1] - starts[wanted[i]]
    found_ids, found_weights = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.float32)
    if not total:
        return found_ids, found_weights
    cdef int[::1] id_view = found_ids
    cdef float[::1] weight_view = found_weights
    with nogil:
        for i in range(wanted.shape[0]):
            first, size = starts[wanted[i]], starts[wanted[i] + 1] - starts[wanted[i]]
            factor = <float>sqrt(<double>counts[i])
            for j in range(size):
                id_view[at + j] = ids[first + j]
                weight_view[at + j] = weights[first + j] * factor
            at += size
    return found_ids, found_weights
