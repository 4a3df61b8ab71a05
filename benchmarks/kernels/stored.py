"""Stored evidence as the index holds it, of which kernels write packages."""

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.evidence_pb2 import Evidence, EvidenceMetadata, EvidenceRef

from benchmarks.kernels.case import Size
from brain_core.kernels import reference

PIECES = 12
"""Pieces of a package."""


def stored(size: Size) -> reference.records.Joined:
    """Give the records of a memory's messages, at most 2,000 of them, serialised."""
    return joined([_evidence(row).SerializeToString() for row in range(min(size.rows, 2_000))])


def joined(parts: list[bytes]) -> reference.records.Joined:
    """Put pieces of bytes one after the other."""
    return np.frombuffer(b"".join(parts), dtype=np.uint8), np.cumsum([0, *map(len, parts)], dtype=np.int64)


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
