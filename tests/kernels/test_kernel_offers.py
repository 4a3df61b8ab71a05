"""What may go into a package, against the twin and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import offers as kernel
from brain_core.kernels import reference
from brain_core.kernels.offers import BELOW, OFFERED, PINNED, REPEATS, SILENT
from brain_core.kernels.passages import UNPRICED

MESSAGE, RESULT, DOCUMENT, ITEM = 1, 3, 5, 2
KINDS = MESSAGE, RESULT, DOCUMENT

EITHER = pytest.mark.parametrize("made", [kernel, reference.offers])

scores = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 0.5, 1.0, 1.25]), st.floats(0, 1.5))
flags = st.integers(0, 1)


def same(ours: Any, twin: Any) -> None:  # noqa: ANN401
    for one, other in zip(ours, twin, strict=True):
        np.testing.assert_array_equal(one, other, strict=True)


@st.composite
def rankings(draw: st.DrawFn) -> dict[str, Any]:
    r, queries = draw(st.integers(1, 20)), draw(st.integers(1, 3))

    def column(values: st.SearchStrategy[int], kind: type[np.generic], n: int = r) -> NDArray[Any]:
        return np.array(draw(st.lists(values, min_size=n, max_size=n)), dtype=kind)

    rows = np.array(draw(st.lists(st.integers(0, r - 1), unique=True)), dtype=np.int32)
    n = len(rows)
    reach = draw(st.integers(0, n))
    kept = np.array(sorted(draw(st.sets(st.integers(0, reach - 1)))) if reach else [], dtype=np.int64)
    ranked = sorted(draw(st.lists(scores, min_size=n, max_size=n)), reverse=True)
    return {
        "ranking": (rows, np.array(ranked, dtype=np.float64), column(st.integers(0, queries - 1), np.int32, n)),
        "reach": reach,
        "kept": kept,
        "columns": (
            column(st.sampled_from([MESSAGE, MESSAGE, ITEM, RESULT, DOCUMENT]), np.uint8),
            column(st.integers(-1, 3), np.int32),
            column(st.integers(1, 3000), np.int32),
            column(st.sampled_from([0, 0, 0, 1]), np.uint8),
        ),
        "kinds": KINDS,
        "recent": column(st.integers(0, 3), np.int32, draw(st.integers(0, 2))),
        "pinned": column(flags, np.uint8, draw(st.sampled_from([0, len(kept)]))),
        "worded": column(flags, np.uint8, queries),
        "exponent": draw(st.sampled_from([0.0, 0.2, 1.0])),
        "floors": (draw(st.sampled_from([0.0, 0.3])), draw(st.sampled_from([0.0, 0.5, 1.0])), draw(scores)),
        "quotas": draw(st.none() | st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([0.0, 0.5]))),
    }


@settings(max_examples=400)
@given(rankings(), st.data())
def test_what_is_offered_leads_and_fills_equals_the_twin(given_: dict[str, Any], data: st.DataObject) -> None:
    ours = kernel.offered(**given_)
    same(ours, reference.offers.offered(**given_))
    places, rows, scores_, _, recent, may_open, fates, floor = ours
    assert sorted(places[may_open != 0].tolist()) == given_["kept"][fates == OFFERED].tolist()
    r = len(given_["columns"][0])
    masks = np.array(data.draw(st.lists(st.integers(0, 7), min_size=r, max_size=r)), dtype=np.uint64)
    allowed = np.array(data.draw(st.lists(flags, min_size=r, max_size=r)), dtype=np.uint8)
    weights = np.array(data.draw(st.lists(st.floats(0, 9), min_size=3, max_size=3)))
    asked = masks, rows, allowed, weights, data.draw(st.sampled_from([0.0, 0.4, 1.0]))
    assert kernel.core(*asked) == reference.offers.core(*asked)
    floors = data.draw(st.tuples(st.sampled_from([0.0, 0.5]), scores, st.sampled_from([0.0, 0.15, 2.0])))
    leads = places, rows, scores_, recent, may_open, masks, data.draw(st.integers(0, 7)), floors
    same(kernel.top(*leads), reference.offers.top(*leads))
    some = st.lists(st.integers(0, r - 1), max_size=3)
    left = rows, scores_, recent, may_open, floor, data.draw(some), data.draw(some)
    same(kernel.rest(*left), reference.offers.rest(*left))
    kind, _, costs, _ = given_["columns"]
    statuses = np.array(data.draw(st.lists(st.integers(0, 2), min_size=r, max_size=r)), dtype=np.uint8)
    labels = np.array([0, 0, data.draw(st.integers(0, 90))], dtype=np.int32)
    columns = costs, costs[::-1].copy(), kind, statuses
    dear = rows, may_open, data.draw(some), columns, ITEM, labels, data.draw(st.integers(0, 3000))
    assert kernel.priced(*dear) == reference.offers.priced(*dear)
    sources = np.array(data.draw(st.lists(st.sampled_from([-2, -1, 0, 1]), min_size=r, max_size=r)), dtype=np.int32)
    told = given_["ranking"][0][given_["kept"]], fates, kind, sources, (ITEM, MESSAGE, -2), rows
    assert kernel.of_one_source(*told) == reference.offers.of_one_source(*told)


def ranked(*values: float, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a ranking of messages of these scores, each of its own address and kept, at equal cost."""
    n = len(values)
    return {
        "ranking": (np.arange(n, dtype=np.int32), np.array(values), np.zeros(n, dtype=np.int32)),
        "reach": n,
        "kept": np.arange(n),
        "columns": (
            np.full(n, MESSAGE, dtype=np.uint8),
            np.arange(n, dtype=np.int32),
            np.full(n, 100, dtype=np.int32),
            np.zeros(n, dtype=np.uint8),
        ),
        "kinds": KINDS,
        "recent": np.empty(0, dtype=np.int32),
        "pinned": np.empty(0, dtype=np.uint8),
        "worded": np.zeros(1, dtype=np.uint8),
        "exponent": 0.2,
        "floors": (0.0, 0.0, 0.0),
        "quotas": None,
    } | changes


