"""BM25 and top_k against their twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.bm25 import Postings, top_k

Document = tuple[NDArray[np.int32], NDArray[np.float32]]


def ints(*values: int) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def floats(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def filled(documents: list[Document]) -> Postings:
    postings = Postings()
    for row, (terms, counts) in enumerate(documents):
        assert postings.add(terms, counts) == row
    return postings


@st.composite
def documents(draw: st.DrawFn) -> list[Document]:
    count = st.floats(0.125, 9, width=32)
    found = draw(st.lists(st.dictionaries(st.integers(0, 12), count, max_size=8), max_size=20))
    return [(ints(*counts), floats(*counts.values())) for counts in found]


queries = st.lists(st.tuples(st.integers(-2, 20), st.floats(0, 3, width=32)), max_size=6)


@settings(max_examples=100, deadline=None)
@given(documents(), queries, st.floats(0, 3), st.floats(0, 1))
def test_scores_equal_the_twin_bit_for_bit(
    given_documents: list[Document], query: list[tuple[int, float]], k1: float, b: float
) -> None:
    terms = ints(*(term for term, _ in query))
    weights = floats(*(weight for _, weight in query))
    postings = filled(given_documents)
    found = postings.score(terms, weights, k1, b)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, reference.score(given_documents, terms, weights, k1, b))
    np.testing.assert_array_equal(postings.idf(terms), reference.idf(given_documents, terms))


def test_score_is_the_formula_by_hand() -> None:
    postings = filled([(ints(0, 1), floats(2, 1)), (ints(1), floats(1))])
    found = postings.score(ints(0), floats(1), 1.2, 0.75)
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert found[0] == pytest.approx(idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2)))
    assert found[1] == 0


@settings(max_examples=50, deadline=None)
@given(documents(), queries)
def test_dump_and_load_give_the_same_postings(given_documents: list[Document], query: list[tuple[int, float]]) -> None:
    postings = filled(given_documents)
    again = Postings.load(*postings.dump())
    terms, weights = ints(*(term for term, _ in query)), floats(*(weight for _, weight in query))
    np.testing.assert_array_equal(again.score(terms, weights, 0.9, 0.4), postings.score(terms, weights, 0.9, 0.4))
    assert len(again) == len(postings) == len(given_documents)
    assert again.nbytes == postings.nbytes
    for row, (known, counts) in enumerate(given_documents):
        np.testing.assert_array_equal(again.document(row)[0], known)
        np.testing.assert_array_equal(again.document(row)[1], counts)


def test_no_documents_and_no_terms_score_nothing() -> None:
    assert len(Postings().score(ints(1, 2), floats(1, 1), 1.2, 0.75)) == 0
    postings = filled([(ints(), floats()), (ints(), floats())])
    np.testing.assert_array_equal(postings.score(ints(0), floats(1), 1.2, 0.75), floats(0, 0))
    postings = filled([(ints(3), floats(1))])
    np.testing.assert_array_equal(postings.score(ints(), floats(), 1.2, 0.75), floats(0))


def test_unknown_terms_are_skipped() -> None:
    postings = filled([(ints(0, 1), floats(1, 1)), (ints(1), floats(1))])
    alone = postings.score(ints(1), floats(1), 1.2, 0.75)
    np.testing.assert_array_equal(postings.score(ints(-1, 1, 99), floats(1, 1, 1), 1.2, 0.75), alone)


@pytest.mark.parametrize(
    ("terms", "counts", "says"),
    [
        (ints(1, 2), floats(1), "terms has 2 entries but counts has 1"),
        (ints(1, -1), floats(1, 1), "entry 1: term -1 must be ≥ 0"),
        (ints(1), floats(0), "count 0.0 > 0"),
        (ints(1), floats(math.nan), "count nan > 0"),
    ],
)
def test_a_bad_document_is_refused_and_changes_nothing(
    terms: NDArray[np.int32], counts: NDArray[np.float32], says: str
) -> None:
    postings = filled([(ints(1), floats(1))])
    with pytest.raises(ValueError, match=says):
        postings.add(terms, counts)
    assert len(postings) == 1
    assert len(postings.dump()[1]) == 1


def test_a_bad_query_is_refused() -> None:
    postings = filled([(ints(1), floats(1))])
    for k1, b in ((-0.1, 0.5), (1.2, -0.1), (1.2, 1.1)):
        with pytest.raises(ValueError, match=r"k1 must be ≥ 0 and b in 0..1"):
            postings.score(ints(1), floats(1), k1, b)
    with pytest.raises(ValueError, match="terms has 1 entries but weights has 2"):
        postings.score(ints(1), floats(1, 1), 1.2, 0.75)
    with pytest.raises(IndexError, match=r"row 1 is not in 0..0"):
        postings.document(1)
    with pytest.raises(IndexError, match="row -1"):
        postings.document(-1)


@pytest.mark.parametrize(
    ("offsets", "terms", "counts", "says"),
    [
        ([], ints(), floats(), "offsets must run from 0"),
        ([1], ints(), floats(), "offsets must run from 0"),
        ([0, 2], ints(1), floats(1), "offsets must run from 0"),
        ([0, 2, 1, 2], ints(1, 2), floats(1, 1), "offsets fall at row 1"),
        ([0, 1], ints(1), floats(1, 1), "terms has 1 entries but counts has 2"),
        ([0, 1], ints(-1), floats(1), "entry 0: term -1"),
        ([0, 1], ints(1), floats(-1), "entry 0: term 1"),
    ],
)
def test_a_damaged_dump_is_refused(
    offsets: list[int], terms: NDArray[np.int32], counts: NDArray[np.float32], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        Postings.load(np.array(offsets, dtype=np.int64), terms, counts)


# Few distinct values, so that ties are the rule.
few_scores = st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0]), st.booleans()), max_size=40)


@settings(max_examples=100, deadline=None)
@given(few_scores, st.integers(0, 50))
def test_top_k_equals_the_twin(rows: list[tuple[float, bool]], k: int) -> None:
    scores = floats(*(score for score, _ in rows))
    allowed = np.array([one for _, one in rows], dtype=np.uint8)
    found = top_k(scores, allowed, k)
    np.testing.assert_array_equal(found, reference.top_k(scores, allowed, k))
    best_first = sorted((-score, row) for row, (score, one) in enumerate(rows) if one and score > 0)
    assert found.tolist() == [row for _, row in best_first[:k]]


def test_top_k_of_a_large_array_equals_the_twin() -> None:
    scores = np.random.default_rng(7).integers(0, 500, 20_000).astype(np.float32)
    allowed = np.random.default_rng(8).integers(0, 2, 20_000).astype(np.uint8)
    for k in (1, 2, 3, 200, 19_999, 30_000):
        np.testing.assert_array_equal(top_k(scores, allowed, k), reference.top_k(scores, allowed, k))


def test_top_k_at_its_edges() -> None:
    none = np.empty(0, dtype=np.uint8)
    assert len(top_k(floats(), none, 5)) == 0
    ones = np.ones(3, dtype=np.uint8)
    assert len(top_k(floats(1, 1, 1), ones, 0)) == 0
    assert top_k(floats(1, 1, 1), ones, 2).tolist() == [0, 1]
    assert top_k(floats(1, 1, 1), np.zeros(3, dtype=np.uint8), 2).tolist() == []
    assert top_k(floats(math.nan, -1, 0), ones, 3).tolist() == []
    with pytest.raises(ValueError, match="scores has 3 rows but allowed has 2"):
        top_k(floats(1, 1, 1), ones[:2], 1)
    with pytest.raises(ValueError, match="k must be ≥ 0, got -1"):
        top_k(floats(1, 1, 1), ones, -1)
