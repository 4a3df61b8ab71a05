"""Faults of what is learned that testers saw: roles, homes, dates, others' food, wording, and what a team shares."""

from __future__ import annotations

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.event_pb2 import Message
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import Brain
from brain_core.extract.known import value_of
from brain_core.extract.secrets import find_secrets
from tests.building import active, fresh, turn

SAID = "2026-01-07T10:00:00Z"
"""A Wednesday."""


def held(brain: Brain, *texts: str) -> dict[str, MemoryItem]:
    """Return what is active after these messages, an hour apart; "Tom: …" is said by Tom."""
    memory, when = fresh(), Timestamp()
    when.FromJsonString(SAID)
    for text in texts:
        speaker, mark, said = text.partition(": ")
        message = Message(role="user", content=said if mark else text, speaker=speaker if mark else "", created_at=when)
        brain.commit_turn(turn(memory, "s", messages=[message]))
        when.seconds += 3600
    return {one.key: one for one in active(brain, memory, "entities")}


def facts(brain: Brain, *texts: str) -> dict[str, str]:
    profile = held(brain, *texts).get("profile:user")
    return {fact["k"]: fact["v"] for fact in value_of(profile)["facts"]} if profile is not None else {}


def told(brain: Brain, *texts: str) -> set[str]:
    """Return the lines of what is active, as they read."""
    return {line for one in held(brain, *texts).values() for line in one.text.split("\n")[1:]}


@pytest.mark.parametrize(
    ("said", "role", "employer"),
    [
        ("I work as a nurse at Mass General.", "nurse", "Mass General"),
        ("I'm working as a data analyst for Deloitte in Berlin.", "data analyst", "Deloitte"),
        ("I work as a nurse at night.", "nurse", None),
        ("我在杭州做后端。", "后端", None),
        ("我在腾讯做后端。", "腾讯后端", None),
        ("我在腾讯公司做后端。", "后端", "腾讯公司"),
    ],
)
def test_a_role_is_kept_with_its_employer(brain: Brain, said: str, role: str, employer: str | None) -> None:
    known = facts(brain, said)
    assert (known.get("role"), known.get("employer")) == (role, employer)


def test_another_firm_takes_the_place_of_the_one_told_with_a_role(brain: Brain) -> None:
    assert facts(brain, "我在腾讯做后端。", "我从腾讯跳到字节了") == {"role": "后端", "employer": "字节"}
    assert facts(brain, "我在腾讯做后端。", "我现在在字节跳动上班") == {"role": "后端", "employer": "字节跳动"}
    assert facts(brain, "我在阿里上班。", "我现在在腾讯做后端。") == {"role": "后端", "employer": "腾讯"}


@pytest.mark.parametrize("later", ["我转行做老师了", "现在自己创业了"])
def test_another_trade_ends_the_employer(brain: Brain, later: str) -> None:
    assert facts(brain, "我在腾讯上班。")["employer"] == "腾讯"
    assert "employer" not in facts(brain, "我在腾讯上班。", later)
    assert "employer" in facts(brain, "我在腾讯上班。", "我想转行做老师")


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        ("新密码是 hunter2024", True),
        ("密码现在用hunter2024了", True),
        ("the password is now hunter2024", True),
        ("密码用1Password管理", False),
        ("密码用SHA256加密", False),
        ("密码换成1Password管理", False),
    ],
)
def test_letters_and_digits_of_a_password_are_secret(said: str, secret: bool) -> None:
    assert bool(find_secrets(said)) is secret


@pytest.mark.parametrize(
    "said",
    [
        "We moved to Kubernetes.",
        "I moved to Plan B.",
        "We switched to Postgres.",
        "We moved to GitHub Actions.",
        "I moved to Marketing.",
        "We moved into our new office in Soho.",
        "我们搬到Kubernetes上了。",
        "我们搬到AWS了。",
    ],
)
def test_software_a_plan_or_a_team_is_no_home(brain: Brain, said: str) -> None:
    assert not [k for k in facts(brain, said) if k.startswith("home")]


