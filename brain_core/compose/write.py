"""Pieces of evidence, written into a package from the records of their rows, with the reason for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import ContextEvidence, ContextPackage
from smartbrain.v1.item_pb2 import ItemStatus
from smartbrain.v1.plan_pb2 import PlanOutput

from brain_core.compose.coverage import OF_DAYS
from brain_core.compose.evidence import shown_statuses
from brain_core.compose.passages import Passage, Passages
from brain_core.compose.retrieve import Asked, Found
from brain_core.compose.signals import Told, read_signals, relation_of
from brain_core.index.chunks import ChunkTable
from brain_core.index.derive import shown_text
from brain_core.index.records import Joined, Records, ends_of, joined
from brain_core.kernels.wire import NOTHING, RANKS, SIGNALS, TEXT, TITLE, context_evidences


def write_evidence(package: ContextPackage, found: Found, chunks: ChunkTable, passages: Passages) -> Sequence[int]:
    """Add the passages as evidence, best first, and say why; return the rows that stand in them."""
    # The ranking says what comes first among equals.
    pieces = sorted(passages.all(), key=lambda piece: (piece.group != "top", -piece.hit.score, piece.hit.place))
    if not pieces:
        return []
    output, sources = found.asked.plan.output, _sources(chunks, pieces)
    told = read_signals(found.ranking, np.array([piece.hit.place for piece in pieces], dtype=np.int64))
    records, rows = chunks.records, np.array([row for piece in pieces for row in piece.rows], dtype=np.int32)
    shown = told if output.include_signals else _untold(told)
    package.MergeFromString(
        context_evidences(
            records.content,
            records.ends,
            (
                np.array([piece.hit.row for piece in pieces], dtype=np.int32),
                ends_of(len(piece.rows) for piece in pieces),
                rows,
                _breaks(chunks, rows),
            ),
            _heads(found, chunks, pieces, sources),
            chunks.labels(),
            chunks.column("speaker"),
            shown.ranks,
            shown.scores,
            told.final,
            _shown(output),
            output.max_snippet_chars,
        )
    )
    long = _long(chunks, pieces, output, passages.cut_to)
    _shorten(package, found, long)
    if output.include_signals:
        for evidence in package.evidence if found.labels.documents else ():
            found.labels.tell(evidence.ref.document_id, evidence.signals)
    for piece, reason in zip(pieces, _reasons(found, pieces, sources, shown, records), strict=True):
        package.debug.why_selected.add(id=piece.hit.id, reason=reason)
    for number, one in long.items():
        package.debug.why_selected[number].reason += f"; cut to {one.longest} of {len(one.text)} characters"
    stands: list[int] = rows.tolist()
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
    chunks: ChunkTable, pieces: Sequence[Passage], output: PlanOutput, cut_to: Mapping[int, int]
) -> dict[int, _Long]:
    """Return the texts that are cut, by the number of their piece; none of several messages is."""
    if _shown(output) != TEXT:
        return {}
    longest = output.max_snippet_chars
    hits = np.array([piece.hit.row for piece in pieces], dtype=np.int32)
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


def _sources(chunks: ChunkTable, pieces: Sequence[Passage]) -> list[str]:
    if not chunks.has_documents():
        return ["memory"] * len(pieces)
    rows = np.array([piece.hit.row for piece in pieces], dtype=np.int32)
    return ["resource" if one else "memory" for one in chunks.resources(rows).tolist()]


def _heads(found: Found, chunks: ChunkTable, pieces: Sequence[Passage], sources: Sequence[str]) -> Joined:
    """Return what does not come of records: one ContextEvidence of each piece, serialised."""
    best = found.ranking.best_query[[piece.hit.place for piece in pieces]].tolist()
    statuses = shown_statuses(found, chunks, np.array([piece.hit.row for piece in pieces], dtype=np.int32)).tolist()
    keys = list(zip(sources, (piece.group for piece in pieces), best, statuses, strict=True))
    heads = {key: _head(found.asked, *key) for key in set(keys)}
    return joined([heads[key] for key in keys])


def _head(asked: Asked, source: str, group: str, query: int, status: ItemStatus.ValueType) -> bytes:
    head = ContextEvidence(source=source, group=group, status=status)
    if asked.plan.output.include_provenance:
        head.mode = asked.plan.queries[query].mode
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
_VECTOR_RANK, _FTS_RANK = (RANKS.index(name) for name in ("vector_rank", "fts_rank"))
_COSINE, _BM25 = (SIGNALS.index(name) for name in ("vector_score", "fts_score"))


def _reasons(
    found: Found, pieces: Sequence[Passage], sources: Sequence[str], shown: Told, records: Records
) -> Iterator[str]:
    """Yield in words why each piece is in, what was cut of it apart. sources: of each."""
    ranking = found.ranking
    best = ranking.best_query[[piece.hit.place for piece in pieces]].tolist()
    of_days = [query.filters.HasField("days") for query in found.asked.plan.queries]
    told = zip(pieces, sources, best, shown.ranks.tolist(), shown.scores.tolist(), strict=True)
    for piece, source, query, ranks, scores in told:
        reason = _reason(piece, ranks, scores, relation_of(ranking, query, piece.hit.place, records))
        if of_days[query] and OF_DAYS not in reason:
            reason += f"; is of {OF_DAYS}"
        if len(piece.rows) > 1:
            reason += f"; with {len(piece.rows) - 1} {_BESIDE[source]}"
        yield reason


def _reason(piece: Passage, ranks: Sequence[int], scores: Sequence[float], relation: str) -> str:
    """Return in words why an evidence ranks where it does. ranks, scores: as in Told."""
    parts = [f"{piece.group}: score {piece.hit.score:.3f}"]
    if ranks[_FTS_RANK]:
        parts.append(f"words: rank {ranks[_FTS_RANK]} (BM25 {scores[_BM25]:.2f})")
    if ranks[_VECTOR_RANK]:
        parts.append(f"meaning: rank {ranks[_VECTOR_RANK]} (cosine {scores[_COSINE]:.2f})")
    if relation:
        parts.append(relation)
    if len(parts) == 1 and not all(map(isnan, scores)):
        parts.append("stands beside a hit in its session")
    if piece.hit.why:
        parts.append(piece.hit.why)
    return "; ".join(parts)
