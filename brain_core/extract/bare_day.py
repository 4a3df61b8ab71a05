"""Of which month a day without one is, in both languages: "the 21st", 「21号」."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from typing import Protocol

from brain_core.extract.dates import Day
from brain_core.text.expression import Expression

DayOf = Callable[[str, date], Day | None]
"""Returns the first day that a text of a language names."""


class DaysOf(Protocol):
    """Names the days of a text of a language. past: whether it tells of what has been."""

    def __call__(self, text: str, said: date, *, past: bool) -> Iterable[Day]:
        """Return them in their order."""


_BARE = Expression(
    r"(?:the )?[0-9]{1,2}(?:st|nd|rd|th)|(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3}) ?[号日]", re.IGNORECASE
)
_MONTH = Expression(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|月|[0-9][-/.][0-9]", re.IGNORECASE)


def in_month_of(told: date | None, day: Day, text: str, day_of: DayOf, said: date | None = None) -> Day:
    """Return a day of a text; one without a month is that of the month of `told`, a day of the same matter.

    told: None where no such day is known. said: the day that it then stays before, or stays from; None where it may lie
    on either side.
    """
    if told is None or not _is_bare(day, text):
        return day
    same = day_of(text[day.start : day.stop], told.replace(day=1))
    if same is None or (said is not None and (same.day < said) != (day.day < said)):
        return day
    return replace(day, day=same.day)


def _is_bare(day: Day, text: str) -> bool:
    """Return whether a day of a text is told by its number alone."""
    return _BARE.fullmatch(text[day.start : day.stop]) is not None


def in_its_month(day: Day, text: str, said: date, before: str, days: DaysOf, day_of: DayOf) -> Day:
    """Return a day of a text; without a month it is of the one told last before it, in `before` or in the text."""
    if not _is_bare(day, text):
        return day
    told = before + text[: day.start]
    return in_month_of(_month_told(told, days(told, said, past=day.day < said)), day, text, day_of, said)


def _month_told(text: str, named: Iterable[Day]) -> date | None:
    """Return the last day of a text that is told with its month, or of the month alone. named: its days."""
    return next(
        (day.last or day.day for day in reversed(list(named)) if _MONTH.search(text[day.start : day.stop])), None
    )
