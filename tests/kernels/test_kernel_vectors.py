"""Vectors as signed bytes against their twins: made, multiplied, the nearest, and in full."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import diversify, reference
from brain_core.kernels import vectors as vectors_kernel
from brain_core.kernels.vectors import SCALE_BYTES, cosines, expand, nearest, quantise

Vectors = NDArray[np.float32]
Packed = NDArray[np.uint8]
Rows = NDArray[np.int32]

PRODUCTS_H = Path(diversify.__file__).with_name("products.h")
_EVERY = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
FINITE: NDArray[np.float16] = _EVERY[np.isfinite(_EVERY)]
"""Every half float there is, subnormal ones and both zeros too."""
SIZES = [1, 15, 16, 17, 384, 512, 513, 1024]
_LARGEST = 65_536  # the most that policies let a dimension be


@st.composite
def vectors(draw: st.DrawFn) -> Vectors:
    """Draw vectors of any finite half floats, of few or of many columns, some of zeros."""
    d = draw(st.one_of(st.integers(1, 50), st.sampled_from(SIZES)))
    n = draw(st.integers(1, 8))
    kinds = {
        "any": FINITE,
        "tiny": FINITE[np.abs(FINITE) < np.float16(2e-4)],
        "usual": FINITE[np.abs(FINITE) <= np.float16(1)],
        "extreme": np.array([65504, -65504, 0, 6e-8], dtype=np.float16),
    }
    values = kinds[draw(st.sampled_from(sorted(kinds)))]
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    drawn = values[rng.integers(0, len(values), (n, d))].astype(np.float32)
    drawn[rng.random(n) < 0.2] = 0
    return drawn


@st.composite
def stored(draw: st.DrawFn) -> tuple[Packed, Rows]:
    """Draw a table of vectors, and some of its rows."""
    packed = quantise(draw(vectors()))
    rows = np.array(draw(st.lists(st.integers(0, len(packed) - 1), max_size=12)), dtype=np.int32)
    for one in (packed, rows):  # arrays of a snapshot may not be written to
        one.setflags(write=False)
    return packed, rows


def query_for(packed: Packed, seed: int) -> Vectors:
    return np.random.default_rng(seed).standard_normal((packed.shape[1] - SCALE_BYTES,), dtype=np.float32)


def every(packed: Packed) -> Rows:
    return np.arange(len(packed), dtype=np.int32)


def scales(packed: Packed) -> NDArray[np.float32]:
    return packed[:, -SCALE_BYTES:].copy().view(np.float32)[:, 0]


@settings(max_examples=200, deadline=None)
@given(vectors())
def test_bytes_equal_the_twin_and_are_near_the_vector(given_: Vectors) -> None:
    packed = quantise(given_)
    np.testing.assert_array_equal(packed, reference.vectors.quantise(given_))
    full = expand(packed, every(packed))
    greatest = np.abs(given_).max(axis=1, keepdims=True)
    assert (np.abs(full - given_) <= greatest * (0.5 / 127 + 2e-5)).all(), "half a step, and how a scale is rounded"
    np.testing.assert_array_equal(scales(packed) == 0, ~given_.any(axis=1), "only zeros have no scale")
    assert (packed[:, :-SCALE_BYTES].view(np.int8) >= -127).all()


@settings(max_examples=200, deadline=None)
@given(vectors())
def test_a_vector_made_of_bytes_gives_these_bytes_again(given_: Vectors) -> None:
    packed = quantise(given_)
    full = expand(packed, every(packed))
    np.testing.assert_array_equal(quantise(full), packed)
    exact = packed[:, :-SCALE_BYTES].view(np.int8).astype(np.float64) * scales(packed)[:, None].astype(np.float64)
    np.testing.assert_array_equal(full, exact, "no rounding")


def test_halves_of_a_step_go_to_the_even_byte() -> None:
    row = np.array([[127, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5]], dtype=np.float32)
    for module in (vectors_kernel, reference.vectors):
        packed = module.quantise(row)
        assert packed[:, :-SCALE_BYTES].view(np.int8).tolist() == [[127, 0, 2, 2, 0, -2, -2, 126]]
        assert scales(packed) == [1]


def test_every_half_float_there_is_and_what_is_none() -> None:
    """Alone each is its row's greatest, and kept to 17 bits; what is not finite points nowhere."""
    one_each = _EVERY.astype(np.float32).reshape(-1, 1)
    packed = quantise(one_each)
    np.testing.assert_array_equal(packed, reference.vectors.quantise(one_each))
    finite = np.isfinite(_EVERY)
    full = expand(packed, every(packed))[:, 0]
    np.testing.assert_allclose(full[finite], FINITE.astype(np.float32), rtol=2**-17)
    assert not packed[~finite].any()
    beyond = np.array([[1, 65536], [1, np.nextafter(np.float32(65536), np.float32(1e9))]], dtype=np.float32)
    for module in (vectors_kernel, reference.vectors):
        assert scales(module.quantise(beyond)).tolist() == [pytest.approx(65536 / 127, rel=2**-17), 0]
        for number in (np.nan, np.inf, -np.inf, 1e38):
            query = np.array([1, number], dtype=np.float32)
            assert module.cosines(quantise(beyond), every(beyond), query).tolist() == [0, 0]  # type: ignore[arg-type]


