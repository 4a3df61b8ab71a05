"""From a file to its sections, within limits."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import replace
from email.message import Message
from itertools import chain
from pathlib import Path

from brain_core.readers.decode import decode
from brain_core.readers.document import Reading, Section
from brain_core.readers.faults import unreadable
from brain_core.readers.formats import PDF, Format, tell
from brain_core.readers.source import Clock, Notes, ReadLimits, Source, opened

__all__ = ["ReadLimits", "read_document"]

_HEAD = 1 << 16


def read_document(path: Path, name: str, media_type: str, limits: ReadLimits) -> Reading:
    """Begin to read a regular file.

    name: file name or URI, for its extension. media_type: may declare a charset; "" to tell it from name and content.
    Raises UnreadableDocument, naming field, value and limit: here as far as the first section shows what is wrong,
    else from the sections.
    """
    clock, notes = Clock(limits.seconds), Notes()
    with clock.running():
        head = _head(path)
        declared, charset = _declared(media_type)
        known = tell(head, name, declared)
        source = Source(path, name, limits, clock, notes)
        if known is not PDF:
            source = decode(source, head, charset)
        if known.sliced and source.chars > limits.chars:
            raise _too_long(source.chars, limits)
    sections = _bounded(known, source)
    first = next(sections)
    return Reading(
        known.media_type, notes.title, tuple(notes.tags), chain([first], sections), notes.warnings, notes.language
    )


def _bounded(known: Format, source: Source) -> Iterator[Section]:
    """Yield at least one section. Raises UnreadableDocument where time or length is over, or where there is none."""
    sections, limits = known.read(source), source.limits
    chars = at = 0
    while True:
        with source.clock.running():
            section = next(sections, None)
            source.clock.left()
        if section is None:
            break
        chars += len(section.text)
        if chars > limits.chars:
            raise _too_long(chars, limits)
        yield section if known.sliced else replace(section, start=at)
        at += len(section.text) + 1
    if not chars:
        raise unreadable(
            "has no text", f"{known.media_type} without text", limit="text that is not blank", hint="look at the file"
        )


def _head(path: Path) -> bytes:
    with opened(path):
        if not stat.S_ISREG(path.stat().st_mode):
            raise unreadable("is not a regular file", path, limit="a regular file", hint="give one file")
        with path.open("rb") as file:
            head = file.read(_HEAD)
    if not head:
        raise unreadable("is empty", "0 bytes", limit="text that is not blank", hint="look at the file")
    return head


def _declared(media_type: str) -> tuple[str, str]:
    """Return a media type and the charset that it declares; "" for what it does not."""
    if not media_type.strip():
        return "", ""
    parsed = Message()
    parsed["Content-Type"] = media_type.replace("\r", " ").replace("\n", " ")
    return media_type.partition(";")[0].strip().lower(), str(parsed.get_content_charset() or "")


def _too_long(chars: int, limits: ReadLimits) -> Exception:
    return unreadable("has too much text", f"≥ {chars} characters", limit=limits.chars, hint="split the document")
