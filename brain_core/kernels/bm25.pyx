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

cdef extern from "products.h" nogil:
    void prefetch(const void* place) noexcept

cdef extern from "order.h" nogil:
    float greater(float left, float right) noexcept
    void gain_groups(
        const double* counts, double* lengths, long size, double gain, double flat, double slope
    ) noexcept

cdef enum:
    MOST = 65_535  # times that a term of a row can count
    FAR = 65_535  # rows that one posting reaches at most
    ROWS_AHEAD = 12  # of a list, on their way while one is scored
    ROWS_OF_LINE = 16  # floats that memory hands over together
    NO_RUN = -2  # no group of a row
    AHEAD = 4  # lists that are on their way while one is walked along
    SPARE = 8  # room for an eighth more terms is made at once

MOST_COUNT = MOST


cdef class Postings:
    """Inverted index of term ids.

    Not safe for use from two threads at once; the caller holds its memory's lock.
    """

    def __cinit__(self, float least_length=0.0):
        self.entries = self.beside = 0
        self.total_length = self.total_group_length = 0.0
        self.least_length = least_length

    def __len__(self):
        return <Py_ssize_t>self.rows.size()

    @property
    def nbytes(self):
        """Bytes held: postings and their room to grow, what is known of each row, group and term."""
        cdef long long rows = <long long>self.rows.size(), terms = <long long>self.lists.size()
        cdef long long of_terms = terms * (sizeof(PostingList) + 2 * sizeof(int))
        return self.beside + rows * sizeof(Row) + <long long>self.group_lengths.size() * sizeof(double) + of_terms

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
        cdef PostingList* one
        cdef size_t known = <size_t>term
        cdef int gap
        if known >= self.lists.size():
            if known >= self.lists.capacity():
                known += 1 + known // SPARE
                self.lists.reserve(known)
                self.frequencies.reserve(known)
                self.last_rows.reserve(known)
            self.lists.resize(term + 1)
            self.frequencies.resize(term + 1, 0)
            self.last_rows.resize(term + 1, 0)
        one = &self.lists[term]
        self.beside -= one.beside()
        gap = row - self.last_rows[term]
        posting.gap, posting.tf = FAR, 0
        while gap > FAR:
            one.push_back(posting)
            gap -= FAR
        posting.gap, posting.tf = <uint16_t>gap, tf
        one.push_back(posting)
        self.beside += one.beside()
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
        check_formula(power, k1, b, group_k1)
        cdef Py_ssize_t i, n = terms.shape[0]
        for i in range(n):
            if bits[i] >= 64:
                raise ValueError(f"bits[{i}] must be below 64, got {bits[i]}")
            if not shares[i] >= 0:
                raise ValueError(f"shares[{i}] must be ≥ 0, got {shares[i]}")
        cdef vector[int] heads
        cdef Families families
        heads_of(stands_for, n, heads)
        scores = np.zeros(self.rows.size(), dtype=np.float32)
        masks = np.zeros(self.rows.size(), dtype=np.uint64)
        groups = np.zeros(self.group_lengths.size(), dtype=np.float64)
        cdef float[::1] row_view = scores
        cdef uint64_t[::1] mask_view = masks
        cdef double[::1] group_view = groups
        cdef Scored out
        if n and self.rows.size():
            out.rows, out.masks, out.likes = &row_view[0], &mask_view[0], &mask_view[0]
            out.groups = &group_view[0] if self.group_lengths.size() else NULL
            with nogil:
                families_of(heads, families)
                self.accumulate(&terms[0], families, &bits[0], &bits[0], &shares[0], power, k1, group_k1, b, out)
        return scores, masks, groups

    cdef void accumulate(
        self, const int* terms, const Families& families, const int* bits, const int* likes, const double* shares,
        double power, double k1, double group_k1, double b, Scored out,
    ) noexcept nogil:
        """Add what terms gain rows and groups. bits, likes: of each term in out.masks and in out.likes, < 0 is none."""
        cdef size_t f, groups = self.group_lengths.size()
        cdef int i, m, first = 0
        cdef Scale of_rows, of_groups
        cdef ByGroup by_group
        if self.rows.size() == 0 or self.total_length == 0:
            return
        of_rows = scale_of(<double>self.rows.size(), self.total_length, power, k1, b)
        of_groups = scale_of(<double>groups, self.total_group_length, power, group_k1, b)
        by_group.counts.resize(groups, 0)
        by_group.touched.resize(groups + 1)
        by_group.often.resize(groups)
        by_group.gains.resize(groups)
        for m in range(min(AHEAD, <int>families.members.size())):
            self.ask_for(terms, families, m)
        if families.members.size() > families.ends.size() and self.best.rows.size() < self.rows.size():
            self.best.rows.resize(self.rows.capacity(), 0.0)
        if self.best.groups.size() < groups:
            self.best.groups.resize(groups, 0.0)
        for f in range(families.ends.size()):
            for m in range(first, families.ends[f]):
                self.ask_for(terms, families, m + AHEAD)
                i = families.members[m]
                if terms[i] >= 0 and <size_t>terms[i] < self.lists.size():
                    self.add_term(
                        terms[i], shares[i], bit_at(bits[i]), bit_at(likes[i]), of_rows, of_groups, by_group,
                        families.ends[f] - first == 1, out,
                    )
            first = families.ends[f]
            forget(self.best)

    cdef inline void ask_for(self, const int* terms, const Families& families, int member) noexcept nogil:
        """Have a list of postings fetched that is soon walked along: each stands anywhere in memory."""
        cdef int term
        if <size_t>member + AHEAD < families.members.size():
            term = terms[families.members[member + AHEAD]]
            if term >= 0 and <size_t>term < self.lists.size():
                prefetch(&self.lists[term])
                prefetch(&self.frequencies[term])
        if <size_t>member < families.members.size():
            term = terms[families.members[member]]
            if term >= 0 and <size_t>term < self.lists.size():
                prefetch(self.lists[term].data())
                prefetch(self.lists[term].data() + 16)

    cdef void add_term(
        self, int term, double share, uint64_t bit, uint64_t like, const Scale& of_rows, const Scale& of_groups,
        ByGroup& by_group, bint is_alone, Scored out,
    ) noexcept nogil:
        """Add what a term gains each row and group; of a family of several, only what it gains them beyond `best`."""
        cdef double gain = share * gain_of(of_rows, <double>self.frequencies[term]), so_far
        cdef Py_ssize_t found, p
        cdef int group
        if by_group.runs.size() < self.lists[term].size():
            by_group.runs.resize(self.lists[term].size())
            by_group.of_runs.resize(self.lists[term].size())
        if is_alone:
            found = gather(self.lists[term], self.rows.data(), gain, of_rows, bit, like, out, by_group)
        else:
            found = gather_best(self.lists[term], self.rows.data(), gain, of_rows, bit, like, out, self.best, by_group)
        gain = share * gain_of(of_groups, <double>found)
        for p in range(found):
            group = by_group.touched[p]
            by_group.often[p] = <double>by_group.counts[group]
            by_group.counts[group] = 0
            by_group.gains[p] = self.group_lengths[group]
        gain_groups(by_group.often.data(), by_group.gains.data(), found, gain, of_groups.flat, of_groups.slope)
        if is_alone:
            for p in range(found):
                out.groups[by_group.touched[p]] += by_group.gains[p]
            return
        self.best.groups_reached.insert(
            self.best.groups_reached.end(), by_group.touched.begin(), by_group.touched.begin() + found
        )
        for p in range(found):
            group = by_group.touched[p]
            so_far = self.best.groups[group]
            self.best.groups[group] = max(so_far, by_group.gains[p])
            out.groups[group] += self.best.groups[group] - so_far

    cdef double idf_of(self, int term) noexcept nogil:
        cdef double df = 0.0, documents = <double>self.rows.size()
        if 0 <= term and <size_t>term < self.lists.size():
            df = <double>self.frequencies[term]
        return log(1.0 + (documents - df + 0.5) / (df + 0.5))

    def idf(self, const int[::1] terms):
        """Return idf(t): float64[t]; unknown terms have that of a term in no document."""
        weights = np.empty(terms.shape[0], dtype=np.float64)
        cdef double[::1] out = weights
        cdef Py_ssize_t i
        for i in range(terms.shape[0]):
            out[i] = self.idf_of(terms[i])
        return weights

    def document_frequencies(self, const int[::1] terms):
        """Return in how many documents each term is: int32[t]; 0 of unknown terms."""
        counts = np.zeros(terms.shape[0], dtype=np.int32)
        cdef int[::1] out = counts
        cdef Py_ssize_t i
        for i in range(terms.shape[0]):
            if 0 <= terms[i] and <size_t>terms[i] < self.frequencies.size():
                out[i] = <int>self.frequencies[terms[i]]
        return counts

    cdef void rarest_of(
        self, const vector[int]& terms, size_t most, long long postings, vector[int]& found
    ) noexcept nogil:
        """Fill in the places of the rarest terms, as far as they have so many postings in all, the rarest first."""
        cdef size_t i
        cdef uint64_t frequency
        cdef long long total = 0
        cdef vector[uint64_t] order  # a term's frequency and its place, the lower the better
        for i in range(terms.size()):
            frequency = 0
            if 0 <= terms[i] and <size_t>terms[i] < self.frequencies.size():
                frequency = <uint64_t>self.frequencies[terms[i]]
            order.push_back(frequency << 32 | <uint64_t>i)
        sort(order.begin(), order.end())
        for i in range(min(most, order.size())):
            total += <long long>(order[i] >> 32)
            if total > postings:
                break
            found.push_back(<int><unsigned int>order[i])

    def rarest(self, const int[::1] terms, Py_ssize_t most, long long postings):
        """Return of some terms the rarest, as far as they have so many postings in all: int32[≤ most].

        The rarest first, among equals the one named first. terms: int32[t]; of unknown ones there are no postings. most
        ≥ 0. Raises ValueError.
        """
        if most < 0:
            raise ValueError(f"most must be ≥ 0, got {most}")
        cdef Py_ssize_t i
        cdef vector[int] given, places
        for i in range(terms.shape[0]):
            given.push_back(terms[i])
        self.rarest_of(given, most, postings, places)
        found = np.empty(places.size(), dtype=np.int32)
        cdef int[::1] out = found
        for i in range(<Py_ssize_t>places.size()):
            out[i] = terms[places[i]]
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
                postings.beside += postings.lists[term].beside()
                for i in range(offsets[term], offsets[term + 1]):
                    postings.post(<int>term, rows[i], <uint16_t>counts[i])
                    lengths[rows[i]] += counts[i]  # whole numbers: in any order the same sum
            for i in range(n):
                postings.close(lengths[i], groups[i])
        return postings


