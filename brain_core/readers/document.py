"""What a reader gives: sections, and what there is to say about the whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of a document under one heading.

    title: its own heading, one line; "" where it has none. path: the headings above it, outermost first. text: not
    blank. page: from 1; 0 where the format has none. start: the first character (code point) in the decoded source,
    without byte order mark and with line ends as LF, or in its page; of a format whose texts do not stand in the source
    as they are, in the texts of its sections, each followed by a line end. aside: whether it is about the document and
    none of its own text, so that no summary is made of it.
    """

    title: str
    path: tuple[str, ...]
    text: str
    page: int = 0
    start: int = 0
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A document being read.

    media_type: what it is read as. title: "" if the content has none. tags: from front matter or meta keywords.
    sections: in order, read as they are asked for; raises UnreadableDocument where the rest cannot be read. warnings:
    what was skipped or repaired, in words; complete once the sections are exhausted. language: ISO 639-1 code that the
    content declares, "" for none.
    """

    media_type: str
    title: str
    tags: tuple[str, ...]
    sections: Iterator[Section]
    warnings: list[str]
    language: str = ""
