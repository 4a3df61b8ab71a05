"""Which names and numbers a model's line adds to what it rests on. Names are told by capitals, digits and quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TITLE = re.compile(r"[《「『“]([^》」』”]{2,40})[》」』”]")
_BEGINS = re.compile(r"(?:^|[.!?:;。！？：；(（\[\"“])\s*$")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NO_NAMES = {"i", "ok", "am", "pm"}


def added(line: str, texts: Sequence[str]) -> list[str]:
    """Return the names and numbers of a line that stand in none of the texts, in order.

    A capital at the beginning of a sentence tells nothing, so a name that stands only there may pass; so may one of Han
    characters that nobody quotes.
    """
    whole = "\n".join(texts).casefold()
    words, numbers = set(_WORD.findall(whole)), set(_numbers(whole))
    names = [name for name in _names(line) if not _stands(name.casefold(), words, numbers)]
    titles = [title for title in _TITLE.findall(line) if title.casefold() not in whole]
    return [*names, *titles, *(number for number in _numbers(line) if number not in numbers)]


def _stands(name: str, words: set[str], numbers: set[str]) -> bool:
    month = next((str(place) for place, each in enumerate(_MONTHS, 1) if name.startswith(each)), "")
    return name in words or name.removesuffix("s") in words or month in numbers


def _names(line: str) -> Iterator[str]:
    for match in _WORD.finditer(line):
        word = match[0]
        inside = word[1:] != word[1:].lower() or any(each.isdigit() for each in word)
        begins = _BEGINS.search(line[: match.start()]) is not None
        if (inside or (word[0].isupper() and not begins)) and word.lower() not in _NO_NAMES:
            yield word


def _numbers(text: str) -> Iterator[str]:
    """Yield the numbers of a text, without the marks of thousands and leading zeros."""
    for number in _NUMBER.findall(text):
        yield number.replace(",", "").lstrip("0") or "0"
