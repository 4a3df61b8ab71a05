"""Why pieces were chosen, rows dropped and queries expanded, written byte by byte against what protobuf writes."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.context_pb2 import ContextDebug, PlannerDebug, WhySelected
from smartbrain.v1.evidence_pb2 import Dropped, Evidence, Expansion

from brain_core.kernels import reasons, reference
from brain_core.kernels.evidence import evidence_ids
from tests.kernels.stored import DROPPED, by_hand, evidences, ints, joined, texts

BOTH = [reasons, reference.reasons]
ALONE = np.array([0, 1], dtype=np.int64), np.ones(1, dtype=np.uint8), 5, "messages", "sections"
WHY = ContextDebug.DESCRIPTOR.fields_by_name["why_selected"].number
EXPANSIONS = PlannerDebug.DESCRIPTOR.fields_by_name["expansions"].number


@settings(max_examples=200, deadline=None)
@given(st.lists(evidences(), min_size=1, max_size=6), st.data())
def test_ids_and_what_is_dropped_equal_the_twins(records: list[Evidence], data: st.DataObject) -> None:
    content, ends = joined([one.SerializeToString() for one in records], spare=3)
    for row, one in enumerate(records):
        assert evidence_ids(content, ends, [row]) == reference.evidence.evidence_ids(content, ends, [row]) == [one.id]
    words = [(data.draw(texts), data.draw(texts)) for _ in range(data.draw(st.integers(1, 3)))]
    said = [Dropped(reason=reason, detail=detail).SerializeToString() for reason, detail in words]
    rows = data.draw(st.lists(st.integers(reasons.WRITTEN, len(records) - 1), max_size=9))
    why = [data.draw(st.integers(0, len(words) - 1)) for _ in rows]
    expected = [
        Dropped(id="" if row == reasons.WRITTEN else records[row].id, reason=words[reason][0], detail=words[reason][1])
        for row, reason in zip(rows, why, strict=True)
    ]
    told = [
        ContextDebug(dropped=[one]).SerializeToString() if row == reasons.WRITTEN else said[reason]
        for row, one, reason in zip(rows, expected, why, strict=True)
    ]
    written = reasons.dropped(content, ends, rows, told, DROPPED)
    assert written == reference.reasons.dropped(content, ends, rows, told, DROPPED)
    assert list(ContextDebug.FromString(written).dropped) == expected


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"rows": [0, 2]}, IndexError, "row 2 is not in 0..1"),
        ({"rows": [-2, 1]}, IndexError, "row -2 is not in 0..1"),
        ({"words": [b""]}, ValueError, "words has 1 entries, not 2"),
        ({"field": 0}, ValueError, "field must be in 1..536870911, got 0"),
        ({"field": 2**29}, ValueError, "field must be in 1..536870911, got 536870912"),
    ],
)
def test_drops_that_do_not_fit_are_refused_by_both(changed: dict[str, Any], error: type[Exception], says: str) -> None:
    usual = {
        "content": by_hand()["content"], "ends": by_hand()["ends"], "rows": [0, 1], "words": [b"", b""],
        "field": DROPPED,
    }  # fmt: skip
    for module in BOTH:
        with pytest.raises(error, match=says):
            module.dropped(**{**usual, **changed})


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
    beside = (
        np.cumsum([0, *each(st.integers(0, 12))], dtype=np.int64),
        np.array(each(st.sampled_from([1, 5]), len(records)), dtype=np.uint8), 5, data.draw(texts), data.draw(texts),
    )  # fmt: skip
    given_parts = (
        content, ends, np.array(rows, dtype=np.int32), np.array(each(st.integers(0, 1)), dtype=np.uint8),
        np.array(each(numbers), dtype=np.float64), ranks, signals, each(texts), each(texts), beside, each(texts), WHY,
    )  # fmt: skip
    written = reasons.selected(*given_parts)
    assert written == reference.reasons.selected(*given_parts)
    assert [one.id for one in ContextDebug.FromString(written).why_selected] == [records[row].id for row in rows]


@pytest.mark.parametrize("module", BOTH)
def test_of_nothing_is_nothing_said(module: ModuleType) -> None:
    content, ends = joined([])
    assert module.dropped(content, ends, [], [], DROPPED) == b""


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
        written = module.selected(
            content, ends, ints(0), np.ones(1, dtype=np.uint8), *columns, [relation], [further], ALONE, [""], WHY
        )
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
    content, ends = joined([Evidence(id="茶").SerializeToString()])
    columns = np.array([0.5]), np.zeros((1, 2), dtype=np.int32), np.full((1, 5), math.nan)
    beside = np.array([0, rows], dtype=np.int64), np.array([kind], dtype=np.uint8), 5, "messages", "sections"
    given_parts = ints(0), np.array([leads], dtype=np.uint8), *columns, [""], ["; further"], beside, ["; cut"], WHY
    [written] = ContextDebug.FromString(module.selected(content, ends, *given_parts)).why_selected
    assert written.reason == reason


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"rows": ints(0, 2)}, IndexError, "row 2 is not in 0..1"),
        ({"rows": ints(0)}, ValueError, "ranks, signals and scores must be of 1 pieces"),
        ({"scores": np.zeros(1)}, ValueError, "ranks, signals and scores must be of 2 pieces"),
        ({"leads": np.zeros(1, dtype=np.uint8)}, ValueError, "leads and offsets must be of 2 pieces"),
        ({"beside": (*ALONE[:1], *ALONE[1:])}, ValueError, "leads and offsets must be of 2 pieces"),
        ({"ranks": np.zeros((2, 3), dtype=np.int32)}, ValueError, "ranks and signals must have 2 and 5 columns"),
        *(({name: ["one"]}, ValueError, f"{name} has 1 entries, not 2") for name in ("relations", "further", "cuts")),
        ({"field": 0}, ValueError, "field must be in 1..536870911, got 0"),
    ],
)
def test_reasons_that_do_not_fit_are_refused_by_both(
    changed: dict[str, Any], error: type[Exception], says: str
) -> None:
    usual = {
        "content": by_hand()["content"], "ends": by_hand()["ends"], "rows": ints(0, 1),
        "leads": np.ones(2, dtype=np.uint8), "field": WHY,
        "scores": np.zeros(2), "ranks": np.zeros((2, 2), dtype=np.int32), "signals": np.zeros((2, 5)),
        "relations": ["", ""], "further": ["", ""], "cuts": ["", ""],
        "beside": (np.array([0, 1, 3], dtype=np.int64), np.ones(2, dtype=np.uint8), 5, "messages", "sections"),
    }  # fmt: skip
    for module in BOTH:
        with pytest.raises(error, match=says):
            module.selected(**{**usual, **changed})


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(texts, st.floats(allow_nan=False), max_size=6), st.integers(0, 300), texts)
def test_expansions_equal_the_twin_and_protobuf(words: dict[str, float], query: int, source: str) -> None:
    given_parts = (words, query, source, EXPANSIONS)
    written = reasons.expansions(*given_parts)
    assert written == reference.reasons.expansions(*given_parts)
    expected = [Expansion(query_index=query, term=term, weight=weight, source=source) for term, weight in words.items()]
    assert list(PlannerDebug.FromString(written).expansions) == expected


@pytest.mark.parametrize("module", BOTH)
def test_expansions_that_do_not_fit_together_are_refused(module: ModuleType) -> None:
    weights = {"tea": 0.5, "茶": 0.25}
    with pytest.raises(ValueError, match="query must be ≥ 0, got -1"):
        module.expansions(weights, -1, "alike", EXPANSIONS)
    with pytest.raises(ValueError, match="field must be in"):
        module.expansions(weights, 0, "alike", 0)
