"""Whose name a query holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from brain_core.index.chunks import Names
from brain_core.text.words import terms


class Speakers:
    """Names of speakers by ordinal, found by their words."""

    def __init__(self) -> None:
        self._words: list[frozenset[str]] = []
        self._by_word: dict[str, list[int]] = {}

    def learn(self, names: Sequence[str] | Names) -> None:
        """Take in the names past those known: all names in the order of their ordinals."""
        for ordinal in range(len(self._words), len(names)):
            words = frozenset(terms(names[ordinal]))
            self._words.append(words)
            for word in words:
                self._by_word.setdefault(word, []).append(ordinal)

    def names_in(self, words: frozenset[str]) -> list[frozenset[str]]:
        """Return the words of each name whose words are all among a query's, in the order of their ordinals."""
        known = self._by_word.keys() & words
        named = {ordinal for word in known for ordinal in self._by_word[word] if self._words[ordinal] <= words}
        return [self._words[ordinal] for ordinal in sorted(named)]

    def named_in(self, words: frozenset[str]) -> NDArray[np.uint8]:
        """Return uint8[speakers]: 1 where all words of a name are among a query's."""
        named = np.zeros(len(self._words), dtype=np.uint8)
        for word in self._by_word.keys() & words:
            for ordinal in self._by_word[word]:
                named[ordinal] = self._words[ordinal] <= words
        return named