cdef Py_ssize_t gather(
    const PostingList& postings, const Row* rows, double gain, const Scale& of, uint64_t bit, uint64_t like,
    Scored out, ByGroup& by_group,
) noexcept nogil:
    """Add what one term gains each row, and its bits, and count it in each group; return how many groups have it.

    by_group.touched becomes the groups that have the term. Without branches that depend on the rows: a wrong guess costs
    more than all else. Rows of a group mostly follow one another: how often such a run has the term is written over and
    over, never read back.
    """
    cdef const Posting* posting = postings.data()
    cdef const Posting* end = posting + postings.size()
    cdef const Posting* ahead = first_ahead(postings, of)
    cdef int* runs = by_group.runs.data()
    cdef unsigned int* counts = by_group.of_runs.data()
    cdef double flat = of.flat, slope = of.slope
    cdef bint is_marked = bit != 0, is_liked = like != 0 and out.likes != out.masks
    cdef Py_ssize_t run = -1
    cdef double tf
    cdef int row = 0, group, next_row = 0, latest = NO_RUN
    cdef unsigned int count = 0
    while posting != end:
        while ahead != end and ahead <= posting + ROWS_AHEAD:
            next_row += ahead.gap
            prefetch(rows + next_row)
            prefetch(out.rows + next_row)
            ahead += 1
        row += posting.gap
        tf = posting.tf
        if tf != 0:
            group = rows[row].group
            count = posting.tf + (count if group == latest else 0)
            run += group != latest
            runs[run], counts[run], latest = group, count, group
            out.rows[row] += <float>(gain * tf / (tf + flat + slope * rows[row].length))
            if is_marked:
                out.masks[row] |= bit
            if is_liked:
                out.likes[row] |= like
        posting += 1
    return join_runs(by_group, run + 1)


