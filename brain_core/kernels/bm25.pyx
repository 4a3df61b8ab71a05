"""BM25 over postings that grow by one document at a time.

Formula (Robertson and Zaragoza 2009, with Lucene's always-positive idf):
    idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))
    score  = sum over t of weight(t) · idf(t) · tf·(k1 + 1) / (tf + k1·(1 - b + b·length / mean length))
"""

from libc.math cimport log
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()


cdef struct Posting:
    int row
    float tf


cdef class Postings:
    """Inverted index of term ids, with the forward lists it was made from.

    Not safe for use from two threads at once; the caller holds its memory's lock.
    """

    cdef vector[vector[Posting]] lists
    cdef vector[int] forward_terms
    cdef vector[float] forward_counts
    cdef vector[long long] forward_offsets
    cdef vector[float] lengths
    cdef double total_length

    def __cinit__(self):
        self.forward_offsets.push_back(0)
        self.total_length = 0.0

    def __len__(self):
        return <Py_ssize_t>self.lengths.size()

    @property
    def nbytes(self):
        """Bytes held, estimated: forward lists, postings and one list header per term."""
        cdef long long entries = <long long>self.forward_terms.size()
        return entries * (8 + sizeof(Posting)) + <long long>self.lengths.size() * 12 + <long long>self.lists.size() * 24

    def add(self, const int[::1] terms, const float[::1] counts):
        """Add a document and return its row.

        terms: int32[t], distinct, ≥ 0. counts: float32[t], > 0. Raises ValueError otherwise.
        """
        cdef Py_ssize_t i, n = terms.shape[0]
        if counts.shape[0] != n:
            raise ValueError(f"terms has {n} entries but counts has {counts.shape[0]}")
        for i in range(n):
            if terms[i] < 0 or not counts[i] > 0:
                raise ValueError(f"entry {i}: term {terms[i]} must be ≥ 0 and count {counts[i]} > 0")
        with nogil:
            self.append(terms, counts, n)
        return <Py_ssize_t>self.lengths.size() - 1

    cdef void append(self, const int[::1] terms, const float[::1] counts, Py_ssize_t n) noexcept nogil:
        cdef Py_ssize_t i
        cdef Posting posting
        cdef double length = 0.0
        posting.row = <int>self.lengths.size()
        for i in range(n):
            if <size_t>terms[i] >= self.lists.size():
                self.lists.resize(terms[i] + 1)
            posting.tf = counts[i]
            self.lists[terms[i]].push_back(posting)
            self.forward_terms.push_back(terms[i])
            self.forward_counts.push_back(counts[i])
            length += counts[i]
        self.forward_offsets.push_back(<long long>self.forward_terms.size())
        self.lengths.push_back(<float>length)
        self.total_length += length

    def score(self, const int[::1] terms, const float[::1] weights, double k1, double b):
        """Score every row: float32[n], 0 where no term occurs.

        terms: int32[t], unknown ones (< 0 or never added) are skipped. weights: float32[t]. k1 ≥ 0, 0 ≤ b ≤ 1.
        """
        if weights.shape[0] != terms.shape[0]:
            raise ValueError(f"terms has {terms.shape[0]} entries but weights has {weights.shape[0]}")
        if k1 < 0 or b < 0 or b > 1:
            raise ValueError(f"k1 must be ≥ 0 and b in 0..1, got {k1} and {b}")
        scores = np.zeros(self.lengths.size(), dtype=np.float32)
        cdef float[::1] out = scores
        cdef Py_ssize_t n = terms.shape[0]
        with nogil:
            self.accumulate(terms, weights, n, k1, b, out)
        return scores

    cdef void accumulate(
        self, const int[::1] terms, const float[::1] weights, Py_ssize_t n, double k1, double b, float[::1] out
    ) noexcept nogil:
        cdef Py_ssize_t i
        cdef size_t p
        cdef double documents = <double>self.lengths.size(), df, gain, flat, slope, tf
        cdef Posting posting
        if documents == 0 or self.total_length == 0:
            return
        flat = k1 * (1.0 - b)
        slope = k1 * b * documents / self.total_length
        for i in range(n):
            if terms[i] < 0 or <size_t>terms[i] >= self.lists.size():
                continue
            df = <double>self.lists[terms[i]].size()
            gain = weights[i] * log(1.0 + (documents - df + 0.5) / (df + 0.5)) * (k1 + 1.0)
            for p in range(self.lists[terms[i]].size()):
                posting = self.lists[terms[i]][p]
                tf = posting.tf
                out[posting.row] += <float>(gain * tf / (tf + flat + slope * self.lengths[posting.row]))

    def idf(self, const int[::1] terms):
        """Return idf(t): float64[t]; unknown terms have that of a term in no document."""
        weights = np.empty(terms.shape[0], dtype=np.float64)
        cdef double[::1] out = weights
        cdef double documents = <double>self.lengths.size(), df
        cdef Py_ssize_t i
        for i in range(terms.shape[0]):
            df = 0.0
            if 0 <= terms[i] and <size_t>terms[i] < self.lists.size():
                df = <double>self.lists[terms[i]].size()
            out[i] = log(1.0 + (documents - df + 0.5) / (df + 0.5))
        return weights

    def document(self, Py_ssize_t row):
        """Return the (terms int32[t], counts float32[t]) that a row was added with. Raises IndexError."""
        if row < 0 or <size_t>row >= self.lengths.size():
            raise IndexError(f"row {row} is not in 0..{self.lengths.size() - 1}")
        cdef long long start = self.forward_offsets[row], stop = self.forward_offsets[row + 1]
        terms = np.empty(stop - start, dtype=np.int32)
        counts = np.empty(stop - start, dtype=np.float32)
        cdef int[::1] t = terms
        cdef float[::1] c = counts
        cdef long long i
        for i in range(start, stop):
            t[i - start] = self.forward_terms[i]
            c[i - start] = self.forward_counts[i]
        return terms, counts

    def dump(self):
        """Return (offsets int64[n + 1], terms int32[e], counts float32[e]): all that `load` needs."""
        offsets = np.empty(self.forward_offsets.size(), dtype=np.int64)
        terms = np.empty(self.forward_terms.size(), dtype=np.int32)
        counts = np.empty(self.forward_counts.size(), dtype=np.float32)
        cdef long long[::1] o = offsets
        cdef int[::1] t = terms
        cdef float[::1] c = counts
        cdef size_t i
        with nogil:
            for i in range(self.forward_offsets.size()):
                o[i] = self.forward_offsets[i]
            for i in range(self.forward_terms.size()):
                t[i] = self.forward_terms[i]
                c[i] = self.forward_counts[i]
        return offsets, terms, counts

    @staticmethod
    def load(const long long[::1] offsets, const int[::1] terms, const float[::1] counts):
        """Make postings of what `dump` returned. Raises ValueError if the arrays do not fit together."""
        cdef Py_ssize_t documents = offsets.shape[0] - 1, row, i
        if documents < 0 or offsets[0] != 0 or offsets[documents] != terms.shape[0]:
            raise ValueError("offsets must run from 0 to the number of terms")
        if counts.shape[0] != terms.shape[0]:
            raise ValueError(f"terms has {terms.shape[0]} entries but counts has {counts.shape[0]}")
        for row in range(documents):
            if offsets[row + 1] < offsets[row]:
                raise ValueError(f"offsets fall at row {row}")
        for i in range(terms.shape[0]):
            if terms[i] < 0 or not counts[i] > 0:
                raise ValueError(f"entry {i}: term {terms[i]} must be ≥ 0 and count {counts[i]} > 0")
        cdef Postings postings = Postings()
        with nogil:
            for row in range(documents):
                postings.append(
                    terms[offsets[row]:offsets[row + 1]],
                    counts[offsets[row]:offsets[row + 1]],
                    offsets[row + 1] - offsets[row],
                )
        return postings


