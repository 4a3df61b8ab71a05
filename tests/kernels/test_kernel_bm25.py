"""BM25 against its twin."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.bm25 import Postings

Document = tuple[NDArray[np.int32], NDArray[np.float32], int]
Scores = tuple[NDArray[np.float32], NDArray[np.uint64], NDArray[np.float64]]


def ints(*values: int) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def floats(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def filled(documents: list[Document], least_length: float = 0.0) -> Postings:
    postings = Postings(least_length)
    for row, (terms, counts, group) in enumerate(documents):
        assert postings.add(terms, counts, group) == row
    return postings


def asked(postings: Postings, *terms: int, k1: float = 1.2, b: float = 0.75) -> Scores:
    """Score terms, each with the bit of its place."""
    return postings.score(ints(*terms), ints(*range(len(terms))), np.ones(len(terms)), 1.0, k1, b, k1)


def equal(left: Scores, right: Scores) -> None:
    assert [one.dtype for one in left] == [one.dtype for one in right] == [np.float32, np.uint64, np.float64]
    for mine, theirs in zip(left, right, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@st.composite
def documents(draw: st.DrawFn) -> list[Document]:
    count = st.integers(1, 9)
    found = draw(st.lists(st.dictionaries(st.integers(0, 12), count, max_size=8), max_size=20))
    return [(ints(*counts), floats(*counts.values()), draw(st.integers(-1, 4))) for counts in found]


query_terms = st.tuples(st.sampled_from([-1, 0, 1, 31, 32, 63]), st.floats(0, 3))
queries = st.dictionaries(st.integers(-2, 20), query_terms, max_size=6)
Query = dict[int, tuple[int, float]]
"""By term: its bit, its share."""


def arrays(query: Query) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Return a query's terms, their bits and their shares."""
    return ints(*query), ints(*(bit for bit, _ in query.values())), np.array([one for _, one in query.values()])


least_lengths = st.sampled_from([0.0, 7.5, 20.0])


@settings(max_examples=150, deadline=None)
@given(documents(), queries, st.floats(0, 2), st.floats(0, 3), st.floats(0, 1), st.floats(0, 3), least_lengths)
def test_scores_equal_the_twin_bit_for_bit(
    given_documents: list[Document],
    query: Query,
    power: float,
    k1: float,
    b: float,
    group_k1: float,
    least_length: float,
) -> None:
    terms, bits, shares = arrays(query)
    postings = filled(given_documents, least_length)
    found = postings.score(terms, bits, shares, power, k1, b, group_k1)
    equal(found, reference.bm25.score(given_documents, terms, bits, shares, power, k1, b, group_k1, least_length))
    np.testing.assert_array_equal(postings.idf(terms), reference.bm25.idf(given_documents, terms))
    np.testing.assert_array_equal(
        postings.document_frequencies(terms), reference.bm25.document_frequencies(given_documents, terms)
    )
    for most, bound in ((len(terms), 3), (2, 100), (0, 100)):
        rarest, twin = postings.rarest(terms, most, bound), reference.bm25.rarest(given_documents, terms, most, bound)
        np.testing.assert_array_equal(rarest, twin)
    assert [len(one) for one in found[:2]] == [len(given_documents)] * 2


@settings(max_examples=150, deadline=None)
@given(documents(), queries, st.data())
def test_families_equal_the_twin_bit_for_bit(
    given_documents: list[Document], query: Query, data: st.DataObject
) -> None:
    terms, bits, shares = arrays(query)
    heads = [place for place in range(len(terms)) if place == 0 or data.draw(st.booleans())]
    stands_for = ints(*(place if place in heads else data.draw(st.sampled_from(heads)) for place in range(len(terms))))
    found = filled(given_documents).score(terms, bits, shares, 1.0, 1.2, 0.75, 1.2, stands_for)
    equal(found, reference.bm25.score(given_documents, terms, bits, shares, 1.0, 1.2, 0.75, 1.2, stands_for=stands_for))


def test_of_a_family_the_best_term_counts() -> None:
    texts = [(ints(0, 1), floats(1, 1), 0), (ints(1), floats(2), 0), (ints(0), floats(1), 1), (ints(2), floats(2), 1)]
    postings = filled(texts)
    alone = [
        postings.score(ints(one), ints(-1), np.array([share]), 1.0, 1.2, 0.75, 1.2)
        for one, share in ((0, 1.0), (1, 0.5))
    ]
    rows, masks, groups = postings.score(ints(0, 1), ints(3, -1), np.array([1.0, 0.5]), 1.0, 1.2, 0.75, 1.2, ints(0, 0))
    np.testing.assert_allclose(rows, np.maximum(alone[0][0], alone[1][0]), rtol=1e-6)
    np.testing.assert_allclose(groups, np.maximum(alone[0][2], alone[1][2]), rtol=1e-12)
    assert masks.tolist() == [8, 0, 8, 0]


