"""English dates against the day they were said."""

from __future__ import annotations

from datetime import date

import pytest

from brain_core.extract.dates import days, first_day

WEDNESDAY = date(2026, 3, 18)

CASES = [
    ("today", "2026-03-18"),
    ("tonight", "2026-03-18"),
    ("yesterday", "2026-03-17"),
    ("last night", "2026-03-17"),
    ("tomorrow", "2026-03-19"),
    ("tommorow", "2026-03-19"),
    ("the day after tomorrow", "2026-03-20"),
    ("the day before yesterday", "2026-03-16"),
    ("on Friday", "2026-03-20"),
    ("this Friday", "2026-03-20"),
    ("next Tuesday", "2026-03-24"),
    ("last Friday", "2026-03-13"),
    ("last Wednesday", "2026-03-11"),
    ("Monday next week", "2026-03-23"),
    ("in two weeks", "2026-04-01"),
    ("in 3 days", "2026-03-21"),
    ("a week ago", "2026-03-11"),
    ("two months ago", "2026-01-18"),
    ("on May 7", "2026-05-07"),
    ("7 May", "2026-05-07"),
    ("the 7th of May 2025", "2025-05-07"),
    ("January 5", "2027-01-05"),
    ("due October 2nd, 2000 words", "2026-10-02"),
    ("due October 2nd, 2027 for the board", "2027-10-02"),
    ("on the 15th", "2026-04-15"),
    ("2026-05-07", "2026-05-07"),
    ("5/7/2026", "2026-05-07"),
    ("25.12.2026", "2026-12-25"),
    ("due 4/12", "2026-04-12"),
    ("end of the month", "2026-03-31"),
    ("by EOD", "2026-03-18"),
    ("this weekend", "2026-03-21"),
]


@pytest.mark.parametrize(("text", "day"), CASES)
def test_resolves(text: str, day: str) -> None:
    found = first_day(f"we meet {text}, then", WEDNESDAY)
    assert found is not None
    assert found.exact
    assert found.day.isoformat() == day


@pytest.mark.parametrize(
    ("text", "day"), [("on Friday", "2026-03-13"), ("on Monday", "2026-03-16"), ("May 7", "2025-05-07")]
)
def test_a_day_of_something_past_lies_before(text: str, day: str) -> None:
    found = first_day(text, WEDNESDAY, past=True)
    assert found is not None
    assert found.day.isoformat() == day


@pytest.mark.parametrize(
    ("text", "day"), [("in March", "2026-03-01"), ("next month", "2026-04-01"), ("last year", "2025-01-01")]
)
def test_a_longer_time_is_not_exact(text: str, day: str) -> None:
    found = first_day(text, WEDNESDAY)
    assert found is not None
    assert (found.exact, found.day.isoformat()) == (False, day)


@pytest.mark.parametrize(
    "text",
    ["may I go", "I sat there", "the sun is out", "version 2.5.1", "on Fridays", "1/2 of it", "I may be 3", "at 3 pm"],
)
def test_what_is_no_date(text: str) -> None:
    assert list(days(text, WEDNESDAY)) == []


def test_spans_hold_the_words() -> None:
    text = "from 5 June to 12 June"
    assert [text[day.start : day.stop] for day in days(text, WEDNESDAY)] == ["5 June", "12 June"]


def test_a_day_out_of_range_is_none() -> None:
    assert first_day("2026-13-45", WEDNESDAY) is None
    assert first_day("in 999 years", date(9500, 1, 1)) is None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("early May", "2026-05-01", "2026-05-10"),
        ("at the beginning of May", "2026-05-01", "2026-05-10"),
        ("mid-May", "2026-05-11", "2026-05-20"),
        ("in the middle of May", "2026-05-11", "2026-05-20"),
        ("late November 2027", "2027-11-21", "2027-11-30"),
        ("in late February", "2027-02-21", "2027-02-28"),
        ("in late March", "2026-03-21", "2026-03-31"),
    ],
)
def test_a_part_of_a_month_is_its_days(text: str, first: str, last: str) -> None:
    found = first_day(f"we leave {text}, then", WEDNESDAY)
    assert found is not None
    assert found.last is not None
    assert (found.exact, found.day.isoformat(), found.last.isoformat()) == (False, first, last)


@pytest.mark.parametrize(
    ("text", "past", "day"),
    [("the end of June", False, "2026-06-30"), ("end of February", False, "2027-02-28"),
     ("the end of June", True, "2025-06-30"), ("the end of March", True, "2025-03-31")],
)  # fmt: skip
def test_the_end_of_a_month_is_its_last_day(text: str, past: bool, day: str) -> None:
    found = first_day(f"we left at {text}", WEDNESDAY, past)
    assert found is not None
    assert (found.exact, found.day.isoformat(), found.last) == (True, day, None)


@pytest.mark.parametrize("text", ["I am late may I come", "the end of marching", "the middle of a game", "late mayhem"])
def test_what_is_no_part_of_a_month(text: str) -> None:
    assert list(days(text, WEDNESDAY)) == []


@pytest.mark.parametrize(
    "text", ["the first Thursday of the month", "the last Friday of each month", "last Wednesday of every month"]
)
def test_a_day_of_every_month_is_no_date(text: str) -> None:
    assert list(days(f"we meet on {text}, then", WEDNESDAY)) == []


@pytest.mark.parametrize(
    ("text", "past", "day"),
    [("the first Thursday of October", False, "2026-10-01"), ("the last Friday in May 2027", False, "2027-05-28"),
     ("the second Monday of March", False, "2027-03-08"), ("the second Monday of March", True, "2026-03-09"),
     ("last Friday", False, "2026-03-13")],
)  # fmt: skip
def test_a_weekday_of_a_named_month_is_a_date(text: str, past: bool, day: str) -> None:
    found = first_day(f"we meet on {text}, then", WEDNESDAY, past)
    assert found is not None
    assert (found.exact, found.day.isoformat()) == (True, day)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("on \u017funday", "on sunday"),
        ("last fr\u0131day", "last friday"),
        ("next FR\u0130DAY", "next friday"),
        ("\u017fix days ago", "six days ago"),
        ("3 AUGU\u017fT", "3 august"),
        ("two \u017faturdays ago", "two saturdays ago"),
    ],
)
def test_letters_that_are_taken_for_others_where_case_is_ignored_are_read_as_those(text: str, plain: str) -> None:
    assert [one.day for one in days(text, WEDNESDAY)] == [one.day for one in days(plain, WEDNESDAY)] != []
