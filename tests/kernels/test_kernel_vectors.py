"""Products of stored half floats against their twins, and against NumPy for every half there is."""

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
from brain_core.kernels.vectors import cosines, expand, nearest

Halves = NDArray[np.uint16]
Rows = NDArray[np.int32]

HALF_H = Path(diversify.__file__).with_name("half.h")
_EVERY = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
FINITE: NDArray[np.float16] = _EVERY[np.isfinite(_EVERY)]
"""Every half float there is, subnormal ones and both zeros too."""


@st.composite
def stored(draw: st.DrawFn) -> tuple[Halves, Rows]:
    """Draw a table of any finite halves, of few or of many columns, and some of its rows."""
    d = draw(st.one_of(st.integers(1, 50), st.sampled_from([96, 128, 384])))
    n = draw(st.integers(1, 8))
    seed = draw(st.integers(0, 2**32))
    kinds = {
        "any": FINITE,
        "tiny": FINITE[np.abs(FINITE) < np.float16(2e-4)],
        "usual": FINITE[np.abs(FINITE) <= np.float16(1)],
    }
    values = kinds[draw(st.sampled_from(sorted(kinds)))]
    vectors = values[np.random.default_rng(seed).integers(0, len(values), (n, d))].view(np.uint16)
    rows = np.array(draw(st.lists(st.integers(0, n - 1), max_size=12)), dtype=np.int32)
    for one in (vectors, rows):  # arrays of a snapshot may not be written to
        one.setflags(write=False)
    return vectors, rows


def query_for(vectors: Halves, seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal((vectors.shape[1],), dtype=np.float32)


def full(vectors: Halves) -> NDArray[np.float64]:
    return vectors.view(np.float16).astype(np.float64)


@settings(max_examples=150, deadline=None)
@given(stored(), st.integers(0, 2**32))
def test_cosines_equal_the_twin_bit_for_bit(table: tuple[Halves, Rows], seed: int) -> None:
    vectors, rows = table
    query = query_for(vectors, seed)
    found = cosines(vectors, rows, query)
    np.testing.assert_array_equal(found, reference.cosines(vectors, rows, query))
    assert found.dtype == np.float32
    exact = full(vectors)[rows] @ query.astype(np.float64)
    spread = np.abs(full(vectors)[rows]) @ np.abs(query.astype(np.float64))
    assert (np.abs(found - exact) <= 1e-5 * spread).all()


@settings(max_examples=150, deadline=None)
@given(stored(), st.integers(0, 2**32), st.integers(0, 14))
def test_the_nearest_equal_the_twin_bit_for_bit(table: tuple[Halves, Rows], seed: int, k: int) -> None:
    vectors, rows = table
    query = query_for(vectors, seed)
    found, products = nearest(vectors, rows, query, k)
    twin_rows, twin_products = reference.nearest(vectors, rows, query, k)
    np.testing.assert_array_equal(found, twin_rows)
    np.testing.assert_array_equal(products, twin_products)
    assert found.dtype == np.int32
    assert products.dtype == np.float32


@settings(max_examples=150, deadline=None)
@given(st.data(), st.integers(0, 45))
def test_the_nearest_go_by_row_among_equals(data: st.DataObject, k: int) -> None:
    """Small whole numbers: every product is exact, most are shared, and those without a vector are left out."""
    numbers = st.integers(-1, 1)
    vectors = np.array(data.draw(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=40)), dtype=np.float16)
    query = np.array(data.draw(st.tuples(numbers, numbers)), dtype=np.float32)
    rows = np.array(data.draw(st.permutations(range(len(vectors)))), dtype=np.int32)[: data.draw(st.integers(0, 40))]
    products = (vectors.astype(np.float32) @ query).tolist()
    wanted = sorted((row for row in rows.tolist() if products[row]), key=lambda row: (-products[row], row))[:k]
    for one in (nearest, reference.nearest):
        found, scores = one(vectors.view(np.uint16), rows, query, k)
        assert found.tolist() == wanted
        assert scores.tolist() == [products[row] for row in wanted]


@settings(max_examples=80, deadline=None)
@given(stored())
def test_vectors_in_full_equal_the_twin_bit_for_bit(table: tuple[Halves, Rows]) -> None:
    vectors, rows = table
    found = expand(vectors, rows)
    np.testing.assert_array_equal(found, reference.expand(vectors, rows))
    assert found.shape == (len(rows), vectors.shape[1])


def test_every_finite_half_is_expanded_exactly() -> None:
    assert len(FINITE) == 2 * 31 * 1024
    got = expand(FINITE.reshape(-1, 1).view(np.uint16), np.arange(len(FINITE), dtype=np.int32))[:, 0]
    np.testing.assert_array_equal(got.view(np.uint32), FINITE.astype(np.float32).view(np.uint32), "bits, -0 too")


