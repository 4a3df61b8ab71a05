"""The file that is read, within its limits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from brain_core.readers.faults import unreadable

_PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """chars: of all texts of a document. section_chars: of one text; longer ones are cut. seconds: spent on reading."""

    chars: int
    section_chars: int
    seconds: float


class Clock:
    """The time that reading may take. What the caller does between two sections is not counted."""

    def __init__(self, seconds: float) -> None:
        self._seconds = self._left = seconds
        self._until = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time spent inside."""
        self._until = time.monotonic() + self._left
        try:
            yield
        finally:
            self._left = self._until - time.monotonic()

    def left(self) -> float:
        """Return the seconds left. Raises UnreadableDocument where there are none."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise unreadable(
                "takes too long to read",
                f"more than {self._seconds:g} s",
                limit=f"{self._seconds:g} s",
                hint="split the document",
            )
        return left


@dataclass(slots=True)
class Notes:
    """What a reader finds beside sections: all but warnings before it gives the first one."""

    title: str = ""
    language: str = ""
    tags: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Source:
    """A regular file. encoding, errors and chars (its characters) are known once `decode` has measured it."""

    path: Path
    name: str
    limits: ReadLimits
    clock: Clock
    notes: Notes
    encoding: str = ""
    errors: str = "strict"
    chars: int = 0

    def lines(self, longest: int) -> Iterator[str]:
        """Yield lines with their LF; one of more than `longest` characters comes in pieces, the last with the LF."""
        with self._text() as file:
            while line := file.readline(longest):
                self.clock.left()
                yield line

    def pieces(self) -> Iterator[str]:
        """Yield the text in pieces of a bounded length, line ends as LF."""
        with self._text() as file:
            while piece := file.read(_PIECE):
                self.clock.left()
                yield piece

    def bytes(self, start: int = 0) -> Iterator[bytes]:
        """Yield the bytes from an offset on, in pieces of a bounded length."""
        with opened(self.path) as path, path.open("rb") as file:
            file.seek(start)
            while piece := file.read(1 << 20):
                self.clock.left()
                yield piece

    @contextmanager
    def _text(self) -> Iterator[TextIO]:
        with opened(self.path) as path, path.open("r", encoding=self.encoding, errors=self.errors) as file:
            yield file


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    """Raise UnreadableDocument for what the system refuses inside."""
    try:
        yield path
    except OSError as error:
        raise unreadable(
            f"cannot be read: {error.strerror or error}", path, limit="a readable regular file", hint="look at the path"
        ) from error
