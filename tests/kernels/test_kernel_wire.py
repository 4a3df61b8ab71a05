"""Messages written byte by byte against those that protobuf makes, and against records that are damaged."""

from __future__ import annotations

import math
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from google.protobuf.message import DecodeError
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.context_pb2 import (
    ContextDebug,
    ContextEvidence,
    ContextPackage,
    ContextProvenance,
    PlannerDebug,
    WhySelected,
)
from smartbrain.v1.evidence_pb2 import Dropped, Evidence, EvidenceMetadata, EvidenceRef, Expansion, Signals

from brain_core.kernels import reference, wire
from brain_core.kernels.wire import NOTHING, RANKS, SIGNALS, TEXT, TITLE

BOTH = [wire, reference]
DROPPED = ContextDebug.DESCRIPTOR.fields_by_name["dropped"].number
WHY = ContextDebug.DESCRIPTOR.fields_by_name["why_selected"].number
EXPANSIONS = PlannerDebug.DESCRIPTOR.fields_by_name["expansions"].number

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


def joined(parts: list[bytes], spare: int = 0) -> reference.Joined:
    """Return parts as kernels read them, which nobody may write to. spare: bytes of room to grow after them."""
    ends = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    content = np.frombuffer(b"".join(parts) + b"\xff" * spare, dtype=np.uint8).copy()
    content.setflags(write=False)
    ends.setflags(write=False)
    return content, ends


def ints(*numbers_: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.array(numbers_, dtype=np.int32)


@st.composite
def packages(draw: st.DrawFn) -> dict[str, Any]:
    """Draw all that the evidence of a package is made of."""
    records = draw(st.lists(evidences(), min_size=1, max_size=6))
    content, ends = joined([one.SerializeToString() for one in records], spare=9)
    row = st.integers(0, len(records) - 1)
    pieces = draw(st.lists(st.lists(row, max_size=5), max_size=4))
    heads = st.builds(
        ContextEvidence, source=texts, group=texts, mode=texts,
        provenance=st.one_of(st.none(), st.builds(ContextProvenance, plan_version=texts, retrieved_at=times)),
    )  # fmt: skip
    speakers = draw(st.lists(texts, max_size=3))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    signals = np.where(random.random((len(pieces), 5)) < 0.5, np.nan, random.standard_normal((len(pieces), 5)))
    return {
        "content": content,
        "ends": ends,
        "pieces": (
            np.array([draw(st.sampled_from(rows)) if rows else 0 for rows in pieces], dtype=np.int32),
            np.cumsum([0, *map(len, pieces)], dtype=np.int64),
            np.array([one for rows in pieces for one in rows], dtype=np.int32),
            random.integers(0, 2, sum(map(len, pieces)), dtype=np.uint8),
        ),
        "heads": [draw(heads).SerializeToString() for _ in pieces],
        "labels": joined([f"{name}: ".encode() for name in speakers]),
        "speakers": random.integers(-1, len(speakers), len(records), dtype=np.int32),
        "ranks": random.choice([0, 1, 300], (len(pieces), 2)).astype(np.int32),
        "signals": np.where(random.random(signals.shape) < 0.2, 0.0, signals),
        "scores": random.choice([0.0, 0.5, 1.0], len(pieces)),
        "shown": draw(st.sampled_from([NOTHING, TITLE, TEXT])),
        "longest": draw(st.sampled_from([1, 2, 3, 7, 100])),
    }


@settings(max_examples=400, deadline=None)
@given(packages())
def test_a_packages_evidence_equals_the_twins(parts: dict[str, Any]) -> None:
    written = ContextPackage.FromString(wire.context_evidences(**parts))
    assert written == ContextPackage.FromString(reference.context_evidences(**parts))
    assert len(written.evidence) == len(parts["pieces"][0])


@settings(max_examples=200, deadline=None)
@given(st.lists(evidences(), min_size=1, max_size=6), st.data())
def test_ids_and_what_is_dropped_equal_the_twins(records: list[Evidence], data: st.DataObject) -> None:
    content, ends = joined([one.SerializeToString() for one in records], spare=3)
    for row, one in enumerate(records):
        assert wire.evidence_ids(content, ends, [row]) == reference.evidence_ids(content, ends, [row]) == [one.id]
    words = [(data.draw(texts), data.draw(texts)) for _ in range(data.draw(st.integers(1, 3)))]
    said = [Dropped(reason=reason, detail=detail).SerializeToString() for reason, detail in words]
    rows = data.draw(st.lists(st.integers(0, len(records) - 1), max_size=9))
    why = [data.draw(st.integers(0, len(words) - 1)) for _ in rows]
    given_parts = (content, ends, np.array(rows, dtype=np.int32), np.array(why, dtype=np.int32), said, DROPPED)
    written = wire.dropped(*given_parts)
    assert written == reference.dropped(*given_parts)
    expected = [
        Dropped(id=records[row].id, reason=words[reason][0], detail=words[reason][1])
        for row, reason in zip(rows, why, strict=True)
    ]
    assert list(ContextDebug.FromString(written).dropped) == expected


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 8), st.data())
def test_what_places_of_a_ranking_were_given_equals_the_twin(n: int, data: st.DataObject) -> None:
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    m = data.draw(st.integers(0, 6))
    recency = np.where(random.random(n) < 0.5, np.nan, random.random(n))
    queries = random.integers(0, 3, n, dtype=np.int32)
    ranking = random.permutation(20)[:n].astype(np.int32), 2 * random.random(n), queries, random.random(n), recency
    places = random.integers(0, n, m, dtype=np.int64)
    lists = [
        (query, column, random.integers(0, 20, size, dtype=np.int32), random.standard_normal(size))
        for query in range(3)
        for column in range(2)
        if (size := data.draw(st.integers(0, 12))) != 3
    ]
    ranks, signals, final = wire.told(*ranking, places, lists)
    for mine, theirs in zip((ranks, signals, final), reference.told(*ranking, places, lists), strict=True):
        np.testing.assert_array_equal(mine, theirs, strict=True)
    for number, place in enumerate(places.tolist()):
        for query, column, rows, values in lists:
            if query == queries[place] and ranks[number, column]:
                at = ranks[number, column] - 1
                assert (rows[at], values[at]) == (ranking[0][place], signals[number, column])
                assert ranking[0][place] not in rows[:at]


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"fused": np.zeros(1)}, ValueError, "must have 2 entries, one for each of rows"),
        ({"places": np.array([0, 2])}, IndexError, r"places\[1\] is 2, not in 0..1"),
        ({"places": np.array([-1])}, IndexError, r"places\[0\] is -1, not in 0..1"),
        (
            {"lists": [(0, 1, np.zeros(2, dtype=np.int32), np.zeros(1))]},
            ValueError,
            "of query 0 has 2 rows but 1 values",
        ),
        ({"lists": [(0, 2, np.zeros(1, dtype=np.int32), np.zeros(1))]}, IndexError, "of query 0 is for column 2"),
    ],
)
def test_a_ranking_that_does_not_fit_is_refused_by_both(
    changed: dict[str, Any], error: type[Exception], says: str
) -> None:
    usual = {
        "rows": ints(3, 4), "scores": np.zeros(2), "queries": ints(0, 0), "fused": np.zeros(2), "recency": np.zeros(2),
        "places": np.array([0, 1]), "lists": [],
    }  # fmt: skip
    for module in BOTH:
        with pytest.raises(error, match=says):
            module.told(**{**usual, **changed})


