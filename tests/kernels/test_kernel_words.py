"""A query's words and those of like meaning, scored in one call, against its twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.kernels import reference
from brain_core.kernels.bm25 import Postings
from brain_core.kernels.vocabulary import Vocabulary
from brain_core.kernels.words import Alike, ask

WORDS = ("tea", "rain", "lisbon", "茶", "下雨", "雨", "unheard", "遥远")
VOCABULARY, TWIN = Vocabulary(), reference.vocabulary.Vocabulary()
for known in (VOCABULARY, TWIN):
    known.learn(WORDS[:6])
FORMULA = (1.0, 1.2, 0.75, 1.2)
NONE_ALIKE, NONE_AROUND = (0.0, 0, 0.0), (0.0, 0)

asked = st.sampled_from(("tea", "rain", "unheard"))
words = st.sampled_from(WORDS)
others = st.tuples(st.lists(words, min_size=1, max_size=2, unique=True).map(tuple), st.floats(0.1, 1))
alike = st.tuples(
    st.lists(asked, min_size=1, max_size=2, unique=True).map(tuple),
    st.lists(others, min_size=1, max_size=4).map(tuple),
    st.booleans(),
)
counts = st.dictionaries(st.integers(0, 5), st.integers(1, 9), max_size=5)


def ints(*values: int) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def filled(documents: reference.bm25.Documents, least_length: float = 0.0) -> Postings:
    postings = Postings(least_length)
    for terms, each, group in documents:
        postings.add(terms, each, group)
    return postings


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(counts, st.integers(-1, 3)), min_size=2, max_size=12),
    st.lists(asked | words, max_size=5, unique=True),
    st.lists(alike, max_size=4),
    st.tuples(st.floats(0.1, 1), st.integers(0, 3), st.floats(0.1, 1)),
    st.lists(st.lists(st.integers(0, 5), unique=True).map(lambda ids: ints(*ids)), max_size=2),
    st.tuples(st.floats(0.1, 1), st.integers(0, 4)),
    st.tuples(st.floats(1, 2), st.floats(0, 3), st.floats(0, 1), st.floats(0, 3)),
    st.sampled_from([3, 6, 1000, 1000]),
    st.sampled_from([0, -1, 60]),
)
def test_what_words_say_equals_the_twin_bit_for_bit(
    texts: list[tuple[dict[int, int], int]],
    wanted: list[str],
    like: list[reference.words.Alike],
    alike: tuple[float, int, float],
    beside: list[NDArray[np.int32]],
    around: tuple[float, int],
    formula: tuple[float, float, float, float],
    soon_scored: int,
    first_bit: int,
) -> None:
    documents = [(ints(*one), np.array([*one.values()], dtype=np.float32), group) for one, group in texts]
    bits = ints(*(min(first_bit + place, 63) for place in range(len(wanted))))
    said = (alike, beside, around, formula, soon_scored)
    ready = tuple(Alike(*one) for one in like)
    found = ask(filled(documents, 7.5), VOCABULARY, tuple(wanted), bits, ready, *said)
    theirs = reference.words.ask(documents, TWIN, tuple(wanted), bits, like, *said, 7.5)
    *arrays, similar = found
    *expected, expected_similar = theirs
    for mine, other in zip(arrays, expected, strict=True):
        np.testing.assert_array_equal(mine, other, strict=True)
    assert list(similar.items()) == list(expected_similar.items())


TEXTS = [
    (ints(0), np.ones(1, np.float32), 0),
    (ints(1, 3), np.ones(2, np.float32), 1),
    (ints(4, 5), np.ones(2, np.float32), -1),
]


def test_a_word_of_like_meaning_counts_less_than_the_word_and_stands_for_it() -> None:
    like = (Alike(("tea",), ((("茶",), 0.8),), translated=True),)
    found = ask(filled(TEXTS), VOCABULARY, ("tea",), ints(0), like, (0.5, 4, 0.6), [], NONE_AROUND, FORMULA, 1000)
    rows, masks, likes, _, _, told, similar = found
    assert rows[0] > rows[1] > rows[2] == 0
    assert (masks.tolist(), likes.tolist()) == ([1, 0, 0], [1, 1, 0])
    assert (told.tolist(), similar) == ([1.0], {"茶": 0.4})


def test_a_translation_makes_a_word_known_that_no_text_has() -> None:
    like = (Alike(("unheard",), ((("下雨", "雨"), 0.5),), translated=True),)
    found = ask(filled(TEXTS), VOCABULARY, ("unheard",), ints(0), like, (1.0, 4, 0.6), [], NONE_AROUND, FORMULA, 1000)
    assert found[5].tolist() == [0.3]
    assert found[6] == {"下雨": 0.25, "雨": 0.25}
    assert found[2].tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("bits", "alike", "formula", "named"),
    [
        (ints(), NONE_ALIKE, FORMULA, "bits has 0"),
        (ints(64), NONE_ALIKE, FORMULA, r"bits\[0\] must be below 64"),
        (ints(0), (-1.0, 0, 0.0), FORMULA, "must be ≥ 0"),
        (ints(0), NONE_ALIKE, (1.0, -1.0, 0.75, 1.2), "k1"),
    ],
)
def test_what_does_not_fit_is_refused(
    bits: NDArray[np.int32],
    alike: tuple[float, int, float],
    formula: tuple[float, float, float, float],
    named: str,
) -> None:
    with pytest.raises(ValueError, match=named):
        ask(filled(TEXTS), VOCABULARY, ("tea",), bits, (), alike, [], NONE_AROUND, formula, 10)


def test_a_word_without_terms_is_refused() -> None:
    with pytest.raises(ValueError, match="must have terms"):
        Alike((), ((("tea",), 0.8),), translated=False)
    with pytest.raises(ValueError, match="must have terms"):
        Alike(("tea",), (((), 0.8),), translated=False)
    with pytest.raises(TypeError, match="must be a str"):
        Alike(("tea",), (((7,), 0.8),), translated=False)  # type: ignore[arg-type]
