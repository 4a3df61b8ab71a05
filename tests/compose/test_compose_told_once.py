"""An item beside the message that it was read in."""

from __future__ import annotations

from typing import Any

import pytest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Message
from smartbrain.v1.plan_pb2 import PlanFilters

from brain_core import Brain
from tests.building import compose, plan, turn
from tests.commit.drafting import draft, item_at

LEAKS = "The roof of the barn leaks near beam 7."
QUESTION = "Where does the roof of the barn leak?"


def told(brain: Brain, text: str, item_type: str, **parts: Any) -> str:  # noqa: ANN401
    """Commit a message and what is read of it or given beside it; return the id of the one item as evidence."""
    answer = brain.commit_turn(turn("m", "s", messages=[Message(role="user", content=text)], **parts))
    [key] = [one.key for one in answer.items if one.type == item_type]
    item = item_at(brain, item_type, key)
    return f"{item.id}:{item.version}"


def ids(package: ContextPackage) -> list[str]:
    return [one.id for one in package.evidence]


def why_out(package: ContextPackage, evidence_id: str) -> list[tuple[str, str]]:
    return [(one.reason, one.detail) for one in package.debug.dropped if one.id == evidence_id]


def test_a_fact_does_not_stand_beside_the_message_that_says_it(brain: Brain) -> None:
    fact = told(brain, LEAKS, "knowledge")
    package = compose(brain, "m", "new", QUESTION)
    assert ids(package) == ["t1:t1.0"]
    assert why_out(package, fact) == [("duplicate", "was read in t1:t1.0, which says it")]


@pytest.mark.parametrize("message_id", ["a#1", "a#b#1", "#", "a"])
def test_a_message_is_known_by_any_id(brain: Brain, message_id: str) -> None:
    said = [Message(message_id=message_id, role="user", content=LEAKS)]
    answer = brain.commit_turn(turn("m", "s", messages=said))
    [fact] = [one for one in answer.items if one.type == "knowledge"]
    package = compose(brain, "m", "new", QUESTION)
    assert ids(package) == [f"t1:{message_id}"]
    item = item_at(brain, "knowledge", fact.key)
    assert why_out(package, f"{item.id}:{item.version}") == [
        ("duplicate", f"was read in t1:{message_id}, which says it")
    ]


def test_it_stands_where_the_message_is_not_found(brain: Brain) -> None:
    fact = told(brain, LEAKS, "knowledge")
    asked = plan(QUESTION, filters=PlanFilters(types=["knowledge"]))
    assert ids(compose(brain, "m", "new", QUESTION, plan=asked)) == [fact]


def test_what_a_caller_gives_beside_a_message_stands_for_itself(brain: Brain) -> None:
    given = draft("knowledge", {"kind": "fact", "content": "The barn's roof leaks in rain."})
    fact = told(brain, "Thanks, the roof of the barn was a good find!", "knowledge", items=[given])
    assert fact in ids(compose(brain, "m", "new", QUESTION))


@pytest.mark.parametrize(
    ("proposal", "accepted", "question"),
    [
        ("I suggest we use Postgres for the event store.", "ok do that", "what did we choose for the event store?"),
        ("建议用 Redis 做缓存。", "就这么办", "缓存用什么？"),
    ],
)
def test_an_acceptance_does_not_say_what_was_proposed(
    brain: Brain, proposal: str, accepted: str, question: str
) -> None:
    said = [("user", "hm"), ("assistant", proposal), ("user", accepted)]
    messages = [Message(role=role, content=text) for role, text in said]
    answer = brain.commit_turn(turn("m", "s", messages=messages))
    [key] = [one.key for one in answer.items if one.type == "decisions"]
    item = item_at(brain, "decisions", key)
    assert f"{item.id}:{item.version}" in ids(compose(brain, "m", "new", question))


def test_it_stands_where_its_message_has_no_room(brain: Brain) -> None:
    long = "We walked along the river for hours and said little. " * 12
    fact = told(brain, f"Remember that the roof of the barn leaks near beam 7. {long}", "knowledge")
    walk = "For how many hours did we walk along the river, and what did we say of the roof?"
    small, large = (compose(brain, "m", "new", walk, token_limit=limit) for limit in (110, 1000))
    assert ids(small) == [fact]
    assert ids(large) == ["t1:t1.0"]
    assert why_out(large, fact) == [("duplicate", "was read in t1:t1.0, which says it")]


@pytest.mark.parametrize(
    ("text", "long", "question"),
    [
        ("Remember that the roof of the barn leaks near beam 7. ", "We walked on and said little. ", QUESTION),
        ("记住：谷仓屋顶在七号梁附近漏水。", "后来我们沿着河走了很久，没怎么说话。", "谷仓屋顶哪里漏水？"),
    ],
)
def test_an_item_that_is_given_room_first_leaves_it_to_its_message_if_both_stand(
    brain: Brain, text: str, long: str, question: str
) -> None:
    fact = told(brain, text + long * 9, "knowledge")
    small, large = (compose(brain, "m", "new", question, token_limit=limit) for limit in (120, 1000))
    assert fact in ids(small)
    assert "t1:t1.0" not in ids(small)
    assert ids(large) == ["t1:t1.0"]
    assert why_out(large, fact) == [("duplicate", "was read in t1:t1.0, which says it")]


def test_a_value_that_has_replaced_another_stands_beside_its_message(brain: Brain) -> None:
    told(brain, "We decided to use SQLite for the database.", "decisions")
    now = told(brain, "We decided to use Postgres for the database.", "decisions")
    assert now in ids(compose(brain, "m", "new", "Which database do we use?"))


def test_a_fact_does_not_stand_beside_recent_turns_that_say_it(brain: Brain) -> None:
    fact = told(brain, LEAKS, "knowledge")
    package = compose(brain, "m", "s", QUESTION)
    assert [one.content for one in package.recent_turns] == [LEAKS]
    assert not ids(package)
    assert why_out(package, fact) == [("duplicate", "was read in t1:t1.0, which says it")]


def test_a_fact_stands_where_its_recent_turn_has_no_room(brain: Brain) -> None:
    long = "We walked along the river for hours and said little. " * 12
    fact = told(brain, f"Remember that the roof of the barn leaks near beam 7. {long}", "knowledge")
    package = compose(brain, "m", "s", QUESTION, token_limit=110)
    assert not package.recent_turns
    assert ids(package) == [fact]
