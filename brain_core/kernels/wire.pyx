"""Messages of the contract, written byte by byte as protobuf does: a context holds dozens of stored evidences.

Field numbers are those of smartbrain.v1 (evidence.proto, context.proto). Evidence comes as it was serialised; a field
that stands twice counts as it stands last.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.math cimport isnan, signbit
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy
from libcpp.string cimport string
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

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

cdef enum:
    NUMBER_BYTES = 320  # the greatest float64 has 309 digits before its point

cdef enum:
    VARINT = 0
    FIXED64 = 1
    BYTES = 2
    FIXED32 = 5
    MOST_FIELDS = 0x1FFFFFFF

NOTHING, TITLE, TEXT = 0, 1, 2
"""What is shown of the first evidence of a piece."""

cdef enum:
    SHOW_TITLE = 1
    SHOW_TEXT = 2

RANKS = ("vector_rank", "fts_rank")
SIGNALS = ("vector_score", "fts_score", "rrf_score", "rerank_score", "recency_score")
"""Columns of the ranks and of the scores of a piece."""

cdef int[5] SIGNAL_FIELDS = [1, 3, 5, 6, 9]
cdef int[2] RANK_FIELDS = [2, 4]

cdef enum:
    FUSED = 2  # columns of SIGNALS
    FINAL = 3
    RECENCY = 4

cdef struct Text:
    const unsigned char* start
    Py_ssize_t size

cdef struct Record:
    Text id
    Text title
    Text uri
    Text snippet
    Text metadata
    Text ref


cdef bint read_varint(const unsigned char** at, const unsigned char* end, uint64_t* value) noexcept nogil:
    cdef int shift = 0
    cdef unsigned char byte
    value[0] = 0
    while at[0] < end and shift < 64:
        byte = at[0][0]
        value[0] |= <uint64_t>(byte & 0x7F) << shift
        at[0] += 1
        if byte < 0x80:
            return True
        shift += 7
    return False


cdef bint next_field(const unsigned char** at, const unsigned char* end, int* number, Text* value) noexcept nogil:
    """Read one field; value is blank unless it is of bytes. False where no field begins or it does not end."""
    cdef uint64_t tag, size
    if not read_varint(at, end, &tag):
        return False
    number[0] = <int>(tag >> 3)
    value.start, value.size = at[0], 0
    if tag & 7 == VARINT:
        return read_varint(at, end, &size)
    if tag & 7 == BYTES:
        if not read_varint(at, end, &size) or size > <uint64_t>(end - at[0]):
            return False
        value.start, value.size = at[0], <Py_ssize_t>size
        at[0] += size
        return True
    if tag & 7 == FIXED64 or tag & 7 == FIXED32:
        size = 8 if tag & 7 == FIXED64 else 4
        if size > <uint64_t>(end - at[0]):
            return False
        at[0] += size
        return True
    return False


cdef bint read_record(const unsigned char* at, const unsigned char* end, Record* record) noexcept nogil:
    cdef int number = 0
    cdef Text value
    record.id.size = record.title.size = record.uri.size = record.snippet.size = 0
    record.metadata.size = record.ref.size = 0
    while at < end:
        if not next_field(&at, end, &number, &value):
            return False
        if number == 1:
            record.id = value
        elif number == 5:
            record.title = value
        elif number == 6:
            record.uri = value
        elif number == 8:
            record.snippet = value
        elif number == 13:
            record.metadata = value
        elif number == 15:
            record.ref = value
    return True


cdef void drop_key(Record* record) noexcept nogil:
    """Leave the first line of an item's text out, `[type:key]`, which its address tells."""
    cdef Py_ssize_t i
    if not record.snippet.size or record.snippet.start[0] != c"[" or not field_of(record.ref, 5).size:
        return
    for i in range(record.snippet.size):
        if record.snippet.start[i] == c"\n":
            record.snippet.start += i + 1
            record.snippet.size -= i + 1
            return


