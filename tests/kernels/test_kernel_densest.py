"""The densest run of parts against its twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.densest import densest

Parts = list[tuple[int, int]]


def spans(parts: Parts) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Lay out parts, given as (characters before each, its own)."""
    ends = np.cumsum([before + own for before, own in parts], dtype=np.int32)
    return ends - np.array([own for _, own in parts], dtype=np.int32), ends


few_parts = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 9)), min_size=1, max_size=12)


@settings(max_examples=300, deadline=None)
@given(few_parts, st.lists(st.tuples(st.integers(0, 3), st.sets(st.integers(0, 11))), max_size=6), st.integers(9, 60))
def test_it_equals_the_twin(parts: Parts, terms: list[tuple[int, set[int]]], longest: int) -> None:
    starts, stops = spans(parts)
    weights = [weight for weight, _ in terms]
    places = [sorted(part for part in having if part < len(parts)) for _, having in terms]
    found = densest(starts, stops, places, weights, longest)
    assert found == reference.densest.densest(starts, stops, places, weights, longest)


def test_of_equal_runs_the_shortest_then_the_earliest_counts() -> None:
    starts, stops = spans([(0, 5), (0, 3), (0, 3)])
    assert densest(starts, stops, [[0, 1, 2]], [1], 20) == (1, 1)
    assert densest(starts, stops, [[0], [1]], [1, 1], 20) == (0, 1)
    assert densest(starts, stops, [[0], [1]], [1, 1], 7) == (1, 1)
    assert densest(starts, stops, [[0], [1]], [2, 1], 7) == (0, 0)
    assert densest(starts, stops, [], [], 7) == (0, 0)
    assert densest(starts, stops, [[2]], [0], 7) == (0, 0)


def test_what_does_not_fit_together_is_refused() -> None:
    starts, stops = spans([(0, 5), (0, 3)])
    with pytest.raises(ValueError, match="starts has 2 parts but stops has 1"):
        densest(starts, stops[:1], [], [], 7)
    with pytest.raises(ValueError, match="places has 1 terms but weights has 0"):
        densest(starts, stops, [[0]], [], 7)
    with pytest.raises(ValueError, match=r"part 2 is not in 0\.\.1"):
        densest(starts, stops, [[0, 2]], [1], 7)
    with pytest.raises(ValueError, match="weights must be ≥ 0, got -1"):
        densest(starts, stops, [[0]], [-1], 7)
