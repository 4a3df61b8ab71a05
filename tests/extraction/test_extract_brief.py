"""A value that is known changes in few words, and only where one is meant; what it was is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse
from smartbrain.v1.memory_service_pb2 import GetItemHistoryRequest, ListItemsRequest

from brain_core import Brain
from brain_core.extract.values import fits, put, value_is, values
from tests.building import open_brain, say
from tests.extraction.updates import behind, believed, changed


@pytest.mark.parametrize(("name", "most"), [("en_brief", 2), ("zh_brief", 2)])
def test_a_value_that_changes_in_few_words_is_up_to_date(name: str, most: int) -> None:
    """What is behind was not learned when it was first told, so nothing known changes."""
    assert len(behind(name)) <= most


@pytest.mark.parametrize("name", ["en_brief_unchanged", "zh_brief_unchanged"])
def test_what_only_sounds_like_a_new_value_changes_nothing(name: str) -> None:
    assert not changed(name)


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_brain(tmp_path) as opened:
        yield opened


def _told(brain: Brain, *messages: str) -> CommitTurnResponse:
    answers = [brain.commit_turn(say("m", "s", text, at=60 * number)) for number, text in enumerate(messages)]
    return answers[-1]


def _held(brain: Brain) -> str:
    return "\n".join(text for _, text in believed(brain, "m"))


@pytest.mark.parametrize(
    ("messages", "kept"),
    [
        (("i start work at 9am", "its 5pm now"), "9am"),
        (("the wedding is in june", "its december now, so cold"), "june"),
        (("our budget is 40k", "write me an ad in 3 paragraphs", "make it 5"), "40k"),
        (("my rent is 3200 a month", "rent went up to 900"), "3200"),
        (("my rent is 3200 a month", "rent went up to 3400?"), "3200"),
        (("standup is at 9:30", "translate into german: moved to 10"), "9:30"),
        (("standup is at 9:30", "let's roleplay, you are a pirate", "make it 10"), "9:30"),
        (("我现在房租三千二一个月", "涨到两千八了"), "三千二"),
        (("standup 是 9:30", "没改到十点"), "9:30"),
        (("standup 是 9:30", "可能改到十点"), "9:30"),
        (("我现在房租三千二一个月", "我妹的房租涨到三千五了"), "房租三千二"),
    ],
)
def test_what_is_of_something_else_or_not_so_leaves_the_value(
    brain: Brain, messages: tuple[str, ...], kept: str
) -> None:
    _told(brain, *messages)
    assert kept in _held(brain)


def test_the_assistants_words_change_nothing(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "my rent is 3200 a month", "noted, rent went up to 3400", at=0))
    assert "3200" in _held(brain)


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        (("rent for the office is 1500", "rent for the garage is 1400", "rent went up to 1600"), "1500 1400"),
        (("市场预算是四万", "研发预算是四万五", "预算加到五万了"), "四万 四万五"),
    ],
)
def test_of_two_that_may_be_meant_none_ends_and_explain_says_so(
    brain: Brain, messages: tuple[str, ...], rule: str
) -> None:
    answer = _told(brain, *messages)
    assert all(value in _held(brain) for value in rule.split())
    assert "left_undecided" in [verdict.rule for verdict in answer.explain.retention]


def test_the_nearest_message_with_such_a_value_is_meant(brain: Brain) -> None:
    _told(brain, "my car is worth 40k", "our budget is 40k", "make it 45k")
    assert "car is worth 40k" in _held(brain)
    assert "budget is 45k" in _held(brain)


def test_the_old_value_stands_in_the_history_and_as_of_its_time(brain: Brain) -> None:
    first = brain.commit_turn(say("m", "s", "my internet plan is 12 euros a month", at=0))
    second = brain.commit_turn(say("m", "s", "hmm they put it up to 15", at=60))
    (item,) = [each for each in brain.list_items(ListItemsRequest(memory_id="m")).items if each.type == "knowledge"]
    assert "15 euros" in item.text
    assert item.source_turn_id == second.turn_id
    asked = GetItemHistoryRequest(memory_id="m", type=item.type, key=item.key)
    assert ["12" in each.text for each in brain.item_history(asked).versions] == [True, False]
    before = ListItemsRequest(memory_id="m")
    before.as_of.revision = first.revision
    assert ["12 euros" in each.text for each in brain.list_items(before).items if each.type == "knowledge"] == [True]


@pytest.mark.parametrize(
    ("text", "new", "then"),
    [
        ("standup is at 9:30", "10", "standup is at 10"),
        ("book club starts at 8pm", "7", "book club starts at 7pm"),
        ("budget is 45k", "40", "budget is 40k"),
        ("my plan is 12 euros a month", "15", "my plan is 15 euros a month"),
        ("the meeting is in room 204", "room 310", "the meeting is in room 310"),
        ("晨会九点半开始", "十点", "晨会十点开始"),
        ("房租三千二一个月", "两千八", "房租两千八一个月"),
        ("我們組現在14個人", "16", "我們組現在16個人"),
    ],
)
def test_a_new_value_stands_in_the_place_of_the_old_in_its_unit(text: str, new: str, then: str) -> None:
    value, (old,) = value_is(new), values(text)
    assert value is not None
    assert fits(value, old)
    assert put(text, old, value) == then


@pytest.mark.parametrize(
    ("text", "new", "way"),
    [
        ("rent is 3200", "900", 1),
        ("rent is 3200", "3400", -1),
        ("rent is 3200", "1.80", 0),
        ("the wedding is in june", "friday", 0),
        ("i run 5 km", "8 people", 0),
        ("the meeting is in room 204", "gate 12", 0),
        ("standup is at 9:30", "40", 0),
        ("體重82公斤", "83岁", 0),
    ],
)
def test_a_value_of_another_kind_or_far_off_does_not_fit(text: str, new: str, way: int) -> None:
    value, (old,) = value_is(new), values(text)
    assert value is not None
    assert not fits(value, old, way)


@pytest.mark.parametrize(
    ("figures", "amount"),
    [("3,200", 3200), ("40k", 40_000), ("三千二", 3200), ("四万五", 45_000), ("一万零五百", 10_500), ("4.5万", 45_000)],
)
def test_figures_are_counted_in_either_language(figures: str, amount: float) -> None:
    value = value_is(figures)
    assert value is not None
    assert value.amount == amount


def test_a_move_from_a_day_that_is_not_known_changes_no_other(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "新工作定了，2月17号入职。", at=0))
        before = believed(brain, "m")
        brain.commit_turn(say("m", "s", "她改签啦, 从 2 月 4 号改到 15 号, 改签费 110。", at=60))
        assert any("17" in text for _, text in before)
        assert set(before) <= set(believed(brain, "m"))
