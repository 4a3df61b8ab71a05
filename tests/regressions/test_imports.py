"""A conversation of last year is committed after one of this year: what was said since stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.v1.event_pb2 import Entity

from brain_core import Brain
from tests.building import Clock, active, open_by, say, second
from tests.commit.drafting import draft, give, item_at, value_at

LAST_YEAR = -365 * 86_400


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    with open_by(Clock(), folder) as opened:
        yield opened


def held(brain: Brain) -> str:
    return "\n".join(item.text for item in active(brain, "m"))


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("I love coffee.", "I don't like coffee any more."),
        ("我喜欢喝咖啡。", "我不喜欢喝咖啡了。"),
        ("I am allergic to peanuts.", "I am not allergic to peanuts any more."),
        ("I live in Oslo.", "I no longer live in Oslo."),
        ("我住在北京。", "我不住在北京了。"),
        ("We decided to use Postgres for the database.", "We no longer use Postgres for the database."),
        ("The staging server runs on port 9090.", "The staging server runs on port 8080."),
        ("I need to call the dentist by Friday.", "I no longer need to call the dentist."),
    ],
)
def test_an_old_denial_or_value_changes_nothing_that_was_said_since(brain: Brain, now: str, then: str) -> None:
    brain.commit_turn(say("m", "s", now))
    before = held(brain)
    assert before
    answer = brain.commit_turn(say("m", "old", then, at=LAST_YEAR))
    assert held(brain) == before
    assert any("said before what holds, which was said on 2023-11-14" in one.reason for one in answer.explain.retention)


@pytest.mark.parametrize(
    ("now", "then", "kept", "joined"),
    [
        ("I live in Oslo.", "I work as a nurse.", "home: Oslo", "role: nurse"),
        ("我住在北京。", "我是护士。", "home: 北京", "role: 护士"),
    ],
)
def test_an_old_fact_of_another_name_joins_the_profile(
    brain: Brain, now: str, then: str, kept: str, joined: str
) -> None:
    brain.commit_turn(say("m", "s", now))
    [before] = active(brain, "m")
    brain.commit_turn(say("m", "old", then, at=LAST_YEAR))
    assert kept in held(brain)
    assert joined in held(brain)
    [profile] = active(brain, "m")
    assert profile.said_at == before.said_at, "the others are no older for it"
    times = {origin.k: origin.said_at.seconds for origin in profile.fact_origins}
    assert times["home"] - times["role"] == -LAST_YEAR
    give(brain, draft("profile", {"facts": [{"k": "role", "v": "pilot"}]}), at=LAST_YEAR / 2)
    assert "role: pilot" in held(brain), "it is later than the fact that it replaces, if not than the others"
    give(brain, draft("profile", {"facts": [{"k": "role", "v": "judge"}, {"k": "home", "v": "Rome"}]}), at=LAST_YEAR)
    assert "role: pilot" in held(brain)
    assert kept in held(brain)


@pytest.mark.parametrize(
    ("told", "denied"), [("I love coffee.", "I don't like coffee any more."), ("我喜欢喝咖啡。", "我不喜欢喝咖啡了。")]
)
def test_what_was_denied_since_does_not_come_back(brain: Brain, told: str, denied: str) -> None:
    brain.commit_turn(say("m", "s", told, at=LAST_YEAR / 2))
    brain.commit_turn(say("m", "s", denied))
    assert not held(brain)
    answer = brain.commit_turn(say("m", "old", told, at=LAST_YEAR))
    assert not held(brain)
    assert any("said before it was denied, on 2023-11-14" in one.reason for one in answer.explain.retention)
    brain.commit_turn(say("m", "s", told))
    assert held(brain), "said anew it holds again"


def test_a_fact_said_again_last_year_is_no_older(brain: Brain) -> None:
    for at in (0, LAST_YEAR):
        give(brain, draft("profile", {"facts": [{"k": "role", "v": "nurse"}]}), at=at)
    give(brain, draft("profile", {"facts": [{"k": "role", "v": "judge"}]}), at=LAST_YEAR / 2)
    assert value_at(brain, "profile", "profile:user")["facts"] == [{"k": "role", "v": "nurse"}]


def test_what_an_entity_was_last_year_replaces_nothing_and_what_is_new_joins(brain: Brain) -> None:
    for alias, attrs, at in (
        ("A", {"job": "judge 法官"}, 0),
        ("Annie", {"job": "nurse 护士", "town": "Oslo"}, LAST_YEAR),
    ):
        ann = Entity(kind="person", canonical="Ann", remember=True, aliases=[alias], attrs=attrs)
        give(brain, entities=[ann], at=at)
    value = value_at(brain, "entities", "entity:person:Ann")
    assert value["attrs"] == {"job": "judge 法官", "town": "Oslo"}
    assert (value["aliases"], value["mentions"]) == (["A", "Annie"], 2)
    assert item_at(brain, "entities", "entity:person:Ann").said_at == second(0)


def test_a_skill_is_as_good_as_it_was_last_said_to_be(brain: Brain) -> None:
    skill = {"category": "coding", "name": "cython"}
    for level, at in ((0.8, 0), (0.2, LAST_YEAR)):
        practice = [{"note": f"level {level}", "proficiency": level}]
        give(brain, draft("skills", {**skill, "proficiency": level, "practice": practice}), at=at)
    give(brain, draft("skills", {**skill, "practice": [{"note": "older", "proficiency": 0.1}]}), at=LAST_YEAR)
    value = value_at(brain, "skills", "skill:coding:cython")
    assert value["proficiency"] == 0.8
    assert len(value["practice"]) == 3
