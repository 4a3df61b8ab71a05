"""What short texts read like by runs of their tokens: filters over token vectors, the strongest answer of each."""

from libc.stdint cimport int8_t, uint8_t
from libc.string cimport memcpy
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


cdef class Filters:
    """Filters over the vectors of tokens, and what their answers weigh for each of some labels."""

    def __init__(
        self, const uint8_t[:, ::1] packed not None, const float[:, ::1] filters not None,
        const float[::1] bias not None, const float[:, ::1] head not None, const float[::1] base not None,
    ):
        """packed: uint8[n, d + 4], token vectors as of `vectors.quantise`.

        filters: float32[d · w (w + 1) / 2, f] for widths 1..w: first the d rows of filters over one token, then the
        2 · d of those over two, and so on; f is a multiple of FILTERS_TOGETHER. bias: float32[w · f], by width. head:
        float32[w · f, labels]. base: float32[labels]. Raises ValueError.
        """
        cdef Py_ssize_t d = packed.shape[1] - SCALE, f = filters.shape[1]
        if d <= 0:
            raise ValueError("vectors must have at least one number")
        if f == 0 or f % LANES:
            raise ValueError(f"a width must have a multiple of {LANES} filters, got {f}")
        self.widths = bias.shape[0] // f
        if self.widths == 0 or bias.shape[0] != self.widths * f:
            raise ValueError(f"bias must have {f} numbers for each width, got {bias.shape[0]}")
        if filters.shape[0] != d * (self.widths * (self.widths + 1) // 2):
            raise ValueError(
                f"filters must have {d * (self.widths * (self.widths + 1) // 2)} rows, got {filters.shape[0]}"
            )
        if head.shape[0] != bias.shape[0] or head.shape[1] != base.shape[0]:
            raise ValueError(
                f"head must have {bias.shape[0]} rows of {base.shape[0]}, got {head.shape[0]} of {head.shape[1]}"
            )
        self.packed, self.bias, self.head, self.base = packed, bias, head, base
        self.filters = in_blocks(np.asarray(filters), d, self.widths)

    cdef int read_tokens(self, list tokens, vector[int]& ids) except -1:
        cdef Py_ssize_t n = self.packed.shape[0]
        for place, token in enumerate(tokens):
            if not 0 <= token < n:
                raise ValueError(f"tokens[{place}] must be in 0..{n - 1}, got {token}")
            ids.push_back(token)
        return 0

    cdef void weigh(self, const vector[int]& ids, float* out) noexcept nogil:
        """Write the scores of a text."""
        cdef Py_ssize_t i, label, width, first = 0, count = <Py_ssize_t>ids.size()
        cdef Py_ssize_t d = self.packed.shape[1] - SCALE, f = self.bias.shape[0] // self.widths
        cdef Py_ssize_t windows = (count + TOGETHER - 1) // TOGETHER * TOGETHER
        cdef vector[float] tokens, strongest
        tokens.resize((windows + self.widths) * d, 0)
        gather(self.packed, ids, tokens.data())
        strongest.resize(self.bias.shape[0])
        for i in range(self.bias.shape[0]):
            strongest[i] = max(self.bias[i], <float>0)
        for width in range(self.widths):
            slide(
                tokens.data(), windows, d, &self.filters[first], (width + 1) * d, f, &self.bias[width * f],
                strongest.data() + width * f,
            )
            first += (width + 1) * d * f
        for label in range(self.base.shape[0]):
            out[label] = 0
        for i in range(self.head.shape[0]):
            for label in range(self.base.shape[0]):
                out[label] += strongest[i] * self.head[i, label]
        for label in range(self.base.shape[0]):
            out[label] = self.base[label] + out[label]

    def scores(self, list texts not None):
        """Return float32[texts, labels]: base + Σ over filters of the strongest answer in a text, at least 0, · head.

        texts: of each a list of its tokens, 0..n - 1. Behind its end a text has zeros, so that a filter also answers
        its bias. Raises ValueError.
        """
        cdef Py_ssize_t text
        cdef vector[int] ids
        found = np.empty((len(texts), self.base.shape[0]), dtype=np.float32)
        cdef float[:, ::1] out = found
        for text in range(len(texts)):
            ids.clear()
            self.read_tokens(texts[text], ids)
            with nogil:
                self.weigh(ids, &out[text, 0])
        return found


cdef in_blocks(filters, Py_ssize_t d, Py_ssize_t widths):
    """Return filters as `slide` reads them, by width."""
    ends = [d * width * (width + 1) // 2 for width in range(widths + 1)]
    starts = range(0, filters.shape[1], LANES)
    blocks = [filters[ends[i] : ends[i + 1], start : start + LANES] for i in range(widths) for start in starts]
    return np.concatenate([block.ravel() for block in blocks])


cdef void gather(const uint8_t[:, ::1] packed, const vector[int]& ids, float* tokens) noexcept nogil:
    cdef Py_ssize_t d = packed.shape[1] - SCALE
    cdef size_t place
    cdef float scale
    for place in range(ids.size()):
        memcpy(&scale, &packed[ids[place], d], SCALE)
        bytes_expand(<const int8_t*>&packed[ids[place], 0], scale, tokens + place * d, d)
