"""What a Chinese sentence ends, moves or swaps is what it speaks of: one test per sort of bug."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from smartbrain.v1.item_pb2 import MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from brain_core.extract.chinese.dates import first_day
from tests.building import open_brain, say
from tests.extraction.updates import believed, pieces

_DAY = 86_400


def _told(brain: Brain, *facts: str) -> None:
    for hour, fact in enumerate(facts):
        brain.commit_turn(say("m", "one", fact, at=3600 * hour))


def _left_after(folder: Path, fact: str, later: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return what is believed of a fact before and after a sentence of another session, ten days later."""
    with open_brain(folder) as brain:
        _told(brain, fact)
        before = set(believed(brain, "m"))
        assert before, fact
        brain.commit_turn(say("m", "two", later, at=10 * _DAY))
        return before, set(believed(brain, "m"))


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("我住在杭州", "杭州不下雨了,出门走走"),
        ("我住在苏州", "苏州的地铁不挤了"),
        ("我住在杭州", "我不住酒店了,回家"),
        ("我在美团上班", "美团的会员不能用了"),
        ("我老公叫大伟", "大伟不加班了"),
        ("我女儿叫朵朵", "朵朵不发烧了"),
        ("我养了一只狗叫旺财", "旺财不叫了"),
        ("我喜欢喝咖啡", "咖啡机不工作了"),
        ("我喜欢喝可乐", "这瓶可乐不甜了"),
        ("我喜欢吃火锅", "火锅店排队太长,不吃了"),
        ("我喜欢吃火锅", "今晚不吃火锅了,改吃烤鱼"),
        ("我喜欢喝咖啡", "再也不喝这家的咖啡了"),
        ("我们决定用Redis做缓存", "Redis不报错了"),
        ("我每天早上跑步", "今天早上不跑步了"),
        ("我每周三打羽毛球", "这周羽毛球不打了"),
        ("我每天早上跑步", "我老公不跑步了"),
    ],
)
def test_a_denial_of_something_else_ends_nothing(folder: Path, fact: str, later: str) -> None:
    """Two characters in common with a fact were enough for 不…了 to retract it."""
    before, after = _left_after(folder, fact, later)
    assert before <= after


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("我喜欢喝咖啡", "我不喝咖啡了"),
        ("我喜欢吃火锅", "我再也不吃火锅了"),
        ("我每天早上跑步", "我早就不跑步了"),
        ("我每周三打羽毛球", "羽毛球我不打了"),
        ("我每周一上钢琴课", "钢琴课我不上了"),
        ("我们决定用Redis做缓存", "我们不用Redis了"),
        ("我在学法语", "法语我不学了"),
        ("我住在杭州", "我不住杭州了"),
        ("我吃素", "我不吃素了"),
        ("我对花生过敏", "我对花生已经不过敏了"),
        ("我在吃氨氯地平", "氨氯地平停了"),
        ("我女朋友叫小雅", "我跟小雅分手了"),
    ],
)
def test_a_denial_of_the_thing_itself_ends_it(folder: Path, fact: str, later: str) -> None:
    before, after = _left_after(folder, fact, later)
    assert not before & after


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("我对花生过敏", "我现在不吃花生了"),
        ("我对海鲜过敏", "我再也不吃海鲜了"),
        ("我在吃降压药氨氯地平", "氨氯地平吃完了,得去开药"),
        ("我在吃降压药氨氯地平", "今天不吃氨氯地平了,忘带了"),
        ("我有哮喘", "哮喘的书看完了"),
        ("我不喝酒", "我不喝酒了"),
        ("我不喝酒", "今晚不喝酒了,开车"),
        ("我吃素", "我不吃肉了"),
    ],
)
def test_what_one_must_not_have_is_not_ended_by_going_without(folder: Path, fact: str, later: str) -> None:
    """A negative said again retracted it, and so did avoiding what one is allergic to."""
    with open_brain(folder) as brain:
        _told(brain, fact)
        before = pieces(brain, "m")
        assert before
        brain.commit_turn(say("m", "two", later, at=10 * _DAY))
        assert before <= pieces(brain, "m")


