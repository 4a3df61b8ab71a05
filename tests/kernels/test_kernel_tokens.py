"""Estimated tokens against the twin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import reference
from brain_core.kernels.tokens import WordPieces

_PARTS = (
    "_",
    "snake",
    "Camel",
    "HTMLParser",
    "A",
    "z",
    "7",
    "2026",
    "٣",
    "²",
    " ",
    "\n",
    "\u3000",
    "\x1c",
    "我",
    "é",
    "🙂",
    "한",
    "cats",
    "windows",
    " 7",
)
_VOCABULARY = [
    "[CLS]",
    "cat",
    "##s",
    "window",
    "##ow",
    "snake",
    "camel",
    "c",
    "##a",
    "2026",
    "7",
    "我",
    "##我",
    "é",
    "Cat",
]


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(st.text(), st.lists(st.sampled_from(_PARTS)).map("".join)),
    st.lists(st.sampled_from(_VOCABULARY)),
)
def test_the_weight_equals_the_twins(text: str, vocabulary: list[str]) -> None:
    assert WordPieces(vocabulary).weigh(text) == reference.tokens.WordPieces(vocabulary).weigh(text)


@pytest.mark.parametrize(
    ("text", "hundredths"),
    [
        ("", 0),
        (" \t\u3000", 0),
        ("cat", 100),
        ("Cats CATS cats", 600),
        ("scat", 400),
        ("a" * 40, 4000),
        ("我爱你", 300),
        ("1234", 400),
        ("2026", 200),
        ("🙂", 200),
        ("한", 200),
        ("é", 100),
        ("cat\ncat\n", 340),
        ("cat 2026", 370),
        ("cat\u30002026", 300),
        ("7 7", 270),
        (" 7", 170),
    ],
)
def test_weights_by_hand(text: str, hundredths: int) -> None:
    assert WordPieces(_VOCABULARY).weigh(text) == hundredths


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError):
        WordPieces(_VOCABULARY).weigh(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        WordPieces([7])  # type: ignore[list-item]
