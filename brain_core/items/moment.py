"""What was believed at a moment: the version that stood then, with the status it had then.

A version is believed from the revision that wrote it until the revision of the next one. Versions stored before
versions carried their revision count as written before everything else. A value that is only said again makes no
version: its confidence, source and updated_at are those of the last time, at whatever moment it is asked for.
"""

from __future__ import annotations

from smartbrain.v1.item_pb2 import AsOf, MemoryItem

from brain_core.errors import FailedPrecondition
from brain_core.store import items, keys, log
from brain_core.store.kv import ReadView


def revision_at(view: ReadView, memory_id: str, as_of: AsOf) -> int:
    """Return the revision of a moment; raise FailedPrecondition if it is still to come.

    A time stands for the newest revision committed by then: 0 before the first, the newest of all for a time to come.
    """
    newest = view.revision(keys.memory(memory_id))
    moment = as_of.WhichOneof("moment")
    if moment == "time":
        return log.committed_by(view, memory_id, as_of.time.ToMicroseconds(), newest)[0]
    if moment == "revision" and as_of.revision > newest:
        raise FailedPrecondition(
            f"as_of.revision: memory {memory_id!r} is at revision {newest}, not yet at {as_of.revision}",
            field="as_of.revision",
            value=as_of.revision,
            limit=newest,
        )
    return as_of.revision if moment == "revision" else newest


def believed(view: ReadView, newest: MemoryItem, revision: int) -> MemoryItem | None:
    """Return what an item said at a revision, None if there was none yet. newest: its newest version."""
    if newest.revision <= revision:
        return newest
    versions = items.versions_as_written(view, newest.memory_id, newest.type, newest.key)
    return next((version for version in versions if version.revision <= revision), None)