cdef Py_ssize_t gather_best(
    const PostingList& postings, const Row* rows, double gain, const Scale& of, uint64_t bit, uint64_t like,
    Scored out, Best& best, ByGroup& by_group,
) noexcept nogil:
    """As `gather`, but a row is added only what this term gains it beyond others of its family."""
    cdef const Posting* posting = postings.data()
    cdef const Posting* end = posting + postings.size()
    cdef const Posting* ahead = first_ahead(postings, of)
    cdef int* runs = by_group.runs.data()
    cdef unsigned int* counts = by_group.of_runs.data()
    cdef float* so_far = best.rows.data()
    cdef double flat = of.flat, slope = of.slope
    cdef bint is_marked = bit != 0, is_liked = like != 0 and out.likes != out.masks
    cdef Py_ssize_t run = -1
    cdef size_t reached = best.rows_reached.size()
    cdef double tf
    cdef float gained
    cdef int row = 0, group, next_row = 0, latest = NO_RUN
    cdef unsigned int count = 0
    best.rows_reached.resize(reached + postings.size())
    while posting != end:
        while ahead != end and ahead <= posting + ROWS_AHEAD:
            next_row += ahead.gap
            prefetch(rows + next_row)
            prefetch(out.rows + next_row)
            prefetch(so_far + next_row)
            ahead += 1
        row += posting.gap
        tf = posting.tf
        if tf != 0:
            group = rows[row].group
            count = posting.tf + (count if group == latest else 0)
            run += group != latest
            runs[run], counts[run], latest = group, count, group
            gained = <float>(gain * tf / (tf + flat + slope * rows[row].length))
            gained = greater(gained, so_far[row])
            out.rows[row] += gained - so_far[row]
            so_far[row] = gained
            if is_marked:
                out.masks[row] |= bit
            if is_liked:
                out.likes[row] |= like
        best.rows_reached[reached] = row
        reached += 1
        posting += 1
    return join_runs(by_group, run + 1)


