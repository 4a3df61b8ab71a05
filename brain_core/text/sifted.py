"""Expressions that are looked for together: one pass over a text tells which of them cannot be found in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence, Set
from functools import cached_property, lru_cache

from brain_core.kernels.sieve import Sieve
from brain_core.text.expression import Expression
from brain_core.text.needed import needed

_REMEMBERED = 16  # texts: a message and its sentences


class Sifter:
    """Knows expressions that are looked for in the same texts. Safe for use from many threads once it knows them."""

    def __init__(self) -> None:
        self._patterns: dict[Hashable, str] = {}
        self.possible: Callable[[str], Set[Hashable]] = lru_cache(maxsize=_REMEMBERED)(self._possible)
        """Returns of a text the names of those that may have a match in it: no others have."""

    def expression(self, pattern: str) -> Sifted:
        """Return what searches for a pattern without flags, which is compiled at first use; it is its own name."""
        made = Sifted(pattern, self)
        self.add(made, pattern)
        return made

    def add(self, name: Hashable, pattern: str) -> None:
        """Look for a pattern, without flags, too. Not once a text has been looked at."""
        self._patterns[name] = pattern

    @cached_property
    def _sieve(self) -> tuple[Sieve, Sequence[Hashable], frozenset[Hashable]]:
        """What tells them apart by what they need, its names, and those that need nothing."""
        ways = {name: needed(pattern) for name, pattern in self._patterns.items()}
        sieve = Sieve()
        for of_name in ways.values():
            sieve.add(of_name)
        return sieve, list(ways), frozenset(name for name, of_name in ways.items() if not of_name)

    def _possible(self, text: str) -> Set[Hashable]:
        sieve, names, always = self._sieve
        return always.union([names[number] for number in sieve.possible(text)])


class Sifted:
    """An expression of a `Sifter`, found as `re` finds it."""

    def __init__(self, pattern: str, sifter: Sifter) -> None:
        self.pattern = pattern
        self._expression = Expression(pattern)
        self._sifter = sifter

    def is_absent(self, text: str) -> bool:
        """Return whether there is surely no match."""
        return self not in self._sifter.possible(text)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match, or None."""
        return None if self.is_absent(text) else self._expression.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return the matches, from left to right."""
        return iter(()) if self.is_absent(text) else self._expression.finditer(text)

    def sub(self, replacement: str, text: str) -> str:
        """Return a text with a replacement for each match."""
        return text if self.is_absent(text) else self._expression.sub(replacement, text)
