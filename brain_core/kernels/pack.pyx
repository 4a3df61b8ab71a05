"""Evidence of an EvidencePack, written from the records of its rows with what a query adds to each.

Field numbers are those of smartbrain.v1 (evidence.proto).
"""

from libc.math cimport isnan
from libc.stdint cimport int64_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from brain_core.kernels.records cimport Joined, Record, check_records, joined, part, read_record
from brain_core.kernels.signals cimport FINAL, FUSED, MEANING, RANK_COLUMNS, RECENCY, SIGNAL_COLUMNS, WORDS
from brain_core.kernels.wire cimport (
    Text, check_field, find_texts, next_field, put_bytes, put_double, put_message, put_number, put_text, text_in,
)

cdef enum:
    SNIPPET = 8
    SNIPPET_POLICY = 9
    SIGNALS = 11
    PROVENANCE = 12
    RAW = 14
    STATUS = 18
    PAST_ALL = 0x7FFFFFFF


cdef struct Found:
    Text mode, text, at
    int query


cdef struct Added:
    Text snippet, policy, relation, raw
    Found found
    bint is_given  # whether the snippet stands in place of the record's own
    bint has_provenance
    const int* ranks  # NULL for no signals
    const double* signals
    unsigned char status


def longer(const unsigned char[::1] content, const int64_t[::1] ends, const int[::1] rows, Py_ssize_t longest):
    """Return the places of rows int32[m] whose snippet has more than `longest` characters, ascending: list[int].

    content, ends: serialised Evidence of n rows, row r in content[ends[r]:ends[r + 1]]. Raises IndexError for a row that
    is not there, ValueError if a record is no message.
    """
    cdef Py_ssize_t i
    cdef Record record
    check_records(content, ends, rows)
    found = []
    if not rows.shape[0]:
        return found
    cdef Joined records = joined(content, ends)
    for i in range(rows.shape[0]):
        if ends[rows[i] + 1] - ends[rows[i]] <= longest:
            continue
        if not read_record(&records, rows[i], &record):
            raise ValueError(f"record {rows[i]} is no message")
        if characters_of(record.snippet) > longest:
            found.append(i)
    return found


