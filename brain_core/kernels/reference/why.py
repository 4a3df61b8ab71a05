"""Twin of `why.pxd`: why pieces of evidence are in a package, by the classes of the contract."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import WhySelected

from brain_core.kernels.reference.records import in_field


def selected(  # noqa: PLR0913  all that is told of a piece
    ids: list[str],
    leads: NDArray[np.uint8],
    scores: NDArray[np.float64],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    told: tuple[list[str], list[str], list[str]],
    beside: list[str],
    field: int,
) -> bytes:
    """Return why pieces of these ids are in a package as messages WhySelected of a repeated field of this number.

    leads, scores, ranks, signals, told (relations, further, cuts): of each piece, as in context_evidences. beside: what
    stands beside the hit of each, in words, "" is nothing.
    """
    out = b""
    given_to = zip(ids, leads.tolist(), scores.tolist(), ranks.tolist(), signals.tolist(), *told, beside, strict=True)
    for own, leading, score, (vector, words), given, relation, further, cut, with_it in given_to:
        parts = [f"{'top' if leading else 'long_tail'}: score {score:.3f}"]
        if words:
            parts.append(f"words: rank {words} (BM25 {given[1]:.2f})")
        if vector:
            parts.append(f"meaning: rank {vector} (cosine {given[0]:.2f})")
        if relation:
            parts.append(relation)
        if len(parts) == 1 and not all(map(math.isnan, given)):
            parts.append("stands beside a hit in its session")
        reason = "; ".join(parts) + further + (f"; with {with_it}" if with_it else "") + cut
        out += in_field(field, WhySelected(id=own, reason=reason).SerializeToString())
    return out
