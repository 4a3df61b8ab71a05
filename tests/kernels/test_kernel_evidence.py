"""Evidence of a package written byte by byte against what protobuf makes of the same records."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.context_pb2 import ContextDebug, ContextEvidence, ContextPackage, ContextProvenance, WhySelected
from smartbrain.v1.evidence_pb2 import Evidence, EvidenceRef

from brain_core.index.derive import shown_text
from brain_core.kernels import evidence, reference
from brain_core.kernels.evidence import NOTHING, TEXT, TITLE
from tests.kernels.stored import WHY, by_hand, evidences, ints, joined, texts, times

BOTH = [evidence, reference.evidence]
ROUNDED = [0.0, -0.0, 0.0005, 0.125, 2.675, -1.0, 1e300]
"""Scores that are told with two digits."""


@st.composite
def packages(draw: st.DrawFn) -> dict[str, Any]:
    """Draw all that the evidence of a package is made of."""
    records = draw(st.lists(evidences(), min_size=1, max_size=6))
    content, ends = joined([one.SerializeToString() for one in records], spare=9)
    row = st.integers(0, len(records) - 1)
    pieces = draw(st.lists(st.lists(row, max_size=5), max_size=4))
    heads = st.builds(
        ContextEvidence, mode=texts,
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
        "standing": (
            random.integers(0, 2, len(pieces), dtype=np.uint8),
            random.integers(0, 2, len(pieces), dtype=np.int32),
            random.integers(1, 4, len(records), dtype=np.uint8),
            random.integers(0, 4, len(records), dtype=np.uint8),
            2,
            3,
        ),
        "heads": [draw(heads).SerializeToString() for _ in range(2)],
        "texts": [draw(texts) for _ in pieces],
        "labels": joined([f"{name}: ".encode() for name in speakers]),
        "speakers": random.integers(-1, len(speakers), len(records), dtype=np.int32),
        "ranks": random.choice([0, 1, 300], (len(pieces), 2)).astype(np.int32),
        "signals": np.where(random.random(signals.shape) < 0.3, random.choice(ROUNDED, signals.shape), signals),
        "scores": random.choice([0.0, 0.5, 0.0005, 2.675, 1.0], len(pieces)),
        "shown": draw(st.sampled_from([NOTHING, TITLE, TEXT])),
        "longest": draw(st.sampled_from([1, 2, 3, 7, 100])),
        "why": (*([draw(texts) for _ in pieces] for _ in range(3)), draw(texts), draw(texts), WHY),
    }


@settings(max_examples=400, deadline=None)
@given(packages())
def test_a_packages_evidence_equals_the_twins(parts: dict[str, Any]) -> None:
    ours, why, *counts = evidence.context_evidences(**parts)
    twin, twin_why, *twin_counts = reference.evidence.context_evidences(**parts)
    written = ContextPackage.FromString(ours)
    assert written == ContextPackage.FromString(twin)
    assert why == twin_why, "byte for byte"
    assert counts == twin_counts
    assert [one.id for one in ContextDebug.FromString(why).why_selected] == [one.id for one in written.evidence]
    assert len(written.evidence) == len(parts["pieces"][0])


@pytest.mark.parametrize("module", BOTH)
def test_a_piece_by_hand(module: ModuleType) -> None:
    [piece] = ContextPackage.FromString(module.context_evidences(**by_hand())[0]).evidence
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
    [piece] = ContextPackage.FromString(module.context_evidences(**parts)[0]).evidence
    assert piece.snippet == f"{first}\nBo: indeed it is", "what follows is whole"


@pytest.mark.parametrize("module", BOTH)
@pytest.mark.parametrize("shown", [NOTHING, TITLE, TEXT])
def test_a_given_text_stands_whole_in_place_of_the_first(module: ModuleType, shown: int) -> None:
    parts = {**by_hand(), "texts": ["…天气"], "shown": shown, "longest": 1}
    [piece] = ContextPackage.FromString(module.context_evidences(**parts)[0]).evidence
    assert piece.snippet == "…天气\nBo: indeed it is"


@pytest.mark.parametrize("module", BOTH)
def test_an_ellipsis_stands_where_rows_do_not_follow_each_other(module: ModuleType) -> None:
    parts = by_hand()
    parts["pieces"] = (*parts["pieces"][:3], np.array([1, 1], dtype=np.uint8))
    [piece] = ContextPackage.FromString(module.context_evidences(**parts)[0]).evidence
    assert piece.snippet == "天气很好\n…\nBo: indeed it is", "none before the first"


@pytest.mark.parametrize("module", BOTH)
@pytest.mark.parametrize(
    ("kind", "leads", "source", "group", "status", "counts"),
    [
        (2, 1, "memory", "top", 3, (1, 0)),
        (5, 0, "resource", "long_tail", 0, (0, 1)),
        (1, 0, "memory", "long_tail", 0, (0, 0)),
    ],
)
def test_a_piece_says_what_it_is_of(
    module: ModuleType, kind: int, leads: int, source: str, group: str, status: int, counts: tuple[int, int]
) -> None:
    parts = by_hand()
    one = np.array([1, kind], dtype=np.uint8)
    parts["standing"] = (np.array([leads], dtype=np.uint8), ints(0), one, np.array([1, 3], dtype=np.uint8), 2, 5)
    written, _, *counted = module.context_evidences(**parts)
    [piece] = ContextPackage.FromString(written).evidence
    assert (piece.source, piece.group, piece.status, tuple(counted)) == (source, group, status, counts)


@pytest.mark.parametrize("module", BOTH)
def test_nothing_gives_nothing(module: ModuleType) -> None:
    none = np.empty(0, dtype=np.int32)
    parts = {
        **by_hand(),
        "pieces": (none, np.zeros(1, dtype=np.int64), none, none.astype(np.uint8)),
        "standing": (none.astype(np.uint8), none, none.astype(np.uint8), none.astype(np.uint8), 2, 5),
        "heads": [],
        "texts": [],
        "labels": joined([]),
        "speakers": none,
        "ranks": np.empty((0, 2), dtype=np.int32),
        "signals": np.empty((0, 5)),
        "scores": np.empty(0),
        "why": ([], [], [], "messages", "sections", WHY),
    }
    assert module.context_evidences(**parts) == (b"", b"", 0, 0)
    content, ends = joined([])
    assert module.context_evidences(**{**parts, "content": content, "ends": ends}) == (b"", b"", 0, 0)
    assert module.evidence_ids(*joined([b""]), [0]) == [""], "a record of no bytes is an evidence that says nothing"


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
        (part("pieces", 0, ints(1, 1)), ValueError, "ranks, signals and scores must be of 2 pieces"),
        (part("pieces", 1, ends_of(2)), ValueError, "offsets has 1 entries, not 2"),
        ({"heads": []}, IndexError, "queries"),
        (part("standing", 0, np.ones(2, dtype=np.uint8)), ValueError, "leads and queries must be of 1 pieces"),
        (part("standing", 1, ints(-1)), IndexError, "queries"),
        (part("standing", 2, np.ones(1, dtype=np.uint8)), ValueError, "kinds"),
        (part("pieces", 0, ints(2)), IndexError, "hit without a kind|row 2 is not in"),
        ({"texts": []}, ValueError, "texts has 0 entries, not 1"),
        (part("pieces", 1, ends_of(0, 3)), ValueError, "the ends of offsets must run from 0 to 2"),
        (part("pieces", 1, ends_of(1, 2)), ValueError, "the ends of offsets must run from 0 to 2"),
        (part("pieces", 3, np.zeros(1, dtype=np.uint8)), ValueError, "breaks has 1 entries, not 2"),
        (part("pieces", 2, ints(0, 2)), IndexError, "row 2 is not in 0..1"),
        (part("pieces", 2, ints(-1, 0)), IndexError, "row -1 is not in 0..1"),
        (part("labels", 1, ends_of(0, 1)), ValueError, "the ends of labels must run from 0 to 9"),
        (part("labels", 1, ends_of()), ValueError, "the ends of labels must run from 0 to 9"),
        (part("labels", 1, ends_of(0, 10, 9)), ValueError, "the ends of labels must not fall"),
        ({"speakers": ints(0)}, IndexError, "the speaker of row 1 has no label"),
        ({"speakers": ints(0, 2)}, IndexError, "the speaker of row 1 has no label"),
        ({"ranks": np.zeros((2, 2), dtype=np.int32)}, ValueError, "must be of 1 pieces"),
        ({"ranks": np.zeros((1, 3), dtype=np.int32)}, ValueError, "ranks and signals must have 2 and 5 columns"),
        ({"signals": np.zeros((2, 5))}, ValueError, "must be of 1 pieces"),
        ({"signals": np.zeros((1, 4))}, ValueError, "ranks and signals must have 2 and 5 columns"),
        ({"scores": np.zeros(2)}, ValueError, "must be of 1 pieces"),
        ({"longest": 0}, ValueError, "longest must be ≥ 1, got 0"),
        (part("why", 0, []), ValueError, "relations has 0 entries, not 1"),
        (part("why", 1, []), ValueError, "further has 0 entries, not 1"),
        (part("why", 2, []), ValueError, "cuts has 0 entries, not 1"),
        (part("why", 5, 0), ValueError, "field must be in 1..536870911, got 0"),
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


@pytest.mark.parametrize("row", [-1, 2])
def test_no_id_of_a_row_that_is_not_there(row: int) -> None:
    for module in BOTH:
        with pytest.raises(IndexError, match=f"row {row} is not in 0..1"):
            module.evidence_ids(by_hand()["content"], by_hand()["ends"], [row])


@settings(max_examples=300, deadline=None)
@given(st.lists(evidences(), min_size=1, max_size=3))
def test_the_text_of_a_row_is_what_contexts_show_of_it(records: list[Evidence]) -> None:
    content, ends = joined([one.SerializeToString() for one in records], spare=9)
    for row, one in enumerate(records):
        assert evidence.text_and_title(content, ends, row) == (shown_text(one), one.title)
        assert reference.evidence.text_and_title(content, ends, row) == (shown_text(one), one.title)


@pytest.mark.parametrize("module", BOTH)
def test_the_text_of_an_item_is_without_its_key(module: ModuleType) -> None:
    item = Evidence(snippet="[facts:home]\n住在奥斯陆", title="家", ref=EvidenceRef(memory_item_id="i"))
    assert module.text_and_title(*joined([item.SerializeToString()]), 0) == ("住在奥斯陆", "家")
    with pytest.raises(IndexError, match=r"row 1 is not in 0\.\.0"):
        module.text_and_title(*joined([b""]), 1)


def test_a_field_that_stands_twice_counts_as_it_stands_last() -> None:
    record = Evidence(id="one").SerializeToString() + Evidence(id="two").SerializeToString()
    for module in BOTH:
        assert module.evidence_ids(*joined([record]), [0]) == ["two"]


def alone(leads: int = 1, kind: int = 1, rows: int = 1, **changed: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the parts of one piece, of so many rows of this kind, the first of which is its hit."""
    content, ends = joined([Evidence(id="茶").SerializeToString(), *[b""] * (rows - 1)])
    standing = np.array([leads], dtype=np.uint8), ints(0), np.full(rows, kind, dtype=np.uint8)
    return by_hand() | {
        "content": content,
        "ends": ends,
        "pieces": (ints(0), ends_of(0, rows), np.arange(rows, dtype=np.int32), np.zeros(rows, dtype=np.uint8)),
        "standing": (*standing, np.ones(rows, dtype=np.uint8), 2, 5),
        "speakers": np.full(rows, -1, dtype=np.int32),
        "ranks": np.zeros((1, 2), dtype=np.int32),
        "signals": np.full((1, 5), math.nan),
        "scores": np.array([0.5]),
        **changed,
    }


