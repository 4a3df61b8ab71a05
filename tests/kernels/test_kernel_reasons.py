"""Why rows were dropped and queries expanded, written byte by byte against what protobuf writes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.context_pb2 import ContextDebug, PlannerDebug
from smartbrain.v1.evidence_pb2 import Dropped, Evidence, Expansion

from brain_core.kernels import reasons, reference
from brain_core.kernels.evidence import evidence_ids
from tests.kernels.stored import DROPPED, by_hand, evidences, joined, texts

BOTH = [reasons, reference.reasons]
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


@pytest.mark.parametrize("module", BOTH)
def test_of_nothing_is_nothing_said(module: ModuleType) -> None:
    content, ends = joined([])
    assert module.dropped(content, ends, [], [], DROPPED) == b""


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
