"""The acceptance list of the policies (§7): a test for each line, named for it.

Not here: retrieval of resources, which comes with documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.struct_pb2 import Struct
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, GetContextRequest, ListTurnsRequest
from smartbrain.v1.event_pb2 import Message, Preference, Ref, Retraction, Task, ToolCall
from smartbrain.v1.item_pb2 import (
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_RETRACTED,
    ITEM_STATUS_SUPERSEDED,
    ItemStatus,
)

from brain_core import Brain
from brain_core.store import items
from tests.building import compose, found, open_brain, say, turn

SMALL_TALK = (
    "Good morning! How are you today?",
    "I am so tired, this week was terrible.",
    "Haha, that is a good one.",
    "What if we had rewritten it in Rust?",
    "Do you think I should move to Berlin?",
    "Maybe it will rain, who knows.",
    "早上好，今天过得怎么样？",
    "唉，好累啊，真烦。",
    "哈哈，太好笑了。",
    "要是我住在海边就好了。",
    "你觉得我应该学日语吗？",
)


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    """Give a brain in a folder of its own."""
    with open_brain(folder) as opened:
        yield opened


def status_of(brain: Brain, item_type: str, key: str, version: int) -> ItemStatus.ValueType:
    item = items.read_version(brain._kv, "m", item_type, key, version)
    assert item is not None
    return item.status


def test_commit_turn_records_every_turn_tool_call_and_ref(brain: Brain) -> None:
    arguments = Struct()
    arguments.update({"path": "a.py", "lines": [1.0, 2.0]})
    sent = [
        turn(
            "m",
            "s",
            messages=[Message(role="user", content=f"第{number}个 question?"), Message(role="assistant", content="…")],
            tool_calls=[ToolCall(name="read", args=arguments, result="text " * 500, status="error")],
            refs=[Ref(ref_type="url", uri=f"https://example.org/{number}"), Ref(ref_type="artifact", uri="build/7")],
        )
        for number in range(5)
    ]
    for request in sent:
        brain.commit_turn(request)
    stored = brain.list_turns(ListTurnsRequest(memory_id="m", session_id="s")).turns
    assert len(stored) == len(sent)
    for one, request in zip(stored, sent, strict=True):
        assert [message.content for message in one.events.messages] == [
            message.content for message in request.turn.messages
        ]
        assert list(one.events.tool_calls) == list(request.turn.tool_calls)
        assert list(one.events.refs) == list(request.turn.refs)
    assert found(brain, "m", "text"), "tool results are found"
    assert found(brain, "m", "example.org/3", mode="exact"), "and so are refs"


@pytest.mark.parametrize("text", SMALL_TALK)
def test_commit_turn_keeps_small_talk_out_of_memory_items(brain: Brain, text: str) -> None:
    answer = brain.commit_turn(say("m", "s", text, "I suppose you prefer tea. You live in Rome, do you not?"))
    assert list(answer.items) == []
    assert list(items.scan_items(brain._kv, "m")) == []
    verdicts = {one.path: one.verdict for one in answer.explain.retention}
    assert verdicts == {"messages[0]": "event_only", "messages[1]": "event_only"}
    assert found(brain, "m", text), "the event log keeps it"


def test_commit_turn_overwrites_preferences(brain: Brain) -> None:
    for value in ("tea", "coffee"):
        brain.commit_turn(turn("m", "s", preferences=[Preference(name="drink", value=value, confirmed=True)]))
    key = "pref:other:drink"
    assert status_of(brain, "preferences", key, 1) == ITEM_STATUS_SUPERSEDED
    assert status_of(brain, "preferences", key, 2) == ITEM_STATUS_ACTIVE
    blocks = [block.text for block in compose(brain, "m", "new", "What do I drink?").system_blocks]
    assert blocks == ["The user prefers (other) drink: coffee"]


def test_commit_turn_overwrites_tasks(brain: Brain) -> None:
    for status in ("todo", "doing", "blocked", "done"):
        answer = brain.commit_turn(
            turn("m", "s", tasks=[Task(project="web", task_id="1", title="Ship", status=status)])
        )
    assert [one.decision for one in answer.explain.conflicts] == ["superseded"]
    statuses = [status_of(brain, "tasks", "task:web:1", version) for version in (1, 2, 3, 4)]
    assert statuses == [ITEM_STATUS_SUPERSEDED] * 3 + [ITEM_STATUS_ACTIVE]
    [text] = found(brain, "m", "Ship", types=["tasks"])
    assert "done" in text


def test_commit_turn_retracts_preferences_and_tasks(brain: Brain) -> None:
    brain.commit_turn(
        turn(
            "m",
            "s",
            preferences=[Preference(name="drink", value="zebra tea", confirmed=True)],
            tasks=[Task(task_id="1", title="zebra task")],
        )
    )
    denials = [
        Retraction(type="preferences", key="pref:other:drink", reason="never said so"),
        Retraction(type="tasks", key="task:default:1"),
    ]
    answer = brain.commit_turn(turn("m", "s", retractions=denials))
    assert [one.decision for one in answer.explain.conflicts] == ["retracted", "retracted"]
    assert status_of(brain, "preferences", "pref:other:drink", 2) == ITEM_STATUS_RETRACTED
    assert found(brain, "m", "zebra") == []
    assert compose(brain, "m", "new", "zebra").system_blocks == []


def test_compose_context_gives_the_slots_of_a_context_package(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[Preference(name="drink", value="tea", confirmed=True)]))
    brain.commit_turn(say("m", "s", "The kettle is in the kitchen.", "Noted."))
    brain.commit_turn(say("m", "earlier", "The teapot is in the cellar."))
    package = compose(brain, "m", "s", "Where is the teapot?")
    assert [block.type for block in package.system_blocks] == ["preferences"]
    assert [one.role for one in package.recent_turns] == ["user", "assistant"]
    assert any("cellar" in piece.snippet for piece in package.evidence)
    assert (package.user_message.role, package.user_message.content) == ("user", "Where is the teapot?")


def test_compose_context_holds_its_budget_and_its_caps(brain: Brain) -> None:
    for number in range(60):
        brain.commit_turn(say("m", f"s{number % 7}", f"The teapot number {number} is in room {number}."))
    package = compose(brain, "m", "new", "Where are the teapots?", token_limit=300)
    budget = package.constraints.token_budget
    assert budget.limit == 300
    assert budget.used <= 300
    assert sum(budget.slots.values()) == budget.used
    assert len(compose(brain, "m", "new", "Where are the teapots?").evidence) <= 12


def test_what_was_composed_can_be_looked_up(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The teapot is in the cellar."))
    request = ComposeContextRequest(memory_id="m", session_id="new", user_message="Where is the teapot?")
    request.agent_state.task = "tea"
    request.agent_state.attributes["kettle"] = "on"
    package = brain.compose_context(request).context
    stored = brain.get_context(GetContextRequest(memory_id="m", context_id=package.context_id))
    assert [query.text for query in stored.plan.queries] == ["Where is the teapot?", "tea"]
    assert [piece.id for piece in stored.context.evidence] == [piece.id for piece in package.evidence]
    assert all(piece.score for piece in stored.context.evidence)
    assert stored.context.constraints.token_budget == package.constraints.token_budget
    assert any("agent_state" in one for one in stored.context.debug.ignored)