@pytest.mark.parametrize("module", BOTH)
def test_why_a_piece_is_selected_by_hand(module: ModuleType) -> None:
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
        parts = alone(
            scores=np.array([2 / 3]),
            ranks=np.array([ranks], dtype=np.int32),
            signals=np.array([signals]),
            why=([relation], [further], [""], "", "", WHY),
        )
        _, written, *_ = module.context_evidences(**parts)
        assert list(ContextDebug.FromString(written).why_selected) == [WhySelected(id="茶", reason=reason)]


@pytest.mark.parametrize("module", BOTH)
@pytest.mark.parametrize(
    ("leads", "kind", "rows", "reason"),
    [
        (1, 1, 1, "top: score 0.500; further; cut"),
        (1, 1, 2, "top: score 0.500; further; with 1 messages; cut"),
        (0, 5, 12, "long_tail: score 0.500; further; with 11 sections; cut"),
    ],
)
def test_it_is_told_what_stands_beside_a_hit(module: ModuleType, leads: int, kind: int, rows: int, reason: str) -> None:
    parts = alone(leads, kind, rows, why=([""], ["; further"], ["; cut"], "messages", "sections", WHY))
    _, written, *_ = module.context_evidences(**parts)
    [one] = ContextDebug.FromString(written).why_selected
    assert one.reason == reason
