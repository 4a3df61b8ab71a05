"""What is known of each candidate, as one row of numbers.

Conversation is a sequence: what was said just before and after a hit, what is said around it of the question's words,
and how well its session as a whole fits, is evidence too. Every feature is in 0..1 (semantic in 0..2), and is made so that
it means the same in a memory of chat, of long answers and of documents. A step of `rank`, which calls `fill` and `find_neighbours`;
alone, `features` and `neighbours` are for tests and benchmarks.
"""

from libc.math cimport exp2
from libc.stdint cimport uint64_t
from libcpp.algorithm cimport sort, unique
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

NAMES = (
    "lexical", "semantic", "before", "after", "around", "session_lexical", "session_semantic", "speaker", "concise",
    "first_person", "recency", "priority", "confidence",
)

COLUMNS = (
    "before", "after", "start", "session", "speaker", "chars", "assistant", "first_person", "time_us", "priority",
    "confidence",
)
"""Columns of index/chunks.py that features read."""

cdef extern from "order.h" nogil:
    cdef cppclass RowPlaces:
        RowPlaces(size_t rows)
        int& operator[](int row)

    void add_where(const uint64_t* masks, int bit, double gain, long size, double* sums) noexcept

cdef extern from "products.h" nogil:
    void prefetch(const void* place) noexcept

cdef enum:
    AROUND = 2  # messages on each side whose words count for a row
    REACH = 16  # rows of one message that are looked at from either end
    AHEAD = 8  # rows whose numbers are on their way while those of one are read

cdef double FADING = 300.0  # characters of a neighbour after which its words count half
cdef double LONG_ANSWER = 600.0  # characters of an assistant's text that is not concise at all
cdef double DEVIATIONS = 9.0  # standard deviations over the mean of a cosine that count as full
cdef double FIRST_PERSON = 3.0

cdef inline int first_before(const Columns* of, int row) noexcept nogil:
    """The last row of the message before a row's message, -1 if there is none."""
    return of.before[of.start[row]]


cdef inline int first_after(const Columns* of, int row) noexcept nogil:
    """The first row of the message after a row's message, -1 if there is none."""
    cdef int start = of.start[row]
    while row >= 0 and of.start[row] == start:
        row = of.after[row]
    return row


cdef double best_of_message(const Columns* of, const float[::1] lexical, int row, const int* step) noexcept nogil:
    """The best BM25 among the rows of the message that begins or ends at a row, in the direction of step."""
    cdef double best = 0.0
    cdef int start, seen = 0
    if row < 0:
        return 0.0
    start = of.start[row]
    while row >= 0 and of.start[row] == start and seen < REACH:
        best = max(best, <double>lexical[row])
        row = step[row]
        seen += 1
    return best


cdef uint64_t words_along(const Columns* of, const uint64_t[::1] masks, int row, const int* step) noexcept nogil:
    """The query's words from a row on to the end of the second message after its own, in the direction of step."""
    cdef uint64_t words = 0
    cdef int start = of.start[row], messages = 0, seen = 0
    while row >= 0 and seen < REACH:
        if of.start[row] != start:
            messages += 1
            start = of.start[row]
            if messages > AROUND:
                break
        words |= masks[row]
        row = step[row]
        seen += 1
    return words


cdef inline double fading(const Columns* of, int row) noexcept nogil:
    """By what that which a neighbour says is divided, if it ends or begins at a row: by more if it is long."""
    return 1.0 + of.chars[row] / FADING if row >= 0 else 1.0


cdef inline void ask_for(const Columns* of, const float* lexical, const uint64_t* masks, int row) noexcept nogil:
    """Have what `fill` reads of a row and of those beside it fetched: each column is a place of its own in memory."""
    prefetch(of.before + row)
    prefetch(of.after + row)
    prefetch(of.start + row)
    prefetch(of.session + row)
    prefetch(of.speaker + row)
    prefetch(of.chars + row)
    prefetch(of.assistant + row)
    prefetch(of.first_person + row)
    prefetch(of.time_us + row)
    prefetch(of.priority + row)
    prefetch(of.confidence + row)
    prefetch(lexical + row)
    prefetch(masks + row)


cdef inline double above(double cosine, double mean, double deviation) noexcept nogil:
    return min(max((cosine - mean) / (deviation * DEVIATIONS), 0.0), 1.0)


