"""Rows that are worth a look for a query, by short codes of their vectors.

A vector is cut into parts, and the code of each part names the nearest of 16 centroids (product quantisation, Jégou et
al. 2011). What a query's parts and these make is looked up in registers (André et al. 2015), in 8 bits each.
"""

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

cdef extern from "scan.h" nogil:
    const int CENTROIDS
    const int ROWS_OF_BLOCK
    const int BYTES_OF_PAIR
    const int SUM_MOST
    void make_table(
        const float* centroids, const float* query, long parts, long size, float* products, uint8_t* table
    ) noexcept
    ctypedef void (*summing)(
        const uint8_t* codes, long blocks, long pairs, const uint8_t* table, uint16_t* sums
    ) noexcept
    summing summing_of_this_machine() noexcept
    void leave_out(const uint8_t* allowed, uint16_t* sums, long size) noexcept
    uint16_t about_reached_by(const uint16_t* sums, long size, long k) noexcept
    void gather_reaching(
        const uint16_t* sums, const uint8_t* allowed, long size, uint16_t least, vector[int]& rows,
        vector[uint16_t]& theirs
    ) noexcept
    void keep_reaching(vector[int]& rows, const vector[uint16_t]& sums, long k) noexcept


def near(
    const uint8_t[::1] codes, const float[:, :, ::1] centroids, const float[::1] query, const uint8_t[::1] allowed,
    Py_ssize_t wanted,
):
    """Return int32[m], ascending: the rows that seem nearest to a query, `wanted` of them and all that equal the last.

    Rows past those that have codes are all among them. codes: uint8[b · 32 · ⌈p / 2⌉], 4 bits for each of p parts of
    the vectors of b ≤ ⌈n / 32⌉ blocks of 32 rows, as FAISS packs them (see scan.h). centroids: float32[p, d / p, 16], each number of all 16 of a part. query: float32[d], finite. allowed: uint8[n], 0 leaves a row
    out. wanted ≥ 0. Products are counted in steps of the widest part's 255th, wider if their sum could be above
    65,535 - p, half to even. Raises ValueError.
    """
    cdef Py_ssize_t parts = centroids.shape[0], n = allowed.shape[0]
    cdef Py_ssize_t pairs = (parts + 1) // 2, blocks, coded, row
    if not 0 < parts < SUM_MOST or centroids.shape[2] != CENTROIDS or centroids.shape[1] == 0:
        raise ValueError(f"centroids must be 16 of at least one number for each part, got {tuple(np.shape(centroids))}")
    if query.shape[0] != parts * centroids.shape[1]:
        raise ValueError(f"query has {query.shape[0]} numbers, centroids have {parts * centroids.shape[1]}")
    blocks = codes.shape[0] // (pairs * BYTES_OF_PAIR)
    coded = min(blocks * ROWS_OF_BLOCK, n)
    if codes.shape[0] % (pairs * BYTES_OF_PAIR) or blocks > (n + ROWS_OF_BLOCK - 1) // ROWS_OF_BLOCK:
        raise ValueError(
            f"codes of {n} rows must have {pairs * BYTES_OF_PAIR} bytes for each of up to "
            f"{(n + ROWS_OF_BLOCK - 1) // ROWS_OF_BLOCK} blocks, got {codes.shape[0]}"
        )
    if wanted < 0:
        raise ValueError(f"wanted must be ≥ 0, got {wanted}")
    cdef uint16_t about
    cdef vector[float] products
    cdef vector[uint8_t] table
    cdef vector[uint16_t] sums, theirs
    cdef vector[int] found
    if coded and wanted:
        with nogil:
            products.resize(parts * CENTROIDS)
            table.resize(pairs * BYTES_OF_PAIR, 0)
            make_table(&centroids[0, 0, 0], &query[0], parts, centroids.shape[1], products.data(), table.data())
            sums.resize(blocks * ROWS_OF_BLOCK)
            summing_of_this_machine()(&codes[0], blocks, pairs, table.data(), sums.data())
            leave_out(&allowed[0], sums.data(), coded)
            about = about_reached_by(sums.data(), coded, wanted)
            gather_reaching(sums.data(), &allowed[0], coded, about, found, theirs)
            keep_reaching(found, theirs, wanted)
    for row in range(coded, n):
        if allowed[row]:
            found.push_back(<int>row)
    rows = np.empty(found.size(), dtype=np.int32)
    cdef int[::1] out = rows
    if found.size():
        memcpy(&out[0], found.data(), found.size() * sizeof(int))
    return rows
