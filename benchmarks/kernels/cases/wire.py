"""What a context tells of twelve pieces of six messages each, of 60 dropped rows and of 140 words, in bytes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.context_pb2 import ContextDebug, ContextEvidence, ContextPackage, PlannerDebug
from smartbrain.v1.evidence_pb2 import Dropped, Evidence, EvidenceMetadata, EvidenceRef

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.wire import TEXT, context_evidences, dropped, evidence_ids, expansions, selected, told

_PIECES, _ROWS = 12, 6
_LONGEST, _DROPPED, _FIELD = 800, 60, ContextDebug.DROPPED_FIELD_NUMBER
_WHY_FIELD = ContextDebug.WHY_SELECTED_FIELD_NUMBER
_EXPANDED, _EXPANSIONS_FIELD = 140, PlannerDebug.EXPANSIONS_FIELD_NUMBER


def cases(size: Size) -> Iterator[Case]:
    """Write the evidence of a package, what was dropped and what queries were expanded by, and read ids."""
    random, records = chance(), [_evidence(row).SerializeToString() for row in range(min(size.rows, 2_000))]
    content, ends = _joined(records)
    labels, speakers = _joined([b"Ann: ", b"assistant: "]), (np.arange(len(records)) % 2).astype(np.int32)
    firsts = random.permutation(len(records) - _ROWS)[:_PIECES].astype(np.int32)
    rows = (firsts[:, None] + np.arange(_ROWS, dtype=np.int32)).reshape(-1)
    pieces = (firsts + 1, np.arange(0, len(rows) + 1, _ROWS, dtype=np.int64), rows, np.zeros(len(rows), dtype=np.uint8))
    heads = [ContextEvidence(source="memory", group="top", mode="hybrid").SerializeToString()] * _PIECES
    given_to = (np.ones((_PIECES, 2), dtype=np.int32), random.random((_PIECES, 5)), random.random(_PIECES))
    package: tuple[Any, ...] = (content, ends, pieces, heads, labels, speakers, *given_to, TEXT, _LONGEST)
    yield Case(
        "wire.context_evidences",
        f"{_PIECES} pieces of {_ROWS} messages",
        lambda: context_evidences(*package),
        lambda: _in_one_order(reference.context_evidences(*package)),
        seen=_in_one_order,
    )
    words_of = (
        ["top"] * _PIECES,
        given_to[2],
        *given_to[:2],
        [""] * _PIECES,
        ["; with 5 messages"] * _PIECES,
        _WHY_FIELD,
    )
    why: tuple[Any, ...] = (content, ends, firsts, *words_of)
    yield Case("wire.selected", f"{_PIECES} pieces", lambda: selected(*why), lambda: reference.selected(*why))
    n = len(records)
    order, places = random.permutation(n).astype(np.int32), np.arange(0, 2 * _PIECES, 2, dtype=np.int64)
    ranking = (order, random.random(n), np.zeros(n, dtype=np.int32), random.random(n), random.random(n), places)
    lists = [(0, column, np.sort(order[: n // 2]), random.random(n // 2)) for column in range(2)]
    yield Case("wire.told", f"{_PIECES} places", lambda: told(*ranking, lists), lambda: reference.told(*ranking, lists))
    out = random.permutation(len(records))[:_DROPPED].astype(np.int32)
    words = [Dropped(reason="budget", detail=f"over the {k} best").SerializeToString() for k in range(3)]
    drops = (content, ends, out, (np.arange(len(out)) % 3).astype(np.int32), words, _FIELD)
    yield Case("wire.dropped", f"{len(out)} rows", lambda: dropped(*drops), lambda: reference.dropped(*drops))
    yield Case(
        "wire.evidence_ids",
        f"{len(out)} rows",
        lambda: evidence_ids(content, ends, out.tolist()),
        lambda: reference.evidence_ids(content, ends, out.tolist()),
    )
    alike = ([f"word{number}" for number in range(_EXPANDED)], random.random(_EXPANDED))
    given = (*alike, 0, "alike", _EXPANSIONS_FIELD)
    yield Case(
        "wire.expansions", f"{_EXPANDED} words", lambda: expansions(*given), lambda: reference.expansions(*given)
    )


def _in_one_order(serialised: object) -> bytes:
    """Return a package as protobuf writes it: the kernel writes fields in another order."""
    assert isinstance(serialised, bytes)
    return ContextPackage.FromString(serialised).SerializeToString(deterministic=True)


def _evidence(row: int) -> Evidence:
    return Evidence(
        id=f"t{row}:{row}.0",
        kind="memory_chunk",
        title="Ann, 2025-01-01 12:00",
        source_uri=f"smartbrain://m/s/t{row}",
        source_type="conversation",
        snippet=f"Message {row}: some words of a message of usual length, about nothing in particular.",
        language="en",
        metadata=EvidenceMetadata(role="user", speaker="Ann", created_at=Timestamp(seconds=1_750_000_000 + row)),
        ref=EvidenceRef(turn_id=f"t{row}", message_id=f"t{row}.0", session_id="s"),
    )


def _joined(parts: list[bytes]) -> reference.Joined:
    return np.frombuffer(b"".join(parts), dtype=np.uint8), np.cumsum([0, *map(len, parts)], dtype=np.int64)
