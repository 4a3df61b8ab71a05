"""Restoring a backup into a data folder: whole and checked, or not at all. Needs no server.

    restore(Path("/backups/monday"), Path("./brain"))

What `Client.backup` has written is a folder of files and a manifest that names each with its size and SHA-256.
"""

import errno
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from google.protobuf import json_format

from smartbrain.backup_folder import MANIFEST, STORE_FORMAT, VERSION, clear_unfinished, sync_folder, unfinished
from smartbrain.v1.admin_service_pb2 import BackupFile, BackupManifest

_PART_BYTES = 8 << 20


class BackupError(ValueError):
    """A folder that is no backup, is damaged, or cannot be restored there; says which files and why."""


def read_manifest(backup: Path) -> BackupManifest:
    """Give what a backup says it holds. Raises BackupError."""
    try:
        manifest = json_format.Parse((backup / MANIFEST).read_bytes(), BackupManifest(), ignore_unknown_fields=True)
    except FileNotFoundError as error:
        raise BackupError(f"{backup} is no backup: it has no {MANIFEST}") from error
    except OSError as error:
        raise BackupError(f"{backup / MANIFEST} cannot be read: {error.strerror}") from error
    except (json_format.ParseError, UnicodeDecodeError) as error:
        raise BackupError(f"{backup / MANIFEST} cannot be read: {error}") from error
    if manifest.version != VERSION:
        raise BackupError(f"{backup / MANIFEST} is of version {manifest.version}, not {VERSION}")
    if not manifest.files:
        raise BackupError(f"{backup / MANIFEST} names no files")
    for file in manifest.files:
        path = PurePosixPath(file.path)
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise BackupError(f"{backup / MANIFEST} names {file.path!r}, which is no file of it")
    return manifest


def restore(
    backup: Path,
    data: Path,
    copied: Callable[[int], None] = lambda _: None,
    told: Callable[[str], None] = lambda _: None,
) -> BackupManifest:
    """Make a data folder of a backup, checking every file as it is copied; a server can then be started on it.

    data: new or empty. copied: is told of the bytes of each part. told: is told what killed restores had left beside
    the data folder and is removed. Raises BackupError, which names every file that is missing or damaged, or says what
    stands in the way and what to do; then the data folder is as it was.
    """
    manifest = read_manifest(backup)
    if not 1 <= manifest.store_format <= STORE_FORMAT:
        raise BackupError(
            f"{backup / MANIFEST}: store_format: is none that this version reads (got {manifest.store_format}, "
            f"limit: 1..{STORE_FORMAT}): restore it with the version of SmartBrain that wrote it"
        )
    with _explained(data, sum(file.bytes for file in manifest.files)):
        _restored(manifest, backup, _checked(data, backup), copied, told)
    return manifest


def _restored(
    manifest: BackupManifest,
    backup: Path,
    data: Path,
    copied: Callable[[int], None],
    told: Callable[[str], None],
) -> None:
    for removed in clear_unfinished(data.parent):
        told(removed)
    with unfinished(data) as work:
        wrong = [why for file in manifest.files if (why := _copied(backup, work, file, copied))]
        if wrong:
            raise BackupError(f"{backup} is damaged, nothing was restored: {'; '.join(wrong)}")
        for folder in {(work / file.path).parent for file in manifest.files} | {work}:
            sync_folder(folder)
        try:
            work.replace(data)
        except OSError as error:
            if error.errno not in {errno.EBUSY, errno.EXDEV}:
                raise
            raise BackupError(f"{data} is a mount point: restore into a new folder below it") from error
        sync_folder(data.parent)


def _checked(data: Path, backup: Path) -> Path:
    """Return the data folder to be made, without links."""
    if data.exists() and (not data.is_dir() or any(data.iterdir())):
        raise BackupError(f"{data} is not empty: restore into a new folder")
    target = Path(os.path.realpath(data))
    if target == Path.cwd():
        raise BackupError(f"{data} is the current folder, which would be replaced: restore into a new folder")
    if target.is_relative_to(backup.resolve()):
        raise BackupError(f"{data} is in the backup: restore into a new folder outside of it")
    return target


def _copied(backup: Path, work: Path, file: BackupFile, copied: Callable[[int], None]) -> str:
    """Copy a file; return what is wrong with it, empty if nothing is."""
    digest, size, place = hashlib.sha256(), 0, work / file.path
    place.parent.mkdir(parents=True, exist_ok=True)
    if not (backup / file.path).is_file():  # to open a pipe would wait without end
        return f"{file.path} is missing"
    with (backup / file.path).open("rb") as source, place.open("xb") as copy:
        while part := source.read(_PART_BYTES):
            digest.update(part)
            size += len(part)
            copy.write(part)
            copied(len(part))
        copy.flush()
        os.fsync(copy.fileno())
    if size != file.bytes:
        return f"{file.path} has {size} bytes, not {file.bytes}"
    return "" if digest.hexdigest() == file.sha256 else f"{file.path} has another checksum"


@contextmanager
def _explained(data: Path, needed: int) -> Iterator[None]:
    """Say with its path what a failure of the machine means and what to do. needed: bytes of the backup."""
    try:
        yield
    except OSError as error:
        where = error.filename or data
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            todo = f"{needed} bytes are needed: make room, or restore to another disk"
        elif error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
            todo = "restore as a user who may read the backup and write there, or to another folder"
        else:
            todo = "nothing was restored; restore to another folder"
        raise BackupError(f"{where}: {error.strerror or error}: {todo}") from error