cdef void fill(
    const vector[int]& rows, const float[::1] lexical, const uint64_t[::1] masks, const double[::1] weights,
    const double[::1] session_lexical, double word_trust, const float* cosine, const float* session_cosine,
    double mean, double deviation, double vector_trust, const unsigned char[::1] named, const Columns* of,
    long long now_us, double half_life_us, double* out,
) noexcept nogil:
    """Features of rows, FEATURES of each in out. cosine, session_cosine: of each of rows."""
    cdef Py_ssize_t i, m = <Py_ssize_t>rows.size()
    cdef int row, left, right
    cdef double top = 0.0, session_top = 0.0, total = 0.0, age
    cdef double* one
    cdef vector[double] fades, shares
    cdef vector[uint64_t] words
    fades.resize(2 * m)
    words.resize(m)
    for i in range(weights.shape[0]):
        total += weights[i]
    for i in range(min(<Py_ssize_t>AHEAD, m)):
        ask_for(of, &lexical[0], &masks[0], rows[i])
    for i in range(m):
        row, one = rows[i], out + i * FEATURES
        if i + AHEAD < m:
            ask_for(of, &lexical[0], &masks[0], rows[i + AHEAD])
        left, right = first_before(of, row), first_after(of, row)
        fades[2 * i], fades[2 * i + 1] = fading(of, left), fading(of, right)
        words[i] = words_along(of, masks, row, of.before) | words_along(of, masks, row, of.after)
        age = <double>(now_us - of.time_us[row])
        one[0] = lexical[row]
        one[1] = vector_trust * (2.0 - word_trust) * above(cosine[i], mean, deviation)
        one[2] = best_of_message(of, lexical, left, of.before)
        one[3] = best_of_message(of, lexical, right, of.after)
        one[5] = session_lexical[of.session[row]] if 0 <= of.session[row] < session_lexical.shape[0] else 0.0
        one[6] = vector_trust * above(session_cosine[i], mean, deviation)
        one[7] = named[of.speaker[row]] if 0 <= of.speaker[row] < named.shape[0] else 0.0
        one[8] = 1.0 - min(of.chars[row] / LONG_ANSWER, 1.0) if of.assistant[row] else 1.0
        one[9] = min(of.first_person[row] / FIRST_PERSON, 1.0)
        one[10] = exp2(-age / half_life_us) if age > 0 else 1.0
        one[11] = 1.0 - of.priority[row] / 10.0
        one[12] = of.confidence[row]
        top = max(top, one[0], one[2], one[3])
        session_top = max(session_top, one[5])
    shares.resize(m, 0.0)
    for i in range(weights.shape[0]):
        add_where(words.data(), <int>i, weights[i], m, shares.data())
    for i in range(m):
        one = out + i * FEATURES
        one[0] = word_trust * one[0] / top if top > 0 else 0.0
        one[2] = word_trust * one[2] / top / fades[2 * i] if top > 0 else 0.0
        one[3] = word_trust * one[3] / top / fades[2 * i + 1] if top > 0 else 0.0
        one[4] = word_trust * (shares[i] / total if total > 0 else 0.0)
        one[5] = word_trust * one[5] / session_top if session_top > 0 else 0.0


