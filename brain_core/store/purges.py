"""Purges whose bytes may still stand in the data folder. They stand beside the memories, which may be gone."""

from __future__ import annotations

from collections.abc import Iterator

from brain_core.store import keys
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import PurgeRecord


def noted(record: PurgeRecord, number: int) -> Batch:
    """Return the batch of keys.STORE that notes a purge. number: no other purge of the memory has it."""
    batch = Batch()
    batch.put(keys.purge(record.memory_id, number), record.SerializeToString())
    return batch


def scan_purges(view: ReadView, memory_id: str = "") -> Iterator[tuple[bytes, PurgeRecord]]:
    """Yield (key, record) of the purges noted, of one memory or of all."""
    prefix = keys.purges(memory_id) if memory_id else keys.PURGES
    for key, value in view.scan(keys.STORE, prefix):
        yield key, PurgeRecord.FromString(value)