@settings(max_examples=300, deadline=None)
@given(st.lists(evidences(), min_size=1, max_size=4), st.data())
def test_why_pieces_are_selected_equals_the_twin(records: list[Evidence], data: st.DataObject) -> None:
    content, ends = joined([one.SerializeToString() for one in records], spare=3)
    rows = data.draw(st.lists(st.integers(0, len(records) - 1), max_size=6))
    p = len(rows)

    def each(values: st.SearchStrategy[Any], count: int = p) -> list[Any]:
        return data.draw(st.lists(values, min_size=count, max_size=count))

    numbers = st.one_of(st.floats(allow_nan=False), st.sampled_from([math.nan, 0.0, -0.0, 0.0005, 0.125, 2.675]))
    ranks = np.array(each(st.sampled_from([0, 0, 1, 2**31 - 1]), 2 * p), dtype=np.int32).reshape(p, 2)
    signals = np.array(each(numbers, 5 * p), dtype=np.float64).reshape(p, 5)
    given_parts = (
        content, ends, np.array(rows, dtype=np.int32), each(texts), np.array(each(numbers), dtype=np.float64), ranks,
        signals, each(texts), each(texts), WHY,
    )  # fmt: skip
    written = wire.selected(*given_parts)
    assert written == reference.selected(*given_parts)
    assert [one.id for one in ContextDebug.FromString(written).why_selected] == [records[row].id for row in rows]


