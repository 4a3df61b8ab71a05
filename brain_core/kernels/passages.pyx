"""Pieces of text that grow: a row joins the one that it stands beside, or one under its heading, or opens a new one."""

from libc.stdint cimport int64_t, uint64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

from brain_core.kernels.among cimport among

cnp.import_array()

NOTHING, JOINED, OPENED, OVER_MOST, DOES_NOT_FIT = range(5)
UNPRICED = -1

cdef enum:
    NONE = -1
    FATE_NOTHING = 0
    FATE_JOINED = 1
    FATE_OPENED = 2
    FATE_OVER_MOST = 3
    FATE_DOES_NOT_FIT = 4
    GAP_CHARS = 2

cdef extern from "products.h" nogil:
    void prefetch(const void* place) noexcept

cdef struct Standing:
    Py_ssize_t number
    bint follows
    double score
    int64_t place

cdef struct Run:
    int first
    int last

cdef struct Piece:
    int hit
    int call
    int rows
    long long cost
    long long chars
    long long changed
    vector[Run] runs


cdef class Passages:
    """Pieces, each of rows under one heading in their order, and every row in one piece at most.

    costs: int32[n], what a piece of one row costs, in one unit with all other costs. dear: by row, of
    those that cost otherwise, UNPRICED of some of more than `longest` chars until `fill` asks. line_costs: int32[n], what a row costs after another one. chars:
    int32[n]. before, after: int32[n], the neighbour of a row in its session, -1 is none. headings: int32[n], what a
    row stands under, -1 is nothing: a neighbour under another heading is none. kinds: uint8[n]. Rows under one heading
    and of the kind `shared` may share a piece, in the order of their numbers, without being neighbours. most: pieces, ≥ 0. longest: chars of a piece that more than one row may fill. gap: what the line costs, of two chars, that stands
    where rows of a piece do not follow each other. A piece costs what its first row does, the line_costs of the
    others, its gaps, and labels[i] if it is the i-th to be opened: int32[≥ 1], of which the last holds for all later
    ones. Raises ValueError if shapes differ or labels has no entry.

    Not safe for use from two threads at once. The columns must stay as they are.
    """

    cdef const int[::1] costs, line_costs, chars, before, after, headings, labels
    cdef const unsigned char[::1] kinds
    cdef int shared
    cdef Py_ssize_t most
    cdef long long longest, gap
    cdef vector[Piece] all
    cdef unordered_map[int, int] piece_of, dear
    cdef int calls
    cdef long long changes

    def __cinit__(
        self, const int[::1] costs, dict dear, const int[::1] line_costs, const int[::1] chars, const int[::1] before,
        const int[::1] after, const int[::1] headings, const unsigned char[::1] kinds, int shared, Py_ssize_t most,
        long long longest, int gap, const int[::1] labels,
    ):
        cdef Py_ssize_t n = costs.shape[0]
        if {
            line_costs.shape[0], chars.shape[0], before.shape[0], after.shape[0], headings.shape[0], kinds.shape[0],
        } != {n}:
            raise ValueError(f"all columns must have {n} entries, one for each of costs")
        if labels.shape[0] == 0:
            raise ValueError("labels must have an entry")
        if most < 0:
            raise ValueError(f"most must be ≥ 0, got {most}")
        for row, cost in dear.items():
            self.dear[row] = cost
        self.costs, self.line_costs, self.chars = costs, line_costs, chars
        self.before, self.after, self.headings = before, after, headings
        self.kinds, self.shared = kinds, shared
        self.most, self.longest, self.gap = most, longest, gap
        self.labels = labels
        self.calls = 0
        self.changes = 0

    def fill(self, const int[::1] rows, const unsigned char[::1] may_open, long long free, price=None):
        """Take rows in order while they fit into what is free; return (what is taken ≤ max(free, 0), fates int8[m]).

        price: called with an UNPRICED row that would open a piece if there is room, tells what it costs from then on.
        rows: int32[m], best first. may_open: uint8[m], 1 where a row may open a piece. A row that stands between two
        pieces is offered to the one that changed last alone; one that stands beside none, to the pieces under its heading,
        the first that has room; what joins none may open one. Fates: JOINED; OPENED; OVER_MOST and DOES_NOT_FIT, in this order,
        for what may open and cannot; NOTHING for the rest, and for a row that a piece has already. Raises
        ValueError, and takes nothing, if shapes differ, a row is out of range or a neighbour does not point back; and,
        with what was taken until then, if a price is below 0, or what `price` raises.
        """
        cdef Py_ssize_t i, m = rows.shape[0], n = self.costs.shape[0]
        if may_open.shape[0] != m:
            raise ValueError(f"rows has {m} entries but may_open has {may_open.shape[0]}")
        for i in range(m):
            if rows[i] < 0 or rows[i] >= n:
                raise ValueError(f"rows[{i}] is {rows[i]}, not in 0..{n - 1}")
            self.fetch(rows[i])
        for i in range(m):
            if not self.linked(rows[i]):
                raise ValueError(f"a neighbour of row {rows[i]} does not point back to it")
        fates = np.empty(m, dtype=np.int8)
        cdef signed char[::1] out = fates
        cdef long long taken = 0
        cdef Py_ssize_t done = 0
        while True:
            with nogil:
                self.take(rows, may_open, free, out, &taken, &done)
            if done == m:
                break
            self.dear[rows[done]] = priced(rows[done], price)
        self.calls += 1
        return taken, fates

    def allow(self, Py_ssize_t most):
        """Let there be as many as `most` pieces from now on; those that are there stay. Raises ValueError below 0."""
        if most < 0:
            raise ValueError(f"most must be ≥ 0, got {most}")
        self.most = most

    def widen(self, const unsigned char[::1] allowed, const int[::1] uris, const int[::1] closed, long long free):
        """Let pieces take in what stands beside them; return what they take, ≤ max(free, 0).

        They take turns, in the order in which they were opened: each, for its runs of rows that follow each other, the
        row after the run, then the row before it, until none of them can. allowed: uint8[n], 0 leaves a row out. uris: int32[n]. closed: the few uris of rows to leave
        out. Raises ValueError if shapes differ, and, with what was taken until then, if a neighbour does not point
        back.
        """
        cdef Py_ssize_t n = self.costs.shape[0]
        if allowed.shape[0] != n or uris.shape[0] != n:
            raise ValueError(f"allowed and uris must have {n} entries, one for each of costs")
        cdef int broken = NONE
        cdef long long taken
        with nogil:
            taken = self.grow(allowed, uris, closed, free, &broken)
        if broken != NONE:
            raise ValueError(f"a neighbour of row {broken} does not point back to it")
        return taken

    def __len__(self):
        """Return how many pieces there are."""
        return self.all.size()

    def __contains__(self, int row):
        """Return whether a row is in a piece."""
        return self.piece_of.count(row) > 0

    def has(self, const uint64_t[::1] masks, uint64_t bits):
        """Return whether the mask of some row of a piece has one of the bits. masks: uint64[n]. Raises ValueError."""
        cdef pair[int, int] one
        if masks.shape[0] != self.costs.shape[0]:
            raise ValueError(f"masks has {masks.shape[0]} entries, not {self.costs.shape[0]}")
        for one in self.piece_of:
            if masks[one.first] & bits:
                return True
        return False

    def pieces(self):
        """Return what the pieces are, in the order in which they were opened.

        (hits int32[p], the row that each began with; calls int32[p], which call of fill opened it, from 0; costs
        int64[p]; chars int64[p]; offsets int64[p + 1]; rows int32[r]): piece i has rows[offsets[i]:offsets[i + 1]], in
        their order in the session.
        """
        cdef Py_ssize_t p = <Py_ssize_t>self.all.size(), i
        hits, calls = np.empty(p, dtype=np.int32), np.empty(p, dtype=np.int32)
        costs, chars = np.empty(p, dtype=np.int64), np.empty(p, dtype=np.int64)
        offsets, rows = np.zeros(p + 1, dtype=np.int64), np.empty(self.piece_of.size(), dtype=np.int32)
        cdef int[::1] hit = hits, call = calls, row = rows
        cdef long long[::1] cost = costs, char_ = chars, offset = offsets
        with nogil:
            for i in range(p):
                hit[i], call[i] = self.all[i].hit, self.all[i].call
                cost[i], char_[i] = self.all[i].cost, self.all[i].chars
                offset[i + 1] = offset[i] + self.all[i].rows
                self.list_rows(self.all[i], row[offset[i]:offset[i + 1]])
        return hits, calls, costs, chars, offsets, rows

    def best_first(
        self, const int[::1] ranked, const double[::1] scores, int leading, const int[::1] sections,
    ):
        """Return the pieces as a package has them, those that the first `leading` calls of fill opened before all others.

        ranked: int32[k], in which every hit stands. scores: float64[k]; over 1 is 1. sections: int32[n], -1 is none.
        Returns (hits int32[p], places of them in ranked int64[p], leads uint8[p], offsets int64[p + 1], rows int32[r],
        breaks uint8[r]), otherwise as `pieces`: the higher score first, of equals the earlier place. Breaks tell of a
        row that is not its piece's first that something is left out before it (1), that it begins another section (2),
        or both (3). Raises ValueError if parts do not fit together or a hit is not ranked.
        """
        cdef Py_ssize_t p = <Py_ssize_t>self.all.size(), i
        if scores.shape[0] != ranked.shape[0]:
            raise ValueError(f"scores has {scores.shape[0]} entries, not {ranked.shape[0]}")
        if sections.shape[0] != self.costs.shape[0]:
            raise ValueError(f"sections has {sections.shape[0]} entries, not {self.costs.shape[0]}")
        hits, places, leads = np.empty(p, dtype=np.int32), np.empty(p, dtype=np.int64), np.empty(p, dtype=np.uint8)
        offsets, rows = np.zeros(p + 1, dtype=np.int64), np.empty(self.piece_of.size(), dtype=np.int32)
        breaks = np.zeros(self.piece_of.size(), dtype=np.uint8)
        cdef int[::1] hit = hits, row = rows
        cdef unsigned char[::1] lead = leads, before = breaks
        cdef Py_ssize_t j
        cdef int64_t[::1] place = places, offset = offsets
        cdef vector[Standing] order
        cdef Standing one
        for i in range(p):
            one.number = i
            one.follows = self.all[i].call >= leading
            one.place = place_in(ranked, self.all[i].hit)
            if one.place == NONE:
                raise ValueError(f"the hit {self.all[i].hit} is not ranked")
            one.score = min(scores[one.place], 1.0)
            order.push_back(one)
        with nogil:
            sort(order.begin(), order.end(), &stands_before)
            for i in range(p):
                one = order[i]
                hit[i], place[i], lead[i] = self.all[one.number].hit, one.place, not one.follows
                offset[i + 1] = offset[i] + self.all[one.number].rows
                self.list_rows(self.all[one.number], row[offset[i]:offset[i + 1]])
                for j in range(offset[i] + 1, offset[i + 1]):
                    before[j] = self.after[row[j - 1]] != row[j]
                    if sections[row[j]] >= 0 and sections[row[j]] != sections[row[j - 1]]:
                        before[j] |= 2
        return hits, places, leads, offsets, rows, breaks

    cdef void list_rows(self, const Piece& piece, int[::1] out) noexcept nogil:
        cdef Py_ssize_t i = 0
        cdef size_t number
        cdef int row
        for number in range(piece.runs.size()):
            row = piece.runs[number].first
            out[i] = row
            i += 1
            while row != piece.runs[number].last:
                row = self.after[row]
                out[i] = row
                i += 1

    cdef void fetch(self, int row) noexcept nogil:
        """Have what is read of a row fetched: rows stand anywhere in the columns."""
        prefetch(&self.before[row])
        prefetch(&self.after[row])
        prefetch(&self.headings[row])
        prefetch(&self.kinds[row])
        prefetch(&self.costs[row])
        prefetch(&self.line_costs[row])
        prefetch(&self.chars[row])

    cdef bint linked(self, int row) noexcept nogil:
        cdef Py_ssize_t n = self.costs.shape[0]
        cdef int before = self.before[row], after = self.after[row]
        if before >= n or after >= n:
            return False
        return (before < 0 or self.after[before] == row) and (after < 0 or self.before[after] == row)

    cdef void take(
        self, const int[::1] rows, const unsigned char[::1] may_open, long long free, signed char[::1] fates,
        long long* taken, Py_ssize_t* done,
    ) noexcept nogil:
        """Go on where it was done, up to a row that needs a price, and add to what is taken."""
        cdef Py_ssize_t i, m = rows.shape[0], first = done[0]
        cdef int row
        done[0] = m
        for i in range(first, m):
            row = rows[i]
            if self.piece_of.count(row):
                fates[i] = FATE_NOTHING
            elif may_open[i] and self.cost_of(row) < 0 and <Py_ssize_t>self.all.size() < self.most:
                done[0] = i
                break
            elif self.join(row, free, taken):
                fates[i] = FATE_JOINED
            elif self.fuse(row, free, taken):
                fates[i] = FATE_JOINED
            elif may_open[i] and self.opens(row, free - taken[0]):
                taken[0] += self.all.back().cost
                fates[i] = FATE_OPENED
            elif not may_open[i]:
                fates[i] = FATE_NOTHING
            else:
                fates[i] = FATE_OVER_MOST if <Py_ssize_t>self.all.size() >= self.most else FATE_DOES_NOT_FIT

    cdef long long grow(
        self, const unsigned char[::1] allowed, const int[::1] uris, const int[::1] closed, long long free, int* broken
    ) noexcept nogil:
        cdef long long taken = 0
        cdef vector[int] growing, grown
        cdef vector[Run] runs
        cdef int i, side, row
        cdef Run run
        cdef bint grew
        for i in range(<int>self.all.size()):
            growing.push_back(i)
        while growing.size():
            grown.clear()
            for i in growing:
                grew = False
                runs = self.all[i].runs
                for run in runs:
                    for side in range(2):
                        row = self.neighbour(self.after, run.last) if side == 0 else self.neighbour(self.before, run.first)
                        if row < 0 or self.piece_of.count(row) or not allowed[row] or among(uris[row], closed):
                            continue
                        if not self.linked(row):
                            broken[0] = row
                            return taken
                        grew = self.join(row, free, &taken) or grew
                if grew:
                    grown.push_back(i)
            growing.swap(grown)
        return taken

    cdef bint opens(self, int row, long long free) noexcept nogil:
        cdef Piece piece
        cdef Run run
        cdef Py_ssize_t number = <Py_ssize_t>self.all.size()
        cdef long long cost = <long long>self.cost_of(row) + self.labels[min(number, self.labels.shape[0] - 1)]
        if number >= self.most or cost > free:
            return False
        self.changes += 1
        piece.hit = run.first = run.last = row
        piece.call = self.calls
        piece.rows = 1
        piece.cost, piece.chars, piece.changed = cost, self.chars[row], self.changes
        piece.runs.push_back(run)
        self.piece_of[row] = <int>number
        self.all.push_back(piece)
        return True

    cdef bint join(self, int row, long long free, long long* taken) noexcept nogil:
        """Put a row beside what it is a neighbour of. Where it closes a gap, two runs become one."""
        cdef int which = self.beside(row)
        if which == NONE:
            return False
        cdef Piece* piece = &self.all[which]
        cdef size_t i = 0
        while piece.runs[i].last != self.before[row] and piece.runs[i].first != self.after[row]:
            i += 1
        cdef bint leads = piece.runs[i].last != self.before[row]
        cdef bint closes = not leads and i + 1 < piece.runs.size() and piece.runs[i + 1].first == self.after[row]
        if not self.takes(piece, row, leads and i == 0, -1 if closes else 0, free, taken):
            return False
        if leads:
            piece.runs[i].first = row
        else:
            piece.runs[i].last = piece.runs[i + 1].last if closes else row
        if closes:
            piece.runs.erase(piece.runs.begin() + (i + 1))
        self.piece_of[row] = which
        return True

    cdef bint fuse(self, int row, long long free, long long* taken) noexcept nogil:
        """Put a row that has no neighbour in any piece into one under its heading, behind a gap."""
        cdef Py_ssize_t which
        cdef size_t i
        cdef Piece* piece
        cdef Run run
        if self.headings[row] < 0 or self.kinds[row] != self.shared or self.beside(row) != NONE:
            return False
        for which in range(<Py_ssize_t>self.all.size()):
            piece = &self.all[which]
            if self.headings[piece.hit] != self.headings[row] or self.kinds[piece.hit] != self.shared:
                continue
            i = 0
            while i < piece.runs.size() and piece.runs[i].first < row:
                i += 1
            if self.takes(piece, row, i == 0, 1, free, taken):
                run.first = run.last = row
                piece.runs.insert(piece.runs.begin() + i, run)
                self.piece_of[row] = <int>which
                return True
        return False

    cdef bint takes(
        self, Piece* piece, int row, bint leads, int gaps, long long free, long long* taken
    ) noexcept nogil:
        """Count a row into a piece if it fits. leads: it becomes the first. gaps: more than before."""
        cdef int first = piece.runs[0].first
        cdef long long cost = self.line_costs[row]
        cdef long long chars = <long long>self.chars[row] + gaps * GAP_CHARS
        if leads:
            cost = <long long>self.cost_of(row) - self.cost_of(first) + self.line_costs[first]
        cost += gaps * self.gap
        if piece.chars + chars > self.longest or cost > free - taken[0]:
            return False
        self.changes += 1
        piece.rows += 1
        piece.cost += cost
        piece.chars += chars
        piece.changed = self.changes
        taken[0] += cost
        return True

    cdef int cost_of(self, int row) noexcept nogil:
        if not self.dear.empty() and self.dear.count(row):
            return self.dear[row]
        return self.costs[row]

    cdef int beside(self, int row) noexcept nogil:
        cdef int before = self.holder(self.neighbour(self.before, row)), after = self.holder(self.neighbour(self.after, row))
        if before == NONE or after == NONE:
            return max(before, after)
        return before if self.all[before].changed > self.all[after].changed else after

    cdef int neighbour(self, const int[::1] there, int row) noexcept nogil:
        """The row before or after a row, if it stands under the same heading."""
        cdef int near = there[row]
        return near if near >= 0 and self.headings[near] == self.headings[row] else NONE

    cdef int holder(self, int row) noexcept nogil:
        return self.piece_of[row] if row >= 0 and self.piece_of.count(row) else NONE


