"""CSV and TSV: each row as lines of `column: value`, rows together up to the length of a section."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

from brain_core.readers.document import Section
from brain_core.readers.faults import unreadable
from brain_core.readers.gather import Gather, one_line
from brain_core.readers.source import Source

_LONGEST_LINE = 1 << 20
_MOST_COLUMNS = 10_000
_LISTED = 5
_SEPARATORS = ("\t", ",", ";", "|")
_QUOTED = re.compile(r'"[^"]*"')
_NUMBER = re.compile(r"[-+]?[\d.,]+%?")


def read(source: Source) -> Iterator[Section]:
    """Yield rows, with the names that the first one gives to the columns; without names they are numbered.

    Raises UnreadableDocument for a line of more than 2^20 characters, a cell of more than 2^17, or 10,000 columns.
    """
    gather = Gather(source.limits.section_chars)
    ragged: list[int] = []
    rows = _rows(source)
    _, first = next(rows, (0, []))
    named = _names_columns(first)
    names = [one_line(cell) for cell in first] if named else [f"column {place}" for place in range(1, len(first) + 1)]
    if not named and first:
        yield from gather.add(_block(names, first))
        gather.mark()
    number = 0
    for number, row in rows:
        if len(row) != len(names):
            ragged.append(number)
            del ragged[_LISTED:]
        yield from gather.add(_block(names, row))
        gather.mark()
    if named and not number:
        yield from gather.add(", ".join(first))
    yield from gather.end()
    if ragged:
        listed = ", ".join(map(str, ragged)) + (" …" if len(ragged) == _LISTED else "")
        source.notes.warnings.append(f"rows have more or fewer cells than the first, at lines {listed}")


def _rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of rows that are not blank."""
    lines = _lines(source)
    first = next(lines, "")
    reader = csv.reader(_chained(first, lines), delimiter=_separator(first))
    try:
        for row in reader:
            if len(row) > _MOST_COLUMNS:
                raise unreadable("has too many columns", len(row), limit=_MOST_COLUMNS, hint="is it a table?")
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise unreadable(
            f"is no table at line {reader.line_num}: {error}",
            f"line {reader.line_num}",
            limit=f"cells of {csv.field_size_limit()} characters",
            hint="look for a quote that is not closed",
        ) from error


def _chained(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _lines(source: Source) -> Iterator[str]:
    for line in source.lines(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE and not line.endswith("\n"):
            raise unreadable(
                "has too long a line for a table",
                f"≥ {_LONGEST_LINE} characters",
                limit=_LONGEST_LINE,
                hint="is it one?",
            )
        yield line


def _separator(line: str) -> str:
    """Return the separator that the first line has most of, outside quotes."""
    bare = _QUOTED.sub("", line)
    return max(_SEPARATORS, key=bare.count) if any(one in bare for one in _SEPARATORS) else ","


def _names_columns(cells: Sequence[str]) -> bool:
    """Return whether cells are names: none is blank, a number or there twice."""
    names = [cell.strip() for cell in cells]
    return all(name and not _NUMBER.fullmatch(name) for name in names) and len(set(names)) == len(names)


def _block(names: list[str], row: list[str]) -> str:
    more = [f"column {place}" for place in range(len(names) + 1, len(row) + 1)]
    cells = zip((*names, *more), row, strict=False)
    return "".join(f"{name}: {cell.strip()}\n" for name, cell in cells if cell.strip()) + "\n"
