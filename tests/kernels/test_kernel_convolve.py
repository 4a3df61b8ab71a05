"""Filters over tokens against their twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.convolve import FILTERS_TOGETHER, convolve
from brain_core.kernels.vectors import quantise

Arrays = tuple[
    NDArray[np.uint8],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float32],
    NDArray[np.float32],
    NDArray[np.float32],
]


def arrays(sizes: list[int], d: int, widths: int, f: int, labels: int, seed: int) -> Arrays:
    """Texts of so many tokens each, of a table of seven."""
    random = np.random.default_rng(seed)
    return (
        quantise(random.standard_normal((7, d), dtype=np.float32)),
        random.integers(0, 7, sum(sizes), dtype=np.int32),
        np.cumsum([0, *sizes], dtype=np.int32),
        random.standard_normal((d * widths * (widths + 1) // 2, f), dtype=np.float32),
        random.standard_normal(widths * f, dtype=np.float32),
        random.standard_normal((widths * f, labels), dtype=np.float32),
    )


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.integers(0, 11), max_size=4),
    st.integers(1, 9),
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(0, 9),
    st.integers(0, 2**32),
)
def test_convolution_equals_the_twin_bit_for_bit(
    sizes: list[int], d: int, widths: int, blocks: int, labels: int, seed: int
) -> None:
    given_arrays = arrays(sizes, d, widths, blocks * FILTERS_TOGETHER, labels, seed)
    found, twin = convolve(*given_arrays), reference.convolve.convolve(*given_arrays)
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
    ids, starts = np.array([0, 1, 1, 0], dtype=np.int32), np.array([0, 2, 4, 4], dtype=np.int32)
    scores = convolve(packed, ids, starts, filters, bias, head)
    np.testing.assert_allclose(scores, [[6.0, 11.0], [6.0, 1.0], [0.0, 0.0]], rtol=1e-4)


def test_a_text_is_read_alike_alone_and_among_others() -> None:
    packed, ids, starts, *weights = arrays([3, 9, 1], d=5, widths=3, f=FILTERS_TOGETHER, labels=2, seed=3)
    together = convolve(packed, ids, starts, *weights)
    for text in range(3):
        own = ids[starts[text] : starts[text + 1]]
        alone = convolve(packed, own, np.array([0, len(own)], dtype=np.int32), *weights)
        np.testing.assert_array_equal(alone[0], together[text])


@pytest.mark.parametrize(
    ("place", "array", "says"),
    [
        (0, np.ones((7, 4), dtype=np.uint8), "vectors must have at least one number"),
        (1, np.array([0, 1, 7], dtype=np.int32), r"ids\[2\] must be in 0..6, got 7"),
        (1, np.array([0, -1, 6], dtype=np.int32), r"ids\[1\] must be in 0..6, got -1"),
        (2, np.array([], dtype=np.int32), "starts must go from 0 to 3"),
        (2, np.array([0, 2], dtype=np.int32), "starts must go from 0 to 3"),
        (2, np.array([1, 3], dtype=np.int32), "starts must go from 0 to 3"),
        (2, np.array([0, 4, 3], dtype=np.int32), r"starts\[2\] must not be below starts\[1\]"),
        (3, np.ones((12, 15), dtype=np.float32), "a width must have a multiple of 16 filters, got 15"),
        (3, np.ones((11, 16), dtype=np.float32), "filters must have 12 rows, got 11"),
        (4, np.ones(31, dtype=np.float32), "bias must have 16 numbers for each width, got 31"),
        (4, np.ones(0, dtype=np.float32), "bias must have 16 numbers for each width, got 0"),
        (5, np.ones((31, 2), dtype=np.float32), "bias has 32 entries but head has 31"),
    ],
)
def test_what_does_not_fit_is_refused_by_both(place: int, array: NDArray[np.generic], says: str) -> None:
    changed: list[NDArray[np.generic]] = list(arrays([3], d=4, widths=2, f=16, labels=2, seed=1))
    changed[place] = array
    for one in (convolve, reference.convolve.convolve):
        with pytest.raises(ValueError, match=says):
            one(*changed)  # type: ignore[arg-type]
