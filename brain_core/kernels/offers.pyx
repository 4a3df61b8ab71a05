"""What of a ranking may go into a package, in the order in which room is given: to what is worth most a token first."""

from libc.math cimport pow
from libc.stdint cimport int64_t, uint64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

import numpy as np

from brain_core.kernels.among cimport among

cdef extern from "products.h" nogil:
    void prefetch(const void* place) noexcept

OFFERED, REPEATS, PINNED, SILENT, BELOW = range(5)

cdef enum:
    FATE_OFFERED = 0
    FATE_REPEATS = 1
    FATE_PINNED = 2
    FATE_SILENT = 3
    FATE_BELOW = 4
    UNPRICED = -1
    MASK_BITS = 64

ctypedef pair[double, int64_t] Entry
"""The worth of a place, less than 0 that the greatest may come first, and the place."""

cdef struct Ranked:
    const int* rows
    const double* scores
    const int* queries

cdef struct Columns:
    const unsigned char* kinds
    const int* uris
    const int* costs
    const unsigned char* silent
    Py_ssize_t rows


def offered(
    ranking, Py_ssize_t reach, const int64_t[::1] kept, columns, kinds, const int[::1] recent,
    const unsigned char[::1] pinned, const unsigned char[::1] worded, double exponent, floors, quotas,
):
    """Return what may go into a package of the first `reach` places of a ranking, and of those kept what each is.

    ranking: (rows int32[n], scores float64[n], queries int32[n]), best first. kept: int64[k] places, ascending, within
    reach. columns: (kinds uint8[r], uris int32[r], costs int32[r] > 0, silent uint8[r], 1 for what says nothing by
    itself). kinds: those of a message, of a tool's result and of a document's section. recent: int32[u], uris of
    messages that have a slot of their own. pinned: uint8[k], 1 for what stands in another slot; or uint8[0]. worded:
    uint8[q], 1 for queries that ask word for word: what is silent may be their answer. floors: (lowest, share, best): a
    score counts from the greater of `lowest` and a share of the best, of `best` and of those kept and not recent.
    quotas: (of all else, of documents, least share) or None: what is kept has room after all others where its quota is
    over, or its score is under that share of the best kept.

    Returns (places int64[m], rows int32[m], scores float64[m], worth float64[m], recent bool[m], may_open uint8[m],
    fates int8[k], floor). Places are by worth, score · cost ** -exponent, the earlier first among equals, without what
    is silent. Fates are PINNED, REPEATS (of recent), SILENT, BELOW the floor, where a score over 1 is 1, or OFFERED,
    whose may_open is 1. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef const int[::1] rows, queries
    cdef const double[::1] scores
    rows, scores, queries = ranking
    cdef Ranked ranked
    cdef Columns column = columns_of(columns)
    cdef int message = kinds[0], result = kinds[1], document = kinds[2]
    cdef double lowest = floors[0], share = floors[1], best = floors[2], floor
    cdef Py_ssize_t i, k = kept.shape[0]
    cdef vector[unsigned char] is_recent, is_kept
    cdef vector[Entry] order
    cdef bint said, shared = quotas is not None
    cdef long long others = quotas[0] if shared else 0, documents = quotas[1] if shared else 0
    cdef double least = quotas[2] if shared else 0
    check_ranking(rows, scores, queries, reach, &column, worded.shape[0])
    check_kept(kept, reach, pinned.shape[0])
    fates = np.empty(k, dtype=np.int8)
    cdef signed char[::1] fate = fates
    ranked.rows, ranked.scores, ranked.queries = &rows[0], &scores[0], &queries[0]
    with nogil:
        is_recent.resize(reach, 0)
        for i in range(reach):
            said = column.kinds[rows[i]] == message or column.kinds[rows[i]] == result
            is_recent[i] = said and among(column.uris[rows[i]], recent)
            order.push_back(Entry(-(scores[i] * pow(column.costs[rows[i]], -exponent)), i))
        sort(order.begin(), order.end())
        floor = max(lowest, share * best_of(&ranked, kept, is_recent, best))
        is_kept.resize(reach, 0)
        for i in range(k):
            is_kept[kept[i]] = 1
            fate[i] = fate_of(&ranked, &column, kept[i], is_recent[kept[i]], worded, floor)
            if pinned.shape[0] and pinned[i] != 0:
                fate[i] = FATE_PINNED
        if shared:
            share_out(order, &ranked, &column, document, is_kept, others, documents, least)
        for i in range(k):
            is_kept[kept[i]] = fate[i] == FATE_OFFERED
        leave_silent_out(order, &ranked, &column, worded)
    return *laid_out(order, &ranked, is_recent, is_kept), fates, floor


cdef Columns columns_of(columns) except *:
    cdef const unsigned char[::1] kinds, silent
    cdef const int[::1] uris, costs
    cdef Columns found
    kinds, uris, costs, silent = columns
    if {uris.shape[0], costs.shape[0], silent.shape[0]} != {kinds.shape[0]}:
        raise ValueError(f"all columns must have {kinds.shape[0]} entries, one for each of kinds")
    found.kinds, found.uris, found.costs, found.silent = &kinds[0], &uris[0], &costs[0], &silent[0]
    found.rows = kinds.shape[0]
    return found


cdef int check_ranking(
    const int[::1] rows, const double[::1] scores, const int[::1] queries, Py_ssize_t reach,
    const Columns* column, Py_ssize_t asked,
) except -1:
    cdef Py_ssize_t i, n = rows.shape[0], r = column.rows
    if scores.shape[0] != n or queries.shape[0] != n:
        raise ValueError(f"scores and queries must have {n} entries, one for each of rows")
    if not 0 <= reach <= n:
        raise ValueError(f"reach must be in 0..{n}, got {reach}")
    for i in range(reach):
        if not 0 <= rows[i] < r:
            raise IndexError(f"rows[{i}] is {rows[i]}, not in 0..{r - 1}")
        if not 0 <= queries[i] < asked:
            raise IndexError(f"queries[{i}] is {queries[i]}, not in 0..{asked - 1}")
        fetch(column, rows[i])
    for i in range(reach):
        if column.costs[rows[i]] <= 0:
            raise ValueError(f"the cost of row {rows[i]} must be > 0, got {column.costs[rows[i]]}")
    return 0


cdef void fetch(const Columns* column, int row) noexcept nogil:
    """Have what is read of a row fetched: rows stand anywhere in the columns."""
    prefetch(column.costs + row)
    prefetch(column.kinds + row)
    prefetch(column.uris + row)
    prefetch(column.silent + row)


cdef int check_kept(const int64_t[::1] kept, Py_ssize_t reach, Py_ssize_t pinned) except -1:
    cdef Py_ssize_t i, k = kept.shape[0]
    cdef int64_t last = -1
    if pinned not in (0, k):
        raise ValueError(f"pinned has {pinned} entries, not {k}")
    for i in range(k):
        if not last < kept[i] < reach:
            raise IndexError(f"kept[{i}] is {kept[i]}, not ascending in 0..{reach - 1}")
        last = kept[i]
    return 0


cdef double best_of(
    const Ranked* ranked, const int64_t[::1] kept, const vector[unsigned char]& is_recent, double elsewhere
) noexcept nogil:
    cdef double best = max(elsewhere, 0.0)
    cdef Py_ssize_t i
    for i in range(kept.shape[0]):
        if not is_recent[kept[i]]:
            best = max(best, ranked.scores[kept[i]])
    return best


cdef signed char fate_of(
    const Ranked* ranked, const Columns* column, int64_t place, bint is_recent, const unsigned char[::1] worded,
    double floor,
) noexcept nogil:
    if is_recent:
        return FATE_REPEATS
    if is_silent(ranked, column, place, worded):
        return FATE_SILENT
    return FATE_BELOW if min(ranked.scores[place], 1.0) < floor else FATE_OFFERED


cdef bint is_silent(
    const Ranked* ranked, const Columns* column, int64_t place, const unsigned char[::1] worded
) noexcept nogil:
    return column.silent[ranked.rows[place]] != 0 and worded[ranked.queries[place]] == 0


cdef void share_out(
    vector[Entry]& order, const Ranked* ranked, const Columns* column, int document,
    const vector[unsigned char]& is_kept, long long others, long long documents, double least,
) noexcept nogil:
    """Put what is kept and over its quota, or not good enough for one, after all others."""
    cdef double best = 0.0
    cdef long long left
    cdef vector[Entry] within, over
    cdef Entry one
    cdef bint of_documents
    for one in order:
        if is_kept[one.second]:
            best = max(best, ranked.scores[one.second])
    for one in order:
        if not is_kept[one.second]:
            within.push_back(one)
            continue
        of_documents = column.kinds[ranked.rows[one.second]] == document
        left = documents if of_documents else others
        if left <= 0 or ranked.scores[one.second] < least * best:
            over.push_back(one)
            continue
        within.push_back(one)
        if of_documents:
            documents -= 1
        else:
            others -= 1
    within.insert(within.end(), over.begin(), over.end())
    order.swap(within)


cdef void leave_silent_out(
    vector[Entry]& order, const Ranked* ranked, const Columns* column, const unsigned char[::1] worded
) noexcept nogil:
    cdef size_t i, left = 0
    for i in range(order.size()):
        if not is_silent(ranked, column, order[i].second, worded):
            order[left] = order[i]
            left += 1
    order.resize(left)


cdef tuple laid_out(
    const vector[Entry]& order, const Ranked* ranked, const vector[unsigned char]& is_recent,
    const vector[unsigned char]& opens,
):
    cdef Py_ssize_t i, m = <Py_ssize_t>order.size()
    places, rows = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int32)
    scores, worth = np.empty(m), np.empty(m)
    recent, may_open = np.empty(m, dtype=np.uint8), np.empty(m, dtype=np.uint8)
    cdef int64_t[::1] place = places
    cdef int[::1] row = rows
    cdef double[::1] score = scores, value = worth
    cdef unsigned char[::1] is_of_recent = recent, opening = may_open
    for i in range(m):
        place[i] = order[i].second
        row[i], score[i], value[i] = ranked.rows[place[i]], ranked.scores[place[i]], -order[i].first
        is_of_recent[i], opening[i] = is_recent[place[i]], opens[place[i]]
    return places, rows, scores, worth, recent.view(np.bool_), may_open


def of_one_source(
    const int[::1] rows, const signed char[::1] fates, const unsigned char[::1] kinds, const int[::1] sources, wanted,
    const int[::1] order,
):
    """Return which items may have been read in which messages: a list of (item's row, message's row, whether the
    message comes first in `order`), items as they stand, and for each what repeats before what is offered.

    rows: int32[k], fates: int8[k] of each, as `offered` gives them: items are those offered, messages those offered and
    all that repeat. kinds: uint8[n]. sources: int32[n]. wanted: (kind of an item, of a message, the source that may be
    any). A source below 0 is else none. order: int32[m]. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef int item = wanted[0], message = wanted[1], of_any = wanted[2], source
    cdef vector[int] items, messages
    cdef Py_ssize_t i, j, k = rows.shape[0], n = kinds.shape[0]
    if fates.shape[0] != k or sources.shape[0] != n:
        raise ValueError(f"fates must have {k} entries, and sources {n}")
    check_rows(rows, n)
    for i in range(k):
        if fates[i] == FATE_REPEATS:
            messages.push_back(rows[i])
    for i in range(k):
        if fates[i] == FATE_OFFERED and kinds[rows[i]] == item:
            items.push_back(rows[i])
        elif fates[i] == FATE_OFFERED and kinds[rows[i]] == message:
            messages.push_back(rows[i])
    found = []
    for i in range(<Py_ssize_t>items.size()):
        source = sources[items[i]]
        for j in range(<Py_ssize_t>messages.size() if source >= 0 else 0):
            if sources[messages[j]] == source or sources[messages[j]] == of_any:
                found.append((items[i], messages[j], first_of(items[i], messages[j], order) == messages[j]))
    return found


