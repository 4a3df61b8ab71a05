"""Records that are cut or damaged: refused as protobuf refuses them, and never a read past their end."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.kernels import reference
from brain_core.kernels.evidence import context_evidences, evidence_ids, text_and_title
from brain_core.kernels.reasons import dropped
from tests.kernels.stored import DROPPED, by_hand, evidences, joined


@settings(max_examples=300, deadline=None)
@given(evidences(), st.data())
def test_a_record_that_is_cut_is_refused_as_protobuf_refuses_it(evidence: Evidence, data: st.DataObject) -> None:
    whole = evidence.SerializeToString()
    record = whole[: data.draw(st.integers(0, len(whole)), label="cut")]
    try:
        wanted = Evidence.FromString(record).id
    except DecodeError:
        refused_everywhere(record)
    else:
        assert evidence_ids(*joined([record]), [0]) == [wanted]
        changed = with_second(record)
        mine, theirs = (
            ContextPackage.FromString(write(**changed)[0])
            for write in (context_evidences, reference.evidence.context_evidences)
        )
        assert mine == theirs


def with_second(record: bytes) -> dict[str, Any]:
    """Return the parts of the piece by hand, with another record for its hit."""
    parts = by_hand()
    first = parts["content"][: parts["ends"][1]].tobytes()
    content, ends = joined([first, record])
    return {**parts, "content": content, "ends": ends}


def refused_everywhere(record: bytes) -> None:
    content, ends = joined([b"", record])
    for ids in (evidence_ids, reference.evidence.evidence_ids):
        with pytest.raises(ValueError, match="record 1 is no message"):
            ids(content, ends, [0, 1])
    for text in (text_and_title, reference.evidence.text_and_title):
        with pytest.raises(ValueError, match="record 1 is no message"):
            text(content, ends, 1)
    for write in (dropped, reference.reasons.dropped):
        with pytest.raises(ValueError, match="record 1 is no message"):
            write(content, ends, [0, 1], [b"", b""], DROPPED)
    with pytest.raises(ValueError, match="a record of piece 0 is no message"):
        context_evidences(**with_second(record))
    with pytest.raises(ValueError, match="record 1 is no message"):
        reference.evidence.context_evidences(**with_second(record))


@settings(max_examples=500, deadline=None)
@given(evidences(), st.data())
def test_no_damage_makes_it_read_past_a_record(evidence: Evidence, data: st.DataObject) -> None:
    """Whatever the bytes: an answer or a ValueError, and never a byte that stands outside of the record."""
    damaged = bytearray(evidence.SerializeToString() or b"\x00")
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    record, secret = bytes(damaged), b"SECRET" * 40
    content, ends = joined([record, secret])
    parts = {**by_hand(), "content": content, "ends": ends}
    rows = np.zeros(1, dtype=np.int32)
    parts["pieces"] = (rows, np.array([0, 1], dtype=np.int64), rows, np.zeros(1, dtype=np.uint8))
    with suppress(ValueError):
        assert "SECRET" not in evidence_ids(content, ends, [0])[0]
    with suppress(ValueError):
        assert "SECRET" not in "".join(text_and_title(content, ends, 0))
    with suppress(ValueError):
        assert b"SECRET" not in dropped(content, ends, [0], [b""], DROPPED)
    with suppress(ValueError):
        assert b"SECRET" not in context_evidences(**parts)[0]


@pytest.mark.parametrize(
    "record",
    [
        b"\x0a",  # a field without its length
        b"\x0a\x05ab",  # fewer bytes than it says
        b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",  # a length of 2**64 - 1
        b"\x0a" + b"\x80" * 9,  # a number that does not end
        b"\x09\x01\x02",  # a double of two bytes
        b"\x0d\x01",  # a float of one byte
        b"\x0c",  # the end of a group that never began
    ],
)
def test_what_is_no_message_is_refused_by_both(record: bytes) -> None:
    refused_everywhere(record)
