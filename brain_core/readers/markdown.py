"""Markdown: headings give the structure, the text stays as it is written. The only file that knows markdown-it-py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, chain

from markdown_it import MarkdownIt
from markdown_it.token import Token

from brain_core.readers.document import Section
from brain_core.readers.frontmatter import LONGEST, front_matter
from brain_core.readers.gather import Gather, Headings, one_line
from brain_core.readers.source import Source

_PART = 1 << 16
"""Characters parsed at a time. A block that is longer is cut there; of a fence the rest is still one."""

_JUDGED = 1000
_BLOCKS = MarkdownIt("commonmark").disable("reference")
_BLOCKS.core.ruler.enableOnly(["normalize", "block"])
_INLINE = MarkdownIt("commonmark")


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of the outermost level and the blank lines before it. level: 1 to 6 of a heading, else 0."""

    text: str
    level: int = 0
    title: str = ""
    fence: str = ""


def read(source: Source) -> Iterator[Section]:
    """Yield what stands under each heading, as it is written."""
    lines = source.lines(_PART)
    top = _top(lines)
    at, empty = front_matter(top, source.notes), True
    gather, headings = Gather(source.limits.section_chars, at), Headings()
    for block in _blocks(chain([top[at:]], lines)):
        if block.level:
            title = one_line(block.title)
            if block.level == 1 and empty:
                source.notes.title = source.notes.title or title
            yield from gather.open(title, headings.enter(block.level, title), block.text, at)
            empty = False
        else:
            yield from gather.add(block.text)
            gather.mark()
            empty = empty and not block.text.strip()
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


def _plain(heading: str) -> str:
    """Return the words of a heading without its marks."""
    inline = _INLINE.parseInline(heading[:_JUDGED])[0].children or []
    return "".join(" " if one.type == "softbreak" else one.content for one in inline) or heading
