"""Revisions that add no turn: begun from the memory's counters, ended by writing them; what is withdrawn in them."""

from __future__ import annotations

from collections.abc import Iterable

from brain_core.env import Env
from brain_core.store import keys, log
from brain_core.store.documents import joined_ranges
from brain_core.store.holdings import follow_holdings
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import ChangeRecord, ChunkRange, SpaceRecord


def begin_revision(view: ReadView, memory_id: str, env: Env) -> tuple[SpaceRecord, ChangeRecord, Batch]:
    """Return (the memory's counters, the change of its next revision, an empty batch). It may be its first one."""
    now_us = env.now_us()
    space = log.read_space(view, memory_id) or SpaceRecord(memory_id=memory_id, created_at_us=now_us)
    revision = view.revision(keys.memory(memory_id)) + 1
    return space, ChangeRecord(revision=revision, committed_at_us=now_us, first_chunk=space.next_chunk), Batch()


def set_withdrawn(space: SpaceRecord, ranges: Iterable[ChunkRange]) -> None:
    """Count chunks as withdrawn, and no others."""
    withdrawn = joined_ranges(list(ranges))
    del space.withdrawn[:]
    space.withdrawn.extend(withdrawn)


def put_revision(batch: Batch, view: ReadView, space: SpaceRecord, change: ChangeRecord) -> None:
    """Put a revision's change and the counters after it. batch: has all else of it. view: is of before it."""
    log.put_change(batch, change)
    follow_holdings(batch, view, space, change)
    log.put_space(batch, space)