cdef int first_of(int one, int other, const int[::1] order) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(order.shape[0]):
        if order[i] == one or order[i] == other:
            return order[i]
    return one


def core(
    const uint64_t[::1] masks, const int[::1] rows, const unsigned char[::1] allowed, const double[::1] weights,
    double share,
):
    """Return (the bits that the masks of some rows have, those of them that weigh a share of the heaviest or more).

    masks: uint64[n]. rows: int32[m], those that are not allowed, uint8[n], are passed over. weights: float64[w ≤ 64],
    of the bits; the masks have no others. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef Py_ssize_t i, w = weights.shape[0]
    cdef uint64_t seen = 0, heavy = 0
    cdef double heaviest = 0
    if w > MASK_BITS or allowed.shape[0] != masks.shape[0]:
        raise ValueError(f"{w} weights are more than {MASK_BITS}, or allowed is not as long as masks")
    check_rows(rows, masks.shape[0])
    with nogil:
        for i in range(rows.shape[0]):
            if allowed[rows[i]]:
                seen |= masks[rows[i]]
        for i in range(w):
            if seen >> i & 1:
                heaviest = max(heaviest, weights[i])
        for i in range(w):
            if seen >> i & 1 and weights[i] >= share * heaviest:
                heavy |= <uint64_t>1 << i
    return seen, heavy


def top(
    const int64_t[::1] places, const int[::1] rows, const double[::1] scores, recent, const unsigned char[::1] may_open,
    const uint64_t[::1] masks, uint64_t bits, floors,
):
    """Return what leads a package: (rows int32[t], may_open uint8[t], floor, the best offer's number in m, -1 is none).

    places, rows, scores, recent, may_open: [m] each, as `offered` gives them. The best offer is the one of the earliest
    place, and stands first if it leads. masks: uint64[n], by row. floors: (share, best elsewhere, least): what leads
    scores at least a share of the best offer or of what is best elsewhere, and at least the least unless it has one of
    the bits; it is not recent. Raises ValueError or IndexError if parts do not fit together.
    """
    cdef const unsigned char[::1] is_recent = recent.view(np.uint8)
    cdef double share = floors[0], highest = floors[1], least = floors[2], floor
    cdef Py_ssize_t i, first = -1, m = rows.shape[0]
    cdef vector[int] leading
    cdef vector[unsigned char] opening
    check_rows(rows, masks.shape[0])
    if {places.shape[0], scores.shape[0], is_recent.shape[0], may_open.shape[0]} != {m}:
        raise ValueError(f"all must have {m} entries, one for each of rows")
    with nogil:
        for i in range(m):
            if may_open[i]:
                highest = max(highest, min(scores[i], 1.0))
                if first < 0 or places[i] < places[first]:
                    first = i
        floor = share * max(highest, 0.0)
        for i in range(m):
            if scores[i] >= floor and (scores[i] >= least or masks[rows[i]] & bits != 0) and is_recent[i] == 0:
                leading.insert(leading.begin() if i == first else leading.end(), rows[i])
                opening.insert(opening.begin() if i == first else opening.end(), may_open[i])
    return *order_of(leading, opening), floor, first


def rest(
    const int[::1] rows, const double[::1] scores, recent, const unsigned char[::1] may_open, double floor,
    list away, list missing,
):
    """Return what may fill a package up: (rows int32[t], may_open uint8[t]) of those at the floor or above.

    rows, scores, recent, may_open: [m] each, as `offered` gives them. Of what is recent only rows that are missing, all
    of which may open a piece; those that were turned away may not. away, missing: a few rows. Raises ValueError if parts
    do not fit together.
    """
    cdef const unsigned char[::1] is_recent = recent.view(np.uint8)
    cdef Py_ssize_t i, m = rows.shape[0]
    cdef vector[int] left, turned = away, lacking = missing
    cdef vector[unsigned char] opening
    cdef bint lacks
    cdef unsigned char opens
    if {scores.shape[0], is_recent.shape[0], may_open.shape[0]} != {m}:
        raise ValueError(f"all must have {m} entries, one for each of rows")
    with nogil:
        for i in range(m):
            lacks = is_among(rows[i], lacking)
            if lacks or (is_recent[i] == 0 and scores[i] >= floor):
                left.push_back(rows[i])
                opens = lacks or (may_open[i] != 0 and not is_among(rows[i], turned))
                opening.push_back(opens)
    return order_of(left, opening)


def priced(
    const int[::1] rows, const unsigned char[::1] may_open, list repeats, columns, int item,
    const int[::1] labels, long long longest,
):
    """Return by row, dict[int, int], what costs other than its column says, as a piece of its own.

    rows: int32[m]. may_open: uint8[m]. repeats: the few rows that may yet open a piece. columns: (costs int32[n],
    chars int32[n], kinds uint8[n], statuses uint8[n]). A row of the kind `item` costs labels[status] more, int32[s].
    What may open a piece and has more than `longest` chars is passages.UNPRICED. Raises ValueError or IndexError if parts do not
    fit together.
    """
    cdef const int[::1] costs, chars
    cdef const unsigned char[::1] kinds, statuses
    costs, chars, kinds, statuses = columns
    cdef Py_ssize_t i, m = rows.shape[0], n = costs.shape[0]
    cdef int row, more
    cdef vector[int] few = repeats
    cdef dict dear = {}
    if may_open.shape[0] != m or {chars.shape[0], kinds.shape[0], statuses.shape[0]} != {n}:
        raise ValueError(f"may_open must have {m} entries, and all columns {n}")
    check_rows(rows, n)
    for i in range(m):
        if kinds[rows[i]] == item and statuses[rows[i]] >= labels.shape[0]:
            raise IndexError(f"row {rows[i]} has status {statuses[rows[i]]}, not in 0..{labels.shape[0] - 1}")
    for i in range(m):
        row = rows[i]
        more = labels[statuses[row]] if kinds[row] == item else 0
        if chars[row] > longest and (may_open[i] != 0 or is_among(row, few)):
            dear[row] = UNPRICED
        elif more:
            dear[row] = costs[row] + more
    return dear


cdef bint is_among(int number, const vector[int]& numbers) noexcept nogil:
    cdef size_t i
    for i in range(numbers.size()):
        if numbers[i] == number:
            return True
    return False


cdef int check_rows(const int[::1] rows, Py_ssize_t n) except -1:
    cdef Py_ssize_t i
    for i in range(rows.shape[0]):
        if not 0 <= rows[i] < n:
            raise IndexError(f"rows[{i}] is {rows[i]}, not in 0..{n - 1}")
    return 0


cdef tuple order_of(const vector[int]& rows, const vector[unsigned char]& may_open):
    found = np.empty(may_open.size(), dtype=np.uint8)
    cdef unsigned char[::1] out = found
    cdef size_t i
    for i in range(may_open.size()):
        out[i] = may_open[i]
    return ints_of(rows), found


cdef object ints_of(const vector[int]& numbers):
    found = np.empty(numbers.size(), dtype=np.int32)
    cdef int[::1] out = found
    cdef size_t i
    for i in range(numbers.size()):
        out[i] = numbers[i]
    return found
