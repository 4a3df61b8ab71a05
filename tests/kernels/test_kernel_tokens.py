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
def test_the_count_equals_the_twins(text: str, vocabulary: list[str]) -> None:
    kernel, twin = WordPieces(vocabulary), reference.WordPieces(vocabulary)
    assert (kernel.count(text), kernel.weigh(text)) == (twin.count(text), twin.weigh(text))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\u3000", 0),
        ("cat", 2),
        ("Cats CATS cats", 7),
        ("scat", 5),
        ("a" * 40, 42),
        ("我爱你", 4),
        ("1234", 5),
        ("2026", 3),
        ("🙂", 3),
        ("한", 3),
        ("é", 2),
    ],
)
def test_counts_by_hand(text: str, tokens: int) -> None:
    assert WordPieces(_VOCABULARY).count(text) == tokens


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError):
        WordPieces(_VOCABULARY).count(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        WordPieces([7])  # type: ignore[list-item]
