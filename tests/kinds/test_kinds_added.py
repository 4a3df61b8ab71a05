"""Kinds of one's own: declared in brain.yml, or brought by an installed package."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from google.protobuf.struct_pb2 import Struct
from smartbrain.v1.event_pb2 import ItemDraft, Retraction
from smartbrain.v1.item_pb2 import LAYER_LONGTERM

from brain_core import Brain, load_policy
from brain_core.errors import InvalidArgument, PolicyError
from brain_core.kinds import declared as declared_module
from brain_core.kinds.load import make_kinds
from brain_core.store import items
from tests.building import embedder, found, ticking, turn

ROW: dict[str, Any] = {
    "type": "recipes",
    "prefix": "recipe",
    "parts": ["cuisine", "name"],
    "policy": "versioned",
    "layer": "longterm",
    "category": "pattern",
    "required": ["name", "steps"],
    "fields": {"cuisine": ["italian", "chinese", "other"], "name": "text", "steps": "list", "rating": "number"},
    "defaults": {"cuisine": "other"},
    "compared": ["name"],
    "text": "Recipe: {name} ({cuisine})\nSteps: {steps}\nRated: {rating}",
    "uri": "workflow://recipes/{cuisine}/{name}",
}


def open_with(folder: Path, *rows: dict[str, Any]) -> Brain:
    policy = load_policy({"store": {"durability": "process"}, "kinds": list(rows)})
    return Brain.open(folder, policy, embedder(), ticking())


def draft(item_type: str, **value: Any) -> ItemDraft:  # noqa: ANN401
    held = Struct()
    held.update(value)
    return ItemDraft(type=item_type, value=held)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (1234567, "1234567"),
        (123456789.25, "123456789.25"),
        (9007199254740991, "9007199254740991"),
        (-40000000, "-40000000"),
        (0.1 + 0.2, "0.3"),
        (1e300, "1e+300"),
    ],
)
def test_a_number_is_told_with_all_its_digits(folder: Path, given: float, told: str) -> None:
    with open_with(folder, ROW) as brain:
        recipe = draft("recipes", name="rice", steps=["boil"], rating=given)
        brain.commit_turn(turn("m", "s", items=[recipe]))
        item = items.read_item(brain._kv, "m", "recipes", "recipe:other:rice")
        assert item is not None
        assert item.text.splitlines()[-1] == f"Rated: {told}"


def test_a_declared_kind_is_a_kind_like_any_other(folder: Path) -> None:
    with open_with(folder, ROW) as brain:
        recipe = draft("recipes", cuisine="italian", name="risotto bianco", steps=["stir", "rest"])
        brain.commit_turn(turn("m", "s", items=[recipe]))
        item = items.read_item(brain._kv, "m", "recipes", "recipe:italian:risotto_bianco")
        assert item is not None
        assert item.text.splitlines()[1:] == ["Recipe: risotto bianco (italian)", "Steps: stir, rest"]
        assert (item.uri, item.layer, item.category) == (
            "workflow://recipes/italian/risotto%20bianco", LAYER_LONGTERM, "pattern",
        )  # fmt: skip
        assert (item.priority, item.confidence) == (5, 0.8)
        better = draft("recipes", cuisine="italian", name="risotto bianco", steps=["stir more"], rating=5)
        answer = brain.commit_turn(turn("m", "s", items=[better]))
        assert [one.decision for one in answer.explain.conflicts] == ["versioned"]
        assert any("stir more" in text for text in found(brain, "m", "risotto", types=["recipes"]))
        denial = Retraction(type="recipes", key="recipe:italian:risotto_bianco")
        answer = brain.commit_turn(turn("m", "s", retractions=[denial]))
        assert [one.decision for one in answer.explain.conflicts] == ["retracted"]


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"name": "x"}, "turn.items[0].value.steps"),
        ({"name": "x", "steps": ["a"], "cuisine": "thai"}, "turn.items[0].value.cuisine"),
        ({"name": "x", "steps": ["a"], "rating": "good"}, "turn.items[0].value.rating"),
    ],
)
def test_a_declared_shape_is_checked(folder: Path, value: dict[str, Any], field: str) -> None:
    with open_with(folder, ROW) as brain, pytest.raises(InvalidArgument) as failed:
        brain.commit_turn(turn("m", "s", items=[draft("recipes", **value)]))
    assert failed.value.field == field


def test_without_its_row_a_type_is_unknown(folder: Path) -> None:
    with open_with(folder) as brain, pytest.raises(InvalidArgument, match="unknown type"):
        brain.commit_turn(turn("m", "s", items=[draft("recipes", name="x", steps=["a"])]))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"type": "Recipes!"}, "kinds[0].type"),
        ({"prefix": "re:cipe"}, "kinds[0].prefix"),
        ({"parts": []}, "kinds[0].parts"),
        ({"parts": ["colour"]}, "kinds[0]"),
        ({"parts": ["rating"]}, "kinds[0].parts"),
        ({"category": "event"}, "kinds[0].category"),
        ({"fields": {**ROW["fields"], "rating": "money"}}, "kinds[0].fields.rating"),
        ({"text": "{nothing}"}, "kinds[0]"),
        ({"type": "goals"}, "kinds"),
        ({"prefix": "goal"}, "kinds"),
        ({"policy": "newest"}, "kinds.0.policy"),
        ({"priority": 11}, "kinds.0.priority"),
        ({"colour": "red"}, "kinds.0.colour"),
    ],
)
def test_a_bad_row_is_refused_by_name(folder: Path, change: dict[str, Any], field: str) -> None:
    with pytest.raises(PolicyError) as failed:
        open_with(folder, {**ROW, **change})
    assert failed.value.field == field
    open_with(folder, ROW).close()  # nothing is held open


@pytest.mark.parametrize(
    ("change", "field", "says"),
    [
        ({"defaults": {"cuisine": "thai"}}, "kinds[0].defaults.cuisine", "italian | chinese | other"),
        ({"defaults": {"cuisine": "other", "rating": "5"}}, "kinds[0].defaults.rating", "is no number"),
        ({"defaults": {"cuisine": "other", "steps": "stir"}}, "kinds[0].defaults.steps", "list"),
        ({"required": ["steps"], "defaults": {"cuisine": "other", "name": " "}}, "kinds[0].defaults.name", "blank"),
        ({"defaults": {"cuisine": "other", "name": "長" * 16_385}}, "kinds[0].defaults.name", "16384 characters"),
        ({"fields": {**ROW["fields"], "cuisine": []}}, "kinds[0].fields.cuisine", "list of words"),
        ({"text": " "}, "kinds[0].text", "says something"),
    ],
)
def test_a_default_that_its_own_field_refuses_is_refused_at_the_start(
    folder: Path, change: dict[str, Any], field: str, says: str
) -> None:
    """Regression: it was taken, and every commit that left the field out was refused."""
    with pytest.raises(PolicyError) as failed:
        open_with(folder, {**ROW, **change})
    assert failed.value.field == field
    assert says in str(failed.value)


def test_the_documented_row_is_a_row() -> None:
    source = Path(declared_module.__file__).read_text("utf-8")
    example = "\n".join(re.findall(r"^# ?(.*)$", source, re.MULTILINE))
    policy = load_policy(yaml.safe_load(example))
    [row] = policy.kinds
    assert "recipes" in make_kinds([row.model_dump()])


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder in which an installed package brings kinds by an entry point."""
    (tmp_path / "their_kinds.py").write_text(
        "from dataclasses import replace\n"
        "from brain_core.kinds.registry import KINDS\n"
        "BOOKS = [replace(KINDS['patterns'], type='books', prefix='book')]\n"
        "BROKEN = 3\n",
        "utf-8",
    )
    info = tmp_path / "their_kinds-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their_kinds\nVersion: 1.0\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "their_kinds", raising=False)
    return info / "entry_points.txt"


def test_an_installed_package_brings_kinds(package: Path, folder: Path) -> None:
    package.write_text("[smartbrain.kinds]\nbooks = their_kinds:BOOKS\n", "utf-8")
    with open_with(folder) as brain:
        brain.commit_turn(turn("m", "s", items=[draft("books", domain="sf", name="Solaris", rule="read it")]))
        assert items.read_item(brain._kv, "m", "books", "book:sf:Solaris") is not None


@pytest.mark.parametrize("target", ["their_kinds:BROKEN", "their_kinds:ABSENT", "no_such_module:X"])
def test_an_unusable_entry_point_is_named(package: Path, folder: Path, target: str) -> None:
    package.write_text(f"[smartbrain.kinds]\nbooks = {target}\n", "utf-8")
    with pytest.raises(PolicyError, match=re.escape(target)):
        open_with(folder)
