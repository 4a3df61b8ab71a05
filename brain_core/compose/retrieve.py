"""Retrieve: a plan in, an EvidencePack out. The composer asks the same way."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core.compose.evidence import build_pack, choose, named_rows
from brain_core.compose.plan import ignored_fields
from brain_core.compose.search import Question, search
from brain_core.index.memory_index import MemoryIndex
from brain_core.policy import Policies
from brain_core.store.kv import ReadView
from brain_core.store.log import read_chunks
from brain_core.store.v1.records_pb2 import ChunkRecord


@dataclass(frozen=True, slots=True)
class Asked:
    """A completed plan and all it needs to be carried out.

    vectors: float32[queries, dimension]. now_us: the time that recency is counted from; None is the time of the newest
    text. trade: 1 for pure relevance; less trades it for variety. spare: evidences beyond top_k, for a composer that
    will find some of them in other slots.
    """

    plan: RetrievalPlan
    plan_id: str
    vectors: NDArray[np.float32]
    at: Timestamp
    now_us: int | None
    trade: float
    spare: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A pack, and behind each of its evidences, in the same order, its chunk record and its final score, 0..1."""

    pack: EvidencePack
    chunks: list[ChunkRecord]
    scores: list[float]
    timings_ms: dict[str, float]


def execute(index: MemoryIndex, view: ReadView, memory_id: str, asked: Asked, policies: Policies) -> Found:
    """Carry out a plan at the index's revision, which must be the view's. The caller holds the memory's lock."""
    clock = _Stages()
    question = Question(
        index,
        asked.plan,
        policies.ranking,
        _newest(index) if asked.now_us is None else asked.now_us,
        lambda rows: [chunk.evidence.snippet for chunk in read_chunks(view, memory_id, rows.tolist())],
    )
    ranking = search(question, asked.vectors)
    clock.mark("search")
    selection = choose(index, asked.plan, ranking, asked.trade, asked.plan.budget.top_k + asked.spare)
    clock.mark("select")
    rows = named_rows(ranking, selection)
    chunks = dict(zip(rows, read_chunks(view, memory_id, rows), strict=True))
    pack = build_pack(asked.plan, asked.plan_id, ranking, selection, chunks, ignored_fields(asked.plan), asked.at)
    clock.mark("evidence")
    pack.stats.took_ms = sum(clock.spent.values())
    kept = [chunks[int(ranking.rows[place])] for place in selection.kept]
    scores = [min(float(ranking.scores[place]), 1.0) for place in selection.kept]
    return Found(pack, kept, scores, clock.spent)


def _newest(index: MemoryIndex) -> int:
    times = index.chunks.column("time_us")
    return int(times.max()) if len(times) else 0


class _Stages:
    """Milliseconds by stage, from one mark to the next."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self.spent: dict[str, float] = {}

    def mark(self, stage: str) -> None:
        now = time.perf_counter()
        self.spent[stage] = (now - self._last) * 1000
        self._last = now
