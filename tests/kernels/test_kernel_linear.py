"""What a text's words weigh against its twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.linear import feature_codes, weigh_text

WORD = st.text("abcé字𝄞", min_size=1, max_size=7) | st.sampled_from(["^", "$", "summary", "summed", "改"])


@settings(max_examples=300, deadline=None)
@given(st.lists(WORD, max_size=40))
def test_features_equal_the_twins(words: list[str]) -> None:
    assert feature_codes(words) == reference.linear.feature_codes(words)


def test_features_by_hand() -> None:
    assert feature_codes(["^", "ab", "ab"]) == reference.linear.feature_codes(["^", "ab", "ab"])
    assert len(feature_codes(["^", "ab", "ab"])) == 5  # ^, ab, ^ ab, ab ab, ^ ab ab
    assert feature_codes(["résumé"])[1:] == [reference.linear.feature_codes([part])[0] for part in ("résu*", "*umé")]
    assert len(feature_codes(["four"])) == 1
    assert feature_codes([]) == []


Given = tuple[NDArray[np.int8], list[str], list[int], NDArray[np.float32], float, NDArray[np.float32]]


def arrays(words: list[str], named: list[int], seed: int, labels: int = 3) -> Given:
    random = np.random.default_rng(seed)
    rows = random.integers(-127, 128, (64, labels), dtype=np.int8)
    bias, out = random.standard_normal((2, labels), dtype=np.float32)
    return rows, words, named, bias, float(np.float32(random.random())), out


@settings(max_examples=300, deadline=None)
@given(
    st.lists(WORD, min_size=1, max_size=120),
    st.lists(st.integers(0, 63), max_size=4),
    st.integers(0, 2**32),
    st.integers(1, 9),
)
def test_weights_equal_the_twins_bit_for_bit(words: list[str], named: list[int], seed: int, labels: int) -> None:
    asked = arrays(words, named, seed, labels)
    twin = asked[-1].copy()
    weigh_text(*asked)
    reference.linear.weigh_text(*asked[:-1], twin)
    np.testing.assert_array_equal(asked[-1], twin)


@pytest.mark.parametrize("count", [1, 7, 8, 9, 17, 129, 137, 300, 700])
def test_many_words_are_added_as_numpy_adds(count: int) -> None:
    asked = arrays([f"w{number}" for number in range(count)], [3], seed=count)
    twin = asked[-1].copy()
    weigh_text(*asked)
    reference.linear.weigh_text(*asked[:-1], twin)
    np.testing.assert_array_equal(asked[-1], twin)


def test_weights_by_hand() -> None:
    rows = np.zeros((4, 1), np.int8)
    rows[feature_codes(["a"])[0] % 4] = 8
    out = np.array([0.25], np.float32)
    weigh_text(rows, ["a"], [feature_codes(["a"])[0] % 4], np.array([1], np.float32), 0.5, out)
    assert out.tolist() == [1 + 0.5 * (8 + 8) + 0.25]


@pytest.mark.parametrize(
    ("place", "given", "says"),
    [
        (0, np.zeros((63, 3), np.int8), "rows must be a power of two, got 63"),
        (0, np.zeros((0, 3), np.int8), "rows must be a power of two, got 0"),
        (0, np.zeros((64, 2), np.int8), "rows has 2 columns but bias has 3 and out 3"),
        (1, list[str](), "words must be at least one"),
        (2, [64], r"named rows must be in 0..63, got 64"),
        (2, [-1], r"named rows must be in 0..63, got -1"),
    ],
)
def test_what_does_not_fit_is_refused_by_both(place: int, given: object, says: str) -> None:
    changed: list[object] = list(arrays(["a"], [1], seed=1))
    changed[place] = given
    for one in (weigh_text, reference.linear.weigh_text):
        with pytest.raises(ValueError, match=says):
            one(*changed)  # type: ignore[arg-type]
