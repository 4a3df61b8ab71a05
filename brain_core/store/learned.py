"""How far a language model has read a memory, the turns it could not read, and what it has cost."""

from __future__ import annotations

from collections.abc import Iterator

from brain_core.store import keys
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import LearnedRecord, SetAsideRecord, SpentRecord


def read_learned(view: ReadView, memory_id: str) -> LearnedRecord:
    """Return how far a memory was read; the beginning, if it never was."""
    found = view.get(keys.memory(memory_id), keys.LEARNED)
    return LearnedRecord() if found is None else LearnedRecord.FromString(found)


def put_learned(batch: Batch, record: LearnedRecord) -> None:
    """Replace how far a memory was read."""
    batch.put(keys.LEARNED, record.SerializeToString())


def scan_set_aside(view: ReadView, memory_id: str) -> Iterator[tuple[int, SetAsideRecord]]:
    """Yield (revision, record) of the turns set aside, oldest first."""
    for key, value in view.scan(keys.memory(memory_id), keys.SET_ASIDE):
        yield int.from_bytes(key[len(keys.SET_ASIDE) :], "big"), SetAsideRecord.FromString(value)


def put_set_aside(batch: Batch, revision: int, record: SetAsideRecord) -> None:
    """Set a turn aside, by the revision that added it."""
    batch.put(keys.set_aside(revision), record.SerializeToString())


def delete_set_aside(batch: Batch, revision: int) -> None:
    """Set a turn aside no longer."""
    batch.delete(keys.set_aside(revision))


def read_spent(view: ReadView) -> SpentRecord:
    """Return what the model has cost; nothing, if it never was asked."""
    found = view.get(keys.STORE, keys.SPENT)
    return SpentRecord() if found is None else SpentRecord.FromString(found)


def put_spent(batch: Batch, record: SpentRecord) -> None:
    """Replace what the model has cost."""
    batch.put(keys.SPENT, record.SerializeToString())