cdef Text field_of(Text message, int wanted) noexcept nogil:
    """The last field of bytes of this number; blank if there is none."""
    cdef const unsigned char* at = message.start
    cdef const unsigned char* end = at + message.size
    cdef Text value, found
    cdef int number = 0
    found.start, found.size = at, 0
    while at < end and next_field(&at, end, &number, &value):
        if number == wanted:
            found = value
    return found


cdef void put_varint(string& out, uint64_t value) noexcept nogil:
    while value >= 0x80:
        out.push_back(<char>(value & 0x7F | 0x80))
        value >>= 7
    out.push_back(<char>value)


cdef void put_text(string& out, int number, Text text) noexcept nogil:
    if text.size:
        put_varint(out, <uint64_t>(number << 3 | BYTES))
        put_varint(out, <uint64_t>text.size)
        out.append(<const char*>text.start, text.size)


cdef void put_message(string& out, int number, const string& message) noexcept nogil:
    put_varint(out, <uint64_t>(number << 3 | BYTES))
    put_varint(out, message.size())
    out.append(message)


cdef void put_double(string& out, int number, double value) noexcept nogil:
    cdef char[8] raw
    memcpy(&raw[0], &value, 8)  # little-endian, as x86-64 and AArch64 have it
    put_varint(out, <uint64_t>(number << 3 | FIXED64))
    out.append(&raw[0], 8)


cdef void put_number(string& out, int number, double value) noexcept nogil:
    """As put_double, but that +0, the default, is left out."""
    if value != 0 or signbit(value):
        put_double(out, number, value)


cdef Py_ssize_t cut(Text text, Py_ssize_t longest) noexcept nogil:
    """Bytes of the first longest - 1 characters if there are more than `longest`, else all."""
    cdef Py_ssize_t i, characters = 0, kept = 0
    if text.size <= longest:
        return text.size
    for i in range(text.size):
        if text.start[i] & 0xC0 != 0x80:
            if characters == longest - 1:
                kept = i
            characters += 1
            if characters > longest:
                return kept
    return text.size


cdef int check_ends(const unsigned char[::1] content, const int64_t[::1] ends, const int[::1] rows) except -1:
    cdef Py_ssize_t i
    for i in range(rows.shape[0]):
        check_record(content, ends, rows[i])
    return 0


cdef int check_record(const unsigned char[::1] content, const int64_t[::1] ends, Py_ssize_t row) except -1:
    if row < 0 or row + 1 >= ends.shape[0]:
        raise IndexError(f"row {row} is not in 0..{ends.shape[0] - 2}")
    if not 0 <= ends[row] <= ends[row + 1] <= content.shape[0]:
        raise ValueError(f"record {row} does not stand in the content")
    return 0


def evidence_ids(const unsigned char[::1] content, const int64_t[::1] ends, rows):
    """Return the ids of serialised Evidence, in the order of rows. Raises IndexError, or ValueError if one is none."""
    cdef Py_ssize_t row
    cdef Record record
    ids = []
    for row in rows:
        check_record(content, ends, row)
        if ends[row] == ends[row + 1]:
            ids.append("")
            continue
        if not read_record(&content[ends[row]], &content[0] + ends[row + 1], &record):
            raise ValueError(f"record {row} is no message")
        ids.append((<const char*>record.id.start)[:record.id.size].decode())
    return ids