def features(
    const int[::1] rows, words, double word_trust, vectors, double vector_trust, const unsigned char[::1] named,
    dict columns, long long now_us, double half_life_us,
):
    """Return float64[m, 13], columns as in NAMES, all in 0..1 but semantic, which is in 0..2.

    rows: int32[m], candidates. words: (BM25 of every row float32[n], which of the query's words each has uint64[n],
    what each word weighs float64[≤ 64], BM25 of every session float64[s]). vectors: (cosine of each candidate
    float32[m], of its session float32[m], mean and standard deviation > 0 of cosines over the memory). word_trust,
    vector_trust: 0..1, what lexical and semantic features are multiplied by. named: uint8[speakers], 1 where the query
    holds the name. columns: of every row, by name, as in index/chunks.py: before, after, start, session, speaker, chars
    int32[n]; assistant, first_person, priority uint8[n]; time_us int64[n]; confidence float32[n]. now_us and
    half_life_us > 0: from when and how fast recency falls.

    lexical, before, after are BM25 of the row and of the messages next to its own, by the best of all these; before and
    after fade with the neighbour's length. semantic and session_semantic are how far cosines stand above the mean, nine
    deviations being 1; semantic counts up to twice as far as words are not to be trusted, as those of another language
    are. around is the share of the query's weight said within two messages. session_lexical is by the
    best session. speaker tells that the query names who spoke. concise falls with the length of an assistant's text.
    first_person is how often "I" and its like occur, three times being 1. Raises ValueError if shapes differ or a row
    is out of range.
    """
    cdef const float[::1] lexical
    cdef const uint64_t[::1] masks
    cdef const double[::1] weights, session_lexical
    cdef const float[::1] cosine, session_cosine
    lexical, masks, weights, session_lexical = words
    cosine, session_cosine, mean, deviation = vectors
    cdef Py_ssize_t m = rows.shape[0], n = lexical.shape[0]
    cdef double mu = mean, sigma = deviation
    if cosine.shape[0] != m or session_cosine.shape[0] != m:
        raise ValueError(f"cosines must have {m} entries, one for each of rows")
    if masks.shape[0] != n:
        raise ValueError(f"masks must have {n} entries, one for each of lexical")
    if weights.shape[0] > 64:
        raise ValueError(f"weights must have at most 64 entries, got {weights.shape[0]}")
    if not (sigma > 0 and half_life_us > 0):
        raise ValueError(f"deviation and half_life_us must be > 0, got {sigma} and {half_life_us}")
    cdef const int[::1] before = columns["before"], after = columns["after"], start = columns["start"]
    cdef const int[::1] session = columns["session"], speaker = columns["speaker"], chars = columns["chars"]
    cdef const unsigned char[::1] assistant = columns["assistant"], first_person = columns["first_person"]
    cdef const unsigned char[::1] priority = columns["priority"]
    cdef const long long[::1] time_us = columns["time_us"]
    cdef const float[::1] confidence = columns["confidence"]
    for name, column in columns.items():
        if len(column) != n:
            raise ValueError(f"column {name} has {len(column)} entries, not {n}")
    matrix = np.zeros((m, len(NAMES)), dtype=np.float64)
    if m == 0:
        return matrix
    cdef vector[int] given
    given.assign(&rows[0], &rows[0] + m)
    cdef Columns of
    of.before, of.after, of.start, of.session, of.speaker = &before[0], &after[0], &start[0], &session[0], &speaker[0]
    of.chars, of.assistant, of.first_person = &chars[0], &assistant[0], &first_person[0]
    of.time_us, of.priority, of.confidence = &time_us[0], &priority[0], &confidence[0]
    cdef double[:, ::1] out = matrix
    check_rows(&rows[0], m, &of, n)
    with nogil:
        fill(
            given, lexical, masks, weights, session_lexical, word_trust, &cosine[0], &session_cosine[0], mu, sigma,
            vector_trust, named, &of, now_us, half_life_us, &out[0, 0],
        )
    return matrix


cdef int check_rows(const int* rows, Py_ssize_t m, const Columns* of, Py_ssize_t n) except -1:
    cdef Py_ssize_t i
    for i in range(m):
        if rows[i] < 0 or rows[i] >= n:
            raise ValueError(f"rows[{i}] is {rows[i]}, not in 0..{n - 1}")
        if of.before[rows[i]] >= n or of.after[rows[i]] >= n:
            raise ValueError(f"a neighbour of row {rows[i]} is not in 0..{n - 1}")
    return 0


cdef void find_neighbours(
    const int* rows, Py_ssize_t m, Py_ssize_t most, const int* before, const int* after, const unsigned char* allowed,
    vector[int]& found,
) noexcept nogil:
    cdef Py_ssize_t i
    cdef int near, side
    cdef RowPlaces* listed = new RowPlaces(m + 1)
    for i in range(m):
        listed[0][rows[i]] = 0
    for i in range(min(most, m)):
        for side in range(2):
            near = before[rows[i]] if side == 0 else after[rows[i]]
            if near >= 0 and allowed[near] and listed[0][near] < 0:
                found.push_back(near)
    del listed
    sort(found.begin(), found.end())
    found.erase(unique(found.begin(), found.end()), found.end())


def neighbours(
    const int[::1] rows, Py_ssize_t most, const int[::1] before, const int[::1] after, const unsigned char[::1] allowed
):
    """Return int32[≤ 2 · most], ascending: what stands beside the first `most` rows and is not among rows itself.

    rows: int32[m]. before, after: int32[n], the neighbour of a row in its session, -1 is none. allowed: uint8[n], 0
    leaves a row out. most ≥ 0. Raises ValueError if shapes differ or a row is out of range.
    """
    cdef Py_ssize_t i, n = allowed.shape[0]
    cdef vector[int] found
    if before.shape[0] != n or after.shape[0] != n:
        raise ValueError(f"before and after must have {n} entries, one for each of allowed")
    if most < 0:
        raise ValueError(f"most must be ≥ 0, got {most}")
    cdef Columns of
    cdef Py_ssize_t m = rows.shape[0]
    if m:
        of.before, of.after = &before[0] if n else NULL, &after[0] if n else NULL
        check_rows(&rows[0], m, &of, n)
        with nogil:
            find_neighbours(&rows[0], m, most, of.before, of.after, &allowed[0], found)
    result = np.empty(found.size(), dtype=np.int32)
    cdef int[::1] out = result
    for i in range(<Py_ssize_t>found.size()):
        out[i] = found[i]
    return result
