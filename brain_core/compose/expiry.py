"""Items that have stopped to hold, by their expires_at or valid_to, are not given as what holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, tzinfo

import numpy as np
from smartbrain.v1.evidence_pb2 import Dropped

from brain_core.compose.blocks import Pinned, pinned_of
from brain_core.compose.search import Ranking
from brain_core.index.chunks import ChunkTable
from brain_core.zones import day_at

_NAMED = 50


def holding(ranking: Ranking, chunks: ChunkTable, ends_by_us: int, zone: tzinfo) -> tuple[Ranking, list[Dropped]]:
    """Return a ranking without what no longer holds at a time, Unix microseconds; and that, the best 50 by name.

    zone: in which days are told.
    """
    if ends_by_us < chunks.first_end_us:
        return ranking, []
    ends = chunks.column("ends_us")[ranking.rows]
    ended = (ends > 0) & (ends <= ends_by_us)
    if not np.count_nonzero(ended):
        return ranking, []
    left = np.flatnonzero(~ended)
    dropped = [
        _dropped(chunks.records.id(row), end, zone)
        for row, end in zip(ranking.rows[ended].tolist(), ends[ended].tolist(), strict=True)
    ]
    kept = replace(
        ranking,
        rows=ranking.rows[left],
        scores=ranking.scores[left],
        best_query=ranking.best_query[left],
        fused=ranking.fused[left],
        recency=ranking.recency[left],
    )
    return kept, _named(dropped)


def in_force(pinned: Pinned, now_us: int, zone: tzinfo = UTC) -> tuple[Pinned, list[Dropped]]:
    """Return the pinned items that hold at a time, Unix microseconds; and the others, the best 50 by name.

    zone: in which days are told.
    """
    if not 0 < pinned.first_end_us <= now_us:
        return pinned, []
    ended = [block for block in pinned.blocks if 0 < block.ends_us <= now_us]
    kept = pinned_of(block for block in pinned.blocks if not 0 < block.ends_us <= now_us)
    return kept, _named([_dropped(block.id, block.ends_us, zone) for block in ended])


def _dropped(name: str, end_us: int, zone: tzinfo) -> Dropped:
    return Dropped(id=name, reason="below_threshold", detail=f"held until {day_at(end_us, zone).isoformat()}")


def _named(dropped: list[Dropped]) -> list[Dropped]:
    more = len(dropped) - _NAMED
    if more <= 0:
        return dropped
    return [*dropped[:_NAMED], Dropped(id="*", reason="below_threshold", detail=f"{more} more no longer hold")]
