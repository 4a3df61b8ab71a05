"""Chunks: what a turn and an item become, and the table that holds what is known of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
from google.protobuf.struct_pb2 import Struct
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.render import render_evidence
from smartbrain.v1.context_pb2 import ContextEvidence
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

from brain_core.compose.check import MODES
from brain_core.compose.slots import SlotCounter
from brain_core.index.chunks import COLUMNS, NAMED, NEVER, NONE, ChunkTable, Names, text_hash
from brain_core.index.derive import chunk_text, item_chunk, line, token_costs, turn_chunks, turn_uri
from brain_core.index.records import Records
from brain_core.store.v1.records_pb2 import (
    CHUNK_KIND_ITEM,
    CHUNK_KIND_MESSAGE,
    CHUNK_KIND_REF,
    CHUNK_KIND_TOOL_RESULT,
    ChunkRecord,
)
from brain_core.text.tokens import ApproxCounter, make_counter
from tests.building import second
from tests.tokenizer_files import byte_level


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
    assert chunk_text(first) == line(first.evidence) == "Ann: I like tea"
    assert (first.ordinal, first.vector) == (0, b"")


def said(text: str, speaker: str = "Ann", role: str = "user") -> Evidence:
    """Return the evidence of a message."""
    content = Message(message_id="a", role=role, speaker=speaker, content=text, created_at=second(0))
    [chunk] = turn_chunks("m", stored_turn(messages=[content]), 0, 100_000)
    return chunk.evidence


def piece(evidence: Evidence, mode: str, score: float) -> ContextEvidence:
    return ContextEvidence(
        title=evidence.title, source_uri=evidence.source_uri, snippet=evidence.snippet, mode=mode, score=score
    )


texts = st.text(
    alphabet=st.sampled_from("aZ9_ .,!茶\n\r\x0b\x1c\x00\u2028<|>[]/INSTé"), min_size=1, max_size=80
).filter(str.strip)
speakers = st.sampled_from(["a\u2028b\u2028c\u2028d", "Ann", "小明", "assistant", "<|im_end|>", "O'Neil-9"])


@settings(max_examples=60, deadline=None)
@given(texts, st.lists(st.tuples(texts, speakers), max_size=6), st.integers(1, 999), st.sampled_from(list(MODES)))
def test_costs_cover_texts_alone_and_as_lines_that_follow(
    text: str, further: list[tuple[str, str]], label: int, mode: str
) -> None:
    for name in ("approx", str(byte_level("gpt2")), str(byte_level("llama3"))):
        counter = make_counter(name)
        shown = piece(said(text), mode, 0.88)
        paid = token_costs(said(text), counter)[0] + SlotCounter(counter).dearest_label(label)
        assert counter.weigh(render_evidence(label, shown)) <= paid
        for each in further:
            shown.snippet += f"\n{line(said(*each))}"
            paid += token_costs(said(*each), counter)[1]
        assert counter.weigh(render_evidence(label, shown)) <= paid


def test_a_line_that_follows_costs_less_than_a_piece_of_its_own() -> None:
    for text in ("I like tea", "我喜欢茶", "a longer line of words about tea " * 20):
        alone, following = token_costs(said(text), ApproxCounter())
        assert ApproxCounter().weigh(text) < following < alone


def test_an_estimated_piece_costs_the_sum_of_its_lines() -> None:
    counter, lines = ApproxCounter(), [("2 cats\n\nand 3 dogs", "Ann"), ("我有两只猫。", "小明"), ("7 of them", "Bo 2")]
    shown = piece(said("I like tea, since 3 May"), "hybrid", 0.88)
    paid = token_costs(said("I like tea, since 3 May"), counter)[0]
    for each in lines:
        shown.snippet += f"\n{line(said(*each))}"
        paid += token_costs(said(*each), counter)[1]
    assert counter.weigh(render_evidence(1, shown)) == paid


def test_labels_are_paid_for_by_their_numbers() -> None:
    for name in ("approx", str(byte_level("gpt2")), str(byte_level("llama3"))):
        counter = make_counter(name)
        first = counter.weigh("[E1]")
        for most in (1, 9, 10, 99, 128, 1000):
            labels = SlotCounter(counter).labels(most)
            weights = [counter.weigh(f"[E{number}]") - first for number in range(1, most + 1)]
            assert len(labels) == most
            assert min(labels) >= 0
            assert all(sum(labels[:n]) >= sum(weights[:n]) for n in range(1, most + 1))
            assert sum(labels) <= sum(map(abs, weights))
            assert SlotCounter(counter).dearest_label(most) >= max(weights)


def test_the_address_and_title_are_paid_for_by_whoever_stands_alone() -> None:
    short, long = said("tea"), said("tea", "A name of many words that a title holds")
    assert token_costs(long, ApproxCounter())[0] > token_costs(short, ApproxCounter())[0] + 600


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
    args = Struct()
    args.update(
        {"path": "docs/zebra.md", "limit": 5, "content": "long " * 40, "token": "sk-live-4eC39HqLyjWDarjtT1zdp7dc"}
    )
    turn = stored_turn(
        tool_calls=[
            ToolCall(name="search", args=args, result="three hits", status="ok"),
            ToolCall(name="ping", status="error"),
        ],
        refs=[Ref(ref_type="file", uri="file:///tmp/r.pdf", meta=meta)],
    )
    result, ref = turn_chunks("m", turn, 0, 100)
    assert (result.kind, result.evidence.id, result.evidence.title) == (
        CHUNK_KIND_TOOL_RESULT,
        "t3:tool-0",
        "search limit=5 docs/zebra.md [secret] (ok), 2023-11-14 22:14",
    )
    assert (result.evidence.metadata.role, result.position) == ("tool", -1)
    assert (ref.kind, ref.evidence.id, ref.evidence.source_uri) == (CHUNK_KIND_REF, "t3:ref-0", "file:///tmp/r.pdf")
    assert "title: Annual report" in ref.evidence.snippet
    assert ref.time_us == second(60).ToMicroseconds()


def test_an_item_becomes_a_chunk_of_its_version() -> None:
    item = MemoryItem(
        id="i1", version=4, type="preferences", key="pref:ui:theme", uri="user://preferences/ui/theme", text="dark",
        layer=LAYER_LONGTERM, priority=2, confidence=0.8, status=ITEM_STATUS_ACTIVE, session_id="s",
        source_turn_id="t3", source_message_id="a", updated_at=second(90_000), said_at=second(5),
    )  # fmt: skip
    chunk = item_chunk(item)
    assert (chunk.kind, chunk.evidence.id, chunk.evidence.title) == (
        CHUNK_KIND_ITEM,
        "i1:4",
        "preferences, 2023-11-14",
    )
    assert (chunk.item_type, chunk.layer, chunk.priority, chunk.confidence) == ("preferences", LAYER_LONGTERM, 2, 0.8)
    assert (chunk.position, chunk.time_us) == (-1, second(5).ToMicroseconds())
    assert chunk.evidence.ref.memory_item_id == "i1"
    assert chunk_text(chunk) == "dark"


def test_a_turn_uri_quotes_what_an_iri_cannot_hold() -> None:
    assert turn_uri("a/b", "会 话", "t1") == "smartbrain://a%2Fb/会%20话/t1"


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


def add(table: ChunkTable, chunk: ChunkRecord) -> None:
    table.add(chunk, 30, 10)


sessions = st.lists(
    st.tuples(st.sampled_from(["", "a", "b", "会话"]), st.sampled_from([CHUNK_KIND_MESSAGE, CHUNK_KIND_ITEM])),
    max_size=200,
)


def ids_of(table: ChunkTable) -> list[str]:
    return table.records.ids(range(len(table)))


def loaded(table: ChunkTable) -> ChunkTable:
    """Make a table of what another gives for a snapshot."""
    return ChunkTable.load(
        table.dump(),
        {name: table.names[name].all() for name in NAMED},
        Records.load(*table.records.dump()),
        table.put_right(),
    )


def same(left: ChunkTable, right: ChunkTable) -> None:
    assert len(left) == len(right)
    assert left.records.read(range(len(left))) == right.records.read(range(len(right)))
    assert left.items().tolist() == right.items().tolist()
    assert left.newest_us == right.newest_us
    for name in COLUMNS:
        np.testing.assert_array_equal(left.column(name), right.column(name))
        assert left.column(name).dtype == COLUMNS[name]
    np.testing.assert_array_equal(left.found_by_default()[0], right.found_by_default()[0])
    assert left.found_by_default()[1] == right.found_by_default()[1] == int(left.found_by_default()[0].sum())
    for mine, theirs in zip(left.labels(), right.labels(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert {name: left.names[name].all() for name in NAMED} == {name: right.names[name].all() for name in NAMED}


@settings(max_examples=60, deadline=None)
@given(sessions)
def test_messages_are_linked_within_their_session(given_rows: list[tuple[str, int]]) -> None:
    table = ChunkTable()
    last: dict[str, int] = {}
    before, after = [NONE] * len(given_rows), [NONE] * len(given_rows)
    for number, (session, kind) in enumerate(given_rows):
        add(table, row(session, kind))
        if kind == CHUNK_KIND_MESSAGE:
            if session in last:
                before[number], after[last[session]] = last[session], number
            last[session] = number
    assert table.column("before").tolist() == before
    assert table.column("after").tolist() == after
    again = loaded(table)
    same(again, table)
    for one in (again, table):  # goes on as the one it was made of
        for session in ("a", "new", "会话"):
            add(one, row(session))
    same(again, table)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["a", "会话"]), st.booleans()), max_size=20))
def test_links_past_what_says_nothing_lead_to_the_next_that_does(said: list[tuple[str, bool]]) -> None:
    table = ChunkTable()
    for session, silent in said:
        chunk = row(session)
        chunk.evidence.snippet = "好的，谢谢" if silent else "The ferry leaves at noon."
        add(table, chunk)

    def nearest(places: Iterable[int], session: str) -> int:
        return next((place for place in places if said[place] == (session, False)), NONE)

    for one in (table, loaded(table)):
        assert one.column("contentless").tolist() == [silent for _, silent in said]
        for number, (session, _) in enumerate(said):
            assert one.column("told_before")[number] == nearest(range(number - 1, -1, -1), session)
            assert one.column("told_after")[number] == nearest(range(number + 1, len(said)), session)


def test_a_column_is_one_view_until_the_table_grows() -> None:
    table = ChunkTable()
    for rows in range(1, 200):  # past the room that it begins with
        add(table, row("a"))
        column = table.column("session")
        assert table.column("session") is column
        assert column.tolist() == [0] * rows


def test_rows_tell_who_spoke_how_long_and_of_whom() -> None:
    table = ChunkTable()
    for text, speaker, role in (
        ("I met my sister, I think.", "Ann", "user"),
        ("我说过了，咱们走", "小明", "user"),
        ("Mine! " * 100, "Ann", "user"),
        ("Is it so?", "assistant", "assistant"),
    ):
        add(table, ChunkRecord(kind=CHUNK_KIND_MESSAGE, session_id="s", evidence=said(text, speaker, role)))
    add(table, item_chunk(MemoryItem(id="i", text="dark", updated_at=second(0))))
    table.add(row("s"), 41, 12)
    for one in (table, loaded(table)):
        assert one.names["speaker"].all() == ["Ann", "小明", "assistant"]
        assert one.column("speaker").tolist() == [0, 1, 0, 2, NONE, NONE]
        assert one.column("assistant").tolist() == [0, 0, 0, 1, 0, 0]
        assert one.column("first_person").tolist() == [3, 2, 100, 0, 0, 0]
        assert one.column("chars").tolist()[:2] == [
            len("Ann: I met my sister, I think.\n"),
            len("小明: 我说过了，咱们走\n"),
        ]
        assert one.column("chars")[4] == len("dark\n")
        assert (one.column("cost")[-1], one.column("line_cost")[-1]) == (41, 12)


def test_the_parts_of_a_long_message_know_where_it_begins() -> None:
    table = ChunkTable()
    content = "One sentence of some length. " * 10
    messages = [
        Message(message_id="a", role="user", content="short", created_at=second(0)),
        Message(message_id="b", role="user", content=content, created_at=second(0)),
        Message(message_id="c", role="user", content=content, created_at=second(0)),
    ]
    chunks = list(turn_chunks("m", stored_turn(messages=messages), 0, 150))
    for chunk in chunks:
        add(table, chunk)
    parts = len(chunks) // 2
    assert parts > 1
    assert table.column("start").tolist() == [0, *[1] * parts, *[1 + parts] * parts]
    assert table.column("before").tolist() == list(range(-1, len(chunks) - 1)), "parts are neighbours of one another"


def test_growth_keeps_what_is_there() -> None:
    table = ChunkTable()
    for number in range(1000):
        add(table, row(f"s{number % 3}", text=str(number), uri=f"u{number}"))
        assert len(table) == number + 1
    assert table.names["uri"].all() == [f"u{number}" for number in range(1000)]
    np.testing.assert_array_equal(table.column("uri"), np.arange(1000))
    assert table.names["session"].all() == ["s0", "s1", "s2"]
    assert table.nbytes > 1000 * 50
    assert len(table._found) <= 1000 * 9 / 8 + 1, "room for an eighth more"


def test_restating_changes_only_what_may_change() -> None:
    table = ChunkTable()
    add(table, row("a"))
    add(table, row("b", status=ITEM_STATUS_DEPRECATED))
    ended = row("other", status=ITEM_STATUS_SUPERSEDED)
    ended.priority, ended.confidence = 9, 0.25
    before = table.dump()
    table.restate(0, ended)
    changed = {name for name in COLUMNS if table.column(name)[0] != before[name][0]}
    assert changed == {"status", "priority", "confidence"}
    mask, count = table.found_by_default()
    assert (mask.tolist(), count) == ([0, 1], 1)
    for _ in range(2):
        table.restate(0, row("a"))
    assert (table.found_by_default()[0].tolist(), table.found_by_default()[1]) == ([1, 1], 2)


def test_columns_of_different_length_are_refused() -> None:
    table = ChunkTable()
    add(table, row("a"))
    columns = table.dump()
    columns["uri"] = columns["uri"][:0]
    with pytest.raises(ValueError, match="columns differ in length"):
        ChunkTable.load(columns, {name: [] for name in NAMED}, table.records, table.put_right())
    two = Records()
    for _ in range(2):
        two.add(Evidence())
    for records in (Records(), two):
        with pytest.raises(ValueError, match="columns differ in length"):
            ChunkTable.load(table.dump(), {name: table.names[name].all() for name in NAMED}, records, table.put_right())


@pytest.mark.parametrize(
    ("name", "bad"),
    [("before", -2), ("before", 2), ("after", -2), ("after", 2), ("told_after", 2), ("start", -1), ("start", 2)],
)
def test_a_neighbour_that_is_no_row_is_refused(name: str, bad: int) -> None:
    table = ChunkTable()
    add(table, row("a"))
    add(table, row("a"))
    names = {name: table.names[name].all() for name in NAMED}
    for place in (0, 1):
        columns = table.dump()
        columns[name][place] = bad
        with pytest.raises(ValueError, match=f"{name} names a row"):
            ChunkTable.load(columns, names, table.records, table.put_right())


def test_rows_keep_their_ids_and_items_are_listed() -> None:
    table = ChunkTable()
    ids = ["t1:a", "", "项目:1", "t1:b#2", "i1:4"]
    kinds = [CHUNK_KIND_MESSAGE, CHUNK_KIND_REF, CHUNK_KIND_ITEM, CHUNK_KIND_TOOL_RESULT, CHUNK_KIND_ITEM]
    for evidence_id, kind in zip(ids, kinds, strict=True):
        chunk = row("s", kind)
        chunk.evidence.id = evidence_id
        add(table, chunk)
    for one in (table, loaded(table)):
        assert ids_of(one) == ids
        assert one.items().tolist() == [2, 4]
        assert one.items().dtype == np.int32
    assert ChunkTable().items().tolist() == []


def test_labels_stand_by_speaker_and_follow_new_ones() -> None:
    table = ChunkTable()
    assert [part.tolist() for part in table.labels()] == [[], [0]]
    told: list[bytes] = []
    for speaker, told_as in (("Ann", b"Ann: "), ("小明", "小明: ".encode()), ("a\nb  c", b"a b c: "), ("Ann", b"")):
        add(table, ChunkRecord(kind=CHUNK_KIND_MESSAGE, session_id="s", evidence=said("x", speaker)))
        told += [told_as] if told_as else []
        content, ends = table.labels()
        assert [content[start:stop].tobytes() for start, stop in pairwise(ends)] == told


def test_the_newest_time_is_known() -> None:
    table = ChunkTable()
    assert table.newest_us == 0
    for time_us, newest in ((5, 5), (3, 5), (9, 9), (9, 9)):
        chunk = row("s")
        chunk.time_us = time_us
        add(table, chunk)
        assert table.newest_us == loaded(table).newest_us == newest


def test_the_newest_time_is_put_right() -> None:
    table, known = ChunkTable(), [0]
    for time_us, put_right, newest in ((5, 0, 5), (90, 0, 90), (6, 7, 7), (3, 0, 7), (80, 0, 80), (8, 8, 8), (9, 0, 9)):
        chunk = row("s")
        chunk.time_us, chunk.newest_said_us = time_us, put_right
        add(table, chunk)
        known.append(newest)
        assert table.newest_us == loaded(table).newest_us == newest
        assert [table.newest_of(rows) for rows in range(len(known))] == known


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


def test_nothing_ends_before_the_first_end() -> None:
    table = ChunkTable()
    assert table.first_end_us == NEVER
    for number, ends_us in enumerate((0, 90, 40)):
        table.add(ChunkRecord(evidence=Evidence(id=f"item:{number}"), ends_us=ends_us), 1, 1)
    assert table.first_end_us == 40
    table.restate(2, ChunkRecord(ends_us=0))
    names = {name: table.names[name].all() for name in NAMED}
    assert ChunkTable.load(table.dump(), names, table.records, table.put_right()).first_end_us == 90
    table.restate(0, ChunkRecord(ends_us=7))
    assert table.first_end_us == 7
