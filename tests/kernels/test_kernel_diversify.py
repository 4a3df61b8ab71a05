"""Selection against its twin and against a direct transcription of MMR with caps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.diversify import OVER_K, select

Arguments = dict[str, Any]
Array = NDArray[Any]


KEPT = -1


@st.composite
def candidates(draw: st.DrawFn, *, whole: bool) -> Arguments:
    m, c, g = draw(st.integers(0, 14)), draw(st.integers(0, 3)), draw(st.integers(0, 2))
    d = draw(st.one_of(st.integers(0, 4), st.sampled_from([15, 16, 17, 40])))
    n = m + draw(st.integers(1, 4))

    def numbers(size: int) -> Array:
        return np.array(draw(st.lists(st.integers(-1, 3), min_size=size, max_size=size)), dtype=np.int32)

    value: st.SearchStrategy[float] = st.integers(-3, 3).map(float) if whole else st.floats(-1, 1, width=32)
    lines = draw(st.lists(st.lists(value, min_size=d, max_size=d), min_size=m, max_size=m))
    scores = sorted(draw(st.lists(st.integers(0, 8).map(lambda n: n / 8), min_size=m, max_size=m)), reverse=True)
    return {
        "rows": np.array(draw(st.permutations(range(n)))[:m], dtype=np.int32),
        "scores": np.array(scores, dtype=np.float64),
        "vectors": np.array(lines, dtype=np.float32).reshape(m, d),
        "columns": tuple(numbers(n) for _ in range(c)),
        "sources": tuple(numbers(m) for _ in range(g)),
        "caps": np.array(draw(st.lists(st.integers(1, 3), min_size=c + g, max_size=c + g)), dtype=np.int32),
        "trade": draw(st.sampled_from([0.0, 0.25, 0.5, 0.875, 1.0])),
        "k": draw(st.integers(0, 16)),
        "named": draw(st.integers(0, 16)),
    }


def by_hand(
    rows: Array, scores: Array, vectors: Array, columns: tuple[Array, ...], sources: tuple[Array, ...], caps: Array,
    trade: float, k: int,
) -> list[int]:  # fmt: skip
    """MMR as its paper writes it: take the best of what is left, look at all pairs, count the caps anew each time."""
    groups = [*(column[rows].tolist() for column in columns), *(source.tolist() for source in sources)]
    left, kept, fates = list(range(len(scores))), list[int](), [OVER_K] * len(scores)
    while left and len(kept) < k:
        likeness = {i: max([0.0, *(float(np.dot(vectors[i], vectors[j])) for j in kept)]) for i in left}
        best = max(left, key=lambda i: (trade * scores[i] - (1 - trade) * likeness[i], -i))
        left.remove(best)
        fates[best] = KEPT
        for number, cap in enumerate(caps):
            mine = groups[number][best]
            if fates[best] == KEPT and mine >= 0 and sum(groups[number][j] == mine for j in kept) >= cap:
                fates[best] = number + 1
        if fates[best] == KEPT:
            kept.append(best)
    return fates


def fates_of(candidates: Arguments) -> list[int]:
    """Return what becomes of each candidate, as the kernel says: KEPT, or why it is dropped."""
    kept, dropped, reasons, _ = select(**{**candidates, "named": len(candidates["rows"])})
    fates = [KEPT] * len(candidates["rows"])
    places = [place for place in range(len(fates)) if place not in set(kept.tolist())]
    assert dropped.tolist() == candidates["rows"][places].tolist(), "the others, in order"
    for place, reason in zip(places, reasons.tolist(), strict=True):
        fates[place] = reason
    return fates


@settings(max_examples=100, deadline=None)
@given(candidates(whole=True))
def test_selection_is_mmr_under_caps(given_candidates: Arguments) -> None:
    expected = by_hand(**{name: value for name, value in given_candidates.items() if name != "named"})
    assert fates_of(given_candidates) == expected
    *_, capped = select(**given_candidates)
    assert capped == [expected.count(number + 1) for number in range(len(given_candidates["caps"]))]


@settings(max_examples=100, deadline=None)
@given(candidates(whole=False))
def test_selection_equals_the_twin_bit_for_bit(given_candidates: Arguments) -> None:
    kept, dropped, reasons, capped = select(**given_candidates)
    twin_kept, twin_dropped, twin_reasons, twin_capped = reference.diversify.select(**given_candidates)
    for one, twin in ((kept, twin_kept), (dropped, twin_dropped), (reasons, twin_reasons)):
        np.testing.assert_array_equal(one, twin)
    assert capped == twin_capped
    assert len(kept) <= given_candidates["k"]
    assert len(dropped) == min(given_candidates["named"], len(given_candidates["rows"]) - len(kept))


def sample() -> Arguments:
    return {
        "rows": np.array([2, 0, 1], dtype=np.int32),
        "scores": np.array([1.0, 0.9, 0.5]),
        "vectors": np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32),
        "columns": (np.array([0, 1, 0], dtype=np.int32),),
        "sources": (np.array([-1, -1, -1], dtype=np.int32),),
        "caps": np.array([3, 1], dtype=np.int32),
        "trade": 0.5,
        "k": 2,
        "named": 3,
    }


def test_variety_is_traded_for_relevance() -> None:
    assert select(**sample())[0].tolist() == [0, 2]
    assert select(**{**sample(), "trade": 1.0})[0].tolist() == [0, 1]


def test_a_cap_names_itself_as_the_fate() -> None:
    capped = {**sample(), "caps": np.array([1, 1], dtype=np.int32), "trade": 1.0}
    assert fates_of(capped) == [KEPT, 1, KEPT]
    assert select(**capped)[3] == [1, 0]
    of_source = {**capped, "columns": (), "sources": (np.array([4, 4, 4], dtype=np.int32),), "caps": capped["caps"][:1]}
    assert fates_of(of_source) == [KEPT, 1, 1]


def test_no_more_are_named_than_are_wanted() -> None:
    kept, dropped, reasons, _ = select(**{**sample(), "k": 1, "named": 1, "trade": 1.0})
    assert (kept.tolist(), dropped.tolist(), reasons.tolist()) == ([0], [0], [OVER_K])


def test_likeness_is_summed_in_lanes() -> None:
    """Of two that are alike but for the place of their small numbers, one's likeness loses them."""
    vectors = np.zeros((3, 32), dtype=np.float32)
    vectors[0, [0, 1, 16, 17]] = 2**12, 1, 1, 1
    vectors[1, [0, 1, 17]] = 2**12, 1, 1  # 2^24 + (1 + 1)
    vectors[2, [0, 16, 1]] = 2**12, 1, 1  # (2^24 + 1) + 1 = 2^24
    three = {**sample(), "vectors": vectors, "scores": np.ones(3), "caps": np.array([3, 3], dtype=np.int32)}
    for one in (select, reference.diversify.select):
        assert one(**three)[0].tolist() == [0, 2]


