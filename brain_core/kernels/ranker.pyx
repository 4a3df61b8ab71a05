"""From features to one score."""

import numpy as np

cimport numpy as cnp

cnp.import_array()


cdef void dot(const double[:, ::1] matrix, const double[::1] weights, double[::1] out) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef double total
    for i in range(matrix.shape[0]):
        total = 0.0
        for j in range(matrix.shape[1]):
            total += matrix[i, j] * weights[j]
        out[i] = total


def linear(const double[:, ::1] matrix, const double[::1] weights):
    """Return the weighted mean of each row: float64[m], in 0..1 where the features are.

    matrix: float64[m, f]. weights: float64[f], ≥ 0 with a positive sum. Raises ValueError otherwise.
    """
    cdef Py_ssize_t i
    cdef double total = 0.0
    if weights.shape[0] != matrix.shape[1]:
        raise ValueError(f"matrix has {matrix.shape[1]} features but weights has {weights.shape[0]}")
    for i in range(weights.shape[0]):
        if not weights[i] >= 0:
            raise ValueError(f"weights[{i}] must be ≥ 0, got {weights[i]}")
        total += weights[i]
    if not total > 0:
        raise ValueError("weights must have a positive sum")
    normalised = np.asarray(weights) / total
    scores = np.empty(matrix.shape[0], dtype=np.float64)
    cdef const double[::1] share = normalised
    cdef double[::1] out = scores
    with nogil:
        dot(matrix, share, out)
    return scores
