"""Why something is in a package or not, and what its queries were expanded by, written as the contract's messages.

Field numbers are those of smartbrain.v1 (context.proto, evidence.proto, plan.proto).
"""

from libc.math cimport isnan
from libc.stdint cimport int64_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from brain_core.kernels.records cimport Joined, Record, check_record, check_records, joined, prefetch, read_record
from brain_core.kernels.signals cimport MEANING, SIGNAL_COLUMNS, WORDS, check_given
from brain_core.kernels.wire cimport (
    Text, check_field, find_texts, put_message, put_number, put_share, put_text, text_in,
)

cdef extern from *:
    """
    #include <charconv>
    static inline char *fixed_text(char *start, char *end, double value, int digits)
    {
        return std::to_chars(start, end, value, std::chars_format::fixed, digits).ptr;
    }
    static inline char *whole_text(char *start, char *end, int value) { return std::to_chars(start, end, value).ptr; }
    """
    char* fixed_text(char* start, char* end, double value, int digits) noexcept nogil
    char* whole_text(char* start, char* end, int value) noexcept nogil

WRITTEN = -1
"""In place of a row, where what is told of it is written already."""

cdef enum:
    STANDS = -1
    NUMBER_BYTES = 320  # the greatest float64 has 309 digits before its point


def selected(
    const unsigned char[::1] content, const int64_t[::1] ends, const int[::1] rows, const unsigned char[::1] leads,
    const double[::1] scores, const int[:, ::1] ranks, const double[:, ::1] signals, list relations, list further,
    beside, list cuts, int field,
):
    """Return why pieces are in a package as messages WhySelected of a repeated field of this number, serialised.

    content, ends, ranks, signals, scores: as in evidence.context_evidences. rows: int32[p], the piece's hit. leads:
    uint8[p], 1 for top evidence. relations: list[str], how each is related to its query, "" is by what its ranks say.
    further: list[str], what follows. beside: (offsets int64[p + 1], as of the pieces, kinds uint8[n], that of a document's
    section, what rows beside a hit are called, str, and those of documents): said of a piece of more rows than one. cuts:
    list[str], what is said last. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef vector[Text] relation, more, cut, called
    cdef const int64_t[::1] offsets = beside[0]
    cdef const unsigned char[::1] kinds = beside[1]
    cdef int section = beside[2]
    cdef Py_ssize_t i, p = rows.shape[0]
    check_given(ranks, signals, scores, p)
    find_texts(relations, p, "relations", relation)
    find_texts(further, p, "further", more)
    find_texts(cuts, p, "cuts", cut)
    find_texts([beside[3], beside[4]], 2, "beside", called)
    if leads.shape[0] != p or offsets.shape[0] != p + 1:
        raise ValueError(f"leads and offsets must be of {p} pieces")
    check_field(field)
    check_records(content, ends, rows)
    for i in range(p):
        if rows[i] >= kinds.shape[0]:
            raise IndexError(f"row {rows[i]} is not in 0..{kinds.shape[0] - 1}")
    cdef Joined records = joined(content, ends)
    cdef Record record
    cdef string out, one, why
    cdef Py_ssize_t broken = -1
    with nogil:
        for i in range(p):
            if not read_record(&records, rows[i], &record):
                broken = rows[i]
                break
            one.clear()
            put_text(one, 1, record.id)
            why.clear()
            say_why(why, leads[i], scores[i], &ranks[i, 0], &signals[i, 0], relation[i])
            why.append(<const char*>more[i].start, more[i].size)
            if offsets[i + 1] - offsets[i] > 1:
                say_beside(why, <int>(offsets[i + 1] - offsets[i] - 1), called[kinds[rows[i]] == section])
            why.append(<const char*>cut[i].start, cut[i].size)
            put_text(one, 2, text_in(why))
            put_message(out, field, one)
    if broken >= 0:
        raise ValueError(f"record {broken} is no message")
    return <bytes>out


cdef void say_why(
    string& out, bint leads, double score, const int* ranks, const double* signals, Text relation
) noexcept nogil:
    cdef int i
    out.append(b"top: score ") if leads else out.append(b"long_tail: score ")
    say_fixed(out, score, 3)
    if ranks[WORDS]:
        say_rank(out, b"words", ranks[WORDS], b"BM25", signals[WORDS])
    if ranks[MEANING]:
        say_rank(out, b"meaning", ranks[MEANING], b"cosine", signals[MEANING])
    if relation.size:
        out.append(b"; ").append(<const char*>relation.start, relation.size)
        return
    if ranks[WORDS] or ranks[MEANING]:
        return
    for i in range(SIGNAL_COLUMNS):
        if not isnan(signals[i]):
            out.append(b"; stands beside a hit in its session")
            return


cdef void say_beside(string& out, int count, Text what) noexcept nogil:
    cdef char[NUMBER_BYTES] text
    out.append(b"; with ")
    out.append(&text[0], whole_text(&text[0], &text[0] + NUMBER_BYTES, count) - &text[0]).push_back(c" ")
    out.append(<const char*>what.start, what.size)


cdef void say_rank(string& out, const char* what, int rank, const char* measure, double score) noexcept nogil:
    cdef char[NUMBER_BYTES] text
    out.append(b"; ").append(what).append(b": rank ")
    out.append(&text[0], whole_text(&text[0], &text[0] + NUMBER_BYTES, rank) - &text[0])
    out.append(b" (").append(measure).push_back(c" ")
    say_fixed(out, score, 2)
    out.push_back(c")")


cdef void say_fixed(string& out, double value, int digits) noexcept nogil:
    cdef char[NUMBER_BYTES] text
    if isnan(value):
        out.append(b"nan")
    else:
        out.append(&text[0], fixed_text(&text[0], &text[0] + NUMBER_BYTES, value, digits) - &text[0])


def dropped(const unsigned char[::1] content, const int64_t[::1] ends, list rows, list words, int field):
    """Return rows as messages Dropped of a repeated field of this number, serialised.

    content, ends: as in evidence.evidence_ids. rows: list[int]. words: list[bytes], why each was: a serialised Dropped
    without id, or for WRITTEN in place of a row fields that stand as they are. Raises ValueError or IndexError if parts
    do not fit together.
    """
    cdef Py_ssize_t i, m = len(rows)
    cdef vector[Py_ssize_t] places
    cdef vector[Text] word
    check_field(field)
    find_texts(words, m, "words", word)
    for row in rows:
        places.push_back(row)
        if places.back() != STANDS:
            check_record(content, ends, places.back())
            prefetch(&content[0] + ends[places.back()])
    cdef Joined records = joined(content, ends)
    cdef Record record
    cdef string out, one
    cdef Py_ssize_t broken = -1
    with nogil:
        for i in range(m):
            if places[i] == STANDS:
                out.append(<const char*>word[i].start, word[i].size)
                continue
            if not read_record(&records, places[i], &record):
                broken = places[i]
                break
            one.clear()
            put_text(one, 1, record.id)
            one.append(<const char*>word[i].start, word[i].size)
            put_message(out, field, one)
    if broken >= 0:
        raise ValueError(f"record {broken} is no message")
    return <bytes>out


def expansions(weights, int query, str source, int field):
    """Return words that a query was expanded by as messages Expansion of a repeated field of this number, serialised.

    weights: of each word, by the word. query: 0-based place of the query in its plan. Raises ValueError.
    """
    cdef Py_ssize_t i, m = len(weights)
    cdef vector[Text] term, said
    cdef vector[double] weight
    find_texts([*weights], m, "terms", term)
    find_texts([source], 1, "source", said)
    weight.reserve(m)
    for one in weights.values():
        weight.push_back(one)
    check_field(field)
    if query < 0:
        raise ValueError(f"query must be ≥ 0, got {query}")
    cdef string out, one_word
    with nogil:
        for i in range(m):
            one_word.clear()
            if query:
                put_number(one_word, 1, <uint64_t>query)
            put_text(one_word, 2, term[i])
            put_share(one_word, 3, weight[i])
            put_text(one_word, 4, said[0])
            put_message(out, field, one_word)
    return <bytes>out
