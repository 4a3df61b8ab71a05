"""Evidence of a package, written from the records of its rows: a context holds dozens of stored evidences.

Field numbers are those of smartbrain.v1 (context.proto, evidence.proto).
"""

from libc.math cimport isnan
from libc.stdint cimport int64_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from brain_core.kernels.records cimport (
    Joined, Record, check_record, check_records, created_of, item_of, joined, part, read_record,
)
from brain_core.kernels.signals cimport RANK_COLUMNS, SIGNAL_COLUMNS, check_given
from brain_core.kernels.wire cimport (
    Text, check_field, find_texts, put_bytes, put_double, put_message, put_number, put_text, text_in,
)
from brain_core.kernels.why cimport Told, put_why

NOTHING, TITLE, TEXT = 0, 1, 2
"""What is shown of the first evidence of a piece."""

cdef enum:
    SHOW_TITLE = 1
    SHOW_TEXT = 2
    PIECE_BYTES = 1024  # as many as most pieces take, and their reasons
    REASON_BYTES = 128

cdef enum:
    GAP = 1
    HEADING = 2

cdef int[RANK_COLUMNS] RANK_FIELDS = [2, 4]
cdef int[SIGNAL_COLUMNS] SIGNAL_FIELDS = [1, 3, 5, 6, 9]


def evidence_ids(const unsigned char[::1] content, const int64_t[::1] ends, rows):
    """Return the ids of serialised Evidence, in the order of rows. Raises IndexError, or ValueError if one is none.

    content, ends: serialised Evidence of n rows, row r in content[ends[r]:ends[r + 1]]. rows: ints.
    """
    cdef Py_ssize_t row
    cdef Joined records = joined(content, ends)
    cdef Record record
    ids = []
    for row in rows:
        check_record(content, ends, row)
        if not read_record(&records, row, &record):
            raise ValueError(f"record {row} is no message")
        ids.append(decoded(record.id))
    return ids


def text_and_title(const unsigned char[::1] content, const int64_t[::1] ends, Py_ssize_t row):
    """Return (the text of a serialised Evidence as contexts show it, of an item without its key; its title).

    content, ends: as in evidence_ids. Raises IndexError, or ValueError if the row's record is none.
    """
    cdef Joined records = joined(content, ends)
    cdef Record record
    check_record(content, ends, row)
    if not read_record(&records, row, &record):
        raise ValueError(f"record {row} is no message")
    drop_key(&record)
    return decoded(record.snippet), decoded(record.title)


cdef str decoded(Text text):
    return (<const char*>text.start)[:text.size].decode()


