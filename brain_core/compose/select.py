"""Which of a ranking are kept, and why the others are not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Dropped
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core.compose.search import Ranking
from brain_core.index.memory_index import MemoryIndex
from brain_core.kernels.diversify import OVER_K, select

_WIDER = 4
_DROPPED_NAMED = 50
_ONE_COPY = 1
_CAPS = ("document", "uri", "section", "text_hash")
_CAP_WORDS = {
    1: ("diversity", "over by_document of one document"),
    2: ("diversity", "over by_source of one source_uri"),
    3: ("diversity", "over by_section of one section"),
    4: ("duplicate", "same text as better evidence"),
}


@dataclass(frozen=True, slots=True)
class Selection:
    """Places in a ranking: those kept, in its order. dropped: the others, as far as they are named one by one.

    capped: how many a cap kept out.
    """

    kept: list[int]
    dropped: list[Dropped]
    capped: int


def choose(index: MemoryIndex, plan: RetrievalPlan, ranking: Ranking, trade: float, k: int) -> Selection:
    """Keep k of a ranking under the plan's caps, trading relevance (trade 1) against likeness (trade 0).

    What is kept stays in the order of the ranking.
    """
    size = min(len(ranking.rows), _WIDER * k)
    rows = ranking.rows[:size]
    caps = plan.budget.diversity
    groups = np.empty((size, len(_CAPS)), dtype=np.int32)
    for place, name in enumerate(_CAPS):
        groups[:, place] = index.chunks.column(name)[rows]
    limits = np.array([caps.by_document, caps.by_source, caps.by_section, _ONE_COPY], dtype=np.int32)
    vectors = index.vectors.vectors(rows) if trade < 1 else np.zeros((size, 0), dtype=np.float32)
    order, fates = select(ranking.scores[:size], vectors, groups, limits, trade, k)
    return Selection(sorted(order.tolist()), _dropped(index, ranking, fates, k), int(np.count_nonzero(fates > 0)))


def _dropped(index: MemoryIndex, ranking: Ranking, fates: NDArray[np.int32], k: int) -> list[Dropped]:
    places = np.flatnonzero(fates)
    named = []
    for place in places[:_DROPPED_NAMED].tolist():
        reason, detail = _fate(int(fates[place]), k)
        named.append(Dropped(id=index.chunks.ids[int(ranking.rows[place])], reason=reason, detail=detail))
    beyond = len(ranking.rows) - len(fates) + len(places) - len(named)
    if beyond:
        named.append(Dropped(id="*", reason="budget", detail=f"{beyond} more ranked below the short list"))
    if len(ranking.over_quota):
        detail = f"{len(ranking.over_quota)} more over per_mode_k of their query's mode"
        named.append(Dropped(id="*", reason="below_threshold", detail=detail))
    return named


def _fate(fate: int, k: int) -> tuple[str, str]:
    return ("budget", f"over the {k} best") if fate == OVER_K else _CAP_WORDS[fate]
