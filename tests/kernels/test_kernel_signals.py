"""What places of a ranking were given on the way, against the twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Signals

from brain_core.kernels import reference, signals
from brain_core.kernels.signals import RANKS, SIGNALS
from tests.kernels.stored import ints

BOTH = [signals, reference.signals]


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 8), st.data())
def test_what_places_of_a_ranking_were_given_equals_the_twin(n: int, data: st.DataObject) -> None:
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    m = data.draw(st.integers(0, 6))
    recency = np.where(random.random(n) < 0.5, np.nan, random.random(n))
    queries = random.integers(0, 3, n, dtype=np.int32)
    ranking = random.permutation(20)[:n].astype(np.int32), 2 * random.random(n), queries, random.random(n), recency
    places = random.integers(0, n, m, dtype=np.int64)
    lists = [
        (query, column, random.integers(0, 20, size, dtype=np.int32), random.standard_normal(size))
        for query in range(3)
        for column in range(2)
        if (size := data.draw(st.integers(0, 12))) != 3
    ]
    ranks, scores, final = signals.told(*ranking, places, lists)
    for mine, theirs in zip((ranks, scores, final), reference.signals.told(*ranking, places, lists), strict=True):
        np.testing.assert_array_equal(mine, theirs, strict=True)
    for number, place in enumerate(places.tolist()):
        for query, column, rows, values in lists:
            if query == queries[place] and ranks[number, column]:
                at = ranks[number, column] - 1
                assert (rows[at], values[at]) == (ranking[0][place], scores[number, column])
                assert ranking[0][place] not in rows[:at]


_DISTINCT = st.lists(st.integers(0, 30), max_size=12, unique=True).map(lambda rows: ints(*rows))


@given(st.lists(_DISTINCT, max_size=3), _DISTINCT)
def test_what_lists_hold_is_counted_once(lists: list[NDArray[np.int32]], rows: NDArray[np.int32]) -> None:
    assert signals.counted(lists, rows) == reference.signals.counted(lists, rows)


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"fused": np.zeros(1)}, ValueError, "must have 2 entries, one for each of rows"),
        ({"places": np.array([0, 2])}, IndexError, r"places\[1\] is 2, not in 0..1"),
        ({"places": np.array([-1])}, IndexError, r"places\[0\] is -1, not in 0..1"),
        (
            {"lists": [(0, 1, np.zeros(2, dtype=np.int32), np.zeros(1))]},
            ValueError,
            "of query 0 has 2 rows but 1 values",
        ),
        ({"lists": [(0, 2, np.zeros(1, dtype=np.int32), np.zeros(1))]}, IndexError, "of query 0 is for column 2"),
    ],
)
def test_a_ranking_that_does_not_fit_is_refused_by_both(
    changed: dict[str, Any], error: type[Exception], says: str
) -> None:
    usual = {
        "rows": ints(3, 4), "scores": np.zeros(2), "queries": ints(0, 0), "fused": np.zeros(2), "recency": np.zeros(2),
        "places": np.array([0, 1]), "lists": [],
    }  # fmt: skip
    for module in BOTH:
        with pytest.raises(error, match=says):
            module.told(**{**usual, **changed})


def test_the_columns_are_fields_of_the_contract() -> None:
    assert {*RANKS, *SIGNALS} <= set(Signals.DESCRIPTOR.fields_by_name)
    assert signals.RANKS == reference.signals.RANKS
    assert signals.SIGNALS == reference.signals.SIGNALS
