"""From the lists that queries found to one order, in one pass: joined, looked at beside their neighbours, scored."""

from libc.math cimport NAN, fmax, sqrt
from libc.stdint cimport int16_t, uint8_t, uint64_t
from libcpp.algorithm cimport nth_element, sort
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

from brain_core.kernels.features cimport FEATURES, Columns, check_rows, fill, find_neighbours
from brain_core.kernels.fuse cimport ComesFirst, Entry, Listed, join, method_of, take
from brain_core.kernels.vectors cimport SCALE, multiply, wholes_of

from brain_core.kernels.features import NAMES

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

    columns: as in features. faded: uint8[n], 1 where a score counts less. packed: uint8[n, d + 4], as of `vectors.quantise`. session_places:
    int32[s], where each session's sum of vectors stands, -1 is nowhere; session_sums: float32[≥ c, d]. Raises
    ValueError if shapes differ.
    """

    cdef const int[::1] before, after, start, session, speaker, chars
    cdef const unsigned char[::1] assistant, first_person, priority, faded
    cdef const long long[::1] time_us
    cdef const float[::1] confidence
    cdef const uint8_t[:, ::1] packed
    cdef const int[::1] session_places
    cdef const float[:, ::1] session_sums
    cdef Columns of

    def __init__(self, dict columns, faded, packed, session_places, session_sums):
        self.packed, self.faded = packed, faded
        self.session_places, self.session_sums = session_places, session_sums
        self.before, self.after, self.start = columns["before"], columns["after"], columns["start"]
        self.session, self.speaker, self.chars = columns["session"], columns["speaker"], columns["chars"]
        self.assistant, self.first_person = columns["assistant"], columns["first_person"]
        self.priority, self.time_us = columns["priority"], columns["time_us"]
        self.confidence = columns["confidence"]
        cdef Py_ssize_t i, n = self.packed.shape[0]
        for name, column in [*columns.items(), ("faded", faded)]:
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
        self, const vector[int]& rows, Query query, vector[float]& own, vector[float]& of_sessions, double* mean,
        double* deviation,
    ) noexcept nogil:
        """Of rows and of their sessions, and what is usual in the memory."""
        multiply(self.packed, rows.data(), <Py_ssize_t>rows.size(), query.wholes.data(), query.scale, own.data())
        self.of_their_sessions(rows, query.vector, own, of_sessions)
        self.usual(query, mean, deviation)

    cdef void of_their_sessions(
        self, const vector[int]& rows, const float[::1] query, const vector[float]& own, vector[float]& out
    ) noexcept nogil:
        """The cosine of the sum of each row's session, the row's own where there is none."""
        cdef Py_ssize_t i, d = query.shape[0], m = <Py_ssize_t>rows.size()
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


cdef struct Ranked:
    vector[int] rows, queries  # of each row which query it is of
    vector[double] scores, joined, recency


def rank(Memory memory not None, list queries, list lists not None, str method not None, double rrf_k, settings):
    """Return (rows int32[m], scores float64[m], queries int32[m], joined float64[m], recency float64[m], over).

    Best first; over: how many more there are than the queries keep.

    queries: Query of each. lists: (rows int32[r], scores float64[r], weight, place of the query) of each that a query
    found, as in `fuse`. settings: (top_n, weights float64[13] of the features, factor on the score of what is
    faded, now_us, half_life_us, ties int64[n] or empty).

    The lists are joined. The best top_n, and what stands beside the best 64 and no list has, get the best score that
    they have with a query: the weighted mean of their features times the query's weight. The rest follows below, by its
    joined score. With top_n 0 all stand by their joined score, as a share of the best. joined is NaN for what no list
    has, recency for what was not scored on features. queries: which gave the best score; of the rest, whose list comes
    first. Ties go by `ties`, then by row. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef const double[::1] weights
    cdef const long long[::1] ties
    cdef Py_ssize_t top_n, i, m, head, beside, n = memory.packed.shape[0]
    cdef int code = method_of(method, rrf_k)
    cdef double factor, half_life_us
    cdef long long now_us
    top_n, weights, factor, now_us, half_life_us, ties = settings
    if top_n < 0:
        raise ValueError(f"top_n must be ≥ 0, got {top_n}")
    check_settings(weights, half_life_us, ties, n)
    check_queries(memory, queries)
    cdef vector[Listed] found
    cdef vector[int] of_query, near
    take_lists(lists, len(queries), found, of_query)
    for i in range(<Py_ssize_t>found.size()):
        check_rows(found[i].rows, found[i].size, &memory.of, n)
    cdef vector[Entry] entries
    cdef Ranked out
    with nogil:
        join(found, code, rrf_k, entries)
        put_best_first(entries, top_n)
        m = <Py_ssize_t>entries.size()
        head = min(top_n, m)
        for i in range(m):
            out.rows.push_back(entries[i].row)
    if head:
        find_beside(memory, queries, out.rows, near)
    beside = <Py_ssize_t>near.size()
    with nogil:
        out.rows.insert(out.rows.begin() + head, near.begin(), near.end())
        out.scores.resize(m + beside, 0.0)
        out.queries.resize(m + beside, 0)
        out.joined.resize(m + beside, NAN)
        out.recency.resize(m + beside, NAN)
        for i in range(m):
            out.joined[i if i < head else beside + i] = entries[i].score
            if i >= head:
                out.queries[beside + i] = of_query[entries[i].place]
    if head:
        score(memory, queries, head + beside, weights, now_us, half_life_us, out)
    with nogil:
        for i in range(head + beside):
            if memory.faded[out.rows[i]]:
                out.scores[i] *= factor
        follow(entries, head, head + beside, out.scores)
        arrange(out, ties, entries)
    keep(entries, queries, out.queries)
    return *in_order(entries, out), m + beside - <Py_ssize_t>entries.size()


