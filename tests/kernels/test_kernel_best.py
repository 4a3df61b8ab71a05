"""The best rows against the twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.best import top_k


def floats(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


# Few distinct values, so that ties are the rule.
few_scores = st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0]), st.booleans()), max_size=40)


@settings(max_examples=100, deadline=None)
@given(few_scores, st.integers(0, 50))
def test_top_k_equals_the_twin(rows: list[tuple[float, bool]], k: int) -> None:
    scores = floats(*(score for score, _ in rows))
    allowed = np.array([one for _, one in rows], dtype=np.uint8)
    found = top_k(scores, allowed, k)
    np.testing.assert_array_equal(found, reference.best.top_k(scores, allowed, k))
    best_first = sorted((-score, row) for row, (score, one) in enumerate(rows) if one and score > 0)
    assert found.tolist() == [row for _, row in best_first[:k]]


def test_top_k_of_a_large_array_equals_the_twin() -> None:
    scores = np.random.default_rng(7).integers(0, 500, 20_000).astype(np.float32)
    allowed = np.random.default_rng(8).integers(0, 2, 20_000).astype(np.uint8)
    for k in (1, 2, 3, 200, 19_999, 30_000):
        np.testing.assert_array_equal(top_k(scores, allowed, k), reference.best.top_k(scores, allowed, k))


def test_what_is_no_score_hides_none_beside_it() -> None:
    chance = np.random.default_rng(9)
    scores = chance.integers(1, 500, 5_003).astype(np.float32)
    scores[chance.random(len(scores)) < 0.3] = math.nan
    scores[chance.random(len(scores)) < 0.3] *= -1
    allowed = chance.integers(0, 2, len(scores)).astype(np.uint8)
    for k in (1, 50, 5_003):
        np.testing.assert_array_equal(top_k(scores, allowed, k), reference.best.top_k(scores, allowed, k))


def test_top_k_at_its_edges() -> None:
    none = np.empty(0, dtype=np.uint8)
    assert len(top_k(floats(), none, 5)) == 0
    ones = np.ones(3, dtype=np.uint8)
    assert len(top_k(floats(1, 1, 1), ones, 0)) == 0
    assert top_k(floats(1, 1, 1), ones, 2).tolist() == [0, 1]
    assert top_k(floats(1, 1, 1), np.zeros(3, dtype=np.uint8), 2).tolist() == []
    assert top_k(floats(math.nan, -1, 0), ones, 3).tolist() == []
    with pytest.raises(ValueError, match="scores has 3 rows but allowed has 2"):
        top_k(floats(1, 1, 1), ones[:2], 1)
    with pytest.raises(ValueError, match="k must be ≥ 0, got -1"):
        top_k(floats(1, 1, 1), ones, -1)
