"""Memory items: the newest version by key, and every version."""

from __future__ import annotations

from collections.abc import Iterator

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.store import keys
from brain_core.store.kv import Batch, ReadView


def read_item(view: ReadView, memory_id: str, item_type: str, key: str) -> MemoryItem | None:
    """Return the newest version of an item, whatever its status, or None."""
    found = view.get(keys.memory(memory_id), keys.item(item_type, key))
    return None if found is None else MemoryItem.FromString(found)


def read_version(view: ReadView, memory_id: str, item_type: str, key: str, version: int) -> MemoryItem | None:
    """Return one version of an item as it was written, or None."""
    found = view.get(keys.memory(memory_id), keys.version(item_type, key, version))
    return None if found is None else MemoryItem.FromString(found)


def scan_items(view: ReadView, memory_id: str) -> Iterator[MemoryItem]:
    """Yield the newest version of every item, by type and key."""
    for _, value in view.scan(keys.memory(memory_id), keys.ITEMS):
        yield MemoryItem.FromString(value)


def put_item(batch: Batch, item: MemoryItem) -> None:
    """Add a version and make it the newest."""
    record = item.SerializeToString()
    batch.put(keys.item(item.type, item.key), record)
    batch.put(keys.version(item.type, item.key, item.version), record)


def put_old_version(batch: Batch, item: MemoryItem) -> None:
    """Replace an older version, whose status has changed."""
    batch.put(keys.version(item.type, item.key, item.version), item.SerializeToString())


def put_item_chunk(batch: Batch, item: MemoryItem, ordinal: int) -> None:
    """Keep which chunk stands for an item's newest version."""
    batch.put(keys.item_chunk(item.type, item.key), keys.number(ordinal))


def read_item_chunk(view: ReadView, memory_id: str, item_type: str, key: str) -> int | None:
    """Return the ordinal of the chunk that stands for an item's newest version, or None."""
    found = view.get(keys.memory(memory_id), keys.item_chunk(item_type, key))
    return None if found is None else int.from_bytes(found, "big")
