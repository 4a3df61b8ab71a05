"""RocksDB behind the KV interface. The only file that knows it."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakSet, ref

from rocksdict import (
    AccessType,
    BottommostLevelCompaction,
    Checkpoint,
    CompactOptions,
    DBCompressionType,
    DBRecoveryMode,
    Options,
    Rdict,
    ReadOptions,
    WriteBatch,
)

from brain_core.errors import FEWER_FILES, BrainError, FailedPrecondition, ResourceExhausted, StoreFailed, StoreLocked
from brain_core.store.flusher import Flusher
from brain_core.store.kept import UNREAD, Kept
from brain_core.store.kv import NONE_BESIDE, Batch, Partition

# On disk: a key is partition, 0x00, key; the revision of a partition stands under the empty key.
_END = b"\x00"
_PAST = b"\x01"
_REVISION = b""
_ERASED = b"s" + _END + b"erased"  # rewritten for a flush to have something to write
_WRITE_BUFFER_BYTES = 32 << 20

_FULL = tuple(os.strerror(number) for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
"""How RocksDB words that the disk, a quota or a limit of file sizes has no room: by the system's own words."""
_ROOM = (
    f"make room on the disk, {_WRITE_BUFFER_BYTES >> 20} MiB or more, or raise the limit or quota; if writing is still "
    "refused ten seconds later, restart; nothing acknowledged is lost, and reading goes on"
)
"""RocksDB looks every five seconds whether a disk that was full has room for its write buffer, and goes on then."""
_RESERVE_BYTES = 1 << 20
"""Left free beside each batch: a log that was cut short is not written to again until RocksDB has begun another."""
_CUT_SHORT = "Writer has previous error"
"""What RocksDB says of such a log from then on, whatever the cause was."""

_FILES = tuple(os.strerror(number) for number in (errno.EMFILE, errno.ENFILE))
_AFTER_FILES = "if writing is refused then, restart; nothing acknowledged is lost, and reading goes on"

_CURRENT = "CURRENT"
"""A file that every store has."""
_MOVED = "put it back where it was, or stop the server and restore a backup; what was read before may still be answered"

_DAMAGED = "see brain doctor, or a backup"
_UNOPENED = "no doctor can look into it: restore a backup with brain restore"


def _encode(revision: int) -> bytes:
    return revision.to_bytes(8, "big")


