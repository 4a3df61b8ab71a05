"""The number by which an item and the message that it was read in are told to belong together."""

from __future__ import annotations

from smartbrain.v1.evidence_pb2 import Evidence, EvidenceMetadata, EvidenceRef

from brain_core.index.source import OF_ANY, OF_NONE, source_of
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT


def message(name: str, window: int = 0) -> int:
    return source_of(CHUNK_KIND_MESSAGE, Evidence(id=name, metadata=EvidenceMetadata(chunk_index=window)))


def item(turn_id: str, message_id: str, stop: int = 9, refs: tuple[str, ...] = ()) -> int:
    ref = EvidenceRef(turn_id=turn_id, message_id=message_id)
    return source_of(CHUNK_KIND_ITEM, Evidence(ref=ref, metadata=EvidenceMetadata(offset_end=stop), evidence_refs=refs))


def test_an_item_has_the_number_of_its_message_and_of_its_windows() -> None:
    assert item("t", "甲.0") == message("t:甲.0") == message("t:甲.0#1", window=1)
    assert item("t", "a") != message("t:b")


def test_a_message_whose_id_looks_like_a_windows_may_be_of_any() -> None:
    assert message("t:a#1") == message("t:a#b#1", window=1) == OF_ANY


def test_what_was_read_in_no_message_has_none() -> None:
    assert item("t", "a", stop=0) == OF_NONE
    assert item("t", "a", refs=("t:b",)) == OF_NONE, "accepted: another message says it"
    assert source_of(CHUNK_KIND_TOOL_RESULT, Evidence(id="t:a")) == OF_NONE
