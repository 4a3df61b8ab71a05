"""From a selection to an EvidencePack."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence, EvidencePack, ModeStats, PackExplain

from brain_core.compose.plan import LISTS
from brain_core.compose.retrieve import Found
from brain_core.compose.search import Candidates, Ranking
from brain_core.compose.signals import read_signals, relation_of
from brain_core.compose.then import status_of
from brain_core.index.chunks import ChunkTable
from brain_core.index.records import Records
from brain_core.kernels import reasons
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM

_DROPPED_FIELD = PackExplain.DESCRIPTOR.fields_by_name["dropped"].number
_EXPANSIONS_FIELD = PackExplain.DESCRIPTOR.fields_by_name["expansions"].number


def build_pack(found: Found, chunks: ChunkTable) -> EvidencePack:
    """Return the pack of what was found. stats.took_ms is left out."""
    asked, ranking, records = found.asked, found.ranking, chunks.records
    plan, output = asked.plan, asked.plan.output
    pack = EvidencePack(
        version=plan.version, plan_id=asked.plan_id, request_id=plan.request_id, generated_at=asked.at, plan=plan
    )
    kept = found.selection.kept
    told = read_signals(ranking, np.array(kept, dtype=np.int64))
    statuses = shown_statuses(found, chunks, ranking.rows[kept]).tolist()
    for number, (place, evidence) in enumerate(zip(kept, records.read(ranking.rows[kept].tolist()), strict=True)):
        _as_wanted(found, evidence)
        evidence.status = statuses[number]
        if output.include_provenance:
            query = int(ranking.best_query[place])
            _provenance(evidence, found, query, asked.at)
            evidence.provenance.relation = relation_of(ranking, query, place, records)
        if output.include_signals:
            told.tell(number, evidence.signals)
            found.labels.tell(evidence.document_id, evidence.signals)
        pack.evidences.append(evidence)
    _explain(pack, found, records)
    _stats(pack, found)
    pack.warnings.extend(found.warnings)
    pack.degraded.extend(found.degraded)
    return pack


def shown_statuses(found: Found, chunks: ChunkTable, rows: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return the statuses of rows int32[m] as evidence tells them, uint8[m]: of items, 0 for all else."""
    statuses: NDArray[np.uint8] = status_of(chunks, found.asked.then)[rows]
    statuses *= chunks.column("kind")[rows] == CHUNK_KIND_ITEM
    return statuses


def _as_wanted(found: Found, evidence: Evidence) -> None:
    if found.asked.plan.output.include_raw:
        evidence.raw.content_ref = evidence.source_uri
        evidence.raw.content_hash = hashlib.sha256(evidence.snippet.encode()).hexdigest()
        evidence.raw.debug_payload = evidence.snippet
    evidence.snippet, evidence.snippet_policy = found.snippets.of(evidence)


def _provenance(evidence: Evidence, found: Found, number: int, at: Timestamp) -> None:
    query = found.asked.plan.queries[number]
    evidence.provenance.mode = query.mode
    evidence.provenance.query_text = query.text
    evidence.provenance.query_index = number
    evidence.provenance.retrieved_at.CopyFrom(at)


def _explain(pack: EvidencePack, found: Found, records: Records) -> None:
    plan, explain = found.asked.plan, pack.explain
    explain.fusion.CopyFrom(plan.ranking.fusion)
    explain.rerank.CopyFrom(plan.ranking.rerank)
    explain.diversity.limits.CopyFrom(plan.budget.diversity)
    explain.diversity.applied = found.selection.capped
    words = dict.fromkeys(word for one in found.ranking.candidates for word in one.allowed.words)
    explain.filters_applied.extend(words)
    explain.ignored_fields.extend(found.ignored)
    explain.MergeFromString(expansions(found.ranking, _EXPANSIONS_FIELD))
    explain.MergeFromString(found.selection.drops.serialised(records, _DROPPED_FIELD))
    explain.dropped.extend(found.selection.beyond)


def expansions(ranking: Ranking, field: int) -> bytes:
    """Return what queries were expanded by, as messages Expansion of a repeated field of this number, serialised.

    Aliases and feedback in mode associative, then words of like meaning. Queries of one text have the same words of
    like meaning, which stand with the first of them.
    """
    said: set[str] = set()
    found = b""
    for number, one in enumerate(ranking.candidates):
        sources = [("alias", one.added.aliases), ("feedback", one.added.feedback)] if one.added is not None else []
        if one.query.text not in said:
            said.add(one.query.text)
            sources.append(("alike", one.lexical.similar))
        for source, weights in sources:
            shares = np.fromiter(weights.values(), dtype=np.float64, count=len(weights))
            found += reasons.expansions([*weights], shares, number, source, field)
    return found


def _stats(pack: EvidencePack, found: Found) -> None:
    ranking = found.ranking
    pack.stats.candidates = len(ranking.rows) + ranking.over_quota
    pack.stats.returned = len(pack.evidences)
    kept = set(ranking.rows[found.selection.kept].tolist())
    for name in LISTS:
        seen = _seen(ranking.candidates, name)
        if seen is not None:
            pack.stats.by_mode[name].CopyFrom(ModeStats(candidates=len(seen), returned=len(seen & kept)))


def _seen(candidates: Sequence[Candidates], name: str) -> set[int] | None:
    lists = [one.lists[name][0] for one in candidates if name in one.lists]
    return set(np.concatenate(lists).tolist()) if lists else None
