"""What was over and is said again holds again; what holds from a later day leaves in force what holds until then."""

from __future__ import annotations

from typing import Any

import pytest
from smartbrain.v1.brain_service_pb2 import RetentionVerdict
from smartbrain.v1.event_pb2 import Turn
from smartbrain.v1.item_pb2 import ITEM_SOURCE_USER, ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED, MemoryItem

from brain_core import Brain, load_policy
from brain_core.commit.ahead import keep_until
from brain_core.commit.held import HeldItems
from brain_core.commit.known import StoreAndLedger
from brain_core.commit.ledger import Ledger, Origin
from brain_core.commit.resolve import Resolving, resolve
from brain_core.kinds.draft import Draft
from brain_core.kinds.merge import without
from brain_core.kinds.registry import KINDS
from brain_core.store import items
from tests.building import Clock, compose, found, say, second, turn
from tests.commit.drafting import decisions, draft, give, item_at, value_at, verdict_on

TONE = {"scope": "writing", "name": "tone"}


@pytest.fixture
def brain(brain_by_clock: Brain) -> Brain:
    return brain_by_clock


def blocks(brain: Brain, **fields: Any) -> str:  # noqa: ANN401
    return "\n".join(block.text for block in compose(brain, "m", "new", "hello", **fields).system_blocks)


def test_what_is_over_when_a_plan_is_made_is_not_kept_beside_it() -> None:
    item, before = MemoryItem(valid_from=second(100)), MemoryItem()
    before.value.update({"value": "Ulm"})
    before.held_before.add(until=second(50)).value.update({"value": "Bonn"})
    for now, kept in ((49.0, ["Bonn", "Ulm"]), (50.0, ["Ulm"]), (51.0, ["Ulm"])):
        del item.held_before[:]
        keep_until(item, before, second(now).ToMicroseconds())
        assert [held.value["value"] for held in item.held_before] == kept
        assert item.held_before[-1].until == second(100)


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


# What begins later

DAY = 86_400


@pytest.mark.parametrize(("item_type", "key", "value"), ENDING[:4])
def test_what_holds_until_a_later_value_begins_stays_in_force(
    brain: Brain, clock: Clock, item_type: str, key: str, value: dict[str, Any]
) -> None:
    give(brain, draft(item_type, value))
    field = next(name for name, said in value.items() if said == "short 简短")
    clock.at = DAY
    give(brain, draft(item_type, {**value, field: "long 冗长"}, valid_from=second(90 * DAY)))
    [text] = found(brain, "m", "short 简短 long 冗长", types=[item_type])
    held, later = text.index("short 简短"), text.index("long 冗长")
    assert held < later
    assert "Until 2024-02-12: " in text[:held]
    assert "Valid from: 2024-02-12" in text[later:]
    assert item_at(brain, item_type, key).value[field] == "long 冗长"


def test_of_several_that_begin_later_each_holds_until_the_next(brain: Brain, clock: Clock) -> None:
    give(brain, draft("preferences", {**TONE, "value": "one"}))
    give(brain, draft("preferences", {**TONE, "value": "three"}, valid_from=second(60 * DAY)))
    give(brain, draft("preferences", {**TONE, "value": "four"}, valid_from=second(90 * DAY)))
    [text] = [block.text for block in compose(brain, "m", "new", "hello").system_blocks]
    days = ["Until 2024-01-13", "one", "Until 2024-02-12", "three", "four", "Valid from: 2024-02-12"]
    assert sorted(days, key=text.index) == days
    give(brain, draft("preferences", {**TONE, "value": "two"}, valid_from=second(30 * DAY)))
    [text] = [block.text for block in compose(brain, "m", "new", "hello").system_blocks]
    assert "one" in text
    assert "two" in text
    assert "three" not in text
    assert "four" not in text
    clock.at = 31 * DAY
    give(brain, draft("preferences", {**TONE, "value": "five"}))
    [text] = [block.text for block in compose(brain, "m", "new", "hello").system_blocks]
    assert "five" in text
    assert "Until" not in text


