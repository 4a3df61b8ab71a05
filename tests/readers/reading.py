"""Reading what a test has written."""

from __future__ import annotations

from pathlib import Path

from brain_core.errors import UnreadableDocument
from brain_core.readers.document import Reading, Section
from brain_core.readers.read import ReadLimits, read_document

LIMITS = ReadLimits(chars=10_000_000, section_chars=400, seconds=60)


def begin(folder: Path, content: bytes | str, name: str, media_type: str = "", limits: ReadLimits = LIMITS) -> Reading:
    """Write a file and begin to read it; its name on disk says nothing."""
    path = folder / "spooled"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_document(path, name, media_type, limits)


def read(
    folder: Path, content: bytes | str, name: str, media_type: str = "", limits: ReadLimits = LIMITS
) -> list[Section]:
    """Return all sections of a document."""
    return list(begin(folder, content, name, media_type, limits).sections)


def refusal(
    folder: Path, content: bytes | str, name: str, media_type: str = "", limits: ReadLimits = LIMITS
) -> UnreadableDocument:
    """Return why a document cannot be read; every part of the failure has to be there."""
    try:
        read(folder, content, name, media_type, limits)
    except UnreadableDocument as error:
        assert error.reason == "UNREADABLE_DOCUMENT"
        assert error.field in {"content", "media_type"}
        assert error.value
        assert error.limit
        assert error.hint
        return error
    raise AssertionError(f"{name} was read")


def outline(sections: list[Section]) -> list[tuple[str, ...]]:
    """Return each section's headings, its own last."""
    return [(*section.path, section.title) for section in sections]
