"""Which of a ranking are kept, and why the others are not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Dropped
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core.compose.drops import Drops
from brain_core.compose.ratio import Ratio
from brain_core.compose.search import Ranking
from brain_core.index.memory_index import MemoryIndex
from brain_core.kernels.diversify import select

_WIDER = 4
_DROPPED_NAMED = 50
_ONE_COPY = 1
_CAPS = ("document", "uri", "section", "text_hash")
_CAP_WORDS = (
    ("diversity", "over by_document of one document"),
    ("diversity", "over by_source of one source_uri"),
    ("diversity", "over by_section of one section"),
    ("duplicate", "same text as better evidence"),
    ("diversity", "over memory's share of memory_resource_ratio"),
    ("diversity", "over the documents' share of memory_resource_ratio"),
)


class Selection(NamedTuple):
    """Places in a ranking: those kept, in its order. drops: the others, as far as they are named one by one.

    beyond: all others together. capped: how many a cap kept out.
    """

    kept: list[int]
    drops: Drops
    beyond: list[Dropped]
    capped: int


def choose(
    index: MemoryIndex, plan: RetrievalPlan, ranking: Ranking, trade: float, k: int, ratio: Ratio | None = None
) -> Selection:
    """Keep k of a ranking under the plan's caps, trading relevance (trade 1) against likeness (trade 0).

    What is kept stays in the order of the ranking. ratio: of memory and documents; None leaves it to the scores.
    """
    size = min(len(ranking.rows), _WIDER * k)
    rows = ranking.rows[:size]
    caps = plan.budget.diversity
    groups = np.empty((size, len(_CAPS)), dtype=np.int32)
    for place, name in enumerate(_CAPS):
        groups[:, place] = index.chunks.column(name)[rows]
    limits = np.array([caps.by_document, caps.by_source, caps.by_section, _ONE_COPY], dtype=np.int32)
    vectors = index.vectors.vectors(rows) if trade < 1 else np.zeros((size, 0), dtype=np.float32)
    resource = index.chunks.resources(rows) if ratio and index.chunks.has_documents() else np.zeros(0, dtype=bool)
    if ratio and resource.any():
        order, fates = _shared(ranking.scores[:size], vectors, (groups, limits), resource, trade, k, ratio)
    else:
        order, fates = select(ranking.scores[:size], vectors, groups, limits, trade, k)
    drops = _drops(rows, fates, k)
    beyond = _beyond(ranking, len(ranking.rows) - len(order) - len(drops.rows))
    return Selection(sorted(order.tolist()), drops, beyond, int(np.count_nonzero(fates > 0)))


def _shared(
    scores: NDArray[np.float64],
    vectors: NDArray[np.float32],
    capped: tuple[NDArray[np.int32], NDArray[np.int32]],
    resource: NDArray[np.bool_],
    trade: float,
    k: int,
    ratio: Ratio,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Choose as `select`, with room left for memory and for documents; what one cannot fill the other has."""
    groups, limits = capped
    sources = np.stack([np.where(resource, -1, 0), np.where(resource, 0, -1)], axis=1).astype(np.int32)
    groups = np.concatenate([groups, sources], axis=1)
    caps = ratio.caps(resource, scores, k)
    order, fates = select(scores, vectors, groups, np.concatenate([limits, caps]), trade, k)
    if len(order) < k and (fates > len(limits)).any():
        documents = int(np.count_nonzero(resource[order]))
        caps = np.maximum(1, k - np.array([documents, len(order) - documents], dtype=np.int32))
        order, fates = select(scores, vectors, groups, np.concatenate([limits, caps]), trade, k)
    return order, fates


def _drops(rows: NDArray[np.int32], fates: NDArray[np.int32], k: int) -> Drops:
    places = fates.nonzero()[0][:_DROPPED_NAMED]
    return Drops(rows[places], np.maximum(fates[places], 0), (("budget", f"over the {k} best"), *_CAP_WORDS))


def _beyond(ranking: Ranking, below: int) -> list[Dropped]:
    named = []
    if below:
        named.append(Dropped(id="*", reason="budget", detail=f"{below} more ranked below the short list", count=below))
    over = ranking.over_quota
    if over:
        detail = f"{over} more over per_mode_k of their query's mode"
        named.append(Dropped(id="*", reason="below_threshold", detail=detail, count=over))
    return named
