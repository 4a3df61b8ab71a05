"""Days of what was moved, called off or told by a part of a month: a tester found the old day, or one a year back."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.event_pb2 import Event, Message

from brain_core import Brain
from brain_core.compose.own_days import day_range
from brain_core.errors import InvalidArgument
from brain_core.extract.known import value_of
from tests.building import active, found, fresh, turn

CASES = [
    ("2026-04-22", "The dentist moved my appointment from April 28 to May 5.", "2026-05-05"),
    ("2026-04-22", "The piano teacher moved the lesson from Tuesday to Friday 4pm, starting this week.", "2026-04-24"),
    ("2026-04-22", "They moved the exam from the 28th to the 5th.", "2026-05-05"),
    ("2026-04-22", "They moved the exam from 28 April to the 5th.", "2026-05-05"),
    ("2026-09-04", "We moved the launch from 1 October to 15 October.", "2026-10-15"),
    ("2026-04-22", "牙医把我的预约从4月28号改到5月5号。", "2026-05-05"),
    ("2026-09-04", "婚礼从五月一号推迟到六月六号。", "2027-06-06"),
    ("2026-09-04", "婚礼从五月一号推迟到五月九号了。", "2027-05-09"),
    ("2026-09-04", "面试从10月28号改到30号了。", "2026-10-30"),
    ("2026-04-22", "面试从28号改到5号了。", "2026-05-05"),
    ("2026-09-04", "We cancelled Rome for October.", "2026-10-01"),
    ("2026-09-04", "We cancelled the Rome trip in October.", "2026-10-01"),
    ("2026-09-04", "I called off the party on 20 December.", "2026-12-20"),
    ("2026-09-04", "我们取消了12月20号的罗马旅行。", "2026-12-20"),
    ("2026-09-30", "I'm leaving Orchard at the end of October.", "2026-10-31"),
    ("2026-04-09", "We move to Leeds at the end of June.", "2026-06-30"),
    ("2026-04-09", "We moved to Leeds at the end of June.", "2025-06-30"),
    # Near misses: a move between places, and what was over when it was told.
    ("2026-04-22", "We moved from Leeds to York on 5 March.", "2026-03-05"),
    ("2026-09-04", "I cancelled my gym membership in August.", "2026-08-01"),
    ("2026-09-04", "I cancelled my gym membership on 20 August.", "2026-08-20"),
    ("2026-12-10", "I cancelled the gym membership in June.", "2026-06-01"),
    ("2026-09-04", "我们取消了八月二十号的罗马旅行。", "2026-08-20"),
    ("2026-09-04", "The basement flooded on 20 December.", "2025-12-20"),
]
"""The day when it was said, what was said, the day that it is about."""


def _told(brain: Brain, said: str, *texts: str, memory: str = "") -> list[dict[str, object]]:
    """Return the events that hold once some messages were said on a day."""
    memory, when = memory or fresh(), Timestamp()
    when.FromJsonString(f"{said}T12:00:00Z")
    for text in texts:
        brain.commit_turn(turn(memory, "s", messages=[Message(role="user", content=text, created_at=when)]))
    return [value_of(one) for one in active(brain, memory) if one.type == "events"]


@pytest.mark.parametrize(("said", "text", "day"), CASES)
def test_an_event_has_the_day_that_was_meant(brain: Brain, said: str, text: str, day: str) -> None:
    assert [one["date"] for one in _told(brain, said, text)] == [day]


@pytest.mark.parametrize(
    ("known", "text", "day"),
    [
        ("The launch is on 1 October.", "We moved the launch from 1 October to 15 October.", "2026-10-15"),
        ("The wedding is on 1 May.", "The wedding was pushed from 1 May to 6 June.", "2027-06-06"),
        ("婚礼定在五月一号。", "婚礼从五月一号推迟到六月六号。", "2027-06-06"),
        ("我9月28号约了牙医。", "牙医把我的预约从9月28号改到10月5号。", "2026-10-05"),
    ],
)
def test_a_known_event_is_on_the_new_day_alone(brain: Brain, known: str, text: str, day: str) -> None:
    assert [one["date"] for one in _told(brain, "2026-09-04", known, text)] == [day]


def test_what_is_moved_is_called_by_neither_day(brain: Brain) -> None:
    assert [one["slug"] for one in _told(brain, "2026-04-22", "婚礼从五月一号推迟到六月六号。")] == ["婚礼"]


RANGES = [
    ("2026-10-20", "we're going to Brno at the end of november, 27th to 30th.", "2026-11-27", "2026-11-30"),
    ("2026-10-20", "We're going to Brno from the 27th to the 30th of November.", "2026-11-27", "2026-11-30"),
    ("2026-07-21", "I'm on vacation 3 to 14 August, in Sardinia", "2026-08-03", "2026-08-14"),
    ("2026-07-21", "I'm on vacation from 3 August to 14 August.", "2026-08-03", "2026-08-14"),
    ("2026-09-04", "I was on vacation from 3 August to 14 August.", "2026-08-03", "2026-08-14"),
    ("2026-09-04", "The conference runs 5-7 October in Berlin.", "2026-10-05", "2026-10-07"),
    ("2026-09-04", "The conference runs October 5-7 in Berlin.", "2026-10-05", "2026-10-07"),
    ("2026-09-04", "I'll be away between 5 and 7 October.", "2026-10-05", "2026-10-07"),
    ("2026-09-04", "We're on holiday from 28 December to 3 January.", "2026-12-28", "2027-01-03"),
    ("2026-04-09", "We move to Leeds mid-May.", "2026-05-11", "2026-05-20"),
    ("2026-07-21", "我8月3号到14号去撒丁岛度假。", "2026-08-03", "2026-08-14"),
    ("2026-09-04", "我10月5号到7号去北京出差。", "2026-10-05", "2026-10-07"),
    ("2026-09-04", "我12月28号至1月3号去北京出差。", "2026-12-28", "2027-01-03"),
    # Near misses: an hour, two days that are not joined, a move, numbers that are no days.
    ("2026-09-04", "The concert is on 5 October, 5 to 7 pm.", "2026-10-05", None),
    ("2026-09-04", "The meeting is on October 5 to 7 people's delight.", "2026-10-05", None),
    ("2026-09-04", "The interview is on 5 October and the exam on 7 October.", "2026-10-05", None),
    ("2026-04-22", "They moved the exam from 28 April to 5 May.", "2026-05-05", None),
    ("2026-09-04", "我10月5号到北京出差。", "2026-10-05", None),
]


@pytest.mark.parametrize(("said", "text", "first", "last"), RANGES)
def test_an_event_of_some_days_has_the_first_and_the_last(
    brain: Brain, said: str, text: str, first: str, last: str | None
) -> None:
    events = _told(brain, said, text)
    assert [(one["date"], one.get("until")) for one in events] == [(first, last)]


@pytest.mark.parametrize(
    ("text", "day"),
    [("I'm on vacation from 3 August to 14 August.", "2026-08-03"), ("我8月3号到14号去撒丁岛度假。", "2026-08-03")],
)
def test_an_event_of_some_days_is_found_on_each_of_them(brain: Brain, text: str, day: str) -> None:
    memory = fresh()
    assert [one["date"] for one in _told(brain, "2026-07-21", text, memory=memory)] == [day]
    about = [
        found(brain, memory, text, days=day_range(date.fromisoformat(one), date.fromisoformat(one) + timedelta(days=1)))
        for one in ("2026-08-02", "2026-08-03", "2026-08-06", "2026-08-14", "2026-08-15")
    ]
    assert [bool(snippets) for snippets in about] == [False, True, True, True, False]


def test_the_last_day_of_an_event_is_not_before_its_first(brain: Brain) -> None:
    fair = Event(title="fair", date="2026-08-14", until="2026-08-03")
    with pytest.raises(InvalidArgument, match=r"events\[0\]\.until.*2026-08-03.*2026-08-14 or later"):
        brain.commit_turn(turn("m", "s", events=[fair]))


@pytest.mark.parametrize(
    "text",
    [
        "Book club is on the last Wednesday of the month, we read Piranesi first.",
        "Team lunch is the first Thursday of the month.",
        "I have yoga on the last Friday of each month.",
        "团队聚餐在每月第一个周四。",
    ],
)
def test_what_is_on_a_day_of_every_month_is_no_event_of_one(brain: Brain, text: str) -> None:
    assert _told(brain, "2026-09-04", text) == []
