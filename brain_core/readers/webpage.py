"""HTML: headings, paragraphs, lists, tables as lines. The only file that knows lxml."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from lxml import etree

from brain_core.readers.document import Section
from brain_core.readers.faults import unreadable
from brain_core.readers.frontmatter import tags
from brain_core.readers.gather import Gather, Headings, one_line
from brain_core.readers.source import Notes, Source

_DEEPEST = 1000
_MOST_TAGS = 64
_LONGEST = 1 << 26
"""Characters of a page: libxml2 keeps them until its end."""

_LONGEST_MARKUP = 1 << 22
_LONGEST_LINE = 1 << 16
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SILENT = frozenset(
    {"script", "style", "template", "noscript", "svg", "iframe", "object", "canvas", "select", "button"}
)
_LANGUAGE = re.compile(r"([A-Za-z]{2})(?:[-_].*)?$")
_UNSEEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important\s*)?(?:;|$)", re.IGNORECASE
)
_AROUND = frozenset({"nav", "footer"})
_ROLES = {"navigation", "contentinfo", "search"}
_INLINE_TAGS = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark q s samp small span"
    " strike strong sub sup time tt u var wbr ruby rb rp rt"
)
_INLINE = frozenset(_INLINE_TAGS.split())


def read(source: Source) -> Iterator[Section]:
    """Yield what stands under each heading. Scripts and styles are silent; menus and footers are left out by name."""
    if source.chars > _LONGEST:
        raise unreadable("is too long for HTML", f"{source.chars} characters", limit=_LONGEST, hint="split the page")
    page = _Page(source)
    parser = etree.HTMLParser(target=page, huge_tree=True)
    for piece in source.pieces():
        page.unheard += len(piece)
        parser.feed(piece)
        if page.unheard > _LONGEST_MARKUP:
            raise unreadable(
                "has a tag or comment that is too long",
                f"more than {_LONGEST_MARKUP} characters",
                limit=_LONGEST_MARKUP,
                hint="take out embedded data",
            )
        yield from page.take()
    parser.feed(" ")  # an empty file has nothing to close
    parser.close()
    yield from page.take()
    if page.left_out:
        named = ", ".join(f"{name} ({count})" for name, count in sorted(page.left_out.items()))
        source.notes.warnings.append(f"left out around the text: {named}")


class _Page:
    """Hears tags and text, and makes lines of them. unheard: characters fed since the last of either."""

    def __init__(self, source: Source) -> None:
        self.unheard = 0
        self.left_out: Counter[str] = Counter()
        self._notes: Notes = source.notes
        self._gather, self._headings = Gather(source.limits.section_chars), Headings()
        self._done: list[Section] = []
        self._line: list[str] = []
        self._length = 0
        self._depth = self._skipped = self._kept = 0
        self._lists: list[int] = []  # numbers of ordered lists, -1 for others
        self._cells = 0

    def take(self) -> list[Section]:
        """Return the sections that are done."""
        done, self._done = self._done, []
        return done

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.unheard = 0
        self._depth += 1
        if self._depth > _DEEPEST:
            raise unreadable(
                "its tags are nested too deep", f"more than {_DEEPEST}", limit=_DEEPEST, hint="close the tags"
            )
        if self._skipped or self._is_left_out(tag, attributes):
            self._skipped += 1
        elif tag == "html":
            code = _LANGUAGE.match(attributes.get("lang", "") or attributes.get("xml:lang", ""))
            self._notes.language = code[1].lower() if code else ""
        elif tag == "meta":
            if attributes.get("name", "").lower() == "keywords":
                self._notes.tags.extend(tags(attributes.get("content", ""))[:_MOST_TAGS])
        elif tag in _HEADINGS or tag == "title":
            self._break()
        elif tag not in _INLINE:
            self._open(tag)

    def end(self, tag: str) -> None:
        self.unheard = 0
        self._depth -= 1
        if self._skipped:
            self._skipped -= 1
        elif tag == "title":
            self._notes.title = self._notes.title or one_line(self._words())
        elif tag in _HEADINGS:
            self._head(int(tag[1]), one_line(self._words()))
        elif tag == "pre":
            self._break()
            self._gather.mark()
            self._kept -= 1
        elif tag in {"ul", "ol"}:
            self._break()
            self._lists[-1:] = []
        elif tag not in _INLINE and tag not in {"td", "th"}:
            self._break()
            self._gather.mark()

    def data(self, text: str) -> None:
        self.unheard = 0
        if not self._skipped:
            self._line.append(text)
            self._length += len(text)
            if self._length > _LONGEST_LINE:
                self._put(self._words())

    def comment(self, _: str) -> None:
        self.unheard = 0

    def close(self) -> None:
        self._break()
        self._done.extend(self._gather.end())

    def _is_left_out(self, tag: str, attributes: dict[str, str]) -> bool:
        if tag in _SILENT or "hidden" in attributes or attributes.get("aria-hidden") == "true":
            return True
        if _UNSEEN.search(attributes.get("style", "")):
            return True
        around = tag if tag in _AROUND else attributes.get("role", "")
        if around in _AROUND or around in _ROLES:
            self.left_out[around] += 1
            return True
        return False

    def _open(self, tag: str) -> None:
        """Begin a block."""
        if tag in {"td", "th"}:
            if self._cells:
                self._line.append(" | ")
            self._cells += 1
            return
        self._break()
        if tag in {"ul", "ol"}:
            self._lists.append(0 if tag == "ol" else -1)
        elif tag == "li":
            self._line.append(self._bullet())
        elif tag == "pre":
            self._kept += 1
        elif tag == "tr":
            self._cells = 0

    def _bullet(self) -> str:
        if not self._lists:
            return "- "
        if self._lists[-1] >= 0:
            self._lists[-1] += 1
            return f"{self._lists[-1]}. "
        return "- "

    def _head(self, level: int, title: str) -> None:
        if title:
            self._done.extend(self._gather.open(title, self._headings.enter(level, title), title))

    def _break(self) -> None:
        """End the line."""
        words = self._words()
        if words.strip() and words != "- ":
            self._put(f"{words}\n" if self._kept else f"{'  ' * (len(self._lists) - 1)}{words}\n")
        self._cells = 0

    def _words(self) -> str:
        words = "".join(self._line)
        self._line, self._length = [], 0
        return words.strip("\n") if self._kept else " ".join(words.split())

    def _put(self, text: str) -> None:
        self._done.extend(self._gather.add(text))