@settings(max_examples=200, deadline=None)
@given(stored(), st.integers(0, 2**32))
def test_cosines_equal_the_twin_bit_for_bit(table: tuple[Packed, Rows], seed: int) -> None:
    packed, rows = table
    query = query_for(packed, seed)
    found = cosines(packed, rows, query)
    np.testing.assert_array_equal(found, reference.vectors.cosines(packed, rows, query))
    assert found.dtype == np.float32
    full = expand(packed, rows).astype(np.float64)
    error = np.abs(full).sum(axis=1) * np.abs(query).max(initial=0) * 0.5 / 32767  # half a step of the query each
    spread = np.abs(full) @ np.abs(query.astype(np.float64))
    assert (np.abs(found - full @ query.astype(np.float64)) <= 1.001 * error + 1e-6 * spread + 1e-30).all()


@pytest.mark.parametrize("d", [*SIZES, 3072, 4096, 16_400, _LARGEST])
def test_no_sum_overflows(d: int) -> None:
    """All numbers as large as they come, and bytes of -128, which only a damaged file has."""
    packed = np.zeros((3, d + SCALE_BYTES), dtype=np.uint8)
    packed[:, :d] = np.array([[127], [-127], [-128]], dtype=np.int8).view(np.uint8)
    packed[:, d:] = np.ones(1, dtype=np.float32).view(np.uint8)
    for sign in (1, -1):
        query = np.full(d, sign, dtype=np.float32)
        found = cosines(packed, every(packed), query)
        np.testing.assert_array_equal(found, reference.vectors.cosines(packed, every(packed), query))
        np.testing.assert_allclose(found, sign * d * np.array([127, -127, -128]), rtol=1e-6)


@settings(max_examples=150, deadline=None)
@given(stored(), st.integers(0, 2**32), st.integers(0, 14))
def test_the_nearest_equal_the_twin_bit_for_bit(table: tuple[Packed, Rows], seed: int, k: int) -> None:
    packed, rows = table
    query = query_for(packed, seed)
    found, products = nearest(packed, rows, query, k)
    twin_rows, twin_products = reference.vectors.nearest(packed, rows, query, k)
    np.testing.assert_array_equal(found, twin_rows)
    np.testing.assert_array_equal(products, twin_products)
    assert found.dtype == np.int32
    assert products.dtype == np.float32
    assert (scales(packed)[found] > 0).all(), "what has no vector is not found"


@settings(max_examples=150, deadline=None)
@given(st.data(), st.integers(0, 45))
def test_the_nearest_go_by_row_among_equals(data: st.DataObject, k: int) -> None:
    """Small whole numbers: most products are shared, and those without a vector are left out."""
    numbers = st.integers(-1, 1)
    given_ = np.array(data.draw(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=40)), dtype=np.float32)
    query = np.array(data.draw(st.tuples(numbers, numbers)), dtype=np.float32)
    rows = np.array(data.draw(st.permutations(range(len(given_)))), dtype=np.int32)[: data.draw(st.integers(0, 40))]
    products = (given_ @ query).tolist()
    wanted = sorted((row for row in rows.tolist() if products[row]), key=lambda row: (-products[row], row))[:k]
    for one in (nearest, reference.vectors.nearest):
        found, scores = one(quantise(given_), rows, query, k)
        assert found.tolist() == wanted
        assert scores.tolist() == pytest.approx([products[row] for row in wanted], rel=1e-5)


@settings(max_examples=80, deadline=None)
@given(stored())
def test_vectors_in_full_equal_the_twin_bit_for_bit(table: tuple[Packed, Rows]) -> None:
    packed, rows = table
    found = expand(packed, rows)
    np.testing.assert_array_equal(found, reference.vectors.expand(packed, rows))
    assert found.shape == (len(rows), packed.shape[1] - SCALE_BYTES)


