"""The type registry: keys, defaults, texts, addresses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.item_pb2 import LAYER_EPISODIC, LAYER_LONGTERM, LAYER_WORKING

from brain_core.errors import InvalidArgument
from brain_core.kinds.kind import CATEGORIES, key_part, slug
from brain_core.kinds.merge import without
from brain_core.kinds.registry import KINDS, Kinds, kind_of

SAMPLES: dict[str, tuple[dict[str, Any], str, str]] = {
    "preferences": (
        {"scope": "writing", "name": "tone", "value": "short"},
        "pref:writing:tone",
        "user://preferences/writing/tone",
    ),
    "goals": ({"project": "web", "name": "launch it"}, "goal:web:launch_it", "project://web/goals/launch%20it"),
    "tasks": ({"project": "web", "task_id": "T-1", "title": "x"}, "task:web:T-1", "task://todos/web/T-1"),
    "decisions": ({"topic": "db", "decision": "RocksDB"}, "decision:default:db", "project://default/decisions/db"),
    "events": (
        {"date": "2024-05-01", "slug": "moved_house", "title": "Moved house"},
        "event:default:2024-05-01:moved_house",
        "task://session_log/default/2024-05-01/moved_house",
    ),
    "entities": (
        {"kind": "person", "canonical": "王小明"},
        "entity:person:王小明",
        "project://entities/person/王小明",
    ),
    "identity": ({"subject": "agent", "name": "Bo"}, "identity:agent", "system://identity/agent"),
    "profile": ({"facts": [{"k": "employer", "v": "Acme"}]}, "profile:user", "user://context/user"),
    "skills": ({"category": "coding", "name": "Docker"}, "skill:coding:Docker", "user://standards/skills/coding/Docker"),
    "working": ({"task": "t1", "name": "step", "value": 3.0}, "working:t1:step", "task://current/t1/step"),
    "knowledge": (
        {"content": "The VPN needs a certificate"},
        "knowledge:fact:the_vpn_needs_a_certificate",
        "project://knowledge/fact/the_vpn_needs_a_certificate",
    ),
    "patches": (
        {"kind": "technology", "description": "Python 3.13 is out", "event_date": "2024-10-07"},
        "patch:technology:python_3_13_is_out",
        "system://patches/technology/python_3_13_is_out",
    ),
    "notes": (
        {"uri": "project://web/config/部署", "content": "blue-green"},
        "project://web/config/部署",
        "project://web/config/部署",
    ),
    "cases": (
        {"domain": "rag", "problem": "No hits"}, "case:rag:no_hits", "workflow://solutions/rag/no_hits",
    ),
    "patterns": (
        {"domain": "context", "name": "slots", "rule": "one by one"},
        "pattern:context:slots",
        "workflow://patterns/context/slots",
    ),
    "experiences": (
        {"task_type": "coding", "outcome": "success", "description": "Wrote a scraper"},
        "experience:coding:wrote_a_scraper",
        "workflow://experiences/coding/wrote_a_scraper",
    ),
}  # fmt: skip


def test_every_type_has_a_sample() -> None:
    assert set(SAMPLES) == set(KINDS)


@pytest.mark.parametrize("item_type", sorted(SAMPLES))
def test_key_text_and_address_follow_from_the_value(item_type: str) -> None:
    given_value, key, uri = SAMPLES[item_type]
    kind = kind_of(item_type, "type")
    kind.check("value", given_value, 128)
    value = kind.complete(given_value)
    assert kind.key(value) == key
    assert kind.uri(value) == uri
    assert kind.text(value).startswith(f"[{item_type}:{key}]\n")
    assert kind.text(value).split("\n", 1)[1].strip()
    assert 0 <= kind.priority(value) <= 10
    assert kind.layer(value) in {LAYER_WORKING, LAYER_EPISODIC, LAYER_LONGTERM}
    assert set(kind.required) <= set(value) | set(kind.parts)
    assert {*kind.parts, *kind.required, *kind.defaults, *kind.compared, *kind.quiet} <= set(kind.fields)
    assert kind.category(value) in CATEGORIES[kind.layer(value)]


def test_what_a_value_says_stands_in_its_text() -> None:
    goal = {"project": "web", "name": "launch", "status": "active", "description": "before winter"}
    assert "before winter" in KINDS["goals"].text(goal)
    task = {
        "project": "web",
        "task_id": "1",
        "title": "write",
        "status": "doing",
        "due": "2024-01-02",
        "notes": ["a", "b"],
    }
    text = KINDS["tasks"].text(task)
    for part in ("write", "doing", "2024-01-02", "a; b"):
        assert part in text
    decision = {"project": "web", "topic": "db", "decision": "RocksDB", "rationale": "speed", "made_at": "2024-01-02"}
    for part in ("RocksDB", "speed", "2024-01-02"):
        assert part in KINDS["decisions"].text(decision)
    entity = {"kind": "person", "canonical": "Ann", "aliases": ["Annie"], "attrs": {"city": "Paris"}}
    for part in ("Annie", "city: Paris"):
        assert part in KINDS["entities"].text(entity)


def test_a_task_moves_to_the_episodic_layer_once_done() -> None:
    layer = KINDS["tasks"].layer
    assert layer({"status": "done"}) == LAYER_EPISODIC
    assert {layer({"status": status}) for status in ("todo", "doing", "blocked")} == {LAYER_WORKING}


def test_a_goal_that_is_over_is_no_longer_pinned() -> None:
    priority = KINDS["goals"].priority
    assert priority({"status": "active"}) == 2
    assert priority({"status": "reached"}) == priority({"status": "dropped"}) == 6


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=40))
def test_a_key_part_has_no_colon_and_no_white_space(text: str) -> None:
    part = key_part(text)
    assert ":" not in part
    assert not any(letter.isspace() for letter in part)
    assert key_part(part) == part


def test_key_parts_are_readable() -> None:
    assert key_part("  Two  words ") == "Two_words"
    assert key_part("a:b") == "a_b"
    assert key_part("ｆｕｌｌ：ｗｉｄｔｈ") == "full_width"


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=200))
def test_a_slug_is_short_and_plain(text: str) -> None:
    made = slug(text)
    assert len(made) <= 80
    assert made == made.strip("_")
    assert all(letter.isalnum() or letter == "_" for letter in made)


def test_slugs_keep_any_script() -> None:
    assert slug("Moved to 北京, finally!") == "moved_to_北京_finally"
    assert slug("!!!") == ""


def test_an_unknown_type_is_refused_by_name() -> None:
    with pytest.raises(InvalidArgument, match=r"turn\.retractions\[0\]\.type") as failed:
        kind_of("prefs", "turn.retractions[0].type")
    assert failed.value.value == "prefs"
    assert failed.value.limit == " | ".join(KINDS)


def test_texts_hold_what_values_say_in_either_language() -> None:
    profile = {
        "subject": "user",
        "facts": [{"k": "employer", "v": "Acme", "since": "2024"}, {"k": "城市", "v": "上海"}],
    }
    assert KINDS["profile"].text(profile).splitlines()[1:] == [
        "Profile of the user", "employer: Acme (since 2024)", "城市: 上海",
    ]  # fmt: skip
    skill = {"category": "coding", "name": "Docker", "proficiency": 6.0, "practice": [{"date": "2024-05-01"}]}
    assert "proficiency 6 of 10" in KINDS["skills"].text(skill)
    experience = KINDS["experiences"].complete(
        {
            "outcome": "failure",
            "description": "调试 API",
            "learning": {"lessons_learned": ["加重试"], "mistakes": ["no timeout"]},
        }
    )
    for part in ("failure", "调试 API", "Lessons: 加重试", "Mistakes: no timeout"):
        assert part in KINDS["experiences"].text(experience)
    patch = {
        "kind": "policy",
        "slug": "s",
        "description": "d",
        "event_date": "2024-01-02",
        "add": ["a"],
        "remove": ["r"],
    }
    for part in ("2024-01-02", "No longer: r", "New: a"):
        assert part in KINDS["patches"].text(patch)


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("preferences", {"name": "tone"}, "value.value"),
    ("preferences", {"name": " ", "value": "x"}, "value.name"),
    ("preferences", {"name": "::", "value": "x"}, "value.name"),
    ("preferences", {"scope": "food", "name": "n", "value": "x"}, "value.scope"),
    ("preferences", {"name": "n", "value": 3.0}, "value.value"),
    ("preferences", {"name": "n", "value": "x", "priority": 1.5}, "value.priority"),
    ("preferences", {"name": "n", "value": "x", "colour": "red"}, "value.colour"),
    ("preferences", {"name": "a\tb", "value": "x"}, "value.name"),
    ("preferences", {"name": "长" * 43, "value": "x"}, "value.name"),
    ("profile", {"facts": []}, "value.facts"),
    ("profile", {"facts": [{"k": "employer"}]}, "value.facts[0].v"),
    ("profile", {"facts": [{"k": "x" * 65, "v": "Acme"}]}, "value.facts[0].k"),
    ("profile", {"facts": "Acme"}, "value.facts"),
    ("tasks", {"task_id": "1", "due": "2024-02-30"}, "value.due"),
    ("tasks", {"task_id": "1", "notes": ["n"] * 201}, "value.notes"),
    ("tasks", {"task_id": "1", "notes": [1.0]}, "value.notes[0]"),
    ("skills", {"name": "Docker", "proficiency": 11.0}, "value.proficiency"),
    ("skills", {"name": "Docker", "proficiency": float("nan")}, "value.proficiency"),
    ("skills", {"name": "Docker", "practice": [{"minutes": -1.0}]}, "value.practice[0].minutes"),
    ("knowledge", {"kind": "rumour", "content": "x"}, "value.kind"),
    ("knowledge", {"content": "x" * 20_000}, "value.content"),
    ("patches", {"description": "d"}, "value.event_date"),
    ("patches", {"description": "d", "event_date": "2024-01-02", "update": [{"old": "a"}]}, "value.update[0].new"),
    ("experiences", {"outcome": "draw", "description": "d"}, "value.outcome"),
    ("experiences", {"outcome": "success", "description": "d", "approach": {"tool": "x"}}, "value.approach.tool"),
    ("working", {"name": "n", "value": 1.0, "category": "lesson"}, "value.category"),
    ("notes", {"uri": "http://x/y", "content": "c"}, "uri"),
    ("notes", {"uri": "project:// x", "content": "c"}, "uri"),
    ("notes", {"uri": "system://boot", "content": "c"}, "uri"),
    ("notes", {"uri": "project://x", "content": "c", "category": "event"}, "value.category"),
    ("notes", {"uri": "project://x", "content": "c", "layer": "working", "category": "lesson"}, "value.category"),
]


@pytest.mark.parametrize(("item_type", "value", "field"), BAD)
def test_a_bad_value_is_refused_by_field(item_type: str, value: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidArgument) as failed:
        KINDS[item_type].check("value", value, 128)
    assert failed.value.field == field
    assert failed.value.limit
    assert field in str(failed.value)


def test_an_unknown_category_names_those_that_the_layer_allows() -> None:
    with pytest.raises(InvalidArgument, match=r"context \| state"):
        KINDS["notes"].check("value", {"uri": "task://x", "content": "c", "layer": "working", "category": "x"}, 128)
    KINDS["notes"].check("value", {"uri": "task://x", "content": "c", "layer": "working", "category": "context"}, 128)


def test_one_fact_in_other_spellings_has_one_key() -> None:
    keys = {
        KINDS["preferences"].key({"scope": "ui", "name": name})
        for name in ("ｄａｒｋ mode", "dark  mode", " dark\u200b mode")
    }
    assert keys == {"pref:ui:dark_mode"}
    notes = {KINDS["notes"].key({"uri": uri}) for uri in ("project://a/b", "project://a/b/", "ｐroject://a/b ")}
    assert notes == {"project://a/b"}


def test_facts_are_merged_by_name_and_denied_by_name() -> None:
    merge = KINDS["profile"].merge
    old = {"subject": "user", "facts": [{"k": "employer", "v": "Acme", "since": "2020"}, {"k": "home", "v": "Rome"}]}
    moved = merge(old, {"facts": [{"k": "home", "v": "Paris"}]})
    assert moved["facts"] == [{"k": "employer", "v": "Acme", "since": "2020"}, {"k": "home", "v": "Paris"}]
    assert merge(old, {"facts": [{"k": "employer", "v": "acme"}]})["facts"][0]["since"] == "2020"
    left = without(old, {"home": lambda known: known == "Rome"}, "2024-01-01")
    assert (left["facts"], left["denied"]) == (old["facts"][:1], [{"k": "home", "v": "Rome"}])
    assert "denied" not in merge(left, {"facts": [{"k": "home", "v": "Rome"}]}), "saying it again takes the denial back"
    assert without(old, {"home": lambda known: known == "Oslo"}, "2024-01-01")["facts"] == old["facts"]


def test_practice_gathers_and_tells_the_proficiency() -> None:
    merge = KINDS["skills"].merge
    old = {"name": "Docker", "proficiency": 5, "practice": [{"date": "2024-05-01", "minutes": 30}]}
    new = merge(old, {"practice": [{"date": "2024-05-02", "minutes": 60, "proficiency": 6}]})
    assert [each["date"] for each in new["practice"]] == ["2024-05-01", "2024-05-02"]
    assert new["proficiency"] == 6
    assert merge(old, {"proficiency": 7})["proficiency"] == 7
    assert merge(old, {"practice": [{"date": "2024-05-03"}]})["proficiency"] == 5


def test_a_type_and_a_prefix_stand_for_one_kind() -> None:
    with pytest.raises(ValueError, match="goals"):
        Kinds([KINDS["goals"], KINDS["goals"]])
    with pytest.raises(ValueError, match="prefix"):
        Kinds([KINDS["goals"], replace(KINDS["tasks"], prefix="goal")])
