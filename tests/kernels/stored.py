"""Stored evidence for the kernels that read it: drawn, joined as the index keeps it, and one package by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import strategies as st
from smartbrain.v1.context_pb2 import ContextDebug, ContextEvidence
from smartbrain.v1.evidence_pb2 import Evidence, EvidenceMetadata, EvidenceRef

from brain_core.kernels import reference
from brain_core.kernels.evidence import TEXT

WHY = ContextDebug.DESCRIPTOR.fields_by_name["why_selected"].number
DROPPED = ContextDebug.DESCRIPTOR.fields_by_name["dropped"].number

texts = st.text(alphabet=st.sampled_from("ab[ é茶😀\n\n\x00\u0301"), max_size=12)
refs = st.one_of(
    st.none(),
    st.builds(EvidenceRef, turn_id=texts, message_id=texts, session_id=texts),
    st.builds(EvidenceRef, turn_id=texts, memory_item_id=texts),
)
times = st.one_of(st.none(), st.builds(Timestamp, seconds=st.integers(-(2**40), 2**40), nanos=st.integers(0, 5)))
numbers = st.sampled_from([0, 1, 127, 128, 2**31 - 1, -1])


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    """Draw an evidence as the index keeps it, with fields that stand between and after those that are read."""
    made = Evidence(
        id=draw(texts), kind=draw(texts), document_id=draw(texts), title=draw(texts), source_uri=draw(texts),
        snippet=draw(texts) * draw(st.sampled_from([1, 1, 30])), language=draw(texts), ref=draw(refs),
    )  # fmt: skip
    if draw(st.booleans()):
        made.metadata.CopyFrom(
            EvidenceMetadata(chunk_index=draw(numbers), page=draw(numbers), speaker=draw(texts), created_at=draw(times))
        )
    if draw(st.booleans()):
        made.signals.vector_score, made.signals.fts_rank = draw(st.floats()), draw(numbers)
    return made


def joined(parts: list[bytes], spare: int = 0) -> reference.records.Joined:
    """Return parts as kernels read them, which nobody may write to. spare: bytes of room to grow after them."""
    ends = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    content = np.frombuffer(b"".join(parts) + b"\xff" * spare, dtype=np.uint8).copy()
    content.setflags(write=False)
    ends.setflags(write=False)
    return content, ends


def ints(*numbers_: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.array(numbers_, dtype=np.int32)


def by_hand() -> dict[str, Any]:
    """Give one piece of two messages, of which the second is the hit."""
    records = [
        Evidence(id="t1:a", title="Ann, noon", source_uri="u1", snippet="天气很好", ref=EvidenceRef(turn_id="t1")),
        Evidence(
            id="t1:b", title="Bo, noon", source_uri="u2", snippet="indeed it is", ref=EvidenceRef(turn_id="t2"),
            metadata=EvidenceMetadata(speaker="Bo", created_at=Timestamp(seconds=5)),
        ),
    ]  # fmt: skip
    content, ends = joined([one.SerializeToString() for one in records])
    return {
        "content": content,
        "ends": ends,
        "pieces": (
            np.array([1], dtype=np.int32), np.array([0, 2], dtype=np.int64), np.array([0, 1], dtype=np.int32),
            np.zeros(2, dtype=np.uint8),
        ),
        "standing": (
            np.ones(1, dtype=np.uint8), np.zeros(1, dtype=np.int32), np.ones(2, dtype=np.uint8),
            np.ones(2, dtype=np.uint8), 2, 5,
        ),
        "heads": [ContextEvidence(mode="hybrid").SerializeToString()],
        "texts": [""],
        "labels": joined([b"Ann: ", b"Bo: "]),
        "speakers": np.array([0, 1], dtype=np.int32),
        "ranks": np.array([[0, 3]], dtype=np.int32),
        "signals": np.array([[np.nan, 0.0, np.nan, 0.75, np.nan]]),
        "scores": np.array([0.75]),
        "shown": TEXT,
        "longest": 4,
        "why": ([""], [""], [""], "messages", "sections", WHY),
    }  # fmt: skip
