"""One vector from several: of rows of a table of bytes, and which these are, and of a query amid its hints."""

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


cdef int check_table(const signed char[:, ::1] rows, const float[::1] scales) except -1:
    if scales.shape[0] != rows.shape[0]:
        raise ValueError(f"rows has {rows.shape[0]} entries but scales has {scales.shape[0]}")
    if rows.shape[1] == 0:
        raise ValueError("rows must have at least one column")
    return 0


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


cdef class Pool:
    """What tokens and words are pooled from: a table of bytes, and of each word some of its rows and their weights."""

    cdef const signed char[:, ::1] rows
    cdef const float[::1] scales, weights
    cdef const int[::1] starts, ids

    def __init__(
        self, const signed char[:, ::1] rows not None, const float[::1] scales not None,
        const int[::1] starts not None, const int[::1] ids not None, const float[::1] weights not None,
    ):
        """rows: int8[n, d], d ≥ 1; row i stands for scales[i] · rows[i]. scales: float32[n].

        starts: int32[words + 1], from 0 to k and never falling: those of word w are ids[starts[w]:starts[w + 1]]. ids:
        int32[k], 0..n - 1. weights: float32[k]. Raises ValueError.
        """
        check_table(rows, scales)
        check_ids(rows, ids, weights)
        check_ends(starts, ids.shape[0], "starts")
        self.rows, self.scales, self.starts, self.ids, self.weights = rows, scales, starts, ids, weights

    def vector(self, list tokens not None, list words not None):
        """Return the weighted sum of tokens' rows and of words' rows, of unit length, float32[d]; zeros if it is zero.

        tokens: of 0..n - 1. words: numbers of words. Each is added where it first stands, tokens first; what is there m
        times weighs √m. Raises ValueError.
        """
        cdef cnp.npy_intp d = self.rows.shape[1]
        cdef vector[int] ids, numbers
        cdef vector[float] weights, often
        check_numbers(tokens, self.rows.shape[0], "tokens")
        check_numbers(words, self.starts.shape[0] - 1, "words")
        count_tokens(tokens, ids, weights)
        count_tokens(words, numbers, often)
        pooled = cnp.PyArray_EMPTY(1, &d, cnp.NPY_FLOAT32, 0)
        cdef float* out = <float*>cnp.PyArray_DATA(pooled)
        with nogil:
            self.add_words(numbers, often, ids, weights)
            add_rows(self.rows, self.scales, ids.data(), weights.data(), <Py_ssize_t>ids.size(), out)
            to_unit_length(out, d)
        return pooled

    cdef void add_words(
        self, const vector[int]& words, const vector[float]& often, vector[int]& ids, vector[float]& weights,
    ) noexcept nogil:
        cdef size_t word
        cdef int i
        for word in range(words.size()):
            for i in range(self.starts[words[word]], self.starts[words[word] + 1]):
                ids.push_back(self.ids[i])
                weights.push_back(self.weights[i] * often[word])


cdef int check_numbers(list numbers, Py_ssize_t count, str what) except -1:
    for place, number in enumerate(numbers):
        if not 0 <= number < count:
            raise ValueError(f"{what}[{place}] must be in 0..{count - 1}, got {number}")
    return 0


cdef int check_ends(const int[::1] ends, Py_ssize_t count, str what) except -1:
    cdef Py_ssize_t i, last = ends.shape[0] - 1
    if last < 0 or ends[0] != 0 or ends[last] != count:
        raise ValueError(f"{what} must run from 0 to {count}")
    for i in range(last):
        if ends[i + 1] < ends[i]:
            raise ValueError(f"{what} must not fall")
    return 0


def turned(const float[:, ::1] vectors not None, list pairs not None, float share):
    """Return float32[pairs, d]: of each pair a row of vectors turned to another, which is share times of it added.

    vectors: float32[n, d], d ≥ 1. pairs: (row, row that it is turned to), 0..n - 1, or (row, -1): as it is. What is
    turned is of unit length, or zeros if the sum is zero. Raises ValueError.
    """
    cdef Py_ssize_t place, n = vectors.shape[0], d = vectors.shape[1]
    cdef int row, other
    if d == 0:
        raise ValueError("vectors must have at least one number")
    cdef cnp.npy_intp[2] shape = [len(pairs), d]
    found = cnp.PyArray_EMPTY(2, shape, cnp.NPY_FLOAT32, 0)
    cdef float* out = <float*>cnp.PyArray_DATA(found)
    for place, (row, other) in enumerate(pairs):
        if not (0 <= row < n and -1 <= other < n):
            raise ValueError(f"pairs[{place}] must be of rows in 0..{n - 1}, got {row} and {other}")
        with nogil:
            turn(&vectors[row, 0], &vectors[other, 0] if other >= 0 else NULL, share, d, out + place * d)
    return found


cdef void turn(const float* own, const float* other, float share, Py_ssize_t d, float* out) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(d):
        out[i] = own[i] + share * other[i] if other else own[i]
    if other:
        to_unit_length(out, d)


def pool_parts(
    const signed char[:, ::1] rows, const float[::1] scales, const int[::1] ids, const float[::1] weights,
    const int[::1] ends,
):
    """Return the weighted sums of some parts, as they are: float32[p, d].

    rows: int8[n, d], d ≥ 1; row i stands for scales[i] · rows[i]. scales: float32[n]. ids: int32[k], 0..n - 1. weights:
    float32[k]. ends: int32[p + 1], from 0 to k and never falling: part i is of ids[ends[i]:ends[i + 1]]. Raises
    ValueError.
    """
    cdef Py_ssize_t i, k = ids.shape[0], p = ends.shape[0] - 1
    check_table(rows, scales)
    check_ids(rows, ids, weights)
    check_ends(ends, k, "ends")
    sums = np.empty((p, rows.shape[1]), dtype=np.float32)
    cdef float[:, ::1] out = sums
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
