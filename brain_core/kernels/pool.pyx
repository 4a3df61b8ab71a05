"""One vector from many rows of a table of bytes."""

from libc.math cimport sqrt

import numpy as np

cimport numpy as cnp

cnp.import_array()


cdef void add_rows(
    const signed char[:, ::1] rows, const float[::1] scales, const int[::1] ids, const float[::1] weights,
    float* total,
) noexcept nogil:
    cdef Py_ssize_t i, j, size = rows.shape[1]
    cdef const signed char* row
    cdef float factor
    for i in range(ids.shape[0]):
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


def pool(
    const signed char[:, ::1] rows, const float[::1] scales, const int[::1] ids, const float[::1] weights,
    float[::1] out,
):
    """Write the weighted sum of rows, scaled to unit length, into out; zeros if the sum is zero.

    rows: int8[n, d], d ≥ 1; row i stands for scales[i] · rows[i]. scales: float32[n]. ids: int32[k], 0..n - 1.
    weights: float32[k]. out: float32[d]. Raises ValueError.
    """
    cdef Py_ssize_t i
    if scales.shape[0] != rows.shape[0]:
        raise ValueError(f"rows has {rows.shape[0]} entries but scales has {scales.shape[0]}")
    if weights.shape[0] != ids.shape[0]:
        raise ValueError(f"ids has {ids.shape[0]} entries but weights has {weights.shape[0]}")
    if out.shape[0] != rows.shape[1] or out.shape[0] == 0:
        raise ValueError(f"rows has {rows.shape[1]} columns but out has {out.shape[0]}")
    for i in range(ids.shape[0]):
        if not 0 <= ids[i] < rows.shape[0]:
            raise ValueError(f"ids[{i}] must be in 0..{rows.shape[0] - 1}, got {ids[i]}")
    with nogil:
        for i in range(out.shape[0]):
            out[i] = 0.0
        add_rows(rows, scales, ids, weights, &out[0])
        to_unit_length(&out[0], out.shape[0])
