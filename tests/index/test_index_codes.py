"""Many vectors have codes that say where to look: as good as all are looked at, and nothing is lost meanwhile."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice, pairwise
from pathlib import Path

import faiss
import numpy as np
import pytest
from numpy.typing import NDArray

from brain_core.index import vector
from brain_core.index.codes import BLOCK, Codes
from brain_core.index.memory_index import MemoryIndex
from brain_core.index.vector import CODED_FROM, VectorIndex
from brain_core.kernels.vectors import SCALE_BYTES
from tests.building import embedder, kept

Vectors = NDArray[np.float16]
Rows = NDArray[np.int32]

_DATA = Path(__file__).parents[3] / "shared" / "data"
_FROM = 1_000
_QUERIES = 150
_DIMENSION = 24


def made(vectors: Vectors, *batches: int, coded_from: int = _FROM) -> VectorIndex:
    """Add vectors in batches of the sizes given, the last as often as it takes, and wait for codes."""
    index = VectorIndex(vectors.shape[1], coded_from)
    start = 0
    for size in batches or (len(vectors),):
        index.add(vectors[start : start + size])
        start += size
    while start < len(vectors):
        index.add(vectors[start : start + batches[-1]])
        start += batches[-1]
    index.settle()
    return index


def groups(rows: int, seed: int = 1, dimension: int = _DIMENSION) -> Vectors:
    """Return unit vectors in groups, as texts of one topic lie."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(0).normal(size=(30, dimension))
    vectors = centres[rng.integers(0, 30, rows)] + 0.5 * rng.normal(size=(rows, dimension))
    return unit(vectors)


def unit(vectors: NDArray[np.float64]) -> Vectors:
    scaled: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16)
    return scaled


def stored(index: VectorIndex) -> NDArray[np.float32]:
    return index.vectors(np.arange(len(index), dtype=np.int32))


def search(index: VectorIndex, query: NDArray[np.float16], k: int, allowed: NDArray[np.uint8] | None = None) -> Rows:
    mask = np.ones(len(index), dtype=np.uint8) if allowed is None else allowed
    return index.search(query.astype(np.float32), k, mask, int(mask.sum()))[0]