@pytest.mark.parametrize("d", [1, 16])
def test_every_finite_half_is_multiplied_exactly(d: int) -> None:
    """The last few columns go the portable way, each whole sixteen the processor's own."""
    vectors = np.zeros((len(FINITE), d), dtype=np.float16)
    vectors[:, 0] = FINITE
    query = np.zeros(d, dtype=np.float32)
    for factor in (1.0, -0.3):
        query[0] = factor
        got = cosines(vectors.view(np.uint16), np.arange(len(FINITE), dtype=np.int32), query)
        np.testing.assert_array_equal(got, FINITE.astype(np.float32) * np.float32(factor))


@pytest.mark.parametrize(
    ("columns", "kept"),
    [
        ([1, 17], 2.0),  # one lane: they meet each other first
        ([16, 1], 0.0),  # the first meets the large one in its lane, the second that one's sum
        ([4, 12], 2.0),  # lane 12 is added to lane 4 before lane 4 to lane 0
        ([8, 4], 0.0),
    ],
)
def test_a_large_number_swallows_what_meets_it_one_by_one(columns: list[int], kept: float) -> None:
    large = np.float32(2**24)
    vectors, query = np.zeros((1, 32), dtype=np.float16), np.ones(32, dtype=np.float32)
    query[0] = large
    vectors[0, [0, *columns]] = 1
    for one in (cosines, reference.cosines):
        assert one(vectors.view(np.uint16), np.zeros(1, dtype=np.int32), query).tolist() == [large + kept]


def test_the_portable_product_is_the_processors_own(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    source, library = tmp_path / "half.c", tmp_path / "half.so"
    source.write_text(
        f'#include "{HALF_H}"\n'
        "float portable(const uint16_t *l, const float *r, long n) { return half_dot_portable(l, r, n); }\n"
        "float chosen(const uint16_t *l, const float *r, long n) { return half_dot_of_this_machine()(l, r, n); }\n"
    )
    flags = ["-std=gnu17", "-O3", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, "-o", library, source], check=True)
    loaded = ctypes.CDLL(str(library))
    rng = np.random.default_rng(7)
    for d in (0, 1, 15, 16, 17, 31, 32, 100, 384):
        left, right = rng.choice(FINITE, d), rng.standard_normal(d, dtype=np.float32)
        pair = []
        for name in ("portable", "chosen"):
            function = loaded[name]
            function.restype = ctypes.c_float
            pair.append(function(left.ctypes.data_as(ctypes.c_void_p), right.ctypes.data_as(ctypes.c_void_p), d))
        one = left.view(np.uint16)[None, :]
        wanted = reference.cosines(one, np.zeros(1, dtype=np.int32), right)[0] if d else 0.0
        assert pair == [wanted, wanted]


def test_no_rows_give_nothing() -> None:
    none, query = np.empty(0, dtype=np.int32), np.ones(3, dtype=np.float32)
    for vectors in (np.ones((2, 3), dtype=np.uint16), np.empty((0, 3), dtype=np.uint16)):
        for module in (vectors_kernel, reference):
            assert module.cosines(vectors, none, query).shape == (0,)
            assert module.expand(vectors, none).shape == (0, 3)
            assert [len(part) for part in module.nearest(vectors, none, query, 5)] == [0, 0]


def test_what_does_not_fit_is_refused_by_both() -> None:
    vectors, rows, query = np.ones((2, 3), dtype=np.uint16), np.arange(2, dtype=np.int32), np.ones(3, dtype=np.float32)
    flat, nothing = np.ones((2, 0), dtype=np.uint16), np.empty(0, dtype=np.float32)
    for module in (vectors_kernel, reference):
        for one in (module.cosines, lambda *given, module=module: module.nearest(*given, 1)):
            with pytest.raises(ValueError, match="vectors must have at least one number"):
                one(flat, rows, nothing)
            for size in (0, 2, 4):
                with pytest.raises(ValueError, match=f"query has {size} numbers, vectors have 3"):
                    one(vectors, rows, np.ones(size, dtype=np.float32))
        for one in (module.expand, lambda *given, one=module.cosines: one(*given, query)):
            for outside in (-1, 2, 2**31 - 1, -(2**31)):
                with pytest.raises(IndexError, match=rf"rows\[1\] is {outside}, not in 0..1"):
                    one(vectors, np.array([0, outside], dtype=np.int32))
        with pytest.raises(ValueError, match="k must be ≥ 0, got -1"):
            module.nearest(vectors, rows, query, -1)
