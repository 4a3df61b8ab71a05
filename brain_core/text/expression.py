"""Regular expressions that are compiled at first use: hundreds of them cost half a second of a start together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

from brain_core.kernels.sieve import Guard, Sieve
from brain_core.text.needed import needed

_ESCAPE = re.compile(r"\\u(?:2[ef]|[3-9])[0-9a-f]{2,3}|\\[^xuUN]|\(\?P[<=]\w+|\(\?[:=!<>]")
"""Capitals in an expression that stand for no letter, and characters that have no capitals."""
_OTHER = re.compile(r"\\|\(\?")
_ASCII = re.compile(r"[\x00-\x7f]+")
_LONGEST = 2_000  # characters of a text that is looked through for capitals beyond ASCII
_SEARCHES = ("search", "match", "sub", "findall")


class Expression:
    """What `re.compile(source, flags)` gives, compiled once one of its methods is asked for.

    One that does not compile raises re.error then. It is not taken by the functions of `re`. Where it ignores case, a
    text without capitals but ASCII is searched in small letters first: there each alternative of a word need not be
    tried at each place, which is several times as quick, and most searches find nothing. Once it has been asked for a
    while, a text is no longer searched that lacks what each match needs.
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
        guard = None if "search" in self.__dict__ else _guard(self.pattern, self.flags)
        if guard is not None:
            self.__dict__.update((each, getattr(guard, each)) for each in _SEARCHES)
            if name in _SEARCHES:
                return getattr(guard, name)
        compiled = re.compile(self.pattern, self.flags)
        missing = Expression.__annotations__.keys() - self.__dict__.keys()
        self.__dict__.update((each, getattr(compiled, each)) for each in missing)
        return getattr(compiled, name)


def _guard(pattern: str, flags: int) -> Guard | None:
    """Return what searches for an expression, None where nothing is known that spares a search."""
    whole = partial(re.compile, pattern, flags)
    if _may_be_folded(pattern, flags):
        small = _in_small_letters(pattern)
        return Guard(_SIEVE, partial(needed, small), whole, partial(re.compile, small))
    return None if flags else Guard(_SIEVE, partial(needed, pattern), whole)


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
    if len(text) > _LONGEST:
        return None
    rest = _ASCII.sub("", text)
    return text.lower() if rest.lower() == rest == rest.upper() else None


_SIEVE = Sieve(_small_letters)
"""What each match of an expression needs, of all that are often asked: a text is looked through for it once."""


def group_of(match: re.Match[str], name: str) -> str:
    """Return what a group of a match has, or one of its name and a number; empty where none has anything."""
    return next((text for each, text in match.groupdict().items() if text and each.startswith(name)), "")
