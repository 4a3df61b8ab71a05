"""Retrieve as of a moment: what was known then, with the status it had then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.event_pb2 import Entity, Message, Retraction
from smartbrain.v1.item_pb2 import (
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_RETRACTED,
    ITEM_STATUS_SUPERSEDED,
    AsOf,
    ItemStatus,
)
from smartbrain.v1.plan_pb2 import PlanFilters
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest, RetrieveResponse

from brain_core import Brain
from brain_core.commit.revisions import begin_revision, put_revision
from brain_core.errors import FailedPrecondition, InvalidArgument
from brain_core.store import keys
from tests.building import open_brain, plan, pref, second, turn

KEY = "pref:writing:颜色"
TOLD_ONLY: dict[str, Any] = {"policies": {"retention": {"learn_from": []}}}
BLUE, GREEN = "蓝色 blue", "绿色 green"


@pytest.fixture
def story(folder: Path) -> Iterator[Brain]:
    """Give a memory of which each revision says something else of one preference; 1 is the first."""

    def told(text: str) -> list[Message]:
        return [Message(role="user", content=f"colour 颜色 {text}")]

    with open_brain(folder, **TOLD_ONLY) as brain:
        brain.commit_turn(turn("m", "s", messages=told("one")))
        brain.commit_turn(turn("m", "s", messages=told("two"), preferences=[pref("颜色", BLUE)]))
        brain.commit_turn(turn("m", "s", messages=told("three"), preferences=[pref("颜色", GREEN)]))
        brain.commit_turn(turn("m", "s", retractions=[Retraction(type="preferences", key=KEY, reason="no")]))
        brain.commit_turn(turn("m", "s", messages=told("five"), preferences=[pref("颜色", GREEN)]))
        brain.commit_turn(turn("m", "s", messages=told("six"), preferences=[pref("颜色", GREEN)]))
        yield brain


def asked(
    brain: Brain, as_of: AsOf | None, mode: str = "hybrid", statuses: Sequence[ItemStatus.ValueType] = ()
) -> RetrieveResponse:
    question = plan("colour 颜色 blue green", mode=mode, filters=PlanFilters(statuses=statuses))
    return brain.retrieve(RetrieveRequest(memory_id="m", plan=question, as_of=as_of))


def ids(answer: RetrieveResponse, *, items: bool) -> set[str]:
    return {one.id for one in answer.pack.evidences if bool(one.ref.memory_item_id) is items}


def versions(brain: Brain, revision: int, *statuses: ItemStatus.ValueType) -> list[int]:
    found = ids(asked(brain, AsOf(revision=revision), statuses=statuses), items=True)
    return sorted(int(one.rpartition(":")[2]) for one in found)


@pytest.mark.parametrize(
    ("revision", "active", "superseded", "retracted"),
    [
        (1, [], [], []),
        (2, [1], [], []),
        (3, [2], [1], []),
        (4, [], [1], [2]),
        (5, [4], [1], [2]),
        (6, [4], [1], [2]),
    ],
)
def test_an_item_has_the_status_it_had(
    story: Brain, revision: int, active: list[int], superseded: list[int], retracted: list[int]
) -> None:
    assert versions(story, revision) == active
    assert versions(story, revision, ITEM_STATUS_ACTIVE) == active
    assert versions(story, revision, ITEM_STATUS_SUPERSEDED) == superseded
    assert versions(story, revision, ITEM_STATUS_RETRACTED) == retracted


def test_statuses_of_then_stand_when_chunks_get_other_vectors_since(folder: Path) -> None:
    with open_brain(folder, **TOLD_ONLY) as brain:
        for value in (BLUE, GREEN):
            brain.commit_turn(turn("m", "s", preferences=[pref("颜色", value)]))
        brain.commit_turn(turn("m", "s", retractions=[Retraction(type="preferences", key=KEY, reason="no")]))
        brain.commit_turn(turn("m", "s", messages=[Message(role="user", content="four")]))
        space, change, batch = begin_revision(brain._kv, "m", brain._env)
        change.changed_chunks.extend(range(space.next_chunk))
        put_revision(batch, brain._kv, space, change)
        brain._kv.write(keys.memory("m"), batch)
    with open_brain(folder, **TOLD_ONLY) as brain:
        for statuses, found in (((ITEM_STATUS_SUPERSEDED,), [1]), ((ITEM_STATUS_RETRACTED,), [2]), ((), [])):
            assert versions(brain, 4, *statuses) == found


@pytest.mark.parametrize("mode", ["exact", "semantic", "hybrid", "associative"])
def test_later_texts_are_not_found(story: Brain, mode: str) -> None:
    said = {1: {"t1:t1.0"}, 2: {"t1:t1.0", "t2:t2.0"}, 4: {"t1:t1.0", "t2:t2.0", "t3:t3.0"}}
    for revision, expected in said.items():
        answer = asked(story, AsOf(revision=revision), mode)
        assert ids(answer, items=False) == expected
        assert answer.revision == revision
        assert f"as of revision {revision}" in answer.pack.explain.filters_applied
        if mode == "associative":
            assert "six" not in {one.term for one in answer.pack.explain.expansions}


def test_every_revision_is_answered_as_it_was_when_it_was_the_newest(brain: Brain) -> None:
    before = []
    values = [BLUE, GREEN, BLUE, GREEN]
    for number, value in enumerate(values):
        denied = [Retraction(type="preferences", key=KEY, reason="no")] if number == 2 else []
        brain.commit_turn(turn("m", f"s{number}", preferences=[pref("颜色", value)], retractions=denied))
        before.append(ids(asked(brain, None), items=True))
    for revision, expected in enumerate(before, start=1):
        assert ids(asked(brain, AsOf(revision=revision)), items=True) == expected


def test_relations_are_those_of_then(brain: Brain) -> None:
    mei = Entity(kind="person", canonical="Mei", aliases=["林梅"], remember=True)
    brain.commit_turn(turn("m", "s", entities=[mei]))
    brain.commit_turn(turn("m", "s", messages=[Message(role="user", content="林梅 likes tea")]))
    brain.commit_turn(turn("m", "s", messages=[Message(role="user", content="and Mei cake")]))
    question = plan("Mei", mode="relational")
    for revision, expected in ((1, set()), (2, {"t2:t2.0"}), (3, {"t2:t2.0", "t3:t3.0"})):
        request = RetrieveRequest(memory_id="m", plan=question, as_of=AsOf(revision=revision))
        assert ids(brain.retrieve(request), items=False) == expected


def test_a_time_stands_for_its_revision_and_none_for_now(story: Brain) -> None:
    now = asked(story, None)
    assert asked(story, AsOf()).revision == now.revision == 6
    assert ids(asked(story, AsOf(time=second(-10))), items=False) == set()
    assert ids(asked(story, AsOf(time=second(1e8))), items=True) == ids(now, items=True)
    assert not [one for one in now.pack.explain.filters_applied if one.startswith("as of")]


def test_bad_moments_are_refused(story: Brain) -> None:
    with pytest.raises(FailedPrecondition, match="not yet at 7"):
        asked(story, AsOf(revision=7))
    with pytest.raises(InvalidArgument, match=r"as_of\.revision"):
        asked(story, AsOf(revision=-1))


def test_statuses_then_survive_a_restart(folder: Path, story: Brain) -> None:
    expected = versions(story, 3)
    story.close()
    with open_brain(folder, **TOLD_ONLY) as reopened:
        assert versions(reopened, 3) == expected