def context_evidences(
    const unsigned char[::1] content, const int64_t[::1] ends, pieces, standing, list heads, list texts, labels,
    const int[::1] speakers, const int[:, ::1] ranks, const double[:, ::1] signals, const double[::1] scores, int shown,
    Py_ssize_t longest, why,
):
    """Return (the evidence of a ContextPackage, why each piece is there, how many are items, how many documents').

    Both are serialised, as the fields of their messages.

    content, ends: as in evidence_ids. pieces: (hits int32[p], offsets int64[p + 1], rows int32[r], breaks uint8[r]):
    piece i is made of rows[offsets[i]:offsets[i + 1]], its hit among them, before each further one what its break says,
    on lines of their own (1, an ellipsis; 2, its title; 3, both), and of heads[queries[i]]. heads: list[bytes] by query,
    serialised ContextEvidence without what comes from here. standing: (leads uint8[p], 1 for top evidence; queries
    int32[p]; kinds uint8[n]; statuses uint8[n]; the kind of an item, which tells its status; that of a document's section, of
    a resource). texts: list[str], what is shown of its first row, whole; "" is what
    `shown` says. labels: (bytes, ends int64[s + 1]), what stands before a further text
    by its speaker; speakers: int32[n], -1 is none. ranks: int32[p, 2] as in signals.RANKS, 0 is none. signals:
    float64[p, 5] as in signals.SIGNALS, NaN is none. scores: float64[p]. Of an item's text the first line, its key, is
    left out. shown: NOTHING, TITLE or TEXT of a piece's first row; of a text of more than `longest` ≥ 1 characters as
    many, the last one an ellipsis. why: (relations: list[str], how each is related to its query, "" is by what its ranks
    say; further: list[str], what follows; cuts: list[str], what is said last; what rows beside a hit are called, str, and
    those of documents; the number of the repeated field of messages WhySelected in which that is told, serialised).
    Raises ValueError or IndexError if parts do not fit together.
    """
    cdef const int[::1] hits, rows
    cdef const unsigned char[::1] breaks
    cdef const int64_t[::1] offsets
    hits, offsets, rows, breaks = pieces
    cdef const unsigned char[::1] leads, kinds, statuses
    cdef const int[::1] queries
    cdef int item, section
    leads, queries, kinds, statuses, item, section = standing
    cdef const unsigned char[::1] label_bytes = labels[0]
    cdef const int64_t[::1] label_ends = labels[1]
    cdef vector[Text] head, text, relation, further, cuts, called
    cdef Py_ssize_t i, p = hits.shape[0]
    check_given(ranks, signals, scores, p)
    find_texts(heads, len(heads), "heads", head)
    check_standing(leads, queries, kinds.shape[0], statuses.shape[0], hits, len(heads))
    find_texts(texts, p, "texts", text)
    find_texts(why[0], p, "relations", relation)
    find_texts(why[1], p, "further", further)
    find_texts(why[2], p, "cuts", cuts)
    find_texts([why[3], why[4]], 2, "beside", called)
    cdef int field = why[5]
    check_field(field)
    if longest < 1:
        raise ValueError(f"longest must be ≥ 1, got {longest}")
    check_pieces(offsets, rows, breaks, p)
    check_records(content, ends, rows)
    check_labels(label_ends, label_bytes.shape[0], speakers, rows)
    cdef Joined records = joined(content, ends), label = joined(label_bytes, label_ends)
    cdef string out, reasons, one, snippet, given
    cdef Text id
    cdef Told told
    cdef Py_ssize_t broken = -1, items = 0, resources = 0
    with nogil:
        out.reserve(p * PIECE_BYTES)
        reasons.reserve(p * REASON_BYTES)
        for i in range(p):
            one.clear()
            items += kinds[hits[i]] == item
            resources += kinds[hits[i]] == section
            put_head(one, kinds[hits[i]] == section, leads[i], statuses[hits[i]] if kinds[hits[i]] == item else 0)
            one.append(<const char*>head[queries[i]].start, head[queries[i]].size)
            if not put_piece(
                one, snippet, &records, &label, &speakers[0], &rows[0] + offsets[i], &breaks[0] + offsets[i],
                offsets[i + 1] - offsets[i], hits[i], text[i], shown, longest, &id,
            ):
                broken = i
                break
            put_double(one, 7, scores[i])
            given.clear()
            put_signals(given, &ranks[i, 0], &signals[i, 0])
            put_text(one, 8, text_in(given))
            put_message(out, 9, one)
            told.relation, told.further, told.cut = relation[i], further[i], cuts[i]
            told.called = called[kinds[hits[i]] == section]
            put_why(
                reasons, field, id, leads[i], scores[i], &ranks[i, 0], &signals[i, 0], &told,
                <int>(offsets[i + 1] - offsets[i] - 1),
            )
    if broken >= 0:
        raise ValueError(f"a record of piece {broken} is no message")
    return <bytes>out, <bytes>reasons, items, resources


cdef void put_head(string& out, bint is_resource, bint leads, uint64_t status) noexcept nogil:
    """source, group and status."""
    cdef string word
    word.append(b"resource") if is_resource else word.append(b"memory")
    put_text(out, 2, text_in(word))
    word.clear()
    word.append(b"top") if leads else word.append(b"long_tail")
    put_text(out, 11, text_in(word))
    if status:
        put_number(out, 14, status)


cdef bint put_piece(
    string& out, string& snippet, const Joined* records, const Joined* labels, const int* speakers, const int* rows,
    const unsigned char* breaks, Py_ssize_t count, int hit, Text text, int shown, Py_ssize_t longest, Text* id,
) noexcept nogil:
    """The fields of one ContextEvidence that come from its records. False if one is no message. id: of the hit.

    snippet: room to write in.
    """
    cdef Py_ssize_t i
    cdef Record record
    snippet.clear()
    id.size = 0
    for i in range(count):
        if not read_record(records, rows[i], &record):
            return False
        drop_key(&record)
        if i == 0:
            put_text(out, 3, record.uri)
            put_text(out, 4, record.title)
            if text.size:
                snippet.append(<const char*>text.start, text.size)
            else:
                put_first(snippet, &record, shown, longest)
        else:
            put_further(snippet, &record, labels, speakers[rows[i]], breaks[i])
        if rows[i] == hit:
            id[0] = record.id
            put_text(out, 1, record.id)
            put_text(out, 10, record.ref)
            put_text(out, 12, created_of(&record))
        if count > 1:
            put_bytes(out, 13, record.ref)
    put_text(out, 5, text_in(snippet))
    return True


