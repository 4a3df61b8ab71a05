"""What was over and is said again holds again; what holds from a later day leaves in force what holds until then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.item_pb2 import ITEM_STATUS_SUPERSEDED

from brain_core import Brain
from brain_core.store import items
from tests.building import Clock, compose, found, open_by, second
from tests.commit.drafting import decisions, draft, give, item_at, verdict_on

TONE = {"scope": "writing", "name": "tone"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def brain(folder: Path, clock: Clock) -> Iterator[Brain]:
    with open_by(clock, folder) as opened:
        yield opened


def blocks(brain: Brain, **fields: Any) -> str:  # noqa: ANN401
    return "\n".join(block.text for block in compose(brain, "m", "new", "hello", **fields).system_blocks)


ENDING: list[tuple[str, str, dict[str, Any]]] = [
    ("preferences", "pref:writing:tone", {**TONE, "value": "short 简短"}),
    ("decisions", "decision:default:db", {"topic": "db", "decision": "short 简短"}),
    ("knowledge", "knowledge:fact:port", {"slug": "port", "content": "short 简短"}),
    ("notes", "project://a", {"uri": "project://a", "content": "short 简短"}),
    ("working", "working:default:step", {"name": "step", "value": "short 简短"}),
]


@pytest.mark.parametrize("field", ["valid_to", "expires_at"])
@pytest.mark.parametrize(("item_type", "key", "value"), ENDING)
def test_what_was_over_and_is_said_again_holds_again(
    brain: Brain, clock: Clock, item_type: str, key: str, value: dict[str, Any], field: str
) -> None:
    ends: dict[str, Any] = {field: second(10)}
    give(brain, draft(item_type, value, **ends))
    clock.at = 20
    assert not found(brain, "m", "short 简短", mode="exact")
    answer = give(brain, draft(item_type, value))
    assert verdict_on(answer, "items[0]").verdict == "written"
    item = item_at(brain, item_type, key)
    assert item.version == 2
    assert not item.HasField("valid_to")
    assert "Valid until" not in item.text
    assert found(brain, "m", "short 简短", mode="exact")
    ended = items.read_version(brain._kv, "m", item_type, key, 1)
    assert ended is not None
    assert (ended.status, getattr(ended, field)) == (ITEM_STATUS_SUPERSEDED, second(10))


def test_it_holds_until_the_end_it_is_given_anew(brain: Brain, clock: Clock) -> None:
    give(brain, draft("preferences", {**TONE, "value": "short"}, valid_to=second(10)))
    clock.at = 20
    give(brain, draft("preferences", {**TONE, "value": "short"}, expires_at=second(30)))
    assert "short" in blocks(brain)
    clock.at = 30
    assert not blocks(brain)


def test_a_guess_does_not_bring_back_what_the_user_said_is_over(brain: Brain, clock: Clock) -> None:
    give(brain, draft("preferences", {**TONE, "value": "short"}, valid_to=second(10)))
    clock.at = 20
    answer = give(brain, draft("preferences", {**TONE, "value": "short"}, source="INFERENCE"))
    assert decisions(answer) == [("validity", "kept")]
    assert not blocks(brain)
    give(brain, draft("preferences", {**TONE, "value": "long"}, source="INFERENCE"))
    assert item_at(brain, "preferences", "pref:writing:tone").value["value"] == "long", "nothing told holds any more"


@pytest.mark.parametrize("at", [5, 15])
def test_what_was_said_before_the_end_or_its_telling_does_not_undo_it(brain: Brain, clock: Clock, at: float) -> None:
    clock.at = 18
    give(brain, draft("preferences", {**TONE, "value": "short"}, valid_to=second(10)))
    clock.at = 20
    give(brain, draft("preferences", {**TONE, "value": "short"}), at=at)
    assert item_at(brain, "preferences", "pref:writing:tone").version == 1
    assert not blocks(brain)


def test_what_is_over_and_is_told_as_over_again_stays_over(brain: Brain, clock: Clock) -> None:
    give(brain, draft("preferences", {**TONE, "value": "short"}, valid_to=second(10)))
    clock.at = 20
    answer = give(brain, draft("preferences", {**TONE, "value": "short"}, valid_to=second(10)))
    assert decisions(answer) == [("overwrite", "refreshed")]
    assert not blocks(brain)
