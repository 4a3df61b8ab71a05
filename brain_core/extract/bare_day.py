"""Of which month a day without one is, in both languages: "the 21st", 「21号」."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date

from brain_core.extract.dates import Day
from brain_core.text.expression import Expression

DayOf = Callable[[str, date], Day | None]
"""Returns the first day that a text of a language names."""

_BARE = Expression(
    r"(?:the )?[0-9]{1,2}(?:st|nd|rd|th)|(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3}) ?[号日]", re.IGNORECASE
)
_MONTH = Expression(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|月|[0-9][-/.][0-9]", re.IGNORECASE)


def in_month_of(told: date | None, day: Day, text: str, day_of: DayOf, said: date | None = None) -> Day:
    """Return a day of a text; one without a month is that of the month of `told`, a day of the same matter.

    told: None where no such day is known. said: the day that it then stays before, or stays from; None where it may lie
    on either side.
    """
    if told is None or not is_bare(day, text):
        return day
    same = day_of(text[day.start : day.stop], told.replace(day=1))
    if same is None or (said is not None and (same.day < said) != (day.day < said)):
        return day
    return replace(day, day=same.day)


def is_bare(day: Day, text: str) -> bool:
    """Return whether a day of a text is told by its number alone."""
    return _BARE.fullmatch(text[day.start : day.stop]) is not None


def month_told(text: str, named: Iterable[Day]) -> date | None:
    """Return the last day of a text that is told with its month, or of the month alone. named: its days."""
    return next(
        (day.last or day.day for day in reversed(list(named)) if _MONTH.search(text[day.start : day.stop])), None
    )
