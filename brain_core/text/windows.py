"""Cutting long text into windows that can be shown whole."""

from __future__ import annotations

import re
from dataclasses import dataclass

from brain_core.text.graphemes import grapheme_end

_BREAKS = (
    re.compile(r"\n\s*\n"),  # paragraphs
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…])\s|(?<=[。！？；…])"),  # sentences
    re.compile(r"(?<=[,;:])\s|(?<=[，、：])"),
    re.compile(r"\s"),
)


@dataclass(frozen=True, slots=True)
class Window:
    """Characters [start, stop) of a text, counted in Unicode code points."""

    start: int
    stop: int


def windows(text: str, longest: int) -> list[Window]:
    """Cut a text into consecutive windows of at most `longest` characters, at the widest break there is.

    Windows do not overlap, lose nothing but white space between them, and none is blank. A text that fits is one
    window. Raises ValueError if longest < 1.
    """
    if longest < 1:
        raise ValueError(f"longest must be ≥ 1, got {longest}")
    found: list[Window] = []
    start, end = _trim(text, 0, len(text))
    while start < end:
        stop = end if end - start <= longest else _cut(text, start, start + longest)
        left, right = _trim(text, start, stop)
        if left < right:
            found.append(Window(left, right))
        start, _ = _trim(text, stop, end)
    return found


def _cut(text: str, start: int, limit: int) -> int:
    """Return the last break of the widest sort in the second half of [start, limit), or the end of a grapheme."""
    middle = start + max((limit - start) // 2, 1)
    for breaks in _BREAKS:
        places = [found.end() for found in breaks.finditer(text, middle, limit)]
        if places:
            return places[-1]
    return grapheme_end(text, limit, middle)


def _trim(text: str, start: int, stop: int) -> tuple[int, int]:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return start, stop


def summary_of(text: str, longest: int = 300) -> str:
    """Return the first sentences of a text on one line, at most `longest` characters."""
    for window in windows(text[: 4 * longest], longest):
        return " ".join(text[window.start : window.stop].split())
    return ""
