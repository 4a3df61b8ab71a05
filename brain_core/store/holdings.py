"""What a memory holds, in numbers that stand with its counters: a list of memories reads two rows of each.

They are brought up to each revision from its batch alone, whoever makes it, so no writer has to count.

They name the revision they are of. Where that is not the memory's, a version that knows nothing of them has written
since, and the rows are counted.
"""

from __future__ import annotations

from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core.store import keys
from brain_core.store.kv import Batch, Partition, ReadView
from brain_core.store.v1.records_pb2 import ChangeRecord, HoldingsRecord, SpaceRecord

_SET_BACK_US = 60_000_000
"""By less a revision may seem earlier than the one before: a clock is corrected, a batch waits for its turn."""

_LOOKED_UP = (keys.ITEMS, keys.SESSIONS, keys.DOCUMENTS)
"""Rows that are written again; the place of a message is written once."""


def holdings_of(view: ReadView, memory_id: str, space: SpaceRecord) -> HoldingsRecord:
    """Return what a memory holds, by its counters where they are of its revision, else counted row by row."""
    partition = keys.memory(memory_id)
    revision = view.revision(partition)
    return space.holdings if space.holdings.revision == revision else count_holdings(view, partition, revision)


def count_holdings(view: ReadView, partition: Partition, revision: int) -> HoldingsRecord:
    """Count what the partition of a memory holds, row by row."""
    held = HoldingsRecord(
        revision=revision,
        sessions=_rows(view, partition, keys.SESSIONS),
        messages=_rows(view, partition, keys.MESSAGES),
        documents=_rows(view, partition, keys.DOCUMENTS),
    )
    for _, value in view.scan(partition, keys.ITEMS):
        held.items[_status(value)] += 1
    for _, value in view.scan(partition, keys.CHANGES, limit=1, reverse=True):
        held.updated_at_us = ChangeRecord.FromString(value).committed_at_us
    return held


def follow_holdings(batch: Batch, view: ReadView, space: SpaceRecord, change: ChangeRecord) -> None:
    """Bring the holdings in a memory's counters up to a revision.

    batch: has all that it writes of sessions, messages, items and documents. view: shows the memory before it.
    """
    partition = keys.memory(space.memory_id)
    if space.holdings.revision != change.revision - 1:
        space.holdings.CopyFrom(count_holdings(view, partition, change.revision - 1))
    held = space.holdings
    _note_set_back(space, change)
    held.revision, held.updated_at_us = change.revision, change.committed_at_us
    written = dict(batch.puts)
    gone = set(batch.deletes).difference(written)
    held.messages += _of_messages(written) - _of_messages(gone)
    changed = [key for key in (*written, *gone) if key[:1] in _LOOKED_UP]
    for key, before in zip(changed, view.multi_get(partition, changed), strict=True):
        for value, by in ((before, -1), (written.get(key), 1)):
            if value is not None:
                _count(held, key, value, by)


def keep_holdings(space: SpaceRecord, change: ChangeRecord) -> None:
    """Say that a revision changes nothing of what a memory holds, as one that gives its chunks other vectors."""
    if space.holdings.revision == change.revision - 1:
        _note_set_back(space, change)
        space.holdings.revision = change.revision


def _note_set_back(space: SpaceRecord, change: ChangeRecord) -> None:
    if change.committed_at_us < space.holdings.updated_at_us - _SET_BACK_US:
        space.set_back.append(change.revision)


def _count(held: HoldingsRecord, key: bytes, value: bytes, by: int) -> None:
    if key.startswith(keys.ITEMS):
        held.items[_status(value)] += by
    elif key.startswith(keys.SESSIONS):
        held.sessions += by
    else:
        held.documents += by


def _of_messages(rows: dict[bytes, bytes] | set[bytes]) -> int:
    return sum(key.startswith(keys.MESSAGES) for key in rows)


def _status(value: bytes) -> int:
    return MemoryItem.FromString(value).status or ITEM_STATUS_ACTIVE


def _rows(view: ReadView, partition: Partition, prefix: bytes) -> int:
    return sum(1 for _ in view.scan(partition, prefix))
