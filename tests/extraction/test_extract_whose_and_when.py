"""Whose it is what is told, on which day it is, and what is vital: sentences that were misread on 2026-11-28."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from tests.building import FIRST_SECOND, open_brain, say
from tests.extraction.updates import believed

_AT = int(datetime.fromisoformat("2026-11-02T09:00:00+00:00").timestamp()) - FIRST_SECOND
"""A Monday."""

OF_ANOTHER = [
    ("招到人了，收银的叫阿芳，十月一号来上班，工资四千五", "工资四千五"),
    ("店里请了个师傅，四川人，月薪八千，包住", "月薪八千"),
    ("相亲对象在银行上班，年薪二十万，有房没车", "年薪二十万"),
    ("合租的室友做销售，经常出差，对花生过敏", "花生"),
    ("面试了一个前端，二十六岁，期望薪资一万五，住在通州", "通州"),
    ("新来的会计姓吕，三十二岁，住在园区", "园区"),
    ("楼上搬来一户，男的是医生，四十多岁，左腿不好", "左腿"),
    ("来应聘的小伙子本科，没房没车，月薪要六千", "六千"),
]


@pytest.mark.parametrize(("told", "theirs"), OF_ANOTHER)
def test_it_is_kept_whole_and_as_theirs(tmp_path: Path, told: str, theirs: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        held = [(kind, text) for kind, text in believed(brain, "m") if theirs in text]
        assert [kind for kind, _ in held] == ["knowledge"]
        assert len(held[0][1]) > len(theirs) + 8


OF_THE_USER = [
    ("我叫沈岚，在银行上班，月薪八千", "profile", "月薪八千"),
    ("换了个牙医，我对青霉素过敏", "preferences", "青霉素"),
    ("找了个私教，打算年底前减十斤", "goals", "减十斤"),
    ("月薪一万五，房租三千", "profile", "月薪一万五"),
]


@pytest.mark.parametrize(("told", "kind", "own"), OF_THE_USER)
def test_what_the_user_tells_of_himself_stays_his(tmp_path: Path, told: str, kind: str, own: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        assert any(own in text for each, text in believed(brain, "m") if each == kind)


MISSED = [
    ("Lucia couldn't come on the 10th, she'll be in on the 17th instead", "2026-11-17"),
    ("The dentist can't do Tuesday, so it's Thursday at 3", "2026-11-05"),
    ("I couldn't make the 5 May flight, flying on 8 May now", "2027-05-08"),
    ("We didn't finish on Friday, demo is on Tuesday", "2026-11-03"),
    ("卢西亚10号来不了，17号搬进来", "2026-11-17"),
    ("牙医周二没空，周四下午三点去", "2026-11-05"),
    ("检查员3号没来，12月9号再来", "2026-12-09"),
    ("5月5号的飞机赶不上了，坐8号的走", "2027-05-08"),
]


@pytest.mark.parametrize(("told", "day"), MISSED)
def test_it_is_on_the_day_that_holds(tmp_path: Path, told: str, day: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        assert [text[:10] for kind, text in believed(brain, "m") if kind == "events"] == [day]


@pytest.mark.parametrize("told", ["I won't be at the office on Monday", "I can't meet on Thursday, I have physio"])
def test_one_day_off_is_no_lasting_wish(tmp_path: Path, told: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        assert "preferences" not in {kind for kind, _ in believed(brain, "m")}


@pytest.mark.parametrize("told", ["I can't do meetings on Mondays", "I won't work on Sunday, ever"])
def test_what_is_never_done_on_a_day_is_one(tmp_path: Path, told: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        assert "preferences" in {kind for kind, _ in believed(brain, "m")}


def test_what_is_left_for_now_is_in_doubt(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "我们想在园区开分店，看中一个铺面，转让费八万", at=_AT))
        brain.commit_turn(say("m", "s", "分店先不开了，老公觉得太累", at=_AT + 60))
        assert not any("开分店" in text for _, text in believed(brain, "m"))


def test_what_ends_every_week_moves_for_good(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "面馆周一休息", at=_AT))
        brain.commit_turn(say("m", "s", "周一也不休了，改成周三休", at=_AT + 60))
        held = believed(brain, "m")
        assert not any(kind == "events" or "面馆周一休息" in text for kind, text in held)
        assert any("周三休" in text for _, text in held)


def test_a_task_names_what_it_is_about(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "老徐说下个月起骨头他不送了，得自己去拿", at=_AT))
        assert any("骨头" in text for kind, text in believed(brain, "m") if kind == "tasks")


FEASTS = [
    ("We're flying to Lisbon on Christmas Day", "2026-12-25"),
    ("Dinner with the Okafors on Valentine's Day, booked for 8", "2027-02-14"),
    ("I'm on call New Year's Day", "2027-01-01"),
    ("We fly home on Easter  Monday", "2027-03-29"),
    ("The shop's closed on Good Friday", "2027-03-26"),
    ("The shop's closed on Monday", "2026-11-09"),
    ("The dentist moved me to a week today", "2026-11-09"),
]


@pytest.mark.parametrize(("told", "day"), FEASTS)
def test_a_feast_and_a_day_of_closing_are_days(tmp_path: Path, told: str, day: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        assert [(kind, text[:10]) for kind, text in believed(brain, "m")] == [("events", day)]


VITAL = [
    ("My doctor doubled my lisinopril to 20 mg", "profile", "lisinopril to 20 mg"),
    ("Mum can't have aspirin because of the warfarin", "knowledge", "can't have aspirin"),
    ("Leo isn't allowed dairy", "knowledge", "isn't allowed dairy"),
    ("No nuts for Leo, he swells up", "knowledge", "No nuts for Leo"),
    ("I've been vegetarian since June, fish is still ok", "preferences", "fish is still ok"),
    ("医生把我的络活喜加到两片", "profile", "加到两片"),
    ("舍曲林加到50毫克了，以前25", "profile", "50毫克"),
    ("二甲双胍一天两次，饭后吃", "profile", "一天两次，饭后吃"),
    ("我妈的降压药减到半片了", "knowledge", "我妈的降压药减到半片"),
    ("乐乐不能碰花生，一吃就肿", "knowledge", "乐乐不能碰花生"),
    ("我老婆怀孕了，四月生，不能吃生鱼片", "profile", "不能吃生鱼片"),
    ("我胃不好，不能吃辣", "profile", "不能吃辣"),
    ("我的家庭医生是安大夫，牙医是吴大夫", "profile", "doctor: 安大夫"),
]


@pytest.mark.parametrize(("told", "kind", "kept"), VITAL)
def test_what_is_vital_is_kept_whole(tmp_path: Path, told: str, kind: str, kept: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        assert any(text.endswith(kept) or kept in text for each, text in believed(brain, "m") if each == kind)
        assert not any("牙医" in text for each, text in believed(brain, "m") if each == "profile")


@pytest.mark.parametrize(
    ("told", "change", "now", "before"),
    [
        ("I'm on lisinopril 10 mg", "they doubled my dose of lisinopril to 20", "lisinopril 20 mg", "10 mg"),
        ("我在吃二甲双胍，一天一片", "医生把二甲双胍加到两片", "两片", "一片"),
    ],
)
def test_a_new_dose_takes_the_place_of_the_old(tmp_path: Path, told: str, change: str, now: str, before: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        brain.commit_turn(say("m", "s", change, at=_AT + 60))
        held = " ".join(text for _, text in believed(brain, "m"))
        assert now in held
        assert before not in held


@pytest.mark.parametrize("told", ["我小时候对鸡蛋过敏，现在没事了", "以前吃布洛芬，胃科医生说以后都别吃了"])
def test_what_is_over_is_not_told_as_so(tmp_path: Path, told: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        assert all(told.rpartition("，")[2].rstrip("了") in text for _, text in believed(brain, "m"))


def test_what_is_not_happening_is_over(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "We're planning to open a second shop in Leith", at=_AT))
        brain.commit_turn(say("m", "s", "the second shop isn't happening", at=_AT + 60))
        assert not any("second shop" in text for _, text in believed(brain, "m"))
