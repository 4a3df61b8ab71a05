"""What `sieve.Sieve` answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Generic, TypeVar

Name = TypeVar("Name")

_LONGEST = 2000  # characters of a text of which one list is asked


class WordLists(Generic[Name]):
    """Names with words. Twin of the kernel's."""

    def __init__(self, lists: Mapping[Name, Collection[str]] | None = None) -> None:
        self._lists: list[tuple[Name, Collection[str]]] = []
        for name, words in (lists or {}).items():
            self.add(name, words)

    def add(self, name: Name, words: Collection[str]) -> int:
        """Add a list and return its number."""
        for word in words:
            if not word or "\0" in word:
                raise ValueError(f"a word must have characters, none of them NUL, got {word!r}")
        self._lists.append((name, words))
        return len(self._lists) - 1

    def lacking(self, text: str) -> set[Name]:
        """Return the names of which no word stands in a text."""
        return {name for name, words in self._lists if not any(word in text for word in words)}

    def lacks(self, text: str, number: int) -> bool:
        """Return whether a text that is not too long has no word of a list."""
        return len(text) <= _LONGEST and not any(word in text for word in self._lists[number][1])
