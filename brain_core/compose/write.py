"""Pieces of evidence, written into a package from the records of their rows, with the reason for each."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import ContextDebug, ContextEvidence, ContextPackage
from smartbrain.v1.plan_pb2 import PlanOutput

from brain_core.compose.coverage import OF_DAYS
from brain_core.compose.draft import Draft
from brain_core.compose.passages import Passages, Pieces
from brain_core.compose.retrieve import Asked, Found
from brain_core.compose.signals import Told, read_signals, relation_of
from brain_core.compose.snippets import SHORTER
from brain_core.compose.then import status_of
from brain_core.index.chunks import ChunkTable
from brain_core.kernels.evidence import NOTHING, TEXT, TITLE, context_evidences
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, CHUNK_KIND_SECTION

CONVERSATION, MEMORY_ITEM, RESOURCE = "conversation", "memory_item", "resource"
"""What a piece of evidence may be of."""

_WHY_FIELD = ContextDebug.DESCRIPTOR.fields_by_name["why_selected"].number


def write_evidence(
    draft: Draft, found: Found, chunks: ChunkTable, passages: Passages, why: Mapping[int, str]
) -> Sequence[int]:
    """Write the passages as the evidence, best first, and say why; return the rows that stand in them.

    why: by the row of a hit, what it is there for besides its score.
    """
    best = passages.best_first(found.ranking.rows, found.ranking.scores)
    hits, places, leads, offsets, rows, breaks = best
    if not len(hits):
        return []
    output, records, kinds = found.asked.plan.output, chunks.records, chunks.column("kind")
    queries, told = found.ranking.best_query[places], read_signals(found.ranking, places)
    shown = told if output.include_signals else _untold(told)
    long = _long(chunks, hits, found, passages.cut_to)
    relations = _relations(found, best, queries, chunks)
    further = _further(found, best, queries, relations, why)
    draft.evidence, draft.why, items, resources = context_evidences(
        records.content,
        records.ends,
        (hits, offsets, rows, breaks),
        (leads, queries, kinds, status_of(chunks, found.asked.then), CHUNK_KIND_ITEM, CHUNK_KIND_SECTION),
        _heads(found.asked),
        _cut(found, long, len(hits)),
        chunks.labels(),
        chunks.column("speaker"),
        shown.ranks,
        shown.scores,
        told.final,
        _shown(output),
        sys.maxsize if output.snippet_policy in SHORTER else output.max_snippet_chars,  # those are cut once, where made
        (relations, further, _told_cut(long, len(hits)), *_BESIDE, _WHY_FIELD),
    )
    draft.sources = _tally(len(hits), items, resources)
    if output.snippet_policy in SHORTER or (output.include_signals and found.labels.documents):
        _change(draft, found)
    stands: list[int] = rows.tolist()
    return stands


def _relations(found: Found, best: Pieces, queries: NDArray[np.int32], chunks: ChunkTable) -> list[str]:
    """Return of each piece how it is related to its query, in words; "" where it is found by the query's own words."""
    ranking = found.ranking
    if all(one.kin is None and one.added is None for one in ranking.candidates):
        return [""] * len(queries)
    of_each = zip(queries.tolist(), best.places.tolist(), strict=True)
    return [relation_of(ranking, query, place, chunks.records) for query, place in of_each]


class _Long(NamedTuple):
    """All of a text that is too long, and the characters of it that may be shown. fitted: fewer than the plan says."""

    text: str
    longest: int
    fitted: bool


def _cut(found: Found, long: Mapping[int, _Long], pieces: int) -> list[str]:
    """Return of each piece what is shown of its text where that is not what it begins with, else "".

    long: by the number of its piece.
    """
    texts, auto = [""] * pieces, found.asked.plan.output.snippet_policy == "auto"
    for number, one in long.items():
        if one.fitted or auto:
            texts[number] = found.snippets.full(one.text, one.longest)
    return texts


def _change(draft: Draft, found: Found) -> None:
    """Show of each piece what the plan wants, and tell its labels, in what the kernel wrote."""
    package, output, snippets = ContextPackage.FromString(draft.evidence), found.asked.plan.output, found.snippets
    shown = snippets.title if output.snippet_policy == "l0" else snippets.summary
    for evidence in package.evidence:
        if output.include_snippets and output.snippet_policy in SHORTER:
            evidence.snippet = shown(evidence.snippet)
        if output.include_signals and found.labels.documents:
            found.labels.tell(evidence.ref.document_id, evidence.signals)
    draft.evidence = package.SerializeToString()


def _tally(pieces: int, items: int, resources: int) -> Mapping[str, int]:
    """Return how many pieces are of what."""
    counts = (CONVERSATION, pieces - items - resources), (MEMORY_ITEM, items), (RESOURCE, resources)
    return {source: count for source, count in counts if count}


def _long(chunks: ChunkTable, hits: NDArray[np.int32], found: Found, cut_to: Mapping[int, int]) -> dict[int, _Long]:
    """Return the texts that are cut, by the number of their piece; none of several messages is."""
    output = found.asked.plan.output
    if _shown(output) != TEXT:
        return {}
    longest = output.max_snippet_chars
    may_be = chunks.column("chars")[hits] > longest
    if cut_to:
        may_be |= np.isin(hits, list(cut_to))
    long = {}
    for number in may_be.nonzero()[0].tolist():
        row = int(hits[number])
        text, _ = found.snippets.text_of(row, chunks.records)
        most = cut_to.get(row, longest)
        if len(text) > most:
            long[number] = _Long(text, most, row in cut_to)
    return long


def _heads(asked: Asked) -> list[bytes]:
    """Return what does not come of records: one ContextEvidence of each query, serialised."""
    if not asked.plan.output.include_provenance:
        return [b""] * len(asked.plan.queries)
    head, heads = ContextEvidence(), []
    head.provenance.request_id, head.provenance.plan_version = asked.plan.request_id, asked.plan.version
    head.provenance.retrieved_at.CopyFrom(asked.at)
    for query in asked.plan.queries:
        head.mode = query.mode
        heads.append(head.SerializeToString())
    return heads


def _shown(output: PlanOutput) -> int:
    if not output.include_snippets:
        return NOTHING
    return TITLE if output.snippet_policy == "l0" else TEXT


def _untold(told: Told) -> Told:
    return Told(np.zeros_like(told.ranks), np.full_like(told.scores, np.nan), told.final)


_BESIDE = "messages of its day in the session", "sections of its document"
"""What stands beside a hit of memory, and beside one of a document."""


def _further(
    found: Found, best: Pieces, queries: NDArray[np.int32], relations: Sequence[str], why: Mapping[int, str]
) -> list[str]:
    """Return of each piece what there is to say beyond how it ranks and is related to its query."""
    of_days = [query.filters.HasField("days") for query in found.asked.plan.queries]
    if not why and True not in of_days:
        return [""] * len(relations)
    further = []
    for hit, query, relation in zip(best.hits.tolist(), queries.tolist(), relations, strict=True):
        said = f"; {why[hit]}" if hit in why else ""
        if of_days[query] and OF_DAYS not in relation + said:
            said += f"; is of {OF_DAYS}"
        further.append(said)
    return further


def _told_cut(long: Mapping[int, _Long], pieces: int) -> list[str]:
    """Return of each piece how much of a longer text it shows, "" if all."""
    told = [""] * pieces
    for number, one in long.items():
        told[number] = f"; cut to {one.longest} of {len(one.text)} characters"
    return told