def same_answers(left: VectorIndex, right: VectorIndex) -> None:
    """Demand equal codes, and equal rows and bits of cosines."""
    assert (len(left), left.coded) == (len(right), right.coded)
    for mine, theirs in zip(left.dump(), right.dump(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    rng = np.random.default_rng(5)
    every = np.ones(len(left), dtype=np.uint8)
    for query in groups(40, seed=9).astype(np.float32):
        some = (rng.random(len(left)) < 0.3).astype(np.uint8)
        for mask in (every, some):
            count = int(mask.sum())
            for mine, theirs in zip(
                left.search(query, 20, mask, count), right.search(query, 20, mask, count), strict=True
            ):
                np.testing.assert_array_equal(mine, theirs)


@pytest.fixture(scope="module")
def real() -> tuple[VectorIndex, NDArray[np.float32], Vectors]:
    """Give an index of what people said, in two languages, and vectors of that and of other things, to look for."""
    texts: list[str] = []
    for name in ("memorybank_en/conversations.jsonl", "memorybank_cn/conversations.jsonl"):
        if not (_DATA / name).exists():
            pytest.skip(f"{_DATA / name} is absent")
        texts += _said((_DATA / name).read_text(encoding="utf-8").splitlines())
    with gzip.open(_DATA / "realmem/conversations.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts += islice((text for text in _said(lines) if len(text) < 300), 3_000)
    order = np.random.default_rng(1).permutation(len(texts))
    vectors = embedder().embed([texts[place] for place in order]).astype(np.float16)
    index = made(vectors[_QUERIES:])
    assert index.coded == in_blocks(len(index)) > CODED_FROM
    return index, vectors[_QUERIES:].astype(np.float32), vectors[:_QUERIES]


def in_blocks(rows: int) -> int:
    """Return how many of so many rows have codes that are scanned."""
    return rows // BLOCK * BLOCK


def _said(lines: Iterator[str] | list[str]) -> Iterator[str]:
    for line in lines:
        for session in json.loads(line)["sessions"]:
            yield from (turn["text"] for turn in session["turns"])


@pytest.mark.parametrize("share", [1.0, 0.5, 0.1, 0.01])
@pytest.mark.parametrize("together", [False, True], ids=["drawn", "in one stretch"])
@pytest.mark.parametrize("sought", ["as is quicker", "by codes"])
def test_nearly_all_of_the_ten_nearest_are_found(
    real: tuple[VectorIndex, NDArray[np.float32], Vectors],
    share: float,
    together: bool,
    sought: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nearest as the vectors are before an index makes bytes of them."""
    index, vectors, queries = real
    if sought == "by codes":  # as among many more rows, of which it would take long to look at all that are allowed
        monkeypatch.setattr(vector, "_FETCHING", 0.01)
        monkeypatch.setattr(vector, "_SCANNING", 0)
    allowed = np.zeros(len(index), dtype=np.uint8)
    some = slice(int(share * len(index))) if together else np.random.default_rng(3).random(len(index)) < share
    allowed[some] = 1
    there = np.flatnonzero(allowed)
    hits = 0
    for query in queries:
        tenth = np.sort(vectors[there] @ query.astype(np.float32))[-10]
        found = search(index, query, 10, allowed)
        assert len(found) == 10
        assert allowed[found].all()
        hits += int((vectors[found] @ query.astype(np.float32) >= tenth - 1e-6).sum())
    assert hits / (10 * len(queries)) >= 0.98


@pytest.mark.parametrize("dimension", [24, 256, 384, 1024])
@pytest.mark.parametrize(("spread", "least"), [(1.0, 0.98), (0.5, 0.96)], ids=["random", "in groups"])
def test_bytes_lose_few_of_the_ten_nearest_and_only_near_ties(spread: float, least: float, dimension: int) -> None:
    """Without codes. A whole group lies about as near as its tenth: harder than texts are."""
    drawn = groups(3_000 + _QUERIES, dimension=dimension)
    if spread == 1:
        drawn = unit(np.random.default_rng(4).normal(size=drawn.shape))
    vectors, queries = drawn[_QUERIES:], drawn[:_QUERIES].astype(np.float32)
    index = made(vectors, coded_from=1 << 30)
    every, hits = np.ones(len(index), dtype=np.uint8), 0
    for query in queries:
        exact = vectors.astype(np.float32) @ query
        tenth = np.sort(exact)[-10]
        rows, cosines = index.search(query, 10, every, len(index))
        hits += int((exact[rows] >= tenth - 1e-6).sum())
        assert (exact[rows] >= tenth - 0.005).all()
        np.testing.assert_allclose(cosines, exact[rows], atol=0.005)
    assert hits / (10 * len(queries)) >= least


@contextmanager
def builder_held() -> Iterator[None]:
    """Have the learning of codes wait until the end of the block."""
    released = threading.Event()
    vector._builder.submit(released.wait)
    try:
        yield
    finally:
        released.set()


@pytest.mark.parametrize("more", [3, 700])
def test_nothing_is_missed_while_codes_are_learned(more: int) -> None:
    vectors = groups(_FROM + more)
    index = VectorIndex(_DIMENSION, _FROM)
    index.add(vectors[: _FROM - 1])
    changed = np.array([5, _FROM + 1, _FROM + more - 1], dtype=np.int32)
    near = vectors.copy()
    near[changed, 0] += np.float16(0.0625)
    with builder_held():
        for row in range(_FROM - 1, _FROM + more):
            index.add(vectors[row : row + 1])
            assert search(index, vectors[row], 1).tolist() == [row], "visible at once"
        index.replace(changed, near[changed])
        np.testing.assert_array_equal(stored(index), kept(near))
        assert index.coded == 0, "they are not ready"
    index.settle()
    assert index.coded == in_blocks(len(index))
    np.testing.assert_array_equal(stored(index), kept(near))
    for row in (0, *changed.tolist(), _FROM + more - 2):
        exact = near.astype(np.float32) @ near[row].astype(np.float32)
        assert search(index, near[row], 1).tolist() == [int(np.argmax(exact))]


def test_codes_that_lag_far_behind_catch_up_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "_CAUGHT_UP", 64)
    vectors = groups(3 * _FROM)
    index = VectorIndex(_DIMENSION, _FROM)
    with builder_held():
        for start in range(0, len(vectors), 500):
            index.add(vectors[start : start + 500])
    index.settle()
    same_answers(index, made(vectors))


def test_what_comes_and_changes_after_codes_is_visible_at_once() -> None:
    vectors = groups(2 * _FROM)
    index = made(vectors[:_FROM])
    for row in range(_FROM, 2 * _FROM):
        index.add(vectors[row : row + 1])
        assert search(index, vectors[row], 1).tolist() == [row]
    assert index.coded == in_blocks(2 * _FROM)
    rows = np.arange(0, 2 * _FROM, 50, dtype=np.int32)
    elsewhere = -vectors[rows]
    index.replace(rows, elsewhere)
    np.testing.assert_array_equal(index.vectors(rows), kept(elsewhere))
    some = np.ones(len(index), dtype=np.uint8)
    for row, one in zip(rows.tolist(), elsewhere, strict=True):
        assert search(index, one, 1).tolist() == [row], "wherever its code says that it lies"
        some[row] = 0
        assert row not in search(index, one, 20, some).tolist()
        some[row] = 1


@pytest.mark.parametrize("batches", [(1,), (7,), (_FROM, 2500), (_FROM - 1, 300), (3_500,)])
def test_rows_that_come_in_other_batches_give_the_same_answers(batches: tuple[int, ...]) -> None:
    vectors = groups(3_500)
    same_answers(made(vectors, *batches), made(vectors, 100))


def test_codes_are_learned_anew_once_many_vectors_lie_elsewhere() -> None:
    before, after = groups(2 * _FROM), groups(2 * _FROM, seed=2)
    index = made(before)
    rows = np.arange(0, 2 * _FROM, 3, dtype=np.int32)
    with builder_held():
        for start in range(0, len(rows), 32):
            index.replace(rows[start : start + 32], after[rows[start : start + 32]])
            assert index.coded == in_blocks(2 * _FROM)
        assert all(search(index, after[row], 1).tolist() == [row] for row in rows.tolist())
        np.testing.assert_array_equal(index.dump()[2], rows)
    index.settle()
    changed = before.copy()
    changed[rows] = after[rows]
    np.testing.assert_array_equal(stored(index), kept(changed))
    assert 0 < len(index.dump()[2]) < len(rows), "only what changed while they were learned is still looked at always"
    assert all(search(index, changed[row], 1).tolist() == [row] for row in range(len(changed)))


def test_codes_are_learned_anew_as_rows_grow_and_depend_on_nothing_else() -> None:
    vectors = groups(6_000)
    books = []
    for rows in (299, 300, 1_199, 1_200, 4_799, 4_800, 6_000):
        whole = made(vectors[:rows], coded_from=300)
        assert whole.coded == (0 if rows < 300 else in_blocks(rows))
        books.append(_codebook(whole))
        if rows in (1_200, 6_000):
            same_answers(whole, made(vectors[:rows], 300, 97, coded_from=300))
    assert [one == other for one, other in pairwise(books)] == [False, True, False, True, False, True]


def _codebook(index: VectorIndex) -> bytes:
    """Return what the codes were learned to be."""
    if index._codes is None:
        return b""
    centroids: NDArray[np.float32] = faiss.vector_to_array(index._codes._index.pq.centroids)
    return centroids.tobytes()


def test_copies_go_by_row_with_codes_too() -> None:
    vectors = groups(40)[np.random.default_rng(2).integers(0, 40, _FROM)]
    index = made(vectors)
    assert index.coded
    for row in range(0, _FROM, 29):
        copies = np.flatnonzero((vectors == vectors[row]).all(axis=1))
        for k in (1, len(copies) // 2, len(copies)):
            np.testing.assert_array_equal(search(index, vectors[row], k), copies[:k])


@pytest.mark.parametrize("dimension", [1, 6, 7, 100])
def test_vectors_of_any_dimension_have_codes(dimension: int) -> None:
    vectors = groups(_FROM, dimension=dimension)
    index = made(vectors)
    assert index.coded == in_blocks(_FROM)
    for query in vectors[:20]:
        exact = vectors.astype(np.float32) @ query.astype(np.float32)
        assert exact[search(index, query, 1)[0]] == pytest.approx(exact.max(), abs=1e-6)


def test_a_round_trip_keeps_codes_and_answers() -> None:
    vectors = groups(2 * _FROM)
    index = made(vectors[:-500])
    index.replace(np.array([9, 700], dtype=np.int32), vectors[-2:])
    again = VectorIndex.load(*index.dump())
    assert again.coded == in_blocks(2 * _FROM - 500)
    same_answers(again, index)
    for one in (again, index):
        one.add(vectors[-500:])
        one.replace(np.array([3], dtype=np.int32), vectors[:1])
    same_answers(again, index)
    assert index.dump()[2].tolist() == [3, 9, 700]


def test_what_was_written_before_codes_were_there_has_them_learned() -> None:
    vectors = groups(CODED_FROM + 1)
    index = VectorIndex(_DIMENSION)
    with builder_held():
        index.add(vectors)
        parts = index.dump()
    assert len(parts[1]) == 0
    again = VectorIndex.load(*parts)
    again.settle()
    index.settle()
    assert again.coded == in_blocks(len(vectors))
    same_answers(again, index)


def test_what_was_written_while_codes_were_learned_anew_has_those_learned_too() -> None:
    vectors = groups(4 * CODED_FROM)
    index = made(vectors[:-1], coded_from=CODED_FROM)
    with builder_held():
        index.add(vectors[-1:])
        again = VectorIndex.load(*index.dump())
        assert (index.coded, again.coded) == (in_blocks(len(vectors)), 0)
        assert search(again, vectors[-1], 1).tolist() == [len(vectors) - 1]
    index.settle()
    again.settle()
    same_answers(again, index)
    assert _codebook(again) == _codebook(made(vectors, coded_from=CODED_FROM))


def test_codes_that_are_cut_or_foreign_are_refused() -> None:
    packed, codes, replaced = made(groups(_FROM)).dump()
    for size in {1, 3, 4, 20, 33, len(codes) // 2, len(codes) - 1}:
        with pytest.raises(ValueError, match="FAISS cannot read it"):
            VectorIndex.load(packed, codes[:size].copy(), replaced)
    with pytest.raises(ValueError, match="FAISS cannot read it"):
        VectorIndex.load(packed, np.frombuffer(b"garbage" * 50, dtype=np.uint8), replaced)
    with pytest.raises(ValueError, match=f"IndexFlatIP of dimension {_DIMENSION}"):
        Codes.from_bytes(faiss.serialize_index(faiss.IndexFlatIP(_DIMENSION)), _DIMENSION)
    with pytest.raises(ValueError, match=f"IndexPQFastScan of dimension {_DIMENSION}, not 7"):
        Codes.from_bytes(codes, 7)
    coded = in_blocks(_FROM)
    for rows in (coded - 1, coded + BLOCK):
        with pytest.raises(ValueError, match=f"{coded} codes of {rows} vectors"):
            VectorIndex.load(np.resize(packed, (rows, packed.shape[1])), codes, replaced)
    for row in (-1, _FROM):
        with pytest.raises(ValueError, match="a replaced row is not there"):
            VectorIndex.load(packed, codes, np.array([0, row], dtype=np.int32))
    for scale in (-1.0, np.nan, np.inf):
        damaged = packed.copy()
        damaged[7, _DIMENSION:] = np.array([scale], dtype=np.float32).view(np.uint8)
        with pytest.raises(ValueError, match="the scale of a vector is negative or not finite"):
            VectorIndex.load(damaged, codes, replaced)


def test_memory_is_counted() -> None:
    vectors = groups(_FROM)
    flat, coded = made(vectors[:-1]), made(vectors)
    assert flat.coded == 0
    row = _DIMENSION + SCALE_BYTES
    assert (_FROM - 1) * row <= flat.nbytes <= 1.13 * _FROM * row, "with room to grow"
    assert coded.nbytes - flat.nbytes >= _FROM * _DIMENSION // 8, "half a byte for every four numbers"
    empty = MemoryIndex(_DIMENSION)
    assert MemoryIndex(_DIMENSION, vectors=coded).nbytes == empty.nbytes - empty.vectors.nbytes + coded.nbytes


def test_adding_in_any_thread_starts_no_others() -> None:
    """Threads of FAISS fight with those of other calls: the slowest of a hundred searches took 200 times as long."""
    index = made(groups(_FROM))
    seen: list[int] = []

    def threads_after_adding() -> None:
        index.add(groups(BLOCK))
        seen.append(faiss.omp_get_max_threads())

    adding = threading.Thread(target=threads_after_adding)
    adding.start()
    adding.join()
    assert seen == [1]
    assert vector._builder.submit(faiss.omp_get_max_threads).result() == 1


@pytest.mark.parametrize("before", [_FROM, _FROM + 8, _FROM + 31])
def test_whether_rows_come_one_by_one_or_together_changes_no_answer(before: int) -> None:
    vectors = groups(_FROM + 150)
    single = made(vectors[:before])
    for row in range(before, len(vectors)):
        single.add(vectors[row : row + 1])
        assert search(single, vectors[row], 1).tolist() == [row]
        again = VectorIndex.load(*single.dump())
        assert again.coded == single.coded == in_blocks(row + 1)
        if row % 8 == 0:
            same_answers(again, single)
            same_answers(made(vectors[: row + 1]), single)
