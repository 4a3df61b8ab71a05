"""From the words of a query, and others of like meaning, to what they say of every row: one call."""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.stdint cimport uint64_t
from libcpp.algorithm cimport binary_search, sort
from libcpp.unordered_map cimport unordered_map
from libcpp.unordered_set cimport unordered_set
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

from brain_core.kernels.bm25 cimport Families, Postings, Scored, check_formula, families_of
from brain_core.kernels.vocabulary cimport Key, Vocabulary, key_of

cnp.import_array()

cdef enum:
    UNKNOWN = -1
    OWN = -2


cdef struct Terms:
    vector[int] ids, bits, likes, heads
    vector[double] shares
    bint stands  # one for another


cdef struct Joined:
    vector[int] ids, heads  # heads: the place of the query's term that each stands for, UNKNOWN is none
    vector[double] shares
    unordered_map[int, int] places  # by id, OWN is a term of the query


cdef class Alike:
    """A word, and others of like meaning, ready to be looked up in any vocabulary.

    terms: index terms of the word, at least one. others: (index terms that all stand for one, at least one; its likeness
    0..1) of each, the likest first. translated: whether they are of the other language. Raises ValueError, or TypeError
    if a term is no str.
    """

    cdef readonly tuple terms, others
    cdef readonly bint translated
    cdef tuple names  # the terms of all others: what is reached through the others is three fetches away, not one
    cdef vector[Key] keys  # of each
    cdef vector[char] text
    cdef vector[int] ends  # of each other in keys
    cdef vector[double] likeness

    def __init__(self, tuple terms not None, tuple others not None, bint translated):
        self.terms, self.others, self.translated = terms, others, translated
        self.names = tuple([term for parts, _ in others for term in parts])
        self.keys.clear()
        self.text.clear()
        self.ends.clear()
        self.likeness.clear()
        for parts, likeness in others:
            if not terms or not parts:
                raise ValueError(f"words must have terms, got {terms!r} and {parts!r}")
            for term in parts:
                self.keys.push_back(key_of(term, self.text))
            self.ends.push_back(<int>self.keys.size())
            self.likeness.push_back(likeness)


def ask(
    Postings postings not None, Vocabulary vocabulary not None, tuple wanted not None, const int[::1] bits,
    tuple words not None, alike, list beside not None, around, formula, long long soon_scored,
):
    """Score every row and every group for a query.

    vocabulary: of the terms of postings. wanted: the query's terms, distinct. bits: int32[t], < 64, the place of
    each in the masks, < 0 is none. words: Alike, those of like meaning. alike: (weight of one that is as like as can be,
    most others for each word, how far a translation makes a word known). beside: int32 arrays, ids of what is said
    around. around: (what each of these counts, most). formula: (power, k1, b, group_k1), as of `Postings.score`.
    soon_scored: postings of those beside, and of those of like meaning, that are scored at most, of the rarest.

    Others count whose terms are all in the vocabulary and not all wanted, each term for the word that it is likest to,
    by its first term; it is no rarer than that. Returns (rows float32[n]; masks uint64[n]; likes uint64[n], in which a
    term of like meaning has the bit of what it stands for, masks itself if there is none; groups float64[g]; idf of
    each wanted float64[t]; how far each is known float64[t], 0..1; what terms of like meaning count, by term). Raises
    ValueError if parts do not fit together.
    """
    cdef double weight, known, share, power, k1, b, group_k1
    cdef Py_ssize_t i, most, most_beside, count = len(wanted)
    cdef Terms asked
    cdef Joined joined
    cdef vector[int] kept
    cdef Families families
    asked.stands = False
    weight, most, known = alike
    share, most_beside = around
    power, k1, b, group_k1 = formula
    check_formula(power, k1, b, group_k1)
    if bits.shape[0] != count:
        raise ValueError(f"wanted has {count} terms but bits has {bits.shape[0]}")
    if not (weight >= 0 and share >= 0 and most >= 0 and most_beside >= 0):
        raise ValueError(f"weights and most must be ≥ 0, got {weight}, {share}, {most} and {most_beside}")
    rarity, told = np.empty(count), np.zeros(count)
    cdef double[::1] rarity_view = rarity, told_view = told
    cdef dict places = {}
    for i in range(count):
        if bits[i] >= 64:
            raise ValueError(f"bits[{i}] must be below 64, got {bits[i]}")
        places[wanted[i]] = i
        push(asked, vocabulary.find(wanted[i]), bits[i], bits[i], <int>i, 1.0)
        rarity_view[i] = postings.idf_of(asked.ids[i])
        if asked.ids[i] != UNKNOWN:
            joined.places[asked.ids[i]] = OWN
    cdef Alike one
    for one in words:
        expect_all(vocabulary, one)
    cdef list names = []
    for one in words:
        join_word(vocabulary, places, one, weight, most, known, names, joined, told_view)
    for i in range(count):
        if asked.ids[i] != UNKNOWN:
            told_view[i] = 1.0
    push_beside(postings, beside, share, most_beside, soon_scored, joined, asked)
    postings.rarest_of(joined.ids, joined.ids.size(), soon_scored, kept)
    sort(kept.begin(), kept.end())
    push_joined(postings, joined, kept, rarity_view, asked)
    rows, masks, groups = blank(postings)
    cdef float[::1] row_view = rows
    cdef uint64_t[::1] mask_view = masks, like_view = masks
    cdef double[::1] group_view = groups
    likes = masks
    if asked.stands:
        likes = np.zeros(len(masks), dtype=np.uint64)
        like_view = likes
    cdef Scored out
    if row_view.shape[0] and asked.ids.size():
        out.rows, out.masks, out.likes = &row_view[0], &mask_view[0], &like_view[0]
        out.groups = &group_view[0] if group_view.shape[0] else NULL
        with nogil:
            families_of(asked.heads, families)
            postings.accumulate(
                asked.ids.data(), families, asked.bits.data(), asked.likes.data(), asked.shares.data(), power, k1,
                group_k1, b, out,
            )
    similar = {names[place]: joined.shares[place] for place in kept}
    return rows, masks, likes, groups, rarity, told, similar