@pytest.mark.parametrize("module", BOTH)
def test_why_a_piece_is_selected_by_hand(module: ModuleType) -> None:
    content, ends = joined([Evidence(id="茶").SerializeToString()])
    none = [math.nan] * 5
    for ranks, signals, relation, further, reason in (
        ((0, 0), none, "", "", "top: score 0.667"),
        ((0, 0), [*none[1:], 1.0], "", "; x", "top: score 0.667; stands beside a hit in its session; x"),
        ((0, 0), [0.5] * 5, "is said beside it", "", "top: score 0.667; is said beside it"),
        ((3, 0), [0.125, *none[1:]], "", "", "top: score 0.667; meaning: rank 3 (cosine 0.12)"),
        (
            (3, 1), [-1.0, 12.5, *none[2:]], "同一天", "",
            "top: score 0.667; words: rank 1 (BM25 12.50); meaning: rank 3 (cosine -1.00); 同一天",
        ),
    ):  # fmt: skip
        columns = np.array([2 / 3]), np.array([ranks], dtype=np.int32), np.array([signals])
        written = module.selected(content, ends, ints(0), ["top"], *columns, [relation], [further], WHY)
        assert list(ContextDebug.FromString(written).why_selected) == [WhySelected(id="茶", reason=reason)]


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"rows": ints(0, 2)}, IndexError, "row 2 is not in 0..1"),
        ({"rows": ints(0)}, ValueError, "ranks, signals and scores must be of 1 pieces, one for each of rows"),
        ({"scores": np.zeros(1)}, ValueError, "ranks, signals and scores must be of 2 pieces, one for each of rows"),
        ({"ranks": np.zeros((2, 3), dtype=np.int32)}, ValueError, "ranks and signals must have 2 and 5 columns"),
        *(({name: ["one"]}, ValueError, f"{name} has 1 entries, not 2") for name in ("groups", "relations", "further")),
        ({"field": 0}, ValueError, "field must be in 1..536870911, got 0"),
    ],
)
def test_reasons_that_do_not_fit_are_refused_by_both(
    changed: dict[str, Any], error: type[Exception], says: str
) -> None:
    usual = {
        "content": by_hand()["content"], "ends": by_hand()["ends"], "rows": ints(0, 1), "groups": ["", ""],
        "scores": np.zeros(2), "ranks": np.zeros((2, 2), dtype=np.int32), "signals": np.zeros((2, 5)),
        "relations": ["", ""], "further": ["", ""], "field": WHY,
    }  # fmt: skip
    for module in BOTH:
        with pytest.raises(error, match=says):
            module.selected(**{**usual, **changed})


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(texts, st.floats(allow_nan=False)), max_size=6), st.integers(0, 300), texts)
def test_expansions_equal_the_twin_and_protobuf(words: list[tuple[str, float]], query: int, source: str) -> None:
    terms = [term for term, _ in words]
    given_parts = (terms, np.array([weight for _, weight in words], dtype=np.float64), query, source, EXPANSIONS)
    written = wire.expansions(*given_parts)
    assert written == reference.expansions(*given_parts)
    expected = [Expansion(query_index=query, term=term, weight=weight, source=source) for term, weight in words]
    assert list(PlannerDebug.FromString(written).expansions) == expected


@pytest.mark.parametrize("module", BOTH)
def test_expansions_that_do_not_fit_together_are_refused(module: ModuleType) -> None:
    terms, weights = ["tea", "茶"], np.array([0.5, 0.25])
    with pytest.raises(ValueError, match="terms has 2 entries, not 1"):
        module.expansions(terms, weights[:1], 0, "alike", EXPANSIONS)
    with pytest.raises(ValueError, match="query must be ≥ 0, got -1"):
        module.expansions(terms, weights, -1, "alike", EXPANSIONS)
    with pytest.raises(ValueError, match="field must be in"):
        module.expansions(terms, weights, 0, "alike", 0)


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
        "heads": [ContextEvidence(source="memory", group="top", mode="hybrid").SerializeToString()],
        "labels": joined([b"Ann: ", b"Bo: "]),
        "speakers": np.array([0, 1], dtype=np.int32),
        "ranks": np.array([[0, 3]], dtype=np.int32),
        "signals": np.array([[np.nan, 0.0, np.nan, 0.75, np.nan]]),
        "scores": np.array([0.75]),
        "shown": TEXT,
        "longest": 4,
    }  # fmt: skip


@pytest.mark.parametrize("module", BOTH)
def test_a_piece_by_hand(module: ModuleType) -> None:
    [piece] = ContextPackage.FromString(module.context_evidences(**by_hand())).evidence
    expected = ContextEvidence(
        id="t1:b", source="memory", source_uri="u1", title="Ann, noon", snippet="天气很好\nBo: indeed it is",
        mode="hybrid", score=0.75, ref=EvidenceRef(turn_id="t2"), group="top", created_at=Timestamp(seconds=5),
        merged=[EvidenceRef(turn_id="t1"), EvidenceRef(turn_id="t2")],
    )  # fmt: skip
    expected.signals.fts_rank, expected.signals.fts_score, expected.signals.rerank_score = 3, 0.0, 0.75
    assert piece == expected


