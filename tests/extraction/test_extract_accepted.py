"""What the assistant proposed becomes a decision where the user accepts it, and nothing where that is not clear."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from google.protobuf import json_format
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse, DeleteTurnRequest
from smartbrain.v1.event_pb2 import Message
from smartbrain.v1.item_pb2 import ITEM_SOURCE_USER, MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from tests.building import brain, say, turn
from tests.extraction.accepting import wrong

__all__ = ["brain"]

PROPOSED = "I suggest we use Postgres for the event store."


def _decisions(brain: Brain) -> Sequence[MemoryItem]:
    return brain.list_items(ListItemsRequest(memory_id="m", types=["decisions"])).items


def _told(brain: Brain, proposed: str, accepted: str) -> CommitTurnResponse:
    brain.commit_turn(say("m", "s", "Which database should we use?", proposed))
    return brain.commit_turn(say("m", "s", accepted))


@pytest.mark.parametrize("name", ["en", "zh"])
def test_proposals_that_were_seen_are_read_as_they_should_be(name: str) -> None:
    assert len(wrong(name, "seen")) <= 1


@pytest.mark.parametrize(
    ("proposed", "accepted", "topic", "decision"),
    [
        (PROPOSED, "ok do that", "database", "use Postgres for the event store"),
        ("建议用 Redis 做缓存。", "好的，就按你说的来", "cache", "用 Redis 做缓存"),
        ("建议用 Redis 做缓存。", "ok, let's do that", "cache", "用 Redis 做缓存"),
    ],
)
def test_an_accepted_proposal_is_a_decision_of_both_messages(
    brain: Brain, proposed: str, accepted: str, topic: str, decision: str
) -> None:
    answer = _told(brain, proposed, accepted)
    [item] = _decisions(brain)
    value = json_format.MessageToDict(item.value)
    assert (value["topic"], value["decision"]) == (topic, decision)
    assert item.confidence >= 0.8
    assert item.source == ITEM_SOURCE_USER
    assert item.source_message_id == answer.message_ids[0]
    assert (item.source_span.start, item.source_span.end) == (0, len(accepted))
    start = proposed.index(decision)
    assert list(item.evidence_refs) == [f"smartbrain://m/s/t1#t1.1:{start}-{start + len(decision)}"]
    assert [each.reason for each in answer.explain.retention if each.rule == "accepted"] == [
        "proposed by the assistant, accepted by the user"
    ]


@pytest.mark.parametrize(
    ("proposed", "accepted"),
    [("Option A: Postgres. Option B: MySQL.", "ok do that"), ("方案一：用 Postgres。方案二：用 MySQL。", "就这么办")],
)
def test_where_several_things_were_proposed_explain_says_that_none_is_named(
    brain: Brain, proposed: str, accepted: str
) -> None:
    answer = _told(brain, proposed, accepted)
    assert not _decisions(brain)
    assert [each.reason for each in answer.explain.retention] == [
        "several things were proposed, and none of them is named"
    ]


def test_what_was_proposed_before_something_else_was_said_is_not_accepted(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "Which database?", PROPOSED, "I see.", "The weather is fine."))
    brain.commit_turn(say("m", "s", "ok do that"))
    brain.commit_turn(say("m", "t", "ok do that"))
    assert not _decisions(brain)


def test_a_proposal_inside_a_role_play_is_not_accepted(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "Let's roleplay: you are the architect of a castle.", PROPOSED))
    brain.commit_turn(say("m", "s", "ok do that"))
    assert not _decisions(brain)


def test_a_proposal_that_holds_a_secret_is_not_taken_over(brain: Brain) -> None:
    _told(brain, "I suggest we use the key AKIAIOSFODNN7EXAMPLE for the bucket.", "ok do that")
    assert not _decisions(brain)


def test_what_a_tool_or_the_user_proposed_is_not_accepted(brain: Brain) -> None:
    said = [Message(role="tool", content=PROPOSED), Message(role="user", content="ok do that")]
    brain.commit_turn(turn("m", "s", messages=said))
    assert not _decisions(brain)


def test_a_decision_goes_with_the_turn_in_which_it_was_proposed(brain: Brain) -> None:
    _told(brain, PROPOSED, "ok do that")
    brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id="t1"))
    assert not _decisions(brain)
    assert not brain.list_items(ListItemsRequest(memory_id="m")).items


@pytest.mark.parametrize(
    ("proposed", "accepted", "decision"),
    [
        ("I suggest a counters table per branch, with a row lock.", "ok do the counters table", "counters table"),
        ("I'd go with Postgres for the ledger.", "postgres then", "Postgres for the ledger"),
        ("Option A: Redis with a TTL. Option B: an in-process LRU.", "LRU it is", "an in-process LRU"),
        ("我建议用计数表，每个门店一行。", "好，用计数表", "用计数表"),
        ("方案一：Redis，一小时过期。方案二：进程内 LRU。", "那就用进程内的", "进程内 LRU"),
    ],
)
def test_what_is_proposed_may_be_taken_up_by_its_words(
    brain: Brain, proposed: str, accepted: str, decision: str
) -> None:
    _told(brain, proposed, accepted)
    [item] = _decisions(brain)
    assert decision in item.text


@pytest.mark.parametrize(
    ("proposed", "accepted"),
    [
        ("I suggest Redis with a TTL of an hour.", "ok use the other one"),
        ("Option A: Redis with a TTL. Option B: Redis without one.", "Redis then"),
        ("I suggest a lentil soup tonight.", "ok do the soup"),
        ("方案一：Redis 加过期。方案二：Redis 不过期。", "用 Redis 吧"),
    ],
)
def test_words_that_fit_nothing_proposed_or_several_things_accept_nothing(
    brain: Brain, proposed: str, accepted: str
) -> None:
    answer = _told(brain, proposed, accepted)
    assert "accepted" not in [each.rule for each in answer.explain.retention]
