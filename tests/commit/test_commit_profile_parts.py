"""A profile that is told much: none of its items grows without end, and each fact is found where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.event_pb2 import ItemDraft, Retraction
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_RETRACTED

from brain_core import Brain
from brain_core.kinds.registry import KINDS
from brain_core.store import items
from tests.building import compose, found, open_brain, say
from tests.commit.drafting import decisions, draft, give, item_at, value_at, verdict_on

BOUND = 200
"""Bytes of an item's text, in these tests."""


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    with open_brain(folder, policies={"retention": {"profile_bytes": BOUND}}) as opened:
        yield opened


def facts(*, source: str = "USER", subject: str = "user", **named: str) -> ItemDraft:
    value = {"subject": subject, "facts": [{"k": k, "v": v} for k, v in named.items()]}
    return draft("profile", value, source=source)


def filled(brain: Brain, count: int = 30, subject: str = "user") -> dict[str, str]:
    """Tell so many facts, one at a time, and return them."""
    told = {f"fact_{number}": f"oak {number} 橡树" for number in range(count)}
    for k, v in told.items():
        give(brain, facts(subject=subject, **{k: v}))
    return told


def stands(brain: Brain, subject: str = "user") -> dict[str, dict[str, str]]:
    """Return the facts of each item of a subject's profile, by key."""
    first = f"profile:{subject}"
    stored = [
        item
        for item in items.scan_items(brain._kv, "m", "profile", first)
        if item.status == ITEM_STATUS_ACTIVE and (item.key == first or item.key.startswith(f"{first}:"))
    ]
    return {item.key: {one["k"]: one["v"] for one in value_at(brain, "profile", item.key)["facts"]} for item in stored}


def every(brain: Brain, subject: str = "user") -> list[tuple[str, str]]:
    return sorted(pair for each in stands(brain, subject).values() for pair in each.items())


def test_no_item_passes_the_bound_and_nothing_is_lost(brain: Brain) -> None:
    told = filled(brain)
    parts = stands(brain)
    assert list(parts)[:3] == ["profile:user", "profile:user:2", "profile:user:3"]
    assert every(brain) == sorted(told.items())
    assert all(len(item_at(brain, "profile", key).text.encode()) <= BOUND for key in parts)


def test_many_facts_at_once_are_parted_as_those_told_one_by_one(brain: Brain) -> None:
    told = {f"fact_{number}": f"oak {number} 橡树" for number in range(30)}
    answer = give(brain, facts(**told))
    verdicts = [one for one in answer.explain.retention if one.path == "items[0]"]
    assert [one.key for one in verdicts] == list(stands(brain))
    assert verdicts[0].reason == "given by the caller"
    assert verdicts[1].reason == "given by the caller; profile:user goes on in part 2, where this stands"
    assert {one.verdict for one in verdicts} == {"written"}
    assert every(brain) == sorted(told.items())
    assert all(len(item_at(brain, "profile", key).text.encode()) <= BOUND for key in stands(brain))


def test_the_first_item_alone_stands_in_every_context_and_the_others_are_found(brain: Brain) -> None:
    filled(brain)
    give(brain, facts(hobby="glassblowing 吹玻璃"))
    text = "\n".join(one.text for one in compose(brain, "m", "new", "hello").system_blocks)
    assert "fact 0: oak 0" in text
    assert "glassblowing" not in text
    assert any("glassblowing" in each for each in found(brain, "m", "glassblowing"))
    assert item_at(brain, "profile", "profile:user:2").uri == "user://context/user/2"


@pytest.mark.parametrize("name", ["fact_0", "fact_29"])
def test_a_fact_is_changed_where_it_stands(brain: Brain, name: str) -> None:
    filled(brain)
    before = {key: set(each) for key, each in stands(brain).items()}
    answer = give(brain, facts(**{name: "elm"}))
    assert decisions(answer) == [("versioned", "versioned")]
    assert {key: set(each) for key, each in stands(brain).items()} == before
    assert (name, "elm") in every(brain)
    assert give(brain, facts(source="INFERENCE", **{name: "guess"})).explain.conflicts[0].decision == "kept"


