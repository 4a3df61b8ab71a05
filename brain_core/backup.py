"""A copy of the store as it is at one moment, while it is served and written: whole and read back, or not there.

It is written only below `store.backup_folders`, links followed, never among the store's own files or to a hidden name:
whoever can call the server can ask for it. The checkpoint is made in the data folder, on the store's file system, since
RocksDB's own copying would hold the GIL.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from google.protobuf import json_format
from smartbrain.backup_folder import MANIFEST, STORE, VERSION, clear_unfinished, sync_folder, unfinished
from smartbrain.v1.admin_service_pb2 import BackupFile, BackupManifest, BackupMemory, BackupResponse

from brain_core.check import check_text
from brain_core.errors import AlreadyExists, FailedPrecondition, ResourceExhausted, StoreFailed, require
from brain_core.store import keys
from brain_core.store.kv import KV, ReadView
from brain_core.store.log import memory_ids
from brain_core.store.migrate import read_store_record
from brain_core.store.rocks import opened_to_read

_IMMUTABLE = ".sst"
_PART_BYTES = 8 << 20
_CANNOT_LINK = {errno.EXDEV, errno.EPERM, errno.EMLINK, errno.ENOTSUP, errno.EACCES}
_LONGEST_FOLDER = 4096
_OWN = frozenset({STORE, "index", "spool", "checkpoint"})
"""What the brain puts in a data folder."""


def clear_checkpoint(data: Path) -> None:
    """Remove what a killed process has left in a data folder."""
    shutil.rmtree(_checkpoint(data), ignore_errors=True)


def back_up(kv: KV, data: Path, folder: str, roots: Sequence[str], now_us: int) -> Iterator[BackupResponse]:
    """Write a backup of the store of a data folder, and say now and then how far it is; the last has the manifest.

    folder: absolute, below one of roots, new or empty. It appears at once when all is written, read back and durable.
    roots: folders, those that are not absolute as seen from the data folder. One backup at a time.
    Raises InvalidArgument, AlreadyExists, ResourceExhausted, FailedPrecondition or StoreFailed; then nothing is left.
    """
    target = _checked(folder, data, roots)
    clear_checkpoint(data)
    with _written_to(target), unfinished(target) as work:
        warnings = [*clear_unfinished(target.parent), *_off_the_volume(target, data)]
        try:
            kv.checkpoint(_checkpoint(data))
            yield from _filled(_checkpoint(data), work, now_us, warnings)
        finally:
            clear_checkpoint(data)
        sync_folder(work / STORE)
        sync_folder(work)
        work.replace(target)
        sync_folder(target.parent)


def _filled(checkpoint: Path, work: Path, now_us: int, warnings: Sequence[str]) -> Iterator[BackupResponse]:
    """Fill the folder of a backup from a checkpoint."""
    sources = sorted(checkpoint.iterdir())
    total = 2 * sum(file.stat().st_size for file in sources)  # once written, once read
    done = 0
    manifest = BackupManifest(version=VERSION)
    manifest.created_at.FromMicroseconds(now_us)
    (work / STORE).mkdir()
    for source in sources:
        digest = hashlib.sha256()
        for size in _placed(source, work / STORE / source.name, digest):
            done += size
            yield BackupResponse(done_bytes=done, total_bytes=total)
        size = (work / STORE / source.name).stat().st_size
        manifest.files.append(BackupFile(path=f"{STORE}/{source.name}", bytes=size, sha256=digest.hexdigest()))
    with opened_to_read(work / STORE) as view:
        read = 0
        for size in view.sizes():
            read += size
            if read >= _PART_BYTES:
                done, read = min(done + read, total), 0
                yield BackupResponse(done_bytes=done, total_bytes=total)
        _tell(view, manifest)
    content = json_format.MessageToJson(manifest, preserving_proto_field_name=True, ensure_ascii=False)
    with (work / MANIFEST).open("xb") as file:
        file.write(content.encode())
        os.fsync(file.fileno())
    yield BackupResponse(done_bytes=total, total_bytes=total, manifest=manifest, warnings=warnings)


def _placed(source: Path, place: Path, digest: hashlib._Hash) -> Iterator[int]:
    """Put a file in its place, linked if it never changes and may be; yield the bytes of each part that is hashed."""
    if source.suffix == _IMMUTABLE:
        try:
            place.hardlink_to(source)
        except OSError as error:
            if error.errno not in _CANNOT_LINK:
                raise
        else:
            with place.open("rb") as file:
                while part := file.read(_PART_BYTES):
                    digest.update(part)
                    yield len(part)
                os.fsync(file.fileno())
            return
    with source.open("rb") as file, place.open("xb") as copy:
        while part := file.read(_PART_BYTES):
            digest.update(part)
            copy.write(part)
            yield len(part)
        copy.flush()
        os.fsync(copy.fileno())


def _tell(view: ReadView, manifest: BackupManifest) -> None:
    record = read_store_record(view)
    if record is None:
        raise StoreFailed("the backup has no record of what its store was made with", hint="run brain doctor")
    manifest.store_format, manifest.embedder, manifest.dimension = record.format, record.embedder, record.dimension
    for memory_id in memory_ids(view):
        revision = view.revision(keys.memory(memory_id))
        manifest.memories.append(BackupMemory(memory_id=memory_id, revision=revision))


def _checkpoint(data: Path) -> Path:
    return data / "checkpoint"


def _checked(folder: str, data: Path, roots: Sequence[str]) -> Path:
    """Return the path of a backup to be, without links."""
    check_text("folder", folder, _LONGEST_FOLDER)
    named = Path(folder)
    require(named.is_absolute() and "\0" not in folder, "folder", folder, "an absolute path", "is none")
    with _written_to(named):
        target = _allowed(named, data, roots)
        if named.is_symlink() or (target.exists() and not (target.is_dir() and not any(target.iterdir()))):
            raise AlreadyExists(
                f"folder: {named} is not empty", field="folder", value=named, limit="a new or empty folder"
            )
    return target


def _allowed(named: Path, data: Path, roots: Sequence[str]) -> Path:
    """Return the path without links if a backup may be written there: a client must not write wherever it likes."""
    if not roots:
        hint = "name folders in store.backup_folders of the config"
        raise FailedPrecondition("this server writes no backups", field="folder", value=named, hint=hint)
    allowed = [Path(os.path.normpath(data.absolute() / root)) for root in roots]
    limit = f"below {' or '.join(map(str, allowed))} (store.backup_folders), not among the store's files, not hidden"
    target = Path(os.path.realpath(named))
    store = data.resolve()
    places = (target.relative_to(root) for each in allowed if _holds(root := each.resolve(), target, store))
    place = next(places, Path())
    is_shown = place != Path() and not any(part.startswith(".") for part in place.parts)
    require(is_shown, "folder", named, limit, "is no place for a backup")
    return target


def _holds(root: Path, target: Path, data: Path) -> bool:
    """Return whether a target is below a root, and in the data folder only if that root is for backups alone."""
    if not target.is_relative_to(root):
        return False
    if not target.is_relative_to(data):
        return True
    return root.is_relative_to(data) and root != data and root.relative_to(data).parts[0] not in _OWN


def _off_the_volume(target: Path, data: Path) -> list[str]:
    """Return in words that a backup is not on the volume that is mounted as the data folder, but on what that is in."""
    volume = data.resolve()
    if not volume.is_mount() or target.is_relative_to(volume):
        return []
    if target.parent.stat().st_dev != volume.parent.stat().st_dev:
        return []
    own = volume / "brain-backups" / target.name
    return [f"{target} is not on the volume that is mounted at {volume}, and may go when it stays: {own} is on it"]


@contextmanager
def _written_to(target: Path) -> Iterator[None]:
    """Say what it means when a file of the backup cannot be written."""
    try:
        yield
    except OSError as error:
        message = f"folder: {target}: {error.strerror}"
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            raise ResourceExhausted(message, field="folder", value=target, hint="make room, or name another") from error
        raise FailedPrecondition(message, field="folder", value=target, hint="name another folder") from error
