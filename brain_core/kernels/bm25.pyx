"""BM25 over postings that grow by one document at a time, and over groups of documents as if each were one.

Formula (Robertson and Zaragoza 2009, with Lucene's always-positive idf):
    idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))
    score  = sum over t of idf(t)^power · tf·(k1 + 1) / (tf + k1·(1 - b + b·length / mean length))
A length below `least_length` counts as that: of two short turns the shorter is not the better.
"""

from libc.math cimport log, pow
from libc.stdint cimport uint64_t
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
    cdef vector[int] groups
    cdef vector[double] group_lengths
    cdef double total_length, total_group_length
    cdef float least_length

    def __cinit__(self, float least_length=0.0):
        self.forward_offsets.push_back(0)
        self.total_length = self.total_group_length = 0.0
        self.least_length = least_length

    def __len__(self):
        return <Py_ssize_t>self.lengths.size()

    @property
    def nbytes(self):
        """Bytes held, estimated: forward lists, postings and one list header per term."""
        cdef long long entries = <long long>self.forward_terms.size()
        return entries * (8 + sizeof(Posting)) + <long long>self.lengths.size() * 16 + <long long>self.lists.size() * 24

    def add(self, const int[::1] terms, const float[::1] counts, int group=-1):
        """Add a document and return its row.

        terms: int32[t], distinct, ≥ 0. counts: float32[t], > 0. group: that it belongs to, -1 is none. Raises
        ValueError otherwise.
        """
        cdef Py_ssize_t i, n = terms.shape[0]
        if group < -1:
            raise ValueError(f"group must be ≥ -1, got {group}")
        if counts.shape[0] != n:
            raise ValueError(f"terms has {n} entries but counts has {counts.shape[0]}")
        for i in range(n):
            if terms[i] < 0 or not counts[i] > 0:
                raise ValueError(f"entry {i}: term {terms[i]} must be ≥ 0 and count {counts[i]} > 0")
        with nogil:
            self.append(terms, counts, n, group)
        return <Py_ssize_t>self.lengths.size() - 1

    cdef void append(self, const int[::1] terms, const float[::1] counts, Py_ssize_t n, int group) noexcept nogil:
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
        self.groups.push_back(group)
        if group >= 0:
            if <size_t>group >= self.group_lengths.size():
                self.group_lengths.resize(group + 1, 0.0)
            self.group_lengths[group] += length
            self.total_group_length += length
        length = max(length, <double>self.least_length)
        self.lengths.push_back(<float>length)
        self.total_length += length

    def score(
        self, const int[::1] terms, const int[::1] bits, double power, double k1, double b, double group_k1,
    ):
        """Score every row and every group.

        terms: int32[t], distinct, unknown ones (< 0 or never added) are skipped. bits: int32[t], below 64, the place of
        each term in the masks, < 0 is none. power ≥ 0, k1 ≥ 0, group_k1 ≥ 0, 0 ≤ b ≤ 1. Returns (rows float32[n], 0
        where no term occurs; masks uint64[n], which terms a row has; groups float64[g], each as one document).
        """
        if bits.shape[0] != terms.shape[0]:
            raise ValueError(f"terms has {terms.shape[0]} entries but bits has {bits.shape[0]}")
        if not (power >= 0 and k1 >= 0 and group_k1 >= 0 and 0 <= b <= 1):
            raise ValueError(f"power, k1 and group_k1 must be ≥ 0 and b in 0..1, got {power}, {k1}, {group_k1} and {b}")
        cdef Py_ssize_t i
        for i in range(bits.shape[0]):
            if bits[i] >= 64:
                raise ValueError(f"bits[{i}] must be below 64, got {bits[i]}")
        scores = np.zeros(self.lengths.size(), dtype=np.float32)
        masks = np.zeros(self.lengths.size(), dtype=np.uint64)
        groups = np.zeros(self.group_lengths.size(), dtype=np.float64)
        cdef float[::1] out = scores
        cdef uint64_t[::1] mask = masks
        cdef double[::1] group_out = groups
        with nogil:
            self.accumulate(terms, bits, power, k1, b, out, mask)
            self.accumulate_groups(terms, power, group_k1, b, group_out)
        return scores, masks, groups

    cdef void accumulate(
        self, const int[::1] terms, const int[::1] bits, double power, double k1, double b, float[::1] out,
        uint64_t[::1] masks,
    ) noexcept nogil:
        cdef Py_ssize_t i
        cdef size_t p
        cdef double documents = <double>self.lengths.size(), df, gain, flat, slope, tf
        cdef uint64_t bit
        cdef Posting posting
        if documents == 0 or self.total_length == 0:
            return
        flat = k1 * (1.0 - b)
        slope = k1 * b * documents / self.total_length
        for i in range(terms.shape[0]):
            if terms[i] < 0 or <size_t>terms[i] >= self.lists.size():
                continue
            df = <double>self.lists[terms[i]].size()
            gain = pow(log(1.0 + (documents - df + 0.5) / (df + 0.5)), power) * (k1 + 1.0)
            bit = (<uint64_t>1) << bits[i] if bits[i] >= 0 else 0
            for p in range(self.lists[terms[i]].size()):
                posting = self.lists[terms[i]][p]
                tf = posting.tf
                out[posting.row] += <float>(gain * tf / (tf + flat + slope * self.lengths[posting.row]))
                masks[posting.row] |= bit

    cdef void accumulate_groups(
        self, const int[::1] terms, double power, double k1, double b, double[::1] out
    ) noexcept nogil:
        cdef Py_ssize_t i
        cdef size_t p
        cdef double count = <double>self.group_lengths.size(), df, gain, flat, slope, tf
        cdef int group
        cdef vector[double] frequency
        cdef vector[int] touched
        if count == 0 or self.total_group_length == 0:
            return
        frequency.resize(self.group_lengths.size(), 0.0)
        flat = k1 * (1.0 - b)
        slope = k1 * b * count / self.total_group_length
        for i in range(terms.shape[0]):
            if terms[i] < 0 or <size_t>terms[i] >= self.lists.size():
                continue
            touched.clear()
            for p in range(self.lists[terms[i]].size()):
                group = self.groups[self.lists[terms[i]][p].row]
                if group < 0:
                    continue
                if frequency[group] == 0:
                    touched.push_back(group)
                frequency[group] += self.lists[terms[i]][p].tf
            df = <double>touched.size()
            gain = pow(log(1.0 + (count - df + 0.5) / (df + 0.5)), power) * (k1 + 1.0)
            for p in range(touched.size()):
                group = touched[p]
                tf = frequency[group]
                out[group] += gain * tf / (tf + flat + slope * self.group_lengths[group])
                frequency[group] = 0.0

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
    def load(
        const long long[::1] offsets, const int[::1] terms, const float[::1] counts, const int[::1] groups,
        float least_length=0.0,
    ):
        """Make postings of what `dump` returned, and the group of each row: int32[n], -1 is none.

        Raises ValueError if the arrays do not fit together.
        """
        cdef Py_ssize_t documents = offsets.shape[0] - 1, row, i
        if documents < 0 or offsets[0] != 0 or offsets[documents] != terms.shape[0]:
            raise ValueError("offsets must run from 0 to the number of terms")
        if counts.shape[0] != terms.shape[0]:
            raise ValueError(f"terms has {terms.shape[0]} entries but counts has {counts.shape[0]}")
        if groups.shape[0] != documents:
            raise ValueError(f"groups has {groups.shape[0]} entries, there are {documents} rows")
        for row in range(documents):
            if offsets[row + 1] < offsets[row] or groups[row] < -1:
                raise ValueError(f"offsets fall or the group is bad at row {row}")
        for i in range(terms.shape[0]):
            if terms[i] < 0 or not counts[i] > 0:
                raise ValueError(f"entry {i}: term {terms[i]} must be ≥ 0 and count {counts[i]} > 0")
        cdef Postings postings = Postings(least_length)
        with nogil:
            for row in range(documents):
                postings.append(
                    terms[offsets[row]:offsets[row + 1]],
                    counts[offsets[row]:offsets[row + 1]],
                    offsets[row + 1] - offsets[row],
                    groups[row],
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
