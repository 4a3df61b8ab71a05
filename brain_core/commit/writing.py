"""From a ledger to a batch: versions of items, their chunks, and the chunks of versions that have ended."""

from __future__ import annotations

from collections.abc import Sequence

from smartbrain.v1.item_pb2 import ItemStatus, MemoryItem

from brain_core.commit.ledger import Ledger
from brain_core.index.derive import chunk_text, ends_us, item_chunk
from brain_core.models.embedder import Embedder, fresh_vectors
from brain_core.store import items, log
from brain_core.store.core import follow_core
from brain_core.store.holdings import follow_holdings
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, ChangeRecord, ChunkRecord, SpaceRecord


def number_chunks(chunks: Sequence[ChunkRecord], first: int, embedder: Embedder) -> None:
    """Give new chunks their ordinals, from `first` on, and the vectors they are found by at once."""
    embed_chunks(chunks, embedder)
    for ordinal, chunk in enumerate(chunks, start=first):
        chunk.ordinal = ordinal


def follow_newest(space: SpaceRecord, added: Sequence[ChunkRecord], now_us: int) -> None:
    """Bring the time of the newest text up to the new chunks of a turn that is committed now.

    A text of a time still to come is the newest until something of no such time is committed: it was said by then.
    """
    if not added:
        return
    before_us = space.newest_said_us or (now_us if space.turns else 0)
    said = [chunk.time_us for chunk in added if chunk.kind != CHUNK_KIND_ITEM]
    said_us = max(said, default=now_us)
    space.newest_said_us = now_us if said_us <= now_us < before_us else max(said_us, before_us)
    put_newest(space, added, before_us)


def put_newest(space: SpaceRecord, added: Sequence[ChunkRecord], before_us: int = 0) -> None:
    """Tell an index the time of the newest text by the last of new chunks, where it would not find it by itself.

    before_us: what it was before them.
    """
    newest_us = space.newest_said_us
    if added and 0 < newest_us < max(before_us, *(chunk.time_us for chunk in added)):
        added[-1].newest_said_us = newest_us


def embed_chunks(chunks: Sequence[ChunkRecord], embedder: Embedder) -> None:
    """Give new chunks the vectors they are found by at once."""
    vectors = fresh_vectors(embedder, [chunk_text(chunk) for chunk in chunks]).astype("<f2")
    for chunk, vector in zip(chunks, vectors, strict=True):
        chunk.vector = vector.tobytes()


def restated_chunks(view: ReadView, memory_id: str, ledger: Ledger) -> list[ChunkRecord]:
    """Return the chunks of stored versions that a ledger ends, or is surer of or that end later, as they are to be.

    What has a chunk of its own is of another version than what is stored.
    """
    changed: dict[int, MemoryItem] = {}
    refreshed = [item for slot, item in ledger.written.items() if slot not in ledger.fresh]
    for item in (*ledger.ended, *refreshed):
        stored = items.read_item(view, memory_id, item.type, item.key)
        ordinal = items.read_item_chunk(view, memory_id, item.type, item.key)
        if stored is None or ordinal is None or stored.version != item.version:
            continue
        if _stated(stored) != _stated(item):
            changed[ordinal] = item
    chunks = log.read_chunks(view, memory_id, changed)
    for chunk in chunks:
        chunk.status, chunk.confidence, chunk.ends_us = _stated(changed[chunk.ordinal])
    return chunks


def _stated(item: MemoryItem) -> tuple[ItemStatus.ValueType, float, int]:
    """Return what a chunk says of its item and an item can change without another version."""
    return item.status, item.confidence, ends_us(item)


def item_batch(
    view: ReadView, space: SpaceRecord, ledger: Ledger, change: ChangeRecord, embedder: Embedder, pinned: int
) -> tuple[Batch, list[ChunkRecord], list[ChunkRecord]]:
    """Return (batch, new chunks, older chunks that change) of a revision that adds no turn.

    space: the counters before it, which are counted on. change: without chunks and items, which are filled in. pinned:
    worst priority that every context carries.
    """
    added = [item_chunk(item) for item in ledger.fresh.values()]
    number_chunks(added, space.next_chunk, embedder)
    put_newest(space, added)
    changed = restated_chunks(view, space.memory_id, ledger)
    batch = Batch()
    put_items(batch, ledger, space.next_chunk)
    for chunk in (*added, *changed):
        log.put_chunk(batch, chunk)
    change.first_chunk, change.chunk_count = space.next_chunk, len(added)
    change.changed_chunks.extend(chunk.ordinal for chunk in changed)
    for item in ledger.written.values():
        change.items.add(type=item.type, key=item.key, version=item.version)
    log.put_change(batch, change)
    space.next_chunk += len(added)
    follow_holdings(batch, view, space, change)
    log.put_space(batch, space)
    follow_core(batch, view, space.memory_id, added, changed, pinned)
    return batch, added, changed


def put_items(batch: Batch, ledger: Ledger, first: int) -> None:
    """Put what a ledger changes about items; the chunks of its fresh versions have the ordinals from `first` on."""
    for ended in ledger.ended:
        items.put_old_version(batch, ended)
    for item in ledger.written.values():
        items.put_item(batch, item)
    for ordinal, item in enumerate(ledger.fresh.values(), start=first):
        items.put_item_chunk(batch, item, ordinal)