def told(
    const int[::1] rows, const double[::1] scores, const int[::1] queries, const double[::1] fused,
    const double[::1] recency, const int64_t[::1] places, list lists,
):
    """Return what places of a ranking were given: (ranks int32[m, 2], signals float64[m, 5], final float64[m]).

    rows, scores, queries, fused, recency: of a ranking, [n]. places: int64[m]. lists: (query, column, rows int32[k],
    values float64[k]) of each list of a query: the column of RANKS, and of SIGNALS, that it fills for places of that
    query. Ranks are from 1, 0 is none; signals as in SIGNALS, NaN is none: rerank_score, which is the final one, where
    there is no recency. final: at most 1. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef Py_ssize_t i, j, at, n = rows.shape[0], m = places.shape[0]
    if {scores.shape[0], queries.shape[0], fused.shape[0], recency.shape[0]} != {n}:
        raise ValueError(f"scores, queries, fused and recency must have {n} entries, one for each of rows")
    for i in range(m):
        if not 0 <= places[i] < n:
            raise IndexError(f"places[{i}] is {places[i]}, not in 0..{n - 1}")
    ranks, signals, final = np.zeros((m, 2), dtype=np.int32), np.full((m, 5), np.nan), np.empty(m)
    cdef int[:, ::1] rank = ranks
    cdef double[:, ::1] signal = signals
    cdef double[::1] last = final
    cdef const int[::1] listed
    cdef const double[::1] given
    cdef int query, column
    with nogil:
        for i in range(m):
            at = places[i]
            last[i] = min(scores[at], 1.0)
            signal[i, FUSED], signal[i, RECENCY] = fused[at], recency[at]
            if not isnan(recency[at]):
                signal[i, FINAL] = last[i]
    for query, column, listed, given in lists:
        if given.shape[0] != listed.shape[0]:
            raise ValueError(f"a list of query {query} has {listed.shape[0]} rows but {given.shape[0]} values")
        if not 0 <= column < 2:
            raise IndexError(f"a list of query {query} is for column {column}, not 0 or 1")
        with nogil:
            for i in range(m):
                at = places[i]
                if queries[at] != query:
                    continue
                for j in range(listed.shape[0]):
                    if listed[j] == rows[at]:
                        rank[i, column], signal[i, column] = <int>j + 1, given[j]
                        break
    return ranks, signals, final


cdef void put_signals(string& out, const int* ranks, const double* scores) noexcept nogil:
    """vector_rank and fts_rank unless 0, then scores unless NaN."""
    cdef int i
    for i in range(2):
        if ranks[i]:
            put_varint(out, <uint64_t>(RANK_FIELDS[i] << 3 | VARINT))
            put_varint(out, <uint64_t>ranks[i])
    for i in range(5):
        if not isnan(scores[i]):
            put_double(out, SIGNAL_FIELDS[i], scores[i])


cdef struct Joined:
    const unsigned char* start
    const int64_t* ends

cdef inline Text part(const Joined* of, Py_ssize_t number) noexcept nogil:
    cdef Text found
    found.start, found.size = of.start + of.ends[number], of.ends[number + 1] - of.ends[number]
    return found


cdef void put_first(string& out, const Record* record, int shown, Py_ssize_t longest) noexcept nogil:
    cdef Py_ssize_t kept
    if shown == SHOW_TITLE:
        out.append(<const char*>record.title.start, record.title.size)
    elif shown == SHOW_TEXT:
        kept = cut(record.snippet, longest)
        out.append(<const char*>record.snippet.start, kept)
        if kept < record.snippet.size:
            out.append(b"\xe2\x80\xa6")  # …


cdef enum:
    GAP = 1
    HEADING = 2

cdef bint put_piece(
    string& out, const Joined* records, const Joined* labels, const int* speakers, const int* rows,
    const unsigned char* breaks, Py_ssize_t count, int hit, int shown, Py_ssize_t longest,
) noexcept nogil:
    """The fields of one ContextEvidence that come from its records. False if one is no message."""
    cdef Py_ssize_t i
    cdef Record record
    cdef Text value, label
    cdef string snippet
    for i in range(count):
        value = part(records, rows[i])
        if not read_record(value.start, value.start + value.size, &record):
            return False
        drop_key(&record)
        if i == 0:
            put_text(out, 3, record.uri)
            put_text(out, 4, record.title)
            put_first(snippet, &record, shown, longest)
        else:
            if breaks[i] & GAP:
                snippet.append(b"\n\xe2\x80\xa6")  # …
            snippet.push_back(b"\n")
            if breaks[i] & HEADING:
                snippet.append(<const char*>record.title.start, record.title.size)
                snippet.push_back(b"\n")
            if speakers[rows[i]] >= 0:
                label = part(labels, speakers[rows[i]])
                snippet.append(<const char*>label.start, label.size)
            snippet.append(<const char*>record.snippet.start, record.snippet.size)
        if rows[i] == hit:
            put_text(out, 1, record.id)
            put_text(out, 10, record.ref)
            put_text(out, 12, field_of(record.metadata, 8))
        if count > 1:
            put_varint(out, 13 << 3 | BYTES)
            put_varint(out, <uint64_t>record.ref.size)
            out.append(<const char*>record.ref.start, record.ref.size)
    value.start, value.size = <const unsigned char*>snippet.data(), <Py_ssize_t>snippet.size()
    put_text(out, 5, value)
    return True


cdef int read_texts(list texts, Py_ssize_t wanted, str name, vector[Text]& found) except -1:
    """Find the UTF-8 of texts, which is theirs."""
    cdef Text text
    cdef str one
    if len(texts) != wanted:
        raise ValueError(f"{name} has {len(texts)} entries, not {wanted}")
    for one in texts:
        text.start = <const unsigned char*>PyUnicode_AsUTF8AndSize(one, &text.size)
        found.push_back(text)
    return 0


cdef int read_bytes(list parts, Py_ssize_t wanted, str name, vector[Text]& found) except -1:
    """Find what bytes hold, which is theirs."""
    cdef Text text
    cdef bytes one
    if len(parts) != wanted:
        raise ValueError(f"{name} has {len(parts)} entries, not {wanted}")
    for one in parts:
        text.start, text.size = <const unsigned char*>PyBytes_AS_STRING(one), PyBytes_GET_SIZE(one)
        found.push_back(text)
    return 0


def context_evidences(
    const unsigned char[::1] content, const int64_t[::1] ends, pieces, list heads, labels, const int[::1] speakers,
    ranks, signals, const double[::1] scores, int shown, Py_ssize_t longest,
):
    """Return the pieces of a ContextPackage as its field `evidence`, serialised.

    content, ends: serialised Evidence of n rows, row r in content[ends[r]:ends[r + 1]]. pieces: (hits int32[p], offsets
    int64[p + 1], rows int32[r], breaks uint8[r]): piece i is made of rows[offsets[i]:offsets[i + 1]], its hit among them,
    before each further one what its break says, on lines of their own (1, an ellipsis; 2, its title; 3, both), and of
    heads[i]. heads: list[bytes], serialised ContextEvidence without what comes from here. labels: (bytes,
    ends int64[s + 1]), what stands before a further text by its speaker; speakers: int32[n], -1 is none. ranks:
    int32[p, 2] as in RANKS, 0 is none. signals: float64[p, 5] as in SIGNALS, NaN is none. scores: float64[p].
    Of an item's text the first line, its key, is left out. shown: NOTHING, TITLE or TEXT of a piece's first row; of a text of more than `longest` ≥ 1 characters as many, the
    last one an ellipsis. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef const int[::1] hits, rows
    cdef const unsigned char[::1] breaks
    cdef const int64_t[::1] offsets
    hits, offsets, rows, breaks = pieces
    cdef const int64_t[::1] label_ends = labels[1]
    cdef const unsigned char[::1] label_bytes = labels[0]
    cdef vector[Text] head
    cdef const int[:, ::1] rank = ranks
    cdef const double[:, ::1] signal = signals
    cdef Py_ssize_t i, p = hits.shape[0]
    if offsets.shape[0] != p + 1 or {rank.shape[0], signal.shape[0], scores.shape[0]} != {p}:
        raise ValueError(f"offsets, ranks, signals and scores must be of {p} pieces, one for each of hits")
    read_bytes(heads, p, "heads", head)
    if breaks.shape[0] != rows.shape[0]:
        raise ValueError(f"breaks must have {rows.shape[0]} entries, one for each row of a piece")
    if rank.shape[1] != len(RANKS) or signal.shape[1] != len(SIGNALS):
        raise ValueError(f"ranks and signals must have {len(RANKS)} and {len(SIGNALS)} columns")
    if longest < 1:
        raise ValueError(f"longest must be ≥ 1, got {longest}")
    check_ends(content, ends, rows)
    check_parts(label_ends, label_bytes.shape[0], "labels")
    check_parts(offsets, rows.shape[0], "offsets")
    for i in range(rows.shape[0]):
        if rows[i] >= speakers.shape[0] or speakers[rows[i]] >= label_ends.shape[0] - 1:
            raise IndexError(f"the speaker of row {rows[i]} has no label")
    cdef Joined records, label
    records.start, records.ends = &content[0], &ends[0]
    label.start, label.ends = &label_bytes[0], &label_ends[0]
    cdef string out, one, told
    cdef Text value
    cdef Py_ssize_t broken = -1
    with nogil:
        for i in range(p):
            one.clear()
            told.clear()
            one.append(<const char*>head[i].start, head[i].size)
            if not put_piece(
                one, &records, &label, &speakers[0], &rows[0] + offsets[i], &breaks[0] + offsets[i],
                offsets[i + 1] - offsets[i], hits[i], shown, longest,
            ):
                broken = i
                break
            put_double(one, 7, scores[i])
            put_signals(told, &rank[i, 0], &signal[i, 0])
            if told.size():
                put_message(one, 8, told)
            put_message(out, 9, one)
    if broken >= 0:
        raise ValueError(f"a record of piece {broken} is no message")
    return <bytes>out


