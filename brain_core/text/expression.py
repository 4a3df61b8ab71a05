"""Regular expressions that are compiled at first use: hundreds of them cost half a second of a start together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

from brain_core.kernels.word_lists import WordLists
from brain_core.text.one_of import one_of

_ESCAPE = re.compile(r"\\u(?:2[ef]|[3-9])[0-9a-f]{2,3}|\\[^xuUN]|\(\?P[<=]\w+|\(\?[:=!<>]")
"""Capitals in an expression that stand for no letter, and characters that have no capitals."""
_OTHER = re.compile(r"\\|\(\?")
_ASCII = re.compile(r"[\x00-\x7f]+")
_REMEMBERED = 256  # texts, each of which is searched by many expressions
_REMEMBERED_CHARS = 2_000  # of such a text
_SEARCHES = ("search", "match", "sub", "findall")
_OFTEN = 16  # searches after which it pays to read what a match needs
_IN_NO_LIST = -1


class Expression:
    """What `re.compile(source, flags)` gives, compiled once one of its methods is asked for.

    One that does not compile raises re.error then. It is not taken by the functions of `re`. Once it has been asked
    for a while, a text is no longer searched that has none of the strings of which each match has one.
    """

    search: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[Any]]
    split: Callable[..., list[str]]
    sub: Callable[..., str]
    groups: int
    groupindex: dict[str, int]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags
        self._searching: _Folding | _Plain | None = None
        self._asked = 0

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever it is of the compiled one
        if name in _SEARCHES and (self._searching is not None or _is_searched_otherwise(self.pattern, self.flags)):
            return self._counted(name)
        compiled = re.compile(self.pattern, self.flags)
        for each in Expression.__annotations__:
            if each not in self.__dict__ and (each not in _SEARCHES or self._searching is None):
                setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)

    def _counted(self, name: str) -> Any:  # noqa: ANN401  one of the methods that search
        """Return a method of those that search; from `_OFTEN` times on they are the expression's own."""
        searching = self._searching
        if searching is None:
            folds = _may_be_folded(self.pattern, self.flags)
            searching = self._searching = (_Folding if folds else _Plain)(self.pattern, self.flags)
        self._asked += 1
        if self._asked == _OFTEN:
            ways = searching.listed()
            for each in _SEARCHES:
                setattr(self, each, getattr(ways, each))
        return getattr(searching, name)


def _is_searched_otherwise(pattern: str, flags: int) -> bool:
    return flags == 0 or _may_be_folded(pattern, flags)


def _may_be_folded(pattern: str, flags: int) -> bool:
    """Return whether an expression, in small letters, finds in `_small_letters` what it finds in the text."""
    rest = _ESCAPE.sub("", pattern)
    if flags != re.IGNORECASE or _OTHER.search(rest):
        return False
    return all(each.isascii() or each.lower() == each.upper() for each in rest)


def _in_small_letters(pattern: str) -> str:
    escapes = [*_ESCAPE.findall(pattern), ""]
    between = map(str.lower, _ESCAPE.split(pattern))
    return "".join(chain.from_iterable(zip(between, escapes, strict=True)))


def _small_letters(text: str) -> str | None:
    """Return a text in small letters, None if a letter that is not ASCII has capitals, or it is too long to look."""
    if text.isascii():
        return text.lower()
    return _uncased(text) if len(text) <= _REMEMBERED_CHARS else None


@lru_cache(maxsize=_REMEMBERED)
def _uncased(text: str) -> str | None:
    rest = _ASCII.sub("", text)
    return text.lower() if rest.lower() == rest == rest.upper() else None


_LISTS = WordLists()
"""What each match of an expression needs, of all that are often asked: a text is looked through for them once."""
_lacks = _LISTS.lacks


class _Plain:
    """Searches texts as they stand, but those that lack what each match needs."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self._compiled = re.compile(pattern, flags)
        self._number = _IN_NO_LIST

    def listed(self) -> _Plain | re.Pattern[str]:
        """Return what searches from now on: the compiled expression where nothing is needed for a match."""
        self._number = _number_of(self._pattern)
        return self._compiled if self._number == _IN_NO_LIST else self

    def search(self, text: str, *bounds: int) -> re.Match[str] | None:
        if self._number != _IN_NO_LIST and _lacks(text, self._number):
            return None
        return self._compiled.search(text, *bounds)

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:
        return None if self._lacks(text) else self._compiled.match(text, *bounds)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return text if self._lacks(text) else self._compiled.sub(replacement, text, count)

    def findall(self, text: str, *bounds: int) -> list[Any]:
        return [] if self._lacks(text) else self._compiled.findall(text, *bounds)

    def _lacks(self, text: str) -> bool:
        return self._number != _IN_NO_LIST and _lacks(text, self._number)


class _Folding:
    """Searches in small letters first, where it need not try each alternative of a word at each place.

    So it does of a text without capitals but ASCII. That is several times as quick, and most searches find nothing.
    What is found is matched again for its capitals.
    """

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags
        self._number = _IN_NO_LIST

    def listed(self) -> _Folding:
        """Return what searches from now on."""
        self._number = _number_of(_in_small_letters(self._pattern))
        return self

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)

    @cached_property
    def _small(self) -> re.Pattern[str]:
        return re.compile(_in_small_letters(self._pattern), self._flags & ~re.IGNORECASE)

    def search(self, text: str, *bounds: int) -> re.Match[str] | None:
        small = _small_letters(text)
        if small is None:
            return self._whole.search(text, *bounds)
        if self._number != _IN_NO_LIST and _lacks(small, self._number):
            return None
        found = self._small.search(small, *bounds)
        return None if found is None else self._whole.match(text, found.start(), *bounds[1:])

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:
        small = _small_letters(text)
        if small is not None and (self._lacks(small) or self._small.match(small, *bounds) is None):
            return None
        return self._whole.match(text, *bounds)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        small = _small_letters(text)
        if small is not None and (self._lacks(small) or self._small.search(small) is None):
            return text
        return self._whole.sub(replacement, text, count)

    def findall(self, text: str, *bounds: int) -> list[Any]:
        small = _small_letters(text)
        if small is not None and (self._lacks(small) or self._small.search(small, *bounds) is None):
            return []
        return self._whole.findall(text, *bounds)

    def _lacks(self, small: str) -> bool:
        return self._number != _IN_NO_LIST and _lacks(small, self._number)


def _number_of(pattern: str) -> int:
    """Return the number of what a match of an expression without flags needs, `_IN_NO_LIST` if that is not known.

    Nor if a single Latin letter or mark is enough, which most texts have.
    """
    words = one_of(pattern)
    if not words or any("\0" in word or (len(word) == 1 and word.isascii()) for word in words):
        return _IN_NO_LIST
    return _LISTS.add(words)
