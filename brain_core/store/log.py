"""The change sequence of a memory: its counters, its chunks, and what each revision changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from brain_core.errors import NotFound, StoreFailed
from brain_core.store import keys
from brain_core.store.holdings import keep_holdings
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import (
    ChangeRecord,
    ChunkRecord,
    CommitRecord,
    ItemVersion,
    RequestRecord,
    SpaceRecord,
)


def read_space(view: ReadView, memory_id: str) -> SpaceRecord | None:
    """Return a memory's counters, or None if there is no such memory."""
    found = view.get(keys.memory(memory_id), keys.SPACE)
    return None if found is None else SpaceRecord.FromString(found)


def is_unpurged(then: SpaceRecord | None, now: SpaceRecord | None) -> bool:
    """Return whether nothing was purged of a memory, nor all of it, between two readings of its counters."""
    if then is None or now is None:
        return False
    return (then.created_at_us, then.purges) == (now.created_at_us, now.purges)


def not_begun(memory_id: str) -> str:
    """Say what it means that there is no such memory."""
    return f"there is no memory {memory_id!r} yet: it begins with its first commit or document"


def require_memory(view: ReadView, memory_id: str) -> None:
    """Raise NotFound if there is no such memory."""
    if view.revision(keys.memory(memory_id)) == 0:
        raise NotFound(
            f"memory_id: {not_begun(memory_id)}",
            field="memory_id",
            value=memory_id,
            limit="a memory with at least one commit or document",
            hint="check the name; ComposeContext alone answers of a memory that has not begun",
        )


def require_unpurged(view: ReadView, memory_id: str, then: SpaceRecord | None) -> None:
    """Raise NotFound if something was purged of a memory, or all of it, since its counters were read."""
    if not is_unpurged(then, read_space(view, memory_id)):
        raise NotFound(
            f"memory_id: something of memory {memory_id!r} was purged meanwhile",
            field="memory_id",
            value=memory_id,
            limit="a memory of which nothing was purged meanwhile",
        )


def memory_ids(view: ReadView) -> Iterator[str]:
    """Yield the ids of all memories, in order of their bytes."""
    return (keys.memory_id_of(partition) for partition in view.partitions(keys.MEMORIES))


def put_space(batch: Batch, space: SpaceRecord) -> None:
    """Replace the counters."""
    batch.put(keys.SPACE, space.SerializeToString())


def read_request(view: ReadView, memory_id: str, request_id: str) -> RequestRecord | None:
    """Return what a request was answered, or None."""
    found = view.get(keys.memory(memory_id), keys.request(request_id))
    return None if found is None else RequestRecord.FromString(found)


def put_request(batch: Batch, request_id: str, record: RequestRecord) -> None:
    """Keep what a request was answered."""
    batch.put(keys.request(request_id), record.SerializeToString())


def put_change(batch: Batch, change: ChangeRecord) -> None:
    """Keep what a revision changed."""
    batch.put(keys.change(change.revision), change.SerializeToString())
    if change.session_id and change.items:
        batch.put(keys.session_change(change.session_id, change.revision), b"")


def read_change(view: ReadView, memory_id: str, revision: int) -> ChangeRecord | None:
    """Return what a revision changed, or None if there is no such revision."""
    found = view.get(keys.memory(memory_id), keys.change(revision))
    return None if found is None else ChangeRecord.FromString(found)


def committed_by(view: ReadView, memory_id: str, by_us: int, newest: int) -> tuple[int, int]:
    """Return (the last revision up to `newest` that was committed by a time, when that was); (0, 0) if none was.

    Times are Unix microseconds. A clock that was set back makes several runs of revisions, each in the order of time.
    What was committed before the memory began, by a clock that was behind, counts where nothing else was by then.
    """
    space = read_space(view, memory_id) or SpaceRecord()
    last, found = newest, list[tuple[int, int]]()
    for first in (*(revision for revision in reversed(space.set_back) if revision <= newest), 1):
        found += _last_by(view, memory_id, by_us, first, last)
        if found and found[-1][1] >= space.created_at_us:
            return found[-1]
        last = first - 1
    return found[0] if found else (0, 0)


