"""From ranked rows to an EvidencePack: which are kept, their text, and why the others are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Dropped, Evidence, EvidencePack, ModeStats, Signals
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core.compose.search import Candidates, Ranking
from brain_core.index.memory_index import MemoryIndex
from brain_core.kernels.diversify import OVER_K, select
from brain_core.store.v1.records_pb2 import ChunkRecord

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
    """Places in a ranking: those kept, in order, and those not, each with its reason and detail."""

    kept: NDArray[np.int32]
    dropped: list[tuple[int, str, str]]
    capped: int


def choose(index: MemoryIndex, plan: RetrievalPlan, ranking: Ranking, trade: float, k: int) -> Selection:
    """Keep k of a ranking under the plan's caps, trading relevance (trade 1) against likeness (trade 0).

    What is kept stays in the order of the ranking.
    """
    size = min(len(ranking.rows), _WIDER * k)
    rows = ranking.rows[:size]
    caps = plan.budget.diversity
    groups = np.stack([index.chunks.column(name)[rows].astype(np.int32) for name in _CAPS], axis=1)
    limits = np.array([caps.by_document, caps.by_source, caps.by_section, _ONE_COPY], dtype=np.int32)
    vectors = index.vectors.vectors(rows) if trade < 1 else np.zeros((size, 0), dtype=np.float32)
    order, fates = select(ranking.scores[:size], vectors, np.ascontiguousarray(groups), limits, trade, k)
    dropped = [(int(place), *_fate(int(fates[place]), k)) for place in np.flatnonzero(fates)]
    return Selection(np.sort(order), dropped, int(np.count_nonzero(fates > 0)))


def _fate(fate: int, k: int) -> tuple[str, str]:
    return ("budget", f"over the {k} best") if fate == OVER_K else _CAP_WORDS[fate]


def build_pack(
    plan: RetrievalPlan,
    plan_id: str,
    ranking: Ranking,
    selection: Selection,
    chunks: dict[int, ChunkRecord],
    ignored: Sequence[str],
    at: Timestamp,
) -> EvidencePack:
    """Return the pack of a selection. chunks: the records of its rows and of the dropped rows that are named.

    stats.took_ms is left for the caller.
    """
    pack = EvidencePack(version=plan.version, plan_id=plan_id, request_id=plan.request_id, generated_at=at, plan=plan)
    ranks = [one.ranks() for one in ranking.candidates]
    for place in selection.kept.tolist():
        evidence = _evidence(plan, int(ranking.best_query[place]), chunks[int(ranking.rows[place])], at)
        if plan.output.include_signals:
            evidence.signals.CopyFrom(_signals(ranking, ranks, place))
        pack.evidences.append(evidence)
    _explain(pack, plan, ranking, selection, chunks, ignored)
    _stats(pack, ranking, selection)
    return pack


def named_rows(ranking: Ranking, selection: Selection) -> list[int]:
    """Return the rows whose records `build_pack` needs."""
    places = [*selection.kept.tolist(), *(place for place, _, _ in selection.dropped[:_DROPPED_NAMED])]
    return [int(ranking.rows[place]) for place in places]


def _evidence(plan: RetrievalPlan, number: int, chunk: ChunkRecord, at: Timestamp) -> Evidence:
    evidence = Evidence()
    evidence.CopyFrom(chunk.evidence)
    output, query = plan.output, plan.queries[number]
    if output.include_raw:
        evidence.raw.content_ref = evidence.source_uri
        evidence.raw.debug_payload = evidence.snippet
    _snippet(evidence, plan)
    if output.include_provenance:
        evidence.provenance.mode = query.mode
        evidence.provenance.query_text = query.text
        evidence.provenance.query_index = number
        evidence.provenance.retrieved_at.CopyFrom(at)
    return evidence


def _snippet(evidence: Evidence, plan: RetrievalPlan) -> None:
    output = plan.output
    if not output.include_snippets:
        evidence.snippet = ""
        return
    if output.snippet_policy == "l0":
        evidence.snippet, evidence.snippet_policy = evidence.title, "l0"
        return
    evidence.snippet_policy = "l2"
    if len(evidence.snippet) > output.max_snippet_chars:
        evidence.snippet = evidence.snippet[: output.max_snippet_chars - 1] + "…"


def _signals(ranking: Ranking, ranks: Sequence[dict[str, dict[int, int]]], place: int) -> Signals:
    """Return the scores and ranks of one place of a ranking, as far as they were seen."""
    row, number = int(ranking.rows[place]), int(ranking.best_query[place])
    found = Signals()
    lists = ranking.candidates[number].lists
    rank = ranks[number].get("exact", {}).get(row)
    if rank is not None:
        found.fts_rank, found.fts_score = rank + 1, float(lists["exact"][1][rank])
    rank = ranks[number].get("semantic", {}).get(row)
    if rank is not None:
        found.vector_rank, found.vector_score = rank + 1, float(lists["semantic"][1][rank])
    if row in ranking.fused:
        found.rrf_score = ranking.fused[row]
    if row in ranking.reranked:
        found.rerank_score = min(float(ranking.scores[place]), 1.0)
    if row in ranking.recency:
        found.recency_score = ranking.recency[row]
    return found


def _explain(
    pack: EvidencePack,
    plan: RetrievalPlan,
    ranking: Ranking,
    selection: Selection,
    chunks: dict[int, ChunkRecord],
    ignored: Sequence[str],
) -> None:
    explain = pack.explain
    explain.fusion.CopyFrom(plan.ranking.fusion)
    explain.rerank.CopyFrom(plan.ranking.rerank)
    explain.diversity.limits.CopyFrom(plan.budget.diversity)
    explain.diversity.applied = selection.capped
    explain.filters_applied.extend(dict.fromkeys(word for one in ranking.candidates for word in one.filters))
    explain.ignored_fields.extend(ignored)
    for place, reason, detail in selection.dropped[:_DROPPED_NAMED]:
        chunk = chunks[int(ranking.rows[place])]
        explain.dropped.append(Dropped(id=chunk.evidence.id, reason=reason, detail=detail))
    beyond = len(ranking.rows) - len(selection.kept) - min(len(selection.dropped), _DROPPED_NAMED)
    if beyond:
        explain.dropped.append(Dropped(id="*", reason="budget", detail=f"{beyond} more ranked below the short list"))
    if len(ranking.over_quota):
        detail = f"{len(ranking.over_quota)} more over per_mode_k of their query's mode"
        explain.dropped.append(Dropped(id="*", reason="below_threshold", detail=detail))
    for number, one in enumerate(ranking.candidates):
        if one.mode != "exact" and "semantic" not in one.lists:
            pack.warnings.append(f"queries[{number}]: no word of it is known to the embedder, semantic part left out")


def _stats(pack: EvidencePack, ranking: Ranking, selection: Selection) -> None:
    pack.stats.candidates = len(ranking.rows) + len(ranking.over_quota)
    pack.stats.returned = len(pack.evidences)
    kept = {int(ranking.rows[place]) for place in selection.kept}
    for name in ("exact", "semantic"):
        seen = _seen(ranking.candidates, name)
        if seen is not None:
            pack.stats.by_mode[name].CopyFrom(ModeStats(candidates=len(seen), returned=len(seen & kept)))


def _seen(candidates: Sequence[Candidates], name: str) -> set[int] | None:
    lists = [one.lists[name][0] for one in candidates if name in one.lists]
    return set(np.concatenate(lists).tolist()) if lists else None
