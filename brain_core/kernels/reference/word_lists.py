"""What `word_lists.WordLists` answers."""

from __future__ import annotations

from collections.abc import Collection

_LONGEST = 2000  # characters of a text of which one list is asked


class WordLists:
    """Lists of words. Twin of the kernel's."""

    def __init__(self) -> None:
        self._lists: list[Collection[str]] = []

    def add(self, words: Collection[str]) -> int:
        """Add a list and return its number."""
        for word in words:
            if not word or "\0" in word:
                raise ValueError(f"a word must have characters, none of them NUL, got {word!r}")
        self._lists.append(words)
        return len(self._lists) - 1

    def lacks(self, text: str, number: int) -> bool:
        """Return whether a text that is not too long has no word of a list."""
        return len(text) <= _LONGEST and not any(word in text for word in self._lists[number])
