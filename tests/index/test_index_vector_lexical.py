"""Vector and lexical index: exact, filtered inside the search, visible at once, and the same after dump and load."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.index.lexical import LexicalIndex
from brain_core.index.vector import VectorIndex
from brain_core.kernels.bm25 import top_k

_DIMENSION = 16


def unit(rows: int, seed: int = 1) -> NDArray[np.float16]:
    vectors = np.random.default_rng(seed).normal(size=(rows, _DIMENSION))
    scaled: NDArray[np.float16] = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16)
    return scaled


def filled(vectors: NDArray[np.float16]) -> VectorIndex:
    index = VectorIndex(vectors.shape[1])
    index.add(vectors)
    return index


def test_a_search_under_a_mask_finds_all_of_one_percent() -> None:
    vectors = unit(3000)
    index = filled(vectors)
    rng = np.random.default_rng(2)
    for _ in range(20):
        allowed = (rng.random(3000) < 0.01).astype(np.uint8)
        query = unit(1, int(rng.integers(1 << 30)))[0].astype(np.float32)
        cosines = vectors.astype(np.float32) @ query
        wanted = np.flatnonzero(allowed)
        rows, scores = index.search(query, 10, allowed)
        np.testing.assert_array_equal(rows, wanted[np.argsort(-cosines[wanted], kind="stable")][:10])
        np.testing.assert_allclose(scores, cosines[rows], atol=1e-5)
        assert set(index.search(query, 3000, allowed)[0].tolist()) == set(wanted.tolist())


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_search_equals_brute_force_with_ties_by_row(data: st.DataObject) -> None:
    # Small whole numbers: every cosine is exact, most are shared.
    rows = data.draw(st.lists(st.lists(st.integers(-1, 1), min_size=3, max_size=3), max_size=40))
    vectors = np.array(rows, dtype=np.float16).reshape(len(rows), 3)
    query = np.array(data.draw(st.lists(st.integers(-1, 1), min_size=3, max_size=3)), dtype=np.float32)
    k = data.draw(st.integers(0, 45))
    bits = data.draw(st.one_of(st.none(), st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    allowed = None if bits is None else np.array(bits, dtype=np.uint8)
    found, scores = filled(vectors).search(query, k, allowed)
    cosines = (vectors.astype(np.float32) @ query).tolist()
    wanted = [row for row in range(len(rows)) if bits is None or bits[row]]
    expected = sorted(wanted, key=lambda row: (-cosines[row], row))[:k]
    assert found.tolist() == expected
    assert scores.tolist() == [cosines[row] for row in expected]


def test_vectors_are_visible_at_once_and_come_back() -> None:
    index = VectorIndex(_DIMENSION)
    assert len(index.search(unit(1)[0].astype(np.float32), 5, None)[0]) == 0
    vectors = unit(100)
    for row in range(100):
        index.add(vectors[row : row + 1])
        assert index.search(vectors[row].astype(np.float32), 1, None)[0].tolist() == [row]
    np.testing.assert_array_equal(index.dump(), vectors)
    np.testing.assert_array_equal(index.vectors(np.array([7, 3], dtype=np.int32)), vectors[[7, 3]].astype(np.float32))
    again = filled(index.dump())
    query = unit(1, 9)[0].astype(np.float32)
    for mine, theirs in zip(again.search(query, 20, None), index.search(query, 20, None), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert (len(again), again.nbytes) == (100, index.nbytes)


def test_an_empty_vector_index_dumps_empty() -> None:
    assert VectorIndex(4).dump().shape == (0, 4)
    assert VectorIndex(4).vectors(np.empty(0, dtype=np.int32)).shape == (0, 4)


TEXTS = ["the cat sat on the mat", "a dog and a cat", "我喜欢喝咖啡", "dogs bark", "", "parse_config_file reads it"]


def lexical(texts: list[str]) -> LexicalIndex:
    index = LexicalIndex()
    for text in texts:
        index.add(text)
    return index


def ranked(index: LexicalIndex, query: str, allowed: NDArray[np.uint8] | None = None) -> list[int]:
    everything = np.ones(len(index), dtype=np.uint8)
    rows = top_k(index.score(query, 0.9, 0.4), everything if allowed is None else allowed, len(index))
    return [int(row) for row in rows]


def test_words_find_their_texts() -> None:
    index = lexical(TEXTS)
    assert ranked(index, "cats") == [1, 0], "the shorter text first"
    assert ranked(index, "dog") == [1, 3], "the lower row among equals"
    assert ranked(index, "咖啡") == [2]
    assert ranked(index, "config") == [5]
    assert ranked(index, "unicorn") == []
    assert ranked(index, "") == []
    np.testing.assert_array_equal(index.score("cat cat cat", 0.9, 0.4), index.score("cat", 0.9, 0.4))


def test_a_text_is_visible_at_once() -> None:
    index = LexicalIndex()
    for row in range(50):
        index.add(f"word{row} common")
        assert ranked(index, f"word{row}") == [row]
    assert len(ranked(index, "common")) == 50


def test_words_under_a_mask_find_all_of_one_percent() -> None:
    index = lexical([f"common word{row % 7}" for row in range(2000)])
    allowed = (np.random.default_rng(3).random(2000) < 0.01).astype(np.uint8)
    assert sorted(ranked(index, "common", allowed)) == np.flatnonzero(allowed).tolist()


def test_dump_and_load_score_alike() -> None:
    index = lexical(TEXTS)
    again = LexicalIndex.load(*index.dump())
    for query in ("cat", "dog 咖啡", "parse_config_file", "unicorn"):
        np.testing.assert_array_equal(again.score(query, 0.9, 0.4), index.score(query, 0.9, 0.4))
    for one in (again, index):
        one.add("a new cat")
    np.testing.assert_array_equal(again.score("new cat", 0.9, 0.4), index.score("new cat", 0.9, 0.4))
    assert (len(again), again.nbytes) == (len(index), index.nbytes)


def test_a_vocabulary_that_is_too_short_is_refused() -> None:
    vocabulary, offsets, terms, counts = lexical(TEXTS).dump()
    with pytest.raises(ValueError, match="not in the vocabulary of"):
        LexicalIndex.load(vocabulary[:-1], offsets, terms, counts)
