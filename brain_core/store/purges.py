"""Purges whose bytes may still stand in the data folder. They stand beside the memories, which may be gone."""

from __future__ import annotations

from collections.abc import Iterator

from brain_core.store import keys
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import PurgeRecord


def noted(record: PurgeRecord, number: int) -> Batch:
    """Return the batch of keys.STORE that notes a purge. number: no other purge of the memory has or had it."""
    batch = Batch()
    batch.put(keys.purge(record.memory_id, number), record.SerializeToString())
    return batch


def put_answer(batch: Batch, memory_id: str, request_id: str, answer: bytes) -> None:
    """Keep what the purge of a memory was answered, beside the memories and without a name."""
    batch.put(keys.answered_purge(memory_id, request_id), answer)


def read_answer(view: ReadView, memory_id: str, request_id: str) -> bytes | None:
    """Return what the purge of a memory under a request_id was answered, None if there was none."""
    return view.get(keys.STORE, keys.answered_purge(memory_id, request_id)) if request_id else None


def scan_purges(view: ReadView, memory_id: str = "") -> Iterator[tuple[bytes, PurgeRecord]]:
    """Yield (key, record) of the purges noted, of one memory or of all."""
    prefix = keys.purges(memory_id) if memory_id else keys.PURGES
    for key, value in view.scan(keys.STORE, prefix):
        yield key, PurgeRecord.FromString(value)
