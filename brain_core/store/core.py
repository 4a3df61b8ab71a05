"""core_memory: what every context of a memory carries, kept in one record beside the chunks it is made of.

Whoever writes chunks of items calls `follow_core` with the same batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from brain_core.store import items, keys, log
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, ChunkRecord, CoreRecord


def read_core(view: ReadView, memory_id: str, max_priority: int) -> Sequence[ChunkRecord] | None:
    """Return the chunks of active items of a priority or better, best first, then oldest; without vectors.

    None if the memory has no such record, or one that was made for another priority: its next commit of items makes it.
    """
    found = core_record(view, memory_id)
    return None if found is None else blocks_in(found, max_priority)


def core_record(view: ReadView, memory_id: str) -> bytes | None:
    """Return the record as it is stored, for whoever keeps what is made of it; None if there is none."""
    return view.get(keys.memory(memory_id), keys.CORE)


def blocks_in(record: bytes, max_priority: int) -> Sequence[ChunkRecord] | None:
    """Return the chunks of a stored record, as `read_core` does; None if it was made for another priority."""
    parsed = _parsed(record)
    return parsed.blocks if parsed.max_priority == max_priority else None


@lru_cache(maxsize=8)
def _parsed(record: bytes) -> CoreRecord:
    """Return a record, which nobody changes: it comes back with each compose until an item is written."""
    return CoreRecord.FromString(record)


def forget_core() -> None:
    """Let go of records that were parsed."""
    _parsed.cache_clear()


def core_is_sound(view: ReadView, memory_id: str) -> bool:
    """Return whether the record says what the items say. A memory without one is sound."""
    found = view.get(keys.memory(memory_id), keys.CORE)
    if found is None:
        return True
    record = CoreRecord.FromString(found)
    return list(record.blocks) == list(scan_core(view, memory_id, record.max_priority))


def follow_core(
    batch: Batch,
    view: ReadView,
    memory_id: str,
    added: Iterable[ChunkRecord],
    changed: Iterable[ChunkRecord],
    max_priority: int,
) -> None:
    """Bring the record up to a batch that adds and changes chunks. view: before the batch."""
    new = [chunk for chunk in added if chunk.kind == CHUNK_KIND_ITEM and chunk.priority <= max_priority]
    old = [chunk for chunk in changed if chunk.kind == CHUNK_KIND_ITEM]
    is_first = view.revision(keys.memory(memory_id)) == 0
    if not (new or old or is_first):
        return
    blocks = read_core(view, memory_id, max_priority)
    if blocks is None:
        blocks = scan_core(view, memory_id, max_priority)
    by_ordinal = {block.ordinal: block for block in (*blocks, *map(_bare, (*new, *old)))}
    batch.put(keys.CORE, _record(by_ordinal.values(), max_priority).SerializeToString())


def scan_core(view: ReadView, memory_id: str, max_priority: int) -> Sequence[ChunkRecord]:
    """Return the same from the items themselves."""
    ordinals = []
    for item in items.scan_items(view, memory_id):
        ordinal = items.read_item_chunk(view, memory_id, item.type, item.key)
        if item.status == ITEM_STATUS_ACTIVE and ordinal is not None:
            ordinals.append(ordinal)
    chunks = log.read_chunks(view, memory_id, ordinals)
    return _record(map(_bare, chunks), max_priority).blocks


def _record(chunks: Iterable[ChunkRecord], max_priority: int) -> CoreRecord:
    pinned = [each for each in chunks if each.status == ITEM_STATUS_ACTIVE and each.priority <= max_priority]
    return CoreRecord(
        max_priority=max_priority, blocks=sorted(pinned, key=lambda chunk: (chunk.priority, chunk.ordinal))
    )


def _bare(chunk: ChunkRecord) -> ChunkRecord:
    bare = ChunkRecord()
    bare.CopyFrom(chunk)
    bare.ClearField("vector")
    return bare
