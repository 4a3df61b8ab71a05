"""Chunks: what a turn and an item become, and the table that holds what is known of them."""

from __future__ import annotations

import numpy as np
import pytest
from google.protobuf.struct_pb2 import Struct
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.event_pb2 import Message, Ref, ToolCall, Turn, TurnEvents
from smartbrain.v1.evidence_pb2 import Evidence
from smartbrain.v1.item_pb2 import (
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_DEPRECATED,
    ITEM_STATUS_SUPERSEDED,
    LAYER_EPISODIC,
    LAYER_LONGTERM,
    MemoryItem,
)

from brain_core.index.chunks import COLUMNS, NAMED, NONE, ChunkTable, Names, text_hash
from brain_core.index.derive import chunk_text, item_chunk, turn_chunks, turn_uri
from brain_core.store.v1.records_pb2 import (
    CHUNK_KIND_ITEM,
    CHUNK_KIND_MESSAGE,
    CHUNK_KIND_REF,
    CHUNK_KIND_TOOL_RESULT,
    ChunkRecord,
)
from brain_core.text.tokens import count
from tests.building import second


def stored_turn(**parts: object) -> Turn:
    return Turn(turn_id="t3", session_id="s", committed_at=second(60), events=TurnEvents(**parts))  # type: ignore[arg-type]


def test_messages_become_chunks_in_order() -> None:
    turn = stored_turn(
        messages=[
            Message(message_id="a", role="user", speaker="Ann", content="I like tea", created_at=second(0)),
            Message(message_id="b", role="assistant", speaker="assistant", content="我也喜欢茶", created_at=second(1)),
        ]
    )
    first, reply = turn_chunks("m", turn, 7, 100)
    assert [first.evidence.id, reply.evidence.id] == ["t3:a", "t3:b"]
    assert [first.position, reply.position] == [7, 8]
    assert [first.evidence.language, reply.evidence.language] == ["en", "zh"]
    assert first.evidence.title == "Ann, 2023-11-14 22:13"
    assert first.evidence.source_uri == reply.evidence.source_uri == "smartbrain://m/s/t3"
    assert (first.evidence.kind, first.evidence.source_type) == ("memory_chunk", "conversation")
    assert (first.evidence.ref.turn_id, first.evidence.ref.message_id, first.evidence.ref.session_id) == (
        "t3",
        "a",
        "s",
    )
    assert (first.evidence.metadata.role, first.evidence.metadata.speaker) == ("user", "Ann")
    assert (first.kind, first.layer, first.status) == (CHUNK_KIND_MESSAGE, LAYER_EPISODIC, ITEM_STATUS_ACTIVE)
    assert first.time_us == second(0).ToMicroseconds()
    assert first.tokens >= count(f"[E1] {first.evidence.title} — {first.evidence.source_uri}\n> I like tea")
    assert chunk_text(first) == "Ann: I like tea"
    assert (first.ordinal, first.vector) == (0, b"")


def test_a_long_message_becomes_numbered_windows_of_one_position() -> None:
    content = "One sentence of some length. " * 20
    turn = stored_turn(messages=[Message(message_id="a", role="user", content=content, created_at=second(0))])
    chunks = list(turn_chunks("m", turn, 0, 100))
    assert len(chunks) > 5
    assert [chunk.evidence.id for chunk in chunks] == ["t3:a", *(f"t3:a#{n}" for n in range(1, len(chunks)))]
    assert {chunk.position for chunk in chunks} == {0}
    for number, chunk in enumerate(chunks):
        place = chunk.evidence.metadata
        assert place.chunk_index == number
        assert chunk.evidence.snippet == content[place.offset_start : place.offset_end]
        assert len(chunk.evidence.snippet) <= 100


def test_tool_results_and_refs_become_chunks() -> None:
    meta = Struct()
    meta.update({"title": "Annual report", "pages": 12})
    turn = stored_turn(
        tool_calls=[ToolCall(name="search", result="three hits", status="ok"), ToolCall(name="ping", status="error")],
        refs=[Ref(ref_type="file", uri="file:///tmp/r.pdf", meta=meta)],
    )
    result, ref = turn_chunks("m", turn, 0, 100)
    assert (result.kind, result.evidence.id, result.evidence.title) == (
        CHUNK_KIND_TOOL_RESULT,
        "t3:tool-0",
        "search (ok)",
    )
    assert (result.evidence.metadata.role, result.position) == ("tool", -1)
    assert (ref.kind, ref.evidence.id, ref.evidence.source_uri) == (CHUNK_KIND_REF, "t3:ref-0", "file:///tmp/r.pdf")
    assert "title: Annual report" in ref.evidence.snippet
    assert ref.time_us == second(60).ToMicroseconds()


