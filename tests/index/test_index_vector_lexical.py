"""Vector and lexical index: exact, filtered inside the search, visible at once, and the same after dump and load."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.index.lexical import Beside, Formula, LexicalIndex, LexicalScores
from brain_core.index.vector import VectorIndex
from brain_core.kernels.best import top_k
from brain_core.kernels.vectors import SCALE_BYTES
from tests.building import kept

_DIMENSION = 16
_ROUNDED = 2e-5  # of a cosine, as the numbers of the query are


def unit(rows: int, seed: int = 1, dimension: int = _DIMENSION) -> NDArray[np.float16]:
    vectors = np.random.default_rng(seed).normal(size=(rows, dimension))
    scaled: NDArray[np.float16] = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16)
    return scaled


def filled(vectors: NDArray[np.float16]) -> VectorIndex:
    index = VectorIndex(vectors.shape[1])
    index.add(vectors)
    return index


def search(
    index: VectorIndex, query: NDArray[np.float32], k: int, allowed: NDArray[np.uint8] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Search what is allowed, or everything."""
    mask = np.ones(len(index), dtype=np.uint8) if allowed is None else allowed
    return index.search(query, k, mask, int(mask.sum()))


def test_a_search_under_a_mask_finds_all_of_one_percent() -> None:
    vectors = unit(3000)
    index = filled(vectors)
    rng = np.random.default_rng(2)
    for _ in range(20):
        allowed = (rng.random(3000) < 0.01).astype(np.uint8)
        query = unit(1, int(rng.integers(1 << 30)))[0].astype(np.float32)
        cosines = kept(vectors) @ query
        wanted = np.flatnonzero(allowed)
        rows, scores = search(index, query, 10, allowed)
        np.testing.assert_array_equal(rows, wanted[np.argsort(-cosines[wanted], kind="stable")][:10])
        np.testing.assert_allclose(scores, cosines[rows], atol=_ROUNDED)
        assert set(search(index, query, 3000, allowed)[0].tolist()) == set(wanted.tolist())


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_search_equals_brute_force_with_ties_by_row(data: st.DataObject) -> None:
    # Small whole numbers: most cosines are shared.
    rows = data.draw(st.lists(st.lists(st.integers(-1, 1), min_size=3, max_size=3), max_size=40))
    vectors = np.array(rows, dtype=np.float16).reshape(len(rows), 3)
    query = np.array(data.draw(st.lists(st.integers(-1, 1), min_size=3, max_size=3)), dtype=np.float32)
    k = data.draw(st.integers(0, 45))
    bits = data.draw(st.one_of(st.none(), st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    allowed = None if bits is None else np.array(bits, dtype=np.uint8)
    found, scores = search(filled(vectors), query, k, allowed)
    cosines = (vectors.astype(np.float32) @ query).tolist()
    wanted = [row for row in range(len(rows)) if (bits is None or bits[row]) and cosines[row] != 0]
    expected = sorted(wanted, key=lambda row: (-cosines[row], row))[:k]
    assert found.tolist() == expected
    assert scores.tolist() == pytest.approx([cosines[row] for row in expected], rel=1e-5)


@pytest.mark.parametrize("dimension", [7, 16, 40, 100, 384])
def test_copies_go_by_row_wherever_the_list_is_cut(dimension: int) -> None:
    """Real numbers: a cosine is rounded, but that of copies in the same way."""
    rng = np.random.default_rng(dimension)
    different = unit(30, dimension=dimension)
    vectors = different[rng.integers(0, 30, 300)]
    index = filled(vectors)
    for query in unit(20, 2, dimension).astype(np.float32):
        exact = (kept(vectors).astype(np.float64) @ query).round(6)
        expected = np.lexsort((np.arange(300), -exact))
        for k in (1, 3, 25, 299, 300, 301):
            rows, scores = search(index, query, k)
            np.testing.assert_array_equal(rows, expected[:k])
            np.testing.assert_allclose(scores, exact[rows], atol=_ROUNDED)
            assert (np.diff(scores) <= 0).all()


def test_vectors_are_visible_at_once_and_come_back() -> None:
    index = VectorIndex(_DIMENSION)
    assert len(search(index, unit(1)[0].astype(np.float32), 5)[0]) == 0
    vectors = unit(100)
    for row in range(100):
        index.add(vectors[row : row + 1])
        assert search(index, vectors[row].astype(np.float32), 1)[0].tolist() == [row]
    np.testing.assert_array_equal(index.vectors(np.arange(100, dtype=np.int32)), kept(vectors))
    np.testing.assert_array_equal(index.vectors(np.array([7, 3], dtype=np.int32)), kept(vectors[[7, 3]]))
    query = unit(1, 9)[0].astype(np.float32)
    for again in (filled(vectors), VectorIndex.load(*index.dump())):
        for mine, theirs in zip(search(again, query, 20), search(index, query, 20), strict=True):
            np.testing.assert_array_equal(mine, theirs)
        assert len(again) == 100
        assert again.nbytes >= 100 * (_DIMENSION + SCALE_BYTES)


def test_cosines_are_those_of_the_rows_asked_for() -> None:
    vectors, query = unit(50), unit(1, 9)[0].astype(np.float32)
    rows = np.array([49, 0, 7, 7], dtype=np.int32)
    np.testing.assert_allclose(filled(vectors).cosines(rows, query), kept(vectors[rows]) @ query, atol=_ROUNDED)
    for outside in (-1, 50):
        with pytest.raises(IndexError, match=rf"rows\[1\] is {outside}, not in 0..49"):
            filled(vectors).cosines(np.array([0, outside], dtype=np.int32), query)


def test_rows_without_a_vector_are_never_found_and_hide_no_other() -> None:
    vectors = np.zeros((60, _DIMENSION), dtype=np.float16)
    vectors[[3, 40, 41, 50]] = unit(4)
    vectors[[40, 41, 50]] = -vectors[3]
    index = filled(vectors)
    query, some = vectors[3].astype(np.float32), np.ones(60, dtype=np.uint8)
    some[0] = 0
    for allowed in (None, some):
        for k, expected in ((1, [3]), (2, [3, 40]), (3, [3, 40, 41]), (9, [3, 40, 41, 50])):
            assert search(index, query, k, allowed)[0].tolist() == expected
    behind = np.concatenate(
        [vectors[3:4], np.zeros((8, _DIMENSION), dtype=np.float16), -vectors[3:4].repeat(90, axis=0)]
    )
    assert search(filled(behind), query, 5)[0].tolist() == [0, 9, 10, 11, 12]


def test_what_replaces_a_vector_is_found_at_once() -> None:
    vectors = unit(100)
    index, before = filled(vectors), filled(vectors).nbytes
    fresh = unit(2, 3)
    assert index.replace(np.array([90, 4], dtype=np.int32), fresh).tolist() == [90, 4]
    for row, one in zip((90, 4), fresh.astype(np.float32), strict=True):
        assert search(index, one, 1)[0].tolist() == [row]
    vectors[[90, 4]] = fresh
    np.testing.assert_array_equal(index.vectors(np.arange(100, dtype=np.int32)), kept(vectors))
    assert index.nbytes == before
    with pytest.raises(ValueError, match="2 vectors for 1 rows"):
        index.replace(np.array([3], dtype=np.int32), fresh)


def test_what_is_kept_of_a_vector_says_whether_it_is_another() -> None:
    """Vectors so near each other that their bytes are the same are one; what was replaced is told by them."""
    vectors = unit(100)
    index = filled(vectors)
    rows, given = np.array([7, 3, 9], dtype=np.int32), vectors[[7, 3, 9]]
    assert len(index.replace(rows, given)) == 0
    given[1] = -given[1]
    least = int(np.argmin(np.abs(given[2])))
    given[2, least] = np.nextafter(given[2, least], np.float16(1))
    np.testing.assert_array_equal(kept(given[2:]), kept(vectors[9:10]))
    assert index.replace(rows, given).tolist() == [3]
    np.testing.assert_array_equal(index.vectors(rows), kept(given))


def test_an_empty_vector_index_dumps_empty() -> None:
    assert [part.shape for part in VectorIndex(4).dump()] == [(0, 4 + SCALE_BYTES), (0,), (0,)]
    assert VectorIndex(4).vectors(np.empty(0, dtype=np.int32)).shape == (0, 4)
    assert len(VectorIndex.load(*VectorIndex(4).dump())) == 0


TEXTS = ["the cat sat on the mat", "a dog and a cat", "我喜欢喝咖啡", "dogs bark", "", "parse_config_file reads it"]


def lexical(texts: list[str]) -> LexicalIndex:
    index = LexicalIndex()
    for text in texts:
        index.add(text)
    return index


def scored(index: LexicalIndex, query: str) -> LexicalScores:
    return index.score(query, Formula(0.9, 0.4, 0.9))


def ranked(index: LexicalIndex, query: str, allowed: NDArray[np.uint8] | None = None) -> list[int]:
    everything = np.ones(len(index), dtype=np.uint8)
    rows = top_k(scored(index, query).rows, everything if allowed is None else allowed, len(index))
    return [int(row) for row in rows]


def test_words_find_their_texts() -> None:
    index = lexical(TEXTS)
    assert ranked(index, "cats") == [0, 1], "of two short texts the lower row"
    assert ranked(index, "dog") == [1, 3], "the lower row among equals"
    assert ranked(index, "咖啡") == [2]
    assert ranked(index, "config") == [5]
    assert ranked(index, "unicorn") == []
    assert ranked(index, "") == []
    np.testing.assert_array_equal(scored(index, "cat cat cat").rows, scored(index, "cat").rows)


def test_scores_say_what_is_known_of_a_query() -> None:
    index = lexical(TEXTS)
    found = scored(index, "cats unicorn dog")
    assert (len(found.weights), set(found.words)) == (3, {"cat", "unicorn", "dog"})
    assert [int(mask).bit_count() for mask in found.masks] == [1, 2, 0, 1, 0, 0]
    assert 0 < found.known < 1
    assert scored(index, "cat dog").known == 1
    assert scored(index, "unicorn").known == scored(index, "").known == 0
    many = scored(index, " ".join(f"word{number}" for number in range(70)) + " cat")
    assert len(many.weights) == 64
    assert [int(mask).bit_count() for mask in many.masks] == [0] * 6, "the commonest term has no bit"


def test_a_session_is_scored_as_one_text() -> None:
    index = LexicalIndex()
    for text, session in (("a cat", 1), ("a dog", 0), ("the cat again", 1), ("cat of none", -1)):
        index.add(text, session)
    sessions = scored(index, "cat").sessions
    assert sessions[1] > sessions[0] == 0
    assert scored(index, "dog").sessions[0] > 0


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


def same_scores(left: LexicalScores, right: LexicalScores) -> None:
    for name in ("rows", "masks", "sessions", "weights"):
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name))
    assert (left.known, left.words) == (right.known, right.words)