def _last_by(view: ReadView, memory_id: str, by_us: int, first: int, last: int) -> list[tuple[int, int]]:
    """Search a run of revisions, whose times rise, for the last one by a time, if there is one."""
    found = list[tuple[int, int]]()
    while first <= last:
        middle = (first + last) // 2
        change = read_change(view, memory_id, middle)
        if change is None:
            raise StoreFailed(
                f"memory {memory_id!r} has no change {middle}", field="revision", value=middle, hint="run brain doctor"
            )
        if change.committed_at_us <= by_us:
            found, first = [(middle, change.committed_at_us)], middle + 1
        else:
            last = middle - 1
    return found


def scan_changes(view: ReadView, memory_id: str, after: int) -> Iterator[ChangeRecord]:
    """Yield the changes past a revision, in order."""
    for _, value in view.scan(keys.memory(memory_id), keys.CHANGES, after=keys.change(after)):
        yield ChangeRecord.FromString(value)


def session_items(view: ReadView, memory_id: str, session_id: str, after: int, limit: int) -> list[ItemVersion]:
    """Return the item versions that revisions past one wrote in a session, of up to `limit` revisions, newest first."""
    partition, start = keys.memory(memory_id), keys.session_change(session_id, after)
    found: list[ItemVersion] = []
    for key, _ in view.scan(partition, keys.session_changes(session_id), limit=limit, reverse=True):
        if key <= start:
            break
        change = read_change(view, memory_id, int.from_bytes(key[-8:], "big"))
        found += change.items if change is not None else ()
    return found


def put_commit(batch: Batch, revision: int, record: CommitRecord) -> None:
    """Keep what the commit of a revision answered."""
    batch.put(keys.commit(revision), record.SerializeToString())


def read_commit(view: ReadView, memory_id: str, revision: int) -> CommitRecord | None:
    """Return what the commit of a revision answered, or None if that was not kept."""
    found = view.get(keys.memory(memory_id), keys.commit(revision))
    return None if found is None else CommitRecord.FromString(found)


def put_chunk(batch: Batch, chunk: ChunkRecord) -> None:
    """Add or replace a chunk."""
    batch.put(keys.chunk(chunk.ordinal), chunk.SerializeToString())


def put_vectors(
    batch: Batch, space: SpaceRecord, chunks: Sequence[ChunkRecord], vectors: NDArray[np.float32], change: ChangeRecord
) -> None:
    """Give chunks other vectors, float32[chunks, dimension], as one revision that adds nothing.

    space: the counters as they are afterwards. change: of that revision; what it changed is filled in.
    """
    for chunk, vector in zip(chunks, vectors.astype("<f2"), strict=True):
        chunk.vector = vector.tobytes()
        put_chunk(batch, chunk)
    keep_holdings(space, change)
    put_space(batch, space)
    change.first_chunk = space.next_chunk
    change.changed_chunks.extend(chunk.ordinal for chunk in chunks)
    put_change(batch, change)


def read_chunks(view: ReadView, memory_id: str, ordinals: Iterable[int]) -> list[ChunkRecord]:
    """Return chunks in the order of their ordinals given. Raises StoreFailed if one is missing."""
    wanted = list(ordinals)
    found = view.multi_get(keys.memory(memory_id), [keys.chunk(ordinal) for ordinal in wanted])
    chunks = []
    for ordinal, record in zip(wanted, found, strict=True):
        if record is None:
            raise StoreFailed(
                f"memory {memory_id!r} has no chunk {ordinal}", field="chunk", value=ordinal, hint="run brain doctor"
            )
        chunks.append(ChunkRecord.FromString(record))
    return chunks


def scan_chunks(view: ReadView, memory_id: str, first: int = 0) -> Iterator[ChunkRecord]:
    """Yield the chunks from an ordinal on, in order."""
    after = keys.chunk(first - 1) if first else b""
    for _, value in view.scan(keys.memory(memory_id), keys.CHUNKS, after=after):
        yield ChunkRecord.FromString(value)