cdef inline bint better(const float[::1] scores, int left, int right) noexcept nogil:
    return scores[left] > scores[right] or (scores[left] == scores[right] and left < right)


cdef void sink(const float[::1] scores, int[::1] heap, Py_ssize_t size, Py_ssize_t at) noexcept nogil:
    # The root is the worst of the kept rows.
    cdef Py_ssize_t child
    cdef int row = heap[at]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and better(scores, heap[child], heap[child + 1]):
            child += 1
        if not better(scores, row, heap[child]):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = row


cdef Py_ssize_t select(
    const float[::1] scores, const unsigned char[::1] allowed, Py_ssize_t k, int[::1] heap
) noexcept nogil:
    cdef Py_ssize_t size = 0, i, at
    cdef int row
    for row in range(<int>scores.shape[0]):
        if not allowed[row] or not scores[row] > 0:
            continue
        if size < k:
            heap[size] = row
            size += 1
            if size == k:
                for at in range(k // 2 - 1, -1, -1):
                    sink(scores, heap, k, at)
        elif better(scores, row, heap[0]):
            heap[0] = row
            sink(scores, heap, k, 0)
    if size < k:
        for at in range(size // 2 - 1, -1, -1):
            sink(scores, heap, size, at)
    for i in range(size - 1, 0, -1):
        row = heap[0]
        heap[0] = heap[i]
        heap[i] = row
        sink(scores, heap, i, 0)
    return size


def top_k(const float[::1] scores, const unsigned char[::1] allowed, Py_ssize_t k):
    """Return the rows of the k highest positive scores, best first; among equals the lower row.

    scores: float32[n]. allowed: uint8[n], 0 leaves a row out. k ≥ 0. Returns int32[≤ k]. Raises ValueError.
    """
    if allowed.shape[0] != scores.shape[0]:
        raise ValueError(f"scores has {scores.shape[0]} rows but allowed has {allowed.shape[0]}")
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    k = min(k, scores.shape[0])
    rows = np.empty(k, dtype=np.int32)
    if k == 0:
        return rows
    cdef int[::1] heap = rows
    cdef Py_ssize_t size
    with nogil:
        size = select(scores, allowed, k, heap)
    return rows[:size]