def test_dump_and_load_score_alike() -> None:
    index = LexicalIndex()
    sessions = np.array([0, 0, 1, -1, 1, 2], dtype=np.int32)
    for text, session in zip(TEXTS, sessions.tolist(), strict=True):
        index.add(text, session)
    again = LexicalIndex.load(*index.dump(), sessions)
    for query in ("cat", "dog 咖啡", "parse_config_file", "unicorn"):
        same_scores(scored(again, query), scored(index, query))
    for one in (again, index):
        one.add("a new cat", 1)
    same_scores(scored(again, "new cat"), scored(index, "new cat"))
    assert (len(again), again.nbytes) == (len(index), index.nbytes)


def test_a_vocabulary_that_is_too_short_is_refused() -> None:
    vocabulary, offsets, terms, counts = lexical(TEXTS).dump()
    with pytest.raises(ValueError, match="postings of 21 terms, a vocabulary of 20"):
        LexicalIndex.load(vocabulary[:-1], offsets, terms, counts, np.full(len(TEXTS), -1, dtype=np.int32))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), min_size=1, max_size=8), st.data())
def test_hints_add_their_words_share_and_cover_nothing(texts: list[list[str]], data: st.DataObject) -> None:
    index = LexicalIndex()
    for number, words in enumerate(texts):
        index.add(" ".join(f"{word}{word}" for word in words), number % 2)
    query = data.draw(st.sampled_from("abcdefg")) * 2
    hints = [letter * 2 for letter in data.draw(st.lists(st.sampled_from("abcdefgh"), max_size=5))]
    weight = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    formula = Formula(1.2, 0.75, 1.2)
    own = index.score(query, formula)
    found = index.score(query, formula, Beside(tuple(hints), weight, 100))
    apart = [index.score(hint, formula) for hint in dict.fromkeys(hints) if hint != query]
    np.testing.assert_allclose(
        found.rows, own.rows + weight * sum((one.rows for one in apart), 0 * own.rows), rtol=1e-5
    )
    sessions = own.sessions + weight * sum((one.sessions for one in apart), 0 * own.sessions)
    np.testing.assert_allclose(found.sessions, sessions, rtol=1e-5)
    np.testing.assert_array_equal(found.masks, own.masks)
    assert found.known == own.known
    assert found.words == own.words


def test_of_many_hints_the_rarest_count() -> None:
    index = LexicalIndex()
    for text in ("zebra common", "common", "common other", "other"):
        index.add(text)
    beside = Beside(("common other zebra",), 1.0, 1)
    assert np.flatnonzero(index.score("nothing", Formula(1.2, 0.75, 1.2), beside).rows).tolist() == [0]


def test_of_hints_in_a_large_index_what_soon_is_scored_counts() -> None:
    """Common words of what was said before would cost more than all else."""
    index = LexicalIndex()
    for number in range(5_001):
        index.add("common zebra" if number == 9 else "common")
    formula, hints = Formula(1.2, 0.75, 1.2), ("common zebra",)
    found = index.score("nothing", formula, Beside(hints, 1.0, 100)).rows
    assert np.flatnonzero(found).tolist() == [9]
    assert found[9] == index.score("zebra", formula).rows[9]
