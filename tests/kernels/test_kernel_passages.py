"""Pieces that grow against their twin, and what must hold of them whatever the rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import passages as kernel
from brain_core.kernels import reference
from brain_core.kernels.passages import (
    DOES_NOT_FIT,
    JOINED,
    NOTHING,
    OPENED,
    OVER_MOST,
    UNPRICED,
    Passages,
    turned_away,
)

_LARGEST = 2**31 - 1

Columns = dict[str, Any]
Either = Passages | reference.passages.Passages


def ints(*values: int) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def flags(*values: int) -> NDArray[np.uint8]:
    return np.array(values, dtype=np.uint8)


def linked(session: list[int]) -> Columns:
    """Return before and after as ChunkTable links the rows of each session; a negative one is none."""
    before, after = [-1] * len(session), [-1] * len(session)
    last: dict[int, int] = {}
    for row, one in enumerate(session):
        if one >= 0:
            if one in last:
                before[row], after[last[one]] = last[one], row
            last[one] = row
    return {"before": ints(*before), "after": ints(*after), "headings": ints(*session)}


@st.composite
def tables(draw: st.DrawFn) -> Columns:
    n = draw(st.integers(0, 24))

    def column(values: st.SearchStrategy[int]) -> NDArray[np.int32]:
        return ints(*draw(st.lists(values, min_size=n, max_size=n)))

    sessions = draw(st.lists(st.sampled_from([0, 0, 0, 1, -1]), min_size=n, max_size=n))
    days = np.cumsum(draw(st.lists(st.sampled_from([0, 0, 0, 0, 1]), min_size=n, max_size=n)), dtype=np.int32)
    cost = draw(st.sampled_from([st.integers(2, 9), st.integers(0, 3), st.sampled_from([0, 1, _LARGEST])]))
    chars = column(st.one_of(st.integers(1, 5), st.sampled_from([20, _LARGEST])))
    longest = draw(st.sampled_from([0, 6, 12, 40, 2 * _LARGEST]))
    unpriced = column(st.sampled_from([0, 1])).astype(bool) & (chars > longest)
    dear = column(st.sampled_from([0, 0, 1])).astype(bool)
    return {
        "costs": column(cost),
        "dear": {
            int(row): int(price)
            for row, price in enumerate(np.where(unpriced, UNPRICED, column(cost)))
            if unpriced[row] or dear[row]
        },
        "line_costs": column(cost),
        "chars": chars,
        **linked(sessions),
        "headings": ints(
            *(one if one < 0 else 2 * day + one for one, day in zip(sessions, days.tolist(), strict=True))
        ),
        "most": draw(st.integers(0, 6)),
        "longest": longest,
        "gap": draw(st.integers(0, 3)),
        "labels": ints(*draw(st.lists(st.integers(0, 2), min_size=1, max_size=4))),
        "kinds": flags(*draw(st.lists(st.sampled_from([1, 1, 1, 2]), min_size=n, max_size=n))),
        "shared": 1,
    }


@dataclass
class Done:
    """What calls have given so far: rows and fates of each fill, costs taken, and the most pieces allowed later.

    prices: what rows cost, with those that are not known yet.
    """

    prices: NDArray[np.int32]
    fills: list[tuple[list[int], list[int]]] = field(default_factory=list)
    taken: int = 0
    most: int = 0


SCORES = st.sampled_from([0.1, 0.5, 0.5, 1.0, 1.5])
frees = st.one_of(st.integers(-3, 60), st.sampled_from([-_LARGEST, _LARGEST]))


def fill_both(data: st.DataObject, both: tuple[Passages, reference.passages.Passages], n: int, done: Done) -> None:
    rows = ints(*data.draw(st.lists(st.integers(0, n - 1), max_size=30) if n else st.just([])))
    may_open = flags(*data.draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows))))
    free = data.draw(frees)
    asked = list[list[int]]()

    def filled(one: Either) -> tuple[int, NDArray[np.int8]]:
        own = list[int]()

        def price(row: int) -> int:
            own.append(row)
            return later[row]

        asked.append(own)
        return one.fill(rows, may_open, free, price)

    later = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    (taken, fates), (twin_taken, twin_fates) = filled(both[0]), filled(both[1])
    assert asked[0] == asked[1]
    for row in asked[0]:
        assert done.prices[row] == UNPRICED, "a price is asked for once"
        done.prices[row] = later[row]
    assert taken == twin_taken <= max(free, 0)
    np.testing.assert_array_equal(fates, twin_fates)
    assert fates.dtype == twin_fates.dtype == np.int8
    assert all(may_open[fates >= OPENED])
    assert turned_away(rows, fates) == reference.passages.turned_away(rows, fates)
    done.fills.append((rows.tolist(), fates.tolist()))
    done.taken += taken


def widen_both(data: st.DataObject, both: tuple[Passages, reference.passages.Passages], n: int, done: Done) -> None:
    allowed = flags(*data.draw(st.lists(st.sampled_from([0, 1, 1, 1]), min_size=n, max_size=n)))
    uris = ints(*data.draw(st.lists(st.integers(-1, 5), min_size=n, max_size=n)))
    closed = ints(*data.draw(st.lists(st.integers(-1, 5), max_size=3)))
    free = data.draw(frees)
    before = set(both[0].pieces()[-1].tolist())
    taken, twin_taken = (one.widen(allowed, uris, closed, free) for one in both)
    assert taken == twin_taken <= max(free, 0)
    done.taken += taken
    for row in set(both[0].pieces()[-1].tolist()) - before:
        assert allowed[row]
        assert uris[row] not in closed


def allow_both(data: st.DataObject, both: tuple[Passages, reference.passages.Passages], n: int, done: Done) -> None:
    del n
    most = data.draw(st.integers(0, 8))
    for one in both:
        one.allow(most)
    done.most = max(done.most, most)


@settings(max_examples=400, deadline=None)
@given(tables(), st.lists(st.sampled_from([fill_both, fill_both, widen_both, allow_both]), max_size=6), st.data())
def test_pieces_equal_the_twin_and_keep_the_rules(columns: Columns, calls: list[Any], data: st.DataObject) -> None:
    both = Passages(**columns), reference.passages.Passages(**columns)
    done = Done(columns["costs"].copy())
    done.prices[[*columns["dear"]]] = [*columns["dear"].values()]
    for call in calls:
        call(data, both, len(columns["costs"]), done)
        ranked = np.array(data.draw(st.permutations(range(len(columns["costs"])))), dtype=np.int32)
        scores = np.array(data.draw(st.lists(SCORES, min_size=len(ranked), max_size=len(ranked))), dtype=np.float64)
        sections = ints(*data.draw(st.lists(st.integers(-1, 2), min_size=len(ranked), max_size=len(ranked))))
        standing = [one.best_first(ranked, scores, len(done.fills) // 2, sections) for one in both]
        for one, twin in zip((*both[0].pieces(), *standing[0]), (*both[1].pieces(), *standing[1]), strict=True):
            np.testing.assert_array_equal(one, twin, strict=True)
        masks, bits = (sections + 1).astype(np.uint64), data.draw(st.integers(0, 3))
        assert both[0].has(masks, bits) == both[1].has(masks, bits)
        assert len(both[0]) == len(both[1])
        assert [row in both[0] for row in ranked.tolist()] == [row in both[1] for row in ranked.tolist()]
        check(both[0], columns | {"costs": done.prices}, done)


def check(passages: Passages, columns: Columns, done: Done) -> None:
    """Count anew what the pieces come to, and demand what holds of all pieces."""
    hits, calls, costs, chars, offsets, every = (column.tolist() for column in passages.pieces())
    assert len(hits) <= max(columns["most"], done.most)
    assert len(set(every)) == len(every), "no row twice"
    assert (offsets[0], offsets[-1]) == (0, len(every))
    for i, hit in enumerate(hits):
        rows = every[offsets[i] : offsets[i + 1]]
        assert hit in rows
        assert rows == sorted(rows)
        assert len({int(columns["headings"][row]) for row in rows}) == 1
        gaps = sum(int(columns["after"][row]) != following for row, following in pairwise(rows))
        lines = sum(int(columns["line_costs"][row]) for row in rows[1:])
        label = int(columns["labels"][min(i, len(columns["labels"]) - 1)])
        assert costs[i] == int(columns["costs"][rows[0]]) + lines + gaps * columns["gap"] + label
        assert chars[i] == sum(int(columns["chars"][row]) for row in rows) + 2 * gaps
        assert len(rows) == 1 or chars[i] <= columns["longest"]
    assert sum(costs) == done.taken
    fates = [(call, *one) for call, fill in enumerate(done.fills) for one in zip(*fill, strict=True)]
    assert [(call, row) for call, row, fate in fates if fate == OPENED] == list(zip(calls, hits, strict=True))
    joined = [row for _, row, fate in fates if fate == JOINED]
    assert len(set(joined)) == len(joined)
    assert set(joined) <= set(every) - set(hits)


def in_a_row(n: int, **changes: Any) -> Columns:  # noqa: ANN401
    """Return the columns of one session: a row costs 10 alone and 4 after another, and has 1 char.

    Rows that are no neighbours share no piece.
    """
    columns = {
        "costs": np.full(n, 10, dtype=np.int32),
        "dear": {},
        "line_costs": np.full(n, 4, dtype=np.int32),
        "chars": np.ones(n, dtype=np.int32),
        **linked([0] * n),
        "headings": np.full(n, -1, dtype=np.int32),
        "kinds": np.ones(n, dtype=np.uint8),
        "shared": 1,
        "most": 9,
        "longest": 99,
        "gap": 1,
        "labels": ints(0),
    }
    return columns | changes


EITHER = pytest.mark.parametrize("made", [Passages, reference.passages.Passages])


def rows_of(passages: Either) -> list[list[int]]:
    *_, offsets, rows = passages.pieces()
    return [part.tolist() for part in np.split(rows, offsets[1:-1])] if len(offsets) > 1 else []


def widened(passages: Either, n: int, free: int) -> int:
    return passages.widen(np.ones(n, dtype=np.uint8), np.zeros(n, dtype=np.int32), ints(), free)


@EITHER
def test_fates_and_pieces_by_hand(made: type[Either]) -> None:
    passages = made(**in_a_row(9, most=2))
    taken, fates = passages.fill(ints(4, 4, 1, 5, 3, 8, 7, 6), flags(1, 1, 0, 1, 0, 1, 1, 0), 28)
    assert fates.tolist() == [OPENED, NOTHING, NOTHING, JOINED, JOINED, OPENED, OVER_MOST, NOTHING]
    assert taken == 28
    taken, fates = passages.fill(ints(7, 0, 2), flags(0, 1, 0), 4)
    assert (taken, fates.tolist()) == (4, [JOINED, OVER_MOST, NOTHING])
    assert rows_of(passages) == [[3, 4, 5], [7, 8]]
    hits, calls, costs, chars, offsets, _ = (column.tolist() for column in passages.pieces())
    assert (hits, calls, costs, chars, offsets) == ([4, 8], [0, 0], [18, 14], [3, 2], [0, 3, 5])


@EITHER
def test_what_does_not_fit_is_passed_over(made: type[Either]) -> None:
    passages = made(**in_a_row(7, costs=ints(10, 10, 11, 10, 3, 10, 3)))
    assert passages.fill(ints(0, 2, 4, 6), flags(1, 1, 1, 1), 15)[1].tolist() == [
        OPENED,
        DOES_NOT_FIT,
        OPENED,
        DOES_NOT_FIT,
    ]
    assert passages.fill(ints(6), flags(1), -1)[1].tolist() == [DOES_NOT_FIT]


@EITHER
def test_a_later_call_is_told_from_an_earlier_one(made: type[Either]) -> None:
    passages = made(**in_a_row(9))
    for row in (2, 2, 7):
        passages.fill(ints(row), flags(1), 99)
    assert [column.tolist() for column in passages.pieces()[:2]] == [[2, 7], [0, 2]]


@EITHER
def test_a_price_is_asked_for_where_a_row_may_open_a_piece(made: type[Either]) -> None:
    dear = {1: UNPRICED, 3: UNPRICED}
    passages = made(**in_a_row(4, dear=dear, chars=ints(1, 9, 1, 9), longest=5, most=2))
    rows, may_open = ints(0, 1, 2, 3), flags(1, 1, 1, 1)
    assert passages.fill(rows, flags(1, 0, 0, 0), 0)[1].tolist() == [DOES_NOT_FIT, NOTHING, NOTHING, NOTHING]
    taken, fates = passages.fill(rows, may_open, 99, {1: 7}.__getitem__)
    assert (taken, fates.tolist()) == (17, [OPENED, OPENED, OVER_MOST, OVER_MOST]), (
        "none is asked where nothing may open"
    )
    passages = made(**in_a_row(4, dear=dear, chars=ints(1, 9, 1, 9), longest=5, most=2))
    for price, error, says in (
        (None, ValueError, "row 1 has no price"),
        ({1: -1}.__getitem__, ValueError, "the price of row 1 must be ≥ 0, got -1"),
        ({2: 7}.__getitem__, KeyError, "1"),
    ):
        with pytest.raises(error, match=says):
            passages.fill(rows, may_open, 99, price)


@EITHER
def test_a_row_that_comes_before_pays_for_the_head_and_the_old_head_becomes_a_line(made: type[Either]) -> None:
    columns = in_a_row(2, costs=ints(17, 10), line_costs=ints(1, 4))
    for free, fate in ((10 + 17 - 10 + 4, JOINED), (10 + 17 - 10 + 4 - 1, NOTHING)):
        passages = made(**columns)
        assert passages.fill(ints(1, 0), flags(1, 0), free)[1].tolist() == [OPENED, fate]


@EITHER
def test_a_row_that_costs_less_than_nothing_gives_some_back(made: type[Either]) -> None:
    columns = in_a_row(3, costs=ints(2, 10, 10), line_costs=ints(0, 3, 9))
    passages = made(**columns)
    assert passages.fill(ints(1, 0, 2), flags(1, 0, 0), 14)[0] == 14, "10, then 5 less, then 9"
    assert rows_of(passages) == [[0, 1, 2]]


@EITHER
def test_a_row_that_costs_nothing_does_not_end_the_growing(made: type[Either]) -> None:
    passages = made(**in_a_row(5, line_costs=ints(0, 0, 0, 0, 0)))
    passages.fill(ints(2), flags(1), 10)
    assert widened(passages, 5, 0) == 0
    assert rows_of(passages) == [[0, 1, 2, 3, 4]]


@EITHER
def test_a_piece_that_cannot_grow_on_one_side_grows_on_the_other(made: type[Either]) -> None:
    for chars, rows in ((ints(9, 1, 1, 1, 1), [1, 2, 3, 4]), (ints(1, 1, 1, 1, 9), [0, 1, 2, 3])):
        passages = made(**in_a_row(5, chars=chars, longest=5))
        passages.fill(ints(rows[1]), flags(1), 10)
        assert widened(passages, 5, 99) == 12
        assert rows_of(passages) == [rows]


@EITHER
def test_a_piece_of_one_row_may_be_longer_but_takes_no_other(made: type[Either]) -> None:
    passages = made(**in_a_row(4, chars=ints(1, 9, 1, 1), longest=2))
    assert passages.fill(ints(1, 0, 3, 2), flags(1, 0, 1, 0), 99)[1].tolist() == [OPENED, NOTHING, OPENED, JOINED]
    assert widened(passages, 4, 99) == 0


@EITHER
def test_a_row_between_two_pieces_is_for_the_one_that_changed_last(made: type[Either]) -> None:
    passages = made(**in_a_row(6))
    passages.fill(ints(1, 3, 2), flags(1, 1, 0), 99)
    assert rows_of(passages) == [[1], [2, 3]]
    passages = made(**in_a_row(6))
    passages.fill(ints(1, 3, 0, 2), flags(1, 1, 0, 0), 99)
    assert rows_of(passages) == [[0, 1, 2], [3]], "two pieces that meet stay two"
    passages = made(**in_a_row(6, chars=ints(1, 1, 1, 9, 1, 1), longest=5))
    passages.fill(ints(1, 3, 2), flags(1, 1, 0), 99)
    assert rows_of(passages) == [[1], [3]], "it is not offered to the other one"


@EITHER
def test_pieces_widen_in_turns(made: type[Either]) -> None:
    for free, rows in (
        (3, [[8], [3]]),
        (4, [[8, 9], [3]]),
        (12, [[7, 8, 9], [3, 4]]),
        (16, [[7, 8, 9], [2, 3, 4]]),
        (20, [[7, 8, 9, 10], [2, 3, 4]]),
        (99, [[5, 6, 7, 8, 9, 10, 11], [0, 1, 2, 3, 4]]),  # 5 is for the piece that changed last, whose turn it is not
    ):
        passages = made(**in_a_row(12))
        passages.fill(ints(8, 3), flags(1, 1), 20)
        assert widened(passages, 12, free) == min(free // 4 * 4, 40)
        assert rows_of(passages) == rows


@EITHER
def test_widening_leaves_out_what_is_not_allowed_or_closed(made: type[Either]) -> None:
    passages = made(**in_a_row(7))
    passages.fill(ints(3), flags(1), 10)
    assert passages.widen(flags(1, 0, 1, 1, 1, 1, 1), ints(0, 0, 0, 0, 0, 5, 0), ints(6, 5), 99) == 8
    assert rows_of(passages) == [[2, 3, 4]]


def one_session(n: int, **changes: Any) -> Columns:  # noqa: ANN401
    """Return the columns of in_a_row, of rows that may share a piece though they are no neighbours."""
    return in_a_row(n, **{"headings": np.zeros(n, dtype=np.int32), **changes})


@EITHER
def test_a_piece_pays_for_its_label(made: type[Either]) -> None:
    passages = made(**in_a_row(6, labels=ints(0, 1, 3), **linked([0, 1, 2, 3, 4, 5])))
    taken, fates = passages.fill(ints(0, 1, 2, 3, 4), flags(1, 1, 1, 1, 1), 10 + 11 + 13 + 13 + 12)
    assert taken == 10 + 11 + 13 + 13
    assert fates.tolist() == [OPENED, OPENED, OPENED, OPENED, DOES_NOT_FIT]
    assert passages.pieces()[2].tolist() == [10, 11, 13, 13]


@EITHER
def test_neighbours_under_other_headings_share_no_piece(made: type[Either]) -> None:
    passages = made(**in_a_row(4, headings=ints(0, 0, 1, 1)))
    assert passages.fill(ints(1, 2), flags(1, 1), 100)[1].tolist() == [OPENED, OPENED]
    passages.widen(flags(1, 1, 1, 1), ints(0, 1, 2, 3), ints(), 100)
    *_, offsets, rows = passages.pieces()
    assert [rows[start:stop].tolist() for start, stop in pairwise(offsets.tolist())] == [[0, 1], [2, 3]]


@EITHER
def test_rows_of_a_session_share_a_piece_behind_a_gap(made: type[Either]) -> None:
    passages = made(**one_session(9, most=1))
    taken, fates = passages.fill(ints(4, 7, 1, 8, 2), flags(1, 1, 0, 0, 0), 99)
    assert fates.tolist() == [OPENED, JOINED, JOINED, JOINED, JOINED]
    assert rows_of(passages) == [[1, 2, 4, 7, 8]]
    assert taken == 10 + 4 * 4 + 2 * 1, "four lines and two gaps"
    assert passages.pieces()[3].tolist() == [5 + 2 * 2]
    assert passages.fill(ints(3), flags(0), 99)[0] == 4 - 1, "a row that fills a gap takes its line away"
    assert rows_of(passages) == [[1, 2, 3, 4, 7, 8]]


@EITHER
def test_a_row_opens_a_piece_only_where_it_can_share_none(made: type[Either]) -> None:
    passages = made(**one_session(9, longest=4))
    assert passages.fill(ints(0, 4, 8), flags(1, 1, 1), 99)[1].tolist() == [OPENED, JOINED, OPENED]
    assert rows_of(passages) == [[0, 4], [8]]
    passages = made(**one_session(9))
    assert passages.fill(ints(0, 4), flags(1, 1), 15)[1].tolist() == [OPENED, JOINED], "a line fits where no head does"


@EITHER
def test_a_piece_without_room_leaves_a_row_to_the_next(made: type[Either]) -> None:
    passages = made(**one_session(9, most=2, chars=ints(3, 1, 1, 1, 1, 1, 1, 1, 1), longest=4))
    passages.fill(ints(0, 4, 8), flags(1, 1, 0), 99)
    assert rows_of(passages) == [[0], [4, 8]], "3 + 1 chars and a gap of 2 are over 4"
    passages = made(**one_session(5, kinds=flags(1, 1, 2, 1, 1), most=1))
    assert passages.fill(ints(0, 2, 4), flags(1, 0, 0), 99)[1].tolist() == [OPENED, NOTHING, JOINED], "of another kind"
    passages = made(**one_session(5, kinds=flags(2, 1, 1, 1, 1), most=1))
    assert passages.fill(ints(0, 2), flags(1, 0), 99)[1].tolist() == [OPENED, NOTHING], "the piece is"
    passages = made(**one_session(5, headings=ints(0, 0, 0, -1, 1), most=1))
    assert passages.fill(ints(0, 3, 4), flags(1, 0, 1), 99)[1].tolist() == [OPENED, NOTHING, OVER_MOST]


@EITHER
def test_a_piece_with_gaps_widens_on_every_side(made: type[Either]) -> None:
    passages = made(**one_session(12, most=1))
    passages.fill(ints(2, 8), flags(1, 0), 99)
    assert widened(passages, 12, 16) == 16
    assert rows_of(passages) == [[1, 2, 3, 7, 8, 9]]
    assert widened(passages, 12, 99) == 6 * 4 - 1, "they meet"
    assert rows_of(passages) == [list(range(12))]


@EITHER
def test_edges(made: type[Either]) -> None:
    passages = made(**in_a_row(0))
    assert passages.fill(ints(), flags(), 5)[0] == 0
    assert widened(passages, 0, 5) == 0
    assert [len(column) for column in passages.pieces()] == [0, 0, 0, 0, 1, 0]
    passages = made(**in_a_row(2, most=0))
    assert passages.fill(ints(0, 1), flags(1, 0), 99)[1].tolist() == [OVER_MOST, NOTHING]


@EITHER
def test_sums_outgrow_a_column(made: type[Either]) -> None:
    large = np.full(4, _LARGEST, dtype=np.int32)
    passages = made(**in_a_row(4, costs=large, line_costs=large, chars=large, longest=2**40))
    for row in range(4):
        assert passages.fill(ints(row), flags(1), _LARGEST)[0] == _LARGEST
    assert [column.tolist() for column in passages.pieces()[2:4]] == [[4 * _LARGEST]] * 2


@EITHER
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        *(
            ({name: ints(1)}, "all columns must have 3 entries, one for each of costs")
            for name in ("line_costs", "chars", "before", "after", "headings")
        ),
        ({"most": -1}, "most must be ≥ 0, got -1"),
    ],
)
def test_columns_that_do_not_fit_are_refused_by_both(made: type[Either], changes: Columns, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        made(**in_a_row(3, **changes))


@EITHER
@pytest.mark.parametrize(
    ("rows", "may_open", "changes", "says"),
    [
        (ints(1), flags(1, 1), {}, "rows has 1 entries but may_open has 2"),
        (ints(1, 3), flags(1, 1), {}, r"rows\[1\] is 3, not in 0..2"),
        (ints(-1), flags(1), {}, r"rows\[0\] is -1, not in 0..2"),
        (ints(0, 1), flags(1, 1), {"after": ints(1, 3, -1)}, "a neighbour of row 1 does not point back"),
        (ints(0, 1), flags(1, 1), {"before": ints(-1, 3, 1)}, "a neighbour of row 0 does not point back"),
        (ints(2, 0), flags(1, 1), {"before": ints(-1, -1, 1)}, "a neighbour of row 0 does not point back"),
        (ints(0), flags(1), {"after": ints(2, 2, -1)}, "a neighbour of row 0 does not point back"),
    ],
)
def test_rows_that_do_not_fit_are_refused_by_both_and_nothing_is_taken(
    made: type[Either], rows: NDArray[np.int32], may_open: NDArray[np.uint8], changes: Columns, says: str
) -> None:
    passages = made(**in_a_row(3, **changes))
    with pytest.raises(ValueError, match=says):
        passages.fill(rows, may_open, 99)
    assert rows_of(passages) == []


@EITHER
def test_what_widening_meets_is_refused_by_both(made: type[Either]) -> None:
    for allowed, uris in ((flags(1), ints(0, 0, 0)), (flags(1, 1, 1), ints(0))):
        with pytest.raises(ValueError, match="allowed and uris must have 3 entries, one for each of costs"):
            made(**in_a_row(3)).widen(allowed, uris, ints(), 9)
    passages = made(**in_a_row(4, after=ints(1, 2, 9, -1)))
    passages.fill(ints(0), flags(1), 10)
    with pytest.raises(ValueError, match="a neighbour of row 2 does not point back"):
        widened(passages, 4, 99)
    assert rows_of(passages) == [[0, 1]], "with what was taken until then"


def test_both_name_fates_alike() -> None:
    for name in ("NOTHING", "JOINED", "OPENED", "OVER_MOST", "DOES_NOT_FIT"):
        assert getattr(kernel, name) == getattr(reference.passages, name)


@EITHER
def test_the_best_stand_first_with_what_breaks_them(made: type[Either]) -> None:
    passages = made(**one_session(9, most=3, headings=ints(0, 0, 0, 0, 0, 0, 1, 1, 2)))
    passages.fill(ints(0, 1, 3), flags(1, 0, 0), 99)
    passages.fill(ints(8, 6), flags(1, 1), 99)
    sections = ints(4, 4, 4, 5, -1, -1, -1, -1, -1)
    ranked, scores = ints(8, 6, 0), np.array([1.5, 1.2, 0.1])
    best = [one.tolist() for one in passages.best_first(ranked, scores, 1, sections)]
    assert best == [[0, 8, 6], [2, 0, 1], [1, 0, 0], [0, 3, 4, 5], [0, 1, 3, 8, 6], [0, 0, 3, 0, 0]]
    with pytest.raises(ValueError, match="not ranked"):
        passages.best_first(ranked[:2], scores[:2], 1, sections)
