"""Going back to a version: what the new version holds, and that it outlives a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from smartbrain.v1.event_pb2 import ItemDraft
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, AsOf, MemoryItem
from smartbrain.v1.memory_service_pb2 import GetItemRequest, RollbackItemRequest

from brain_core import Brain
from tests.building import found, open_brain, pref, say, second, turn

SLOT: dict[str, Any] = {"memory_id": "m", "type": "decisions", "key": "decision:default:db"}


def decided(decision: str, valid_from: float | None = None, valid_to: float | None = None) -> ItemDraft:
    draft = ItemDraft(
        type="decisions",
        valid_from=None if valid_from is None else second(valid_from),
        valid_to=None if valid_to is None else second(valid_to),
    )
    draft.value.update({"topic": "db", "decision": decision})
    return draft


def back_to(brain: Brain, version: int) -> MemoryItem:
    return brain.rollback_item(RollbackItemRequest(**SLOT, version=version)).item


def then(brain: Brain, revision: int) -> MemoryItem:
    return brain.get_item(GetItemRequest(**SLOT, as_of=AsOf(revision=revision))).item


def test_what_is_rolled_back_is_found_after_a_restart_and_a_rebuild(folder: Path) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(turn("m", "s", preferences=[pref("tone", "zebra stripes")]))
        brain.commit_turn(turn("m", "s", preferences=[pref("tone", "walrus tusks")]))
        request = RollbackItemRequest(memory_id="m", type="preferences", key="pref:writing:tone", version=1)
        item = brain.rollback_item(request).item
        brain.commit_turn(say("m", "s", "Good night."))
        assert list(next(brain.verify("m")).problems) == []
    with open_brain(folder) as brain:
        assert found(brain, "m", "zebra walrus", types=["preferences"]) == [item.text]
        list(brain.rebuild_index("m"))
        assert found(brain, "m", "zebra walrus", types=["preferences"]) == [item.text]
        assert list(next(brain.verify("m")).problems) == []


def test_the_new_version_keeps_its_source_and_is_said_now(brain: Brain) -> None:
    brain.commit_turn(turn("m", "one", items=[decided("SQLite")]))
    brain.commit_turn(turn("m", "two", items=[decided("Postgres")]))
    first = then(brain, 1)
    item = back_to(brain, 1)
    assert (item.id, item.session_id, item.source_turn_id) == (first.id, "one", "t1")
    assert (item.created_at, item.confidence, item.text) == (first.created_at, first.confidence, first.text)
    assert item.updated_at == item.said_at
    assert item.updated_at.ToMicroseconds() > then(brain, 2).updated_at.ToMicroseconds()


def test_an_end_that_the_next_version_gave_is_taken_off(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", items=[decided("SQLite")]))
    brain.commit_turn(turn("m", "s", items=[decided("Postgres", valid_from=10)]))
    assert brain.get_item(GetItemRequest(**SLOT, version=1)).item.valid_to == second(10)
    assert not then(brain, 1).HasField("valid_to")
    item = back_to(brain, 1)
    assert not item.HasField("valid_to")
    assert item.text == then(brain, 1).text


def test_an_end_that_has_passed_is_taken_off_and_one_to_come_stays(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", items=[decided("zebra", valid_to=1)]))
    brain.commit_turn(turn("m", "s", items=[decided("walrus", valid_to=10**6)]))
    brain.commit_turn(turn("m", "s", items=[decided("otter", valid_to=2 * 10**6)]))
    assert "Valid until" in then(brain, 1).text
    item = back_to(brain, 1)
    assert (item.status, item.HasField("valid_to")) == (ITEM_STATUS_ACTIVE, False)
    assert "Valid until" not in item.text
    assert found(brain, "m", "zebra", types=["decisions"]) == [item.text]
    item = back_to(brain, 2)
    assert item.valid_to == second(10**6)
    assert "Valid until" in item.text