cdef inline const Posting* first_ahead(const PostingList& postings, const Scale& of) noexcept nogil:
    """From where rows are fetched ahead: nowhere if they stand so close that each line has some of them."""
    cdef bint stand_close = <double>postings.size() * ROWS_OF_LINE >= of.count
    return postings.data() + (postings.size() if stand_close else 0)


cdef Py_ssize_t join_runs(ByGroup& by_group, Py_ssize_t size) noexcept nogil:
    """Add up how often runs have a term by their groups, touched; return how many there are."""
    cdef Py_ssize_t i, found = 0
    cdef int group
    for i in range(size):
        group = by_group.runs[i]
        if group >= 0:
            by_group.touched[found] = group
            found += by_group.counts[group] == 0
            by_group.counts[group] += by_group.of_runs[i]
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


cdef inline uint64_t bit_at(int place) noexcept nogil:
    return (<uint64_t>1) << place if place >= 0 else 0


cdef int heads_of(const int[::1] stands_for, Py_ssize_t terms, vector[int]& heads) except -1:
    """Fill in for which place each term stands."""
    cdef Py_ssize_t i
    if stands_for is not None and stands_for.shape[0] != terms:
        raise ValueError(f"terms has {terms} entries but stands_for has {stands_for.shape[0]}")
    for i in range(terms):
        heads.push_back(<int>i if stands_for is None else stands_for[i])
    for i in range(terms):
        if not 0 <= heads[i] < terms or heads[heads[i]] != heads[i]:
            raise ValueError(f"stands_for[{i}] is {heads[i]}, which is no place of a term that stands for itself")
    return 0


cdef void families_of(const vector[int]& heads, Families& families) noexcept nogil:
    """Gather the terms that stand for one, itself first, in the order of those that stand for themselves."""
    cdef size_t i
    cdef int family, at = 0
    cdef vector[int] number, free
    number.resize(heads.size())
    families.members.resize(heads.size())
    for i in range(heads.size()):
        if <size_t>heads[i] == i:
            number[i] = <int>families.ends.size()
            families.ends.push_back(0)
    for i in range(heads.size()):
        families.ends[number[heads[i]]] += 1
    for i in range(families.ends.size()):
        free.push_back(at)
        at += families.ends[i]
        families.ends[i] = at
    for i in range(heads.size()):
        if <size_t>heads[i] == i:
            families.members[free[number[i]]] = <int>i
            free[number[i]] += 1
    for i in range(heads.size()):
        if <size_t>heads[i] != i:
            family = number[heads[i]]
            families.members[free[family]] = <int>i
            free[family] += 1


cdef int check_formula(double power, double k1, double b, double group_k1) except -1:
    if not (power >= 0 and k1 >= 0 and group_k1 >= 0 and 0 <= b <= 1):
        raise ValueError(f"power, k1 and group_k1 must be ≥ 0 and b in 0..1, got {power}, {k1}, {group_k1} and {b}")
    return 0


cdef int check_entry(Py_ssize_t number, int term, float count) except -1:
    if term < 0 or not 0 < count <= MOST or count != <float><int>count:
        raise ValueError(f"entry {number}: term {term} must be ≥ 0 and count {count} a whole number 1..{MOST_COUNT}")
    return 0