@pytest.mark.parametrize(
    ("task", "later"),
    [
        ("提醒我周五之前交季度报告", "季度报告还没交"),
        ("我周日之前要修好登录bug", "登录bug还没修好"),
        ("我周日之前要修好登录bug", "登录bug修不好了"),
        ("我周日之前要修好登录bug", "登录bug修好了又复发了"),
        ("提醒我月底之前交房租", "房租交了一半"),
        ("提醒我月底之前交房租", "快把房租交了吧"),
        ("提醒我周五之前交季度报告", "小王的季度报告交了"),
        ("提醒我给妈妈打电话", "给爸爸打电话了"),
    ],
)
def test_what_is_not_done_yet_or_is_done_by_others_leaves_a_task_open(folder: Path, task: str, later: str) -> None:
    with open_brain(folder) as brain:
        _told(brain, task)
        brain.commit_turn(say("m", "two", later, at=2 * _DAY))
        assert {str(each.value["status"]) for each in _tasks(brain)} == {"todo"}


@pytest.mark.parametrize(
    ("task", "later"),
    [
        ("提醒我周五之前交季度报告", "季度报告交了"),
        ("我周日之前要修好登录bug", "登录bug终于修好了"),
        ("提醒我月底之前交房租", "我把房租交了"),
    ],
)
def test_what_is_done_is_done(folder: Path, task: str, later: str) -> None:
    with open_brain(folder) as brain:
        _told(brain, task)
        brain.commit_turn(say("m", "two", later, at=2 * _DAY))
        [held] = _tasks(brain)
        assert held.value["status"] == "done"


@pytest.mark.parametrize(
    "later",
    [
        "我老婆换工作了,现在在培训机构",
        "我同事跳槽了,去了腾讯",
        "小李搬家了,现在在上海",
        "我室友搬走了,现在住望京",
        "公司搬家了,现在在亦庄",
        "我妈的手机换成小米了",
        "我爸不吃火锅了",
        "他不吃火锅了",
    ],
)
def test_what_others_change_is_not_the_users(folder: Path, later: str) -> None:
    """The move or the new job of anybody overwrote the user's."""
    with open_brain(folder) as brain:
        _told(brain, "我住在杭州", "我在美团上班", "我的手机是iPhone 13", "我喜欢吃火锅")
        before = set(believed(brain, "m"))
        brain.commit_turn(say("m", "two", later, at=10 * _DAY))
        assert before <= set(believed(brain, "m"))


def test_the_users_own_move_is_taken(folder: Path) -> None:
    with open_brain(folder) as brain:
        _told(brain, "我住在杭州", "我的手机是iPhone 13")
        brain.commit_turn(say("m", "two", "上个月搬家了,现在住通州", at=10 * _DAY))
        brain.commit_turn(say("m", "two", "手机换成了华为Mate 60", at=11 * _DAY))
        assert {"home: 通州", "phone: 华为Mate 60"} <= pieces(brain, "m")


@pytest.mark.parametrize(("said", "priority"), [("我对花生过敏", 2), ("I'm vegetarian.", 2), ("我喜欢吃火锅", 3)])
def test_what_one_must_not_be_given_is_always_at_hand(folder: Path, said: str, priority: int) -> None:
    """Allergies and diets had the priority of what one likes, which no context carries unasked."""
    with open_brain(folder) as brain:
        _told(brain, said)
        [held] = [each for each in _items(brain) if each.type == "preferences"]
        assert held.priority == priority


@pytest.mark.parametrize("said", ["我叫车去机场", "我叫滴滴了", "我叫师傅修空调", "我是程序员,在百度"])
def test_who_is_called_or_what_one_is_by_trade_is_no_name(folder: Path, said: str) -> None:
    with open_brain(folder) as brain:
        _told(brain, said)
        assert not [each for each in pieces(brain, "m") if each.startswith("name:")]


def test_a_day_of_the_lunar_calendar_is_no_solar_one() -> None:
    assert first_day("农历八月十五回老家", date(2026, 5, 16)) is None
    assert first_day("八月十五号回老家", date(2026, 5, 16)) is not None


@pytest.mark.parametrize("said", ["我上周从腾讯离职了", "前天我离职了", "上个月我怀孕了"])
def test_what_happened_on_a_day_of_its_own_did_not_happen_today(folder: Path, said: str) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "one", said, at=30 * _DAY))
        today = "2023-12-14"
        assert not [each for each in _items(brain) if each.type == "events" and today in each.text]


def _items(brain: Brain) -> list[MemoryItem]:
    return list(brain.list_items(ListItemsRequest(memory_id="m")).items)


def _tasks(brain: Brain) -> list[MemoryItem]:
    return [each for each in _items(brain) if each.type == "tasks"]
