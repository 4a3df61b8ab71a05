"""Filters over tokens against their twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.convolve import FILTERS_TOGETHER, Filters
from brain_core.kernels.vectors import quantise

Arrays = tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]


def arrays(d: int, widths: int, f: int, labels: int, seed: int) -> Arrays:
    """Return filters over the tokens of a table of seven."""
    random = np.random.default_rng(seed)
    return (
        quantise(random.standard_normal((7, d), dtype=np.float32)),
        random.standard_normal((d * widths * (widths + 1) // 2, f), dtype=np.float32),
        random.standard_normal(widths * f, dtype=np.float32),
        random.standard_normal((widths * f, labels), dtype=np.float32),
        random.standard_normal(labels, dtype=np.float32),
    )


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 6), max_size=11), max_size=4),
    st.integers(1, 9),
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(0, 9),
    st.integers(0, 2**32),
)
def test_scores_equal_the_twins_bit_for_bit(
    texts: list[list[int]], d: int, widths: int, blocks: int, labels: int, seed: int
) -> None:
    weights = arrays(d, widths, blocks * FILTERS_TOGETHER, labels, seed)
    found, twin = Filters(*weights).scores(texts), reference.convolve.Filters(*weights).scores(texts)
    assert (found.dtype, found.shape) == (twin.dtype, twin.shape)
    np.testing.assert_array_equal(found, twin)


def test_by_hand() -> None:
    packed = quantise(np.array([[1, 0], [0, 2]], dtype=np.float32))
    filters = np.zeros((2 + 4, FILTERS_TOGETHER), dtype=np.float32)
    filters[1, 0] = 3.0  # one token: the second number counts 3
    filters[2, 1] = 1.0  # two tokens: the first number of the first,
    filters[5, 1] = 5.0  # and the second of the second
    bias = np.zeros(2 * FILTERS_TOGETHER, dtype=np.float32)
    bias[2] = -1.0
    head = np.zeros((2 * FILTERS_TOGETHER, 2), dtype=np.float32)
    head[[0, 2], 0] = 1.0
    head[FILTERS_TOGETHER + 1, 1] = 1.0
    scores = Filters(packed, filters, bias, head, np.array([0.5, 0], np.float32)).scores([[0, 1], [1, 0], []])
    np.testing.assert_allclose(scores, [[6.5, 11.0], [6.5, 1.0], [0.5, 0.0]], rtol=1e-4)


def test_a_text_is_read_alike_alone_and_among_others() -> None:
    filters = Filters(*arrays(d=5, widths=3, f=FILTERS_TOGETHER, labels=2, seed=3))
    texts = [[0, 4, 6], [1, 1, 2, 3, 5, 6, 0, 0, 2], [3]]
    np.testing.assert_array_equal(filters.scores(texts), np.concatenate([filters.scores([one]) for one in texts]))


@pytest.mark.parametrize(
    ("place", "array", "says"),
    [
        (0, np.ones((7, 4), dtype=np.uint8), "vectors must have at least one number"),
        (1, np.ones((12, 15), dtype=np.float32), "a width must have a multiple of 16 filters, got 15"),
        (1, np.ones((11, 16), dtype=np.float32), "filters must have 12 rows, got 11"),
        (2, np.ones(31, dtype=np.float32), "bias must have 16 numbers for each width, got 31"),
        (2, np.ones(0, dtype=np.float32), "bias must have 16 numbers for each width, got 0"),
        (3, np.ones((31, 2), dtype=np.float32), "head must have 32 rows of 2, got 31 of 2"),
        (4, np.ones(3, dtype=np.float32), "head must have 32 rows of 3, got 32 of 2"),
    ],
)
def test_weights_that_do_not_fit_are_refused_by_both(place: int, array: NDArray[np.generic], says: str) -> None:
    changed: list[NDArray[np.generic]] = list(arrays(d=4, widths=2, f=16, labels=2, seed=1))
    changed[place] = array
    for one in (Filters, reference.convolve.Filters):
        with pytest.raises(ValueError, match=says):
            one(*changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(("tokens", "says"), [
    ([0, 1, 7], r"tokens\[2\] must be in 0..6, got 7"), ([0, -1], r"tokens\[1\] must be in 0..6, got -1"),
])  # fmt: skip
def test_tokens_that_no_table_has_are_refused_by_both(tokens: list[int], says: str) -> None:
    weights = arrays(d=4, widths=2, f=16, labels=2, seed=1)
    for one in (Filters(*weights), reference.convolve.Filters(*weights)):
        with pytest.raises(ValueError, match=says):
            one.scores([tokens])
