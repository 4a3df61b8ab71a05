"""What the things of a memory are called: which of their names stand in a text, the longest first."""

from __future__ import annotations

from dataclasses import dataclass

from brain_core.text.language import has_han
from brain_core.text.naming import folded, occurrences
from brain_core.text.words import terms

ITEM, ADDRESS, PROJECT = range(3)
"""Sorts of things: their numbers are ordinals of items, addresses and projects."""

_LEAST_HAN = 2  # characters: one alone begins and ends too many words
_MOST = 8
_MOST_NAMES = 16


@dataclass(frozen=True, slots=True)
class Named:
    """A name that stands in a text, as the memory spells it. things: (sort, number) of all that are called so."""

    name: str
    things: tuple[tuple[int, int], ...]


class Naming:
    """Names of things, found by their words. A name of stop words alone, or of one Han character, is never found."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._shown: dict[str, str] = {}
        self._things: dict[str, set[tuple[int, int]]] = {}
        self._of: dict[tuple[int, int], list[str]] = {}
        self._by_word: dict[str, list[int]] = {}

    def add(self, name: str, sort: int, number: int) -> None:
        """Take in one more name of a thing."""
        shown = name.strip()
        name, thing = folded(shown), (sort, number)
        known = self._things.get(name)
        words = terms(name) if known is None else []
        if known is None and (not words or (has_han(name) and len(name) < _LEAST_HAN)):
            return
        if known is None or thing not in known:
            self._of.setdefault(thing, []).append(name)
        if known is not None:
            known.add(thing)
            return
        self._things[name], self._shown[name] = {thing}, shown
        # A text that joins a name to something, as in owner/name, has its parts as terms, not the whole.
        word = max((one for one in words if one.isalnum()), key=lambda one: (len(one), one), default=words[0])
        self._by_word.setdefault(word, []).append(len(self._names))
        self._names.append(name)

    def named_in(self, text: str) -> list[Named]:
        """Return up to eight names that stand in a text, in its order; where two overlap the longer, then the first."""
        text = folded(text)
        words = dict.fromkeys(terms(text))
        names = (self._names[number] for word in words for number in self._by_word.get(word, ()))
        spans = sorted((-len(name), start, name) for name in names for start in occurrences(name, text))
        taken: dict[int, str] = {}
        covered: set[int] = set()
        for _, start, name in spans:
            own = range(start, start + len(name))
            if name not in taken.values() and covered.isdisjoint(own):
                taken[start] = name
            covered.update(own)
        named = [taken[start] for start in sorted(taken)[:_MOST]]
        return [Named(self._shown[name], tuple(sorted(self._things[name]))) for name in named]

    def names_of(self, thing: tuple[int, int]) -> list[str]:
        """Return what a thing is called, folded, at most sixteen."""
        return self._of[thing][:_MOST_NAMES]
