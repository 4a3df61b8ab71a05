"""CommitTurn: ids and times, repeats, limits, and that a refused turn writes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import WAIT_LEVEL_DURABLE, CommitTurnRequest, ListTurnsRequest
from smartbrain.v1.event_pb2 import Decision, Entity, Event, Goal, Message, Ref, Retraction, Task, ToolCall, Turn

from brain_core import Brain
from brain_core.errors import AlreadyExists, InvalidArgument
from brain_core.store import keys
from tests.building import found, open_brain, pref, say, second, turn


def turns(brain: Brain, session: str = "s") -> list[Turn]:
    return list(brain.list_turns(ListTurnsRequest(memory_id="m", session_id=session)).turns)


def everything(brain: Brain) -> dict[bytes, bytes]:
    """Return all that the store holds of memory m."""
    return dict(brain._kv.scan(keys.memory("m"), b""))


def test_ids_and_times_are_filled_in(brain: Brain) -> None:
    answer = brain.commit_turn(
        turn(
            "m",
            "s",
            messages=[
                Message(role="user", content="hi"),
                Message(role="assistant", speaker="Bot", content="hello", message_id="mine", created_at=second(-5)),
            ],
            tool_calls=[ToolCall(name="t")],
        )
    )
    assert (answer.commit_id, answer.turn_id, answer.revision) == ("c1", "t1", 1)
    [stored] = turns(brain)
    first, reply = stored.events.messages
    assert list(answer.message_ids) == [first.message_id, "mine"]
    assert first.message_id
    assert (first.speaker, reply.speaker) == ("user", "Bot")
    assert first.created_at == stored.committed_at
    assert reply.created_at == second(-5)
    assert stored.events.tool_calls[0].status == "ok"
    assert (stored.turn_id, stored.session_id, stored.sequence, stored.revision) == ("t1", "s", 0, 1)
    assert [(verdict.path, verdict.verdict) for verdict in answer.explain.retention] == [
        ("messages[0]", "event_only"),
        ("messages[1]", "event_only"),
        ("tool_calls[0]", "event_only"),
    ]
    assert brain.commit_turn(say("m", "other", "again")).turn_id == "t2"
    assert turns(brain, "other")[0].sequence == 0


def test_made_ids_give_way_to_given_ones(brain: Brain) -> None:
    made = brain.commit_turn(say("m", "s", "x")).message_ids[0]
    taken = [made.replace("t1", f"t{revision}") for revision in (3, 4)]
    brain.commit_turn(turn("m", "s", messages=[Message(role="user", content="x", message_id=taken[0])]))
    assert brain.commit_turn(say("m", "s", "x")).message_ids[0] != taken[0]
    parts = [Message(role="user", content="a"), Message(role="user", content="b", message_id=taken[1])]
    ids = brain.commit_turn(turn("m", "s", messages=parts)).message_ids
    assert len(set(ids)) == 2
    assert ids[1] == taken[1]


def test_a_message_id_is_used_once_per_session(brain: Brain) -> None:
    def one(session: str, *ids: str) -> CommitTurnRequest:
        return turn("m", session, messages=[Message(role="user", content="x", message_id=each) for each in ids])

    brain.commit_turn(one("s", "a"))
    before = everything(brain)
    for bad, field in ((one("s", "b", "a"), "turn.messages[1].message_id"), (one("s", "c", "c"), "turn.messages[1]")):
        with pytest.raises(AlreadyExists) as failed:
            brain.commit_turn(bad)
        assert failed.value.field.startswith(field)
    assert everything(brain) == before
    brain.commit_turn(one("other", "a"))


def test_a_request_id_makes_a_commit_repeatable(folder: Path) -> None:
    brain = open_brain(folder)
    request = turn(
        "m", "s", request_id="r1", messages=[Message(role="user", content="marmalade")], preferences=[pref("a", "b")]
    )
    first = brain.commit_turn(request)
    before = everything(brain)
    brain.commit_turn(say("m", "s", "something else"))
    again = brain.commit_turn(request)
    assert again.SerializeToString(deterministic=True) == first.SerializeToString(deterministic=True)
    assert {key: everything(brain)[key] for key in before if key[:1] in b"ivtr"} == {
        key: value for key, value in before.items() if key[:1] in b"ivtr"
    }
    request.wait_level = WAIT_LEVEL_DURABLE
    assert brain.commit_turn(request) == first, "how far to wait is no content"
    dry = CommitTurnRequest()
    dry.CopyFrom(request)
    dry.validate_only = True
    assert brain.commit_turn(dry) == first, "nor is whether it is tried only: it was done"
    assert len(found(brain, "m", "marmalade", mode="exact")) <= 2
    assert [stored.turn_id for stored in turns(brain)] == ["t1", "t2"]
    brain.close()
    with open_brain(folder) as reopened:
        assert reopened.commit_turn(request) == first
        other = CommitTurnRequest()
        other.CopyFrom(request)
        other.turn.messages[0].content = "other"
        with pytest.raises(AlreadyExists) as failed:
            reopened.commit_turn(other)
        assert (failed.value.field, failed.value.value) == ("request_id", "r1")
        other.memory_id = "another memory"
        assert reopened.commit_turn(other).turn_id == "t1"


def test_validate_only_answers_and_writes_nothing(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[pref("tone", "short")]))
    before = everything(brain)
    request = turn(
        "m", "s", request_id="r", preferences=[pref("tone", "long")], messages=[Message(role="user", content="x")]
    )
    request.validate_only = True
    answer = brain.commit_turn(request)
    assert (answer.commit_id, answer.turn_id, answer.revision) == ("", "", 1)
    assert [(item.key, item.version) for item in answer.items] == [("pref:writing:tone", 2)]
    assert [conflict.decision for conflict in answer.explain.conflicts] == ["superseded"]
    assert everything(brain) == before
    request.validate_only = False
    assert brain.commit_turn(request).revision == 2


def test_validate_only_makes_no_memory(brain: Brain) -> None:
    request = say("m", "s", "hello")
    request.validate_only = True
    assert brain.commit_turn(request).revision == 0
    assert everything(brain) == {}
    assert brain.status().memories == 0


def timestamp(**fields: int) -> Timestamp:
    return Timestamp(**fields)


def text(content: str = "x", **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"messages": [Message(**{"role": "user", "content": content, **fields})]}


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({}, "turn"),
        (text(" \n"), "turn.messages[0].content"),
        (text(role=""), "turn.messages[0].role"),
        (text(role="robot"), "turn.messages[0].role"),
        (text(message_id="x" * 129), "turn.messages[0].message_id"),
        (text(message_id="a\tb"), "turn.messages[0].message_id"),
        (text(speaker="a\nb"), "turn.messages[0].speaker"),
        (text(created_at=timestamp(seconds=1 << 60)), "turn.messages[0].created_at.seconds"),
        ({"tool_calls": [ToolCall(name="")]}, "turn.tool_calls[0].name"),
        ({"tool_calls": [ToolCall(name="t", status="fine")]}, "turn.tool_calls[0].status"),
        ({"refs": [Ref(ref_type="link", uri="x")]}, "turn.refs[0].ref_type"),
        ({"refs": [Ref(ref_type="url")]}, "turn.refs[0].uri"),
        ({"tasks": [Task(title="no id")]}, "turn.tasks[0].task_id"),
        ({"tasks": [Task(task_id="1", status="later")]}, "turn.tasks[0].status"),
        ({"tasks": [Task(task_id="1", due="tomorrow")]}, "turn.tasks[0].due"),
        ({"tasks": [Task(task_id="1", due="2024-02-30")]}, "turn.tasks[0].due"),
        ({"tasks": [Task(task_id="1", due="2024-02-01\n")]}, "turn.tasks[0].due"),
        ({"decisions": [Decision(topic="db")]}, "turn.decisions[0].decision"),
        ({"decisions": [Decision(topic="db", decision="x", made_at="1.2.2024")]}, "turn.decisions[0].made_at"),
        ({"goals": [Goal()]}, "turn.goals[0].name"),
        ({"goals": [Goal(name="g", status="maybe")]}, "turn.goals[0].status"),
        ({"events": [Event(date="2024-01-01")]}, "turn.events[0].title"),
        ({"events": [Event(title="e", date="2024-13-01")]}, "turn.events[0].date"),
        ({"preferences": [pref("", "x")]}, "turn.preferences[0].name"),
        ({"preferences": [pref("a", "")]}, "turn.preferences[0].value"),
        ({"preferences": [pref("a", "b", scope="food")]}, "turn.preferences[0].scope"),
        ({"preferences": [pref("x" * 200, "b")]}, "turn.preferences[0].name"),
        ({"entities": [Entity(kind="animal", canonical="x")]}, "turn.entities[0].kind"),
        ({"entities": [Entity(kind="person")]}, "turn.entities[0].canonical"),
        ({"retractions": [Retraction(type="pref", key="k")]}, "turn.retractions[0].type"),
        ({"retractions": [Retraction(type="goals")]}, "turn.retractions[0].key"),
        ({"messages": [Message(role="user", content="x")] * 1001}, "turn.messages"),
        ({"tasks": [Task(task_id="1", notes=["x" * 70_000])]}, "turn.tasks[0]"),
    ],
)
def test_a_bad_turn_is_refused_by_field_and_writes_nothing(brain: Brain, parts: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidArgument) as failed:
        brain.commit_turn(turn("m", "s", **parts))
    assert failed.value.field == field
    assert failed.value.limit
    assert everything(brain) == {}


@pytest.mark.parametrize("memory", ["", "x" * 129, "a\x00b", "会" * 43])
def test_a_bad_memory_id_is_refused(brain: Brain, memory: str) -> None:
    with pytest.raises(InvalidArgument) as failed:
        brain.commit_turn(say(memory, "s", "x"))
    assert failed.value.field == "memory_id"


def test_days_that_are_left_out_are_the_day_of_the_turn(brain: Brain) -> None:
    parts: dict[str, Any] = {"events": [Event(title="Moved")], "decisions": [Decision(topic="db", decision="x")]}
    brain.commit_turn(turn("m", "s", messages=[Message(role="user", content="x", created_at=second(-86_400))], **parts))
    keys_found = [item.key for item in brain.commit_turn(turn("m", "s", **parts)).items]
    assert "event:default:2023-11-14:moved" in keys_found
    assert found(brain, "m", "moved", types=["events"], mode="exact")
    assert any("2023-11-13" in line for line in found(brain, "m", "moved", types=["events"], mode="exact"))


@pytest.mark.parametrize(
    ("parts", "learned"),
    [
        ([], []),
        (["messages"], ["preferences"]),
        (["refs"], ["entities"]),
        (["messages", "refs"], ["preferences", "entities"]),
    ],
)
def test_rules_read_what_the_policy_says(folder: Path, parts: list[str], learned: list[str]) -> None:
    with open_brain(folder, policies={"retention": {"learn_from": parts}}) as brain:
        answer = brain.commit_turn(
            turn(
                "m",
                "s",
                messages=[Message(role="user", content="From now on, always answer in Spanish.")],
                refs=[Ref(ref_type="file", uri="src/app/main.py")],
            )
        )
        assert [item.type for item in answer.items] == learned
