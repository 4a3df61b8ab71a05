"""agent_state: the task at hand is asked for too, its kind shifts the room, the rest is named as ignored."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import AgentState

from brain_core import Brain, load_policy
from brain_core.compose.agent import for_task
from brain_core.errors import InvalidArgument
from tests.building import compose, open_brain, plan, say

POLICIES = load_policy().policies


@pytest.fixture
def work(brain: Brain) -> Brain:
    """Give a memory about two projects and much small talk."""
    brain.commit_turn(say("m", "a", "The invoice exporter writes its files to the harbour bucket.", "Noted."))
    brain.commit_turn(say("m", "b", "发票导出程序每天凌晨三点运行。", "好的。"))
    for number in range(20):
        brain.commit_turn(say("m", f"c{number}", f"Walk {number} by the lake was pleasant.", "今天天气不错。"))
    for number in range(12):
        brain.commit_turn(say("m", "now", f"Long story {number}: " + "and then " * 60, "嗯，我在听。" * 20))
    return brain


@pytest.mark.parametrize(
    ("message", "task", "finds"),
    [("go on then", "fix the invoice exporter", "harbour bucket"), ("继续吧", "修复发票导出程序", "凌晨三点")],
)
def test_the_task_at_hand_is_asked_for_too(work: Brain, message: str, task: str, finds: str) -> None:
    package = compose(work, "m", "new", message, agent_state=AgentState(task=task))
    asked = [(query.text, round(query.weight, 1)) for query in package.debug.planner.queries]
    assert asked[0] == (message, 1.0)
    assert (task, 0.6) in asked
    assert any(finds in piece.snippet for piece in package.evidence)
    assert "the task at hand is asked for too, at weight 0.6" in package.debug.planner.reason
    assert not any("agent_state" in one for one in package.debug.ignored)


def test_room_without_bounds_is_all_that_a_field_holds(folder: Path) -> None:
    most = 2**31 - 1
    room = {"recent_turns_max": most, "recent_turns_max_tokens": most, "summary_max_tokens": most}
    with open_brain(folder, policies={"composition": {**room, "evidence_max_items": most}}) as brain:
        for number in range(3):
            brain.commit_turn(say("m", "s", f"The exporter has bug {number}. 第{number}个", "Noted."))
        for kind in ("", "simple", "complex", "conversation"):
            state = AgentState(task="fix the exporter", task_kind=kind)
            package = compose(brain, "m", "s", "Which bugs are there?", agent_state=state)
            assert len(package.recent_turns) == 6


def test_a_plan_of_the_caller_is_left_alone(work: Brain) -> None:
    package = compose(work, "m", "new", "go on", plan=plan("lake"), agent_state=AgentState(task="fix the exporter"))
    assert [query.text for query in package.debug.planner.queries] == ["lake"]
    assert any(one.startswith("agent_state.task: ") for one in package.debug.ignored)
    assert "task at hand" not in package.debug.planner.reason


def test_a_task_that_the_message_repeats_is_one_query(work: Brain) -> None:
    package = compose(work, "m", "new", "fix the exporter", agent_state=AgentState(task="fix the exporter"))
    assert [query.text for query in package.debug.planner.queries] == ["fix the exporter"]
    assert not package.debug.ignored or not any("agent_state" in one for one in package.debug.ignored)


def test_without_expansion_the_task_is_named_as_ignored(folder: Path) -> None:
    with open_brain(folder, policies={"retrieval": {"query_expansion": {"enabled": False}}}) as brain:
        brain.commit_turn(say("m", "a", "The exporter writes to a bucket."))
        package = compose(brain, "m", "new", "go on", agent_state=AgentState(task="fix the exporter"))
    assert [query.text for query in package.debug.planner.queries] == ["go on"]
    assert any(one.startswith("agent_state.task: ") for one in package.debug.ignored)


def test_the_kind_of_task_shifts_the_room(work: Brain) -> None:
    def slots(kind: str) -> tuple[int, int, str]:
        package = compose(work, "m", "now", "the lake walk?", agent_state=AgentState(task_kind=kind))
        tokens = package.constraints.token_budget.slots
        return len(package.evidence), tokens["recent_turns"], package.debug.planner.reason

    plain, simple, hard, chat = (slots(kind) for kind in ("", "simple", "complex", "conversation"))
    assert plain[0] == hard[0] == POLICIES.composition.evidence_items
    assert simple[0] == chat[0] == plain[0] / 2
    assert simple[1] <= hard[1] <= 1000 < plain[1] <= 2000 < chat[1] <= 3000
    assert "task_kind" not in plain[2]
    assert "task_kind complex: at most 12 pieces of evidence, 600 tokens of summary, 1000 of recent turns" in hard[2]


def test_what_a_plan_says_of_evidence_stands_before_the_kind(work: Brain) -> None:
    asked = plan("lake")
    asked.budget.top_k = 9
    package = compose(work, "m", "new", "lake", plan=asked, agent_state=AgentState(task_kind="simple"))
    assert len(package.evidence) == 9
    assert "at most 9 pieces" in package.debug.planner.reason


def test_attributes_are_named_as_ignored(work: Brain) -> None:
    package = compose(work, "m", "new", "lake?", agent_state=AgentState(attributes={"host": "x", "机器": "y"}))
    assert "agent_state.attributes (host, 机器): no rule reads them" in package.debug.ignored


def test_without_a_kind_the_policies_are_the_very_same() -> None:
    assert for_task(POLICIES, AgentState()) is POLICIES


def test_a_task_too_long_is_refused(work: Brain) -> None:
    with pytest.raises(InvalidArgument) as failed:
        compose(work, "m", "new", "lake?", agent_state=AgentState(task="字" * 10_001))
    assert failed.value.field == "agent_state.task"