@pytest.mark.parametrize("module", BOTH)
@pytest.mark.parametrize(
    ("shown", "longest", "first"),
    [
        (TEXT, 4, "天气很好"),
        (TEXT, 3, "天气…"),
        (TEXT, 2, "天…"),
        (TEXT, 1, "…"),
        (TEXT, 12, "天气很好"),
        (TITLE, 1, "Ann, noon"),
        (NOTHING, 4, ""),
    ],
)
def test_the_first_text_is_cut_in_characters(module: ModuleType, shown: int, longest: int, first: str) -> None:
    parts = {**by_hand(), "shown": shown, "longest": longest}
    [piece] = ContextPackage.FromString(module.context_evidences(**parts)).evidence
    assert piece.snippet == f"{first}\nBo: indeed it is", "what follows is whole"


@pytest.mark.parametrize("module", BOTH)
def test_an_ellipsis_stands_where_rows_do_not_follow_each_other(module: ModuleType) -> None:
    parts = by_hand()
    parts["pieces"] = (*parts["pieces"][:3], np.array([1, 1], dtype=np.uint8))
    [piece] = ContextPackage.FromString(module.context_evidences(**parts)).evidence
    assert piece.snippet == "天气很好\n…\nBo: indeed it is", "none before the first"


@pytest.mark.parametrize("module", BOTH)
def test_nothing_gives_nothing(module: ModuleType) -> None:
    none = np.empty(0, dtype=np.int32)
    parts = {
        **by_hand(),
        "pieces": (none, np.zeros(1, dtype=np.int64), none, none.astype(np.uint8)),
        "heads": [],
        "labels": joined([]),
        "speakers": none,
        "ranks": np.empty((0, 2), dtype=np.int32),
        "signals": np.empty((0, 5)),
        "scores": np.empty(0),
    }
    assert module.context_evidences(**parts) == b""
    content, ends = joined([])
    assert module.context_evidences(**{**parts, "content": content, "ends": ends}) == b""
    assert module.dropped(content, ends, none, none, [], 3) == b""
    assert module.evidence_ids(*joined([b""]), [0]) == [""], "a record of no bytes is an evidence that says nothing"


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
        assert wire.evidence_ids(*joined([record]), [0]) == [wanted]
        changed = with_second(record)
        mine, theirs = (ContextPackage.FromString(one.context_evidences(**changed)) for one in BOTH)
        assert mine == theirs


def with_second(record: bytes) -> dict[str, Any]:
    """Return the parts of the piece by hand, with another record for its hit."""
    parts = by_hand()
    first = parts["content"][: parts["ends"][1]].tobytes()
    content, ends = joined([first, record])
    return {**parts, "content": content, "ends": ends}


def refused_everywhere(record: bytes) -> None:
    content, ends = joined([b"", record])
    words, rows = [b""], np.array([0, 1], dtype=np.int32)
    for module in BOTH:
        with pytest.raises(ValueError, match="record 1 is no message"):
            module.evidence_ids(content, ends, [0, 1])
        with pytest.raises(ValueError, match="record 1 is no message"):
            module.dropped(content, ends, rows, np.zeros(2, dtype=np.int32), words, DROPPED)
    with pytest.raises(ValueError, match="a record of piece 0 is no message"):
        wire.context_evidences(**with_second(record))
    with pytest.raises(ValueError, match="record 1 is no message"):
        reference.context_evidences(**with_second(record))


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
        assert "SECRET" not in wire.evidence_ids(content, ends, [0])[0]
    with suppress(ValueError):
        assert b"SECRET" not in wire.dropped(content, ends, rows, rows, [b""], DROPPED)
    with suppress(ValueError):
        assert b"SECRET" not in wire.context_evidences(**parts)


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


def test_a_field_that_stands_twice_counts_as_it_stands_last() -> None:
    record = Evidence(id="one").SerializeToString() + Evidence(id="two").SerializeToString()
    for module in BOTH:
        assert module.evidence_ids(*joined([record]), [0]) == ["two"]


def part(name: str, place: int, value: object) -> dict[str, Any]:
    """Return one of the parts by hand with another array in it."""
    parts = list(by_hand()[name])
    parts[place] = value
    return {name: tuple(parts)}


