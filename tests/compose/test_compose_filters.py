"""Filters hold inside the search: nothing outside them is found, all inside them is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from google.protobuf.struct_pb2 import Struct
from smartbrain.v1.event_pb2 import Message, Preference, Ref, Retraction, Task, ToolCall
from smartbrain.v1.item_pb2 import (
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_RETRACTED,
    ITEM_STATUS_SUPERSEDED,
    ITEM_STATUS_UNSPECIFIED,
    LAYER_EPISODIC,
    LAYER_LONGTERM,
    LAYER_WORKING,
)
from smartbrain.v1.plan_pb2 import PlanFilters, PlanQuery, RetrievalPlan, TimeRange

from brain_core import Brain
from tests.building import compose, found, plan, pref, retrieve, say, second, turn

MODES = ["exact", "semantic", "hybrid"]


def between(start: float | None = None, stop: float | None = None) -> TimeRange:
    return TimeRange(**{
        name: second(at) for name, at in (("from", start), ("to", stop)) if at is not None
    })  # fmt: skip


@pytest.fixture
def full(brain: Brain) -> Brain:
    """Give a memory that has zebras of every sort."""
    brain.commit_turn(say("m", "old", "zebra one in the old session", at=-1000))
    brain.commit_turn(say("m", "new", "zebra two in the new session", at=-10))
    brain.commit_turn(say("m", "new", "斑马 zebra 在新的会话里面说中文吗？", at=-5))
    meta = Struct()
    meta.update({"abstract": "zebra report"})
    brain.commit_turn(
        turn(
            "m",
            "new",
            tool_calls=[ToolCall(name="search", result="a zebra from a tool")],
            refs=[Ref(ref_type="url", uri="https://zoo.example/zebra", meta=meta)],
        )
    )
    brain.commit_turn(
        turn(
            "m",
            "prefs",
            preferences=[pref("zebra", "striped"), pref("guess", "zebra maybe", confirmed=False)],
            tasks=[
                Task(task_id="open", title="feed the zebra"),
                Task(task_id="shut", title="wash zebra", status="done"),
            ],
        )
    )
    brain.commit_turn(turn("m", "prefs", preferences=[pref("zebra", "spotted")]))
    brain.commit_turn(turn("m", "prefs", preferences=[pref("denied", "zebra soup")]))
    brain.commit_turn(turn("m", "prefs", retractions=[Retraction(type="preferences", key="pref:writing:denied")]))
    return brain


CASES: list[tuple[dict[str, Any], set[str]]] = [
    ({"session_ids": ["old"]}, {"one"}),
    ({"session_ids": ["old", "no such"]}, {"one"}),
    ({"session_ids": ["no such"]}, set()),
    ({"time_range": between(stop=-100)}, {"one"}),
    ({"time_range": between(-10, -5)}, {"two"}),
    ({"time_range": between(-10, -4.9)}, {"two", "中文"}),
    ({"time_range": between(-9.9, 0)}, {"中文"}),
    ({"language": "zh"}, {"中文"}),
    ({"language": "ja"}, set()),
    ({"source_uri_prefix": "https://zoo"}, {"report"}),
    ({"source_uri_prefix": "smartbrain://m/old/"}, {"one"}),
    ({"source_uri_prefix": "user://preferences/"}, {"spotted", "maybe"}),
    ({"types": ["preferences"]}, {"spotted", "maybe"}),
    ({"types": ["preferences", "tasks"]}, {"spotted", "maybe", "feed", "wash"}),
    ({"types": ["tasks"], "layers": [LAYER_WORKING]}, {"feed"}),
    ({"types": ["tasks"], "layers": [LAYER_EPISODIC]}, {"wash"}),
    ({"layers": [LAYER_LONGTERM]}, {"spotted", "maybe", "[entities:"}),
    ({"layers": [LAYER_EPISODIC]}, {"one", "two", "中文", "tool", "report", "wash"}),
    ({"source_type": ["memory_item"]}, {"spotted", "maybe", "feed", "wash", "[entities:"}),
    ({"source_type": ["conversation"], "session_ids": ["old"]}, {"one"}),
    ({"source_type": ["file", "url"]}, set()),
    ({"min_confidence": 0.7, "types": ["preferences"]}, {"spotted"}),
    ({"min_confidence": 0.6, "types": ["preferences"]}, {"spotted", "maybe"}),
    ({"min_confidence": 0.9}, {"one", "two", "中文", "tool", "report", "[entities:"}),
    ({"max_priority": 2}, {"spotted", "maybe"}),
    ({"max_priority": 4}, {"spotted", "maybe", "feed", "wash"}),
    ({"statuses": [ITEM_STATUS_SUPERSEDED]}, {"striped"}),
    ({"statuses": [ITEM_STATUS_RETRACTED]}, {"soup"}),
    ({"statuses": [ITEM_STATUS_ACTIVE], "types": ["preferences"]}, {"spotted", "maybe"}),
    ({"statuses": [ITEM_STATUS_UNSPECIFIED], "types": ["preferences"]}, {"spotted", "maybe"}),
    (
        {"statuses": [ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED], "types": ["preferences"]},
        {"spotted", "maybe", "striped"},
    ),
    ({"document_ids": ["d"]}, set()),
    ({}, {"one", "two", "中文", "tool", "report", "spotted", "maybe", "feed", "wash", "[entities:"}),
]
EVERY = ("one in", "two", "中文", "tool", "report", "striped", "spotted", "maybe", "feed", "wash", "soup", "[entities:")


@pytest.mark.parametrize(("filters", "expected"), CASES, ids=[str(sorted(one)) for one, _ in CASES])
@pytest.mark.parametrize("mode", MODES)
def test_a_filter_finds_exactly_what_it_allows(
    full: Brain, mode: str, filters: dict[str, Any], expected: set[str]
) -> None:
    texts = found(full, "m", "zebra", mode=mode, **filters)
    seen = {name.split()[0] for name in EVERY if any(name in text for text in texts)}
    assert seen == expected
    assert len(texts) == len(expected)
    asked = PlanFilters(**filters)
    queried = RetrievalPlan(queries=[PlanQuery(text="zebra", mode=mode, filters=asked)])
    assert [evidence.snippet for evidence in retrieve(full, "m", queried).evidences] == texts, "of the query, the same"
    applied = retrieve(full, "m", queried).explain.filters_applied
    assert len(applied) >= len(asked.ListFields())


def test_query_filters_narrow_global_ones(full: Brain) -> None:
    asked = RetrievalPlan(
        queries=[
            PlanQuery(text="zebra", filters=PlanFilters(session_ids=["old"])),
            PlanQuery(text="zebra", filters=PlanFilters(session_ids=["prefs"])),
        ],
        global_filters=PlanFilters(source_type=["conversation"]),
    )
    assert [one.snippet for one in retrieve(full, "m", asked).evidences] == ["zebra one in the old session"]
    del asked.global_filters.source_type[:]
    pack = retrieve(full, "m", asked)
    assert {one.ref.session_id for one in pack.evidences} == {"old", "prefs"}
    for one in pack.evidences:
        assert one.provenance.query_index == ["old", "prefs"].index(one.ref.session_id)
    asked.global_filters.session_ids.append("new")
    assert list(retrieve(full, "m", asked).evidences) == []


def test_neighbours_of_a_hit_obey_the_filters(brain: Brain) -> None:
    for number in range(6):
        brain.commit_turn(say("m", "s", "the zebra question" if number == 2 else f"filler {number}", at=number))
    assert len(found(brain, "m", "zebra")) > 1, "what stands beside a hit is found too"
    assert found(brain, "m", "zebra", time_range=between(2, 3)) == ["the zebra question"]
    assert found(brain, "m", "zebra", mode="exact") == ["the zebra question"], "a neighbour lacks the word"


@pytest.mark.parametrize("mode", MODES)
def test_recall_is_whole_at_one_percent(brain: Brain, mode: str) -> None:
    rng = np.random.default_rng(11)
    chosen = set(rng.choice(1000, 10, replace=False).tolist())
    for start in range(0, 1000, 100):
        messages = {"rare": [], "usual": []}  # type: dict[str, list[Message]]
        for number in range(start, start + 100):
            text = f"zebra number {number} among many zebras"
            messages["rare" if number in chosen else "usual"].append(Message(role="user", content=text))
        for session, said in messages.items():
            if said:
                brain.commit_turn(turn("m", session, messages=said))
    asked = plan("zebra", mode=mode, filters=PlanFilters(session_ids=["rare"]))
    asked.budget.candidate_k = 10
    pack = retrieve(brain, "m", asked)
    assert {int(one.snippet.split()[2]) for one in pack.evidences} == chosen


def test_superseded_and_retracted_never_come_unasked(full: Brain) -> None:
    for message in ("zebra soup", "striped zebra", "what about zebra soup denied striped?"):
        package = compose(full, "m", "elsewhere", message)
        shown = [piece.snippet for piece in package.evidence] + [block.text for block in package.system_blocks]
        assert shown
        assert not any("soup" in text or "striped" in text for text in shown)
    asked = plan("striped zebra", filters=PlanFilters(statuses=[ITEM_STATUS_SUPERSEDED]))
    [piece] = compose(full, "m", "elsewhere", "zebra", plan=asked).evidence
    assert "striped" in piece.snippet, "an old version is no repeat of the pinned one"


def test_a_memory_filter_of_unknown_names_is_no_error(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[Preference(name="a", value="b")]))
    for filters in ({"types": ["tasks"]}, {"document_ids": ["x"]}, {"source_uri_prefix": "x"}, {"language": "xx"}):
        assert found(brain, "m", "a", **filters) == []