def test_what_is_told_in_words_is_changed_and_denied_where_it_stands(brain: Brain) -> None:
    filled(brain)
    brain.commit_turn(say("m", "s", "I live in Lisbon."))
    [key] = [key for key, each in stands(brain).items() if each.get("home") == "in Lisbon"]
    assert key != "profile:user"
    brain.commit_turn(say("m", "s", "I moved to Porto."))
    assert stands(brain)[key]["home"] == "Porto"
    brain.commit_turn(say("m", "s", "I no longer live in Porto."))
    assert all("home" not in each for each in stands(brain).values())
    give(brain, facts(source="INFERENCE", home="Porto"))
    assert all("home" not in each for each in stands(brain).values()), "a guess does not bring back what was denied"
    brain.commit_turn(say("m", "s", "I live in Porto."))
    assert stands(brain)[key]["home"] == "in Porto"


def test_what_must_not_be_forgotten_gets_into_the_first_item(brain: Brain) -> None:
    filled(brain)
    brain.commit_turn(say("m", "s", "I'm allergic to peanuts."))
    give(brain, facts(allergy_nuts="walnuts"))
    assert "allergy_nuts" in stands(brain)["profile:user"]
    give(brain, facts(**{f"allergy_{number}": "something of some length" for number in range(40)}))
    assert len(item_at(brain, "profile", "profile:user").text.encode()) <= 1.25 * BOUND


def test_room_that_a_denial_leaves_is_used(brain: Brain) -> None:
    filled(brain, 12)
    held = stands(brain)
    give(brain, retractions=[Retraction(type="profile", key="profile:user:2")])
    assert item_at(brain, "profile", "profile:user:2").status == ITEM_STATUS_RETRACTED
    assert set(stands(brain)) == set(held) - {"profile:user:2"}
    give(brain, facts(hobby="chess", pet="a cat", car="a Skoda", school="Leiden"))
    assert "profile:user:2" in stands(brain)


def test_the_end_of_a_profile_is_that_of_all_its_items(brain: Brain) -> None:
    filled(brain)
    filled(brain, subject="user2")
    answer = give(brain, retractions=[Retraction(type="profile", key="profile:user")])
    assert stands(brain) == {}
    assert len(every(brain, "user2")) == 30
    ended = [one.key for one in answer.explain.retention if one.path == "retractions[0]"]
    assert ended[0] == "profile:user"
    assert "profile:user:2" in ended


def test_each_has_a_profile_of_their_own(brain: Brain) -> None:
    told = filled(brain, subject="tom")
    filled(brain, 3)
    assert every(brain, "tom") == sorted(told.items())
    assert list(stands(brain)) == ["profile:user"]
    assert KINDS["profile"].subject_of("profile:tom:2") == "tom"


def test_the_caller_does_not_say_which_item_a_fact_is_of(brain: Brain) -> None:
    with pytest.raises(Exception, match="part: unknown field"):
        give(brain, draft("profile", {"facts": [{"k": "a", "v": "b"}], "part": "2"}))


def test_a_single_fact_may_be_longer_than_an_item(brain: Brain) -> None:
    filled(brain, 3)
    give(brain, facts(story="long " * BOUND))
    assert list(stands(brain)["profile:user:2"]) == ["story"]
    assert verdict_on(give(brain, facts(pet="cat")), "items[0]").key == "profile:user"


def test_the_first_item_fits_into_every_context_as_the_policy_comes(folder: Path) -> None:
    """A profile past system_blocks_max_tokens stood in none."""
    with open_brain(folder) as brain:
        for number in range(200):
            give(brain, facts(**{f"fact_{number}": "橡树林里的木屋"}))
        give(brain, facts(allergy_nuts="walnuts"))
        text = "\n".join(one.text for one in compose(brain, "m", "new", "hello").system_blocks)
    assert "fact 0: 橡树" in text
    assert "walnuts" in text


def test_a_field_called_facts_of_another_sort_is_no_profile(folder: Path) -> None:
    row = {
        "type": "sheets",
        "prefix": "sheet",
        "parts": ["name"],
        "policy": "overwrite",
        "layer": "longterm",
        "category": "note",
        "required": ["name"],
        "fields": {"name": "text", "facts": "list"},
        "text": "Sheet {name}: {facts}",
    }
    changes: dict[str, Any] = {"kinds": [row]}
    with open_brain(folder, **changes) as brain:
        give(brain, draft("sheets", {"name": "a", "facts": ["b", "c"]}))
        assert value_at(brain, "sheets", "sheet:a")["facts"] == ["b", "c"]
        give(brain, draft("sheets", {"name": "a", "facts": ["d"]}))
        assert value_at(brain, "sheets", "sheet:a")["facts"] == ["d"]
