"""What a memory was at an earlier revision: which rows and turns there were, and which status each row had.

Rows are only added, so those of later revisions come after all others. A row's status changes only by a later change
that names it, so those that no later change names had the status they have.

The moment stands in the request and not in the plan: any executor carries out a plan, but only this store knows its
revisions. Of documents, what there was then is found as far as it is still there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.item_pb2 import ITEM_STATUS_RETRACTED, ITEM_STATUS_SUPERSEDED, AsOf, ItemStatus

from brain_core.compose.said import SaidTurn, said_in
from brain_core.index.chunks import NONE, ChunkTable
from brain_core.index.derive import item_key
from brain_core.items.moment import revision_at
from brain_core.store.events import newest_records, newest_records_by
from brain_core.store.items import versions_as_written
from brain_core.store.kv import ReadView
from brain_core.store.log import read_change, scan_changes
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT, ChunkRange


@dataclass(frozen=True, slots=True)
class Then:
    """A moment. rows: how many there were, the first ones. status: uint8[n], what each had; 0 for those still to come.

    newest_us: time of the newest text there was, Unix microseconds, as `ChunkTable.newest_us`; 0 if none. time_us: when
    it was by the clock: the time asked for, or that of the commit asked for; it may be still to come. gone: how many
    documents have had text replaced or taken out since, which is not found. belated: how many texts were said by the
    time asked for, but committed after it, as imports of what is past are.
    """

    revision: int
    rows: int
    status: NDArray[np.uint8]
    newest_us: int
    time_us: int
    gone: int = 0
    belated: int = 0


def status_of(chunks: ChunkTable, then: Then | None) -> NDArray[np.uint8]:
    """Return uint8[n], the status of every row, now or at a moment."""
    return chunks.column("status") if then is None else then.status


def moment_of(view: ReadView, request: ComposeContextRequest, chunks: ChunkTable) -> Then | None:
    """Return what there was at the moment that a context is asked for, None for now. Raises as `known_then`."""
    if request.as_of.WhichOneof("moment") is None:
        return None
    return known_then(view, request.memory_id, chunks, request.as_of)


def turns_at(view: ReadView, request: ComposeContextRequest, most: int, then: Then | None) -> list[SaidTurn]:
    """Return the newest turns of a context's session, oldest first. then: a moment, None for now."""
    place = view, request.memory_id, request.session_id, most
    records = newest_records(*place) if then is None else newest_records_by(*place, then.revision)
    return [said_in(request.memory_id, record) for record in records]


def known_then(view: ReadView, memory_id: str, chunks: ChunkTable, as_of: AsOf) -> Then:
    """Return what there was at a moment. Raises FailedPrecondition if its revision is still to come.

    Reads every change since then, and the versions of the items that these ended.
    """
    revision = revision_at(view, memory_id, as_of)
    rows, restated, hidden = len(chunks), set[int](), list[Sequence[ChunkRange]]()
    for change in scan_changes(view, memory_id, revision):
        if change.chunk_count:
            rows = min(rows, change.first_chunk)
        restated.update(change.changed_chunks)
        hidden.append(change.hidden)
    status = chunks.column("status").copy()
    status[rows:] = 0
    kinds, types = chunks.column("kind"), chunks.names["item_type"]
    ended = [row for row in sorted(restated) if row < rows and kinds[row] == CHUNK_KIND_ITEM]
    for row, evidence in zip(ended, chunks.records.read(ended), strict=True):
        if not evidence.id:  # it was purged
            continue
        item_type = types[int(chunks.column("item_type")[row])]
        version = int(evidence.id.rpartition(":")[2])
        status[row] = _status_then(view, memory_id, (item_type, item_key(evidence)), version, revision)
    newest_us = chunks.newest_of(rows)
    gone = _documents_gone(hidden, chunks.column("document")[:rows])
    time_us = _time_us(view, memory_id, as_of, revision)
    belated = _said_by(chunks, rows, time_us) if as_of.HasField("time") else 0
    return Then(revision, rows, status, newest_us, time_us, gone, belated)


def _said_by(chunks: ChunkTable, first: int, time_us: int) -> int:
    """Count what was said by a time, of the rows from one on."""
    said = np.isin(chunks.column("kind")[first:], (CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT))
    return int(np.count_nonzero(said & (chunks.column("time_us")[first:] <= time_us)))


def _documents_gone(hidden: Iterable[Sequence[ChunkRange]], documents: NDArray[np.int32]) -> int:
    """Count the documents of which rows of then were hidden, in each change those of one document.

    Purged text no longer tells of which document it was, so it counts as one document more for each change.
    """
    found, purged = set[int](), 0
    for ranges in hidden:
        rows = [row for one in ranges for row in range(one.first, min(one.first + one.count, len(documents)))]
        known = set(documents[rows].tolist()) - {NONE}
        found |= known
        purged += bool(rows) and not known
    return len(found) + purged


def _time_us(view: ReadView, memory_id: str, as_of: AsOf, revision: int) -> int:
    if as_of.HasField("time"):
        return as_of.time.ToMicroseconds()
    change = read_change(view, memory_id, revision)
    return change.committed_at_us if change is not None else 0


def _status_then(
    view: ReadView, memory_id: str, slot: tuple[str, str], version: int, revision: int
) -> ItemStatus.ValueType:
    """Return the status that the chunk of a version had: that of the version, or of a denial, which has no chunk."""
    written = versions_as_written(view, memory_id, *slot)
    believed = next((one for one in written if one.revision <= revision), None)
    if believed is None or believed.version == version:
        return believed.status if believed is not None else ITEM_STATUS_SUPERSEDED
    denied = believed.version == version + 1 and believed.status == ITEM_STATUS_RETRACTED
    return ITEM_STATUS_RETRACTED if denied else ITEM_STATUS_SUPERSEDED
