"""What the functions of `reasons` write, by the classes of the contract."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import WhySelected
from smartbrain.v1.evidence_pb2 import Dropped, Expansion

from brain_core.kernels.reference.records import check_each, check_field, check_records, in_field, record_at
from brain_core.kernels.reference.signals import check_given


def dropped(
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: list[int],
    words: list[bytes],
    field: int,
) -> bytes:
    """Return rows as messages Dropped of a repeated field of this number, serialised.

    content, ends: serialised Evidence, as in evidence_ids. words: why each was, a serialised Dropped without id, or for
    -1 in place of a row fields that stand as they are.
    """
    check_each(len(rows), words=words)
    check_field(field)
    check_records(content, ends, [row for row in rows if row != -1])
    out = b""
    for row, word in zip(rows, words, strict=True):
        if row == -1:
            out += word
            continue
        one = Dropped(id=record_at(content, ends, row).id)
        one.MergeFromString(word)
        message = one.SerializeToString()
        out += in_field(field, message)
    return out


def selected(  # noqa: PLR0913  the signature of the kernel
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: NDArray[np.int32],
    leads: NDArray[np.uint8],
    scores: NDArray[np.float64],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    relations: list[str],
    further: list[str],
    beside: tuple[NDArray[np.int64], NDArray[np.uint8], int, str, str],
    cuts: list[str],
    field: int,
) -> bytes:
    """Return why pieces are in a package as messages WhySelected of a repeated field of this number, serialised.

    content, ends, scores: as in context_evidences; ranks, signals: of each piece as there. rows: int32[p], the piece's
    hit. relations: how each is related to its query, "" is by what its ranks say. further: what follows.
    beside: (offsets int64[p + 1], kinds uint8[n], that of a section, what rows beside a hit are called, and those of
    documents). cuts: what is said last.
    """
    p = len(rows)
    check_given(ranks, signals, scores, p)
    check_each(p, relations=relations, further=further, cuts=cuts)
    offsets, kinds, section, *called = beside
    if len(leads) != p or len(offsets) != p + 1:
        raise ValueError(f"leads and offsets must be of {p} pieces")
    check_field(field)
    check_records(content, ends, rows.tolist())
    if any(row >= len(kinds) for row in rows.tolist()):
        raise IndexError("a hit without a kind")
    out = b""
    told = zip(rows.tolist(), leads.tolist(), scores.tolist(), ranks.tolist(), signals.tolist(), relations, strict=True)
    for number, (row, leading, score, (vector, words), given, relation) in enumerate(told):
        parts = [f"{'top' if leading else 'long_tail'}: score {score:.3f}"]
        if words:
            parts.append(f"words: rank {words} (BM25 {given[1]:.2f})")
        if vector:
            parts.append(f"meaning: rank {vector} (cosine {given[0]:.2f})")
        if relation:
            parts.append(relation)
        if len(parts) == 1 and not all(map(math.isnan, given)):
            parts.append("stands beside a hit in its session")
        count = int(offsets[number + 1] - offsets[number]) - 1
        with_them = f"; with {count} {called[int(kinds[row] == section)]}" if count > 0 else ""
        reason = "; ".join(parts) + further[number] + with_them + cuts[number]
        one = WhySelected(id=record_at(content, ends, row).id, reason=reason)
        out += in_field(field, one.SerializeToString())
    return out


def expansions(weights: Mapping[str, float], query: int, source: str, field: int) -> bytes:
    """Return words that a query was expanded by as messages Expansion of a repeated field of this number, serialised.

    weights: by the word. query: 0-based place of the query in its plan.
    """
    check_field(field)
    if query < 0:
        raise ValueError(f"query must be ≥ 0, got {query}")
    out = b""
    for term, weight in weights.items():
        message = Expansion(query_index=query, term=term, weight=weight, source=source).SerializeToString()
        out += in_field(field, message)
    return out
