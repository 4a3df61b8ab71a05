"""From a selection to an EvidencePack."""

from __future__ import annotations

import hashlib
from itertools import chain
from typing import NamedTuple

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import (
    DiversityExplain,
    Evidence,
    EvidencePack,
    EvidenceRaw,
    ModeStats,
    PackExplain,
    PackStats,
    Provenance,
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
    told = EvidencePack(
        version=plan.version,
        plan_id=asked.plan_id,
        request_id=plan.request_id,
        generated_at=asked.at,
        stats=_stats(found, rows),
        warnings=found.warnings,
        degraded=found.degraded,
    )
    return Pack(told, plan, _explain(found), _evidences(found, chunks, rows), _explained(found, chunks.records))


def _evidences(found: Found, chunks: ChunkTable, rows: NDArray[np.int32]) -> bytes:
    """Return the evidences of rows int32[m], those that are kept, as a serialised EvidencePack."""
    asked, ranking, records = found.asked, found.ranking, chunks.records
    plan, output, kept = asked.plan, asked.plan.output, found.selection.kept
    texts, policy = _shown(found, records, rows)
    given = read_signals(ranking, kept)
    written = pack_evidences(
        records.content,
        records.ends,
        rows,
        texts,
        policy,
        ranking.best_query[kept],
        _provenances(plan, asked.at) if output.include_provenance else [],
        _relations(ranking, kept, records) if output.include_provenance else [],
        [_raw(each) for each in records.read(rows.tolist())] if output.include_raw else [],
        shown_statuses(found, chunks, rows),
        given.ranks if output.include_signals else given.ranks[:0],
        given.scores if output.include_signals else given.scores[:0],
        _EVIDENCES_FIELD,
    )
    if not (output.include_signals and found.labels.documents):
        return written
    pack = EvidencePack.FromString(written)
    for evidence in pack.evidences:
        found.labels.tell(evidence.document_id, evidence.signals)
    return pack.SerializeToString()


def shown_statuses(found: Found, chunks: ChunkTable, rows: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return the statuses of rows int32[m] as evidence tells them, uint8[m]: of items, 0 for all else."""
    statuses: NDArray[np.uint8] = status_of(chunks, found.asked.then)[rows]
    statuses *= chunks.column("kind")[rows] == CHUNK_KIND_ITEM
    return statuses


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


def _provenances(plan: RetrievalPlan, at: Timestamp) -> list[bytes]:
    """Return the provenance of what each query found, but for its relation, serialised."""
    return [
        Provenance(mode=query.mode, query_text=query.text, query_index=number, retrieved_at=at).SerializeToString()
        for number, query in enumerate(plan.queries)
    ]


def _relations(ranking: Ranking, kept: NDArray[np.int64], records: Records) -> list[str]:
    """Return of each place how it is related to its query, in words; nothing where all are found by its own words."""
    if all(one.kin is None and one.added is None for one in ranking.candidates):
        return []
    return [relation_of(ranking, int(ranking.best_query[place]), place, records) for place in kept.tolist()]


def _explain(found: Found) -> PackExplain:
    plan = found.asked.plan
    return PackExplain(
        fusion=plan.ranking.fusion,
        rerank=plan.ranking.rerank,
        diversity=DiversityExplain(limits=plan.budget.diversity, applied=found.selection.capped),
        filters_applied=dict.fromkeys(word for one in found.ranking.candidates for word in one.allowed.words),
        ignored_fields=found.ignored,
    )


def _explained(found: Found, records: Records) -> bytes:
    named = found.selection.beyond
    beyond = PackExplain(dropped=named).SerializeToString() if named else b""
    words = expansions(found.ranking, _EXPANSIONS_FIELD)
    return words + found.selection.drops.serialised(records, _DROPPED_FIELD) + beyond


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


def _stats(found: Found, rows: NDArray[np.int32]) -> PackStats:
    """Return the counts of what was found, of which rows int32[m] are kept."""
    ranking, kept = found.ranking, rows.tolist()
    by_mode = {}
    for name in LISTS:
        lists = [one.lists[name][0].tolist() for one in ranking.candidates if name in one.lists]
        if lists:
            seen = set(lists[0] if len(lists) == 1 else chain.from_iterable(lists))
            by_mode[name] = ModeStats(candidates=len(seen), returned=len(seen.intersection(kept)))
    return PackStats(candidates=len(ranking.rows) + ranking.over_quota, returned=len(kept), by_mode=by_mode)