class RocksView:
    """A ReadView over a snapshot. Not safe for use from two threads at once.

    The folder stays locked until it is gone or dropped.
    """

    def __init__(self, folder: Path, source: Any, rows: Any = None) -> None:  # noqa: ANN401  rocksdict's share no base
        """source: for single keys. rows: the iterator that all scans share; None makes one for each."""
        self._folder = folder
        self._source = source
        self._rows = rows
        self._scanning = object()

    def drop(self) -> None:
        """Let go of the store. Later calls fail."""
        self._source = self._rows = None

    def get(self, partition: Partition, key: bytes) -> bytes | None:
        """Return a value, or None."""
        try:
            found: bytes = self._source[partition + _END + key]
        except Exception as error:
            # rocksdict 0.3 raises KeyError from a database and a bare Exception from a snapshot.
            if isinstance(error, KeyError) or str(error) == "key not found":
                return None
            raise _translate(error, self._folder) from error
        return found

    def multi_get(self, partition: Partition, keys: Sequence[bytes]) -> list[bytes | None]:
        """Return the values in the order of the keys, None for absent ones."""
        return [self.get(partition, key) for key in keys]

    def scan(
        self, partition: Partition, prefix: bytes, *, after: bytes = b"", limit: int = 0, reverse: bool = False
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yield (key, value) with the prefix in order of keys, strictly past `after`, at most `limit` (0: all)."""
        base = partition + _END
        first, past = base + prefix, _successor(base + prefix)
        rows, _options = self._iterator(first, past)
        me = self._scanning = object()
        if reverse:
            rows.seek_for_prev(min(base + after, past) if after else past)
        else:
            rows.seek(max(base + after, first))
        if reverse and rows.valid() and rows.key() == past:
            rows.prev()
        given = 0
        while rows.valid() and (not limit or given < limit):
            found: bytes = rows.key()
            if not found.startswith(first):
                break
            key = found[len(base) :]
            if key not in {after, _REVISION}:
                given += 1
                yield key, rows.value()
                if self._scanning is not me:  # another scan has moved the iterator that they share
                    me = self._scanning = object()
                    rows.seek(found)
            rows.prev() if reverse else rows.next()
        self._check(rows)

    def _iterator(self, first: bytes, past: bytes) -> tuple[Any, ReadOptions | None]:
        """Return an iterator and its options, which rocksdict 0.3 needs alive for as long: it points into them."""
        if self._rows is not None:
            return self._rows, None
        options = ReadOptions()
        options.set_iterate_lower_bound(first)
        options.set_iterate_upper_bound(past)
        return self._source.iter(options), options

    def revision(self, partition: Partition) -> int:
        """Return the number of batches written to a partition; 0 where there is none."""
        return int.from_bytes(self.get(partition, _REVISION) or b"", "big")

    def partitions(self, prefix: bytes, *, after: Partition = b"", reverse: bool = False) -> Iterator[Partition]:
        """Yield the partitions whose names have the prefix, in order, past or with reverse before `after`."""
        rows, _options = self._iterator(prefix, _successor(prefix))
        self._scanning = object()
        if reverse:
            rows.seek_for_prev(min(after, _successor(prefix)) if after else _successor(prefix))
        else:
            rows.seek(max(after + _PAST, prefix) if after else prefix)
        while rows.valid() and rows.key().startswith(prefix):
            partition = rows.key().split(_END, 1)[0]
            yield partition
            self._scanning = object()
            rows.seek_for_prev(partition) if reverse else rows.seek(partition + _PAST)
        self._check(rows)

    def sizes(self) -> Iterator[int]:
        """Yield the bytes of every key with its value, so that every block is read and its checksum looked at."""
        options = ReadOptions()
        rows = self._source.iter(options)
        rows.seek_to_first()
        while rows.valid():
            yield len(rows.key()) + len(rows.value())
            rows.next()
        self._check(rows)

    def _check(self, rows: Any) -> None:  # noqa: ANN401
        """Raise StoreFailed if rows ended because the disk or its content is bad."""
        try:
            rows.status()
        except Exception as error:
            raise _translate(error, self._folder) from error


class RocksKV(RocksView):
    """A KV in a folder. One process at a time."""

    def __init__(self, folder: Path, *, durable: bool) -> None:
        """Open or make the store. durable: `sync` waits for the disk, else it returns at once.

        Raises StoreLocked if another process has it open, StoreFailed if it cannot be read or made.
        """
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self._db = Rdict(str(folder), options=_options())
        except Exception as error:
            raise _translate(error, folder, _UNOPENED) from error
        super().__init__(folder, self._db)
        self._lock = threading.Lock()
        self._revisions: dict[Partition, int] = {}
        self._views: WeakSet[RocksView] = WeakSet()
        self._kept = Kept()
        self._closed = False
        self._cut_short = ""  # in RocksDB's words, why the newest write to the log failed
        self._flusher = Flusher(self._flush_log) if durable else None

    def get(self, partition: Partition, key: bytes) -> bytes | None:
        """Return a value, or None."""
        row = partition + _END + key
        found = self._kept.get(row)
        return found if found is not UNREAD else self._read([row])[row]

    def multi_get(self, partition: Partition, keys: Sequence[bytes]) -> list[bytes | None]:
        """Return the values in the order of the keys, None for absent ones."""
        base = partition + _END
        rows = [base + key for key in keys]
        found: dict[bytes, bytes | None] = {}
        unread = []
        for row in rows:
            value = self._kept.get(row)
            if value is UNREAD:
                unread.append(row)
            else:
                found[row] = value
        found.update(self._read(unread) if unread else {})
        return [found[row] for row in rows]

    def _read(self, rows: list[bytes]) -> dict[bytes, bytes | None]:
        """Return the values of rows, None of absent ones, and keep them: a compose asks for a summary where none is."""
        writes = self._kept.writes
        try:
            found: list[bytes | None] | None = self._db.get([*rows]) if len(rows) > 1 else [self._db.get(rows[0])]
        except Exception as error:
            raise _translate(error, self._folder) from error
        values = dict(zip(rows, found or (), strict=True))
        self._kept.keep(values, writes)
        return values

    def write(
        self,
        partition: Partition,
        batch: Batch,
        expect: int | None = None,
        beside: Mapping[Partition, Batch] = NONE_BESIDE,
    ) -> int:
        """Apply a batch at once and return the new revision. beside: batches that are applied with it."""
        with self._lock:
            current = self._revision_now(partition)
            if expect is not None and current != expect:
                raise FailedPrecondition(
                    f"partition is at revision {current}, not {expect}", field="revision", value=current, limit=expect
                )
            self._apply(WriteBatch(raw_mode=True), {partition: batch, **beside})
            return current + 1

    def remove(self, partitions: Sequence[Partition], beside: Mapping[Partition, Batch]) -> None:
        """Remove all of some partitions, and apply batches of others, at once."""
        rows = WriteBatch(raw_mode=True)
        with self._lock:
            for partition in partitions:
                rows.delete_range(partition + _END, partition + _PAST)
                self._revisions.pop(partition, None)
            self._apply(rows, beside, [partition + _END for partition in partitions])

    def _apply(self, rows: WriteBatch, batches: Mapping[Partition, Batch], removed: Sequence[bytes] = ()) -> None:
        """Write rows and batches as one. The lock is held. removed: how all begin that the rows remove at once."""
        changed = []
        revisions = {partition: self._revision_now(partition) + 1 for partition in batches}
        for partition, batch in batches.items():
            base = partition + _END
            for key in batch.deletes:
                rows.delete(base + key)
            for key, value in batch.puts:
                rows.put(base + key, value)
            rows.put(base + _REVISION, _encode(revisions[partition]))
            changed += [base + key for key in (*batch.deletes, *(key for key, _ in batch.puts), _REVISION)]
        try:
            with self._kept.written(changed, removed):
                self._write(rows)
        except BrainError:
            for partition in batches:
                self._revisions.pop(partition, None)
            raise
        self._revisions.update(revisions)

    def _write(self, rows: WriteBatch) -> None:
        """Write rows where the disk has room for them, and say of a log that was cut short what did it. Locked."""
        self._check_room(rows.size_in_bytes())
        try:
            self._db.write(rows)
        except Exception as error:
            if _CUT_SHORT not in str(error):
                self._cut_short = str(error)
            raise self._failure(error) from error
        self._cut_short = ""

    def _check_room(self, nbytes: int = 0) -> None:
        """Raise ResourceExhausted where there is none for a batch, before any of it is written.

        Raises StoreFailed where the folder is not in its place: RocksDB would go on in its open files as if it were.
        """
        try:
            disk = os.statvfs(self._folder / _CURRENT)
        except FileNotFoundError as error:
            words = f"{self._folder} was moved or removed while it is served: nothing more is written"
            raise StoreFailed(words, field="data", value=self._folder, hint=_MOVED) from error
        if disk.f_blocks and disk.f_bavail * disk.f_frsize < nbytes + _RESERVE_BYTES:
            raise _translate(os.strerror(errno.ENOSPC), self._folder)

    def _flush_log(self) -> BrainError | None:
        """Make the log durable. Return why it is not tried: RocksDB writes no more once it has synced one cut short."""
        if self._cut_short:
            return self._failure(self._cut_short)
        self._db.flush_wal(sync=True)
        return None

    def _failure(self, error: object) -> BrainError:
        """Put in words why the log cannot be written."""
        words = str(error)
        return _translate(self._cut_short if _CUT_SHORT in words and self._cut_short else words, self._folder)

    def _revision_now(self, partition: Partition) -> int:
        current = self._revisions.get(partition)
        return self.revision(partition) if current is None else current

    def erase(self, partitions: Sequence[Partition], wait: Callable[[], None]) -> None:
        """Take from the folder's files what was removed or replaced in some partitions before this call.

        Log and sorted files are written anew without it. The manifest, which has names of keys, is begun anew with
        each file that comes or goes (`_options`), so the last flush leaves none of theirs.
        """
        self._check_room()
        self._outlive_views(wait)  # what a snapshot sees is kept
        options = CompactOptions()
        options.set_exclusive_manual_compaction(False)
        options.set_bottommost_level_compaction(BottommostLevelCompaction.force())
        try:
            self._db.flush(True)
            for partition in partitions:
                self._db.compact_range(partition + _END, partition + _PAST, options)
            rows = WriteBatch(raw_mode=True)
            rows.put(_ERASED, b"")
            with self._lock:
                self._write(rows)
            self._db.flush(True)
        except BrainError:
            raise
        except Exception as error:
            raise self._failure(error) from error
        self._outlive_views(wait)  # files that were replaced meanwhile stay while a view has them open

    def _outlive_views(self, wait: Callable[[], None]) -> None:
        with self._lock:
            held = [ref(view) for view in self._views]
        while any(view() is not None for view in held):
            wait()

    def sync(self) -> None:
        """Return once every earlier write is as durable as the store's setting says."""
        if self._flusher is None:
            return
        try:
            self._flusher.wait()
        except BrainError:
            raise
        except Exception as error:
            failure = self._failure(error)
            again = "no commit is acknowledged as durable until a restart; repeat it then by its request_id"
            failure.hint = f"{failure.hint}; {again}" if isinstance(failure, ResourceExhausted) else again
            raise failure from error

    def snapshot(self) -> RocksView:
        """Return a view that later writes do not change."""
        # A snapshot of rocksdict 0.3 gives single keys as they were, but its iterators see the newest state. An
        # iterator of the database keeps to the state at its making: the view scans with one made at the same moment.
        with self._lock:
            view = RocksView(self._folder, self._db.snapshot(), self._db.iter())
            self._views.add(view)
            return view

    def checkpoint(self, folder: Path) -> None:
        """Write the store as it is at one moment to a new folder; files that never change are linked.

        The folder must be on the store's file system: RocksDB's copying holds the GIL.
        """
        self._check_room()
        try:
            Checkpoint(self._db).create_checkpoint(str(folder))
        except Exception as error:
            raise _translate(error, folder) from error

    def close(self) -> None:
        """Sync and let go of the folder; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        if self._flusher is not None:
            self._flusher.stop()
        try:
            try:
                self._db.flush_wal(sync=True)
            finally:
                # A view that is still held, by the traceback of an error perhaps, would keep the folder locked.
                for view in self._views:
                    view.drop()
                self._db.close()
        except Exception as error:
            raise self._failure(error) from error


@contextmanager
def opened_to_read(folder: Path) -> Iterator[RocksView]:
    """Give a store that nobody writes, without writing anything. Raises StoreFailed."""
    try:
        store = Rdict(str(folder), options=_options(), access_type=AccessType.read_only())
    except Exception as error:
        raise _translate(error, folder, _UNOPENED) from error
    view = RocksView(folder, store)
    try:
        yield view
    finally:
        view.drop()
        store.close()


def _options() -> Options:
    options = Options(raw_mode=True)
    options.create_if_missing(True)
    options.set_compression_type(DBCompressionType.lz4())
    options.set_write_buffer_size(_WRITE_BUFFER_BYTES)
    options.set_max_background_jobs(2)
    options.set_keep_log_file_num(4)
    # The manifest names the first and last key of each file: kept for good, it would tell of keys that were purged.
    options.set_max_manifest_file_size(1)
    options.set_paranoid_checks(True)
    # A torn record at the end of the log was never acknowledged and is dropped; damage before it refuses to open.
    options.set_wal_recovery_mode(DBRecoveryMode.tolerate_corrupted_tail_records())
    return options


def _successor(prefix: bytes) -> bytes:
    """Return the least key past all keys with the prefix."""
    trimmed = prefix.rstrip(b"\xff")
    return trimmed[:-1] + bytes([trimmed[-1] + 1])


def _translate(error: object, folder: Path, hint: str = _DAMAGED) -> BrainError:
    text = " ".join(str(error).split())
    if "While lock file" in text or "lock hold by current process" in text:
        return StoreLocked(
            f"{folder} is in use by another process",
            field="data",
            value=folder,
            hint="stop the other brain-server, or give this one another --data folder",
        )
    full = next((words for words in _FULL if words in text), "")
    if full:
        return ResourceExhausted(f"{folder} cannot be written: {full}", field="data", value=folder, hint=_ROOM)
    files = next((words for words in _FILES if words in text), "")
    if files:
        return ResourceExhausted(
            f"{folder}: {files}", field="data", value=folder, hint=f"{FEWER_FILES}; {_AFTER_FILES}"
        )
    return StoreFailed(f"RocksDB in {folder}: {text}", field="data", value=folder, hint=hint)