def test_all_ties_are_kept_in_order() -> None:
    rows = np.arange(5, dtype=np.int32)
    kept, dropped, reasons, capped = select(
        rows, np.ones(5), np.zeros((5, 0), np.float32), (), (), np.empty(0, np.int32), 1.0, 3, 5
    )
    assert (kept.tolist(), dropped.tolist(), reasons.tolist(), capped) == ([0, 1, 2], [3, 4], [OVER_K, OVER_K], [])


def test_edges() -> None:
    assert fates_of({**sample(), "k": 0}) == [OVER_K] * 3
    assert len(select(**{**sample(), "k": 50})[0]) == 3
    nothing = {name: value[:0] for name, value in sample().items() if name in {"rows", "scores", "vectors"}}
    none = (np.empty(0, dtype=np.int32),)
    assert [len(one) for one in select(**{**sample(), **nothing, "sources": none})] == [0, 0, 0, 2]


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("vectors", np.zeros((2, 2), np.float32), "scores and vectors must have 3 rows"),
        ("scores", np.zeros(2), "scores and vectors must have 3 rows"),
        ("columns", (), "there are 0 columns and 1 sources but 2 caps"),
        ("caps", np.array([1, 0], np.int32), r"caps\[1\] must be ≥ 1, got 0"),
        ("trade", 1.5, "trade must be in 0..1, got 1.5"),
        ("trade", float("nan"), "trade must be in 0..1, got nan"),
        ("k", -1, "k and named must be ≥ 0, got -1 and 3"),
        ("named", -1, "k and named must be ≥ 0, got 2 and -1"),
    ],
)
def test_what_does_not_fit_is_refused_by_both(name: str, value: object, says: str) -> None:
    for one in (select, reference.diversify.select):
        with pytest.raises(ValueError, match=says):
            one(**{**sample(), name: value})


def test_what_is_not_there_is_refused() -> None:
    for row in (-1, 3):
        with pytest.raises(IndexError, match=rf"rows\[2\] is {row}, not in 0..2"):
            select(**{**sample(), "rows": np.array([2, 0, row], dtype=np.int32)})
    with pytest.raises(ValueError, match="a source has 2 entries, not 3"):
        select(**{**sample(), "sources": (np.zeros(2, dtype=np.int32),)})
