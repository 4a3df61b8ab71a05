"""Lines become sections: under their headings, none longer than the limit, cut where the text allows it."""

from __future__ import annotations

from brain_core.readers.document import Section
from brain_core.text.windows import Window, windows

_LONGEST_TITLE = 200


def one_line(text: str) -> str:
    """Return a heading as one line of at most 200 characters."""
    line = " ".join(text[: 4 * _LONGEST_TITLE].split())
    return line if len(line) <= _LONGEST_TITLE else f"{line[: _LONGEST_TITLE - 1]}…"


class Headings:
    """The headings above a place, by level."""

    def __init__(self) -> None:
        self._above: list[tuple[int, str]] = []

    def enter(self, level: int, title: str) -> tuple[str, ...]:
        """Go under a heading and return those above it, outermost first."""
        while self._above and self._above[-1][0] >= level:
            self._above.pop()
        path = tuple(above for _, above in self._above)
        self._above.append((level, title))
        return path


class Gather:
    """Gathers the text under one heading after the other. Holds at most some sections' worth of it.

    All that is added between `open` and `end` is consecutive in the source.
    """

    def __init__(self, longest: int, start: int = 0) -> None:
        """longest: characters of a section. start: of what is added first."""
        self._longest = longest
        self._held: list[str] = []
        self._size = self._marked = 0
        self._begin("", (), "", start, 0)

    def open(
        self, title: str, path: tuple[str, ...], heading: str = "", start: int = 0, page: int = 0
    ) -> list[Section]:
        """Begin a section; return what is left of the one before.

        heading: its source, which is no part of the text unless nothing is under it. start: where that begins.
        """
        left = self._flush()
        if not self._given and self._heading and path[: len(self._path) + 1] != (*self._path, self._title):
            left.extend(self._cut(self._heading, self._heading_start, windows(self._heading, self._longest)))
        self._begin(title, path, heading, start, page)
        return left

    def retitle(self, title: str, path: tuple[str, ...]) -> None:
        """Put what is held and follows under another heading."""
        self._title, self._path = title, path

    def add(self, piece: str) -> list[Section]:
        """Add text; return the sections that are full."""
        self._held.append(piece)
        self._size += len(piece)
        return self._spill() if self._size > self._longest else []

    def mark(self) -> None:
        """Say that a block ends here: blocks that fit are not cut."""
        if self._size <= self._longest:
            self._marked = self._size

    def end(self) -> list[Section]:
        """Return what is left."""
        return self.open("", ())

    def _begin(self, title: str, path: tuple[str, ...], heading: str, start: int, page: int) -> None:
        self._title, self._path, self._heading, self._page = title, path, heading, page
        self._heading_start, self._start = start, start + len(heading)
        self._held, self._size, self._marked = [], 0, 0
        self._given = False

    def _spill(self) -> list[Section]:
        if not self._marked and self._size <= 2 * self._longest:
            return []
        text = "".join(self._held)
        if self._marked:
            stop, found = self._marked, windows(text[: self._marked], self._longest)
        else:
            found = windows(text, self._longest)
            stop = found[-1].start if found else len(text)
            found = found[:-1]
        full = self._cut(text, self._start, found)
        self._hold(text, stop)
        return full

    def _flush(self) -> list[Section]:
        text = "".join(self._held)
        left = self._cut(text, self._start, windows(text, self._longest))
        self._hold(text, len(text))
        return left

    def _hold(self, text: str, stop: int) -> None:
        self._held = [text[stop:]]
        self._size = len(text) - stop
        self._start += stop
        self._marked = 0

    def _cut(self, text: str, start: int, found: list[Window]) -> list[Section]:
        self._given = self._given or bool(found)
        return [
            Section(self._title, self._path, text[one.start : one.stop], self._page, start + one.start) for one in found
        ]
