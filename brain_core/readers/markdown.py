"""Markdown: headings give the structure, the text stays as it is written. The only file that knows markdown-it-py."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, chain

from markdown_it import MarkdownIt
from markdown_it.token import Token

from brain_core.readers.document import Section
from brain_core.readers.frontmatter import LONGEST, FrontMatter, front_matter
from brain_core.readers.gather import Gather, Headings, one_line
from brain_core.readers.source import Source

_PART = 1 << 16
"""Characters parsed at a time. A block that is longer is cut there; of a fence the rest is still one."""

_JUDGED = 4000
_BLOCKS = MarkdownIt("commonmark").disable("reference")
_BLOCKS.core.ruler.enableOnly(["normalize", "block"])
_INLINE = MarkdownIt("commonmark")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of the outermost level and the blank lines before it. level: 1 to 6 of a heading, else 0."""

    text: str
    level: int = 0
    title: str = ""
    fence: str = ""


def read(source: Source) -> Iterator[Section]:
    """Yield what front matter says beyond title and tags, then what stands under each heading, as it is written."""
    lines = source.lines(_PART)
    top = _top(lines)
    matter = front_matter(top, source.notes)
    sections = body(source, chain([top[matter.length :]], lines), matter.length)
    first = next(sections, None)  # by then its title is known
    yield from _asides(source, matter)
    if first is not None:
        yield first
        yield from sections


def _asides(source: Source, matter: FrontMatter) -> Iterator[Section]:
    gather = Gather(source.limits.section_chars, matter.start)
    for section in (*gather.add(matter.said), *gather.end()):
        yield replace(section, aside=True)


def body(source: Source, pieces: Iterable[str], at: int) -> Iterator[Section]:
    """Yield the text under each heading. at: where the first piece begins."""
    empty = True
    gather, headings = Gather(source.limits.section_chars, at), Headings()
    for block in _blocks(pieces):
        if block.level:
            title = one_line(block.title)
            if block.level == 1 and empty:
                source.notes.title = source.notes.title or title
            yield from gather.open(title, headings.enter(block.level, title), block.text, at)
            empty = False
        else:
            yield from gather.add(block.text)
            gather.mark()
            empty = empty and not _says(block.text)
        at += len(block.text)
    yield from gather.end()


def _top(lines: Iterator[str]) -> str:
    """Take as many lines as front matter may have."""
    top = ""
    for line in lines:
        top += line
        if len(top) >= LONGEST:
            break
    return top


def _blocks(pieces: Iterable[str]) -> Iterator[_Block]:
    """Yield blocks part by part; the last of a part may go on in the next."""
    held, fence = "", ""
    for piece in pieces:
        held += piece
        if len(held) < _PART:
            continue
        *whole, last = _parse(held, fence)
        yield from whole
        held, fence = last.text, ""
        if not whole:
            yield last
            held, fence = "", last.fence
    yield from _parse(held, fence)


def _parse(text: str, fence: str) -> list[_Block]:
    """Cut a text into its blocks. fence: what opened the fence that it begins in, or "". Nothing is lost."""
    opened = f"{fence}\n" if fence else ""
    tokens = _BLOCKS.parse(opened + text)
    tops = [place for place, token in enumerate(tokens) if token.map and not token.level]
    starts = [0, *accumulate(len(line) + 1 for line in (opened + text).split("\n"))]
    begins = [0, *(starts[(tokens[place].map or [0])[0]] - len(opened) for place in tops[1:]), len(text)]
    if not tops:
        return [_Block(text)]
    return [
        _block(text[begin:end], tokens, place) for place, begin, end in zip(tops, begins[:-1], begins[1:], strict=True)
    ]


def _block(text: str, tokens: list[Token], place: int) -> _Block:
    token = tokens[place]
    if token.type == "heading_open":
        words = " ".join(_plain(tokens[place + 1].content).split())
        if one_line(words) == words:  # else a paragraph that happens to be underlined
            return _Block(text, int(token.tag[1]), words)
    if token.type == "fence":
        last = text.rstrip().rpartition("\n")[2].strip()
        closed = len(last) >= len(token.markup) and not last.strip(token.markup[0])
        return _Block(text, fence="" if closed else token.markup)
    return _Block(text)


def _says(text: str) -> bool:
    """Return whether a block has words: badges, comments and lines across the page have none."""
    if len(text) > _JUDGED:
        return True
    seen = _TAG.sub("", _COMMENT.sub("", text))
    inline = _INLINE.parseInline(seen)[0].children or []
    return any(one.type in {"text", "code_inline"} and one.content.strip("-*_ \t") for one in inline)


def _plain(heading: str) -> str:
    """Return the words of a heading without its marks."""
    inline = _INLINE.parseInline(heading[:_JUDGED])[0].children or []
    return "".join(" " if one.type == "softbreak" else one.content for one in inline) or heading
