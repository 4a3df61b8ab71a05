"""Features and the linear ranker against their twins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import reference
from brain_core.kernels.features import NAMES, features
from brain_core.kernels.ranker import linear


def column(values: list[Any], kind: type[np.generic]) -> np.ndarray[Any, Any]:
    return np.array(values, dtype=kind)


@st.composite
def conversations(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a few sessions whose rows are linked as ChunkTable links them, and some of the rows as candidates."""
    n = draw(st.integers(1, 20))
    session = [draw(st.integers(-1, 3)) for _ in range(n)]
    before, after = [-1] * n, [-1] * n
    last: dict[int, int] = {}
    for row, one in enumerate(session):
        if one in last:
            before[row], after[last[one]] = last[one], row
        last[one] = row
    rows = draw(st.lists(st.integers(0, n - 1), max_size=n))
    m = len(rows)

    def some(values: st.SearchStrategy[float], size: int) -> list[float]:
        return draw(st.lists(values, min_size=size, max_size=size))

    return {
        "rows": column(rows, np.int32),
        "lexical": column(some(st.one_of(st.just(0.0), st.floats(0, 30, width=32)), n), np.float32),
        "cosine": column(some(st.floats(-1, 1), m), np.float64),
        "before": column(before, np.int32),
        "after": column(after, np.int32),
        "session": column(session, np.int32),
        "age": column(some(st.floats(-10, 4000), m), np.float64),
        "half_life": draw(st.sampled_from([0.5, 30.0])),
        "priority": column(some(st.integers(0, 10).map(float), m), np.float64),
        "confidence": column(some(st.floats(0, 1), m), np.float64),
    }


@settings(max_examples=100, deadline=None)
@given(conversations())
def test_features_equal_the_twin_bit_for_bit(given_columns: dict[str, Any]) -> None:
    found = features(**given_columns)
    np.testing.assert_array_equal(found, reference.features(**given_columns))
    assert found.shape == (len(given_columns["rows"]), len(NAMES))
    assert (found >= 0).all()
    assert (found <= 1).all()


def sample() -> dict[str, Any]:
    return {
        "rows": column([1, 3], np.int32),
        "lexical": column([4, 2, 1, 0], np.float32),
        "cosine": column([0.25, 0.75], np.float64),
        "before": column([-1, 0, 1, -1], np.int32),
        "after": column([1, 2, -1, -1], np.int32),
        "session": column([0, 0, 0, 1], np.int32),
        "age": column([30, 0], np.float64),
        "half_life": 30.0,
        "priority": column([5, 0], np.float64),
        "confidence": column([0.5, 1], np.float64),
    }


def test_features_by_hand() -> None:
    found = features(**sample())
    assert dict(zip(NAMES, found[0].tolist(), strict=True)) == pytest.approx(
        {
            "lexical": 2 / 4,
            "semantic": 0,
            "before": 1,
            "after": 1 / 4,
            "before2": 0,
            "after2": 0,
            "session": 0.25,
            "recency": 0.5,
            "priority": 0.5,
            "confidence": 0.5,
        }
    )
    assert found[1].tolist() == pytest.approx([0, 1, 0, 0, 0, 0, 1, 1, 1, 1])


def test_no_candidates_give_no_rows() -> None:
    given_columns = sample()
    for name in ("rows", "cosine", "age", "priority", "confidence"):
        given_columns[name] = given_columns[name][:0]
    assert features(**given_columns).shape == (0, 10)
    assert reference.features(**given_columns).shape == (0, 10)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("cosine", column([1], np.float64), "must have 2 entries, one for each of rows"),
        ("age", column([1], np.float64), "must have 2 entries, one for each of rows"),
        ("priority", column([1], np.float64), "must have 2 entries, one for each of rows"),
        ("confidence", column([1], np.float64), "must have 2 entries, one for each of rows"),
        ("before", column([1], np.int32), "must have 4 entries, one for each of lexical"),
        ("after", column([1], np.int32), "must have 4 entries, one for each of lexical"),
        ("session", column([1], np.int32), "must have 4 entries, one for each of lexical"),
        ("half_life", 0.0, "half_life must be > 0, got 0.0"),
        ("rows", column([0, 4], np.int32), r"rows\[1\] is 4, not in 0..3"),
        ("rows", column([-1, 0], np.int32), r"rows\[0\] is -1, not in 0..3"),
    ],
)
def test_what_does_not_fit_is_refused_by_both(name: str, value: object, says: str) -> None:
    for one in (features, reference.features):
        with pytest.raises(ValueError, match=says):
            one(**{**sample(), name: value})


shares = st.floats(0, 1)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 6).flatmap(lambda f: st.tuples(
    st.lists(st.lists(shares, min_size=f, max_size=f), max_size=10),
    st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0]), min_size=f, max_size=f),
)))  # fmt: skip
def test_linear_equals_the_twin_bit_for_bit(given_values: tuple[list[list[float]], list[float]]) -> None:
    lines, weights = given_values
    matrix = np.array(lines, dtype=np.float64).reshape(len(lines), len(weights))
    if sum(weights) == 0:
        weights[0] = 1.0
    found = linear(matrix, np.array(weights))
    np.testing.assert_array_equal(found, reference.linear(matrix, np.array(weights)))
    np.testing.assert_allclose(found, matrix @ weights / np.sum(weights), atol=1e-12)
    assert ((found >= 0) & (found <= 1 + 1e-12)).all()


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([1.0], "matrix has 2 features but weights has 1"),
        ([1.0, -0.5], r"weights\[1\] must be ≥ 0, got -0.5"),
        ([1.0, np.nan], r"weights\[1\] must be ≥ 0, got nan"),
        ([0.0, 0.0], "weights must have a positive sum"),
    ],
)
def test_bad_weights_are_refused_by_both(weights: list[float], says: str) -> None:
    for one in (linear, reference.linear):
        with pytest.raises(ValueError, match=says):
            one(np.ones((3, 2)), np.array(weights))
