"""The type registry: keys, defaults, texts, addresses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.item_pb2 import LAYER_EPISODIC, LAYER_LONGTERM, LAYER_WORKING

from brain_core.errors import InvalidArgument
from brain_core.kinds.registry import KINDS, key_part, kind_of, slug

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
        "project://entities/person/%E7%8E%8B%E5%B0%8F%E6%98%8E",
    ),
}


def test_every_type_has_a_sample() -> None:
    assert set(SAMPLES) == set(KINDS)


@pytest.mark.parametrize("item_type", sorted(SAMPLES))
def test_key_text_and_address_follow_from_the_value(item_type: str) -> None:
    given_value, key, uri = SAMPLES[item_type]
    kind = kind_of(item_type, "type")
    value = {**kind.defaults, **given_value}
    assert kind.key(value) == key
    assert kind.uri(value) == uri
    assert kind.text(value).startswith(f"[{item_type}:{key}]\n")
    assert kind.text(value).split("\n", 1)[1].strip()
    assert 0 <= kind.priority(value) <= 10
    assert kind.layer(value) in {LAYER_WORKING, LAYER_EPISODIC, LAYER_LONGTERM}
    assert set(kind.required) <= set(value) | set(kind.parts)


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