def test_an_item_becomes_a_chunk_of_its_version() -> None:
    item = MemoryItem(
        id="i1", version=4, type="preferences", key="pref:ui:theme", uri="user://preferences/ui/theme", text="dark",
        layer=LAYER_LONGTERM, priority=2, confidence=0.8, status=ITEM_STATUS_ACTIVE, session_id="s",
        source_turn_id="t3", source_message_id="a", updated_at=second(5),
    )  # fmt: skip
    chunk = item_chunk(item)
    assert (chunk.kind, chunk.evidence.id, chunk.evidence.title) == (
        CHUNK_KIND_ITEM,
        "i1:4",
        "preferences pref:ui:theme",
    )
    assert (chunk.item_type, chunk.layer, chunk.priority, chunk.confidence) == ("preferences", LAYER_LONGTERM, 2, 0.8)
    assert (chunk.position, chunk.time_us) == (-1, second(5).ToMicroseconds())
    assert chunk.evidence.ref.memory_item_id == "i1"
    assert chunk_text(chunk) == "dark"


def test_a_turn_uri_quotes_what_a_uri_cannot_hold() -> None:
    assert turn_uri("a/b", "会 话", "t1") == "smartbrain://a%2Fb/%E4%BC%9A%20%E8%AF%9D/t1"


def row(
    session: str = "", kind: int = CHUNK_KIND_MESSAGE, status: int = ITEM_STATUS_ACTIVE, text: str = "x", uri: str = ""
) -> ChunkRecord:
    return ChunkRecord(
        kind=kind,  # type: ignore[arg-type]
        session_id=session,
        status=status,  # type: ignore[arg-type]
        priority=3,
        confidence=0.5,
        evidence=Evidence(snippet=text, source_uri=uri),
    )


sessions = st.lists(
    st.tuples(st.sampled_from(["", "a", "b", "会话"]), st.sampled_from([CHUNK_KIND_MESSAGE, CHUNK_KIND_ITEM])),
    max_size=200,
)


def same(left: ChunkTable, right: ChunkTable) -> None:
    assert len(left) == len(right)
    for name in COLUMNS:
        np.testing.assert_array_equal(left.column(name), right.column(name))
        assert left.column(name).dtype == COLUMNS[name]
    np.testing.assert_array_equal(left.found_by_default(), right.found_by_default())
    assert {name: left.names[name].all() for name in NAMED} == {name: right.names[name].all() for name in NAMED}


@settings(max_examples=60, deadline=None)
@given(sessions)
def test_messages_are_linked_within_their_session(given_rows: list[tuple[str, int]]) -> None:
    table = ChunkTable()
    last: dict[str, int] = {}
    before, after = [NONE] * len(given_rows), [NONE] * len(given_rows)
    for number, (session, kind) in enumerate(given_rows):
        table.add(row(session, kind))
        if kind == CHUNK_KIND_MESSAGE:
            if session in last:
                before[number], after[last[session]] = last[session], number
            last[session] = number
    assert table.column("before").tolist() == before
    assert table.column("after").tolist() == after
    again = ChunkTable.load(table.dump(), {name: table.names[name].all() for name in NAMED})
    same(again, table)
    for one in (again, table):  # goes on as the one it was made of
        for session in ("a", "new", "会话"):
            one.add(row(session))
    same(again, table)


def test_growth_keeps_what_is_there() -> None:
    table = ChunkTable()
    for number in range(1000):
        table.add(row(f"s{number % 3}", text=str(number), uri=f"u{number}"))
        assert len(table) == number + 1
    assert table.names["uri"].all() == [f"u{number}" for number in range(1000)]
    np.testing.assert_array_equal(table.column("uri"), np.arange(1000))
    assert table.names["session"].all() == ["s0", "s1", "s2"]
    assert table.nbytes > 1000 * 50


def test_restating_changes_only_what_may_change() -> None:
    table = ChunkTable()
    table.add(row("a"))
    table.add(row("b", status=ITEM_STATUS_DEPRECATED))
    ended = row("other", status=ITEM_STATUS_SUPERSEDED)
    ended.priority, ended.confidence = 9, 0.25
    before = table.dump()
    table.restate(0, ended)
    changed = {name for name in COLUMNS if table.column(name)[0] != before[name][0]}
    assert changed == {"status", "priority", "confidence"}
    assert table.found_by_default().tolist() == [0, 1]


def test_columns_of_different_length_are_refused() -> None:
    table = ChunkTable()
    table.add(row("a"))
    columns = table.dump()
    columns["uri"] = columns["uri"][:0]
    with pytest.raises(ValueError, match="columns differ in length"):
        ChunkTable.load(columns, {name: [] for name in NAMED})


def test_names_keep_their_ordinals() -> None:
    names = Names()
    assert [names.ordinal(name) for name in ("b", "a", "b", "", "c")] == [0, 1, 0, NONE, 2]
    assert names.find(["c", "unknown", "b"]).tolist() == [2, 0]
    names.ordinal("ab")
    assert names.starting_with("a").tolist() == [1, 3]
    assert Names(names.all()).ordinal("c") == 2
    assert len(names) == 4


def test_the_text_hash_forgives_case_width_and_space() -> None:
    assert text_hash("Hello  World\n") == text_hash("ｈello world")
    assert text_hash("hello world") != text_hash("hello word")
    assert text_hash("x") >= 0
