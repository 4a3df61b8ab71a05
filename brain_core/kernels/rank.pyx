"""From the lists that queries found to one order, in one pass: joined, looked at beside their neighbours, scored."""

from libc.math cimport NAN, fmax, sqrt
from libc.stdint cimport int16_t, uint8_t, uint64_t
from libcpp.algorithm cimport nth_element, sort
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

from brain_core.kernels.features cimport Columns, check_rows, fill, find_neighbours
from brain_core.kernels.fuse cimport ComesFirst, Entry, check_lists, join
from brain_core.kernels.vectors cimport SCALE, multiply, wholes_of

from brain_core.kernels.features import NAMES
from brain_core.kernels.fuse import METHODS

cnp.import_array()

cdef extern from "products.h" nogil:
    void prefetch_all(const void* place, long bytes) noexcept
    float float_dot(const float* left, const float* right, long size) noexcept

cdef enum:
    SAMPLE = 256  # rows whose cosines say what is usual in a memory
    AHEAD = 3  # sums on their way while one is looked at
    NEIGHBOURS_OF = 64  # best rows of the joined lists whose neighbours come in

cdef double LEAST_DEVIATION = 0.03
cdef float LEAST_LENGTH = 1e-6


cdef class Query:
    """What one query says of every row.

    words: (BM25 of every row float32[n], which of its words each has uint64[n], what each weighs float64[≤ 64], BM25 of
    every session float64[s]), which count word_trust. vector: float32[d], empty for none, which counts vector_trust.
    named: uint8[speakers], 1 where it holds the name. allowed: uint8[n], 0 where its filters leave a row out. weight:
    of the query, ≥ 0. most: rows that are kept of those that it scores best, ≥ 0.
    """

    cdef vector[int16_t] wholes  # of the vector, as rows meet it
    cdef float scale
    cdef const float[::1] lexical, vector
    cdef const uint64_t[::1] masks
    cdef const double[::1] weights, session_lexical
    cdef const unsigned char[::1] named, allowed
    cdef double word_trust, vector_trust, weight
    cdef Py_ssize_t most

    def __init__(
        self, words, double word_trust, vector, double vector_trust, named, allowed, double weight, Py_ssize_t most
    ):
        self.lexical, self.masks, self.weights, self.session_lexical = words
        self.word_trust, self.vector, self.vector_trust = word_trust, vector, vector_trust
        self.named, self.allowed, self.weight, self.most = named, allowed, weight, most
        self.scale = wholes_of(self.vector, self.wholes)
        if self.masks.shape[0] != self.lexical.shape[0] or self.allowed.shape[0] != self.lexical.shape[0]:
            raise ValueError(f"masks and allowed must have {self.lexical.shape[0]} entries, one for each of lexical")
        if self.weights.shape[0] > 64:
            raise ValueError(f"weights must have at most 64 entries, got {self.weights.shape[0]}")
        if not weight >= 0:
            raise ValueError(f"weight must be ≥ 0, got {weight}")
        if most < 0:
            raise ValueError(f"most must be ≥ 0, got {most}")


