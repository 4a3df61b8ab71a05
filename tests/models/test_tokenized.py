"""Words that are remembered have the tokens that the tokenizer gives the text as a whole."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from brain_core.models.static import BUILT_IN
from brain_core.models.tokenized import TokenizedWords

TOKENIZER = Tokenizer.from_file(str(BUILT_IN / "tokenizer.json"))
WORDS = TokenizedWords(TOKENIZER)
LATIN = st.characters(min_codepoint=0x20, max_codepoint=0x24F)
MARKS = st.sampled_from("\n\t‘’“”–—…、。《》「」『』【】（），！？：；\ufffc")


def whole(text: str) -> list[int]:
    ids: list[int] = TOKENIZER.encode(text, add_special_tokens=False).ids
    return ids


@settings(max_examples=500, deadline=None)
@given(st.text(LATIN | MARKS, max_size=20))
def test_word_by_word_is_as_a_whole(text: str) -> None:
    assert WORDS.ids(text) == whole(text)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=20))
def test_any_text_is_as_a_whole(text: str) -> None:
    assert WORDS.ids(text) == whole(text)


def test_marks_and_accents_by_hand() -> None:
    for text in (
        "it’s “fine” – really…",
        "Zoë’s café, naïve",
        "iPhone，好",
        "said \ufffc\ufffc\ufffc. Then",
        "[CLS] a",
    ):
        assert WORDS.ids(text) == whole(text)
