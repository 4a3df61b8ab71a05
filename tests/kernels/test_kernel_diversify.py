"""Selection against its twin and against a direct transcription of MMR with caps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.diversify import KEPT, OVER_K, select

Arguments = dict[str, Any]
Array = NDArray[Any]


@st.composite
def candidates(draw: st.DrawFn, *, whole: bool) -> Arguments:
    m, g = draw(st.integers(0, 14)), draw(st.integers(0, 3))
    d = draw(st.one_of(st.integers(0, 4), st.sampled_from([15, 16, 17, 40])))

    def table(values: st.SearchStrategy[float], width: int, kind: type[np.generic]) -> Array:
        lines = draw(st.lists(st.lists(values, min_size=width, max_size=width), min_size=m, max_size=m))
        return np.array(lines, dtype=kind).reshape(m, width)

    value: st.SearchStrategy[float] = st.integers(-3, 3).map(float) if whole else st.floats(-1, 1, width=32)
    scores = sorted(draw(st.lists(st.integers(0, 8).map(lambda n: n / 8), min_size=m, max_size=m)), reverse=True)
    return {
        "scores": np.array(scores, dtype=np.float64),
        "vectors": table(value, d, np.float32),
        "groups": table(st.integers(-1, 3), g, np.int32),
        "caps": np.array(draw(st.lists(st.integers(1, 3), min_size=g, max_size=g)), dtype=np.int32),
        "trade": draw(st.sampled_from([0.0, 0.25, 0.5, 0.875, 1.0])),
        "k": draw(st.integers(0, 16)),
    }


def by_hand(
    scores: Array,
    vectors: Array,
    groups: Array,
    caps: Array,
    trade: float,
    k: int,
) -> tuple[list[int], list[int]]:
    """MMR as its paper writes it: take the best of what is left, look at all pairs, count the caps anew each time."""
    left, kept, fates = list(range(len(scores))), list[int](), [OVER_K] * len(scores)
    while left and len(kept) < k:
        likeness = {i: max([0.0, *(float(np.dot(vectors[i], vectors[j])) for j in kept)]) for i in left}
        best = max(left, key=lambda i: (trade * scores[i] - (1 - trade) * likeness[i], -i))
        left.remove(best)
        fates[best] = KEPT
        for number, cap in enumerate(caps):
            mine = groups[best][number]
            if fates[best] == KEPT and mine >= 0 and sum(groups[j][number] == mine for j in kept) >= cap:
                fates[best] = number + 1
        if fates[best] == KEPT:
            kept.append(best)
    return kept, fates


@settings(max_examples=100, deadline=None)
@given(candidates(whole=True))
def test_selection_is_mmr_under_caps(given_candidates: Arguments) -> None:
    order, fates = select(**given_candidates)
    assert (order.tolist(), fates.tolist()) == by_hand(**given_candidates)


@settings(max_examples=100, deadline=None)
@given(candidates(whole=False))
def test_selection_equals_the_twin_bit_for_bit(given_candidates: Arguments) -> None:
    order, fates = select(**given_candidates)
    twin_order, twin_fates = reference.diversify.select(**given_candidates)
    np.testing.assert_array_equal(order, twin_order)
    np.testing.assert_array_equal(fates, twin_fates)
    assert len(order) <= given_candidates["k"]
    assert set(order.tolist()) == set(np.flatnonzero(fates == KEPT).tolist())


def sample() -> Arguments:
    return {
        "scores": np.array([1.0, 0.9, 0.5]),
        "vectors": np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32),
        "groups": np.array([[0, -1], [0, -1], [1, -1]], dtype=np.int32),
        "caps": np.array([3, 1], dtype=np.int32),
        "trade": 0.5,
        "k": 2,
    }


def test_variety_is_traded_for_relevance() -> None:
    assert select(**sample())[0].tolist() == [0, 2]
    assert select(**{**sample(), "trade": 1.0})[0].tolist() == [0, 1]


def test_a_cap_names_itself_as_the_fate() -> None:
    order, fates = select(**{**sample(), "caps": np.array([1, 1], dtype=np.int32), "trade": 1.0})
    assert (order.tolist(), fates.tolist()) == ([0, 2], [KEPT, 1, KEPT])


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
    order, fates = select(
        np.ones(5), np.zeros((5, 0), np.float32), np.full((5, 0), -1, np.int32), np.empty(0, np.int32), 1.0, 3
    )
    assert (order.tolist(), fates.tolist()) == ([0, 1, 2], [KEPT, KEPT, KEPT, OVER_K, OVER_K])


def test_edges() -> None:
    order, fates = select(**{**sample(), "k": 0})
    assert (order.tolist(), fates.tolist()) == ([], [OVER_K] * 3)
    assert len(select(**{**sample(), "k": 50})[0]) == 3
    nothing = {name: value[:0] for name, value in sample().items() if name in {"scores", "vectors", "groups"}}
    assert [len(one) for one in select(**{**sample(), **nothing})] == [0, 0]


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("vectors", np.zeros((2, 2), np.float32), "vectors and groups must have 3 rows"),
        ("groups", np.zeros((2, 2), np.int32), "vectors and groups must have 3 rows"),
        ("caps", np.ones(1, np.int32), "groups has 2 kinds but caps has 1"),
        ("caps", np.array([1, 0], np.int32), r"caps\[1\] must be ≥ 1, got 0"),
        ("trade", 1.5, "trade must be in 0..1, got 1.5"),
        ("trade", float("nan"), "trade must be in 0..1, got nan"),
        ("k", -1, "k must be ≥ 0, got -1"),
    ],
)
def test_what_does_not_fit_is_refused_by_both(name: str, value: object, says: str) -> None:
    for one in (select, reference.diversify.select):
        with pytest.raises(ValueError, match=says):
            one(**{**sample(), name: value})
