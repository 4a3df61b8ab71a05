"""Whether and where a name stands in a text, as a word of its own."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_FIRST_CJK = "\u2e80"


def folded(text: str) -> str:
    """Return a text without differences of case and width."""
    return unicodedata.normalize("NFKC", text).casefold()


def occurrences(name: str, text: str) -> Iterator[int]:
    """Yield where a name begins in a text, both folded alike; Han have no spaces around them. "" stands nowhere."""
    start = text.find(name) if name else -1
    while start >= 0:
        before = text[start - 1] if start else " "
        after = text[start + len(name)] if start + len(name) < len(text) else " "
        if not (_joins(before, name[0]) or _joins(name[-1], after)):
            yield start
        start = text.find(name, start + 1)


def _joins(one: str, other: str) -> bool:
    """Return whether two letters beside each other belong to one word."""
    return one.isalnum() and other.isalnum() and one.isascii() == other.isascii() and one < _FIRST_CJK
