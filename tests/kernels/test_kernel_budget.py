"""The budget against its twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import reference
from brain_core.kernels.budget import fit

_LARGEST = 2**63 - 1


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.one_of(st.integers(0, 50), st.sampled_from([_LARGEST, _LARGEST - 1, 2**62])), max_size=30),
    st.one_of(st.integers(-5, 400), st.just(_LARGEST)),
    st.integers(0, 40),
)
def test_fit_equals_the_twin_and_never_exceeds_the_limit(sizes: list[int], limit: int, most: int) -> None:
    costs = np.array(sizes, dtype=np.int64)
    kept, used = fit(costs, limit, most)
    twin_kept, twin_used = reference.budget.fit(costs, limit, most)
    np.testing.assert_array_equal(kept, twin_kept)
    assert used == twin_used == sum(size for size, fits in zip(sizes, kept, strict=True) if fits)
    assert used <= max(limit, 0)
    assert kept.sum() <= most


def test_a_piece_that_does_not_fit_is_passed_over() -> None:
    kept, used = fit(np.array([5, 9, 3, 2, 0], dtype=np.int64), 10, 9)
    assert (kept.tolist(), used) == ([1, 0, 1, 1, 1], 10)


def test_edges() -> None:
    assert fit(np.empty(0, dtype=np.int64), 10, 1)[1] == 0
    assert fit(np.array([1, 1], dtype=np.int64), -3, 5)[0].tolist() == [0, 0]
    assert fit(np.array([0, 0], dtype=np.int64), -3, 1)[0].tolist() == [1, 0]
    assert fit(np.array([1, 1], dtype=np.int64), 5, 0)[0].tolist() == [0, 0]


def test_what_does_not_fit_is_refused_by_both() -> None:
    for one in (fit, reference.budget.fit):
        with pytest.raises(ValueError, match="most must be ≥ 0, got -1"):
            one(np.array([1], dtype=np.int64), 5, -1)
        with pytest.raises(ValueError, match=r"costs\[1\] must be ≥ 0, got -2"):
            one(np.array([1, -2], dtype=np.int64), 5, 1)
