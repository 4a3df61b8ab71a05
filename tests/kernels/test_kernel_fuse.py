"""Fusion against its twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.fuse import METHODS, fuse, places_in

Lists = list[tuple[NDArray[np.int32], NDArray[np.float64], float]]


def listed(rows: list[int], scores: list[float], weight: float = 1.0) -> Lists:
    return [(np.array(rows, dtype=np.int32), np.array(scores, dtype=np.float64), weight)]


@st.composite
def ranked_lists(draw: st.DrawFn) -> Lists:
    lists: Lists = []
    for _ in range(draw(st.integers(0, 4))):
        rows = draw(st.lists(st.integers(0, 15), unique=True, max_size=10))
        value = st.one_of(st.sampled_from([0.0, 1.0, 2.0]), st.floats(-1, 30, allow_nan=False))
        scores = sorted(draw(st.lists(value, min_size=len(rows), max_size=len(rows))), reverse=True)
        lists += listed(rows, scores, draw(st.sampled_from([0.0, 0.5, 1.0, 1.7])))
    return lists


@settings(max_examples=100, deadline=None)
@given(ranked_lists(), st.sampled_from(sorted(METHODS)), st.sampled_from([1.0, 60.0, 0.5]))
def test_fusion_equals_the_twin_bit_for_bit(lists: Lists, method: str, rrf_k: float) -> None:
    rows, scores = fuse(lists, method, rrf_k)
    twin_rows, twin_scores = reference.fuse.fuse(lists, method, rrf_k)
    np.testing.assert_array_equal(rows, twin_rows)
    np.testing.assert_array_equal(scores, twin_scores)
    assert rows.dtype == np.int32
    assert scores.dtype == np.float64
    assert sorted(rows.tolist()) == sorted({row for one, *_ in lists for row in one.tolist()})


def test_each_method_by_hand() -> None:
    lists = listed([5, 2, 9], [3.0, 2.0, 1.0]) + listed([2, 5], [0.9, 0.1], 2.0)
    rows, scores = fuse(lists, "rrf", 1.0)
    assert rows.tolist() == [2, 5, 9]
    assert scores.tolist() == pytest.approx([1 / 3 + 2 / 2, 1 / 2 + 2 / 3, 1 / 4])
    rows, scores = fuse(lists, "weighted_sum", 1.0)
    assert dict(zip(rows.tolist(), scores.tolist(), strict=True)) == pytest.approx({2: 0.5 + 2.0, 5: 1.0, 9: 0.0})
    rows, scores = fuse(lists, "none", 1.0)
    assert dict(zip(rows.tolist(), scores.tolist(), strict=True)) == pytest.approx({5: 3.0, 2: 2.0, 9: 1.0})


def test_equal_scores_stand_in_the_order_of_rows() -> None:
    lists = listed([7], [1.0]) + listed([3], [1.0]) + listed([5], [1.0])
    for method in METHODS:
        assert fuse(lists, method, 60.0)[0].tolist() == [3, 5, 7]


def test_nothing_to_join_gives_nothing() -> None:
    for count in range(3):
        rows, scores = fuse(listed([], []) * count, "rrf", 60.0)
        assert (len(rows), len(scores)) == (0, 0)


def test_what_a_row_gains_is_added_in_the_order_of_the_lists() -> None:
    large, small = 2.0**53, 1.0
    for gains, kept in (([large, small, small], large), ([small, small, large], large + 2)):
        lists = [one for gain in gains for one in listed([4], [gain], gain)]
        assert fuse(lists, "weighted_sum", 1.0)[1].tolist() == [kept]
        assert reference.fuse.fuse(lists, "weighted_sum", 1.0)[1].tolist() == [kept]


@pytest.mark.parametrize(
    ("changed", "method", "rrf_k", "says"),
    [
        ({}, "best", 60.0, r"method must be one of \['none', 'rrf', 'weighted_sum'\], got 'best'"),
        ({}, "rrf", 0.0, "rrf_k must be > 0, got 0.0"),
        ({"scores": [2.0]}, "rrf", 60.0, "list 1: rows has 2 entries but scores has 1"),
        ({"weight": -1.0}, "rrf", 60.0, "list 1: weight must be ≥ 0, got -1.0"),
        ({"weight": np.nan}, "rrf", 60.0, "list 1: weight must be ≥ 0, got nan"),
    ],
)
def test_what_does_not_fit_is_refused_by_both(changed: dict[str, Any], method: str, rrf_k: float, says: str) -> None:
    lists = listed([1], [3.0]) + listed(**{"rows": [1, 2], "scores": [2.0, 1.0], **changed})
    for one in (fuse, reference.fuse.fuse):
        with pytest.raises(ValueError, match=says):
            one(lists, method, rrf_k)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 9), max_size=12), st.lists(st.integers(0, 9), max_size=6))
def test_places_in_a_list_equal_the_twin(known: list[int], rows: list[int]) -> None:
    arrays = np.array(known, dtype=np.int32), np.array(rows, dtype=np.int32)
    places = places_in(*arrays)
    np.testing.assert_array_equal(places, reference.fuse.places_in(*arrays))
    assert places.tolist() == [known.index(row) + 1 if row in known else 0 for row in rows]