def dropped(
    const unsigned char[::1] content, const int64_t[::1] ends, const int[::1] rows, const int[::1] reasons, list words,
    int field,
):
    """Return rows as messages Dropped of a repeated field of this number, serialised.

    content, ends: as in context_evidences. reasons: int32[m], why each was, a place in words: list[bytes], serialised
    Dropped without id. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef Py_ssize_t i, m = rows.shape[0], w = len(words)
    cdef vector[Text] word
    if reasons.shape[0] != m:
        raise ValueError(f"reasons has {reasons.shape[0]} entries, not {m}")
    check_field(field)
    check_ends(content, ends, rows)
    read_bytes(words, w, "words", word)
    for i in range(m):
        if not 0 <= reasons[i] < w:
            raise IndexError(f"reasons[{i}] is {reasons[i]}, not in 0..{w - 1}")
    cdef Record record
    cdef string out, one
    cdef Py_ssize_t broken = -1
    with nogil:
        for i in range(m):
            one.clear()
            if not read_record(&content[0] + ends[rows[i]], &content[0] + ends[rows[i] + 1], &record):
                broken = rows[i]
                break
            put_text(one, 1, record.id)
            one.append(<const char*>word[reasons[i]].start, word[reasons[i]].size)
            put_message(out, field, one)
    if broken >= 0:
        raise ValueError(f"record {broken} is no message")
    return <bytes>out


cdef void say_fixed(string& out, double value, int digits) noexcept nogil:
    cdef char[NUMBER_BYTES] text
    if isnan(value):
        out.append(b"nan")
    else:
        out.append(&text[0], fixed_text(&text[0], &text[0] + NUMBER_BYTES, value, digits) - &text[0])


cdef void say_rank(string& out, const char* what, int rank, const char* measure, double score) noexcept nogil:
    cdef char[NUMBER_BYTES] text
    out.append(b"; ").append(what).append(b": rank ")
    out.append(&text[0], whole_text(&text[0], &text[0] + NUMBER_BYTES, rank) - &text[0])
    out.append(b" (").append(measure).push_back(c" ")
    say_fixed(out, score, 2)
    out.push_back(c")")


def selected(
    const unsigned char[::1] content, const int64_t[::1] ends, const int[::1] rows, list groups,
    const double[::1] scores, ranks, signals, list relations, list further, int field,
):
    """Return why pieces are in a package as messages WhySelected of a repeated field of this number, serialised.

    content, ends, ranks, signals, scores: as in context_evidences. rows: int32[p], the piece's hit. groups: list[str].
    relations: list[str], how each is related to its query, "" is by what its ranks say. further: list[str], what
    follows. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef const int[:, ::1] rank = ranks
    cdef const double[:, ::1] signal = signals
    cdef vector[Text] group, relation, more
    cdef Py_ssize_t i, p = rows.shape[0]
    if {rank.shape[0], signal.shape[0], scores.shape[0]} != {p}:
        raise ValueError(f"ranks, signals and scores must be of {p} pieces, one for each of rows")
    if rank.shape[1] != len(RANKS) or signal.shape[1] != len(SIGNALS):
        raise ValueError(f"ranks and signals must have {len(RANKS)} and {len(SIGNALS)} columns")
    read_texts(groups, p, "groups", group)
    read_texts(relations, p, "relations", relation)
    read_texts(further, p, "further", more)
    check_field(field)
    check_ends(content, ends, rows)
    cdef Record record
    cdef Text value
    cdef string out, one, why
    cdef Py_ssize_t broken = -1
    with nogil:
        for i in range(p):
            if not read_record(&content[0] + ends[rows[i]], &content[0] + ends[rows[i] + 1], &record):
                broken = rows[i]
                break
            one.clear()
            put_text(one, 1, record.id)
            why.clear()
            say_why(why, group[i], scores[i], &rank[i, 0], &signal[i, 0], relation[i])
            why.append(<const char*>more[i].start, more[i].size)
            value.start, value.size = <const unsigned char*>why.data(), <Py_ssize_t>why.size()
            put_text(one, 2, value)
            put_message(out, field, one)
    if broken >= 0:
        raise ValueError(f"record {broken} is no message")
    return <bytes>out