@pytest.mark.parametrize(
    ("stands_for", "named"),
    [(ints(0), "stands_for has 1"), (ints(1, 0), r"stands_for\[0\] is 1"), (ints(0, 5), r"stands_for\[1\] is 5")],
)
def test_families_that_do_not_fit_are_refused(stands_for: NDArray[np.int32], named: str) -> None:
    postings = filled([(ints(0), floats(1), -1)])
    with pytest.raises(ValueError, match=named):
        postings.score(ints(0, 1), ints(0, 1), np.ones(2), 1.0, 1.2, 0.75, 1.2, stands_for)


def test_score_is_the_formula_by_hand() -> None:
    postings = filled([(ints(0, 1), floats(2, 1), -1), (ints(1), floats(1), -1)])
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    weight = 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert asked(postings, 0)[0].tolist() == pytest.approx([idf * weight, 0])
    squared, _, _ = postings.score(ints(0), ints(0), np.ones(1), 2.0, 1.2, 0.75, 0.0)
    assert squared.tolist() == pytest.approx([idf**2 * weight, 0]), "a rare term counts for more"
    halved, masks, _ = postings.score(ints(0), ints(0), np.array([0.5]), 1.0, 1.2, 0.75, 0.0)
    assert halved.tolist() == pytest.approx([idf * weight / 2, 0]), "a term counts its share"
    assert masks.tolist() == [1, 0]


def test_a_group_is_scored_as_one_document() -> None:
    parts = [(ints(0, 1), floats(2, 1), 1), (ints(2), floats(4), -1), (ints(0), floats(1), 1), (ints(1), floats(3), 0)]
    whole = filled([(ints(1), floats(3), -1), (ints(0, 1), floats(3, 1), -1)])
    postings = filled(parts)
    for terms in ((0,), (1,), (0, 1), (2,)):
        np.testing.assert_allclose(asked(postings, *terms)[2], asked(whole, *terms)[0], rtol=1e-6)


def test_masks_tell_which_terms_a_row_has() -> None:
    postings = filled([(ints(0, 1), floats(2, 1), -1), (ints(1, 5), floats(1, 1), -1), (ints(), floats(), -1)])
    _, masks, _ = postings.score(ints(5, 1, 0, 9), ints(63, 0, -1, 7), np.ones(4), 1.0, 1.2, 0.75, 1.2)
    assert masks.tolist() == [1, 1 + (1 << 63), 0]


def test_of_two_short_rows_neither_is_the_better() -> None:
    short = [(ints(0), floats(1), -1), (ints(0, 1), floats(1, 4), -1), (ints(0, 1), floats(1, 40), -1)]
    plain, _, _ = asked(filled(short), 0)
    assert plain[0] > plain[1] > plain[2]
    levelled, _, _ = asked(filled(short, least_length=20.0), 0)
    assert levelled[0] == levelled[1] > levelled[2]


