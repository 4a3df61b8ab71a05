"""Expressions that are looked for together find what each alone finds."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.compose.planner.times import chinese_days, days
from brain_core.extract import dates
from brain_core.extract.chinese import dates as chinese_dates
from brain_core.text.sifted import Sifter

PATTERNS = (r"\b(?:last|this) (?:week|month)\b", r"\d+ days? ago", "上周|上个月", r"\w+")
WORDS = st.lists(
    st.sampled_from(["last", "this", "week", "month", "12", "day", "days", "ago", "上", "周", "个月", "."])
)
SIFTER = Sifter()
SIFTED = [SIFTER.expression(pattern) for pattern in PATTERNS]
SAID = date(2026, 11, 28)


@settings(max_examples=300, deadline=None)
@given(st.one_of(WORDS.map(" ".join), WORDS.map("".join)))
def test_it_finds_what_re_finds(text: str) -> None:
    for one in SIFTED:
        assert [found.span() for found in one.finditer(text)] == [
            found.span() for found in re.finditer(one.pattern, text)
        ]
        first, expected = one.search(text), re.search(one.pattern, text)
        assert (first and first.span()) == (expected and expected.span())
        assert one.sub("-", text) == re.sub(one.pattern, "-", text)
        assert not (one.is_absent(text) and expected)


def test_what_nothing_is_needed_for_is_never_absent() -> None:
    assert [one.is_absent("") for one in SIFTED] == [True, True, True, False]


def test_a_name_of_its_own_is_told_beside_them() -> None:
    sifter = Sifter()
    sifter.add("question", r"\?")
    week = sifter.expression("week")
    assert sifter.possible("which week") == {week}
    assert sifter.possible("why?") == {"question"}


@pytest.mark.parametrize(
    "text",
    [
        "what did i do on monday", "the 3rd of may", "two weeks ago, or tomorrow", "on tue", "in june", "ſunday and so",
        "nothing of the kind", "by 2026-03-04", "at the weekend", "3/4", "late november",
    ],
)  # fmt: skip
def test_the_days_of_a_text_are_found_whether_it_has_their_words_or_not(text: str) -> None:
    assert list(days(text, SAID)) == list(dates.days(text, SAID))


@pytest.mark.parametrize("text", ["昨天做了什么", "上周三和3月5号", "没有日子", "年底", "国庆节", "两周前", "中旬"])
def test_the_days_of_a_chinese_text_are_found_whether_it_has_their_words_or_not(text: str) -> None:
    assert list(chinese_days(text, SAID)) == list(chinese_dates.days(text, SAID))
