"""Folders whose files may be read because a turn refers to them, and no way out of them."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote_to_bytes, urlsplit

from brain_core.errors import UnreadableDocument

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class AllowedFile:
    """A file below an allowed folder. place: its path below it, without links.

    uri: under which it is known, the same however a ref spells it: that of its path without links.
    """

    root: Path
    place: Path
    uri: str


class AllowedFolders:
    """The folders that a policy allows."""

    def __init__(self, roots: Sequence[str]) -> None:
        """roots: absolute paths; links in them are followed once, when they first lead to a folder."""
        self._written = [Path(root) for root in roots]
        self._followed: dict[Path, Path] = {}

    @property
    def missing(self) -> str:
        """Those of them that are no folders now, in words; "" if all are."""
        return "; ".join(f"{root} is no folder" for root in self._roots() if not root.is_dir())

    def find(self, uri: str) -> AllowedFile | None:
        """Return the file of a file:// URI or a path; None if it is in none of the folders.

        A path that is not absolute is looked for in each of them. Raises UnreadableDocument for a file that is hidden,
        and for a link or path that begins in a folder and leads out.
        """
        path = _local_path(uri)
        if path is None:
            return None
        roots = self._roots()
        in_roots = (root / path for root in roots if os.path.lexists(root / path))
        written = path if path.is_absolute() else next(in_roots, None)
        if written is None:
            return None
        real = _real(uri, written)
        root = next((root for root in roots if real.is_relative_to(root)), None)
        if root is not None:
            place = real.relative_to(root)
            if any(part.startswith(".") for part in place.parts):
                raise _unreadable(uri, "is hidden")
            return AllowedFile(root, place, real.as_uri())
        if any(written.is_relative_to(root) for root in roots):
            raise _unreadable(uri, "leads out of the allowed folders")
        return None

    def _roots(self) -> list[Path]:
        for root in self._written:
            if root not in self._followed and root.is_dir():
                self._followed[root] = root.resolve()
        return [self._followed.get(root, root) for root in self._written]


@contextmanager
def opened(file: AllowedFile) -> Iterator[BinaryIO]:
    """Give a file to read. No link is followed, whatever has come into the folder since the file was found.

    Raises UnreadableDocument.
    """
    try:
        descriptor = _open_below(file.root, file.place.parts)
    except OSError as error:
        raise _unreadable(file.uri, error.strerror or "cannot be opened") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _unreadable(file.uri, "is no file")
    with os.fdopen(descriptor, "rb") as content:
        yield content


def _open_below(root: Path, parts: Sequence[str]) -> int:
    """Open what is at a path below a folder, step by step."""
    at = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for number, part in enumerate(parts, start=1):
        is_last = number == len(parts)
        flags = os.O_RDONLY | os.O_NOFOLLOW | (os.O_NONBLOCK if is_last else os.O_DIRECTORY)  # a pipe must not block
        try:
            below = os.open(part, flags, dir_fd=at)
        finally:
            os.close(at)
        at = below
    return at


def _local_path(uri: str) -> Path | None:
    """Return the path that a URI or path names on this machine, None if it names none."""
    if not _SCHEME.match(uri):
        path = uri
    else:
        try:
            parts = urlsplit(uri)
        except ValueError:
            return None
        if parts.scheme != "file" or parts.netloc.lower() not in {"", "localhost"} or not parts.path.startswith("/"):
            return None
        path = os.fsdecode(unquote_to_bytes(parts.path))
    return None if "\0" in path else Path(path)


def _real(uri: str, path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # a ring of links
        raise _unreadable(uri, "cannot be resolved") from error


def _unreadable(uri: str, why: str) -> UnreadableDocument:
    return UnreadableDocument(why, field="turn.refs", value=uri, limit="a file in documents.ingest_refs.roots")