@pytest.mark.parametrize(
    ("said", "home"),
    [
        ("I moved to Lisbon.", "Lisbon"),
        ("We moved to New York.", "New York"),
        ("We moved to Baker Street.", "Baker Street"),
        ("We moved into our new flat in Soho.", "Soho"),
        ("我们搬到Sydney了。", "Sydney"),
        ("我搬到滨江了。", "滨江"),
    ],
)
def test_a_place_is_a_home(brain: Brain, said: str, home: str) -> None:
    assert facts(brain, said)["home"] == home


@pytest.mark.parametrize(
    ("first", "later", "old", "new"),
    [
        ("Mia's birthday is 3 May.", "Mia's birthday is 5 May, not 3.", "3 May", "5 May"),
        ("Mia's birthday is May 3rd.", "Mia's birthday is May 5th.", "May 3rd", "May 5th"),
        ("My birthday is 3 May.", "My birthday is 5 May, not 3.", "3 May", "5 May"),
        ("My birthday is May 3.", "Actually my birthday is May 5.", "May 3", "May 5"),
        ("Our wedding anniversary is 3 May.", "Our wedding anniversary is 5 May.", "3 May", "5 May"),
        ("My wife's birthday is 3 May.", "My wife's birthday is 5 May, not 3.", "3 May", "5 May"),
        ("我的生日是5月3号", "我的生日是5月5号，不是3号", "5月3号", "5月5号"),
        ("我们的结婚纪念日是5月3号", "我们的结婚纪念日是5月5号", "5月3号", "5月5号"),
        ("小美的生日是5月3号", "小美生日其实是5月5号", "5月3号", "5月5号"),
    ],
)
def test_of_two_birthdays_the_later_told_stands(brain: Brain, first: str, later: str, old: str, new: str) -> None:
    assert old in str(told(brain, first))
    both = held(brain, first, later)
    assert len(both) == 1
    assert new in str(told(brain, first, later))
    assert old not in str(told(brain, first, later))


def test_birthdays_of_two_people_stand_side_by_side(brain: Brain) -> None:
    assert len(held(brain, "Mia's birthday is May 3rd.", "Tom's birthday is May 5th.")) == 2


@pytest.mark.parametrize(
    "said",
    [
        "我妹妹小美不能吃花生。",
        "小李不吃肉。",
        "我妈不能吃西柚。",
        "我老婆吃素。",
        "我爸从小不能喝牛奶。",
        "小张有糖尿病。",
        "My mother must not eat grapefruit.",
    ],
)
def test_what_others_must_not_be_given_is_in_every_context(brain: Brain, said: str) -> None:
    assert [(one.type, one.priority) for one in held(brain, said).values()] == [("knowledge", 2)]


@pytest.mark.parametrize(
    "said", ["我儿子今天不吃饭。", "小孩不能吃辣。", "小李不吃早饭。", "小李不吃肉吗？", "我妹妹不吃了。"]
)
def test_what_is_of_one_meal_or_of_nobody_is_not_kept(brain: Brain, said: str) -> None:
    assert not held(brain, said)


@pytest.mark.parametrize(
    ("said", "reads"),
    [
        ("I hate olives.", "The user hates olives"),
        ("I like coffee.", "The user likes coffee"),
        ("I live in Berlin.", "home: Berlin"),
        ("My daughter is called Mia.", "The user's daughter is called Mia"),
        ("我女儿叫朵朵。", "用户的女儿叫朵朵"),
        ("我养了一只猫叫小白。", "用户养了一只猫叫小白"),
        ("我不吃香菜。", "用户不吃香菜"),
        (
            "I want to run a marathon in October.",
            "Goal (active): The user wants to run a marathon in October",
        ),
    ],
)
def test_what_the_user_said_reads_as_told_of_them(brain: Brain, said: str, reads: str) -> None:
    assert reads in told(brain, said)