def test_the_portable_product_is_the_processors_own(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    source, library = tmp_path / "products.c", tmp_path / "products.so"
    source.write_text(
        f'#include "{PRODUCTS_H}"\n'
        "int64_t portable(const int8_t *b, const int16_t *w, long n) { return bytes_dot_portable(b, w, n); }\n"
        "int64_t chosen(const int8_t *b, const int16_t *w, long n) { return bytes_dot_of_this_machine()(b, w, n); }\n"
    )
    flags = ["-std=gnu17", "-O3", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, "-o", library, source], check=True)
    loaded = ctypes.CDLL(str(library))
    rng = np.random.default_rng(7)
    for d in (0, *SIZES, 31, 32, 100, 1025, 5000):
        numbers = rng.integers(-128, 128, d, dtype=np.int8)
        wholes = rng.integers(-32767, 32768, d, dtype=np.int16)
        for left, right in ((numbers, wholes), (np.full_like(numbers, -128), np.full_like(wholes, -32767))):
            found = []
            for name in ("portable", "chosen"):
                function = loaded[name]
                function.restype = ctypes.c_int64
                given_ = (left.ctypes.data_as(ctypes.c_void_p), right.ctypes.data_as(ctypes.c_void_p))
                found.append(function(*given_, ctypes.c_long(d)))
            wanted = int(left.astype(np.int64) @ right.astype(np.int64))
            assert found == [wanted, wanted]


def test_no_rows_give_nothing() -> None:
    none, query = np.empty(0, dtype=np.int32), np.ones(3, dtype=np.float32)
    for packed in (np.ones((2, 7), dtype=np.uint8), np.empty((0, 7), dtype=np.uint8)):
        for module in (vectors_kernel, reference.vectors):
            assert module.cosines(packed, none, query).shape == (0,)
            assert module.expand(packed, none).shape == (0, 3)
            assert [len(part) for part in module.nearest(packed, none, query, 5)] == [0, 0]
            assert module.quantise(np.empty((0, 3), dtype=np.float32)).shape == (0, 7)


def test_what_does_not_fit_is_refused_by_both() -> None:
    rows, query = np.arange(2, dtype=np.int32), np.ones(3, dtype=np.float32)
    packed, nothing = quantise(np.ones((2, 3), dtype=np.float32)), np.empty(0, dtype=np.float32)
    for module in (vectors_kernel, reference.vectors):
        for one in (module.cosines, lambda *given, module=module: module.nearest(*given, 1)):
            for size in (0, 2, 4):
                with pytest.raises(ValueError, match=f"query has {size} numbers, vectors have 3"):
                    one(packed, rows, np.ones(size, dtype=np.float32))
            for width in (0, 3, 4):
                with pytest.raises(ValueError, match="vectors must have at least one number"):
                    one(np.ones((2, width), dtype=np.uint8), rows, nothing)
        for width in (0, 3, 4):
            with pytest.raises(ValueError, match="vectors must have at least one number"):
                module.expand(np.ones((2, width), dtype=np.uint8), rows)
        with pytest.raises(ValueError, match="vectors must have at least one number"):
            module.quantise(np.ones((2, 0), dtype=np.float32))
        for one in (module.expand, lambda *given, one=module.cosines: one(*given, query)):
            for outside in (-1, 2, 2**31 - 1, -(2**31)):
                with pytest.raises(IndexError, match=rf"rows\[1\] is {outside}, not in 0..1"):
                    one(packed, np.array([0, outside], dtype=np.int32))
        with pytest.raises(ValueError, match="k must be ≥ 0, got -1"):
            module.nearest(packed, rows, query, -1)


@pytest.mark.parametrize("k", [0, 1, 300, 4_096, 5_000, 9_000, 10_000])
def test_of_many_thousands_the_nearest_equal_the_twin(k: int) -> None:
    """More than are put in order before the best are found, rows past 65,535, products on both sides of 0."""
    random = np.random.default_rng(k)
    packed = quantise(random.standard_normal((70_000, 5)).astype(np.float32))
    rows = np.sort(random.permutation(70_000)[:9_000]).astype(np.int32)
    query = random.standard_normal(5).astype(np.float32)
    for mine, theirs in zip(
        nearest(packed, rows, query, k), reference.vectors.nearest(packed, rows, query, k), strict=True
    ):
        np.testing.assert_array_equal(mine, theirs)
