"""Rows that are worth a look by their codes, against the twin, FAISS and what codes name when it is written out."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import faiss
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels import scan as scan_kernel
from brain_core.kernels.scan import near

Codes = NDArray[np.uint8]
Floats = NDArray[np.float32]

_SCAN_H = Path(scan_kernel.__file__).with_name("scan.h")


@st.composite
def scans(draw: st.DrawFn) -> tuple[Codes, Floats, Floats, Codes, int]:
    """Draw codes, centroids, a query, what is allowed, and how many are wanted."""
    parts, numbers, n = draw(st.integers(1, 9)), draw(st.integers(1, 5)), draw(st.integers(0, 200))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    blocks = draw(st.integers(0, -(-n // 32)))
    codes = rng.integers(0, 256, blocks * 32 * -(-parts // 2), dtype=np.uint8)
    centroids = rng.standard_normal((parts, numbers, 16), dtype=np.float32)
    query = rng.standard_normal(parts * numbers, dtype=np.float32)
    if draw(st.booleans()):  # many sums are shared
        centroids, query = np.rint(centroids), np.rint(query)
    allowed = (rng.random(n) < draw(st.sampled_from([0.0, 0.1, 0.5, 1.0]))).astype(np.uint8)
    for one in (codes, centroids, query, allowed):
        one.setflags(write=False)
    return codes, centroids, query, allowed, draw(st.integers(0, 220))


@settings(max_examples=300, deadline=None)
@given(scans())
def test_the_same_rows_as_the_twins(given_: tuple[Codes, Floats, Floats, Codes, int]) -> None:
    found = near(*given_)
    np.testing.assert_array_equal(found, reference.scan.near(*given_))
    assert found.dtype == np.int32
    codes, centroids, _, allowed, wanted = given_
    assert allowed[found].all()
    assert len(found) >= min(wanted, int(allowed.sum())) or wanted == 0
    coded = len(codes) // -(-len(centroids) // 2)
    assert set(found.tolist()) >= set((coded + np.flatnonzero(allowed[coded:])).tolist()), "what has no code is there"


@pytest.mark.parametrize("parts", [1, 2, 3, 96, 257, 1_024])
@pytest.mark.parametrize("n", [1, 31, 32, 33, 20_000])
def test_many_parts_and_rows_equal_the_twin_and_overflow_nothing(parts: int, n: int) -> None:
    """With all rows at the greatest sum there is, and with rows that differ."""
    rng = np.random.default_rng(parts + n)
    n = min(n, 4_000_000 // parts)
    centroids = np.abs(rng.standard_normal((parts, 2, 16), dtype=np.float32))
    centroids[:, :, 15], centroids[:, :, 0] = 9, 0
    query, allowed = np.ones(2 * parts, dtype=np.float32), np.ones(n, dtype=np.uint8)
    size = -(-n // 32) * 32 * -(-parts // 2)
    same = np.full(size, 255, dtype=np.uint8)
    assert len(near(same, centroids, query, allowed, 1)) == n, "all that equal the last are there"
    differing = rng.integers(0, 256, size, dtype=np.uint8)
    for wanted in (1, n // 3 + 1, n):
        found = near(differing, centroids, query, allowed, wanted)
        np.testing.assert_array_equal(found, reference.scan.near(differing, centroids, query, allowed, wanted))


@pytest.mark.parametrize(("dimension", "parts"), [(24, 6), (7, 7), (384, 96)])
def test_codes_that_faiss_made_are_read_as_faiss_reads_them(dimension: int, parts: int) -> None:
    """Written out row by row, and by what FAISS finds, which rounds its table a little otherwise."""
    faiss.omp_set_num_threads(1)
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((1_037, dimension), dtype=np.float32)
    index = faiss.IndexPQFastScan(dimension, parts, 4, faiss.METRIC_INNER_PRODUCT)
    index.train(vectors)
    index.add(vectors)
    centroids = faiss.vector_to_array(index.pq.centroids).reshape(parts, 16, -1)
    named = index.pq.compute_codes(vectors)
    each = np.stack([named & 15, named >> 4], axis=-1).reshape(len(vectors), -1)[:, :parts]
    told = centroids[np.arange(parts), each].reshape(len(vectors), dimension)
    codes = faiss.rev_swig_ptr(index.codes.get(), index.codes.size())
    for query in rng.standard_normal((20, dimension), dtype=np.float32):
        found = near(codes, centroids.transpose(0, 2, 1).copy(), query, np.ones(len(vectors), dtype=np.uint8), 100)
        products = told @ query
        step = np.ptp(products) / 100
        assert (products[found] >= np.sort(products)[-100] - step).all()
        assert len(set(found.tolist()) & set(index.search(query[None], 100)[1][0].tolist())) >= 90


def test_the_portable_sums_are_the_processors_own(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    source, library = tmp_path / "scan.cpp", tmp_path / "scan.so"
    source.write_text(
        f'#include "{_SCAN_H}"\n'
        'extern "C" void chosen(const uint8_t *c, long b, long p, const uint8_t *t, uint16_t *s)\n'
        "{ summing_of_this_machine()(c, b, p, t, s); }\n"
        'extern "C" void portable(const uint8_t *c, long b, long p, const uint8_t *t, uint16_t *s)\n'
        "{ sums_portable(c, b, p, t, s); }\n"
    )
    flags = ["-std=gnu++17", "-O3", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, "-o", library, source], check=True)
    loaded = ctypes.CDLL(str(library))
    rng = np.random.default_rng(7)
    for blocks, pairs in ((1, 1), (2, 3), (5, 48), (1, 128)):
        codes = rng.integers(0, 256, blocks * pairs * 32, dtype=np.uint8)
        table = rng.integers(0, 256, pairs * 32, dtype=np.uint8)
        for numbers in (table, np.full_like(table, 255)):
            sums = []
            for name in ("portable", "chosen"):
                found = np.zeros(32 * blocks, dtype=np.uint16)
                at = [ctypes.c_void_p(one.ctypes.data) for one in (codes, numbers, found)]
                loaded[name](at[0], ctypes.c_long(blocks), ctypes.c_long(pairs), at[1], at[2])
                sums.append(found)
            np.testing.assert_array_equal(sums[0], sums[1])
            if numbers is not table:
                assert (sums[0] == pairs * 2 * 255).all()


def test_a_query_to_which_all_are_alike_finds_all() -> None:
    codes, centroids = np.arange(64, dtype=np.uint8), np.ones((3, 2, 16), dtype=np.float32)
    for module in (scan_kernel, reference.scan):
        found = module.near(codes, centroids, np.ones(6, dtype=np.float32), np.ones(20, dtype=np.uint8), 2)
        assert found.tolist() == list(range(20))


def test_what_does_not_fit_is_refused_by_both() -> None:
    codes, centroids = np.zeros(64, dtype=np.uint8), np.ones((3, 2, 16), dtype=np.float32)
    query, allowed = np.ones(6, dtype=np.float32), np.ones(20, dtype=np.uint8)
    for module in (scan_kernel, reference.scan):
        for shape in ((0, 2, 16), (3, 0, 16), (3, 2, 15)):
            with pytest.raises(ValueError, match="centroids must be 16 of at least one number for each part, got"):
                module.near(codes, np.ones(shape, dtype=np.float32), query, allowed, 1)
        with pytest.raises(ValueError, match="query has 5 numbers, centroids have 6"):
            module.near(codes, centroids, query[:5], allowed, 1)
        for size in (63, 128):
            with pytest.raises(ValueError, match=f"20 rows must have 64 bytes for each of up to 1 blocks, got {size}"):
                module.near(np.zeros(size, dtype=np.uint8), centroids, query, allowed, 1)
        with pytest.raises(ValueError, match="wanted must be ≥ 0, got -1"):
            module.near(codes, centroids, query, allowed, -1)
