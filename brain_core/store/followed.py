"""How far the refs of a memory's turns were followed to files. Progress, not truth: it moves no memory's revision."""

from __future__ import annotations

from brain_core.store import keys
from brain_core.store.kv import KV, Batch, ReadView
from brain_core.store.v1.records_pb2 import FollowedRecord


def read_followed(view: ReadView, memory_id: str) -> FollowedRecord:
    """Return how far a memory's refs were followed; the beginning, if they never were."""
    found = view.get(keys.followed(memory_id), keys.FOLLOWED)
    return FollowedRecord() if found is None else FollowedRecord.FromString(found)


def write_followed(kv: KV, memory_id: str, record: FollowedRecord) -> None:
    """Replace how far a memory's refs were followed."""
    batch = Batch()
    batch.put(keys.FOLLOWED, record.SerializeToString())
    kv.write(keys.followed(memory_id), batch)
