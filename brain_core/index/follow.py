"""Bringing an index to the store's revision: from its snapshot and the changes since, or from nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, tzinfo
from pathlib import Path
from types import MappingProxyType

from brain_core.errors import StoreFailed
from brain_core.index import snapshot
from brain_core.index.memory_index import MemoryIndex
from brain_core.store import keys
from brain_core.store.documents import scan_documents
from brain_core.store.kv import ReadView
from brain_core.store.log import read_chunks, scan_changes, scan_chunks
from brain_core.store.v1.records_pb2 import ChunkRecord
from brain_core.text.tokens import TokenCounter

_CHUNKS_AT_ONCE = 1000
_NONE_INSTEAD: Mapping[int, ChunkRecord] = MappingProxyType({})


def open_index(
    view: ReadView,
    memory_id: str,
    folder: Path,
    dimension: int,
    counter: TokenCounter | None = None,
    zone: tzinfo = UTC,
) -> tuple[MemoryIndex, int, str]:
    """Return a memory's index at the view's revision, its snapshot's revision, and in words why that was not used.

    A snapshot that was not used counts as revision 0; the words of one that was are "".

    A snapshot that is absent, damaged or ahead of the store is ignored. Raises StoreFailed if the store itself has a
    hole.
    """
    try:
        index = snapshot.load(snapshot.snapshot_path(folder, memory_id), dimension, counter, zone)
    except FileNotFoundError:
        return rebuild_index(view, memory_id, dimension, counter, zone), 0, "there is none"
    except (snapshot.SnapshotError, OSError) as error:
        return rebuild_index(view, memory_id, dimension, counter, zone), 0, str(error)
    if index.revision > view.revision(keys.memory(memory_id)):
        return (
            rebuild_index(view, memory_id, dimension, counter, zone),
            0,
            f"it is at revision {index.revision}, past the store's",
        )
    saved_revision = index.revision
    if not replay(view, memory_id, index):
        return rebuild_index(view, memory_id, dimension, counter, zone), 0, "texts were purged since"
    return index, saved_revision, ""


def replay(view: ReadView, memory_id: str, index: MemoryIndex) -> bool:
    """Apply the changes between an index's revision and the view's. Raises StoreFailed if one is missing.

    Returns False, with the index to be thrown away, if one of them took texts from the store.
    """
    for change in scan_changes(view, memory_id, index.revision):
        if change.purged:
            return False
        first = change.first_chunk
        added = read_chunks(view, memory_id, range(first, first + change.chunk_count))
        try:
            changed = read_chunks(view, memory_id, change.changed_chunks)
            index.apply(change.revision, added, changed, change.shown, change.hidden)
        except ValueError as error:
            raise StoreFailed(f"memory {memory_id!r}: {error}", field="revision", value=change.revision) from error
    _check_revision(view, memory_id, index)
    return True


def rebuild_index(
    view: ReadView,
    memory_id: str,
    dimension: int,
    counter: TokenCounter | None = None,
    zone: tzinfo = UTC,
    instead: Mapping[int, ChunkRecord] = _NONE_INSTEAD,
) -> MemoryIndex:
    """Make an index from the chunks in the store. Needs no model: vectors are stored with them.

    instead: by ordinal, chunks that are about to be written in the place of those in the store.
    """
    index = MemoryIndex(dimension, counter=counter, zone=zone)
    pending = []
    try:
        for chunk in scan_chunks(view, memory_id):
            pending.append(instead.get(chunk.ordinal, chunk))
            if len(pending) == _CHUNKS_AT_ONCE:
                index.add(pending)
                pending = []
        index.add(pending)
        for record in scan_documents(view, memory_id):
            index.show(record.chunks)
    except ValueError as error:
        raise StoreFailed(f"memory {memory_id!r}: {error}", field="chunk", value=len(index.chunks)) from error
    index.revision = view.revision(keys.memory(memory_id))
    return index


def _check_revision(view: ReadView, memory_id: str, index: MemoryIndex) -> None:
    revision = view.revision(keys.memory(memory_id))
    if index.revision != revision:
        raise StoreFailed(
            f"memory {memory_id!r}: changes end at {index.revision}, store is at {revision}",
            field="revision",
            value=index.revision,
            limit=revision,
            hint="run brain doctor",
        )
