"""Which label a text is of, by words and filters together, against its twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import classify, convolve, linear, reference
from brain_core.kernels.convolve import FILTERS_TOGETHER
from brain_core.kernels.vectors import quantise

DIMENSION, TOKENS = 20, 7
Both = tuple[classify.Classifier, reference.classify.Classifier]
Asked = tuple[str, list[int], NDArray[np.float32], list[int]]


def both(labels: int, seed: int, filtered: int | None = None) -> Both:
    """Return the kernel and its twin of the same weights. filtered: labels of the filters, if others."""
    random = np.random.default_rng(seed)
    words = (
        random.integers(-127, 128, (64, labels), dtype=np.int8),
        float(np.float32(random.random())) / 100,
        random.standard_normal(labels, dtype=np.float32),
        random.standard_normal((DIMENSION, labels), dtype=np.float32),
    )
    order = (
        quantise(random.standard_normal((TOKENS, 3), dtype=np.float32)),
        random.standard_normal((3, FILTERS_TOGETHER), dtype=np.float32),
        random.standard_normal(FILTERS_TOGETHER, dtype=np.float32),
        np.float32(0.1) * random.standard_normal((FILTERS_TOGETHER, filtered or labels), dtype=np.float32),
        random.standard_normal(filtered or labels, dtype=np.float32),
    )
    return (
        classify.Classifier(linear.Weights(*words), convolve.Filters(*order)),
        reference.classify.Classifier(reference.linear.Weights(*words), reference.convolve.Filters(*order)),
    )


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=40),
    st.lists(st.integers(0, 63), max_size=3),
    st.lists(st.integers(0, TOKENS - 1), max_size=9),
    st.integers(1, 7),
    st.integers(0, 2**32),
)
def test_the_likeliest_is_the_twins(text: str, named: list[int], tokens: list[int], labels: int, seed: int) -> None:
    kernel, twin = both(labels, seed)
    meaning = np.random.default_rng(seed).standard_normal(DIMENSION, dtype=np.float32)
    label, likely = kernel.likeliest(text, named, meaning, tokens)
    assert label == twin.likeliest(text, named, meaning, tokens)[0]
    assert likely == pytest.approx(twin.likeliest(text, named, meaning, tokens)[1], rel=1e-12)
    assert 1 / labels - 1e-9 <= likely <= 1


def by_hand(scores: list[float], added: list[float]) -> classify.Classifier:
    """Return one whose words score the first and filters the second, whatever is asked."""
    labels = len(scores)
    words = linear.Weights(
        np.zeros((1, labels), np.int8), 1.0, np.array(scores, np.float32), np.zeros((1, labels), np.float32)
    )
    filters, bias = np.zeros((1, FILTERS_TOGETHER), np.float32), np.zeros(FILTERS_TOGETHER, np.float32)
    head = np.zeros((FILTERS_TOGETHER, labels), np.float32)
    packed = quantise(np.ones((1, 1), np.float32))
    return classify.Classifier(words, convolve.Filters(packed, filters, bias, head, np.array(added, np.float32)))


def test_both_count_and_of_equals_the_first_is_right() -> None:
    nothing: Asked = ("", [], np.zeros(1, np.float32), [])
    assert by_hand([1, 0], [0, 2]).likeliest(*nothing) == pytest.approx((1, 1 / (1 + np.exp(-1))))
    assert by_hand([0, 3, 1], [0, 0, 2]).likeliest(*nothing) == pytest.approx((1, 1 / (2 + np.exp(-3))))
    assert by_hand([-9], [0]).likeliest(*nothing) == (0, 1.0)


def test_far_apart_scores_are_no_error() -> None:
    assert by_hand([1e30, -1e30], [0, 0]).likeliest("", [], np.zeros(1, np.float32), []) == (0, 1.0)


def test_models_of_other_labels_are_refused_by_both() -> None:
    for labels, filtered in ((2, 3), (0, 0)):
        with pytest.raises(ValueError, match=f"words are of {labels} labels, order of {filtered}"):
            both(labels, seed=1, filtered=filtered)


@pytest.mark.parametrize(
    ("place", "given_value", "says"),
    [
        (1, [64], "named rows must be in 0..63, got 64"),
        (2, np.zeros(19, np.float32), "meaning must have 20 numbers, got 19"),
        (3, [7], r"tokens\[0\] must be in 0..6, got 7"),
    ],
)
def test_what_does_not_fit_is_refused_by_both(place: int, given_value: object, says: str) -> None:
    asked: list[object] = ["a", [1], np.zeros(20, np.float32), [1]]
    asked[place] = given_value
    for one in both(labels=2, seed=1):
        with pytest.raises(ValueError, match=says):
            one.likeliest(*asked)  # type: ignore[arg-type]
