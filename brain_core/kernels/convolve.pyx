"""What short texts read like by runs of their tokens: filters over token vectors, the strongest answer of each."""

from libc.stdint cimport int8_t, uint8_t
from libc.string cimport memcpy, memset
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

from brain_core.kernels.vectors cimport SCALE

cnp.import_array()

cdef extern from "sliding.h" nogil:
    const int LANES
    const int TOGETHER
    void bytes_expand(const int8_t* bytes, float scale, float* out, long size) noexcept
    void slide(
        const float* tokens, long windows, long step, const float* filters, long span, long size, const float* bias,
        float* strongest,
    ) noexcept

FILTERS_TOGETHER = LANES


cdef Py_ssize_t widths_of(
    const uint8_t[:, ::1] packed, const float[:, ::1] filters, const float[::1] bias, const float[:, ::1] head,
) except -1:
    """Return how many widths there are, 1, 2 and so on. Raises ValueError."""
    cdef Py_ssize_t d = packed.shape[1] - SCALE, size = filters.shape[1], widths
    if d <= 0:
        raise ValueError("vectors must have at least one number")
    if size == 0 or size % LANES:
        raise ValueError(f"a width must have a multiple of {LANES} filters, got {size}")
    widths = bias.shape[0] // size
    if widths == 0 or bias.shape[0] != widths * size:
        raise ValueError(f"bias must have {size} numbers for each width, got {bias.shape[0]}")
    if filters.shape[0] != d * (widths * (widths + 1) // 2):
        raise ValueError(f"filters must have {d * (widths * (widths + 1) // 2)} rows, got {filters.shape[0]}")
    if head.shape[0] != bias.shape[0]:
        raise ValueError(f"bias has {bias.shape[0]} entries but head has {head.shape[0]}")
    return widths


cdef void gather(
    const uint8_t[:, ::1] packed, const int[::1] ids, Py_ssize_t start, Py_ssize_t stop, float* tokens,
) noexcept nogil:
    cdef Py_ssize_t i, d = packed.shape[1] - SCALE
    cdef float scale
    for i in range(start, stop):
        memcpy(&scale, &packed[ids[i], d], SCALE)
        bytes_expand(<const int8_t*>&packed[ids[i], 0], scale, tokens, d)
        tokens += d


cdef void weigh(
    const float* strongest, const float[:, ::1] head, float* out,
) noexcept nogil:
    cdef Py_ssize_t i, label
    for i in range(head.shape[0]):
        for label in range(head.shape[1]):
            out[label] += strongest[i] * head[i, label]


def convolve(
    const uint8_t[:, ::1] packed, const int[::1] ids, const int[::1] starts, const float[:, ::1] filters,
    const float[::1] bias, const float[:, ::1] head,
):
    """Return float32[texts, labels]: of each filter the strongest answer in a text, at least 0, times its row of head.

    packed: uint8[n, d + 4], token vectors as of `vectors.quantise`. ids: int32[k], tokens of all texts, one after the
    other; those of text t are starts[t]..starts[t + 1] - 1, starts int32[texts + 1]. filters: float32[d · w (w + 1) / 2,
    f] for widths 1..w: first the d rows of filters over one token, then the 2 · d of those over two, and so on; f is a
    multiple of FILTERS_TOGETHER. bias: float32[w · f], by width; head: float32[w · f, labels]. Beyond its end a text
    has zeros, so that a filter also answers its bias. Raises ValueError.
    """
    cdef Py_ssize_t i, text, width, size, first, count, windows, longest = 0
    cdef Py_ssize_t d = packed.shape[1] - SCALE, f = filters.shape[1], labels = head.shape[1]
    cdef Py_ssize_t widths = widths_of(packed, filters, bias, head)
    for i in range(ids.shape[0]):
        if not 0 <= ids[i] < packed.shape[0]:
            raise ValueError(f"ids[{i}] must be in 0..{packed.shape[0] - 1}, got {ids[i]}")
    if starts.shape[0] == 0 or starts[0] != 0 or starts[starts.shape[0] - 1] != ids.shape[0]:
        raise ValueError(f"starts must go from 0 to {ids.shape[0]}")
    for text in range(starts.shape[0] - 1):
        size = starts[text + 1] - starts[text]
        if size < 0:
            raise ValueError(f"starts[{text + 1}] must not be below starts[{text}]")
        longest = max(longest, size)
    out = np.zeros((starts.shape[0] - 1, labels), dtype=np.float32)
    if not out.size:
        return out
    cdef float[:, ::1] scores = out
    cdef vector[float] tokens, strongest
    with nogil:
        tokens.resize((longest + TOGETHER + widths) * d)
        strongest.resize(widths * f)
        for text in range(scores.shape[0]):
            count = starts[text + 1] - starts[text]
            windows = (count + TOGETHER - 1) // TOGETHER * TOGETHER
            gather(packed, ids, starts[text], starts[text + 1], tokens.data())
            memset(tokens.data() + count * d, 0, (windows - count + widths) * d * sizeof(float))
            first = 0
            for i in range(widths * f):
                strongest[i] = max(bias[i], <float>0)
            for width in range(widths):
                slide(
                    tokens.data(), windows, d, &filters[first, 0], (width + 1) * d, f, &bias[width * f],
                    strongest.data() + width * f,
                )
                first += (width + 1) * d
            weigh(strongest.data(), head, &scores[text, 0])
    return out
