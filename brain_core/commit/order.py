"""Which was said first, what a draft says or what holds, where a clock may have been wrong.

What came without a time was said as it was committed, so commits tell its order and not the clock: it is later than all
that was committed before it. What came with one goes by that. But nothing is said after it is committed: what holds and
is of a time still to come counts as said by its commit, where the clock was ahead at that, too, by the last one before.
"""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.item_pb2 import FactOrigin, MemoryItem

from brain_core.commit.ledger import Origin, day
from brain_core.store import keys, log
from brain_core.store.events import revision_of
from brain_core.store.kv import ReadView


def said_after(view: ReadView, origin: Origin, path: str, current: MemoryItem) -> int:
    """Return 1 if what stands at a path was said after the current item, -1 if before it, 0 if at the same time."""
    said_us, said_in = origin.said(path).ToMicroseconds(), origin.said_in
    came_without = said_us == said_in.committed_at.ToMicroseconds()
    if came_without and current.revision < said_in.revision:
        return 1
    if current.revision > said_in.revision:  # a model has read the turn since
        by_commit = _came_without(view, current)
        if by_commit is not None and (came_without or by_commit > said_in.revision):
            return (said_in.revision > by_commit) - (said_in.revision < by_commit)
    held_us, now_us = current.said_at.ToMicroseconds(), origin.now.ToMicroseconds()
    if said_us <= now_us < held_us:
        if current.revision > view.revision(keys.memory(current.memory_id)):
            return 1  # by the commit under way, which tells things in their order
        if not came_without:
            held_us = log.committed_by(view, current.memory_id, now_us, current.revision)[1]
    return (said_us > held_us) - (said_us < held_us)


def fact_said_after(view: ReadView, origin: Origin, path: str, profile: MemoryItem, fact: FactOrigin) -> int:
    """Return the same of one fact of a profile, which has a time of its own."""
    told = MemoryItem(memory_id=profile.memory_id, source_turn_id=fact.source_turn_id)
    told.said_at.CopyFrom(fact.said_at if fact.HasField("said_at") else profile.said_at)
    told.revision = revision_of(fact.source_turn_id) or profile.revision
    return said_after(view, origin, path, told)


def in_words(at: Timestamp, origin: Origin) -> str:
    """Return in words that something was said before what holds. at: when that was said."""
    return f"said before what holds, which was said on {day(at, origin.zone)}"


def _came_without(view: ReadView, item: MemoryItem) -> int | None:
    """Return the revision that said an item without a time; None if it came with one."""
    for revision in (revision_of(item.source_turn_id), item.revision):
        change = log.read_change(view, item.memory_id, revision) if revision is not None else None
        if change is not None and change.committed_at_us == item.said_at.ToMicroseconds():
            return revision
    return None