cdef int priced(int row, price) except? -1:
    """Return what a row costs. Raises ValueError if nobody can tell, or below 0."""
    if price is None:
        raise ValueError(f"row {row} has no price")
    cdef int cost = price(row)
    if cost < 0:
        raise ValueError(f"the price of row {row} must be ≥ 0, got {cost}")
    return cost


def turned_away(const int[::1] rows, const signed char[::1] fates):
    """Return the fates that say why a row found no place, dict[int, int] by the row.

    rows: int32[m]. fates: int8[m], as `fill` gives them. Raises ValueError if there are not as many.
    """
    cdef Py_ssize_t i
    cdef dict away = {}
    if fates.shape[0] != rows.shape[0]:
        raise ValueError(f"there are {fates.shape[0]} fates of {rows.shape[0]} rows")
    for i in range(fates.shape[0]):
        if fates[i] >= FATE_OVER_MOST:
            away[rows[i]] = fates[i]
    return away


cdef int64_t place_in(const int[::1] ranked, int row) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(ranked.shape[0]):
        if ranked[i] == row:
            return i
    return NONE


cdef bint stands_before(const Standing& one, const Standing& other) noexcept nogil:
    if one.follows != other.follows:
        return other.follows
    if one.score != other.score:
        return one.score > other.score
    return one.place < other.place
