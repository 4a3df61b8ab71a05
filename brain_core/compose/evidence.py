"""From a selection to an EvidencePack."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import (
    Evidence,
    EvidencePack,
    EvidenceRaw,
    PackExplain,
    PackStats,
)
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core.compose.draft import as_field
from brain_core.compose.plan import LISTS
from brain_core.compose.retrieve import Found
from brain_core.compose.search import Ranking
from brain_core.compose.signals import read_signals, relation_of
from brain_core.compose.snippets import SHORTER, WHOLE
from brain_core.compose.then import status_of
from brain_core.index.chunks import ChunkTable
from brain_core.index.records import Records
from brain_core.kernels import reasons
from brain_core.kernels.pack import longer, pack_evidences
from brain_core.kernels.signals import counted
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM

_PLAN_FIELD = EvidencePack.DESCRIPTOR.fields_by_name["plan"].number
_EVIDENCES_FIELD = EvidencePack.DESCRIPTOR.fields_by_name["evidences"].number
_EXPLAIN_FIELD = EvidencePack.DESCRIPTOR.fields_by_name["explain"].number
_DROPPED_FIELD = PackExplain.DESCRIPTOR.fields_by_name["dropped"].number
_EXPANSIONS_FIELD = PackExplain.DESCRIPTOR.fields_by_name["expansions"].number


class Pack(NamedTuple):
    """A pack on its way, most of it as the bytes that it is sent as.

    told: all but plan, evidences and explain. explain: all but expansions and dropped. evidences: an EvidencePack with
    nothing else, explained: a PackExplain with expansions and dropped, serialised.
    """

    told: EvidencePack
    plan: RetrievalPlan
    explain: PackExplain
    evidences: bytes
    explained: bytes

    def parts(self) -> tuple[bytes, ...]:
        """Return it serialised, in parts that follow one another."""
        plan = as_field(_PLAN_FIELD, (self.plan.SerializeToString(),))
        explain = as_field(_EXPLAIN_FIELD, (self.explain.SerializeToString(), self.explained))
        return (self.told.SerializeToString(), *plan, self.evidences, *explain)

    def whole(self) -> EvidencePack:
        """Return it as a message."""
        return EvidencePack.FromString(b"".join(self.parts()))


def build_pack(found: Found, chunks: ChunkTable) -> Pack:
    """Return the pack of what was found. stats.took_ms is left out."""
    asked, plan = found.asked, found.asked.plan
    rows = found.ranking.rows[found.selection.kept]
    told = EvidencePack()
    told.version, told.plan_id, told.request_id = plan.version, asked.plan_id, plan.request_id
    told.generated_at.CopyFrom(asked.at)
    told.warnings.extend(found.warnings)
    told.degraded.extend(found.degraded)
    _count(told.stats, found, rows)
    return Pack(told, plan, _explain(found), _evidences(found, chunks, rows), _explained(found, chunks.records))


def _evidences(found: Found, chunks: ChunkTable, rows: NDArray[np.int32]) -> bytes:
    """Return the evidences of rows int32[m], those that are kept, as a serialised EvidencePack."""
    asked, ranking, records = found.asked, found.ranking, chunks.records
    plan, output, kept = asked.plan, asked.plan.output, found.selection.kept
    texts, policy = _shown(found, records, rows)
    given = read_signals(ranking, kept)
    is_told, shows_found = output.include_signals, output.include_provenance
    written = pack_evidences(
        records.content,
        records.ends,
        rows,
        texts,
        policy,
        ranking.best_query[kept],
        _provenance(plan, asked.at) if shows_found else None,
        _relations(ranking, kept, records) if shows_found else [],
        [_raw(each) for each in records.read(rows.tolist())] if output.include_raw else [],
        (chunks.column("kind"), status_of(chunks, asked.then), CHUNK_KIND_ITEM),
        given.ranks if is_told else given.ranks[:0],
        given.scores if is_told else given.scores[:0],
        _EVIDENCES_FIELD,
    )
    if not (is_told and found.labels.documents):
        return written
    pack = EvidencePack.FromString(written)
    for evidence in pack.evidences:
        found.labels.tell(evidence.document_id, evidence.signals)
    return pack.SerializeToString()


def _shown(found: Found, records: Records, rows: NDArray[np.int32]) -> tuple[list[str | None], str]:
    """Return (what is shown of each row in place of its text, None for that, and the policy that this follows)."""
    output, snippets = found.asked.plan.output, found.snippets
    if not output.include_snippets:
        return [""] * len(rows), ""
    texts: list[str | None] = [None] * len(rows)
    if output.snippet_policy in SHORTER:
        return [snippets.of(each)[0] for each in records.read(rows.tolist())], output.snippet_policy
    for place in longer(records.content, records.ends, rows, output.max_snippet_chars):
        [evidence] = records.read([int(rows[place])])
        texts[place] = snippets.full(evidence.snippet, output.max_snippet_chars)
    return texts, WHOLE


def _raw(evidence: Evidence) -> bytes:
    digest = hashlib.sha256(evidence.snippet.encode()).hexdigest()
    raw = EvidenceRaw(content_ref=evidence.source_uri, content_hash=digest, debug_payload=evidence.snippet)
    return raw.SerializeToString()


def _provenance(plan: RetrievalPlan, at: Timestamp) -> tuple[list[str], list[str], bytes]:
    """Return of what a provenance is made: modes of the queries, their texts, when they were asked."""
    return [query.mode for query in plan.queries], [query.text for query in plan.queries], at.SerializeToString()


def _relations(ranking: Ranking, kept: NDArray[np.int64], records: Records) -> list[str]:
    """Return of each place how it is related to its query, in words; nothing where all are found by its own words."""
    if all(one.kin is None and one.added is None for one in ranking.candidates):
        return []
    return [relation_of(ranking, int(ranking.best_query[place]), place, records) for place in kept.tolist()]


def _explain(found: Found) -> PackExplain:
    """Say how the order came about: field by field, which takes a third of the time of a constructor."""
    plan, explain = found.asked.plan, PackExplain()
    explain.fusion.CopyFrom(plan.ranking.fusion)
    explain.rerank.CopyFrom(plan.ranking.rerank)
    explain.diversity.limits.CopyFrom(plan.budget.diversity)
    explain.diversity.applied = found.selection.capped
    explain.filters_applied.extend(
        dict.fromkeys([word for one in found.ranking.candidates for word in one.allowed.words])
    )
    explain.ignored_fields.extend(found.ignored)
    return explain


def _explained(found: Found, records: Records) -> bytes:
    together = PackExplain()
    together.dropped.extend(found.selection.beyond)
    words = expansions(found.ranking, _EXPANSIONS_FIELD)
    return words + found.selection.drops.serialised(records, _DROPPED_FIELD) + together.SerializeToString()


def expansions(ranking: Ranking, field: int) -> bytes:
    """Return what queries were expanded by, as messages Expansion of a repeated field of this number, serialised.

    Aliases and feedback in mode associative, then words of like meaning. Queries of one text have the same words of
    like meaning, which stand with the first of them.
    """
    said: set[str] = set()
    found = b""
    for number, one in enumerate(ranking.candidates):
        if one.added is not None:
            found += reasons.expansions(one.added.aliases, number, "alias", field)
            found += reasons.expansions(one.added.feedback, number, "feedback", field)
        if one.query.text not in said:
            said.add(one.query.text)
            found += reasons.expansions(one.lexical.similar, number, "alike", field)
    return found


def _count(stats: PackStats, found: Found, rows: NDArray[np.int32]) -> None:
    """Count what was found, of which rows int32[m] are kept."""
    ranking = found.ranking
    stats.candidates, stats.returned = len(ranking.rows) + ranking.over_quota, len(rows)
    for name in LISTS:
        lists = [one.lists[name][0] for one in ranking.candidates if name in one.lists]
        if lists:
            by_mode = stats.by_mode[name]
            by_mode.candidates, by_mode.returned = counted(lists, rows)
