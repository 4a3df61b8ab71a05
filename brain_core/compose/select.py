"""Which of a ranking are kept, and why the others are not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
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
_REMEMBERED = 1024  # counts
_NONE = np.empty(0, dtype=np.bool_)
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
    """Places in a ranking: those kept, int64[m], in its order. drops: the others, as far as they are named one by one.

    beyond: all others together. capped: how many a cap kept out.
    """

    kept: NDArray[np.int64]
    drops: Drops
    beyond: Sequence[Dropped]
    capped: int


class _Wanted(NamedTuple):
    """Candidates, best first: rows int32[m], scores float64[m], vectors float32[m, d]. columns: that caps go by."""

    rows: NDArray[np.int32]
    scores: NDArray[np.float64]
    vectors: NDArray[np.float32]
    columns: tuple[NDArray[np.int32], ...]


_Chosen = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], list[int]]
"""What `select` returns."""


def choose(
    index: MemoryIndex, plan: RetrievalPlan, ranking: Ranking, trade: float, k: int, ratio: Ratio | None = None
) -> Selection:
    """Keep k of a ranking under the plan's caps, trading relevance (trade 1) against likeness (trade 0).

    What is kept stays in the order of the ranking. ratio: of memory and documents; None leaves it to the scores.
    """
    size, chunks, caps = min(len(ranking.rows), _WIDER * k), index.chunks, plan.budget.diversity
    rows = ranking.rows[:size]
    vectors = index.vectors.vectors(rows) if trade < 1 else np.zeros((size, 0), dtype=np.float32)
    wanted = _Wanted(rows, ranking.scores[:size], vectors, tuple(map(chunks.column, _CAPS)))
    limits = np.array([caps.by_document, caps.by_source, caps.by_section, _ONE_COPY], dtype=np.int32)
    resource = chunks.resources(rows) if ratio and chunks.has_documents() else _NONE
    if ratio and resource.any():
        chosen = _shared(wanted, limits, resource, trade, k, ratio)
    else:
        chosen = select(*wanted, (), limits, trade, k, _DROPPED_NAMED)
    kept, dropped, reasons, capped = chosen
    beyond = _beyond(len(ranking.rows) - len(kept) - len(dropped), ranking.over_quota)
    return Selection(kept, Drops(dropped.tolist(), reasons.tolist(), _words(k)), beyond, sum(capped))


def _shared(
    wanted: _Wanted, limits: NDArray[np.int32], resource: NDArray[np.bool_], trade: float, k: int, ratio: Ratio
) -> _Chosen:
    """Choose as `select`, with room left for memory and for documents; what one cannot fill the other has."""
    sources = np.where(resource, -1, 0).astype(np.int32), np.where(resource, 0, -1).astype(np.int32)
    caps = ratio.caps(resource, wanted.scores, k)
    chosen = select(*wanted, sources, np.concatenate([limits, caps]), trade, k, _DROPPED_NAMED)
    kept, *_, capped = chosen
    if len(kept) < k and any(capped[len(limits) :]):
        documents = int(np.count_nonzero(resource[kept]))
        caps = k - np.array([documents, len(kept) - documents], dtype=np.int32)
        chosen = select(*wanted, sources, np.concatenate([limits, caps]), trade, k, _DROPPED_NAMED)
    return chosen


@lru_cache(maxsize=_REMEMBERED)
def _words(k: int) -> tuple[tuple[str, str], ...]:
    return (("budget", f"over the {k} best"), *_CAP_WORDS)


@lru_cache(maxsize=_REMEMBERED)
def _beyond(below: int, over: int) -> Sequence[Dropped]:
    """Name together what is not named one by one. over: more than per_mode_k of a query. Nobody changes it."""
    named = []
    if below:
        named.append(Dropped(id="*", reason="budget", detail=f"{below} more ranked below the short list", count=below))
    if over:
        detail = f"{over} more over per_mode_k of their query's mode"
        named.append(Dropped(id="*", reason="below_threshold", detail=detail, count=over))
    return named