def pack_evidences(
    const unsigned char[::1] content, const int64_t[::1] ends, const int[::1] rows, list texts, str policy,
    const int[::1] queries, provenance, list relations, list raws, standing, const int[:, ::1] ranks,
    const double[:, ::1] signals, int field,
):
    """Return rows int32[m] as messages Evidence of a repeated field of this number, serialised, fields in their order.

    content, ends: as in `longer`; of a record snippet_policy, signals, provenance, raw and status are left out. texts:
    of each row what stands in place of its snippet, or None. policy: of all snippets. queries: int32[m], which query
    found each row. provenance: (list[str], mode of each query; list[str], its text; a serialised Timestamp, when they
    were asked), or None for no provenance. relations: str of each row, none for none. raws: serialised EvidenceRaw of
    each row, none for none. standing: (kinds uint8[n], statuses uint8[n], the kind of an item, which tells its status).
    ranks: int32[m, 2] as in signals.RANKS, 0 is none; signals: float64[m, 5] as in signals.SIGNALS, NaN is none; both of
    no rows for no signals. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef Py_ssize_t i, m = rows.shape[0], broken = -1
    cdef vector[Text] text, relation, raw, policies
    cdef vector[Found] queried
    cdef vector[char] is_given
    cdef const unsigned char[::1] kinds, statuses
    cdef int item
    kinds, statuses, item = standing
    check_field(field)
    check_records(content, ends, rows)
    is_given.resize(m)
    for i in range(min(m, len(texts))):
        is_given[i] = texts[i] is not None
    find_texts([given or "" for given in texts], m, "texts", text)
    find_texts([policy], 1, "policy", policies)
    find_texts(relations, m if relations else 0, "relations", relation)
    find_texts(raws, m if raws else 0, "raws", raw)
    if provenance is not None:
        find_queries(provenance[0], provenance[1], provenance[2], queried)
    check_added(queries, <Py_ssize_t>queried.size(), provenance is not None, rows, kinds, statuses, ranks, signals)
    if not m:
        return b""
    cdef Joined records = joined(content, ends)
    cdef Added added
    cdef string out, one, inner
    with nogil:
        for i in range(m):
            added.snippet, added.is_given, added.policy = text[i], is_given[i], policies[0]
            added.has_provenance = not queried.empty()
            if added.has_provenance:
                added.found = queried[queries[i]]
                added.relation = relation[i] if not relation.empty() else blank()
            added.raw = raw[i] if not raw.empty() else blank()
            added.status = statuses[rows[i]] if kinds[rows[i]] == item else 0
            added.ranks = &ranks[i, 0] if ranks.shape[0] else NULL
            added.signals = &signals[i, 0] if ranks.shape[0] else NULL
            one.clear()
            if not put_evidence(one, part(&records, rows[i]), &added, inner):
                broken = i
                break
            put_message(out, field, one)
    if broken >= 0:
        raise ValueError(f"record {rows[broken]} is no message")
    return <bytes>out


cdef int find_queries(list modes, list texts, bytes at, vector[Found]& queried) except -1:
    cdef vector[Text] mode, text, asked
    cdef Found found
    cdef Py_ssize_t i
    find_texts(modes, len(modes), "modes", mode)
    find_texts(texts, len(modes), "texts of queries", text)
    find_texts([at], 1, "at", asked)
    for i in range(len(modes)):
        found.mode, found.text, found.at, found.query = mode[i], text[i], asked[0], <int>i
        queried.push_back(found)
    return 0


cdef int check_added(
    const int[::1] queries, Py_ssize_t known, bint is_told, const int[::1] rows, const unsigned char[::1] kinds,
    const unsigned char[::1] statuses, const int[:, ::1] ranks, const double[:, ::1] signals,
) except -1:
    cdef Py_ssize_t i, m = rows.shape[0]
    if queries.shape[0] != m:
        raise ValueError(f"queries must have {m} entries, one for each of rows")
    if statuses.shape[0] != kinds.shape[0]:
        raise ValueError(f"kinds has {kinds.shape[0]} entries but statuses {statuses.shape[0]}")
    if ranks.shape[0] != signals.shape[0] or (ranks.shape[0] and ranks.shape[0] != m):
        raise ValueError(f"ranks and signals must be of {m} rows or of none")
    if ranks.shape[1] != RANK_COLUMNS or signals.shape[1] != SIGNAL_COLUMNS:
        raise ValueError(f"ranks and signals must have {RANK_COLUMNS} and {SIGNAL_COLUMNS} columns")
    for i in range(m):
        if rows[i] >= kinds.shape[0]:
            raise IndexError(f"row {rows[i]} is not in 0..{kinds.shape[0] - 1}")
        if is_told and not 0 <= queries[i] < known:
            raise IndexError(f"queries[{i}] is {queries[i]}, not in 0..{known - 1}")
    return 0


cdef inline Text blank() noexcept nogil:
    cdef Text nothing
    nothing.start, nothing.size = <const unsigned char*>NULL, 0
    return nothing


cdef Py_ssize_t characters_of(Text text) noexcept nogil:
    cdef Py_ssize_t i, count = 0
    for i in range(text.size):
        count += text.start[i] & 0xC0 != 0x80
    return count


cdef bint put_evidence(string& out, Text record, const Added* added, string& inner) noexcept nogil:
    """A record with what is added, in the order of fields. False if it is no message. inner: room to write in."""
    cdef const unsigned char* at = record.start
    cdef const unsigned char* end = at + record.size
    cdef const unsigned char* start
    cdef int number = 0, done = 0
    cdef Text value
    while at < end:
        start = at
        if not next_field(&at, end, &number, &value):
            return False
        if number == SNIPPET_POLICY or number == SIGNALS or number == PROVENANCE or number == RAW or number == STATUS:
            continue
        put_added(out, done, number, added, inner)
        done = max(done, number)
        if number != SNIPPET or not added.is_given:
            out.append(<const char*>start, at - start)
    put_added(out, done, PAST_ALL, added, inner)
    return True


cdef void put_added(string& out, int done, int upto, const Added* added, string& inner) noexcept nogil:
    """What is added between the fields of these numbers, of which the first is written."""
    if added.is_given and done < SNIPPET <= upto:
        put_text(out, SNIPPET, added.snippet)
    if done < SNIPPET_POLICY < upto:
        put_text(out, SNIPPET_POLICY, added.policy)
    if added.ranks and done < SIGNALS < upto:
        inner.clear()
        put_signals(inner, added.ranks, added.signals)
        put_text(out, SIGNALS, text_in(inner))
    if added.has_provenance and done < PROVENANCE < upto:
        inner.clear()
        put_provenance(inner, &added.found, added.relation)
        put_message(out, PROVENANCE, inner)
    if added.raw.size and done < RAW < upto:
        put_bytes(out, RAW, added.raw)
    if added.status and done < STATUS < upto:
        put_number(out, STATUS, added.status)


cdef void put_provenance(string& out, const Found* found, Text relation) noexcept nogil:
    put_text(out, 1, found.mode)
    put_text(out, 2, found.text)
    if found.query:
        put_number(out, 3, <uint64_t>found.query)
    put_bytes(out, 4, found.at)
    put_text(out, 5, relation)


cdef void put_signals(string& out, const int* ranks, const double* signals) noexcept nogil:
    """Ranks unless 0 and scores unless NaN, in the order of fields."""
    put_score(out, 1, signals[MEANING])
    put_rank(out, 2, ranks[MEANING])
    put_score(out, 3, signals[WORDS])
    put_rank(out, 4, ranks[WORDS])
    put_score(out, 5, signals[FUSED])
    put_score(out, 6, signals[FINAL])
    put_score(out, 9, signals[RECENCY])


cdef inline void put_rank(string& out, int number, int rank) noexcept nogil:
    if rank:
        put_number(out, number, <uint64_t>rank)


cdef inline void put_score(string& out, int number, double score) noexcept nogil:
    if not isnan(score):
        put_double(out, number, score)
