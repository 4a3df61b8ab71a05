"""Cutting a message into sentences, in whatever script."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(
    r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[!?]*[。！？；…][。！？；…!?]*[”’」』）\"]*|"
    r"[!?]+(?:[”’」』）\"]+|(?=[^\x00-\xff]))|(?<=[^\x00-\xff])[!?]+|\n+"
)
"""A mark of ASCII inside what is written without a space, a password or an address, ends nothing."""
_NOT_AN_END = frozenset(
    [
        "dr",
        "mr",
        "mrs",
        "ms",
        "prof",
        "st",
        "vs",
        "e.g",
        "i.e",
        "eg",
        "ie",
        "approx",
        "inc",
        "ltd",
        "corp",
        "no",
        "nr",
        "fig",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
    ]
)
_LONGEST_SENTENCE = 1000


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of each sentence with its closing mark; none is blank or over 1000 characters."""
    start = 0
    for end in _END.finditer(text):
        if end[0] == "." and _is_abbreviation(text, end.start()):
            continue
        yield from _trimmed(text, start, end.end())
        start = end.end()
    yield from _trimmed(text, start, len(text))


def _is_abbreviation(text: str, dot: int) -> bool:
    word = _LAST_WORD.search(text, max(dot - 12, 0), dot)
    return word is not None and word[0].lower() in _NOT_AN_END


_LAST_WORD = re.compile(r"(?<![^\s(\u0080-\uffff])[A-Za-z.]+$")


def _trimmed(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if 0 < stop - start <= _LONGEST_SENTENCE:
        yield start, stop
