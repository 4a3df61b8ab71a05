"""Words and filters together: the sum of what each says by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels.convolve import FILTERS_TOGETHER
from brain_core.text.classifier import Classifier
from brain_core.text.convolution import MOST_TOKENS, Convolution, Fitted
from brain_core.text.linear import BUCKETS, Linear, features, named_features

LABELS = ("a", "b", "c")


def linear() -> Linear:
    """Return a model in which "crash" says a, a caller's sign b and the vector c."""
    rows = np.zeros((BUCKETS, 3), np.int8)
    rows[features("crash")[1], 0] = 100
    rows[named_features(["sign:b"])[0], 1] = 50
    meaning = np.array([[0, 0, 0], [0, 0, 4]], np.float32)
    return Linear(LABELS, "one", rows, np.float32(0.1), np.array([0, 0.5, 0.25], np.float32), meaning)


def table(onto: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the vectors of three tokens, as an embedder would."""
    return np.array([[1, 0], [0, 1], [1, 1]], np.float32) @ onto


def convolution() -> Convolution:
    """Return filters of which one hears token 1 before token 0, which says c."""
    filters = np.zeros((2 + 4, FILTERS_TOGETHER), np.float16)
    filters[[3, 4], 0] = 2
    head = np.zeros((2 * FILTERS_TOGETHER, 3), np.float32)
    head[FILTERS_TOGETHER, 2] = 1
    bias = np.zeros(2 * FILTERS_TOGETHER, np.float32)
    bias[FILTERS_TOGETHER] = -2
    return Convolution(
        Fitted(
            LABELS,
            np.eye(2, dtype=np.float16),
            np.zeros(0, np.uint32),
            np.zeros((0, 2), np.int8),
            np.zeros(0, np.float32),
            filters,
            bias,
            head,
            np.array([0, 0, 0.5], np.float32),
        ),
        table,
    )


@given(
    st.sampled_from(["it will crash", "it works", "", "崩溃了"]),
    st.sampled_from([(), ("sign:b",), ("x", "sign:b")]),
    st.tuples(st.floats(-1, 1, width=32), st.floats(-1, 1, width=32)),
    st.lists(st.integers(0, 2), max_size=MOST_TOKENS + 9),
)
def test_scores_of_both_are_added(
    text: str, named: tuple[str, ...], numbers: tuple[float, float], tokens: list[int]
) -> None:
    vector = np.array(numbers, np.float32)
    scores = linear().scores([(text, named)], vector[None]) + convolution().scores([tokens])
    label, likely = Classifier(linear(), convolution()).likeliest(text, named, vector, tokens)
    assert label == LABELS[int(scores[0].argmax())]
    assert likely == pytest.approx(float(linear().likely(scores)[0].max()), abs=1e-6)


@pytest.mark.parametrize(("text", "named", "second", "tokens", "label"), [
    ("it will crash", (), 0, [0, 1], "a"),
    ("it will work", ("sign:b",), 0, [0, 1], "b"),
    ("it will work", ("sign:b",), 2, [0, 1], "c"),
    ("it will work", ("sign:b",), 1, [2, 1, 0], "c"),
    ("it will work", ("sign:b",), 1, [0, 0, 0], "b"),
])  # fmt: skip
def test_each_can_decide(text: str, named: tuple[str, ...], second: float, tokens: list[int], label: str) -> None:
    found, _ = Classifier(linear(), convolution()).likeliest(text, named, np.array([1, second], np.float32), tokens)
    assert found == label


def test_models_of_other_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="labels are"):
        Classifier(replace(linear(), labels=("b", "a", "c")), convolution())
