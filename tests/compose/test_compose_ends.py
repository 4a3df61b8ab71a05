"""What ends by the clock, without a commit: it is in no context and in no answer from then on."""

from __future__ import annotations

from typing import Any

import pytest
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ReplayRequest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import ItemDraft
from smartbrain.v1.item_pb2 import AsOf
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core import Brain
from tests.building import Clock, compose, found, plan, say, second, turn
from tests.commit.drafting import draft, give

DAY = 86_400


@pytest.fixture
def brain(brain_by_clock: Brain) -> Brain:
    return brain_by_clock


def blocks(package: ContextPackage) -> str:
    return "\n".join(block.text for block in package.system_blocks)


def tone(value: str, **times: Any) -> ItemDraft:  # noqa: ANN401
    return draft("preferences", {"scope": "writing", "name": "tone", "value": value}, **times)


@pytest.mark.parametrize("field", ["valid_to", "expires_at"])
def test_a_pinned_item_ends_by_the_clock_alone(brain: Brain, clock: Clock, field: str) -> None:
    ends: dict[str, Any] = {field: second(10)}
    give(brain, tone("short 简短", **ends))
    assert "short 简短" in blocks(compose(brain, "m", "s", "tone?"))
    clock.at = 10
    assert "short 简短" not in render(compose(brain, "m", "s", "tone?"))
    assert "short 简短" in blocks(compose(brain, "m", "s", "tone?", now=second(9)))


@pytest.mark.parametrize("field", ["valid_to", "expires_at"])
def test_retrieve_has_no_now_and_goes_by_the_clock(brain: Brain, clock: Clock, field: str) -> None:
    ends: dict[str, Any] = {field: second(10)}
    give(brain, draft("notes", {"uri": "project://gate", "content": "gate code 门禁码 7781"}, **ends))
    assert found(brain, "m", "gate code 门禁码", mode="exact")
    clock.at = 10
    assert not found(brain, "m", "gate code 门禁码", mode="exact")


def test_a_moment_to_come_ends_nothing_yet(brain: Brain) -> None:
    give(brain, tone("short", valid_to=second(10)))
    assert compose(brain, "m", "s", "tone?", as_of=AsOf(time=second(50))).system_blocks, "it is not 10 yet"


def test_what_was_found_and_has_ended_is_named(brain: Brain, clock: Clock) -> None:
    give(brain, draft("notes", {"uri": "project://gate", "content": "gate code 门禁码 7781"}, valid_to=second(10)))
    asked = plan("gate code 门禁码", mode="exact")
    clock.at = 10
    pack = brain.retrieve(RetrieveRequest(memory_id="m", plan=asked)).pack
    package = compose(brain, "m", "s", "gate code?", plan=asked)
    for dropped in (pack.explain.dropped, package.debug.dropped):
        assert [one.reason for one in dropped if one.detail == "held until 2023-11-14"] == ["below_threshold"]
    assert package.debug.dropped_counts["selection/below_threshold"] == 1


def test_what_the_user_dates_ahead_of_the_clock_counts_as_said(brain: Brain) -> None:
    give(brain, tone("short", valid_to=second(10)))
    brain.commit_turn(say("m", "s", "The barn is blue.", at=DAY))
    assert not compose(brain, "m", "s", "tone?").system_blocks


def test_what_held_at_the_moment_asked_for_is_given(brain: Brain, clock: Clock) -> None:
    give(brain, tone("short", valid_to=second(10)))
    clock.at = 20
    brain.commit_turn(say("m", "s", "The barn is blue."))
    query = plan("tone short", mode="exact")
    for moment, held in (
        (AsOf(revision=1), True),
        (AsOf(time=second(5)), True),
        (AsOf(time=second(11)), False),
        (AsOf(revision=2), False),
        (AsOf(time=second(DAY)), False),
    ):
        assert bool(compose(brain, "m", "s", "tone?", as_of=moment).system_blocks) is held
        pack = brain.retrieve(RetrieveRequest(memory_id="m", plan=query, as_of=moment)).pack
        assert any("prefers" in one.snippet for one in pack.evidences) is held


def test_a_replay_goes_by_the_clock_of_then(brain: Brain, clock: Clock) -> None:
    give(brain, tone("short", valid_to=second(10)))
    package = compose(brain, "m", "s", "tone?")
    clock.at = 20
    request = ComposeContextRequest(memory_id="m", session_id="s", user_message="tone?", as_of=AsOf(time=second(5)))
    then = brain.compose_context(request).context
    for stored in (package, then):
        assert blocks(stored)
        answer = brain.replay(ReplayRequest(memory_id="m", context_id=stored.context_id))
        assert answer.identical, list(answer.changes)


@pytest.mark.parametrize("explicit", [True, False])
def test_a_line_of_the_summary_goes_with_its_item(brain: Brain, clock: Clock, explicit: bool) -> None:
    goal = {"project": "barn", "name": "paint 刷漆", "description": "paint the barn red"}
    give(brain, draft("goals", goal, valid_to=second(10)))
    for number in range(14):
        brain.commit_turn(say("m", "s", f"The barn roof, part {number}: who fixes it?", f"第{number}块屋顶。"))
    brain.commit_turn(turn("m", "s", items=[tone("short")]))

    def lines(package: ContextPackage) -> str:
        return "\n".join(line for section in package.working_summary.sections for line in section.lines)

    assert "paint 刷漆" in lines(compose(brain, "m", "s", "barn?"))
    if not explicit:
        clock.at = 11
    package = compose(brain, "m", "s", "barn?", now=second(11)) if explicit else compose(brain, "m", "s", "barn?")
    assert "paint 刷漆" not in lines(package)
    assert "an item that it rests on no longer holds" in {one.detail for one in package.debug.dropped}
