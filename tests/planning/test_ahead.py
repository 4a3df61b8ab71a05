"""Questions about days to come, in English and Chinese: which days, and what lies behind and only looks like it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.compose.planner.read import Reading, Recent, read

TODAY = date(2026, 11, 23)  # a Monday


def reading(message: str, today: date = TODAY) -> Reading:
    return read(message, today, lambda: Recent((), ()))


def ahead(message: str, today: date = TODAY) -> tuple[str, str] | None:
    found = reading(message, today).ahead
    return None if found is None else (str(found.start), str(found.stop))


AHEAD = [
    # what a tester asked: none of it was read as a time to come
    ("am I free on Tuesday?", "2026-11-24", "2026-11-25"),
    ("Do I have anything on Thursday evening?", "2026-11-26", "2026-11-27"),
    ("What am I doing on 1 December?", "2026-12-01", "2026-12-02"),
    ("anything on the 4th of December?", "2026-12-04", "2026-12-05"),
    ("What's planned for this weekend?", "2026-11-28", "2026-11-30"),
    ("what's on tomorrow?", "2026-11-24", "2026-11-25"),
    ("What's due by Friday?", "2026-11-23", "2026-11-28"),
    ("Remind me what happens next month", "2026-12-01", "2027-01-01"),
    ("Which appointments are coming up?", "2026-11-23", "2027-01-22"),
    ("Who is visiting on Saturday?", "2026-11-28", "2026-11-29"),
    ("What's happening in January?", "2027-01-01", "2027-02-01"),
    ("plans for next Friday?", "2026-12-04", "2026-12-05"),
    ("What have I got on next week?", "2026-11-30", "2026-12-07"),
    ("What is on next week for us?", "2026-11-30", "2026-12-07"),
    ("what is due next week?", "2026-11-30", "2026-12-07"),
    ("anything on this Friday or Saturday?", "2026-11-27", "2026-11-29"),
    ("What's in the diary for December?", "2026-12-01", "2027-01-01"),
    ("What do I need to remember for the coming days?", "2026-11-23", "2026-12-01"),
    ("What's coming up in the next two weeks?", "2026-11-23", "2026-12-08"),
    ("我周二有空吗？", "2026-11-24", "2026-11-25"),
    ("十二月四号有什么事", "2026-12-04", "2026-12-05"),
    ("这周末有什么安排", "2026-11-28", "2026-11-30"),
    ("明天我要干什么", "2026-11-24", "2026-11-25"),
    ("下个月有什么计划", "2026-12-01", "2027-01-01"),
    ("周五要交什么", "2026-11-27", "2026-11-28"),
    ("后天有事吗", "2026-11-25", "2026-11-26"),
    ("一月份我要做什么", "2027-01-01", "2027-02-01"),
    ("下周我有哪些安排？", "2026-11-30", "2026-12-07"),
    ("下周我们家有什么事？", "2026-11-30", "2026-12-07"),
    ("十二月我有什么安排", "2026-12-01", "2027-01-01"),
    ("这周三我要干嘛", "2026-11-25", "2026-11-26"),
    ("接下来我有什么安排", "2026-11-23", "2027-01-22"),
    ("最近有什么安排", "2026-11-23", "2026-12-23"),
    # others
    ("what time is the meeting tomorrow?", "2026-11-24", "2026-11-25"),
    ("明天几点的会", "2026-11-24", "2026-11-25"),
    ("下周一上午的会是跟谁开", "2026-11-30", "2026-12-01"),
    ("where do I have to be the day after tomorrow?", "2026-11-25", "2026-11-26"),
    ("what am I doing in two weeks?", "2026-12-07", "2026-12-14"),
    ("what's on the 5th?", "2026-12-05", "2026-12-06"),
    ("is anyone coming on Tuesday the 1st?", "2026-12-01", "2026-12-02"),
    ("what's happening between the 5th and the 9th of December?", "2026-12-05", "2026-12-10"),
    ("what's due at the end of the month?", "2026-11-24", "2026-12-01"),
    ("what have I got on for the rest of the week?", "2026-11-23", "2026-11-30"),
    ("am I busy a week on Tuesday?", "2026-12-01", "2026-12-02"),
    ("What will I be doing over Christmas?", "2026-12-22", "2026-12-29"),
    ("what do we have planned for next spring?", "2027-03-01", "2027-06-01"),
    ("anything due before Thursday?", "2026-11-23", "2026-11-26"),
    ("do we have anything planned next quarter?", "2027-01-01", "2027-04-01"),
    ("过几天有什么事吗", "2026-11-24", "2026-12-01"),
    ("月底要交什么", "2026-11-24", "2026-12-01"),
    ("十二月一号我要去哪儿", "2026-12-01", "2026-12-02"),
    ("下周三下午我有会吗", "2026-12-02", "2026-12-03"),
    ("下下周我有什么安排", "2026-12-07", "2026-12-14"),
    ("未来两周有哪些安排", "2026-11-23", "2026-12-08"),
    ("我五号到九号要做什么", "2026-12-05", "2026-12-10"),
    ("周五之前要完成哪些任务", "2026-11-23", "2026-11-27"),
    ("这周末谁要来", "2026-11-28", "2026-11-30"),
    ("两周后我要去哪", "2026-12-07", "2026-12-14"),
    ("这个月我还有什么要交的", "2026-11-23", "2026-12-01"),
    ("明年我有什么计划", "2027-01-01", "2028-01-01"),
]  # fmt: skip


@pytest.mark.parametrize(("message", "start", "stop"), AHEAD, ids=[one[0] for one in AHEAD])
def test_a_question_of_what_is_planned_names_days_to_come_and_none_behind(message: str, start: str, stop: str) -> None:
    assert ahead(message) == (start, stop)
    assert reading(message).period is None


BEHIND = [
    ("what did I do on Tuesday?", "2026-11-17", "2026-11-18"),
    ("where were we on 1 December?", "2025-12-01", "2025-12-02"),
    ("what happened in January?", "2026-01-01", "2026-02-01"),
    ("how was Thursday's dinner?", "2026-11-19", "2026-11-20"),
    ("what was on the agenda last Monday?", "2026-11-16", "2026-11-17"),
    ("what did I say today?", "2026-11-23", "2026-11-24"),
    ("what have I been reading this month?", "2026-11-01", "2026-12-01"),
    ("周二我们去哪儿了", "2026-11-17", "2026-11-18"),
    ("上周五我干了什么", "2026-11-20", "2026-11-21"),
    ("上个月有什么安排", "2026-10-01", "2026-11-01"),
    ("最近我老跟你抱怨什么", "2026-10-24", "2026-11-24"),
    ("今天我跟你说了什么？", "2026-11-23", "2026-11-24"),
]  # fmt: skip


@pytest.mark.parametrize(("message", "start", "stop"), BEHIND, ids=[one[0] for one in BEHIND])
def test_a_question_of_what_was_is_of_the_past_alone(message: str, start: str, stop: str) -> None:
    found = reading(message)
    assert found.period and (str(found.period.start), str(found.period.stop)) == (start, stop)
    assert found.ahead is None


EITHER = [
    ("what do I have today?", "2026-11-23", "2026-11-23"),
    ("who did I say is visiting on Saturday?", "2026-11-21", "2026-11-28"),
    ("我周二约了谁", "2026-11-17", "2026-11-24"),
]


@pytest.mark.parametrize(("message", "before", "after"), EITHER)
def test_a_day_that_may_lie_on_either_side_is_the_nearest_on_each(message: str, before: str, after: str) -> None:
    found = reading(message)
    assert found.period and found.ahead
    assert (str(found.period.start), str(found.ahead.start)) == (before, after)


@pytest.mark.parametrize(
    "message",
    [
        "What's the weather like in Berlin next month?",
        "北京下个月什么天气",
        "move the meeting to Friday",
        "把周三的会改到下周一下午三点",
        "cheers mate, see you next week",
        "明天见",
        "what do I like for breakfast?",
        "我住哪儿",
    ],
)
def test_what_asks_for_no_plans_names_no_days_to_come(message: str) -> None:
    assert ahead(message) is None


def test_what_was_said_of_days_to_come_is_of_them() -> None:
    assert ahead("what did I tell you about next week?") == ("2026-11-30", "2026-12-07")
    assert ahead("我说过下周要干什么") == ("2026-11-30", "2026-12-07")


def test_what_is_planned_is_no_question_of_the_world() -> None:
    assert not reading("what's on tomorrow?").resources
    assert not reading("十二月四号有什么事").resources


def test_words_that_ask_for_plans_leave_only_the_days_to_look_for() -> None:
    alone = ["am I free on Tuesday?", "What have I got on next week?", "我周二有空吗？", "下周我有哪些安排？"]
    named = ["when is the dentist next week?", "下周的体检几点"]
    assert [reading(message).time_alone for message in alone + named] == [True] * 4 + [False] * 2


@given(
    st.text(alphabet="今明后下周月年末底初一二三十号天 要有空安排the next on week Friday 5th 1/2", max_size=40),
    st.dates(),
)
@settings(max_examples=300, deadline=None)
def test_days_to_come_are_never_over(text: str, today: date) -> None:
    found = reading(f"{text}?", today).ahead
    assert found is None or today <= found.start < found.stop


@pytest.mark.parametrize(
    ("message", "today", "start"),
    [
        ("Is Sofia here on 10 August?", date(2026, 7, 25), "2026-08-10"),
        ("Are Tom and Ana around on 10 August?", date(2026, 7, 25), "2026-08-10"),
        ("Will Sofia be here on 28 November?", date(2026, 11, 1), "2026-11-28"),
        ("汤姆12月24号在家吗？", date(2026, 12, 1), "2026-12-24"),
        ("八月十号苏菲在吗？", date(2026, 7, 25), "2026-08-10"),
    ],
)
def test_who_is_there_on_a_day_is_asked_of_a_day_to_come(message: str, today: date, start: str) -> None:
    found = reading(message, today)
    assert (found.period, str(found.ahead and found.ahead.start)) == (None, start)


@pytest.mark.parametrize("message", ["Was Sofia here on 10 July?", "Is it going to rain here on 10 August?"])
def test_who_was_there_and_the_weather_are_no_plans(message: str) -> None:
    assert reading(message, date(2026, 7, 25)).ahead is None


@pytest.mark.parametrize(
    "message",
    [
        "周末早餐做什么好？",
        "周末带孩子去哪儿玩好？",
        "What does the hall cost in February?",
        "二月份大厅的租金是多少？",
    ],
)
def test_what_nothing_says_is_over_restricts_nothing(message: str) -> None:
    """Breakfast at the weekend, asked on a Monday, was looked for in what was said on the last one."""
    found = reading(message)
    assert (found.period, found.ahead) == (None, None)


@pytest.mark.parametrize(
    ("message", "start", "stop"),
    [
        ("周末我们去了哪里？", "2026-11-21", "2026-11-23"),
        ("周末的聚餐花了多少钱？", "2026-11-21", "2026-11-23"),
        ("3月份那次搬家叫的是哪家车，有没有加价", "2026-03-01", "2026-04-01"),
        ("What did the hall cost in February?", "2026-02-01", "2026-03-01"),
        ("the bill for October is triple, why?", "2026-10-01", "2026-11-01"),
    ],
)
def test_what_is_over_is_of_its_time(message: str, start: str, stop: str) -> None:
    period = reading(message).period
    assert period is not None
    assert (str(period.start), str(period.stop)) == (start, stop)
