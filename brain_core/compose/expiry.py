"""Items that have stopped to hold, by their expires_at or valid_to, are not given as what holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from smartbrain.v1.evidence_pb2 import Dropped

from brain_core.compose.retrieve import Found
from brain_core.compose.select import Selection
from brain_core.index.chunks import ChunkTable
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, ChunkRecord


def holding(chunks: Sequence[ChunkRecord], now_us: int) -> list[ChunkRecord]:
    """Return the chunks of items that hold at a time, Unix microseconds."""
    return [chunk for chunk in chunks if not _has_ended(chunk, now_us)]


def without_ended(
    found: Found, table: ChunkTable, read: Callable[[Sequence[int]], list[ChunkRecord]], now_us: int
) -> Found:
    """Return what was found without items that have ended; they are named among what was dropped."""
    rows, kept = found.ranking.rows, found.selection.kept
    places = [place for place in kept if table.column("kind")[rows[place]] == CHUNK_KIND_ITEM]
    chunks = read([int(rows[place]) for place in places])
    ended = {place: chunk for place, chunk in zip(places, chunks, strict=True) if _has_ended(chunk, now_us)}
    if not ended:
        return found
    dropped = [
        Dropped(id=chunk.evidence.id, reason="below_threshold", detail=f"held until {_day(chunk.ends_us)}")
        for chunk in ended.values()
    ]
    left = [place for place in kept if place not in ended]
    selection = Selection(left, [*dropped, *found.selection.dropped], found.selection.capped)
    return replace(found, selection=selection)


def _has_ended(chunk: ChunkRecord, now_us: int) -> bool:
    return 0 < chunk.ends_us <= now_us


def _day(us: int) -> str:
    return datetime.fromtimestamp(us // 1_000_000, UTC).date().isoformat()
