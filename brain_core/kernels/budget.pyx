"""What fits into a budget."""

import numpy as np

cimport numpy as cnp

cnp.import_array()


cdef long long take(
    const long long[::1] costs, long long limit, Py_ssize_t most, unsigned char[::1] kept
) noexcept nogil:
    cdef Py_ssize_t i, count = 0
    cdef long long used = 0
    for i in range(costs.shape[0]):
        if count < most and costs[i] <= limit - used:
            kept[i] = 1
            used += costs[i]
            count += 1
    return used


def fit(const long long[::1] costs, long long limit, Py_ssize_t most):
    """Take pieces in order while they fit; one that does not is passed over, later ones may still fit.

    costs: int64[m], ≥ 0, best piece first. limit: what is there for them; below 0 counts as 0. most: pieces at most, ≥ 0.
    Returns (kept uint8[m], used). used never exceeds limit. Raises ValueError.
    """
    cdef Py_ssize_t i
    if most < 0:
        raise ValueError(f"most must be ≥ 0, got {most}")
    for i in range(costs.shape[0]):
        if costs[i] < 0:
            raise ValueError(f"costs[{i}] must be ≥ 0, got {costs[i]}")
    mask = np.zeros(costs.shape[0], dtype=np.uint8)
    cdef unsigned char[::1] kept = mask
    cdef long long used = 0, room = max(limit, 0)
    with nogil:
        used = take(costs, room, most, kept)
    return mask, used