cdef class Memory:
    """What a ranking reads of every row, until a row is added.

    columns: as in features. status: uint8[n]. packed: uint8[n, d + 4], as of `vectors.quantise`. session_places:
    int32[s], where each session's sum of vectors stands, -1 is nowhere; session_sums: float32[≥ c, d]. Raises
    ValueError if shapes differ.
    """

    cdef const int[::1] before, after, start, session, speaker, chars
    cdef const unsigned char[::1] assistant, first_person, priority, status
    cdef const long long[::1] time_us
    cdef const float[::1] confidence
    cdef const uint8_t[:, ::1] packed
    cdef const int[::1] session_places
    cdef const float[:, ::1] session_sums
    cdef Columns of

    def __init__(self, dict columns, status, packed, session_places, session_sums):
        self.packed, self.status = packed, status
        self.session_places, self.session_sums = session_places, session_sums
        self.before, self.after, self.start = columns["before"], columns["after"], columns["start"]
        self.session, self.speaker, self.chars = columns["session"], columns["speaker"], columns["chars"]
        self.assistant, self.first_person = columns["assistant"], columns["first_person"]
        self.priority, self.time_us = columns["priority"], columns["time_us"]
        self.confidence = columns["confidence"]
        cdef Py_ssize_t i, n = self.packed.shape[0]
        for name, column in [*columns.items(), ("status", status)]:
            if len(column) != n:
                raise ValueError(f"column {name} has {len(column)} entries, not {n}")
        if self.session_sums.shape[1] != self.packed.shape[1] - SCALE:
            raise ValueError(
                f"sums have {self.session_sums.shape[1]} numbers, vectors have {self.packed.shape[1] - SCALE}"
            )
        for i in range(self.session_places.shape[0]):
            if self.session_places[i] >= self.session_sums.shape[0]:
                raise ValueError(f"session {i} has no sum at {self.session_places[i]}")
        if n:
            self.of.before, self.of.after, self.of.start = &self.before[0], &self.after[0], &self.start[0]
            self.of.session, self.of.speaker, self.of.chars = &self.session[0], &self.speaker[0], &self.chars[0]
            self.of.assistant, self.of.first_person = &self.assistant[0], &self.first_person[0]
            self.of.time_us, self.of.priority = &self.time_us[0], &self.priority[0]
            self.of.confidence = &self.confidence[0]

    cdef inline int sum_of(self, int row) noexcept nogil:
        """Where the sum of a row's session stands, -1 if nowhere."""
        cdef int session = self.session[row]
        return self.session_places[session] if 0 <= session < self.session_places.shape[0] else -1

    cdef void cosines(
        self, const int[::1] rows, Query query, float[::1] own, float[::1] of_sessions, double* mean, double* deviation,
    ) noexcept nogil:
        """Of rows and of their sessions, and what is usual in the memory."""
        cdef Py_ssize_t m = rows.shape[0]
        if m:
            multiply(self.packed, &rows[0], m, query.wholes.data(), query.scale, &own[0])
        self.of_their_sessions(rows, query.vector, own, of_sessions)
        self.usual(query, mean, deviation)

    cdef void of_their_sessions(
        self, const int[::1] rows, const float[::1] query, const float[::1] own, float[::1] out
    ) noexcept nogil:
        """The cosine of the sum of each row's session, the row's own where there is none."""
        cdef Py_ssize_t i, d = query.shape[0], m = rows.shape[0]
        cdef vector[float] known
        cdef vector[unsigned char] is_known
        cdef int place
        cdef const float* joined
        is_known.resize(self.session_sums.shape[0], 0)
        known.resize(self.session_sums.shape[0])
        for i in range(m):
            if i + AHEAD < m:
                place = self.sum_of(rows[i + AHEAD])
                if place >= 0 and not is_known[place]:
                    prefetch_all(&self.session_sums[place, 0], d * sizeof(float))
            place = self.sum_of(rows[i])
            if place < 0:
                out[i] = own[i]
                continue
            if not is_known[place]:
                joined = &self.session_sums[place, 0]
                known[place] = float_dot(joined, &query[0], d) / max(
                    <float>sqrt(float_dot(joined, joined, d)), LEAST_LENGTH
                )
                is_known[place] = 1
            out[i] = known[place]

    cdef void usual(self, Query query, double* mean, double* deviation) noexcept nogil:
        """Mean and deviation of the cosines of rows spread evenly."""
        cdef Py_ssize_t i, n = self.packed.shape[0]
        cdef Py_ssize_t size = n if n < SAMPLE else SAMPLE
        cdef double one, total = 0.0, squares = 0.0
        cdef vector[int] rows
        cdef vector[float] found
        rows.resize(size)
        found.resize(size)
        for i in range(size):
            rows[i] = <int>(i * n // size)
        multiply(self.packed, rows.data(), size, query.wholes.data(), query.scale, found.data())
        for i in range(size):
            total += found[i]
        mean[0] = total / size
        for i in range(size):
            one = found[i] - mean[0]
            squares += one * one
        deviation[0] = fmax(sqrt(squares / size), LEAST_DEVIATION)


def rank(Memory memory not None, list queries not None, lists, str method, double rrf_k, settings):
    """Return (rows int32[m], scores float64[m], queries int32[m], joined float64[m], recency float64[m], over).

    Best first; over: how many more there are than the queries keep.

    queries: Query of each. lists: (rows int32[r], scores float64[r], offsets int64[l + 1], weights float64[l], queries
    int32[l]), what queries found, as in `fuse`, and which of them. settings: (top_n, weights float64[13] of the
    features, deprecated status, factor on its score, now_us, half_life_us, ties int64[n] or empty).

    The lists are joined. The best top_n, and what stands beside the best 64 and no list has, get the best score that
    they have with a query: the weighted mean of their features times the query's weight. The rest follows below, by its
    joined score. With top_n 0 all stand by their joined score, as a share of the best. joined is NaN for what no list
    has, recency for what was not scored on features. queries: which gave the best score; of the rest, whose list comes
    first. Ties go by `ties`, then by row. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef const int[::1] rows, of_query
    cdef const double[::1] list_scores, list_weights, weights
    cdef const long long[::1] offsets, ties
    cdef Py_ssize_t top_n, i, j, m, head, n = memory.packed.shape[0]
    cdef int deprecated
    cdef double factor, half_life_us
    cdef long long now_us
    rows, list_scores, offsets, list_weights, of_query = lists
    top_n, weights, deprecated, factor, now_us, half_life_us, ties = settings
    if method not in METHODS:
        raise ValueError(f"method must be one of {sorted(METHODS)}, got {method!r}")
    if top_n < 0:
        raise ValueError(f"top_n must be ≥ 0, got {top_n}")
    check_settings(weights, half_life_us, ties, n)
    check_queries(memory, queries)
    check_lists(rows, list_scores, offsets, list_weights, rrf_k)
    check_rows(rows, memory.before, memory.after, n)
    for i in range(of_query.shape[0]):
        if not 0 <= of_query[i] < len(queries):
            raise IndexError(f"list {i} is of query {of_query[i]}, not of one of {len(queries)}")
    if of_query.shape[0] != list_weights.shape[0]:
        raise ValueError(f"lists are of {of_query.shape[0]} queries, there are {list_weights.shape[0]} lists")
    cdef int code = METHODS[method]
    cdef vector[Entry] entries
    cdef vector[int] near
    with nogil:
        join(rows, list_scores, offsets, list_weights, code, rrf_k, entries)
        put_best_first(entries, top_n)
    m = <Py_ssize_t>entries.size()
    listed = np.empty(m, dtype=np.int32)
    cdef int[::1] listed_view = listed
    for i in range(m):
        listed_view[i] = entries[i].row
    head = min(top_n, m)
    if head:
        any_allowed = allowed_by_any(queries)
        find_neighbours(listed_view, NEIGHBOURS_OF, memory.of.before, memory.of.after, any_allowed, near)
    cdef Py_ssize_t beside = <Py_ssize_t>near.size(), total = m + beside, scored = head + beside
    all_rows, all_scores = np.empty(total, dtype=np.int32), np.zeros(total)
    all_queries, joined = np.zeros(total, dtype=np.int32), np.full(total, np.nan)
    recency = np.full(total, np.nan)
    cdef int[::1] row_view = all_rows, query_view = all_queries
    cdef double[::1] score_view = all_scores, joined_view = joined, recency_view = recency
    for i in range(head):
        row_view[i], joined_view[i] = listed_view[i], entries[i].score
    for i in range(beside):
        row_view[head + i] = near[i]
    for i in range(head, m):
        row_view[beside + i], joined_view[beside + i] = listed_view[i], entries[i].score
        query_view[beside + i] = of_query[entries[i].place]
    if scored:
        score(
            memory, queries, row_view[:scored], weights, now_us, half_life_us, score_view[:scored],
            query_view[:scored], recency_view[:scored],
        )
        for i in range(scored):
            if memory.status[row_view[i]] == deprecated:
                score_view[i] *= factor
    with nogil:
        follow(entries, head, score_view[:scored], score_view[scored:])
        arrange(row_view, score_view, ties, entries)
    keep(entries, queries, query_view)
    kept = in_order(entries, row_view, score_view, query_view, joined_view, recency_view)
    return *kept, total - <Py_ssize_t>entries.size()


cdef void put_best_first(vector[Entry]& entries, size_t top_n) noexcept nogil:
    """Put joined rows in order as far as it matters: which are scored, whose neighbours come in, how the rest follows."""
    if top_n < entries.size():
        sort(entries.begin(), entries.end(), ComesFirst())
    elif NEIGHBOURS_OF < entries.size():
        nth_element(entries.begin(), entries.begin() + NEIGHBOURS_OF, entries.end(), ComesFirst())


cdef int keep(vector[Entry]& entries, list queries, const int[::1] of_query) except -1:
    """Leave of each query the most that are kept, best first."""
    cdef size_t i, kept = 0, most
    cdef vector[Py_ssize_t] left
    cdef Query query
    for query in queries:
        left.push_back(query.most)
    if left.size() == 1 and <size_t>left[0] < entries.size():
        most = left[0]
        nth_element(entries.begin(), entries.begin() + most, entries.end(), ComesFirst())
        entries.resize(most)
    sort(entries.begin(), entries.end(), ComesFirst())
    for i in range(entries.size()):
        if left[of_query[entries[i].place]] > 0:
            left[of_query[entries[i].place]] -= 1
            entries[kept] = entries[i]
            kept += 1
    entries.resize(kept)
    return 0


cdef in_order(
    const vector[Entry]& entries, const int[::1] rows, const double[::1] scores, const int[::1] queries,
    const double[::1] joined, const double[::1] recency,
):
    """What `rank` returns of rows, of columns that are in no order."""
    cdef Py_ssize_t i, place, total = <Py_ssize_t>entries.size()
    found_rows, found_queries = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    found_scores, found_joined, found_recency = np.empty(total), np.empty(total), np.empty(total)
    cdef int[::1] row_out = found_rows, query_out = found_queries
    cdef double[::1] score_out = found_scores, joined_out = found_joined, recency_out = found_recency
    for i in range(total):
        place = entries[i].place
        row_out[i], query_out[i] = rows[place], queries[place]
        score_out[i], joined_out[i], recency_out[i] = scores[place], joined[place], recency[place]
    return found_rows, found_scores, found_queries, found_joined, found_recency


cdef int check_settings(
    const double[::1] weights, double half_life_us, const long long[::1] ties, Py_ssize_t n
) except -1:
    cdef Py_ssize_t i
    cdef double total = 0.0
    if weights.shape[0] != len(NAMES):
        raise ValueError(f"weights must have {len(NAMES)} entries, got {weights.shape[0]}")
    for i in range(weights.shape[0]):
        if not weights[i] >= 0:
            raise ValueError(f"weights[{i}] must be ≥ 0, got {weights[i]}")
        total += weights[i]
    if not total > 0:
        raise ValueError("weights must have a positive sum")
    if not half_life_us > 0:
        raise ValueError(f"half_life_us must be > 0, got {half_life_us}")
    if ties.shape[0] not in (0, n):
        raise ValueError(f"ties must have {n} entries or none, got {ties.shape[0]}")
    return 0


cdef int check_queries(Memory memory, list queries) except -1:
    cdef Query query
    for number, query in enumerate(queries):
        if query.lexical.shape[0] != memory.packed.shape[0]:
            raise ValueError(f"query {number} is of {query.lexical.shape[0]} rows, not {memory.packed.shape[0]}")
        if query.vector.shape[0] not in (0, memory.packed.shape[1] - SCALE):
            raise ValueError(f"query {number}: vector has {query.vector.shape[0]} numbers")
    return 0


cdef allowed_by_any(list queries):
    cdef Query first = queries[0]
    if len(queries) == 1:
        return np.asarray(first.allowed)
    return np.maximum.reduce([np.asarray((<Query>one).allowed) for one in queries])


cdef int score(
    Memory memory, list queries, const int[::1] rows, const double[::1] weights, long long now_us, double half_life_us,
    double[::1] scores, int[::1] best, double[::1] recency,
) except -1:
    """The best weighted score of each row over the queries, which query it is of, and how recent the row is."""
    cdef Py_ssize_t i, j, m = rows.shape[0], f = weights.shape[0]
    cdef double value, total = 0.0, mean = 0.0, deviation = 1.0
    cdef Query query
    cdef int number = 0
    matrix = np.empty((m, f))
    own, of_sessions = np.zeros(m, dtype=np.float32), np.zeros(m, dtype=np.float32)
    cdef double[:, ::1] out = matrix
    cdef float[::1] own_view = own, sessions_view = of_sessions
    cdef int where = RECENCY
    cdef vector[double] shares
    for i in range(f):
        total += weights[i]
    for i in range(f):
        shares.push_back(weights[i] / total)
    for query in queries:
        with nogil:
            mean, deviation = 0.0, 1.0
            if query.vector.shape[0]:
                memory.cosines(rows, query, own_view, sessions_view, &mean, &deviation)
            else:
                own_view[:] = 0
                sessions_view[:] = 0
            fill(
                rows, query.lexical, query.masks, query.weights, query.session_lexical, query.word_trust, own_view,
                sessions_view, mean, deviation, query.vector_trust, query.named, &memory.of, now_us, half_life_us, out,
            )
            for i in range(m):
                value = 0.0
                for j in range(f):
                    value += out[i, j] * shares[j]
                value = value * query.weight if query.allowed[rows[i]] else 0.0
                if value > scores[i]:
                    scores[i], best[i] = value, number
                recency[i] = out[i, where]
        number += 1
    return 0


cdef void follow(
    const vector[Entry]& entries, Py_ssize_t head, const double[::1] scored, double[::1] tail
) noexcept nogil:
    """Score what no features were looked at of: below all others, as a share of the best joined score."""
    cdef Py_ssize_t i
    cdef double low = 1.0, share
    for i in range(scored.shape[0]):
        low = scored[i] if i == 0 or scored[i] < low else low
    for i in range(tail.shape[0]):
        share = entries[head + i].score / entries[0].score if entries[0].score > 0 else 1.0 / (head + i + 1)
        tail[i] = low * share


cdef void arrange(
    const int[::1] rows, const double[::1] scores, const long long[::1] ties, vector[Entry]& entries
) noexcept nogil:
    cdef Py_ssize_t i
    entries.resize(rows.shape[0])
    for i in range(rows.shape[0]):
        entries[i].row, entries[i].score, entries[i].place = rows[i], scores[i], <int>i
        entries[i].tie = ties[rows[i]] if ties.shape[0] else 0


cdef int RECENCY = NAMES.index("recency")
