"""Many vectors stand in clusters: as good as all are looked at, and nothing is lost while clusters are made."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import faiss
import numpy as np
import pytest
from numpy.typing import NDArray

from brain_core.index import vector
from brain_core.index.memory_index import MemoryIndex
from brain_core.index.vector import VectorIndex
from tests.building import embedder

Vectors = NDArray[np.float16]
Rows = NDArray[np.int32]

_DATA = Path(__file__).parents[3] / "shared" / "data"
_FROM = 1_000
_QUERIES = 150
_DIMENSION = 24


def made(vectors: Vectors, *batches: int, clustered_from: int = _FROM) -> VectorIndex:
    """Add vectors in batches of the sizes given, the last as often as it takes, and wait for clusters."""
    index = VectorIndex(vectors.shape[1], clustered_from)
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
    scaled: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16)
    return scaled


def search(index: VectorIndex, query: NDArray[np.float16], k: int, allowed: NDArray[np.uint8] | None = None) -> Rows:
    mask = np.ones(len(index), dtype=np.uint8) if allowed is None else allowed
    return index.search(query.astype(np.float32), k, mask, int(mask.sum()))[0]


def same_answers(left: VectorIndex, right: VectorIndex) -> None:
    """Demand equal rows and equal bits of cosines."""
    assert (len(left), left.clusters) == (len(right), right.clusters)
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
def real() -> tuple[Vectors, Vectors]:
    """Give vectors of what people said, in two languages, and of other things they said, to look for."""
    texts: list[str] = []
    for name in ("memorybank_en/conversations.jsonl", "memorybank_cn/conversations.jsonl"):
        if not (_DATA / name).exists():
            pytest.skip(f"{_DATA / name} is absent")
        texts += _said((_DATA / name).read_text(encoding="utf-8").splitlines())
    with gzip.open(_DATA / "realmem/conversations.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts += islice((text for text in _said(lines) if len(text) < 300), 1_500)
    order = np.random.default_rng(1).permutation(len(texts))
    vectors = embedder().embed([texts[place] for place in order]).astype(np.float16)
    return vectors[_QUERIES:], vectors[:_QUERIES]


def _said(lines: Iterator[str] | list[str]) -> Iterator[str]:
    for line in lines:
        for session in json.loads(line)["sessions"]:
            yield from (turn["text"] for turn in session["turns"])


@pytest.mark.parametrize("share", [1.0, 0.5, 0.1, 0.01])
@pytest.mark.parametrize("few_are_looked_at", [True, False])
def test_nearly_all_of_the_ten_nearest_are_found(
    real: tuple[Vectors, Vectors], share: float, few_are_looked_at: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors, queries = real
    if not few_are_looked_at:  # as among many more rows: only those in near clusters
        monkeypatch.setattr(vector, "_LOOKED_AT", 0)
    index = made(vectors)
    assert index.clusters == 128
    allowed = (np.random.default_rng(3).random(len(vectors)) < share).astype(np.uint8)
    there = np.flatnonzero(allowed)
    hits = 0
    for query in queries:
        cosines = vectors[there].astype(np.float32) @ query.astype(np.float32)
        tenth = np.sort(cosines)[-10]
        found = search(index, query, 10, allowed)
        assert len(found) == 10
        assert allowed[found].all()
        hits += int((vectors[found].astype(np.float32) @ query.astype(np.float32) >= tenth - 1e-6).sum())
    recall = hits / (10 * len(queries))
    assert recall >= (0.98 if share > 0.1 else 1.0), "the fewer are allowed, the more clusters are looked at"


@contextmanager
def builder_held() -> Iterator[None]:
    """Have the making of clusters wait until the end of the block."""
    released = threading.Event()
    vector._builder.submit(released.wait)
    try:
        yield
    finally:
        released.set()


@pytest.mark.parametrize("more", [3, 700])
def test_nothing_is_missed_while_clusters_are_made(more: int) -> None:
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
        np.testing.assert_array_equal(index.dump(), near)
        assert index.clusters == 0, "they are not ready"
    index.settle()
    assert index.clusters == 128
    np.testing.assert_array_equal(index.dump(), near)
    for row in (0, *changed.tolist(), _FROM + more - 2):
        exact = near.astype(np.float32) @ near[row].astype(np.float32)
        assert search(index, near[row], 1).tolist() == [int(np.argmax(exact))]


def test_what_comes_and_changes_after_clusters_is_visible_at_once() -> None:
    vectors = groups(2 * _FROM)
    index = made(vectors[:_FROM])
    for row in range(_FROM, 2 * _FROM):
        index.add(vectors[row : row + 1])
        assert search(index, vectors[row], 1).tolist() == [row]
    rows = np.arange(0, 2 * _FROM, 50, dtype=np.int32)
    near = vectors[rows].copy()
    near[:, 3] += np.float16(0.125)
    index.replace(rows, near)
    np.testing.assert_array_equal(index.vectors(rows), near.astype(np.float32))
    for row, one in zip(rows.tolist(), near, strict=True):
        wanted = np.float32(one.astype(np.float32) @ one.astype(np.float32))
        _, scores = index.search(one.astype(np.float32), 3, np.ones(len(index), dtype=np.uint8), len(index))
        assert row in search(index, one, 3)
        assert scores[0] >= wanted - 1e-5


@pytest.mark.parametrize("batches", [(1,), (7,), (_FROM, 2500), (_FROM - 1, 300), (3_500,)])
def test_rows_that_come_in_other_batches_give_the_same_answers(batches: tuple[int, ...]) -> None:
    vectors = groups(3_500)
    same_answers(made(vectors, *batches), made(vectors, 100))


def test_many_rows_at_once_find_room_in_clusters() -> None:
    vectors = groups(4 * _FROM)
    index = made(vectors[:_FROM])
    index.add(vectors[_FROM:])
    same_answers(index, made(vectors, 100))


def test_clusters_are_made_anew_once_many_vectors_lie_elsewhere() -> None:
    before, after = groups(2 * _FROM), groups(2 * _FROM, seed=2)
    index = made(before)
    rows = np.arange(0, 2 * _FROM, 3, dtype=np.int32)
    with builder_held():
        index.replace(rows[:100], after[rows[:100]])
        assert index.clusters == 128, "a few do not matter"
        for start in range(100, len(rows), 32):
            index.replace(rows[start : start + 32], after[rows[start : start + 32]])
        assert index.clusters == 0, "all are scanned until new clusters are there"
        assert all(search(index, after[row], 1).tolist() == [row] for row in rows.tolist())
    index.settle()
    changed = before.copy()
    changed[rows] = after[rows]
    assert index.clusters == 128
    np.testing.assert_array_equal(index.dump(), changed)
    assert np.mean([search(index, changed[row], 1)[0] == row for row in range(len(changed))]) > 0.99


def test_clusters_grow_with_the_rows_and_depend_on_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "CLUSTERED_FROM", 300)
    monkeypatch.setattr(vector, "_CLUSTERS", 8)
    vectors = groups(6_000)
    for rows, clusters in ((299, 0), (300, 8), (1_199, 8), (1_200, 16), (4_799, 16), (4_800, 32), (6_000, 32)):
        whole = made(vectors[:rows], clustered_from=300)
        assert whole.clusters == clusters
        if rows in (1_200, 6_000):
            same_answers(whole, made(vectors[:rows], 300, 97, clustered_from=300))


def test_copies_go_by_row_in_clusters_too() -> None:
    vectors = groups(40)[np.random.default_rng(2).integers(0, 40, _FROM)]
    index = made(vectors)
    assert index.clusters
    for row in range(0, _FROM, 29):
        copies = np.flatnonzero((vectors == vectors[row]).all(axis=1))
        for k in (1, len(copies) // 2, len(copies)):
            np.testing.assert_array_equal(search(index, vectors[row], k), copies[:k])


def test_a_round_trip_keeps_clusters_and_answers() -> None:
    vectors = groups(2 * _FROM)
    index = made(vectors[:-500])
    again = VectorIndex.from_bytes(index.to_bytes(), _DIMENSION)
    assert again.clusters == 128
    np.testing.assert_array_equal(again.dump(), index.dump())
    same_answers(again, index)
    for one in (again, index):
        one.add(vectors[-500:])
        one.replace(np.array([3], dtype=np.int32), vectors[:1])
    same_answers(again, index)


@pytest.mark.parametrize("rows", [0, 100, _FROM])
def test_bytes_that_are_cut_or_foreign_are_refused(rows: int) -> None:
    packed = made(groups(rows)).to_bytes()
    for size in {0, 1, 3, 4, 20, 33, len(packed) // 2, len(packed) - 1}:
        with pytest.raises(ValueError, match="FAISS cannot read it"):
            VectorIndex.from_bytes(packed[:size].copy(), _DIMENSION)
    with pytest.raises(ValueError, match=f"vectors have dimension {_DIMENSION}, not 7"):
        VectorIndex.from_bytes(packed, 7)
    with pytest.raises(ValueError, match="FAISS cannot read it"):
        VectorIndex.from_bytes(np.frombuffer(b"garbage" * 50, dtype=np.uint8), _DIMENSION)
    with pytest.raises(ValueError, match="IndexFlat"):
        VectorIndex.from_bytes(faiss.serialize_index(faiss.IndexFlatIP(_DIMENSION)), _DIMENSION)


def test_memory_is_counted() -> None:
    vectors = groups(_FROM)
    flat, clustered = made(vectors[:-1]), made(vectors)
    assert (flat.clusters, flat.nbytes) == (0, (_FROM - 1) * _DIMENSION * 2)
    assert clustered.nbytes > _FROM * (_DIMENSION * 2 + 8 + 8) + clustered.clusters * _DIMENSION * 4
    assert clustered.nbytes < 2 * len(clustered.to_bytes())
    empty = MemoryIndex(_DIMENSION).nbytes
    assert MemoryIndex(_DIMENSION, vectors=clustered).nbytes == empty + clustered.nbytes
