"""As-of reads against a history recorded while it happened."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.event_pb2 import Decision, Entity, Goal, Retraction, Task
from smartbrain.v1.item_pb2 import AsOf, ItemStatus, MemoryItem
from smartbrain.v1.memory_service_pb2 import GetItemRequest, ListItemsRequest, RollbackItemRequest

from brain_core import Brain
from brain_core.errors import FailedPrecondition, NotFound
from brain_core.store import items, keys
from brain_core.store.kv import Batch
from brain_core.store.log import read_change
from tests.building import Clock, open_brain, open_by, pref, second, turn

EVERY_STATUS = [status for status in ItemStatus.values() if status]
SLOTS = {
    "preferences": "pref:writing:tone",
    "decisions": "decision:default:db",
    "goals": "goal:default:launch",
    "tasks": "task:default:T1",
}
VALUES = ("alpha", "beta", "伽马")

Belief = dict[tuple[str, str], tuple[int, str, dict[str, Any], str]]
Step = tuple[str, str, str]
"""put, deny or back; the type; and the value, or by its place the version to go back to."""

types, values = st.sampled_from(sorted(SLOTS)), st.sampled_from(VALUES)
changes = st.lists(st.tuples(st.sampled_from(["put", "put", "deny"]), types, values), min_size=1, max_size=4)
plans_of_turns = st.lists(changes | st.tuples(st.just("back"), types, values).map(lambda step: [step]), max_size=10)


def entry(item_type: str, value: str) -> Any:  # noqa: ANN401
    made: dict[str, Any] = {
        "preferences": pref("tone", value),
        "decisions": Decision(topic="db", decision=value, made_at="2024-05-01"),
        "goals": Goal(name="launch", description=value),
        "tasks": Task(task_id="T1", title=value),
    }
    return made[item_type]


def carry_out(brain: Brain, plan: list[Step]) -> None:
    """Commit what the steps put and deny as one turn, or go back as the one step says, if that can be."""
    parts: dict[str, Any] = {"retractions": []}
    for act, item_type, value in plan:
        if act == "put":
            parts.setdefault(item_type, []).append(entry(item_type, value))
        elif act == "deny":
            parts["retractions"].append(Retraction(type=item_type, key=SLOTS[item_type]))
        else:
            version = 1 + VALUES.index(value)
            request = RollbackItemRequest(memory_id="m", type=item_type, key=SLOTS[item_type], version=version)
            with contextlib.suppress(NotFound, FailedPrecondition):
                brain.rollback_item(request)
    if any(parts.values()):
        brain.commit_turn(turn("m", "s", **parts))


def belief(brain: Brain, as_of: AsOf | None = None, page_size: int = 0) -> Belief:
    request = ListItemsRequest(memory_id="m", statuses=EVERY_STATUS, as_of=as_of, page_size=page_size)
    found: list[MemoryItem] = []
    while True:
        page = brain.list_items(request)
        found += page.items
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert [(item.type, item.key) for item in found] == sorted({(item.type, item.key) for item in found})
    return {
        (item.type, item.key): (
            item.version,
            ItemStatus.Name(item.status),
            json_format.MessageToDict(item.value),
            item.text,
        )
        for item in found
    }


@settings(max_examples=40, deadline=None)
@given(plans_of_turns, st.integers(1, 3))
def test_as_of_every_revision_and_time_is_what_was_believed_then(plans: list[list[Step]], page_size: int) -> None:
    with tempfile.TemporaryDirectory() as folder, open_brain(Path(folder)) as brain:
        recorded: dict[int, Belief] = {0: {}}
        brain.commit_turn(turn("m", "s", entities=[Entity(kind="org", canonical="Acme", remember=True)]))
        for plan in plans:
            carry_out(brain, plan)
            recorded[brain._kv.revision(keys.memory("m"))] = belief(brain)
        for revision, then in recorded.items():
            assert belief(brain, AsOf(revision=revision)) == then
            assert belief(brain, AsOf(revision=revision), page_size) == then
            change = read_change(brain._kv, "m", revision)
            if change is not None:
                at = Timestamp()
                at.FromMicroseconds(change.committed_at_us)
                assert belief(brain, AsOf(time=at)) == then


def test_a_listing_stays_at_the_revision_of_its_first_page(brain: Brain) -> None:
    for name in "abcd":
        brain.commit_turn(turn("m", "s", preferences=[pref(name, "old")]))
    request = ListItemsRequest(memory_id="m", page_size=2)
    first = brain.list_items(request)
    brain.commit_turn(turn("m", "s", preferences=[pref("a0", "new"), pref("c", "new"), pref("e", "new")]))
    brain.commit_turn(turn("m", "s", retractions=[Retraction(type="preferences", key="pref:writing:d")]))
    request.page_token = first.next_page_token
    second_page = brain.list_items(request)
    assert [item.key[-1] for item in (*first.items, *second_page.items)] == list("abcd")
    assert {item.value["value"] for item in (*first.items, *second_page.items)} == {"old"}
    assert (first.revision, second_page.revision, second_page.next_page_token) == (4, 4, "")


def test_a_time_between_two_commits_is_that_of_the_earlier(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[pref("tone", "dry")]))
    brain.commit_turn(turn("m", "s", preferences=[pref("tone", "warm")]))
    one, two = (read_change(brain._kv, "m", revision) for revision in (1, 2))
    assert one is not None
    assert two is not None

    def tone(at_us: int) -> str:
        request = GetItemRequest(memory_id="m", type="preferences", key="pref:writing:tone")
        request.as_of.time.FromMicroseconds(at_us)
        return str(brain.get_item(request).item.value["value"])

    assert tone(two.committed_at_us - 1) == "dry"
    assert tone(two.committed_at_us) == "warm"
    assert tone(two.committed_at_us + 10**12) == "warm"
    before = ListItemsRequest(memory_id="m", as_of=AsOf(time=second(-1000)))
    assert (list(brain.list_items(before).items), brain.list_items(before).revision) == ([], 0)


def test_versions_without_a_revision_count_as_older_than_all(brain: Brain) -> None:
    for value in ("dry", "warm", "plain"):
        brain.commit_turn(turn("m", "s", preferences=[pref("tone", value)]))
    batch = Batch()  # as a release before this one has stored them
    for number in (1, 2):
        version = items.read_version(brain._kv, "m", "preferences", "pref:writing:tone", number)
        assert version is not None
        version.revision = 0
        items.put_old_version(batch, version)
    brain._kv.write(keys.memory("m"), batch)
    for revision, expected in ((0, "warm"), (2, "warm"), (3, "plain")):
        request = GetItemRequest(memory_id="m", type="preferences", key="pref:writing:tone")
        request.as_of.revision = revision
        assert brain.get_item(request).item.value["value"] == expected


DAY = 86_400


def committed(folder: Path, clock: Clock, moments: list[float]) -> Brain:
    """Return a brain to which a turn was committed at each moment, seconds after FIRST_SECOND by its clock."""
    brain = open_by(clock, folder)
    for number, at in enumerate(moments, 1):
        clock.at = at
        brain.commit_turn(turn("m", "s", preferences=[pref("tone", f"value {number}")]))
    return brain


def believed_at(brain: Brain, at: float) -> str:
    request = GetItemRequest(memory_id="m", type="preferences", key="pref:writing:tone", as_of=AsOf(time=second(at)))
    return str(brain.get_item(request).item.value["value"])


def test_a_time_is_found_where_the_clock_was_ahead_and_set_back(folder: Path) -> None:
    days = [0, 1, 8, 8.5, 2, 2.5, 3, 30, 4, 5]
    with committed(folder, Clock(), [day * DAY for day in days]) as brain:
        asked = {0: 1, 1: 2, 1.9: 2, 2: 5, 2.6: 6, 3.9: 7, 4: 9, 5: 10, 9: 10, 40: 10}
        assert {day: believed_at(brain, day * DAY) for day in asked} == {
            day: f"value {number}" for day, number in asked.items()
        }


def test_a_time_is_found_where_the_clock_was_behind(folder: Path) -> None:
    days = [0, 1, 2, -400, -399.5, 3, 4]
    with committed(folder, Clock(), [day * DAY for day in days]) as brain:
        asked = {0: 1, 1.5: 2, 2.5: 3, 3: 6, 4: 7}
        assert {day: believed_at(brain, day * DAY) for day in asked} == {
            day: f"value {number}" for day, number in asked.items()
        }


def test_a_memory_that_began_by_a_clock_that_was_ahead_is_found_by_time(folder: Path) -> None:
    with committed(folder, Clock(), [7 * DAY, 7.5 * DAY, 0, DAY]) as brain:
        assert [believed_at(brain, day * DAY) for day in (0, 0.5, 1, 2)] == [f"value {n}" for n in (3, 3, 4, 4)]