def ends_of(*numbers_: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array(numbers_, dtype=np.int64)


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        (part("pieces", 0, ints(1, 1)), ValueError, "must be of 2 pieces, one for each of hits"),
        (part("pieces", 1, ends_of(2)), ValueError, "must be of 1 pieces, one for each of hits"),
        ({"heads": []}, ValueError, "heads has 0 entries, not 1"),
        (part("pieces", 1, ends_of(0, 3)), ValueError, "the ends of offsets must run from 0 to 2"),
        (part("pieces", 1, ends_of(1, 2)), ValueError, "the ends of offsets must run from 0 to 2"),
        (part("pieces", 3, np.zeros(1, dtype=np.uint8)), ValueError, "breaks must have 2 entries"),
        (part("pieces", 2, ints(0, 2)), IndexError, "row 2 is not in 0..1"),
        (part("pieces", 2, ints(-1, 0)), IndexError, "row -1 is not in 0..1"),
        (part("labels", 1, ends_of(0, 1)), ValueError, "the ends of labels must run from 0 to 9"),
        (part("labels", 1, ends_of()), ValueError, "the ends of labels must run from 0 to 9"),
        (part("labels", 1, ends_of(0, 10, 9)), ValueError, "the ends of labels must not fall"),
        ({"speakers": ints(0)}, IndexError, "the speaker of row 1 has no label"),
        ({"speakers": ints(0, 2)}, IndexError, "the speaker of row 1 has no label"),
        ({"ranks": np.zeros((2, 2), dtype=np.int32)}, ValueError, "must be of 1 pieces, one for each of hits"),
        ({"ranks": np.zeros((1, 3), dtype=np.int32)}, ValueError, "ranks and signals must have 2 and 5 columns"),
        ({"signals": np.zeros((2, 5))}, ValueError, "must be of 1 pieces, one for each of hits"),
        ({"signals": np.zeros((1, 4))}, ValueError, "ranks and signals must have 2 and 5 columns"),
        ({"scores": np.zeros(2)}, ValueError, "must be of 1 pieces, one for each of hits"),
        ({"longest": 0}, ValueError, "longest must be ≥ 1, got 0"),
        ({"ends": ends_of(0, 5, 10**9)}, ValueError, "record 1 does not stand in the content"),
        ({"ends": ends_of(0, 5, 4)}, ValueError, "record 1 does not stand in the content"),
        ({"ends": ends_of(-1, 5, 7)}, ValueError, "record 0 does not stand in the content"),
        ({"ends": ends_of()}, IndexError, "row 0 is not in 0..-2"),
    ],
)
def test_parts_that_do_not_fit_are_refused_by_both(changed: dict[str, Any], error: type[Exception], says: str) -> None:
    for module in BOTH:
        with pytest.raises(error, match=says):
            module.context_evidences(**{**by_hand(), **changed})


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"rows": ints(0, 2)}, IndexError, "row 2 is not in 0..1"),
        ({"reasons": ints(0)}, ValueError, "reasons has 1 entries, not 2"),
        ({"reasons": ints(0, 1)}, IndexError, r"reasons\[1\] is 1, not in 0..0"),
        ({"reasons": ints(-1, 0)}, IndexError, r"reasons\[0\] is -1, not in 0..0"),
        ({"words": []}, IndexError, r"reasons\[0\] is 0, not in 0..-1"),
        ({"field": 0}, ValueError, "field must be in 1..536870911, got 0"),
        ({"field": 2**29}, ValueError, "field must be in 1..536870911, got 536870912"),
    ],
)
def test_drops_that_do_not_fit_are_refused_by_both(changed: dict[str, Any], error: type[Exception], says: str) -> None:
    usual = {
        "content": by_hand()["content"], "ends": by_hand()["ends"], "rows": ints(0, 1), "reasons": ints(0, 0),
        "words": [b""], "field": DROPPED,
    }  # fmt: skip
    for module in BOTH:
        with pytest.raises(error, match=says):
            module.dropped(**{**usual, **changed})


@pytest.mark.parametrize("row", [-1, 2])
def test_no_id_of_a_row_that_is_not_there(row: int) -> None:
    for module in BOTH:
        with pytest.raises(IndexError, match=f"row {row} is not in 0..1"):
            module.evidence_ids(by_hand()["content"], by_hand()["ends"], [row])


def test_the_columns_are_fields_of_the_contract() -> None:
    assert {*RANKS, *SIGNALS} <= set(Signals.DESCRIPTOR.fields_by_name)
    assert wire.RANKS == reference._RANKS
    assert wire.SIGNALS == reference._SIGNALS
