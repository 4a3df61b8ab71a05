"""Sentences of real conversations that rules once misread."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from smartbrain.v1.event_pb2 import Message, Turn, TurnEvents
from smartbrain.v1.item_pb2 import MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core.extract.claims import Claims
from brain_core.extract.read import read_turn
from brain_core.kinds.draft import Skip
from tests.building import open_brain, say
from tests.extraction.reading import CONFIDENCE, RULES_ALONE, drafts, read


@pytest.mark.parametrize(
    "text",
    [
        "Same here, it was a long day.",
        "I'm determined to make it work!",
        "We're determined to make things happen.",
    ],
)
def test_it_teaches_nothing(text: str) -> None:
    assert drafts(text) == []


def test_a_style_one_likes_is_not_the_tone_to_answer_in() -> None:
    assert "pref:writing:tone" not in [each.key for each in drafts("我喜欢印象派的风格。")]


def test_a_sentence_that_points_at_a_task_breaks_nothing_where_there_is_none() -> None:
    assert [each.rule for each in read("Would it be odd if I moved to Berlin?") if each.rule == "rule_broke"] == []


class _Broken:
    """Items that cannot be read at first."""

    def __init__(self) -> None:
        self._asked = 0
        self.claims = Claims()

    def active(self, item_type: str) -> list[MemoryItem]:
        self._asked += 1
        if self._asked == 1:
            raise RuntimeError(f"no {item_type}")
        return []


def test_a_rule_that_breaks_is_named_and_the_rest_of_the_turn_is_read() -> None:
    said = ["The report is done.", "From now on, always answer in Spanish."]
    turn = Turn(events=TurnEvents(messages=[Message(role="user", content=text) for text in said]))
    first, *rest = read_turn(turn, _Broken(), CONFIDENCE, RULES_ALONE)
    assert isinstance(first, Skip)
    assert (first.path, first.rule) == ("messages[0]", "rule_broke")
    assert "RuntimeError: no " in first.reason
    assert [each.path for each in rest] == ["messages[1]"]
    assert not isinstance(rest[0], Skip)


def learned(*said: str) -> list[tuple[str, str, str]]:
    """Return (type, key, text) of what a memory holds after some messages."""
    with TemporaryDirectory() as folder, open_brain(Path(folder)) as brain:
        for text in said:
            brain.commit_turn(say("m", "s", text))
        return [(item.type, item.key, item.text) for item in brain.list_items(ListItemsRequest(memory_id="m")).items]


ALLERGY_OF_ANOTHER = (
    "她对花生过敏。",
    "我女儿花生过敏",
    "我的狗对鸡肉过敏",
    "小明对花生过敏",
    "我同事对花粉过敏",
    "他对海鲜过敏",
    "我妹妹住在京都，对花生过敏",
    "Lisa对虾过敏",
    "我女儿乳糖不耐受",
    "我老婆有点挑食，对牛肉过敏",
    "我室友对猫过敏，所以不能养",
    "她妈妈很和善，对海鲜过敏",
)


@pytest.mark.parametrize("text", ALLERGY_OF_ANOTHER)
def test_an_allergy_of_somebody_else_is_not_the_users(text: str) -> None:
    assert "preferences" not in [kind for kind, _, _ in learned(text)]


ALLERGY_OF_THE_USER = (
    ("因为我从小就对牛奶过敏", "牛奶"),
    ("对芒果过敏", "芒果"),
    ("我发现自己对猫毛过敏", "猫毛"),
    ("医生说我对青霉素过敏", "青霉素"),
    ("注意，我是对坚果过敏的", "坚果"),
    ("我皮肤对酒精过敏", "酒精"),
    ("我一吃芒果就过敏", "芒果"),
    ("记住我对花粉过敏", "花粉"),
    ("我和我妹妹都对榴莲过敏", "榴莲"),
    ("我不太能吃海鲜，对虾过敏", "虾"),
    ("我有哮喘，也对尘螨过敏", "尘螨"),
    ("乳糖不耐受", "乳糖不耐受"),
)


@pytest.mark.parametrize(("text", "thing"), ALLERGY_OF_THE_USER)
def test_an_allergy_of_the_users_is_known_however_it_is_put(text: str, thing: str) -> None:
    assert f"pref:other:allergy_{thing}" in [key for _, key, _ in learned(text)]


def test_what_an_allergy_of_somebody_else_is_told_after_stands_in_the_fact() -> None:
    [(_, _, text)] = [each for each in learned("我妹妹住在京都，对花生过敏") if each[0] == "knowledge"]
    assert "妹妹住在京都，对花生过敏" in text


SAID_OF_ANOTHER = (
    ("我对花生过敏", "小明对花生不过敏。"),
    ("我对花生过敏", "我妹妹对花生不过敏"),
    ("我对花生过敏", "他对花生不过敏"),
    ("I'm allergic to peanuts", "Tom is no longer allergic to peanuts"),
    ("I'm allergic to peanuts", "My sister is not allergic to peanuts anymore"),
    ("I like sushi", "Tom doesn't like sushi anymore"),
    ("I like sushi", "She no longer likes sushi"),
)


@pytest.mark.parametrize(("told", "of_another"), SAID_OF_ANOTHER)
def test_what_no_longer_holds_of_somebody_else_still_does_of_the_user(told: str, of_another: str) -> None:
    assert learned(told)[0] in learned(told, of_another)


SAID_OF_THE_USER = (
    ("我对花生过敏", "其实我对花生不过敏"),
    ("我对花生过敏", "对花生不过敏了"),
    ("我对花生过敏", "医生说我对花生不过敏"),
    ("I'm allergic to peanuts", "I am no longer allergic to peanuts"),
    ("I like sushi", "I don't like sushi anymore"),
    ("I prefer dark roast coffee", "Coffee is no longer my thing"),
)


@pytest.mark.parametrize(("told", "denied"), SAID_OF_THE_USER)
def test_what_no_longer_holds_of_the_user_is_taken_back(told: str, denied: str) -> None:
    assert learned(told, denied) == []


@pytest.mark.parametrize("text", ["小明的生日是5月3日", "我同事的生日是6月1日", "他的生日是5月3日"])
def test_a_birthday_of_somebody_else_is_not_the_users(text: str) -> None:
    assert "birthday" not in " ".join(told for kind, _, told in learned(text) if kind == "profile")


@pytest.mark.parametrize(("text", "fact"), [("我生日是5月3日", "birthday:"), ("我老婆生日是3月8号", "wife birthday:")])
def test_a_birthday_is_of_the_user_or_the_relative_named(text: str, fact: str) -> None:
    [(_, _, told)] = learned(text)
    assert f"\n{fact}" in told


def test_wages_that_are_offered_are_not_what_the_user_earns() -> None:
    assert [
        each.kind.type for each in drafts("写吧，月薪五千五，包午饭，要会裱花") if each.kind.type == "profile"
    ] == []
    assert [each.kind.type for each in drafts("我月薪一万二")] == ["profile"]


def test_a_request_to_be_reminded_is_no_fact() -> None:
    told = drafts("月底要交房租，一个季度四万二，别忘了提醒我")
    assert [each.kind.type for each in told] == ["tasks"]


@pytest.mark.parametrize(
    ("text", "day"),
    [("林晓说她周三来不了，改下周一", "2026-03-23"), ("周五的牙医去不了了，改周日", "2026-03-22")],
)
def test_what_cannot_be_on_one_day_is_on_the_other(text: str, day: str) -> None:
    assert [each.given["date"] for each in drafts(text) if each.kind.type == "events"] == [day]