cdef void say_why(
    string& out, Text group, double score, const int* ranks, const double* signals, Text relation
) noexcept nogil:
    cdef bint scored = False
    cdef int i
    out.append(<const char*>group.start, group.size).append(b": score ")
    say_fixed(out, score, 3)
    if ranks[1]:
        say_rank(out, b"words", ranks[1], b"BM25", signals[1])
    if ranks[0]:
        say_rank(out, b"meaning", ranks[0], b"cosine", signals[0])
    if relation.size:
        out.append(b"; ").append(<const char*>relation.start, relation.size)
    elif not ranks[0] and not ranks[1]:
        for i in range(5):
            scored = scored or not isnan(signals[i])
        if scored:
            out.append(b"; stands beside a hit in its session")


def expansions(list terms, const double[::1] weights, int query, str source, int field):
    """Return words that a query was expanded by as messages Expansion of a repeated field of this number, serialised.

    terms: list[str]. weights: float64[m]. query: 0-based place of the query in its plan. Raises ValueError if parts do
    not fit together.
    """
    cdef Py_ssize_t i, m = weights.shape[0]
    cdef vector[Text] term, said
    read_texts(terms, m, "terms", term)
    read_texts([source], 1, "source", said)
    check_field(field)
    if query < 0:
        raise ValueError(f"query must be ≥ 0, got {query}")
    cdef string out, one
    with nogil:
        for i in range(m):
            one.clear()
            if query:
                put_varint(one, 1 << 3 | VARINT)
                put_varint(one, <uint64_t>query)
            put_text(one, 2, term[i])
            put_number(one, 3, weights[i])
            put_text(one, 4, said[0])
            put_message(out, field, one)
    return <bytes>out


cdef int check_field(int field) except -1:
    if not 1 <= field <= MOST_FIELDS:
        raise ValueError(f"field must be in 1..{MOST_FIELDS}, got {field}")
    return 0


cdef int check_parts(const int64_t[::1] ends, Py_ssize_t size, str name) except -1:
    cdef Py_ssize_t i
    if ends.shape[0] == 0 or ends[0] != 0 or ends[ends.shape[0] - 1] != size:
        raise ValueError(f"the ends of {name} must run from 0 to {size}")
    for i in range(1, ends.shape[0]):
        if ends[i] < ends[i - 1]:
            raise ValueError(f"the ends of {name} must not fall")
    return 0
