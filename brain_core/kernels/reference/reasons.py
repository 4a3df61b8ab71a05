"""What the functions of `reasons` write, by the classes of the contract."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Dropped, Expansion

from brain_core.kernels.reference.records import check_each, check_field, check_records, in_field, record_at


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
