"""Days named in Chinese, resolved against the day they were said."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brain_core.extract.chinese.dates import days, first_day, number
from brain_core.text.script import fold

SAID = date(2026, 3, 18)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("今天", "2026-03-18"), ("昨天", "2026-03-17"), ("前天晚上", "2026-03-16"), ("大后天", "2026-03-21"),
        ("今晚", "2026-03-18"),
        ("上周五", "2026-03-13"), ("下周三", "2026-03-25"), ("这周五之前", "2026-03-20"), ("周五", "2026-03-20"),
        ("禮拜五", "2026-03-20"),
        ("下下周一", "2026-03-30"), ("上上周日", "2026-03-08"), ("星期天", "2026-03-22"), ("周末", "2026-03-21"),
        ("下个月3号", "2026-04-03"), ("上个月20号", "2026-02-20"), ("5号", "2026-04-05"), ("6 月 18 号", "2026-06-18"),
        ("２０２６年３月５日", "2026-03-05"), ("二〇二六年三月五号", "2026-03-05"), ("十二月二十五日",
        "2026-12-25"), ("26年1月5号", "2026-01-05"),
        ("2025-12-01", "2025-12-01"), ("12/25", "2026-12-25"), ("两周后", "2026-04-01"), ("三天内", "2026-03-21"),
        ("10天前", "2026-03-08"),
        ("月底", "2026-03-31"), ("下个月底", "2026-04-30"), ("年底", "2026-12-31"),
        ("上年底", "2025-12-31"), ("12月底", "2026-12-31"),
        ("明年春节", "2027-02-06"), ("去年国庆", "2025-10-01"), ("中秋", "2026-09-25"), ("明年除夕", "2027-02-05"),
        ("清明", "2026-04-05"), ("五一", "2026-05-01"),
    ],
)  # fmt: skip
def test_a_day_is_resolved(text: str, day: str) -> None:
    found = first_day(fold(text), SAID)
    assert found is not None
    assert (found.day.isoformat(), found.exact) == (day, True)


@pytest.mark.parametrize(("text", "day"), [("周一", "2026-03-16"), ("3月10号", "2026-03-10"), ("国庆", "2025-10-01")])
def test_what_has_been_lies_before(text: str, day: str) -> None:
    found = first_day(text, SAID, past=True)
    assert found is not None
    assert found.day.isoformat() == day


@pytest.mark.parametrize(("text", "day"), [("12 月 16 号", "2026-12-16"), ("10 月 3 号", "2026-10-03")])
def test_what_has_been_is_rather_next_week_than_nearly_a_year_ago(text: str, day: str) -> None:
    """Said on the 11th, 展示在 12 月 16 号，少了两天 was dated to the year before: 了 made it past."""
    found = first_day(text, date(2026, 12, 11), past=True)
    assert found is not None
    assert found.day.isoformat() == day


@pytest.mark.parametrize(
    ("text", "day"),
    [("上个月", "2026-02-01"), ("去年", "2025-01-01"), ("今年 6 月", "2026-06-01"), ("上周", "2026-03-09")],
)
def test_a_month_or_year_is_not_exact(text: str, day: str) -> None:
    found = first_day(text, SAID)
    assert found is not None
    assert (found.day.isoformat(), found.exact) == (day, False)


@pytest.mark.parametrize("text", ["2月30日", "13月1日", "3/4/5", "版本 1.2.3", "天天", "每周四", "十分好"])
def test_what_is_no_day_is_none(text: str) -> None:
    assert first_day(text, SAID) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("十", 10), ("十五", 15), ("二十五", 25), ("一百零五", 105), ("两百", 200), ("二〇二六", 2026), ("12", 12)],
)
def test_numerals(text: str, value: int) -> None:
    assert number(text) == value


@example("上年底", SAID)
@example("下个月年底", SAID)
@given(st.text(alphabet="0123456789一二十百零年月日号周天前后内上下个大今明昨底/-. 春节", max_size=30), st.dates())
def test_no_text_raises_and_places_lie_inside(text: str, said: date) -> None:
    for found in days(text, said):
        assert 0 <= found.start < found.stop <= len(text)
