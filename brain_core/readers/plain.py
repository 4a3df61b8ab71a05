"""Plain text and reStructuredText: paragraphs, and headings that are underlined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from brain_core.readers.document import Section
from brain_core.readers.gather import Gather, Headings, one_line
from brain_core.readers.source import Source

_LONGEST_HEADING = 120
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,199}[ \t]*\n?")


def read(source: Source) -> Iterator[Section]:
    """Yield the sections of a text; without underlined headings it is one, cut where it is long.

    The lines of a heading stay in the text, since they are only taken for one.
    """
    gather, headings, levels = Gather(source.limits.section_chars), Headings(), _Levels()
    start, bare = 0, False
    for block in _blocks(source):
        if block.title:
            title = one_line(block.title)
            path = headings.enter(levels.of(block.style), title)
            source.notes.title = source.notes.title or (title if not start else "")
            if bare:
                gather.retitle(title, path)
            else:
                yield from gather.open(title, path, start=start)
        bare = bool(block.title) or (bare and block.text.isspace())
        yield from gather.add(block.text)
        if block.text.isspace():
            gather.mark()
        start += len(block.text)
    yield from gather.end()


@dataclass(frozen=True, slots=True)
class _Block:
    """A line, or the two or three lines of a heading. style: how it is underlined and, where it is, overlined."""

    text: str
    title: str = ""
    style: str = ""


class _Levels:
    """Levels of headings in the order in which their styles come up, as docutils has it."""

    def __init__(self) -> None:
        self._styles: list[str] = []

    def of(self, style: str) -> int:
        if style not in self._styles:
            self._styles.append(style)
        return self._styles.index(style)


def _blocks(source: Source) -> Iterator[_Block]:
    held: list[str] = []  # the one or two lines after a blank one that may yet become a heading
    fresh = True
    for line in source.lines(source.limits.section_chars):
        if fresh and not held and not line.isspace():
            held.append(line)
            continue
        if held and (heading := _heading([*held, line])):
            yield heading
            held, fresh = [], True
            continue
        if len(held) == 1 and _UNDERLINE.fullmatch(held[0]) and not line.isspace():
            held.append(line)
            continue
        yield from map(_Block, held)
        yield _Block(line)
        held, fresh = [], line.isspace()
    yield from map(_Block, held)


def _heading(lines: list[str]) -> _Block | None:
    """Return the heading that two lines, or three with an overline, are."""
    *over, title, under = lines
    found = _UNDERLINE.fullmatch(under)
    words = title.strip()
    if not found or _UNDERLINE.fullmatch(title) or len(words) > _LONGEST_HEADING or len(under.strip()) < len(words):
        return None
    if over and over[0].strip() != under.strip():
        return None
    return _Block("".join(lines), words, found[1] * (1 + len(over)))
