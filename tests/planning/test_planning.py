"""From a message to queries: what is preferred, what is carried over, what the caller's own plan is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.event_pb2 import Entity, Message, Ref, Turn, TurnEvents
from smartbrain.v1.plan_pb2 import PlanFilters, PlanQuery, RetrievalPlan

from brain_core import Brain, load_policy
from brain_core.compose.check import check_plan
from brain_core.compose.plan import Planned, plan_message
from brain_core.compose.said import said_in
from brain_core.index.memory_index import MemoryIndex
from tests.building import compose, open_brain, say, turn
from tests.serving import start_server

POLICY = load_policy()
DAY = 86_400


def at(text: str) -> Timestamp:
    stamp = Timestamp()
    stamp.FromJsonString(text)
    return stamp


def planned(message: str, *turns: Turn) -> Planned:
    request = ComposeContextRequest(memory_id="m", session_id="s", user_message=message, now=at("2026-03-18T09:00:00Z"))
    return plan_message(
        request, POLICY.policies, MemoryIndex(4), lambda: [said_in("m", turn.SerializeToString()) for turn in turns]
    )


def said(*texts: str, refs: tuple[str, ...] = ()) -> Turn:
    events = TurnEvents(messages=[Message(role="user", content=text) for text in texts])
    events.refs.extend(Ref(ref_type="url", uri=uri) for uri in refs)
    return Turn(events=events)


def test_a_message_without_cues_is_one_query_as_it_stands() -> None:
    plan = planned("What is the capital of the country my sister moved to?").plan
    assert [(query.text, query.weight) for query in plan.queries] == [
        ("What is the capital of the country my sister moved to?", 1.0)
    ]
    assert not plan.queries[0].filters.ListFields()


def test_a_time_is_preferred_and_never_the_only_way() -> None:
    found = planned("what did I say about the roof last week?")
    inside, outside = found.plan.queries
    assert getattr(inside.filters.time_range, "from").ToJsonString() == "2026-03-09T00:00:00Z"
    assert inside.filters.time_range.to.ToJsonString() == "2026-03-16T00:00:00Z"
    assert not outside.filters.ListFields()
    assert inside.weight > outside.weight
    assert "2026-03-09" in found.reason


def test_a_follow_up_carries_what_went_before() -> None:
    plan = planned("and the second one?", said("which hotels in Lisbon have a pool?")).plan
    assert len(plan.queries) == 3
    assert all("hotels in Lisbon" in query.text for query in plan.queries[1:])
    assert all(0.5 <= query.weight <= 0.8 for query in plan.queries[1:])
    assert len(planned("which hotels in Lisbon have a pool?", said("and rain?")).plan.queries) == 1


def test_what_is_pointed_at_is_named_in_a_query() -> None:
    found = planned("does that repo support Windows?", said("see this", refs=("https://github.com/acme/tidepool",)))
    assert any("tidepool" in query.text for query in found.plan.queries)
    assert found.plan.resource_retrieval.enabled
    assert "https://github.com/acme/tidepool" in found.reason


@given(st.text(max_size=200), st.lists(st.text(max_size=50), max_size=3))
@settings(max_examples=200, deadline=None)
def test_every_plan_is_a_valid_one(message: str, before: list[str]) -> None:
    text = message if message.strip() else "x"
    plan = planned(text, said(*before, refs=("https://github.com/acme/x",))).plan
    check_plan(plan, POLICY.limits)
    assert len(plan.queries) <= POLICY.policies.retrieval.query_expansion.max_queries
    assert any(query.text == text and not query.filters.ListFields() for query in plan.queries)


@pytest.fixture
def months(brain: Brain) -> Brain:
    """Give a memory in which the same is said in two months, and much else since."""
    brain.commit_turn(say("m", "jan", "The roof quote from Miller was 4,100.", at=-70 * DAY))
    brain.commit_turn(say("m", "feb", "The roof quote from Hart was 5,200.", at=-20 * DAY))
    for number in range(20):
        brain.commit_turn(say("m", "talk", f"Today the roof was discussed again, item {number}.", at=-number * 60))
    return brain


def test_the_turn_of_the_time_that_is_asked_for_comes_first(months: Brain) -> None:
    package = compose(months, "m", "new", "what was the roof quote in September?", now=at("2023-11-14T22:00:00Z"))
    assert "Miller" in package.evidence[0].snippet
    assert package.debug.planner.intent == "qa"
    assert "2023-09-01" in package.debug.planner.reason
    assert "time_range" in str(package.debug.planner.queries[0].filters)


def test_a_time_in_which_nothing_was_said_loses_nothing(months: Brain) -> None:
    package = compose(months, "m", "new", "what was the roof quote from Hart in March?", now=at("2023-11-14T22:00:00Z"))
    assert any("Hart" in one.snippet for one in package.evidence)


def test_a_place_is_one_that_the_memory_has_an_address_of(brain: Brain) -> None:
    ref = Ref(ref_type="url", uri="https://github.com/acme/smart_rag/README.md")
    ref.meta.update({"abstract": "how to install the index"})
    brain.commit_turn(turn("m", "s", messages=[Message(role="user", content="see the index")], refs=[ref]))
    planner = compose(brain, "m", "new", "In smart_rag, how is the index installed?").debug.planner
    assert planner.queries[0].filters.source_uri_prefix == "https://github.com/acme/smart_rag"
    assert "https://github.com/acme/smart_rag" in planner.reason
    planner = compose(brain, "m", "new", "In other_repo, how is the index installed?").debug.planner
    assert len(planner.queries) == 1
    assert "no address has it" in planner.reason


def test_another_name_of_what_is_named_is_asked_for_too(brain: Brain) -> None:
    entity = Entity(kind="repo", canonical="acme/smart_rag", aliases=["Kestrel"], remember=True)
    brain.commit_turn(turn("m", "s", entities=[entity]))
    brain.commit_turn(say("m", "s", "acme/smart_rag needs Python 3.11."))
    planner = compose(brain, "m", "new", "what does Kestrel need?").debug.planner
    assert [query.text for query in planner.queries][1:] == ["what does Kestrel need? acme/smart_rag"]
    assert "also called acme/smart_rag" in planner.reason
    assert len(compose(brain, "m", "new", "what does the falcon need?").debug.planner.queries) == 1


def test_without_expansion_the_message_is_asked_as_it_stands(folder: Path) -> None:
    with open_brain(folder, policies={"retrieval": {"query_expansion": {"enabled": False}}}) as brain:
        brain.commit_turn(say("m", "s", "zebras"))
        planner = compose(brain, "m", "s", "what did I say yesterday?").debug.planner
    assert [query.text for query in planner.queries] == ["what did I say yesterday?"]
    assert "query_expansion is off" in planner.reason


@pytest.mark.parametrize("policy", ["on", "off"])
def test_the_policy_decides_on_documents(folder: Path, policy: str) -> None:
    with open_brain(folder, policies={"retrieval": {"enable_resource_retrieval": policy}}) as brain:
        brain.commit_turn(say("m", "s", "zebras"))
        package = compose(brain, "m", "s", "what does the manual say?")
    assert f"is {policy}" in package.debug.planner.reason


def test_over_the_wire_the_reason_is_told_and_a_plan_of_the_caller_obeyed(folder: Path) -> None:
    server = start_server(folder)
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(say("w", "old", "The plumber is called Ortega.", at=-40 * DAY))
        stubs.brain.CommitTurn(say("w", "new", "The plumber is called Lindqvist.", at=0))
        request = ComposeContextRequest(
            memory_id="w", session_id="x", user_message="what was the plumber called last month?",
            now=at("2023-11-14T22:00:00Z"),
        )  # fmt: skip
        context = stubs.brain.ComposeContext(request).context
        assert "Ortega" in context.evidence[0].snippet
        assert "2023-10-01" in context.debug.planner.reason
        own = RetrievalPlan(
            purpose="summarize",
            queries=[PlanQuery(text="plumber", mode="exact", weight=0.3, filters=PlanFilters(session_ids=["new"]))],
        )
        request.plan.CopyFrom(own)
        context = stubs.brain.ComposeContext(request).context
        assert context.debug.planner.reason == "plan given by the caller"
        assert context.debug.planner.intent == "summarize"
        assert list(context.debug.planner.queries) == list(own.queries)
        assert {one.ref.session_id for one in context.evidence} == {"new"}
    assert server.terminate() == 0


OBEYED_NOT: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("queries[0].hints: mode exact goes by its text alone", {"mode": "exact", "hints": ["x"]}, {}),
    ("ranking.fusion.weights[dense]", {}, {"ranking": {"fusion": {"weights": {"dense": 2}}}}),
    ("output.include_raw: a package has no raw content; Retrieve has", {}, {"output": {"include_raw": True}}),
]


@pytest.mark.parametrize(("ignored", "query", "fields"), OBEYED_NOT)
def test_what_a_plan_asks_for_and_does_not_get_is_named(
    brain: Brain, ignored: str, query: dict[str, Any], fields: dict[str, Any]
) -> None:
    own = RetrievalPlan(queries=[PlanQuery(text="zebra", **query)], **fields)
    brain.commit_turn(say("m", "s", "a zebra in the garden"))
    assert list(compose(brain, "m", "new", "zebra", plan=own).debug.ignored) == [ignored]