@EITHER
def test_room_goes_by_score_per_token(made: Any) -> None:  # noqa: ANN401
    kind, uris, _, silent = ranked(0.9, 0.8, 0.8)["columns"]
    costs = np.array([1000, 100, 100], dtype=np.int32)
    places, *_ = made.offered(**ranked(0.9, 0.8, 0.8, columns=(kind, uris, costs, silent)))
    assert places.tolist() == [1, 2, 0], "the earlier first among equals"
    places, *_ = made.offered(**ranked(0.9, 0.8, 0.8, columns=(kind, uris, costs, silent), exponent=0.0))
    assert places.tolist() == [0, 1, 2]


@EITHER
def test_what_is_kept_has_one_fate(made: Any) -> None:  # noqa: ANN401
    given_ = ranked(0.9, 0.8, 0.7, 0.6, 0.1, floors=(0.0, 0.5, 0.0), recent=np.array([1, 2], dtype=np.int32))
    given_["columns"][3][[2, 3]] = 1
    given_["pinned"] = np.array([1, 0, 0, 0, 0], dtype=np.uint8)
    *_, may_open, fates, floor = made.offered(**given_)
    assert fates.tolist() == [PINNED, REPEATS, REPEATS, SILENT, BELOW]
    assert floor == 0.45
    assert not may_open.any()
    *_, may_open, fates, _ = made.offered(**given_ | {"worded": np.ones(1, dtype=np.uint8)})
    assert fates.tolist() == [PINNED, REPEATS, REPEATS, OFFERED, BELOW]
    assert np.count_nonzero(may_open) == 1


@EITHER
def test_the_best_offer_leads_whatever_it_costs(made: Any) -> None:  # noqa: ANN401
    kind, uris, costs, silent = ranked(0.9, 0.8, 0.4)["columns"]
    costs[0] = 10_000
    places, rows, values, _, recent, may_open, _, _ = made.offered(
        **ranked(0.9, 0.8, 0.4, columns=(kind, uris, costs, silent))
    )
    assert places.tolist() == [1, 2, 0]
    masks = np.array([0, 0, 4], dtype=np.uint64)
    given_ = places, rows, values, recent, may_open, masks
    assert [one.tolist() for one in made.top(*given_, 4, (0.0, 0.0, 0.5))[:2]] == [[0, 1, 2], [1, 1, 1]]
    assert made.top(*given_, 2, (0.0, 0.0, 0.5))[0].tolist() == [0, 1], "it scores little and has no wanted word"
    assert made.top(*given_, 4, (0.5, 0.0, 0.0))[2:] == (0.45, 2)


