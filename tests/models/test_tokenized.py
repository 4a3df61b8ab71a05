"""Words that are remembered have the tokens that the tokenizer gives the text as a whole."""

from __future__ import annotations

import json

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


@settings(max_examples=300, deadline=None)
@given(st.text(LATIN | MARKS | st.sampled_from("aBcD[]"), max_size=20))
def test_a_folded_text_has_the_same_tokens(text: str) -> None:
    assert WORDS.ids(WORDS.folded(text)) == WORDS.ids(text)


def test_texts_that_differ_in_capitals_fold_to_one() -> None:
    assert WORDS.folded("What did I say?") == WORDS.folded("WHAT DID I SAY?") == "what did i say?"
    assert WORDS.folded("the readFile of it") == "the readFile of it"  # of which two words are made


def test_where_case_tells_tokens_apart_nothing_is_folded() -> None:
    parts = json.loads(TOKENIZER.to_str())
    for step in parts["normalizer"]["normalizers"]:
        step.update({"lowercase": False} if step["type"] == "BertNormalizer" else {})
    assert TokenizedWords(Tokenizer.from_str(json.dumps(parts))).folded("What") == "What"


def test_special_tokens_keep_their_capitals() -> None:
    tokenizer = Tokenizer.from_str(TOKENIZER.to_str())
    tokenizer.add_special_tokens(["[CLS]"])
    words = TokenizedWords(tokenizer)
    assert words.folded("[CLS] A") == "[CLS] A"
    assert words.folded("CLS A") == "cls a"
