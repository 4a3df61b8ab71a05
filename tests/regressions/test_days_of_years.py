"""Days that not every month or year has, and names of months and weekdays on the days that bear them."""

from __future__ import annotations

from datetime import date

import pytest

from brain_core.extract.chinese import dates as chinese
from brain_core.extract.dates import first_day

LEAP_DAY = date(2024, 2, 29)
MARCH = date(2025, 3, 5)
SUNDAY = date(2024, 5, 5)


@pytest.mark.parametrize(
    ("text", "said", "past", "day"),
    [
        ("the launch is on the 31st", LEAP_DAY, False, "2024-03-31"),
        ("the launch was on the 31st", MARCH, True, "2025-01-31"),
        ("the launch is on the 31st", date(2024, 11, 3), False, "2024-12-31"),
        ("the party is on February 29", MARCH, False, "2028-02-29"),
        ("the party was on Feb 29th", MARCH, True, "2024-02-29"),
        ("the party is on February 29", LEAP_DAY, False, "2024-02-29"),
        ("we met last February", LEAP_DAY, True, "2023-02-01"),
        ("we meet next February", LEAP_DAY, False, "2025-02-01"),
        ("we met this February", LEAP_DAY, True, "2024-02-01"),
        ("we met in February", LEAP_DAY, True, "2024-02-01"),
        ("the release is this Friday", SUNDAY, False, "2024-05-10"),
        ("we released this Friday", SUNDAY, True, "2024-05-03"),
        ("the release is this Sunday", SUNDAY, False, "2024-05-05"),
        ("the release is a year from today", LEAP_DAY, False, "2025-02-28"),
    ],
)
def test_of_the_calendar(text: str, said: date, past: bool, day: str) -> None:
    found = first_day(text, said, past)
    assert found is not None
    assert found.day.isoformat() == day


@pytest.mark.parametrize("text", ["on February 30", "on the 32nd"])
def test_no_day_of_the_calendar(text: str) -> None:
    found = first_day(text, MARCH)
    assert found is None or not found.exact


@pytest.mark.parametrize(
    ("text", "said", "past", "day"),
    [
        ("去年的今天我们上线了", LEAP_DAY, True, "2023-02-28"),
        ("一年后的今天上线", SUNDAY, False, "2025-05-05"),
        ("一年后的今天上线", LEAP_DAY, False, "2025-02-28"),
        ("三个月前的今天我们上线了", LEAP_DAY, True, "2023-11-29"),
        ("下个月的今天上线", date(2024, 1, 31), False, "2024-02-29"),
        ("2月29日聚会", LEAP_DAY, False, "2024-02-29"),
        ("2月29日聚会", MARCH, False, "2028-02-29"),
        ("2月29日聚会了", MARCH, True, "2024-02-29"),
        ("31号上线", LEAP_DAY, False, "2024-03-31"),
        ("下周五上线", date(2024, 5, 3), False, "2024-05-10"),
        ("上上周日我们上线了", SUNDAY, True, "2024-04-21"),
    ],
)
def test_of_the_calendar_in_chinese(text: str, said: date, past: bool, day: str) -> None:
    [found] = chinese.days(text, said, past=past)
    assert found.day.isoformat() == day
