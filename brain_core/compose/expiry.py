"""Items that have stopped to hold, by their expires_at or valid_to, are not given as what holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
from smartbrain.v1.evidence_pb2 import Dropped

from brain_core.compose.search import Ranking
from brain_core.index.chunks import ChunkTable

_NAMED = 50


def holding(ranking: Ranking, chunks: ChunkTable, now_us: int) -> tuple[Ranking, list[Dropped]]:
    """Return a ranking without what no longer holds at a time, Unix microseconds; and that, the best 50 by name."""
    ends = chunks.column("ends_us")[ranking.rows]
    ended = (ends > 0) & (ends <= now_us)
    if not ended.any():
        return ranking, []
    left = np.flatnonzero(~ended)
    dropped = [
        Dropped(id=chunks.records.id(row), reason="below_threshold", detail=f"held until {_day(end)}")
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
    return kept, dropped[:_NAMED]


def _day(us: int) -> str:
    return datetime.fromtimestamp(us // 1_000_000, UTC).date().isoformat()
