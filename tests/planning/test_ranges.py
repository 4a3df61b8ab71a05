"""Times with two ends, and all that was before one."""

from __future__ import annotations

from datetime import date

import pytest

from brain_core.compose.planner.read import Recent, read


def period(message: str, today: date = date(2026, 5, 15)) -> tuple[str, str] | None:
    found = read(message, today, Recent).period
    return None if found is None else (str(found.start), str(found.stop))


@pytest.mark.parametrize(
    ("message", "start", "stop"),
    [
        ("从5月1日到5月15日我干了啥", "2026-05-01", "2026-05-16"),
        ("五月一日到五月十五日花了多少", "2026-05-01", "2026-05-16"),
        ("3月3日至4月2日我去了哪", "2026-03-03", "2026-04-03"),
        ("2026-05-01到2026-05-15花了多少", "2026-05-01", "2026-05-16"),
        ("2026年5月1日到2026年5月15日的记录有哪些", "2026-05-01", "2026-05-16"),
        ("从11月20日到1月5日我在哪", "2025-11-20", "2026-01-06"),
        ("从周一到周三我干了什么", "2026-05-11", "2026-05-14"),
        ("what did I do from 5/1 to 5/15?", "2026-05-01", "2026-05-16"),
        ("what did I spend 4/1 to 4/30?", "2026-04-01", "2026-05-01"),
        ("what was decided March 2 - May 10?", "2026-03-02", "2026-05-11"),
        ("what did we do between 3 April and 12 May?", "2026-04-03", "2026-05-13"),
        ("what did we do April 3 to April 20?", "2026-04-03", "2026-04-21"),
        ("what did I do from Monday to Wednesday?", "2026-05-11", "2026-05-14"),
        ("3月1日之前我定了什么", "2011-01-01", "2026-03-01"),
        ("三月以前我定了什么", "2011-01-01", "2026-03-01"),
        ("去年之前我住哪", "2011-01-01", "2025-01-01"),
        ("what did I say before April 1?", "2011-01-01", "2026-04-01"),
        ("where did I live before last year?", "2011-01-01", "2025-01-01"),
        ("what had we decided before 2025?", "2011-01-01", "2025-01-01"),
    ],
)
def test_a_range_is_read_whole(message: str, start: str, stop: str) -> None:
    assert period(message) == (start, stop)


def test_days_of_the_week_wrap_around() -> None:
    assert period("what did I do from Friday to Monday?", date(2026, 5, 12)) == ("2026-05-08", "2026-05-12")
    assert period("what did I do from Monday to Wednesday?", date(2026, 5, 12)) == ("2026-05-04", "2026-05-07")


@pytest.mark.parametrize(
    "message",
    [
        "Remind me before April 1",
        "what must I finish before April 1?",
        "5月20日前交报告",
        "周五之前要交什么",
        "把会从5月1日改到5月15日",
        "what did I say before June 1?",
        "6月1日之前我定了什么",
    ],
)
def test_what_is_still_to_come_and_what_is_moved_is_no_such_range(message: str) -> None:
    found = period(message)
    assert found is None or found[1] <= "2026-05-16"
    assert found is None or found[0] > "2012"


@pytest.mark.parametrize(
    ("message", "start"), [("三天之前我说了什么", "2026-05-12"), ("what did I say on April 1?", "2026-04-01")]
)
def test_one_day_stays_one_day(message: str, start: str) -> None:
    found = period(message)
    assert found is not None
    assert found[0] == start
    assert (date.fromisoformat(found[1]) - date.fromisoformat(found[0])).days == 1


@pytest.mark.parametrize(
    ("message", "start", "stop"),
    [
        ("What did I do in October last year?", "2025-10-01", "2025-11-01"),
        ("What happened in March last year?", "2025-03-01", "2025-04-01"),
        ("What did I do last year in October?", "2025-10-01", "2025-11-01"),
        ("What did I do last year?", "2025-01-01", "2026-01-01"),
        ("What did I read half a year ago?", "2026-05-01", "2026-06-01"),
        ("What did I read a year ago?", "2025-01-01", "2026-01-01"),
        ("What book was I reading in June?", "2026-06-01", "2026-07-01"),
        ("Which book did I read in June?", "2026-06-01", "2026-07-01"),
    ],
)
def test_a_tester_s_questions_are_of_the_time_that_they_name(message: str, start: str, stop: str) -> None:
    assert period(message, date(2026, 11, 1)) == (start, stop)


def test_a_table_to_book_is_of_no_time_that_was() -> None:
    assert period("Can you book a table in June?", date(2026, 11, 1)) is None
