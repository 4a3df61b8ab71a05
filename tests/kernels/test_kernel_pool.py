"""Pooling against its twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.pool import counted, parts_of, pool, pool_parts, pool_tokens

Arrays = tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.int32], NDArray[np.float32], NDArray[np.float32]]


def arrays(rows: int, size: int, count: int, seed: int) -> Arrays:
    random = np.random.default_rng(seed)
    return (
        random.integers(-127, 128, (rows, size), dtype=np.int8),
        random.random(rows, dtype=np.float32),
        random.integers(0, rows, count, dtype=np.int32),
        random.standard_normal(count, dtype=np.float32),
        np.full(size, 7.0, dtype=np.float32),
    )


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 9), st.integers(1, 40), st.integers(0, 30), st.integers(0, 2**32))
def test_pooling_equals_the_twin_bit_for_bit(rows: int, size: int, count: int, seed: int) -> None:
    given_arrays = arrays(rows, size, count, seed)
    twin = given_arrays[-1].copy()
    pool(*given_arrays)
    reference.pool.pool(*given_arrays[:-1], twin)
    np.testing.assert_array_equal(given_arrays[-1], twin)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 9), st.integers(1, 40), st.lists(st.integers(0, 4), max_size=9), st.integers(0, 2**32))
def test_pooling_parts_equals_the_twin_bit_for_bit(rows: int, size: int, sizes: list[int], seed: int) -> None:
    parts = arrays(rows, size, sum(sizes), seed)[:-1]
    ends = np.cumsum([0, *sizes], dtype=np.int32)
    np.testing.assert_array_equal(pool_parts(*parts, ends), reference.pool.pool_parts(*parts, ends))


def test_ends_of_parts_that_do_not_fit_are_refused_by_both() -> None:
    rows, scales, ids, weights, _ = arrays(3, 4, 2, seed=1)
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


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 40), max_size=60), st.integers(0, 2**32))
def test_pooling_tokens_equals_the_twin_bit_for_bit(tokens: list[int], seed: int) -> None:
    rows, scales, _, _, out = arrays(41, 24, 0, seed)
    twin = out.copy()
    pool_tokens(rows, scales, tokens, out)
    reference.pool.pool_tokens(rows, scales, tokens, twin)
    np.testing.assert_array_equal(out, twin)


def test_tokens_that_are_no_rows_are_refused_by_both() -> None:
    rows, scales, _, _, out = arrays(3, 4, 0, seed=1)
    for one in (pool_tokens, reference.pool.pool_tokens):
        for tokens in ([0, 3], [1, -1]):
            with pytest.raises(ValueError, match=r"tokens\[1\] must be in 0..2"):
                one(rows, scales, tokens, out)
        with pytest.raises(ValueError, match="rows has 3 entries but scales has 2"):
            one(rows, scales[:2], [0], out)
        with pytest.raises(ValueError, match="rows has 4 columns but out has 3"):
            one(rows, scales, [0], out[:3])


def test_by_hand() -> None:
    rows = np.array([[100, 0], [0, 50]], dtype=np.int8)
    scales = np.array([0.01, 0.04], dtype=np.float32)
    out = np.empty(2, dtype=np.float32)
    pool(rows, scales, np.array([0, 1, 1], dtype=np.int32), np.array([3.0, 1.0, 1.0], dtype=np.float32), out)
    assert out.tolist() == pytest.approx([3 / 5, 4 / 5])


def test_nothing_and_what_cancels_give_zeros() -> None:
    rows, scales, ids, _, out = arrays(3, 4, 2, seed=1)
    pool(rows, scales, ids[:0], np.zeros(0, dtype=np.float32), out)
    assert not out.any()
    pool(rows, scales, np.array([2, 2], dtype=np.int32), np.array([1.5, -1.5], dtype=np.float32), out)
    assert not out.any()


@pytest.mark.parametrize(
    ("place", "array", "says"),
    [
        (1, np.ones(2, dtype=np.float32), "rows has 3 entries but scales has 2"),
        (3, np.ones(1, dtype=np.float32), "ids has 2 entries but weights has 1"),
        (4, np.ones(5, dtype=np.float32), "rows has 4 columns but out has 5"),
        (2, np.array([0, 3], dtype=np.int32), r"ids\[1\] must be in 0..2, got 3"),
        (2, np.array([-1, 0], dtype=np.int32), r"ids\[0\] must be in 0..2, got -1"),
    ],
)
def test_what_does_not_fit_is_refused_by_both(place: int, array: NDArray[np.generic], says: str) -> None:
    changed = list(arrays(3, 4, 2, seed=1))
    changed[place] = array
    for one in (pool, reference.pool.pool):
        with pytest.raises(ValueError, match=says):
            one(*changed)  # type: ignore[arg-type]


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