def test_what_holds_until_then_may_be_said_again(brain: Brain, clock: Clock) -> None:
    give(brain, draft("preferences", {**TONE, "value": "vim"}))
    give(brain, draft("preferences", {**TONE, "value": "emacs"}, valid_from=second(90 * DAY)))
    clock.at = DAY
    assert decisions(give(brain, draft("preferences", {**TONE, "value": "Vim"}))) == [("validity", "kept")]
    assert "vim" in blocks(brain)
    assert "emacs" in blocks(brain)
    clock.at = 91 * DAY
    assert decisions(give(brain, draft("preferences", {**TONE, "value": "vim"}))) == [("overwrite", "superseded")]
    assert "emacs" not in blocks(brain)


def test_what_ends_before_a_later_value_begins_is_over_in_between(brain: Brain, clock: Clock) -> None:
    give(brain, draft("preferences", {**TONE, "value": "vim"}, valid_to=second(DAY)))
    clock.at = 2 * DAY
    give(brain, draft("preferences", {**TONE, "value": "emacs"}, valid_from=second(90 * DAY)))
    assert "vim" not in blocks(brain)
    assert "Valid from: 2024-02-12" in blocks(brain)


@pytest.mark.parametrize(
    ("now", "later", "held", "planned"),
    [
        ("I live in Oslo.", "2024-03", "in Oslo", "Rome"),
        ("我住在北京。", "2025", "北京", "上海"),
    ],
)
def test_a_fact_that_begins_later_leaves_the_present_one(
    brain: Brain, clock: Clock, now: str, later: str, held: str, planned: str
) -> None:
    brain.commit_turn(say("m", "s", now))
    plan = {"k": "home", "v": planned, "since": later}
    give(brain, draft("profile", {"facts": [plan]}))
    assert f"home: {planned} (since {later}, until then {held})" in blocks(brain)
    for again in (say("m", "s", now), turn("m", "s", items=[draft("profile", {"facts": [plan]})])):
        brain.commit_turn(again)
        assert f"home: {planned} (since {later}, until then {held})" in blocks(brain)
    left = without(value_at(brain, "profile", "profile:user"), {"home": lambda said: said == planned}, "2023-12-01")
    assert left["facts"] == [{"k": "home", "v": held}], "a plan that is given up takes nothing along"
    begun = without(value_at(brain, "profile", "profile:user"), {"home": lambda said: said == planned}, "2025-03-01")
    assert begun["facts"] == []
    clock.at = 800 * DAY
    give(brain, draft("profile", {"facts": [{"k": "home", "v": "Bern"}]}))
    assert "home: Bern" in blocks(brain)
    assert "until then" not in blocks(brain)


@pytest.mark.parametrize(("words", "planned", "held"), [("我住在北京。", "从明年三月起我住在上海。", "北京")])
def test_a_move_that_is_said_ahead_leaves_the_home_of_now(brain: Brain, words: str, planned: str, held: str) -> None:
    brain.commit_turn(say("m", "s", words))
    brain.commit_turn(say("m", "s", planned))
    assert f"until then {held}" in blocks(brain)


def test_a_plan_that_is_denied_leaves_what_holds_until_then(brain: Brain) -> None:
    give(brain, draft("preferences", {**TONE, "value": "vim"}))
    give(brain, draft("preferences", {**TONE, "value": "emacs"}, valid_from=second(90 * DAY)))
    ledger = Ledger()
    at = Resolving(
        ledger,
        StoreAndLedger(brain._kv, "m", ledger, HeldItems("m")),
        Origin("m", Turn(turn_id="t3", revision=3, committed_at=second(DAY)), lambda: "new"),
        load_policy().policies.retention,
    )
    denial = Draft(
        "items[0]", KINDS["preferences"], {**TONE, "value": "emacs"}, 0.8, ITEM_SOURCE_USER, "denied", denies=True
    )
    resolve(at, denial, RetentionVerdict(path="items[0]"))
    [(_, item)] = ledger.written.items()
    assert (item.status, item.value["value"], item.version) == (ITEM_STATUS_ACTIVE, "vim", 3)
    assert not item.HasField("valid_from")
    assert "emacs" not in item.text
