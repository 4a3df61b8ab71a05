"""JSON and JSON Lines, read as a stream. The only file that knows ijson."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import ijson

from brain_core.readers.document import Section
from brain_core.readers.faults import unreadable
from brain_core.readers.outline import Outline
from brain_core.readers.source import Source

_LONGEST_VALUE = 1 << 24
_HALF = re.compile(r"\\u[dD][89abAB]\w\w(?:[^\\]|\\[^u])")
# All but the first come from numbers and strings that Python cannot hold. What ijson 3.6 has put into its list
# of events by then must not be looked at: it may be half made, and crashes who does.
_FAULTS = (ijson.JSONError, ValueError, ArithmeticError, SystemError)


def read(source: Source) -> Iterator[Section]:
    """Yield the values of one JSON document under the names that lead to them."""
    return _read(source, several=False)


def read_lines(source: Source) -> Iterator[Section]:
    """Yield the values of JSON documents one after the other, as if they stood in one array."""
    return _read(source, several=True)


def _read(source: Source, *, several: bool) -> Iterator[Section]:
    outline = Outline(source.limits.section_chars)
    if several:
        outline.take("start_array", None)
    for events in _events(source, several=several):
        for name, value in events:
            outline.take(name, value)
        yield from outline.done()
    if several:
        outline.take("end_array", None)
    yield from outline.end()


def _events(source: Source, *, several: bool) -> Iterator[list[tuple[str, Any]]]:
    """Yield the events of each piece of a source."""
    events = ijson.sendable_list()
    parser = ijson.basic_parse_coro(events, use_float=False, multiple_values=several)
    silent, half = 0, False
    for piece in source.pieces():
        half = half or ("\\u" in piece and _HALF.search(piece) is not None)
        try:
            parser.send(piece.encode())
        except _FAULTS as error:
            raise _invalid(source, error, several=several) from error
        silent = 0 if events else silent + len(piece)
        if silent > _LONGEST_VALUE:
            raise unreadable("has too long a value", f"≥ {silent} characters", limit=_LONGEST_VALUE, hint="split it")
        yield events
        events.clear()
    try:
        parser.close()
    except _FAULTS as error:
        raise _invalid(source, error, several=several) from error
    yield events
    if half:
        source.notes.warnings.append("halves of surrogate pairs are read as '?'")


def _invalid(source: Source, error: Exception, *, several: bool) -> Exception:
    line, column, over = _place(source, several=several)
    words = str(error).removeprefix("b'").partition("\n")[0].partition("\\n")[0]
    if not isinstance(error, ijson.JSONError):
        words = "a value is out of range"
    elif over:
        words = "ends too early"
    where = f"line {line}, column {column}"
    return unreadable(f"is not JSON: {words} at {where}", where, limit="RFC 8259", hint="correct it there")


def _place(source: Source, *, several: bool) -> tuple[int, int, bool]:
    """Return (line, column) of the character at which parsing fails, from 1, and whether it is the end."""
    line, column = 1, 0
    seen = 0
    parts = _Parts(several=several)
    for piece in source.pieces():
        if not parts.fail(piece):
            seen += len(piece)
            line, column = _after(piece, line, column)
            continue
        parts = _Parts(several=several)
        parts.skip(source, seen)
        for place, letter in enumerate(piece):
            if parts.fail(letter):
                return *_after(piece[: place + 1], line, column), False
    return line, column + 1, True


def _after(text: str, line: int, column: int) -> tuple[int, int]:
    """Return line and column of the last character of a text that follows on a place."""
    breaks = text.count("\n")
    return (line + breaks, len(text) - text.rfind("\n") - 1) if breaks else (line, column + len(text))


class _Parts:
    """A parser that is only asked whether it fails."""

    def __init__(self, *, several: bool) -> None:
        self._events = ijson.sendable_list()
        self._parser = ijson.basic_parse_coro(self._events, multiple_values=several)

    def fail(self, text: str) -> bool:
        try:
            self._parser.send(text.encode())
        except _FAULTS:
            return True
        self._events.clear()
        return False

    def skip(self, source: Source, chars: int) -> None:
        for piece in source.pieces():
            if chars <= 0:
                return
            self.fail(piece)
            chars -= len(piece)
