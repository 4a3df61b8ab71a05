"""How far the refs of a memory's turns were followed to files. Progress, not truth: it moves no memory's revision."""

from __future__ import annotations

from collections.abc import Iterable

from brain_core.errors import shorten
from brain_core.store import keys
from brain_core.store.kv import KV, Batch, ReadView
from brain_core.store.v1.records_pb2 import FollowedRecord

_URI_CHARS = 300


def read_followed(view: ReadView, memory_id: str) -> FollowedRecord:
    """Return how far a memory's refs were followed; the beginning, if they never were."""
    found = view.get(keys.followed(memory_id), keys.FOLLOWED)
    return FollowedRecord() if found is None else FollowedRecord.FromString(found)


def write_followed(kv: KV, memory_id: str, record: FollowedRecord) -> None:
    """Replace how far a memory's refs were followed."""
    kv.write(keys.followed(memory_id), followed(record))


def followed(record: FollowedRecord) -> Batch:
    """Return the batch that replaces how far refs were followed."""
    batch = Batch()
    batch.put(keys.FOLLOWED, record.SerializeToString())
    return batch


def name_skipped(record: FollowedRecord, uri: str, why: object, at_us: int) -> None:
    """Count a file that was skipped, and say which and why."""
    record.skipped += 1
    record.problem = f"{_named(uri)}{why}"
    record.problem_at_us = at_us


def without_names(record: FollowedRecord, uris: Iterable[str]) -> FollowedRecord | None:
    """Return a record that names no file of some turns any more, None if it named none."""
    if not any(record.problem.startswith(_named(uri)) for uri in uris):
        return None
    left = FollowedRecord()
    left.CopyFrom(record)
    left.problem, left.problem_at_us = "", 0
    return left


def _named(uri: str) -> str:
    return f"{shorten(uri, _URI_CHARS)}: "
