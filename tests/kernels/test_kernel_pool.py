"""Pooling against its twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.pool import Pool, counted, parts_of, pool_parts, turned

Rows = tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.int32], NDArray[np.float32]]
Table = tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]


def arrays(rows: int, size: int, count: int, seed: int) -> Rows:
    random = np.random.default_rng(seed)
    return (
        random.integers(-127, 128, (rows, size), dtype=np.int8),
        random.random(rows, dtype=np.float32),
        random.integers(0, rows, count, dtype=np.int32),
        random.standard_normal(count, dtype=np.float32),
    )


def table(rows: int, size: int, of_words: list[int], seed: int) -> Table:
    """Return a table of so many rows and words that have so many of them each."""
    its_rows, scales, ids, weights = arrays(rows, size, sum(of_words), seed)
    return its_rows, scales, np.cumsum([0, *of_words], dtype=np.int32), ids, weights


@settings(max_examples=200, deadline=None)
@given(
    st.integers(1, 40),
    st.lists(st.integers(0, 8), max_size=60),
    st.lists(st.integers(0, 4), max_size=9),
    st.lists(st.integers(0, 9), max_size=20),
    st.integers(0, 2**32),
)
def test_pooling_equals_the_twin_bit_for_bit(
    size: int, tokens: list[int], of_words: list[int], words: list[int], seed: int
) -> None:
    given_table = table(9, size, of_words, seed)
    said = [word for word in words if word < len(of_words)]
    found, twin = Pool(*given_table).vector(tokens, said), reference.pool.Pool(*given_table).vector(tokens, said)
    assert (found.dtype, found.shape) == (twin.dtype, twin.shape)
    np.testing.assert_array_equal(found, twin)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 9), st.integers(1, 40), st.lists(st.integers(0, 4), max_size=9), st.integers(0, 2**32))
def test_pooling_parts_equals_the_twin_bit_for_bit(rows: int, size: int, sizes: list[int], seed: int) -> None:
    parts = arrays(rows, size, sum(sizes), seed)
    ends = np.cumsum([0, *sizes], dtype=np.int32)
    np.testing.assert_array_equal(pool_parts(*parts, ends), reference.pool.pool_parts(*parts, ends))


def test_ends_of_parts_that_do_not_fit_are_refused_by_both() -> None:
    rows, scales, ids, weights = arrays(3, 4, 2, seed=1)
    for one in (pool_parts, reference.pool.pool_parts):
        for ends in ([0, 1], [1, 2], [], [0, 3]):
            with pytest.raises(ValueError, match="ends must run from 0 to 2"):
                one(rows, scales, ids, weights, np.array(ends, dtype=np.int32))
        with pytest.raises(ValueError, match="ends must not fall"):
            one(rows, scales, ids, weights, np.array([0, 2, 1, 2], dtype=np.int32))
        with pytest.raises(ValueError, match="ids has 2 entries but weights has 1"):
            one(rows, scales, ids, weights[:1], np.array([0, 2], dtype=np.int32))
        with pytest.raises(ValueError, match=r"ids\[1\] must be in 0..2, got 3"):
            one(rows, scales, np.array([0, 3], dtype=np.int32), weights, np.array([0, 2], dtype=np.int32))
        with pytest.raises(ValueError, match="rows has 3 entries but scales has 2"):
            one(rows, scales[:2], ids, weights, np.array([0, 2], dtype=np.int32))


def test_by_hand() -> None:
    rows = np.array([[100, 0], [0, 50]], dtype=np.int8)
    scales = np.array([0.01, 0.04], dtype=np.float32)
    starts, ids = np.array([0, 1, 3], dtype=np.int32), np.array([0, 1, 0], dtype=np.int32)
    pooled = Pool(rows, scales, starts, ids, np.array([0.25, 2.0, 3.0], dtype=np.float32))
    assert pooled.vector([1, 0, 1, 1, 1], []).tolist() == pytest.approx([1 / 17**0.5, 4 / 17**0.5])
    assert pooled.vector([], [1]).tolist() == pytest.approx([3 / 5, 4 / 5])
    [first, second] = pooled.vector([1], [0, 0, 0, 0, 1]).tolist()
    assert second / first == pytest.approx((2 + 4) / (0.5 + 3))


def test_nothing_and_what_cancels_give_zeros() -> None:
    rows, scales, _, _ = arrays(3, 4, 0, seed=1)
    starts, ids = np.array([0, 1, 2, 2], dtype=np.int32), np.array([2, 2], dtype=np.int32)
    pooled = Pool(rows, scales, starts, ids, np.array([1.5, -1.5], dtype=np.float32))
    for words in ([], [2], [0, 1]):
        assert not pooled.vector([], words).any()
    assert pooled.vector([], [0]).any()


@pytest.mark.parametrize(
    ("place", "array", "says"),
    [
        (0, np.ones((3, 0), dtype=np.int8), "rows must have at least one column"),
        (1, np.ones(2, dtype=np.float32), "rows has 3 entries but scales has 2"),
        (2, np.array([], dtype=np.int32), "starts must run from 0 to 2"),
        (2, np.array([0, 1], dtype=np.int32), "starts must run from 0 to 2"),
        (2, np.array([0, 2, 1, 2], dtype=np.int32), "starts must not fall"),
        (3, np.array([0, 3], dtype=np.int32), r"ids\[1\] must be in 0..2, got 3"),
        (3, np.array([-1, 0], dtype=np.int32), r"ids\[0\] must be in 0..2, got -1"),
        (4, np.ones(1, dtype=np.float32), "ids has 2 entries but weights has 1"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_by_both(place: int, array: NDArray[np.generic], says: str) -> None:
    changed: list[NDArray[np.generic]] = list(table(3, 4, [1, 1], seed=1))
    changed[place] = array
    for one in (Pool, reference.pool.Pool):
        with pytest.raises(ValueError, match=says):
            one(*changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tokens", "words", "says"),
    [
        ([0, 3], [], r"tokens\[1\] must be in 0..2, got 3"),
        ([-1], [], r"tokens\[0\] must be in 0..2, got -1"),
        ([0], [1, 2], r"words\[1\] must be in 0..1, got 2"),
        ([0], [-1], r"words\[0\] must be in 0..1, got -1"),
    ],
)
def test_what_no_table_has_is_refused_by_both(tokens: list[int], words: list[int], says: str) -> None:
    given_table = table(3, 4, [1, 1], seed=1)
    for one in (Pool(*given_table), reference.pool.Pool(*given_table)):
        with pytest.raises(ValueError, match=says):
            one.vector(tokens, words)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 40),
    st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 4)), max_size=6),
    st.floats(0, 2, width=32),
    st.integers(0, 2**32),
)
def test_turning_equals_the_twin_bit_for_bit(size: int, pairs: list[tuple[int, int]], share: float, seed: int) -> None:
    vectors = np.random.default_rng(seed).standard_normal((5, size), dtype=np.float32)
    found, twin = turned(vectors, pairs, share), reference.pool.turned(vectors, pairs, share)
    assert (found.dtype, found.shape) == (twin.dtype, twin.shape)
    np.testing.assert_array_equal(found, twin)


def test_a_vector_is_turned_to_another_and_without_one_left_as_it_is() -> None:
    vectors = np.array([[1, 0], [0, 2], [0, 0], [-0.5, 0]], dtype=np.float32)
    found = turned(vectors, [(0, 1), (1, -1), (2, 1), (2, 2), (3, 0)], 0.5)
    np.testing.assert_allclose(found, [[0.5**0.5, 0.5**0.5], [0, 2], [0, 1], [0, 0], [0, 0]], rtol=1e-6)
    assert turned(vectors, [], 0.5).shape == (0, 2)


@pytest.mark.parametrize(
    ("size", "pair", "says"),
    [
        (2, (3, -1), r"pairs\[1\] must be of rows in 0..2, got 3 and -1"),
        (2, (-1, 0), r"pairs\[1\] must be of rows in 0..2, got -1 and 0"),
        (2, (0, 3), r"pairs\[1\] must be of rows in 0..2, got 0 and 3"),
        (2, (0, -2), r"pairs\[1\] must be of rows in 0..2, got 0 and -2"),
        (0, (0, 1), "vectors must have at least one number"),
    ],
)
def test_pairs_of_other_rows_are_refused_by_both(size: int, pair: tuple[int, int], says: str) -> None:
    for one in (turned, reference.pool.turned):
        with pytest.raises(ValueError, match=says):
            one(np.ones((3, size), dtype=np.float32), [(0, 1), pair], 0.5)


Parts = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32], NDArray[np.int32], NDArray[np.int32]]


def parts(sizes: list[int], wanted: list[int], seed: int) -> Parts:
    random = np.random.default_rng(seed)
    starts = np.cumsum([0, *sizes], dtype=np.int32)
    return (
        starts,
        random.integers(0, 1000, starts[-1], dtype=np.int32),
        random.standard_normal(starts[-1], dtype=np.float32),
        np.array(wanted, dtype=np.int32),
        random.integers(1, 9, len(wanted), dtype=np.int32),
    )


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=9), st.data(), st.integers(0, 2**32))
def test_parts_equal_the_twins_bit_for_bit(sizes: list[int], data: st.DataObject, seed: int) -> None:
    given_parts = parts(sizes, data.draw(st.lists(st.integers(0, len(sizes) - 1), max_size=12)), seed)
    for found, twin in zip(parts_of(*given_parts), reference.pool.parts_of(*given_parts), strict=True):
        assert found.dtype == twin.dtype
        np.testing.assert_array_equal(found, twin)


@pytest.mark.parametrize(
    ("place", "array", "says"),
    [
        (2, np.ones(2, dtype=np.float32), "ids has 3 entries but weights has 2"),
        (4, np.ones(1, dtype=np.int32), "wanted has 2 entries but counts has 1"),
        (3, np.array([0, 2], dtype=np.int32), r"wanted\[1\] must be in 0..1, at least once, got 2, "),
        (4, np.array([0, 1], dtype=np.int32), r"wanted\[0\] must be in 0..1, at least once, got 0, 0 times"),
        (0, np.array([0, 1, 4], dtype=np.int32), "part 1 is not in 0..3"),
    ],
)
def test_parts_that_do_not_fit_are_refused_by_both(place: int, array: NDArray[np.generic], says: str) -> None:
    changed: list[NDArray[np.generic]] = list(parts([1, 2], [0, 1], seed=1))
    changed[place] = array
    for one in (parts_of, reference.pool.parts_of):
        with pytest.raises(ValueError, match=says):
            one(*changed)  # type: ignore[arg-type]


@given(st.lists(st.integers(-3, 12) | st.integers(-(2**31), 2**31 - 1), max_size=60))
def test_counting_equals_the_twin_bit_for_bit(ids: list[int]) -> None:
    for found, wanted in zip(counted(ids), reference.pool.counted(ids), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def test_what_is_no_id_is_not_counted() -> None:
    with pytest.raises(OverflowError):
        counted([2**31])
