"""The evidence of a package, twelve pieces of six messages each, in bytes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from smartbrain.v1.context_pb2 import ContextDebug, ContextEvidence, ContextPackage

from benchmarks.kernels.case import Case, Size, chance
from benchmarks.kernels.stored import PIECES, joined, stored
from brain_core.kernels import reference
from brain_core.kernels.evidence import TEXT, context_evidences, evidence_ids, text_and_title

_ROWS, _LONGEST, _IDS = 6, 800, 60
_ITEM, _SECTION = 2, 5
_WHY_FIELD = ContextDebug.WHY_SELECTED_FIELD_NUMBER


def cases(size: Size) -> Iterator[Case]:
    """Write the evidence of a package, and read ids."""
    random, (content, ends) = chance(), stored(size)
    n = len(ends) - 1
    firsts = random.permutation(n - _ROWS)[:PIECES].astype(np.int32)
    rows = (firsts[:, None] + np.arange(_ROWS, dtype=np.int32)).reshape(-1)
    pieces = (firsts + 1, np.arange(0, len(rows) + 1, _ROWS, dtype=np.int64), rows, np.zeros(len(rows), dtype=np.uint8))
    heads = [ContextEvidence(mode="hybrid").SerializeToString()]
    kinds, queries = np.ones(n, dtype=np.uint8), np.zeros(PIECES, dtype=np.int32)
    standing = (np.ones(PIECES, dtype=np.uint8), queries, kinds, kinds, _ITEM, _SECTION)
    labels, speakers = joined([b"Ann: ", b"assistant: "]), (np.arange(n) % 2).astype(np.int32)
    given_to = (np.ones((PIECES, 2), dtype=np.int32), random.random((PIECES, 5)), random.random(PIECES))
    texts = [""] * PIECES
    package: tuple[Any, ...] = (
        content,
        ends,
        pieces,
        standing,
        heads,
        texts,
        labels,
        speakers,
        *given_to,
        TEXT,
        _LONGEST,
        (texts, texts, texts, "messages", "sections", _WHY_FIELD),
    )
    yield Case(
        "evidence.context_evidences",
        f"{PIECES} pieces of {_ROWS} messages",
        lambda: context_evidences(*package),
        lambda: _in_one_order(reference.evidence.context_evidences(*package)),
        seen=_in_one_order,
    )
    asked = random.permutation(n)[:_IDS].tolist()
    yield Case(
        "evidence.evidence_ids",
        f"{len(asked)} rows",
        lambda: evidence_ids(content, ends, asked),
        lambda: reference.evidence.evidence_ids(content, ends, asked),
    )
    yield Case(
        "evidence.text_and_title",
        "1 row",
        lambda: text_and_title(content, ends, asked[0]),
        lambda: reference.evidence.text_and_title(content, ends, asked[0]),
    )


def _in_one_order(serialised: object) -> bytes:
    """Return a package as protobuf writes it: the kernel writes fields in another order."""
    assert isinstance(serialised, tuple)
    return ContextPackage.FromString(serialised[0]).SerializeToString(deterministic=True)
