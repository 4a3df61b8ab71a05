"""Pieces of evidence, written into a package from the records of their rows, with the reason for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import ContextDebug, ContextEvidence, ContextPackage
from smartbrain.v1.item_pb2 import ItemStatus
from smartbrain.v1.plan_pb2 import PlanOutput

from brain_core.compose.coverage import OF_DAYS
from brain_core.compose.evidence import shown_statuses
from brain_core.compose.passages import Passage, Passages
from brain_core.compose.retrieve import Asked, Found
from brain_core.compose.signals import Told, read_signals, relation_of
from brain_core.index.chunks import ChunkTable
from brain_core.index.derive import shown_text
from brain_core.index.records import Joined, ends_of, joined
from brain_core.kernels.wire import NOTHING, TEXT, TITLE, context_evidences, selected

_WHY_FIELD = ContextDebug.DESCRIPTOR.fields_by_name["why_selected"].number


def write_evidence(package: ContextPackage, found: Found, chunks: ChunkTable, passages: Passages) -> Sequence[int]:
    """Add the passages as evidence, best first, and say why; return the rows that stand in them."""
    # The ranking says what comes first among equals.
    pieces = sorted(passages.all(), key=lambda piece: (piece.group != "top", -piece.hit.score, piece.hit.place))
    if not pieces:
        return []
    output, records = found.asked.plan.output, chunks.records
    hits = np.array([piece.hit.row for piece in pieces], dtype=np.int32)
    told = read_signals(found.ranking, np.array([piece.hit.place for piece in pieces], dtype=np.int64))
    stands = [row for piece in pieces for row in piece.rows]
    rows, sources = np.array(stands, dtype=np.int32), _sources(chunks, hits)
    shown = told if output.include_signals else _untold(told)
    package.MergeFromString(
        context_evidences(
            records.content,
            records.ends,
            (hits, ends_of([len(piece.rows) for piece in pieces]), rows, _breaks(chunks, rows)),
            _heads(found, chunks, pieces, hits, sources),
            chunks.labels(),
            chunks.column("speaker"),
            shown.ranks,
            shown.scores,
            told.final,
            _shown(output),
            output.max_snippet_chars,
        )
    )
    long = _long(chunks, hits, output, passages.cut_to)
    _shorten(package, found, long)
    if output.include_signals:
        for evidence in package.evidence if found.labels.documents else ():
            found.labels.tell(evidence.ref.document_id, evidence.signals)
    relations = [relation_of(found.ranking, _query(found, piece), piece.hit.place, records) for piece in pieces]
    further = [
        _further(found, piece, source, relation, long.get(number))
        for number, (piece, source, relation) in enumerate(zip(pieces, sources, relations, strict=True))
    ]
    groups, scores = [piece.group for piece in pieces], np.array([piece.hit.score for piece in pieces])
    told_why = (groups, scores, shown.ranks, shown.scores, relations, further, _WHY_FIELD)
    package.debug.MergeFromString(selected(records.content, records.ends, hits, *told_why))
    return stands


def _breaks(chunks: ChunkTable, rows: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return before which rows something is left out (1), and which begin another section of a document (2)."""
    breaks = np.zeros(len(rows), dtype=np.uint8)
    breaks[1:] = chunks.column("after")[rows[:-1]] != rows[1:]
    if chunks.has_documents():
        section = chunks.column("section")[rows]
        breaks[1:] |= ((section[1:] >= 0) & (section[1:] != section[:-1])).astype(np.uint8) << 1
    return breaks


class _Long(NamedTuple):
    """All of a text that is too long, and the characters of it that may be shown. fitted: fewer than the plan says."""

    text: str
    longest: int
    fitted: bool


