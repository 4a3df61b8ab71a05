"""BM25 over postings that grow by one document at a time, and over groups of documents as if each were one.

Formula (Robertson and Zaragoza 2009, with Lucene's always-positive idf):
    idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))
    score  = sum over t of share(t) · idf(t)^power · tf·(k1 + 1) / (tf + k1·(1 - b + b·length / mean length))
A length below `least_length` counts as that: of two short turns the shorter is not the better.
"""

from libc.math cimport log, pow
from libc.stdint cimport uint16_t, uint64_t
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

cdef extern from "order.h" nogil:
    uint64_t place_of(float score, int row) noexcept
    int row_at(uint64_t place) noexcept
    void keep_best(vector[uint64_t]& places, size_t k) noexcept
    const int BLOCK
    void tops_of_blocks(const float* scores, const unsigned char* allowed, long size, float* tops) noexcept
    float reached_by(const vector[float]& tops, size_t k) noexcept

cdef enum:
    MOST = 65_535  # times that a term of a row can count
    FAR = 65_535  # rows that one posting reaches at most
    LANES_OF = 4  # counts of a group
    SHORT_LIST = 32  # postings from which on a list grows by half of itself, not to twice

MOST_COUNT = MOST


cdef struct Posting:
    uint16_t gap  # rows since the posting before, of the first: since row 0
    uint16_t tf  # 0: a step on the way to a row that is farther than FAR


cdef struct Row:
    float length
    int group


cdef struct Scale:
    double count, power, k1, flat, slope


cdef struct Lanes:
    vector[unsigned int] counts  # of each group, and last of none: how often it has the term at hand, in parts
    vector[unsigned char] seen  # whether it has it
    vector[int] touched


cdef struct Best:
    vector[float] rows  # what the words of one family have gained each so far
    vector[double] groups
    vector[int] rows_reached, groups_reached


