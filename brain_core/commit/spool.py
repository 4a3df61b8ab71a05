"""Documents on their way in: content and sections stand in files of their own until all of them is known to be good."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from brain_core.check import check_size
from brain_core.readers.document import Section


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a document in a file. digest: SHA-256, hex."""

    path: Path
    size: int
    digest: str


@contextmanager
def spooled(folder: Path, parts: Iterable[bytes], limit_bytes: int) -> Iterator[Content]:
    """Give the content that parts make up, in a file of a folder until the end of the block.

    Raises InvalidArgument as soon as there are more bytes than the limit.
    """
    folder.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with tempfile.NamedTemporaryFile(dir=folder, prefix="document-") as file:
        for part in parts:
            size += len(part)
            check_size("content", size, limit_bytes)
            digest.update(part)
            file.write(part)
        file.flush()
        yield Content(Path(file.name), size, digest.hexdigest())


class SectionFile:
    """Sections in a file: as many as there are, in little memory."""

    def __init__(self, file: IO[bytes], sections: Iterable[Section]) -> None:
        """Write sections into an empty file."""
        self._file = file
        self.count = 0
        self.first_text = ""
        for section in sections:
            self.first_text = self.first_text or section.text
            self.count += 1
            parts = [section.title, list(section.path), section.text, section.page, section.start]
            file.write(json.dumps(parts, ensure_ascii=True).encode() + b"\n")

    def __iter__(self) -> Iterator[Section]:
        self._file.seek(0)
        for line in self._file:
            title, path, text, page, start = json.loads(line)
            yield Section(title, tuple(path), text, page, start)


def clear_spool(folder: Path) -> None:
    """Remove what a killed process has left."""
    if folder.is_dir():
        for file in folder.glob("document-*"):
            file.unlink(missing_ok=True)
