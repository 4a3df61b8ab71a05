"""What commits make of structured entries: keys, conflict policies, retractions."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf import json_format
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse
from smartbrain.v1.event_pb2 import Decision, Entity, Event, Goal, Preference, Retraction, Task
from smartbrain.v1.item_pb2 import (
    ITEM_SOURCE_INFERENCE,
    ITEM_SOURCE_USER,
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_RETRACTED,
    ITEM_STATUS_SUPERSEDED,
    ItemStatus,
    MemoryItem,
)

from brain_core import Brain
from brain_core.store import items
from tests.building import compose, found, plan, pref, retrieve, say, turn

ACTIVE, SUPERSEDED, RETRACTED = ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED, ITEM_STATUS_RETRACTED
TONE = "pref:writing:tone"


def commit(brain: Brain, **parts: Any) -> CommitTurnResponse:  # noqa: ANN401
    return brain.commit_turn(turn("m", "s", **parts))


def current(brain: Brain, item_type: str, key: str) -> MemoryItem:
    item = items.read_item(brain._kv, "m", item_type, key)
    assert item is not None
    return item


def history(brain: Brain, item_type: str, key: str) -> list[tuple[int, ItemStatus.ValueType]]:
    """Return (version, status) of every version; demand that none is missing."""
    newest = current(brain, item_type, key).version
    versions = [items.read_version(brain._kv, "m", item_type, key, n) for n in range(1, newest + 1)]
    return [(version.version, version.status) for version in versions if version is not None]


def only(answer: CommitTurnResponse) -> tuple[str, int, int]:
    """Return (decision, old version, new version) of the one conflict."""
    [conflict] = answer.explain.conflicts
    return conflict.decision, conflict.old_version, conflict.new_version


ENTRIES: dict[str, tuple[dict[str, Any], str]] = {
    "preferences": ({"preferences": [pref("tone", "zebra style")]}, "pref:writing:tone"),
    "goals": ({"goals": [Goal(project="web", name="zebra goal")]}, "goal:web:zebra_goal"),
    "tasks": ({"tasks": [Task(project="web", task_id="T1", title="zebra task")]}, "task:web:T1"),
    "decisions": ({"decisions": [Decision(topic="db", decision="use zebra")]}, "decision:default:db"),
    "events": ({"events": [Event(title="Zebra day", date="2024-05-01")]}, "event:default:2024-05-01:zebra_day"),
    "entities": (
        {"entities": [Entity(kind="person", canonical="Zebra Smith", remember=True)]},
        "entity:person:Zebra_Smith",
    ),
}


@pytest.mark.parametrize("item_type", sorted(ENTRIES))
def test_every_type_is_written_and_found(brain: Brain, item_type: str) -> None:
    parts, key = ENTRIES[item_type]
    answer = commit(brain, **parts)
    [written] = answer.items
    assert (written.type, written.key, written.status, written.version) == (item_type, key, ACTIVE, 1)
    assert written.confidence == pytest.approx(0.8)
    [verdict] = answer.explain.retention
    assert (verdict.path, verdict.type, verdict.key, verdict.verdict) == (f"{item_type}[0]", item_type, key, "written")
    item = current(brain, item_type, key)
    assert (item.memory_id, item.session_id, item.source_turn_id) == ("m", "s", answer.turn_id)
    assert item.text.startswith(f"[{item_type}:{key}]")
    for mode in ("exact", "semantic", "hybrid"):
        assert found(brain, "m", "zebra", mode=mode, types=[item_type]) == [item.text]
    [evidence] = retrieve(brain, "m", plan("zebra")).evidences
    assert (evidence.id, evidence.source_uri, evidence.source_type) == (f"{item.id}:1", item.uri, "memory_item")
    package = compose(brain, "m", "s", "what about zebra?")
    if item.priority <= 2:
        assert [block.source.memory_item_id for block in package.system_blocks] == [item.id]
    else:
        assert [piece.id for piece in package.evidence] == [f"{item.id}:1"]


def test_overwrite_supersedes_a_changed_value(brain: Brain) -> None:
    commit(brain, preferences=[pref("tone", "short")])
    first = current(brain, "preferences", TONE)
    answer = commit(brain, preferences=[pref("tone", "long and flowery")])
    assert only(answer) == ("superseded", 1, 2)
    assert [(item.version, item.status) for item in answer.items] == [(2, ACTIVE)]
    newest = current(brain, "preferences", TONE)
    assert (newest.id, newest.created_at, newest.value["value"]) == (first.id, first.created_at, "long and flowery")
    assert newest.updated_at.ToMicroseconds() > first.updated_at.ToMicroseconds()
    assert history(brain, "preferences", TONE) == [(1, SUPERSEDED), (2, ACTIVE)]
    assert len(found(brain, "m", "tone", types=["preferences"])) == 1
    assert "short" in found(brain, "m", "tone", statuses=[SUPERSEDED])[0]


def test_the_same_value_again_makes_no_version(brain: Brain) -> None:
    commit(brain, preferences=[pref("tone", "short")])
    before = current(brain, "preferences", TONE)
    answer = commit(brain, preferences=[pref("tone", "short")])
    assert only(answer) == ("refreshed", 1, 1)
    after = current(brain, "preferences", TONE)
    assert after.updated_at.ToMicroseconds() > before.updated_at.ToMicroseconds()
    assert (after.version, after.value, after.created_at) == (1, before.value, before.created_at)
    assert len(found(brain, "m", "tone", types=["preferences"])) == 1


def test_an_inferred_value_that_is_confirmed_is_found_as_sure(brain: Brain) -> None:
    commit(brain, preferences=[pref("tone", "short", confirmed=False)])
    assert current(brain, "preferences", TONE).source == ITEM_SOURCE_INFERENCE
    assert found(brain, "m", "tone", min_confidence=0.7) == []
    commit(brain, preferences=[pref("tone", "short")])
    item = current(brain, "preferences", TONE)
    assert (item.source, item.version) == (ITEM_SOURCE_USER, 1)
    assert item.confidence == pytest.approx(0.8)
    assert len(found(brain, "m", "tone", min_confidence=0.7)) == 1
    commit(brain, preferences=[pref("tone", "short", confirmed=False)])
    assert current(brain, "preferences", TONE).source == ITEM_SOURCE_USER, "a weaker source takes nothing away"
    [answer] = brain.verify("m")
    assert list(answer.problems) == []


def test_an_unconfirmed_preference_does_not_replace_a_confirmed_one(brain: Brain) -> None:
    commit(brain, preferences=[pref("tone", "short")])
    answer = commit(brain, preferences=[pref("tone", "long", confirmed=False)])
    assert only(answer) == ("kept", 1, 1)
    assert [verdict.verdict for verdict in answer.explain.retention] == ["event_only"]
    assert list(answer.items) == []
    assert current(brain, "preferences", TONE).value["value"] == "short"
    answer = commit(brain, preferences=[pref("other", "x", confirmed=False)])
    answer = commit(brain, preferences=[pref("other", "y", confirmed=False)])
    assert only(answer) == ("superseded", 1, 2), "one guess may replace another"
    answer = commit(brain, preferences=[pref("other", "z")])
    assert only(answer) == ("superseded", 2, 3)


def test_versioned_keeps_every_version(brain: Brain) -> None:
    for number, choice in enumerate(("Postgres", "SQLite", "RocksDB"), start=1):
        answer = commit(brain, decisions=[Decision(topic="db", decision=choice, made_at="2024-01-01")])
        if number > 1:
            assert only(answer) == ("versioned", number - 1, number)
            assert "decision" in answer.explain.conflicts[0].reason
    key = "decision:default:db"
    assert history(brain, "decisions", key) == [(1, SUPERSEDED), (2, SUPERSEDED), (3, ACTIVE)]
    assert len(found(brain, "m", "db", types=["decisions"])) == 1
    assert len(found(brain, "m", "db", statuses=[SUPERSEDED])) == 2


def test_accumulate_gathers_names_and_facts(brain: Brain) -> None:
    commit(
        brain,
        entities=[
            Entity(
                kind="person",
                canonical="Ann",
                aliases=["Annie"],
                attrs={"city": "Paris", "age": "30"},
                remember=True,
            )
        ],
    )
    answer = commit(
        brain, entities=[Entity(kind="person", canonical="Ann", aliases=["A.", "Annie"], attrs={"city": "Rome"})]
    )
    assert only(answer) == ("merged", 1, 2)
    value = json_format.MessageToDict(current(brain, "entities", "entity:person:Ann").value)
    assert value["aliases"] == ["Annie", "A."]
    assert value["attrs"] == {"city": "Rome", "age": "30"}
    assert only(commit(brain, entities=[Entity(kind="person", canonical="Ann", aliases=["A."])])) == ("refreshed", 2, 2)


def test_a_partial_task_keeps_what_it_leaves_out(brain: Brain) -> None:
    commit(brain, tasks=[Task(task_id="1", title="Write report", due="2024-02-01", notes=["draft first"])])
    commit(brain, tasks=[Task(task_id="1", status="doing")])
    value = current(brain, "tasks", "task:default:1").value
    assert (value["title"], value["status"], value["due"]) == ("Write report", "doing", "2024-02-01")
    answer = commit(brain, tasks=[Task(task_id="1", title="Write the long report")])
    assert only(answer) == ("superseded", 2, 3)
    assert current(brain, "tasks", "task:default:1").value["status"] == "doing", "nor does a default come back"


def test_two_values_of_one_key_in_one_turn(brain: Brain) -> None:
    answer = commit(brain, preferences=[pref("tone", "short"), pref("tone", "long")])
    assert only(answer) == ("superseded", 1, 2)
    assert [(item.key, item.version) for item in answer.items] == [(TONE, 2)]
    assert history(brain, "preferences", TONE) == [(1, SUPERSEDED), (2, ACTIVE)]
    [text] = found(brain, "m", "tone", types=["preferences"])
    assert "long" in text
    commit(brain, preferences=[pref("tone", "a"), pref("tone", "long"), pref("tone", "b")])
    assert [status for _, status in history(brain, "preferences", TONE)] == [SUPERSEDED] * 4 + [ACTIVE]
    assert "b" in found(brain, "m", "tone", types=["preferences"])[0]


def deny(key: str = TONE, item_type: str = "preferences", reason: str = "") -> Retraction:
    return Retraction(type=item_type, key=key, reason=reason)


def test_a_retraction_ends_an_item(brain: Brain) -> None:
    commit(brain, preferences=[pref("tone", "short")])
    answer = commit(brain, retractions=[deny(reason="never said so")])
    assert only(answer) == ("retracted", 1, 2)
    assert answer.explain.conflicts[0].reason == "never said so"
    assert [(item.version, item.status) for item in answer.items] == [(2, RETRACTED)]
    assert history(brain, "preferences", TONE) == [(1, RETRACTED), (2, RETRACTED)]
    assert found(brain, "m", "tone") == []
    assert compose(brain, "m", "s", "tone").system_blocks == []
    assert len(found(brain, "m", "tone", statuses=[RETRACTED])) == 1
    assert only(commit(brain, retractions=[deny()])) == ("not_found", 0, 0)


def test_a_retraction_of_what_is_not_there_is_reported(brain: Brain) -> None:
    answer = commit(brain, retractions=[deny("pref:ui:none")])
    assert only(answer) == ("not_found", 0, 0)
    assert list(answer.items) == []


def test_a_correction_follows_a_retraction_in_the_same_turn(brain: Brain) -> None:
    commit(brain, preferences=[pref("tone", "short")])
    answer = commit(brain, retractions=[deny()], preferences=[pref("tone", "long")])
    assert [conflict.decision for conflict in answer.explain.conflicts] == ["retracted"]
    assert [(item.version, item.status) for item in answer.items] == [(3, ACTIVE)]
    assert history(brain, "preferences", TONE) == [(1, RETRACTED), (2, RETRACTED), (3, ACTIVE)]
    [text] = found(brain, "m", "tone", types=["preferences"])
    assert "long" in text
    answer = commit(brain, preferences=[pref("tone", "longer")])
    assert only(answer) == ("superseded", 3, 4)
    [check] = brain.verify("m")
    assert list(check.problems) == []


def test_an_item_may_come_back_after_its_retraction(brain: Brain) -> None:
    commit(brain, preferences=[pref("tone", "short")])
    first = current(brain, "preferences", TONE).id
    commit(brain, retractions=[deny()])
    answer = commit(brain, preferences=[pref("tone", "Short.", confirmed=False)])
    assert list(answer.items) == [], "the echo of a guess does not bring it back"
    assert "denied" in answer.explain.retention[0].reason
    answer = commit(brain, preferences=[pref("tone", "short")])
    assert [(item.version, item.status) for item in answer.items] == [(3, ACTIVE)]
    assert current(brain, "preferences", TONE).id == first
    assert len(found(brain, "m", "tone", types=["preferences"])) == 1


def test_memories_do_not_meet(brain: Brain) -> None:
    for memory in ("m", "mm", "m2", "用户"):
        brain.commit_turn(
            turn(memory, "s", preferences=[Preference(name="tone", value=f"of {memory}", confirmed=True)])
        )
        brain.commit_turn(say(memory, "s", f"unique{memory} common?"))
    for memory in ("m", "mm", "m2", "用户"):
        texts = found(brain, memory, "common tone unique unicorn")
        assert len(texts) == 2
        assert all(memory in text for text in texts)
        for other in {"m", "mm", "m2", "用户"} - {memory}:
            assert found(brain, memory, f"unique{other}", mode="exact") == []
        package = compose(brain, memory, "other session", "common tone")
        assert [block.text for block in package.system_blocks] == [f"The user prefers (other) tone: of {memory}"]
        assert {piece.snippet for piece in package.evidence} == {f"unique{memory} common?"}