def test_notes_about_another_have_no_first_person(brain: Brain) -> None:
    lines = told(
        brain,
        "Ann: I like tea.",
        "Tom: I want to learn Spanish this year because my wife is from Madrid.",
        "Tom: My wife is allergic to shellfish. My son is called Leo.",
        "Tom: I'm allergic to nuts and I hate olives.",
    )
    assert "Goal of Tom (active): Tom wants to learn Spanish this year because their wife is from Madrid" in lines
    assert "Fact told by Tom: Tom's wife is allergic to shellfish" in lines
    assert "Tom's son is called Leo" in lines
    assert not [line for line in lines if " I " in line or " my " in line.lower()]


def test_what_one_eats_no_more_is_a_diet(brain: Brain) -> None:
    assert told(brain, "我不再吃肉了") == {"用户不再吃肉了"}
    assert told(brain, "我再也不喝酒了") == {"用户再也不喝酒了"}
    assert told(brain, "I don't eat meat any more.") == {"The user does not eat meat any more"}
    assert not held(brain, "我不再吃饭了")
    assert not held(brain, "我爱吃肉", "我不再吃肉了")


def test_what_one_is_not_allergic_to_is_no_preference(brain: Brain) -> None:
    assert not held(brain, "I'm not allergic to nuts.")
    assert not held(brain, "I'm allergic to nuts.", "I'm not allergic to nuts.")
    assert held(brain, "I'm allergic to nuts.")


@pytest.mark.parametrize(
    ("taste", "said"),
    [("I hate olives.", "Turns out olives are a fruit."), ("我讨厌西红柿", "原来西红柿是水果")],
)
def test_what_a_thing_is_leaves_what_one_thinks_of_it(brain: Brain, taste: str, said: str) -> None:
    assert [one.HasField("doubted_at") for one in held(brain, taste, said).values()] == [False]


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("The client cancelled the Friday demo.", "2026-01-09"),
        ("We postponed the Monday meeting.", "2026-01-12"),
        ("We finished the migration on Friday.", "2026-01-02"),
    ],
)
def test_a_planned_thing_that_is_called_off_was_to_come(brain: Brain, said: str, day: str) -> None:
    assert [value_of(one)["date"] for one in held(brain, said).values()] == [day]


@pytest.mark.parametrize(
    ("task", "done", "status"),
    [
        ("Ann: I need to fix the login bug.", "Tom: I fixed the login bug.", "done"),
        ("Ann: I need to fix the login bug.", "Tom: Fixed the login bug this morning.", "done"),
        ("Ann: 我要修复登录bug", "Tom: 登录bug修好了", "done"),
        ("Ann: I need to call the bank.", "Tom: I called the bank.", "todo"),
        ("Ann: I need to fix the login bug.", "Tom: I fixed the search page.", "todo"),
    ],
)
def test_work_on_a_shared_thing_is_done_by_whoever_does_it(brain: Brain, task: str, done: str, status: str) -> None:
    known = held(brain, "Ann: I like tea.", task, done)
    tasks = [value_of(one)["status"] for key, one in known.items() if key.startswith("task:default:")]
    assert tasks[:1] == [status]


@pytest.mark.parametrize(
    ("first", "later", "left"),
    [
        ("Ann: The server runs on 8080.", "Tom: The server runs on 9090.", {"9090"}),
        ("Tom: The server runs on 8080.", "Ann: The server runs on 9090.", {"9090"}),
        ("Ann: 服务器跑在8080端口", "Tom: 服务器跑在9090端口", {"9090"}),
        ("Ann: My laptop runs on Windows.", "Tom: My laptop runs on Linux.", {"Windows", "Linux"}),
    ],
)
def test_of_a_shared_thing_the_later_word_stands(brain: Brain, first: str, later: str, left: set[str]) -> None:
    known = str(told(brain, "Ann: I like tea.", first, later))
    assert {word for word in ("8080", "9090", "Windows", "Linux") if word in known} == left
