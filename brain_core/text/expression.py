"""Regular expressions that are compiled at first use: hundreds of them cost half a second of a start together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

_ESCAPE = re.compile(r"\\u(?:2[ef]|[3-9])[0-9a-f]{2,3}|\\[^xuUN]|\(\?P[<=]\w+|\(\?[:=!<>]")
"""Capitals in an expression that stand for no letter, and characters that have no capitals."""
_OTHER = re.compile(r"\\|\(\?")
_ASCII = re.compile(r"[\x00-\x7f]+")
_REMEMBERED = 256  # texts, each of which is searched by many expressions
_REMEMBERED_CHARS = 2_000  # of such a text
_FOLDED = ("search", "match", "sub", "findall")


class Expression:
    """What `re.compile(source, flags)` gives, compiled once one of its methods is asked for.

    One that does not compile raises re.error then. It is not taken by the functions of `re`.
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

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever it is of the compiled one
        if name in _FOLDED and _may_be_folded(self.pattern, self.flags):
            folding = _Folding(self.pattern, self.flags)
            for each in _FOLDED:
                setattr(self, each, getattr(folding, each))
            return getattr(folding, name)
        compiled = re.compile(self.pattern, self.flags)
        for each in Expression.__annotations__:
            if each not in self.__dict__:
                setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


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


class _Folding:
    """Searches in small letters first, where it need not try each alternative of a word at each place.

    So it does of a text without capitals but ASCII. That is several times as quick, and most searches find nothing.
    What is found is matched again for its capitals.
    """

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags

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
        found = self._small.search(small, *bounds)
        return None if found is None else self._whole.match(text, found.start(), *bounds[1:])

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:
        small = _small_letters(text)
        if small is not None and self._small.match(small, *bounds) is None:
            return None
        return self._whole.match(text, *bounds)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        small = _small_letters(text)
        if small is not None and self._small.search(small) is None:
            return text
        return self._whole.sub(replacement, text, count)

    def findall(self, text: str, *bounds: int) -> list[Any]:
        small = _small_letters(text)
        if small is not None and self._small.search(small, *bounds) is None:
            return []
        return self._whole.findall(text, *bounds)
