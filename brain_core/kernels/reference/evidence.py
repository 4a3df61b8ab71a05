"""What the functions of `evidence` write, by the classes of the contract."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import add

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import ContextEvidence, ContextPackage
from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.kernels.reference.records import (
    Joined,
    check_each,
    check_ends,
    check_field,
    check_records,
    record_at,
    split,
)
from brain_core.kernels.reference.signals import RANKS, SIGNALS, check_given
from brain_core.kernels.reference.why import selected

_SHOW_TITLE, _SHOW_TEXT = 1, 2


def evidence_ids(content: NDArray[np.uint8], ends: NDArray[np.int64], rows: Sequence[int]) -> list[str]:
    """Return the ids of serialised Evidence: row r stands in content[ends[r]:ends[r + 1]]."""
    check_records(content, ends, rows)
    return [record_at(content, ends, row).id for row in rows]


def text_and_title(content: NDArray[np.uint8], ends: NDArray[np.int64], row: int) -> tuple[str, str]:
    """Return (the text of an Evidence as contexts show it, of an item without its first line, the key; its title)."""
    check_records(content, ends, [row])
    record = record_at(content, ends, row)
    _drop_key(record)
    return record.snippet, record.title


def context_evidences(  # noqa: PLR0912, PLR0913  the signature of the kernel, and its checks
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    pieces: tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]],
    standing: tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8], int, int],
    heads: list[bytes],
    texts: list[str],
    labels: Joined,
    speakers: NDArray[np.int32],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    scores: NDArray[np.float64],
    shown: int,
    longest: int,
    why: tuple[list[str], list[str], list[str], str, str, int],
) -> tuple[bytes, bytes, int, int]:
    """Return (the evidence of a ContextPackage, why each piece is there, how many are items, how many documents').

    Both are serialised; the order of bytes of the first may differ. why: as the kernel says.

    content, ends: serialised Evidence of n rows, as in evidence_ids. pieces: (hits int32[p], offsets int64[p + 1], rows
    int32[r], breaks uint8[r]): piece i is made of rows[offsets[i]:offsets[i + 1]], its hit among them, before each
    further one what its break says, on lines of their own (1, an ellipsis; 2, its title; 3, both), and of
    heads[queries[i]]. heads: ContextEvidence, serialised, without what comes from here, by query. standing: (leads
    uint8[p], queries int32[p], kinds uint8[n], statuses uint8[n], the kind of an item, that of a section). labels: what
    stands before a further text by its speaker; speakers: int32[n], -1 is none. ranks: int32[p, 2], vector_rank and
    fts_rank, 0 is none. signals: float64[p, 5], vector_score, fts_score, rrf_score, rerank_score and recency_score, NaN
    is none. scores: float64[p].

    The first row of a piece gives title and address; id, ref and time are the hit's; merged names all rows if there are
    several. shown: 0 nothing, 1 the title, 2 the text of the first row; of a text of more than `longest` ≥ 1 characters
    as many, the last one an ellipsis. Every further row is a line of its own, whole, after its speaker's label. Of an
    item's text the first line, its key, is left out. texts: what is shown of a piece's first row, whole, in place of
    what `shown` says; "" is none.
    """
    hits, offsets, rows, breaks = pieces
    p, named = len(hits), split(labels, "labels")
    check_given(ranks, signals, scores, p)
    check_each(p, texts=texts, relations=why[0], further=why[1], cuts=why[2])
    check_field(why[-1])
    leads, queries, kinds, statuses, item, section = standing
    if {len(leads), len(queries)} != {p} or len(kinds) != len(statuses):
        raise ValueError(f"leads and queries must be of {p} pieces, kinds and statuses of all rows")
    if any(not 0 <= query < len(heads) for query in queries.tolist()):
        raise IndexError("queries names a head that is not there")
    if any(not 0 <= row < len(kinds) for row in hits.tolist()):
        raise IndexError("a hit without a kind")
    if longest < 1:
        raise ValueError(f"longest must be ≥ 1, got {longest}")
    check_each(p + 1, offsets=offsets)
    check_ends(offsets, len(rows), "offsets")
    check_each(len(rows), breaks=breaks)
    check_records(content, ends, rows.tolist())
    for row in rows.tolist():
        if row >= len(speakers) or speakers[row] >= len(named):
            raise IndexError(f"the speaker of row {row} has no label")
    package = ContextPackage()
    for number, hit in enumerate(hits.tolist()):
        piece = package.evidence.add()
        piece.source = "resource" if kinds[hit] == section else "memory"
        piece.group = "top" if leads[number] else "long_tail"
        if kinds[hit] == item:
            piece.MergeFromString(ContextEvidence(status=int(statuses[hit])).SerializeToString())  # type: ignore[arg-type]
        piece.MergeFromString(heads[queries[number]])
        own = slice(offsets[number], offsets[number + 1])
        records = [(row, record_at(content, ends, row)) for row in rows[own].tolist()]
        for _, one in records:
            _drop_key(one)
        _join_records(piece, records, hit)
        ways, given = breaks[own].tolist(), [one for _, one in records]
        further = [(named[speakers[row]].decode() if speakers[row] >= 0 else "") + one.snippet for row, one in records]
        before = ["…\n" * (way & 1) + f"{one.title}\n" * (way >> 1) for way, one in zip(ways, given, strict=True)]
        first = [texts[number] or _first_shown(one, shown, longest) for _, one in records[:1]]
        lines = map(add, before, further)
        piece.snippet = "\n".join([*first, *list(lines)[1:]])
        piece.score = scores[number]
        for name, rank_ in zip(RANKS, ranks[number].tolist(), strict=True):
            if rank_:
                setattr(piece.signals, name, rank_)
        for name, signal in zip(SIGNALS, signals[number].tolist(), strict=True):
            if not math.isnan(signal):
                setattr(piece.signals, name, signal)
    of_hits, (relations, further, cuts, messages, sections, field) = kinds[hits], why
    more = zip((np.diff(offsets) - 1).tolist(), (of_hits == section).tolist(), strict=True)
    beside = [f"{count} {sections if documents else messages}" if count > 0 else "" for count, documents in more]
    ids = [piece.id for piece in package.evidence]
    reasons = selected(ids, leads, scores, ranks, signals, (relations, further, cuts), beside, field)
    return package.SerializeToString(), reasons, int(np.sum(of_hits == item)), int(np.sum(of_hits == section))


def _join_records(piece: ContextEvidence, records: Sequence[tuple[int, Evidence]], hit: int) -> None:
    """Put in what one record gives as it is: the first, the hit, or each."""
    if records:
        piece.source_uri, piece.title = records[0][1].source_uri, records[0][1].title
    for row, record in records:
        if row == hit:
            piece.id = record.id
            if record.ref.ByteSize():
                piece.ref.CopyFrom(record.ref)
            if record.metadata.created_at.ByteSize():
                piece.created_at.CopyFrom(record.metadata.created_at)
        if len(records) > 1:
            piece.merged.append(record.ref)


def _drop_key(record: Evidence) -> None:
    """Leave the first line of an item's text out, `[type:key]`, which its address tells."""
    if record.ref.memory_item_id and record.snippet.startswith("[") and "\n" in record.snippet:
        record.snippet = record.snippet.split("\n", 1)[1]


def _first_shown(record: Evidence, shown: int, longest: int) -> str:
    if shown == _SHOW_TITLE:
        return record.title
    if shown != _SHOW_TEXT:
        return ""
    text = record.snippet
    return text if len(text) <= longest else text[: longest - 1] + "…"
