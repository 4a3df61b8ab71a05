"""Why something is not in a package, and what its queries were expanded by, written as the contract's messages.

Field numbers are those of smartbrain.v1 (context.proto, evidence.proto, plan.proto).
"""

from libc.stdint cimport int64_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from brain_core.kernels.records cimport Joined, Record, check_record, joined, prefetch, read_record
from brain_core.kernels.wire cimport Text, check_field, find_texts, put_message, put_number, put_share, put_text

WRITTEN = -1
"""In place of a row, where what is told of it is written already."""

cdef enum:
    STANDS = -1


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
