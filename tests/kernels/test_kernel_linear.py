"""What texts weigh by their words, and what they mean, against its twins."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import linear, reference
from brain_core.text.words import CJK

EDGES = [character for character in CJK if character != "-"]
PIECES = [
    "summary",
    "summed",
    "改",
    "don't",
    "l’été",
    "a''b",
    "'a",
    "b’",
    "İ",
    "ß",
    "café",
    "naïve",
    "x_y",
    "404",
    "9.5",
]
TEXT = st.lists(
    st.text(max_size=6) | st.sampled_from([*EDGES, *(chr(ord(one) + 1) for one in EDGES), *PIECES, " ", "·", "٣"]),
    max_size=30,
).map("".join)


@settings(max_examples=500, deadline=None)
@given(TEXT)
def test_features_equal_the_twins(text: str) -> None:
    assert linear.feature_codes(text) == reference.linear.feature_codes(text)


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("", ["^", "$", "^ $"]),
        ("ab ab", ["^", "ab", "$", "^ ab", "ab ab", "ab $", "^ ab ab", "ab ab $"]),
        ("_", ["^", "$", "^ $"]),
        ("A7", ["^", "a0", "$", "^ a0", "a0 $", "^ a0 $"]),
        ("改é", ["^", "改", "é", "$", "^ 改", "改 é", "é $", "^ 改 é", "改 é $"]),
        ("don't", ["^", "don't", "$", "^ don't", "don't $", "^ don't $", "don'*", "*n't"]),
        ("Résumé", ["^", "résumé", "$", "^ résumé", "résumé $", "^ résumé $", "résu*", "*umé"]),
        ("a'", ["^", "a", "'", "$", "^ a", "a '", "' $", "^ a '", "a ' $"]),
    ],
)
def test_features_by_hand(text: str, features: list[str]) -> None:
    assert linear.feature_codes(text) == [crc32(one.encode()) for one in features]


def test_every_character_is_of_the_sort_that_it_is_of_in_an_expression() -> None:
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    for start in range(0, len(everything), 1 << 16):
        beside = "x".join(everything[start : start + (1 << 16)])  # whether it makes one word of the letters beside it
        assert linear.feature_codes(beside) == reference.linear.feature_codes(beside)


def test_a_surrogate_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        linear.feature_codes("a\ud800")


def weights(seed: int, labels: int = 3, dimension: int = 5) -> tuple[linear.Weights, reference.linear.Weights]:
    """Return the kernel's and the twin's, of the same 64 rows."""
    random = np.random.default_rng(seed)
    given_weights = (
        random.integers(-127, 128, (64, labels), dtype=np.int8),
        float(np.float32(random.random())),
        random.standard_normal(labels, dtype=np.float32),
        random.standard_normal((dimension, labels), dtype=np.float32),
    )
    return linear.Weights(*given_weights), reference.linear.Weights(*given_weights)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(TEXT, st.lists(st.integers(0, 63), max_size=4)), max_size=4),
    st.integers(0, 2**32),
    st.integers(0, 9),
    st.integers(0, 40),
)
def test_scores_equal_the_twins_bit_for_bit(
    texts: list[tuple[str, list[int]]], seed: int, labels: int, dimension: int
) -> None:
    kernel, twin = weights(seed, labels, dimension)
    vectors = np.random.default_rng(seed).standard_normal((len(texts), dimension), dtype=np.float32)
    asked = [text for text, _ in texts], [named for _, named in texts], vectors
    found = kernel.scores(*asked)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, twin.scores(*asked))


def test_scores_by_hand() -> None:
    rows = np.zeros((4, 1), np.int8)
    [mark, end, both] = linear.feature_codes("")  # three features, of which one weighs
    assert len({mark % 4, end % 4, both % 4}) == 3
    rows[both % 4, 0] = 8
    model = linear.Weights(rows, 0.5, np.array([1], np.float32), np.array([[2], [10]], np.float32))
    found = model.scores(["", ""], [[], [both % 4]], np.array([[0, 0], [0.5, 0.25]], np.float32))
    of_words = 1 + 0.5 * 8 * np.float32(3**-0.5)
    np.testing.assert_allclose(found, [[of_words], [of_words + 0.5 * 8 + 1 + 2.5]])


def test_many_rows_are_added_without_a_loss() -> None:
    labels = 2
    rows = np.full((1 << 14, labels), 127, np.int8)
    text = " ".join(f"w{letter}{other}" for letter in "abcdefghijklm" for other in "abcdefghijklm")
    given_weights = rows, 1.0, np.zeros(labels, np.float32), np.zeros((0, labels), np.float32)
    asked = [text], [list[int]()], np.zeros((1, 0), np.float32)
    count = len(linear.feature_codes(text))
    found = linear.Weights(*given_weights).scores(*asked)
    np.testing.assert_array_equal(found, reference.linear.Weights(*given_weights).scores(*asked))
    np.testing.assert_allclose(found, 127 * count**0.5, rtol=1e-6)


@pytest.mark.parametrize(
    ("shapes", "says"),
    [
        ((63, 3, 3, 3), "rows must be a power of two, got 63"),
        ((0, 3, 3, 3), "rows must be a power of two, got 0"),
        ((64, 2, 3, 3), "rows has 2 columns but bias has 3 and meaning 3"),
        ((64, 3, 3, 4), "rows has 3 columns but bias has 3 and meaning 4"),
    ],
)
def test_weights_that_do_not_fit_are_refused_by_both(shapes: tuple[int, int, int, int], says: str) -> None:
    n, columns, labels, of_meaning = shapes
    for one in (linear.Weights, reference.linear.Weights):
        with pytest.raises(ValueError, match=says):
            one(
                np.zeros((n, columns), np.int8),
                1.0,
                np.zeros(labels, np.float32),
                np.zeros((2, of_meaning), np.float32),
            )


@pytest.mark.parametrize(
    ("named", "vectors", "says"),
    [
        ([[64]], (1, 5), r"named rows must be in 0..63, got 64"),
        ([[-1]], (1, 5), r"named rows must be in 0..63, got -1"),
        ([], (1, 5), "1 texts must have as many of named and vectors of 5, got 0 and 1 of 5"),
        ([[1]], (2, 5), "1 texts must have as many of named and vectors of 5, got 1 and 2 of 5"),
        ([[1]], (1, 4), "1 texts must have as many of named and vectors of 5, got 1 and 1 of 4"),
    ],
)
def test_what_does_not_fit_is_refused_by_both(named: list[list[int]], vectors: tuple[int, int], says: str) -> None:
    for one in weights(seed=1):
        with pytest.raises(ValueError, match=says):
            one.scores(["a"], named, np.zeros(vectors, np.float32))
