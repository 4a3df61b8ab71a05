"""What is put off by so much has its new day counted; what is put off to no day is doubted."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain_core.extract.put_off import By
from tests.building import FIRST_SECOND, open_brain, say
from tests.extraction.updates import all_items, believed

_AT = 1_764_324_000 - FIRST_SECOND
"""28 November 2025, a Friday."""

PUT_OFF = [
    ("The launch is on March 3.", "the launch slipped a week", "2026-03-10"),
    ("The launch is on March 3.", "Launch moves back by two weeks", "2026-03-17"),
    ("The launch is on March 3.", "they've postponed the launch by a month, marketing isn't ready", "2026-04-03"),
    ("The launch is on March 3.", "bad news, they pushed the launch out another fortnight", "2026-03-17"),
    ("The launch is on March 3.", "they brought the launch forward by three days", "2026-02-28"),
    ("The launch is on March 3.", "the launch is a week later than planned", "2026-03-10"),
    ("The launch is on January 31.", "we pushed the launch back a month", "2026-02-28"),
    ("Our go-live is January 12.", "go-live slipped a week", "January 19"),
    ("My dentist appointment is on December 4 at 9.", "the dentist pushed it back a day", "2025-12-05"),
    ("Remind me to file the tax return by December 10.", "the tax return got pushed back a week", "2025-12-17"),
    ("发布会定在3月3号。", "发布会推迟一周", "2026-03-10"),
    ("发布会定在3月3号。", "发布会延期两个月", "2026-05-03"),
    ("发布会定在3月3号。", "通知说，发布会要提前三天", "2026-02-28"),
    ("体检约在12月4号。", "体检往后挪两天", "2025-12-06"),
    ("體檢約在12月4號。", "體檢延後兩天", "2025-12-06"),
    ("下周三交房租。", "交房租可以推迟三天", "2025-12-06"),
]


@pytest.mark.parametrize(("fact", "change", "now"), PUT_OFF)
def test_its_new_day_is_counted_from_the_one_known(tmp_path: Path, fact: str, change: str, now: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", fact, at=_AT))
        brain.commit_turn(say("m", "s", change, at=_AT + 86_400))
        (told,) = [text for kind, text in believed(brain, "m") if kind != "entities"]
        assert now in told


PUT_TO = [
    ("The release is next Thursday.", "The release is pushed to Tuesday.", "2025-12-09"),
    ("The release is next Thursday.", "we postponed the release to Thursday", "2025-12-11"),
    ("The launch is on Monday.", "the launch is postponed until next Friday", "2025-12-05"),
    ("The launch is on Monday.", "the launch is delayed until Friday because QA found a bug", "2025-12-05"),
    ("The call with Ana is next Thursday", "the call with Ana slipped to Friday", "2025-12-05"),
    ("Remind me to send the invoice by Wednesday the 3rd", "the invoice is delayed to Monday", "2025-12-08"),
    (
        "My interview is on Friday 12 December",
        "The interview was moved up to Wednesday",
        "2025-12-10: My interview is on W",
    ),
    ("The demo is on Monday the 8th.", "We brought the demo forward to Friday.", "2025-12-05: The demo is on Friday"),
    ("The demo is on Monday the 8th.", "The demo is pushed to the 4th.", "2026-01-04"),
    ("下周四发版。", "发版推迟到周二。", "2025-12-09"),
    ("下周四發版。", "發版延後到週二。", "2025-12-09"),
    ("下周四要交报告。", "报告延期到周五交。", "2025-12-05"),
    ("下周五和医生复诊。", "复诊提前到周三了。", "2025-12-03"),
    ("考试在8号。", "考试推迟到4号。", "2026-01-04"),
    ("The demo is on 10 February.", "The demo is pushed to the 31st.", "2026-03-31"),
]


@pytest.mark.parametrize(("fact", "change", "now"), PUT_TO)
def test_put_off_to_a_weekday_it_comes_after_its_old_day(tmp_path: Path, fact: str, change: str, now: str) -> None:
    """Pushed to Friday, a release of next Wednesday was on the Friday before it."""
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", fact, at=_AT))
        brain.commit_turn(say("m", "s", change, at=_AT + 86_400))
        (told,) = [text for kind, text in believed(brain, "m") if kind != "entities"]
        assert now in told


DOUBTED = [
    ("The launch is on March 3.", "the launch is postponed"),
    ("The launch is on March 3.", "the launch got delayed, no idea until when"),
    ("The launch is on March 3.", "they moved the launch forward by three days"),
    ("The launch is on March 3.", "the launch slipped by a few weeks"),
    ("Our go-live is January 12.", "they've put off the go-live indefinitely"),
    ("发布会定在3月3号。", "发布会推迟了"),
    ("发布会定在3月3号。", "发布会延期，时间待定"),
]


@pytest.mark.parametrize(("fact", "change"), DOUBTED)
def test_where_no_day_can_be_counted_the_old_one_is_doubted(tmp_path: Path, fact: str, change: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", fact, at=_AT))
        brain.commit_turn(say("m", "s", change, at=_AT + 86_400))
        (text,) = [item.text for item in all_items(brain, "m") if item.type in {"events", "knowledge"}]
        assert "Perhaps no longer so since: 2025-11-29" in text


@pytest.mark.parametrize(
    "other",
    [
        "maybe we should push the launch back a week",
        "if the launch slipped a week I'd cry",
        "the meeting about the launch was moved a week ago",
        "my train was delayed by a day",
        "the launch team moved two weeks ago",
        "如果发布会推迟一周就好了",
        "发布会没有推迟",
        "发布会推迟一周可以吗？",
        "去年的发布会推迟了一周",
        "快递推迟了两天",
    ],
)
def test_what_is_supposed_or_of_something_else_moves_nothing(tmp_path: Path, other: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "The launch is on March 3.", "发布会定在4月3号。", at=_AT))
        before = set(believed(brain, "m"))
        brain.commit_turn(say("m", "s", other, at=_AT + 86_400))
        assert before <= set(believed(brain, "m"))


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(-40, 40), st.integers(-400, 400))
def test_by_months_and_days_lands_in_that_month_and_so_many_days_on(day: date, months: int, days: int) -> None:
    in_month = By(months=months).after(day)
    assert (in_month.year - day.year) * 12 + in_month.month - day.month == months
    assert in_month.day == day.day or (in_month.day < day.day and By(days=1).after(in_month).day == 1)
    assert (By(days=days, months=months).after(day) - in_month).days == days
