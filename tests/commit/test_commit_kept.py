"""What an item keeps when another value comes: its place by the day of a decision, and the priority a caller gave."""

from __future__ import annotations

import pytest
from smartbrain.v1.event_pb2 import Decision
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from brain_core.errors import InvalidArgument
from tests.building import turn
from tests.commit.drafting import decisions, draft, give, item_at, value_at

TONE = {"scope": "writing", "name": "tone"}


def decide(brain: Brain, what: str, made_at: str = "") -> list[tuple[str, str]]:
    decision = Decision(topic="db 数据库", decision=what, made_at=made_at)
    return decisions(brain.commit_turn(turn("m", "s", decisions=[decision])))


def held(brain: Brain) -> str:
    return str(value_at(brain, "decisions", "decision:default:db_数据库")["decision"])


def test_an_older_decision_does_not_replace_a_newer_one(brain: Brain) -> None:
    decide(brain, "Postgres", "2023-11-01")
    assert decide(brain, "MySQL", "2022-01-01") == [("validity", "kept")]
    assert held(brain) == "Postgres"
    assert decide(brain, "SQLite 轻量", "2023-11-02") == [("versioned", "versioned")]
    assert held(brain) == "SQLite 轻量"


@pytest.mark.parametrize("first", ["2023-11-01", "2023-11-14", "2026-11-01"])
def test_a_decision_that_says_no_day_is_of_the_day_it_is_said(brain: Brain, first: str) -> None:
    decide(brain, "Postgres", first)
    assert decide(brain, "MySQL") == [("versioned", "versioned")]
    assert held(brain) == "MySQL"


def test_a_decision_of_the_same_day_replaces_and_a_repeated_one_does_not(brain: Brain) -> None:
    decide(brain, "Postgres", "2023-11-01")
    assert decide(brain, "postgres.", "2022-01-01") == [("versioned", "refreshed")]
    assert decide(brain, "MySQL", "2023-11-01") == [("versioned", "versioned")]


@pytest.mark.parametrize("priority", [0, 7, 10])
def test_the_priority_that_a_caller_gave_stays_with_the_next_value(brain: Brain, priority: int) -> None:
    give(brain, draft("preferences", {**TONE, "value": "a"}, priority=priority, disclosure="When writing"))
    give(brain, draft("preferences", {**TONE, "value": "b"}))
    item = item_at(brain, "preferences", "pref:writing:tone")
    assert (item.version, item.priority, item.disclosure) == (2, priority, "When writing")
    give(brain, draft("preferences", {**TONE, "value": "c"}, priority=3))
    assert item_at(brain, "preferences", "pref:writing:tone").priority == 3


def test_the_priority_of_a_type_follows_the_value(brain: Brain) -> None:
    for status, priority in (("active", 2), ("reached", 6), ("active", 2)):
        give(brain, draft("goals", {"name": "ship", "status": status}))
        assert item_at(brain, "goals", "goal:default:ship").priority == priority


def test_a_list_by_what_no_newest_version_is_names_the_history(brain: Brain) -> None:
    for value in ("a", "b"):
        give(brain, draft("preferences", {**TONE, "value": value}))
    for times in (1, 2):
        with pytest.raises(InvalidArgument, match="GetItemHistory") as failed:
            brain.list_items(ListItemsRequest(memory_id="m", statuses=[ITEM_STATUS_SUPERSEDED] * times))
        assert failed.value.field == "statuses"
    beside = ListItemsRequest(memory_id="m", statuses=[ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED])
    assert [item.version for item in brain.list_items(beside).items] == [2]
