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
from brain_core.kernels.vectors import cosines, expand, read, write

Halves = NDArray[np.float16]
Rows = NDArray[np.int64]

HALF_H = Path(diversify.__file__).with_name("half.h")
_EVERY = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
FINITE: Halves = _EVERY[np.isfinite(_EVERY)]
"""Every half float there is, subnormal ones and both zeros too."""


def addresses(vectors: Halves, rows: Rows) -> Rows:
    """Return where rows of a table stand."""
    return rows * vectors.strides[0] + np.int64(vectors.ctypes.data)


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
    vectors = values[np.random.default_rng(seed).integers(0, len(values), (n, d))]
    rows = draw(st.lists(st.integers(0, n - 1), max_size=12))
    return vectors, np.array(rows, dtype=np.int64)


def query_for(vectors: Halves, seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal((vectors.shape[1],), dtype=np.float32)


@settings(max_examples=150, deadline=None)
@given(stored(), st.integers(0, 2**32))
def test_cosines_equal_the_twin_bit_for_bit(table: tuple[Halves, Rows], seed: int) -> None:
    vectors, rows = table
    query = query_for(vectors, seed)
    found = cosines(addresses(vectors, rows), query)
    np.testing.assert_array_equal(found, reference.cosines(vectors, rows, query))
    assert found.dtype == np.float32
    exact = vectors[rows].astype(np.float64) @ query.astype(np.float64)
    spread = np.abs(vectors[rows].astype(np.float64)) @ np.abs(query.astype(np.float64))
    assert (np.abs(found - exact) <= 1e-5 * spread).all()


@settings(max_examples=80, deadline=None)
@given(stored())
def test_what_is_read_equals_the_twin_bit_for_bit(table: tuple[Halves, Rows]) -> None:
    vectors, rows = table
    at, d = addresses(vectors, rows), vectors.shape[1]
    np.testing.assert_array_equal(expand(at, d), reference.expand(vectors, rows))
    np.testing.assert_array_equal(read(at, d), reference.read(vectors, rows))
    assert expand(at, d).shape == read(at, d).shape == (len(rows), d)


@settings(max_examples=80, deadline=None)
@given(stored(), st.integers(0, 2**32))
def test_what_is_written_equals_the_twin_bit_for_bit(table: tuple[Halves, Rows], seed: int) -> None:
    vectors, rows = table
    twin = vectors.copy()
    halves = np.random.default_rng(seed).choice(FINITE, (len(rows), vectors.shape[1])).view(np.uint16)
    write(addresses(vectors, rows), halves)
    reference.write(twin, rows, halves)
    np.testing.assert_array_equal(vectors.view(np.uint16), twin.view(np.uint16))


def test_every_finite_half_is_expanded_exactly() -> None:
    assert len(FINITE) == 2 * 31 * 1024
    vectors = FINITE.reshape(-1, 1)
    got = expand(addresses(vectors, np.arange(len(FINITE))), 1)[:, 0]
    np.testing.assert_array_equal(got.view(np.uint32), FINITE.astype(np.float32).view(np.uint32), "bits, -0 too")


@pytest.mark.parametrize("d", [1, 16])
def test_every_finite_half_is_multiplied_exactly(d: int) -> None:
    """The last few columns go the portable way, each whole sixteen the processor's own."""
    vectors = np.zeros((len(FINITE), d), dtype=np.float16)
    vectors[:, 0] = FINITE
    query = np.zeros(d, dtype=np.float32)
    for factor in (1.0, -0.3):
        query[0] = factor
        got = cosines(addresses(vectors, np.arange(len(FINITE))), query)
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
    found = cosines(addresses(vectors, np.arange(1)), query)
    assert found.tolist() == [large + kept]
    assert reference.cosines(vectors, np.arange(1), query).tolist() == [large + kept]


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
        wanted = reference.cosines(left[None, :], np.zeros(1, dtype=np.int64), right)[0] if d else 0.0
        assert pair == [wanted, wanted]


def test_no_rows_give_nothing() -> None:
    none = np.empty(0, dtype=np.int64)
    assert cosines(none, np.ones(3, dtype=np.float32)).shape == (0,)
    assert expand(none, 3).shape == read(none, 3).shape == (0, 3)
    write(none, np.empty((0, 3), dtype=np.uint16))


def test_what_does_not_fit_is_refused_by_both() -> None:
    vectors, rows = np.ones((2, 3), dtype=np.float16), np.arange(2)
    at, flat = addresses(vectors, rows), np.ones((2, 0), dtype=np.float16)
    with pytest.raises(ValueError, match="query must have at least one number"):
        cosines(at, np.empty(0, dtype=np.float32))
    with pytest.raises(ValueError, match="query must have at least one number"):
        reference.cosines(flat, rows, np.empty(0, dtype=np.float32))
    for kernel, twin in ((expand, reference.expand), (read, reference.read)):
        for d in (0, -1):
            with pytest.raises(ValueError, match=f"d must be ≥ 1, got {d}"):
                kernel(at, d)
        with pytest.raises(ValueError, match="d must be ≥ 1, got 0"):
            twin(flat, rows)
    one = np.ones((1, 3), dtype=np.uint16)
    with pytest.raises(ValueError, match="addresses has 2 entries but halves has 1"):
        write(at, one)
    with pytest.raises(ValueError, match="addresses has 2 entries but halves has 1"):
        reference.write(vectors, rows, one)