cdef int take_lists(list lists, Py_ssize_t queries, vector[Listed]& found, vector[int]& of_query) except -1:
    """Take what each list holds, and of which query it is."""
    cdef int number
    for rows, scores, weight, of in lists:
        number = of
        if not 0 <= number < queries:
            raise IndexError(f"list {found.size()} is of query {number}, not of one of {queries}")
        take(rows, scores, weight, found)
        of_query.push_back(number)
    return 0


cdef int find_beside(Memory memory, list queries, const vector[int]& listed, vector[int]& near) except -1:
    """Find what stands beside the best rows, no list has, and some query may find."""
    cdef Query first = queries[0], query
    cdef const unsigned char* allowed = &first.allowed[0]
    cdef vector[unsigned char] by_any
    cdef Py_ssize_t i
    if len(queries) > 1:
        by_any.assign(&first.allowed[0], &first.allowed[0] + first.allowed.shape[0])
        for query in queries:
            for i in range(query.allowed.shape[0]):
                by_any[i] |= query.allowed[i]
        allowed = by_any.data()
    find_neighbours(
        listed.data(), <Py_ssize_t>listed.size(), NEIGHBOURS_OF, memory.of.before, memory.of.after, allowed, near
    )
    return 0


cdef void put_best_first(vector[Entry]& entries, size_t top_n) noexcept nogil:
    """Put joined rows in order as far as it matters: which are scored, whose neighbours come in, how the rest follows."""
    if top_n < entries.size():
        sort(entries.begin(), entries.end(), ComesFirst())
    elif NEIGHBOURS_OF < entries.size():
        nth_element(entries.begin(), entries.begin() + NEIGHBOURS_OF, entries.end(), ComesFirst())


cdef int keep(vector[Entry]& entries, list queries, const vector[int]& of_query) except -1:
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


cdef in_order(const vector[Entry]& entries, const Ranked& ranked):
    """What `rank` returns of rows, in the order of entries."""
    cdef Py_ssize_t i, place, total = <Py_ssize_t>entries.size()
    rows, queries = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    scores, joined, recency = np.empty(total), np.empty(total), np.empty(total)
    cdef int[::1] row_out = rows, query_out = queries
    cdef double[::1] score_out = scores, joined_out = joined, recency_out = recency
    for i in range(total):
        place = entries[i].place
        row_out[i], query_out[i] = ranked.rows[place], ranked.queries[place]
        score_out[i], joined_out[i] = ranked.scores[place], ranked.joined[place]
        recency_out[i] = ranked.recency[place]
    return rows, scores, queries, joined, recency


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


cdef int score(
    Memory memory, list queries, Py_ssize_t m, const double[::1] weights, long long now_us, double half_life_us,
    Ranked& out,
) except -1:
    """The best weighted score of the first m rows over the queries, which query it is of, and how recent each row is."""
    cdef Py_ssize_t i, j
    cdef double value, total = 0.0, mean, deviation
    cdef const double* features
    cdef Query query
    cdef int number = 0
    cdef vector[int] rows
    cdef vector[double] matrix, shares
    cdef vector[float] own, of_sessions
    rows.assign(out.rows.begin(), out.rows.begin() + m)
    matrix.resize(m * FEATURES)
    for i in range(FEATURES):
        total += weights[i]
    for i in range(FEATURES):
        shares.push_back(weights[i] / total)
    for query in queries:
        with nogil:
            own.assign(m, 0)
            of_sessions.assign(m, 0)
            mean, deviation = 0.0, 1.0
            if query.vector.shape[0]:
                memory.cosines(rows, query, own, of_sessions, &mean, &deviation)
            fill(
                rows, query.lexical, query.masks, query.weights, query.session_lexical, query.word_trust, own.data(),
                of_sessions.data(), mean, deviation, query.vector_trust, query.named, &memory.of, now_us, half_life_us,
                matrix.data(),
            )
            for i in range(m):
                features = matrix.data() + i * FEATURES
                value = 0.0
                for j in range(FEATURES):
                    value += features[j] * shares[j]
                value = value * query.weight if query.allowed[rows[i]] else 0.0
                if value > out.scores[i]:
                    out.scores[i], out.queries[i] = value, number
                out.recency[i] = features[RECENCY]
        number += 1
    return 0


cdef void follow(const vector[Entry]& entries, Py_ssize_t head, Py_ssize_t scored, vector[double]& scores) noexcept nogil:
    """Score what no features were looked at of: below all others, as a share of the best joined score."""
    cdef Py_ssize_t i
    cdef double low = 1.0, share
    for i in range(scored):
        low = scores[i] if i == 0 or scores[i] < low else low
    for i in range(head, <Py_ssize_t>entries.size()):
        share = entries[i].score / entries[0].score if entries[0].score > 0 else 1.0 / (i + 1)
        scores[scored + i - head] = low * share


cdef void arrange(const Ranked& ranked, const long long[::1] ties, vector[Entry]& entries) noexcept nogil:
    cdef Py_ssize_t i
    entries.resize(ranked.rows.size())
    for i in range(<Py_ssize_t>entries.size()):
        entries[i].row, entries[i].score, entries[i].place = ranked.rows[i], ranked.scores[i], <int>i
        entries[i].tie = ties[ranked.rows[i]] if ties.shape[0] else 0


cdef int RECENCY = NAMES.index("recency")
