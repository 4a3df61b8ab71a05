"""Each fact of a profile is as sure, and the user's word, as it is itself: not as the fact that was told beside it."""

from __future__ import annotations

from typing import Any

import pytest
from smartbrain.v1.event_pb2 import ItemDraft
from smartbrain.v1.item_pb2 import ITEM_SOURCE_INFERENCE, ITEM_SOURCE_TOOL, ITEM_SOURCE_USER, ItemSource

from brain_core import Brain
from tests.building import compose, found, say
from tests.commit.drafting import decisions, draft, give, item_at, value_at, verdict_on

GUESS = {"source": "INFERENCE"}
TOOL = {"source": "TOOL"}


def facts(*, source: str = "USER", **named: str) -> ItemDraft:
    return draft("profile", {"facts": [{"k": k, "v": v} for k, v in named.items()]}, source=source)


def origins(brain: Brain) -> dict[str, tuple[str, float]]:
    return {
        one.k: (ItemSource.Name(one.source).removeprefix("ITEM_SOURCE_"), one.confidence)
        for one in item_at(brain, "profile", "profile:user").fact_origins
    }


def known(brain: Brain) -> dict[str, Any]:
    return {fact["k"]: fact["v"] for fact in value_at(brain, "profile", "profile:user")["facts"]}


def block(brain: Brain) -> str:
    return "\n".join(one.text for one in compose(brain, "m", "new", "hello").system_blocks)


@pytest.mark.parametrize(("told", "name"), [("My name is Ann.", "Ann"), ("我叫李明。", "李明")])
def test_a_guess_is_no_surer_for_what_is_told_beside_it(brain: Brain, told: str, name: str) -> None:
    give(brain, facts(source="INFERENCE", employer="Zebra 斑马厂"))
    brain.commit_turn(say("m", "s", told))
    item = item_at(brain, "profile", "profile:user")
    assert (item.source, item.confidence) == (ITEM_SOURCE_USER, 0.8)
    assert origins(brain)["employer"] == ("INFERENCE", 0.6)
    assert "employer: Zebra 斑马厂 (guessed)" in item.text
    assert name in block(brain)
    assert "Zebra" not in block(brain)
    assert any("Zebra" in text for text in found(brain, "m", "Zebra 斑马厂"))
    evidence = compose(brain, "m", "new", "Zebra 斑马厂?").evidence
    assert any("(guessed)" in one.snippet for one in evidence), "found, since it stands in no block"


def test_who_told_a_fact_is_kept_with_it(brain: Brain) -> None:
    first = give(brain, facts(employer="Acme"), at=0)
    second = give(brain, facts(source="TOOL", timezone="UTC"), at=60)
    item = item_at(brain, "profile", "profile:user")
    assert (item.source, item.confidence) == (ITEM_SOURCE_USER, 0.8)
    assert [
        (one.k, one.source, one.confidence, one.source_turn_id, one.source_message_id) for one in item.fact_origins
    ] == [
        ("employer", ITEM_SOURCE_USER, 0.8, first.turn_id, first.message_ids[0]),
        ("timezone", ITEM_SOURCE_TOOL, 0.9, second.turn_id, second.message_ids[0]),
    ]
    assert "(guessed)" not in item.text


@pytest.mark.parametrize("guess", ["INFERENCE", "OBSERVATION"])
@pytest.mark.parametrize("held", ["employer", "timezone"])
def test_a_told_fact_is_not_opened_to_guesses_by_one_beside_it(brain: Brain, held: str, guess: str) -> None:
    give(brain, facts(employer="Acme 公司"))
    give(brain, facts(source="TOOL", timezone="UTC"))
    before = item_at(brain, "profile", "profile:user")
    answer = give(brain, facts(source=guess, **{held: "其他 other"}))
    assert [decision for _, decision in decisions(answer)] == ["kept"]
    assert verdict_on(answer, "items[0]").verdict == "event_only"
    assert item_at(brain, "profile", "profile:user") == before
    give(brain, facts(source=guess, **{held: "other", "city": "Rome"}))
    assert known(brain) == {"employer": "Acme 公司", "timezone": "UTC", "city": "Rome"}
    assert origins(brain) == {"employer": ("USER", 0.8), "timezone": ("TOOL", 0.9), "city": (guess, 0.6)}
    assert item_at(brain, "profile", "profile:user").source == ITEM_SOURCE_USER


def test_a_guessed_fact_gives_way_to_whoever_knows(brain: Brain) -> None:
    give(brain, facts(employer="Acme"))
    give(brain, facts(source="INFERENCE", city="Rome", age="34"))
    give(brain, facts(source="TOOL", city="Paris"))
    give(brain, facts(source="INFERENCE", age="35"))
    assert known(brain) == {"employer": "Acme", "city": "Paris", "age": "35"}
    assert origins(brain)["city"] == ("TOOL", 0.9)


@pytest.mark.parametrize("again", ["Rome", "rome."])
def test_a_guess_that_the_user_says_too_is_told_from_then_on(brain: Brain, again: str) -> None:
    give(brain, facts(employer="Acme"))
    give(brain, facts(source="INFERENCE", city="Rome"))
    assert "Rome" not in block(brain)
    give(brain, facts(city=again))
    assert origins(brain)["city"] == ("USER", 0.8)
    assert "city: Rome" in block(brain) or "city: rome." in block(brain)
    assert "(guessed)" not in item_at(brain, "profile", "profile:user").text
    [text] = found(brain, "m", "Rome", mode="exact", types=["profile"])
    assert "(guessed)" not in text
    give(brain, facts(source="TOOL", city=again))
    assert origins(brain)["city"] == ("USER", 0.9)


def test_a_profile_of_guesses_alone_is_one(brain: Brain) -> None:
    for named in ({"city": "Rome"}, {"age": "34"}, {"city": "Rome"}):
        give(brain, facts(source="INFERENCE", **named))
    item = item_at(brain, "profile", "profile:user")
    assert (item.source, item.confidence, item.version) == (ITEM_SOURCE_INFERENCE, 0.6, 2)
    assert "(guessed)" not in item.text
    assert not block(brain)


def test_the_denial_of_a_fact_makes_no_other_one_told(brain: Brain) -> None:
    give(brain, facts(source="INFERENCE", home="Oslo", city="Rome"))
    brain.commit_turn(say("m", "s", "I live in Lisbon."))
    brain.commit_turn(say("m", "s", "I no longer live in Lisbon."))
    assert known(brain) == {"city": "Rome"}
    item = item_at(brain, "profile", "profile:user")
    assert (item.source, item.confidence) == (ITEM_SOURCE_INFERENCE, 0.6)
    assert not block(brain)


def test_a_guess_does_not_bring_back_a_fact_that_is_over(brain: Brain) -> None:
    over = {"k": "employer", "v": "Acme", "until": "2019"}
    give(brain, draft("profile", {"facts": [over]}))
    answer = give(brain, facts(source="INFERENCE", employer="Acme"))
    assert [decision for _, decision in decisions(answer)] == ["kept"]
    assert value_at(brain, "profile", "profile:user")["facts"] == [over]
    give(brain, facts(employer="Acme"))
    assert value_at(brain, "profile", "profile:user")["facts"] == [{"k": "employer", "v": "Acme"}]