@settings(max_examples=50, deadline=None)
@given(documents(), queries, least_lengths)
def test_dump_and_load_give_the_same_postings(
    given_documents: list[Document], query: Query, least_length: float
) -> None:
    postings = filled(given_documents, least_length)
    again = Postings.load(*postings.dump(), ints(*(group for _, _, group in given_documents)), least_length)
    for one in (postings, again):
        one.add(ints(3), floats(2), 1)
    terms, bits, shares = arrays(query)
    equal(again.score(terms, bits, shares, 1.0, 0.9, 0.4, 0.9), postings.score(terms, bits, shares, 1.0, 0.9, 0.4, 0.9))
    assert len(again) == len(postings) == len(given_documents) + 1
    assert 0 < again.nbytes <= postings.nbytes
    for mine, theirs in zip(again.dump(), postings.dump(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_rows_may_be_far_from_each_other() -> None:
    """A posting reaches 65,535 rows: what is farther takes steps, which no row, mask or group may notice."""
    rows = {0, 65_535, 65_536, 65_537, 200_000, 400_000}
    postings = Postings()
    for row in range(400_001):
        postings.add(ints(1, 7) if row in rows else ints(7), floats(3, 1) if row in rows else floats(1), row // 40)
    for one in (postings, Postings.load(*postings.dump(), np.arange(400_001, dtype=np.int32) // 40)):
        found, masks, groups = one.score(ints(1), ints(2), np.ones(1), 1.0, 0.0, 0.0, 0.0)
        assert set(np.flatnonzero(found).tolist()) == set(np.flatnonzero(masks == 4).tolist()) == rows
        assert np.flatnonzero(groups).tolist() == sorted({row // 40 for row in rows})
        assert one.idf(ints(1))[0] == pytest.approx(math.log(1 + (400_001 - 6 + 0.5) / 6.5))
        assert one.dump()[1][:6].tolist() == sorted(rows)


def test_no_documents_and_no_terms_score_nothing() -> None:
    assert [len(one) for one in asked(Postings(), 1, 2)] == [0, 0, 0]
    for documents, terms in (([(ints(), floats(), 0)] * 2, (0,)), ([(ints(3), floats(1), 0)], ())):
        rows, masks, groups = asked(filled(documents), *terms)
        assert not rows.any()
        assert not masks.any()
        assert groups.tolist() == [0]


def test_unknown_terms_are_skipped() -> None:
    postings = filled([(ints(0, 1), floats(1, 1), -1), (ints(1), floats(1), -1)])
    np.testing.assert_array_equal(asked(postings, -1, 1, 99)[0], asked(postings, 1)[0])


@pytest.mark.parametrize(
    ("terms", "counts", "says"),
    [
        (ints(1, 2), floats(1), "terms has 2 entries but counts has 1"),
        (ints(1, -1), floats(1, 1), "entry 1: term -1 must be ≥ 0"),
        (ints(1), floats(0), "count 0.0 a whole number 1..65535"),
        (ints(1), floats(1.5), "count 1.5 a whole number 1..65535"),
        (ints(1), floats(math.nan), "count nan a whole number 1..65535"),
        (ints(1), floats(65_536), "count 65536.0 a whole number 1..65535"),
    ],
)
def test_a_bad_document_is_refused_and_changes_nothing(
    terms: NDArray[np.int32], counts: NDArray[np.float32], says: str
) -> None:
    postings = filled([(ints(1), floats(1), -1)])
    with pytest.raises(ValueError, match=says):
        postings.add(terms, counts)
    with pytest.raises(ValueError, match="group must be ≥ -1, got -2"):
        postings.add(ints(1), floats(1), -2)
    assert len(postings) == 1
    assert len(postings.dump()[1]) == 1


@pytest.mark.parametrize(
    ("place", "value"),
    [(3, -0.1), (3, math.nan), (4, -0.1), (4, math.nan), (5, -0.1), (5, 1.1), (5, math.nan), (6, -0.1), (6, math.nan)],
)
def test_a_bad_parameter_is_refused_by_both(place: int, value: float) -> None:
    given_values = [ints(1), ints(0), np.ones(1), 1.0, 1.2, 0.5, 1.2]
    given_values[place] = value
    for one in (filled([(ints(1), floats(1), -1)]).score, partial(reference.bm25.score, [(ints(1), floats(1), -1)])):
        with pytest.raises(ValueError, match=f"power, k1 and group_k1 must be ≥ 0 and b in 0..1, got .*{value}"):
            one(*given_values)  # type: ignore[arg-type]


def test_a_bad_query_is_refused_by_both() -> None:
    postings = filled([(ints(1), floats(1), -1)])
    for one in (postings.score, partial(reference.bm25.score, [(ints(1), floats(1), -1)])):
        with pytest.raises(ValueError, match="terms has 1 entries but bits has 2"):
            one(ints(1), ints(1, 1), np.ones(1), 1.0, 1.2, 0.75, 1.2)
        with pytest.raises(ValueError, match="terms has 1 entries but shares has 2"):
            one(ints(1), ints(1), np.ones(2), 1.0, 1.2, 0.75, 1.2)
        with pytest.raises(ValueError, match=r"bits\[1\] must be below 64, got 64"):
            one(ints(1, 2), ints(63, 64), np.ones(2), 1.0, 1.2, 0.75, 1.2)
        for share in (-0.5, math.nan):
            with pytest.raises(ValueError, match=rf"shares\[0\] must be ≥ 0, got {share}"):
                one(ints(1), ints(1), np.array([share]), 1.0, 1.2, 0.75, 1.2)


@pytest.mark.parametrize(
    ("offsets", "rows", "counts", "says"),
    [
        ([], ints(), floats(), "offsets must run from 0"),
        ([1], ints(), floats(), "offsets must run from 0"),
        ([0, 2], ints(1), floats(1), "offsets must run from 0"),
        ([0, 2, 1, 2], ints(0, 1), floats(1, 1), "offsets fall at term 1"),
        ([0, 1], ints(1), floats(1, 1), "rows has 1 entries but counts has 2"),
        ([0, 1], ints(-1), floats(1), "entry 0: row -1 is not in 0..2, or does not ascend"),
        ([0, 1], ints(3), floats(1), "entry 0: row 3 is not in 0..2, or does not ascend"),
        ([0, 2], ints(1, 1), floats(1, 1), "entry 1: row 1 is not in 0..2, or does not ascend"),
        ([0, 1], ints(1), floats(-1), "entry 0: term 0"),
    ],
)
def test_a_damaged_dump_is_refused(
    offsets: list[int], rows: NDArray[np.int32], counts: NDArray[np.float32], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        Postings.load(np.array(offsets, dtype=np.int64), rows, counts, ints(-1, -1, -1))


def test_groups_that_do_not_fit_are_refused() -> None:
    dumped = filled([(ints(1), floats(1), 0)]).dump()
    with pytest.raises(ValueError, match=r"row 0 is not in 0..-1"):
        Postings.load(*dumped, ints())
    with pytest.raises(ValueError, match="group must be ≥ -1, got -2"):
        Postings.load(*dumped, ints(-2))