cdef void drop_key(Record* record) noexcept nogil:
    """Leave the first line of an item's text out, `[type:key]`, which its address tells."""
    cdef Py_ssize_t i
    if not record.snippet.size or record.snippet.start[0] != c"[" or not item_of(record).size:
        return
    for i in range(record.snippet.size):
        if record.snippet.start[i] == c"\n":
            record.snippet.start += i + 1
            record.snippet.size -= i + 1
            return


cdef void put_first(string& snippet, const Record* record, int shown, Py_ssize_t longest) noexcept nogil:
    cdef Py_ssize_t kept
    if shown == SHOW_TITLE:
        snippet.append(<const char*>record.title.start, record.title.size)
    elif shown == SHOW_TEXT:
        kept = cut(record.snippet, longest)
        snippet.append(<const char*>record.snippet.start, kept)
        if kept < record.snippet.size:
            snippet.append(b"\xe2\x80\xa6")  # …


cdef void put_further(
    string& snippet, const Record* record, const Joined* labels, int speaker, unsigned char before
) noexcept nogil:
    cdef Text label
    if before & GAP:
        snippet.append(b"\n\xe2\x80\xa6")  # …
    snippet.push_back(b"\n")
    if before & HEADING:
        snippet.append(<const char*>record.title.start, record.title.size)
        snippet.push_back(b"\n")
    if speaker >= 0:
        label = part(labels, speaker)
        snippet.append(<const char*>label.start, label.size)
    snippet.append(<const char*>record.snippet.start, record.snippet.size)


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


cdef void put_signals(string& out, const int* ranks, const double* scores) noexcept nogil:
    """vector_rank and fts_rank unless 0, then scores unless NaN."""
    cdef int i
    for i in range(RANK_COLUMNS):
        if ranks[i]:
            put_number(out, RANK_FIELDS[i], <uint64_t>ranks[i])
    for i in range(SIGNAL_COLUMNS):
        if not isnan(scores[i]):
            put_double(out, SIGNAL_FIELDS[i], scores[i])


cdef int check_pieces(
    const int64_t[::1] offsets, const int[::1] rows, const unsigned char[::1] breaks, Py_ssize_t pieces
) except -1:
    if offsets.shape[0] != pieces + 1:
        raise ValueError(f"offsets has {offsets.shape[0]} entries, not {pieces + 1}")
    check_ends(offsets, rows.shape[0], "offsets")
    if breaks.shape[0] != rows.shape[0]:
        raise ValueError(f"breaks has {breaks.shape[0]} entries, not {rows.shape[0]}")
    return 0


cdef int check_standing(
    const unsigned char[::1] leads, const int[::1] queries, Py_ssize_t kinds, Py_ssize_t statuses, const int[::1] hits,
    Py_ssize_t heads,
) except -1:
    cdef Py_ssize_t i, p = hits.shape[0]
    if leads.shape[0] != p or queries.shape[0] != p:
        raise ValueError(f"leads and queries must be of {p} pieces")
    if kinds != statuses:
        raise ValueError(f"kinds has {kinds} entries but statuses {statuses}")
    for i in range(p):
        if not 0 <= queries[i] < heads:
            raise IndexError(f"queries[{i}] is {queries[i]}, not in 0..{heads - 1}")
        if not 0 <= hits[i] < kinds:
            raise IndexError(f"row {hits[i]} is not in 0..{kinds - 1}")
    return 0


cdef int check_labels(
    const int64_t[::1] ends, Py_ssize_t size, const int[::1] speakers, const int[::1] rows
) except -1:
    cdef Py_ssize_t i
    check_ends(ends, size, "labels")
    for i in range(rows.shape[0]):
        if rows[i] >= speakers.shape[0] or speakers[rows[i]] >= ends.shape[0] - 1:
            raise IndexError(f"the speaker of row {rows[i]} has no label")
    return 0


cdef int check_ends(const int64_t[::1] ends, Py_ssize_t size, str name) except -1:
    cdef Py_ssize_t i
    if ends.shape[0] == 0 or ends[0] != 0 or ends[ends.shape[0] - 1] != size:
        raise ValueError(f"the ends of {name} must run from 0 to {size}")
    for i in range(1, ends.shape[0]):
        if ends[i] < ends[i - 1]:
            raise ValueError(f"the ends of {name} must not fall")
    return 0
