"""What `sieve.Sieve` and `sieve.Guard` answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

Word = tuple[str, int, int]
Ways = Collection[Collection[Collection[Word]]]

_BEGINS = ("", r"(?<!\w)", r"\A\W*")
_ENDS = ("", r"(?!\w)", r"\W*\Z")
_LONGEST = 2000  # characters of a text of which one pattern is asked


class Sieve:
    """Ways of patterns. Twin of the kernel's, without what it remembers."""

    def __init__(self) -> None:
        self._ways: list[Ways] = []

    def add(self, ways: Ways) -> int:
        """Add a pattern and return its number."""
        for way in ways:
            if not way:
                raise ValueError("a way must have 1 to 255 demands, got 0")
            for text, *edges in (word for demand in way for word in demand):
                if not text or "\0" in text:
                    raise ValueError(f"a word must have characters, none of them NUL, got {text!r}")
                if not set(edges) <= {0, 1, 2}:
                    raise ValueError(f"edges must be in 0..2, got {edges[0]}, {edges[1]}")
        self._ways.append(ways)
        return len(self._ways) - 1

    def possible(self, text: str) -> list[int]:
        """Return the numbers of the patterns of which a way is met by a text."""
        return [number for number in range(len(self._ways)) if self._is_met(number, text)]

    def excludes(self, text: str, number: int) -> bool:
        """Return whether no way of a pattern is met by a text that is not too long."""
        return len(text) <= _LONGEST and not self._is_met(number, text)

    def _is_met(self, number: int, text: str) -> bool:
        return any(all(any(_stands(word, text) for word in demand) for demand in way) for way in self._ways[number])


def _stands(word: Word, text: str) -> bool:
    letters = r"\d".join(map(re.escape, word[0].split("0")))
    return re.search(rf"{_BEGINS[word[1]]}{letters}{_ENDS[word[2]]}", text) is not None


class Guard:
    """Searches of an expression, whatever a sieve knows. Twin of the kernel's."""

    def __init__(self, whole: Callable[[], re.Pattern[str]]) -> None:
        self._compiled = whole()

    def search(self, text: str, *bounds: int) -> re.Match[str] | None:
        """Return the first match."""
        return self._compiled.search(text, *bounds)

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:
        """Return the match where the text begins."""
        return self._compiled.match(text, *bounds)

    def findall(self, text: str, *bounds: int) -> list[Any]:
        """Return what matches, or its groups."""
        return self._compiled.findall(text, *bounds)

    def sub(self, replacement: str, text: str) -> str:
        """Return the text with something else for each match."""
        return self._compiled.sub(replacement, text)
