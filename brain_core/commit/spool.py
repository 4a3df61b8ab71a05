"""Documents on their way in: content and sections stand in files of their own until all of them is known to be good."""

from __future__ import annotations

import errno
import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from brain_core.check import check_size
from brain_core.errors import FEWER_FILES, ResourceExhausted, StoreFailed
from brain_core.readers.document import Section

_PREFIX = "document-"


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a document in a file. digest: SHA-256, hex."""

    path: Path
    size: int
    digest: str


@contextmanager
def spooled(folder: Path, parts: Iterable[bytes], limit_bytes: int) -> Iterator[Content]:
    """Give the content that parts make up, in a file of a folder until the end of the block.

    Raises InvalidArgument as soon as there are more bytes than the limit, ResourceExhausted if the disk has no room.
    """
    digest, size = hashlib.sha256(), 0
    with _spool_file(folder) as file:
        for part in parts:
            size += len(part)
            check_size("content", size, limit_bytes)
            digest.update(part)
            with _written_to(folder):
                file.write(part)
        with _written_to(folder):
            file.flush()
        yield Content(Path(file.name), size, digest.hexdigest())


@contextmanager
def _spool_file(folder: Path) -> Iterator[IO[bytes]]:
    with _written_to(folder):
        folder.mkdir(exist_ok=True)
        file = tempfile.NamedTemporaryFile(dir=folder, prefix=_PREFIX)  # noqa: SIM115  closed below
    try:
        yield file
    finally:
        with suppress(OSError):  # there may be no room for what was never read
            file.close()


@contextmanager
def _written_to(folder: Path) -> Iterator[None]:
    """Say what it means when a file of the spool cannot be written."""
    try:
        yield
    except OSError as error:
        message = f"{folder}: {error.strerror}"
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            hint = "a document needs up to twice its size in the data folder while it is taken in"
            raise ResourceExhausted(message, field="content", hint=hint) from error
        if error.errno in {errno.EMFILE, errno.ENFILE}:
            raise ResourceExhausted(message, field="content", hint=FEWER_FILES) from error
        raise StoreFailed(message, field="content") from error


class SectionFile:
    """Sections in a file: as many as there are, in little memory."""

    def __init__(self, folder: Path, sections: Iterable[Section]) -> None:
        """Write sections into a file of a folder. Raises what reading them raises, and ResourceExhausted."""
        self.count = 0
        self.first_text = ""
        with ExitStack() as closing:
            self._file = closing.enter_context(_spool_file(folder))
            for section in sections:
                self.first_text = self.first_text or ("" if section.aside else section.text)
                self.count += 1
                parts = [section.title, section.path, section.text, section.page, section.start]
                with _written_to(folder):
                    self._file.write(json.dumps(parts).encode() + b"\n")
            with _written_to(folder):
                self._file.flush()
            self._closing = closing.pop_all()

    def __enter__(self) -> SectionFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.close()

    def __iter__(self) -> Iterator[Section]:
        self._file.seek(0)
        for line in self._file:
            title, path, text, page, start = json.loads(line)
            yield Section(title, tuple(path), text, page, start)


def clear_spool(folder: Path) -> None:
    """Remove what a killed process has left."""
    if folder.is_dir():
        for file in folder.glob(f"{_PREFIX}*"):
            file.unlink(missing_ok=True)
