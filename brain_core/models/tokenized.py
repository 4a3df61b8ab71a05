"""A tokenizer that remembers words: most of what is said is said in words that were said before."""

from __future__ import annotations

import json
import re
from typing import Any

from tokenizers import Tokenizer

_MOST_WORDS = 1 << 16
_MARKS = r"!-/:-@\\-`{-~‘’“”–—…、。《》「」『』【】（），！？：；"  # without [, which special tokens begin with
_IN_WORDS = "0-9A-Za-z\u00c0-\u024f\ufffc"  # the last stands for what is masked
_HUMP = re.compile("(?<=[a-z])(?=[A-Z])")
_HUMPS = {"type": "Replace", "pattern": {"Regex": _HUMP.pattern}, "content": " "}


class TokenizedWords:
    """Token ids of texts. Safe for use from many threads.

    Of plain text, Latin with the usual marks, BERT's tokenizers make words, and then tokens of each word alone: so each
    is asked for once. It was 70 % of an embedding. Any other text or tokenizer is asked for whole.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        parts = json.loads(tokenizer.to_str())
        self._word_by_word = _is_berts(parts)
        marks = _MARKS if parts.get("added_tokens") else rf"\[{_MARKS}"
        self._plain = re.compile(rf"[\t\n\r {marks}{_IN_WORDS}]*")
        self._word = re.compile(rf"[{_IN_WORDS}]+|[{marks}]")
        self._known: dict[str, list[int]] = {}
        self._marks_tokens = bool(parts.get("added_tokens"))
        self._ignores_case = self._word_by_word and all(step.get("lowercase", True) for step in _steps(parts))

    def folded(self, text: str) -> str:
        """Return a text with the same tokens: in small letters, where it is sure that capitals make no difference."""
        if not (self._ignores_case and text.isascii()) or (self._marks_tokens and "[" in text):
            return text
        small = text.lower()
        return text if small == text or _HUMP.search(text) else small

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's tokens, without special ones."""
        if not (self._word_by_word and self._plain.fullmatch(text)):
            return self._encoded(text)
        found: list[int] = []
        for word in self._word.findall(text):
            ids = self._known.get(word)
            found += self._learned(word) if ids is None else ids
        return found

    def _learned(self, word: str) -> list[int]:
        if len(self._known) >= _MOST_WORDS:
            self._known = {}
        ids = self._known[word] = self._encoded(word)
        return ids

    def _encoded(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


def _is_berts(parts: dict[str, Any]) -> bool:
    """Return whether text is split at white space and punctuation, and what is between is tokenized by itself."""
    return (
        all(step == _HUMPS or step.get("type") == "BertNormalizer" for step in _steps(parts))
        and (parts.get("pre_tokenizer") or {}).get("type") == "BertPreTokenizer"
        and parts["model"]["type"] == "WordPiece"
    )


def _steps(parts: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a tokenizer does to a text before it splits it."""
    normalizer = parts.get("normalizer") or {}
    steps: list[dict[str, Any]] = normalizer.get("normalizers", [normalizer])
    return steps