cdef blank(Postings postings):
    return (
        np.zeros(postings.rows.size(), dtype=np.float32), np.zeros(postings.rows.size(), dtype=np.uint64),
        np.zeros(postings.group_lengths.size()),
    )


cdef inline void push(Terms& asked, int term, int bit, int like, int head, double share) noexcept nogil:
    asked.ids.push_back(term)
    asked.bits.push_back(bit)
    asked.likes.push_back(like)
    asked.heads.push_back(head)
    asked.shares.push_back(share)


cdef inline int id_of(dict places, term) except -2:
    cdef PyObject* found = PyDict_GetItemWithError(places, term)
    return UNKNOWN if found == NULL else <int><object>found


cdef inline void expect_all(Vocabulary vocabulary, Alike word) noexcept nogil:
    cdef size_t i
    for i in range(word.keys.size()):
        vocabulary.expect(word.keys[i])


cdef int join_word(
    Vocabulary vocabulary, dict places, Alike word, double weight, Py_ssize_t most, double known, list names,
    Joined& joined, double[::1] told,
) except -1:
    """Join the likest others of a word to what has joined, and note how far a translation makes its terms known."""
    cdef Py_ssize_t count = 0, owned, number, i
    cdef double share, best = 0.0
    cdef int head = UNKNOWN, first, last = 0, at
    cdef vector[int] ids
    for number in range(<Py_ssize_t>word.ends.size()):
        if count == most:
            break
        first, last = last, word.ends[number]
        owned = ids_of(vocabulary, word, first, last, joined, ids)
        if owned == <Py_ssize_t>ids.size():
            continue
        if count == 0:
            head = id_of(places, word.terms[0])
        count += 1
        best = max(best, known * word.likeness[number])
        share = weight * word.likeness[number] / ids.size()
        for i in range(<Py_ssize_t>ids.size()):
            at = place_of(joined, ids[i])
            if at == UNKNOWN and share > 0:
                joined.places[ids[i]] = <int>joined.ids.size()
                joined.ids.push_back(ids[i])
                joined.heads.push_back(head)
                joined.shares.push_back(share)
                names.append(word.names[first + i])
            elif at >= 0 and share > joined.shares[at]:
                joined.shares[at], joined.heads[at] = share, head
    if word.translated:
        for term in word.terms:
            at = id_of(places, term)
            if at >= 0:
                told[at] = max(told[at], best)
    return 0


cdef Py_ssize_t ids_of(
    Vocabulary vocabulary, Alike word, int first, int last, const Joined& joined, vector[int]& ids
) noexcept nogil:
    """Fill in the ids of terms and return how many are the query's own; none at all if one is unknown."""
    cdef Py_ssize_t owned = 0
    cdef int i, found
    ids.clear()
    for i in range(first, last):
        found = vocabulary.find_key(word.keys[i], word.text.data())
        if found == UNKNOWN:
            ids.clear()
            return 0
        ids.push_back(found)
        owned += place_of(joined, found) == OWN
    return owned


cdef inline int place_of(const Joined& joined, int term) noexcept nogil:
    return joined.places.at(term) if joined.places.count(term) else UNKNOWN


cdef int push_beside(
    Postings postings, list beside, double share, Py_ssize_t most, long long soon_scored, const Joined& joined,
    Terms& asked,
) except -1:
    """Add the rarest of what is said around and is not the query's own."""
    cdef const int[::1] ids
    cdef unordered_set[int] seen
    cdef vector[int] found, kept
    cdef Py_ssize_t i
    cdef int place
    for ids in beside:
        for i in range(ids.shape[0]):
            if place_of(joined, ids[i]) != OWN and seen.insert(ids[i]).second:
                found.push_back(ids[i])
    postings.rarest_of(found, most, soon_scored, kept)
    for place in kept:
        push(asked, found[place], UNKNOWN, UNKNOWN, <int>asked.ids.size(), share)
    return 0


cdef void push_joined(
    Postings postings, Joined& joined, vector[int]& kept, const double[::1] rarity, Terms& asked
) noexcept nogil:
    """Add what joined, but for what is asked for as it is: that counts as that."""
    cdef Py_ssize_t own = rarity.shape[0]
    cdef vector[int] taken
    cdef double share, rarer
    cdef int place, head, term
    taken.insert(taken.end(), asked.ids.begin() + own, asked.ids.end())
    sort(taken.begin(), taken.end())
    for place in kept:
        term = joined.ids[place]
        if binary_search(taken.begin(), taken.end(), term):
            continue
        head, share = joined.heads[place], joined.shares[place]
        if head == UNKNOWN:
            push(asked, term, UNKNOWN, UNKNOWN, <int>asked.ids.size(), share)
            continue
        if asked.ids[head] != UNKNOWN:
            rarer = rarity[head] / postings.idf_of(term)
            share *= min(1.0, rarer)
        asked.stands = True
        push(asked, term, UNKNOWN, asked.likes[head], head, share)
