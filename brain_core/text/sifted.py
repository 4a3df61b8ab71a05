"""Expressions that are looked for together: one pass over a text tells which of them cannot be found in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from functools import cached_property, lru_cache

from brain_core.kernels.sieve import Sieve
from brain_core.text.expression import Expression
from brain_core.text.needed import needed

_REMEMBERED = 16  # texts: a message and its sentences


class Sifter:
    """Makes expressions that are looked for in the same texts. Safe for use from many threads."""

    def __init__(self) -> None:
        self._made: list[Sifted] = []
        self.lacking: Callable[[str], Set[Sifted]] = lru_cache(maxsize=_REMEMBERED)(self._lacking)
        """Returns of a text those that have no match in it; not all of them."""

    def expression(self, pattern: str) -> Sifted:
        """Return what searches for a pattern without flags, which is compiled at first use."""
        made = Sifted(pattern, self)
        self._made.append(made)
        return made

    @cached_property
    def _sieve(self) -> Sieve[Sifted]:
        return Sieve({one: ways for one in self._made if (ways := needed(one.pattern))})

    def _lacking(self, text: str) -> Set[Sifted]:
        return self._sieve.lacking(text)


class Sifted:
    """An expression of a `Sifter`, found as `re` finds it."""

    def __init__(self, pattern: str, sifter: Sifter) -> None:
        self.pattern = pattern
        self._expression = Expression(pattern)
        self._sifter = sifter

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match, or None."""
        return None if self in self._sifter.lacking(text) else self._expression.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return the matches, from left to right."""
        return iter(()) if self in self._sifter.lacking(text) else self._expression.finditer(text)

    def sub(self, replacement: str, text: str) -> str:
        """Return a text with a replacement for each match."""
        return text if self in self._sifter.lacking(text) else self._expression.sub(replacement, text)
