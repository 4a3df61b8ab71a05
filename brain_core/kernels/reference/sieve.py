"""What `sieve.Sieve` answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Generic, TypeVar

Name = TypeVar("Name")


class Sieve(Generic[Name]):
    """Names with words. Twin of the kernel's."""

    def __init__(self, lists: Mapping[Name, Collection[str]]) -> None:
        for word in (word for words in lists.values() for word in sorted(words)):
            if not word or "\0" in word:
                raise ValueError(f"a word must have characters, none of them NUL, got {word!r}")
        self._lists = lists

    def lacking(self, text: str) -> set[Name]:
        """Return the names of which no word stands in a text."""
        return {name for name, words in self._lists.items() if not any(word in text for word in words)}