@EITHER
def test_what_was_turned_away_may_not_open_and_what_is_missing_may(made: Any) -> None:  # noqa: ANN401
    rows, values = np.arange(4, dtype=np.int32), np.array([0.9, 0.8, 0.7, 0.1])
    recent, may_open = np.array([False, False, True, False]), np.ones(4, dtype=np.uint8)
    left = made.rest(rows, values, recent, may_open, 0.5, [0], [2])
    assert [one.tolist() for one in left] == [[0, 1, 2], [0, 1, 1]]
    assert made.rest(rows, values, recent, may_open, 0.5, [], [])[0].tolist() == [0, 1]


@EITHER
def test_long_texts_have_no_price_until_it_is_asked(made: Any) -> None:  # noqa: ANN401
    rows = np.arange(3, dtype=np.int32)
    columns = (
        np.array([10, 20, 30], dtype=np.int32),
        np.array([99, 99, 5], dtype=np.int32),
        np.array([MESSAGE, MESSAGE, ITEM], dtype=np.uint8),
        np.array([0, 0, 1], dtype=np.uint8),
    )
    labels = np.array([0, 7], dtype=np.int32)
    may_open = np.array([1, 0, 1], dtype=np.uint8)
    assert made.priced(rows, may_open, [], columns, ITEM, labels, 50) == {0: UNPRICED, 2: 37}
    assert made.priced(rows, may_open, [1], columns, ITEM, labels, 50) == {0: UNPRICED, 1: UNPRICED, 2: 37}


@EITHER
@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"reach": 4}, ValueError),
        ({"kept": np.array([1, 0])}, IndexError),
        ({"kept": np.array([3])}, IndexError),
        ({"worded": np.empty(0, dtype=np.uint8)}, IndexError),
        ({"pinned": np.ones(2, dtype=np.uint8)}, ValueError),
        ({"ranking": (np.array([0, 1, 3], dtype=np.int32), np.ones(3), np.zeros(3, dtype=np.int32))}, IndexError),
        ({"ranking": (np.array([0, 1, 2], dtype=np.int32), np.ones(2), np.zeros(3, dtype=np.int32))}, ValueError),
    ],
)
def test_parts_that_do_not_fit_are_refused(made: Any, changes: dict[str, Any], error: type[Exception]) -> None:  # noqa: ANN401
    with pytest.raises(error):
        made.offered(**ranked(0.9, 0.8, 0.7, **changes))


@EITHER
def test_items_are_told_the_messages_they_may_be_of(made: Any) -> None:  # noqa: ANN401
    kinds = np.array([ITEM, MESSAGE, ITEM, MESSAGE, MESSAGE, RESULT], dtype=np.uint8)
    sources = np.array([7, 7, -1, -2, 8, 7], dtype=np.int32)
    rows, order = np.arange(6, dtype=np.int32), np.array([1, 0, 2, 3], dtype=np.int32)
    fates = np.array([OFFERED, OFFERED, OFFERED, REPEATS, OFFERED, BELOW], dtype=np.int8)
    given_ = rows, fates, kinds, sources, (ITEM, MESSAGE, -2), order
    assert made.of_one_source(*given_) == [(0, 3, False), (0, 1, True)], "what repeats, then what is offered"
    for wrong, error in ((fates[1:], ValueError), (fates, IndexError)):
        with pytest.raises(error):
            made.of_one_source(rows + 1, wrong, *given_[2:])


@EITHER
def test_a_cost_of_nothing_is_refused(made: Any) -> None:  # noqa: ANN401
    given_ = ranked(0.9, 0.8)
    given_["columns"][2][1] = 0
    with pytest.raises(ValueError, match="cost"):
        made.offered(**given_)