cdef class Postings:
    """Inverted index of term ids.

    Not safe for use from two threads at once; the caller holds its memory's lock.
    """

    cdef vector[vector[Posting]] lists
    cdef vector[int] frequencies, last_rows  # of each list: rows in it, the last of them
    cdef vector[Row] rows
    cdef vector[double] group_lengths
    cdef double total_length, total_group_length
    cdef float least_length
    cdef long long entries

    def __cinit__(self, float least_length=0.0):
        self.entries = 0
        self.total_length = self.total_group_length = 0.0
        self.least_length = least_length

    def __len__(self):
        return <Py_ssize_t>self.rows.size()

    @property
    def nbytes(self):
        """Bytes held, estimated: postings, what is known of each row and group, and one list header per term."""
        cdef long long rows = <long long>self.rows.size(), terms = <long long>self.lists.size()
        return self.entries * sizeof(Posting) + rows * sizeof(Row) + <long long>self.group_lengths.size() * 8 + terms * 32

    def add(self, const int[::1] terms, const float[::1] counts, int group=-1):
        """Add a document and return its row.

        terms: int32[t], distinct, ≥ 0. counts: float32[t], whole numbers 1..65,535. group: that it belongs to, -1 is
        none. Raises ValueError otherwise.
        """
        cdef Py_ssize_t i, n = terms.shape[0]
        if group < -1:
            raise ValueError(f"group must be ≥ -1, got {group}")
        if counts.shape[0] != n:
            raise ValueError(f"terms has {n} entries but counts has {counts.shape[0]}")
        for i in range(n):
            check_entry(i, terms[i], counts[i])
        with nogil:
            self.append(terms, counts, n, group)
        return <Py_ssize_t>self.rows.size() - 1

    cdef void append(self, const int[::1] terms, const float[::1] counts, Py_ssize_t n, int group) noexcept nogil:
        cdef Py_ssize_t i
        cdef double length = 0.0
        for i in range(n):
            self.post(terms[i], <int>self.rows.size(), <uint16_t>counts[i])
            length += counts[i]
        self.close(length, group)

    cdef void post(self, int term, int row, uint16_t tf) noexcept nogil:
        cdef Posting posting
        cdef vector[Posting]* one
        cdef int gap
        if <size_t>term >= self.lists.size():
            self.lists.resize(term + 1)
            self.frequencies.resize(term + 1, 0)
            self.last_rows.resize(term + 1, 0)
        one = &self.lists[term]
        gap = row - self.last_rows[term]
        posting.gap, posting.tf = FAR, 0
        while gap > FAR:
            one.push_back(posting)
            gap -= FAR
        posting.gap, posting.tf = <uint16_t>gap, tf
        if one.size() == one.capacity() and one.size() >= SHORT_LIST:
            one.reserve(one.size() + one.size() // 2)
        one.push_back(posting)
        self.frequencies[term] += 1
        self.last_rows[term] = row
        self.entries += 1

    cdef void close(self, double length, int group) noexcept nogil:
        """Count the next row, all of whose postings are in."""
        cdef Row row
        if group >= 0:
            if <size_t>group >= self.group_lengths.size():
                self.group_lengths.resize(group + 1, 0.0)
            self.group_lengths[group] += length
            self.total_group_length += length
        length = max(length, <double>self.least_length)
        row.length, row.group = <float>length, group
        self.rows.push_back(row)
        self.total_length += length

    def score(
        self, const int[::1] terms, const int[::1] bits, const double[::1] shares, double power, double k1, double b,
        double group_k1, const int[::1] stands_for=None,
    ):
        """Score every row and every group.

        terms: int32[t], distinct, unknown ones (< 0 or never added) are skipped. bits: int32[t], below 64, the place of
        each term in the masks, < 0 is none. shares: float64[t], ≥ 0, what each term counts. power ≥ 0, k1 ≥ 0,
        group_k1 ≥ 0, 0 ≤ b ≤ 1. stands_for: int32[t], the place of the term for which each stands, which stands for
        itself; None, all do: of those that stand for one term the one that gains a row or group most counts. Returns (rows float32[n], 0 where no term occurs; masks uint64[n], which terms a row
        has; groups float64[g], each as one document).
        """
        if bits.shape[0] != terms.shape[0]:
            raise ValueError(f"terms has {terms.shape[0]} entries but bits has {bits.shape[0]}")
        if shares.shape[0] != terms.shape[0]:
            raise ValueError(f"terms has {terms.shape[0]} entries but shares has {shares.shape[0]}")
        if not (power >= 0 and k1 >= 0 and group_k1 >= 0 and 0 <= b <= 1):
            raise ValueError(f"power, k1 and group_k1 must be ≥ 0 and b in 0..1, got {power}, {k1}, {group_k1} and {b}")
        cdef Py_ssize_t i
        for i in range(bits.shape[0]):
            if bits[i] >= 64:
                raise ValueError(f"bits[{i}] must be below 64, got {bits[i]}")
            if not shares[i] >= 0:
                raise ValueError(f"shares[{i}] must be ≥ 0, got {shares[i]}")
        cdef vector[vector[int]] families
        members_of(stands_for, terms.shape[0], families)
        scores = np.zeros(self.rows.size(), dtype=np.float32)
        masks = np.zeros(self.rows.size(), dtype=np.uint64)
        groups = np.zeros(self.group_lengths.size(), dtype=np.float64)
        cdef float[::1] out = scores
        cdef uint64_t[::1] mask = masks
        cdef double[::1] group_out = groups
        with nogil:
            self.accumulate(terms, families, bits, shares, power, k1, group_k1, b, out, mask, group_out)
        return scores, masks, groups

    cdef void accumulate(
        self, const int[::1] terms, const vector[vector[int]]& families, const int[::1] bits, const double[::1] shares,
        double power, double k1, double group_k1, double b, float[::1] out, uint64_t[::1] masks, double[::1] groups_out,
    ) noexcept nogil:
        cdef size_t f, m
        cdef int i
        cdef Scale of_rows, of_groups
        cdef Lanes lanes
        cdef Best best
        cdef Best* of_family
        if self.rows.size() == 0 or self.total_length == 0:
            return
        of_rows = scale_of(<double>self.rows.size(), self.total_length, power, k1, b)
        of_groups = scale_of(<double>self.group_lengths.size(), self.total_group_length, power, group_k1, b)
        lanes.counts.resize(LANES_OF * (self.group_lengths.size() + 1), 0)
        lanes.seen.resize(self.group_lengths.size() + 1, 0)
        lanes.seen[self.group_lengths.size()] = 1
        lanes.touched.resize(self.group_lengths.size() + 1)
        for f in range(families.size()):
            of_family = &best
            if families[f].size() == 1:
                of_family = NULL
            elif best.rows.empty():
                best.rows.resize(self.rows.size(), 0.0)
                best.groups.resize(self.group_lengths.size(), 0.0)
            for m in range(families[f].size()):
                i = families[f][m]
                if terms[i] >= 0 and <size_t>terms[i] < self.lists.size():
                    self.add_term(
                        terms[i], shares[i], (<uint64_t>1) << bits[i] if bits[i] >= 0 else 0, of_rows, of_groups,
                        lanes, of_family, out, masks, groups_out,
                    )
            forget(best)

    cdef void add_term(
        self, int term, double share, uint64_t bit, const Scale& of_rows, const Scale& of_groups, Lanes& lanes,
        Best* best, float[::1] out, uint64_t[::1] masks, double[::1] groups_out,
    ) noexcept nogil:
        """Add what a term gains each row and group; with best, only what it gains them beyond that."""
        cdef double gain = share * gain_of(of_rows, <double>self.frequencies[term]), tf, gained
        cdef Py_ssize_t found, p, lane
        cdef int group, no_group = <int>self.group_lengths.size()
        if best == NULL:
            found = gather(
                self.lists[term], self.rows.data(), gain, of_rows.flat, of_rows.slope, bit, &out[0], &masks[0],
                lanes.counts.data(), lanes.seen.data(), no_group, lanes.touched.data(),
            )
        else:
            found = gather_best(
                self.lists[term], self.rows.data(), gain, of_rows, bit, &out[0], &masks[0], best, lanes, no_group
            )
        gain = share * gain_of(of_groups, <double>found)
        for p in range(found):
            group = lanes.touched[p]
            tf = 0.0
            for lane in range(LANES_OF * group, LANES_OF * (group + 1)):
                tf += lanes.counts[lane]
                lanes.counts[lane] = 0
            lanes.seen[group] = 0
            gained = gain * tf / (tf + of_groups.flat + of_groups.slope * self.group_lengths[group])
            if best == NULL:
                groups_out[group] += gained
            elif gained > best.groups[group]:
                groups_out[group] += gained - best.groups[group]
                best.groups[group] = gained
                best.groups_reached.push_back(group)

    def mark(self, const int[::1] terms, const int[::1] bits, uint64_t[::1] masks):
        """Set the bit of each term in the masks of the rows that have it.

        terms: int32[t], unknown ones are skipped. bits: int32[t], below 64, < 0 is none. masks: uint64[n]. Raises
        ValueError, and sets nothing, if shapes differ or a bit is out of range.
        """
        cdef Py_ssize_t i, count = <Py_ssize_t>self.rows.size()
        if bits.shape[0] != terms.shape[0]:
            raise ValueError(f"terms has {terms.shape[0]} entries but bits has {bits.shape[0]}")
        if masks.shape[0] != count:
            raise ValueError(f"masks must have {count} entries, one for each row, got {masks.shape[0]}")
        for i in range(bits.shape[0]):
            if bits[i] >= 64:
                raise ValueError(f"bits[{i}] must be below 64, got {bits[i]}")
        with nogil:
            for i in range(terms.shape[0]):
                if bits[i] >= 0 and 0 <= terms[i] and <size_t>terms[i] < self.lists.size():
                    set_bit(self.lists[terms[i]], (<uint64_t>1) << bits[i], masks)

    def idf(self, const int[::1] terms):
        """Return idf(t): float64[t]; unknown terms have that of a term in no document."""
        weights = np.empty(terms.shape[0], dtype=np.float64)
        cdef double[::1] out = weights
        cdef double documents = <double>self.rows.size(), df
        cdef Py_ssize_t i
        for i in range(terms.shape[0]):
            df = 0.0
            if 0 <= terms[i] and <size_t>terms[i] < self.lists.size():
                df = <double>self.frequencies[terms[i]]
            out[i] = log(1.0 + (documents - df + 0.5) / (df + 0.5))
        return weights

    def rarest(self, const int[::1] terms, Py_ssize_t most, long long postings):
        """Return of some terms the rarest, as far as they have so many postings in all: int32[≤ most].

        The rarest first, among equals the one named first. terms: int32[t]; of unknown ones there are no postings. most
        ≥ 0. Raises ValueError.
        """
        if most < 0:
            raise ValueError(f"most must be ≥ 0, got {most}")
        cdef Py_ssize_t i, count = 0
        cdef uint64_t frequency
        cdef long long total = 0
        cdef vector[uint64_t] order  # a term's frequency and its place, the lower the better
        for i in range(terms.shape[0]):
            frequency = 0
            if 0 <= terms[i] and <size_t>terms[i] < self.frequencies.size():
                frequency = <uint64_t>self.frequencies[terms[i]]
            order.push_back(frequency << 32 | <uint64_t>i)
        sort(order.begin(), order.end())
        for i in range(min(most, terms.shape[0])):
            total += <long long>(order[i] >> 32)
            if total > postings:
                break
            count += 1
        found = np.empty(count, dtype=np.int32)
        cdef int[::1] out = found
        for i in range(count):
            out[i] = terms[<Py_ssize_t>(order[i] & 0xFFFFFFFF)]
        return found

    def dump(self):
        """Return (offsets int64[terms + 1], rows int32[e], counts float32[e]), postings by term: what `load` needs."""
        offsets = np.zeros(self.lists.size() + 1, dtype=np.int64)
        rows, counts = np.empty(self.entries, dtype=np.int32), np.empty(self.entries, dtype=np.float32)
        cdef long long[::1] ends = offsets
        cdef int[::1] row = rows
        cdef float[::1] count = counts
        cdef size_t term, i
        cdef long long at = 0
        cdef int now
        with nogil:
            for term in range(self.lists.size()):
                now = 0
                for i in range(self.lists[term].size()):
                    now += self.lists[term][i].gap
                    if self.lists[term][i].tf:
                        row[at], count[at] = now, self.lists[term][i].tf
                        at += 1
                ends[term + 1] = at
        return offsets, rows, counts

    @staticmethod
    def load(
        const long long[::1] offsets, const int[::1] rows, const float[::1] counts, const int[::1] groups,
        float least_length=0.0,
    ):
        """Make postings of what `dump` returned, and the group of each row: int32[n], -1 is none.

        Raises ValueError if the arrays do not fit together.
        """
        cdef Py_ssize_t terms = offsets.shape[0] - 1, n = groups.shape[0], term, i
        if terms < 0 or offsets[0] != 0 or offsets[terms] != rows.shape[0]:
            raise ValueError("offsets must run from 0 to the number of rows")
        if counts.shape[0] != rows.shape[0]:
            raise ValueError(f"rows has {rows.shape[0]} entries but counts has {counts.shape[0]}")
        for i in range(n):
            if groups[i] < -1:
                raise ValueError(f"group must be ≥ -1, got {groups[i]}")
        for term in range(terms):
            if offsets[term + 1] < offsets[term]:
                raise ValueError(f"offsets fall at term {term}")
            for i in range(offsets[term], offsets[term + 1]):
                check_entry(i, <int>term, counts[i])
                if rows[i] >= n or rows[i] < (rows[i - 1] + 1 if i > offsets[term] else 0):
                    raise ValueError(f"entry {i}: row {rows[i]} is not in 0..{n - 1}, or does not ascend")
        cdef Postings postings = Postings(least_length)
        cdef vector[double] lengths
        with nogil:
            postings.lists.resize(terms)
            postings.frequencies.resize(terms, 0)
            postings.last_rows.resize(terms, 0)
            lengths.resize(n, 0.0)
            for term in range(terms):
                postings.lists[term].reserve(offsets[term + 1] - offsets[term])
                for i in range(offsets[term], offsets[term + 1]):
                    postings.post(<int>term, rows[i], <uint16_t>counts[i])
                    lengths[rows[i]] += counts[i]  # whole numbers: in any order the same sum
            for i in range(n):
                postings.close(lengths[i], groups[i])
        return postings


cdef Py_ssize_t gather(
    const vector[Posting]& postings, const Row* rows, double gain, double flat, double slope, uint64_t bit, float* out,
    uint64_t* masks, unsigned int* lanes, unsigned char* seen, int no_group, int* touched,
) noexcept nogil:
    """Add what one term gains each row, and its bit, and count it in each group; return how many groups have it.

    lanes, seen: of groups, then of rows of none. touched: groups that have the term, one place more. Without branches
    that depend on the rows: a wrong guess costs more than all else. Rows of a group follow one another, and a count
    waits for the one before in its place: so it goes on in the group's lanes by turns.
    """
    cdef const Posting* posting = postings.data()
    cdef const Posting* end = posting + postings.size()
    cdef Py_ssize_t found = 0, lane = 0
    cdef double tf
    cdef int row = 0, group
    while posting != end:
        row += posting.gap
        tf = posting.tf
        group = rows[row].group if rows[row].group >= 0 else no_group
        if tf != 0:
            touched[found] = group
            found += not seen[group]
            seen[group] = 1
            lanes[LANES_OF * <Py_ssize_t>group + lane] += posting.tf
            lane = (lane + 1) & (LANES_OF - 1)
            out[row] += <float>(gain * tf / (tf + flat + slope * rows[row].length))
            if bit:
                masks[row] |= bit
        posting += 1
    return found


cdef void set_bit(const vector[Posting]& postings, uint64_t bit, uint64_t[::1] masks) noexcept nogil:
    cdef size_t i
    cdef int row = 0
    for i in range(postings.size()):
        row += postings[i].gap
        if postings[i].tf:
            masks[row] |= bit


cdef Py_ssize_t gather_best(
    const vector[Posting]& postings, const Row* rows, double gain, const Scale& of, uint64_t bit, float* out,
    uint64_t* masks, Best* best, Lanes& lanes, int no_group,
) noexcept nogil:
    """As `gather`, but a row is added only what this term gains it beyond others of its family."""
    cdef Py_ssize_t found = 0
    cdef size_t i
    cdef float gained
    cdef int row = 0, group
    for i in range(postings.size()):
        row += postings[i].gap
        if postings[i].tf == 0:
            continue
        group = rows[row].group if rows[row].group >= 0 else no_group
        lanes.touched[found] = group
        found += not lanes.seen[group]
        lanes.seen[group] = 1
        lanes.counts[LANES_OF * <size_t>group] += postings[i].tf
        gained = <float>(gain * postings[i].tf / (postings[i].tf + of.flat + of.slope * rows[row].length))
        if gained > best.rows[row]:
            out[row] += gained - best.rows[row]
            best.rows[row] = gained
            best.rows_reached.push_back(row)
        masks[row] |= bit
    return found


cdef void forget(Best& best) noexcept nogil:
    cdef size_t i
    for i in range(best.rows_reached.size()):
        best.rows[best.rows_reached[i]] = 0.0
    for i in range(best.groups_reached.size()):
        best.groups[best.groups_reached[i]] = 0.0
    best.rows_reached.clear()
    best.groups_reached.clear()


cdef inline Scale scale_of(double count, double total_length, double power, double k1, double b) noexcept nogil:
    cdef Scale of
    of.count, of.power, of.k1 = count, power, k1
    of.flat = k1 * (1.0 - b)
    of.slope = k1 * b * count / total_length if total_length > 0 else 0.0
    return of


cdef inline double gain_of(const Scale& of, double df) noexcept nogil:
    return pow(log(1.0 + (of.count - df + 0.5) / (df + 0.5)), of.power) * (of.k1 + 1.0)


cdef int members_of(const int[::1] stands_for, Py_ssize_t terms, vector[vector[int]]& families) except -1:
    """Fill in the places of the terms of each family, itself first, in the order of those that stand for themselves."""
    cdef Py_ssize_t i
    cdef vector[int] place
    if stands_for is not None and stands_for.shape[0] != terms:
        raise ValueError(f"terms has {terms} entries but stands_for has {stands_for.shape[0]}")
    place.resize(terms)
    for i in range(terms):
        if stands_for is None or stands_for[i] == i:
            place[i] = <int>families.size()
            families.push_back(vector[int](1, <int>i))
        elif not 0 <= stands_for[i] < terms or stands_for[stands_for[i]] != stands_for[i]:
            raise ValueError(f"stands_for[{i}] is {stands_for[i]}, which is no place of a term that stands for itself")
    for i in range(terms):
        if stands_for is not None and stands_for[i] != i:
            families[place[stands_for[i]]].push_back(<int>i)
    return 0


cdef int check_entry(Py_ssize_t number, int term, float count) except -1:
    if term < 0 or not 0 < count <= MOST or count != <float><int>count:
        raise ValueError(f"entry {number}: term {term} must be ≥ 0 and count {count} a whole number 1..{MOST_COUNT}")
    return 0


cdef void select(
    const float[::1] scores, const unsigned char[::1] allowed, size_t k, vector[uint64_t]& best
) noexcept nogil:
    """Leave the places of the k best rows of positive score, best first; k ≥ 1. What cannot be one is passed over."""
    cdef int row, first, size = <int>scores.shape[0]
    cdef size_t block
    cdef float least
    cdef vector[float] tops
    tops.resize((size + BLOCK - 1) // BLOCK)
    tops_of_blocks(&scores[0], &allowed[0], size, tops.data())
    least = reached_by(tops, k)
    best.reserve(2 * k)
    for block in range(tops.size()):
        if tops[block] < least or tops[block] <= 0:
            continue
        first = <int>block * BLOCK
        for row in range(first, min(first + BLOCK, size)):
            if scores[row] >= least and scores[row] > 0 and allowed[row]:
                best.push_back(place_of(scores[row], row))
    keep_best(best, k)
    sort(best.begin(), best.end())


def top_k(const float[::1] scores, const unsigned char[::1] allowed, Py_ssize_t k):
    """Return the rows of the k highest positive scores, best first; among equals the lower row.

    scores: float32[n]. allowed: uint8[n], 0 leaves a row out. k ≥ 0. Returns int32[≤ k]. Raises ValueError.
    """
    if allowed.shape[0] != scores.shape[0]:
        raise ValueError(f"scores has {scores.shape[0]} rows but allowed has {allowed.shape[0]}")
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    cdef size_t i, most = min(k, scores.shape[0])
    cdef vector[uint64_t] best
    if most:
        with nogil:
            select(scores, allowed, most, best)
    rows = np.empty(best.size(), dtype=np.int32)
    cdef int[::1] out = rows
    for i in range(best.size()):
        out[i] = row_at(best[i])
    return rows