def _shorten(package: ContextPackage, found: Found, long: Mapping[int, _Long]) -> None:
    """Show of each piece what the plan wants where it is not all of it. long: by the number of its piece."""
    output, snippets = found.asked.plan.output, found.snippets
    if not output.include_snippets:
        return
    if output.snippet_policy in ("l0", "l1"):
        shown = snippets.title if output.snippet_policy == "l0" else snippets.summary
        for evidence in package.evidence:
            evidence.snippet = shown(evidence.snippet)
    for number, one in long.items():
        if one.fitted or output.snippet_policy == "auto":
            package.evidence[number].snippet = snippets.full(one.text, one.longest)


def _long(
    chunks: ChunkTable, hits: NDArray[np.int32], output: PlanOutput, cut_to: Mapping[int, int]
) -> dict[int, _Long]:
    """Return the texts that are cut, by the number of their piece; none of several messages is."""
    if _shown(output) != TEXT:
        return {}
    longest = output.max_snippet_chars
    may_be = chunks.column("chars")[hits] > longest
    if cut_to:
        may_be |= np.isin(hits, list(cut_to))
    numbers = may_be.nonzero()[0].tolist()
    texts = [shown_text(evidence) for evidence in chunks.records.read(hits[numbers].tolist())]
    found = {}
    for number, row, text in zip(numbers, hits[numbers].tolist(), texts, strict=True):
        most = cut_to.get(row, longest)
        if len(text) > most:
            found[number] = _Long(text, most, row in cut_to)
    return found


def _sources(chunks: ChunkTable, hits: NDArray[np.int32]) -> list[str]:
    if not chunks.has_documents():
        return ["memory"] * len(hits)
    return ["resource" if one else "memory" for one in chunks.resources(hits).tolist()]


def _query(found: Found, piece: Passage) -> int:
    return int(found.ranking.best_query[piece.hit.place])


def _heads(
    found: Found, chunks: ChunkTable, pieces: Sequence[Passage], hits: NDArray[np.int32], sources: Sequence[str]
) -> Joined:
    """Return what does not come of records: one ContextEvidence of each piece, serialised."""
    statuses = shown_statuses(found, chunks, hits).tolist()
    if not found.asked.plan.output.include_provenance:
        return joined(
            [_head(one, piece.group, status) for one, piece, status in zip(sources, pieces, statuses, strict=True)]
        )
    queries = [_query(found, piece) for piece in pieces]
    came = {query: _provenance(found.asked, query) for query in set(queries)}
    keys = zip(sources, pieces, statuses, queries, strict=True)
    return joined([_head(one, piece.group, status) + came[query] for one, piece, status, query in keys])


@lru_cache(maxsize=64)
def _head(source: str, group: str, status: ItemStatus.ValueType) -> bytes:
    return ContextEvidence(source=source, group=group, status=status).SerializeToString()


def _provenance(asked: Asked, query: int) -> bytes:
    head = ContextEvidence(mode=asked.plan.queries[query].mode)
    head.provenance.request_id = asked.plan.request_id
    head.provenance.plan_version = asked.plan.version
    head.provenance.retrieved_at.CopyFrom(asked.at)
    return head.SerializeToString()


def _shown(output: PlanOutput) -> int:
    if not output.include_snippets:
        return NOTHING
    return TITLE if output.snippet_policy == "l0" else TEXT


def _untold(told: Told) -> Told:
    return Told(np.zeros_like(told.ranks), np.full_like(told.scores, np.nan), told.final)


_BESIDE = {"memory": "messages of its day in the session", "resource": "sections of its document"}


def _further(found: Found, piece: Passage, source: str, relation: str, long: _Long | None) -> str:
    """Return what there is to say of a piece beyond how it ranks and is related to its query."""
    said = f"; {piece.hit.why}" if piece.hit.why else ""
    of_days = found.asked.plan.queries[_query(found, piece)].filters.HasField("days")
    if of_days and OF_DAYS not in relation + said:
        said += f"; is of {OF_DAYS}"
    if len(piece.rows) > 1:
        said += f"; with {len(piece.rows) - 1} {_BESIDE[source]}"
    if long is not None:
        said += f"; cut to {long.longest} of {len(long.text)} characters"
    return said
