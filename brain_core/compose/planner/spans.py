"""Periods of the calendar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from brain_core.compose.planner.tells import Period

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "quarter": 91, "year": 365}


LIVED = 15
"""Years: what lies further back is history, not memory."""


def through(first: Period, last: Period, span: tuple[int, int]) -> Period:
    """Return all from the first to the last; a last that seems to lie before the first is a year on, or a week."""
    if last.start < first.start:
        near = (first.start - last.start).days < _DAYS["week"]
        if near and (first.stop - first.start).days == 1:
            return Period(first.start - timedelta(weeks=1), last.stop, span)
        return Period(first.start, last.stop.replace(year=last.stop.year + 1, day=min(last.stop.day, 28)), span)
    return Period(first.start, last.stop, span)


def first_of(year: int, month: int) -> date:
    """Return the first day of a month; month 0 is December of the year before, 13 January of the year after."""
    index = year * 12 + month - 1
    return date(index // 12, index % 12 + 1, 1)


def rolling(said: date, count: int, unit: str, span: tuple[int, int]) -> Period:
    """Return the last so many days, weeks, … up to and with the day said."""
    if unit in {"month", "year"}:
        months = count * (12 if unit == "year" else 1)
        first = first_of(said.year, said.month - months)
        start = first + timedelta(days=min(said.day, (first_of(first.year, first.month + 1) - first).days) - 1)
    else:
        start = said - timedelta(days=count * _DAYS[unit])
    return Period(start, said + timedelta(days=1), span)


SOON = 60
"""Days to come that "coming up" and "soon" mean."""


def onwards(said: date, count: int, unit: str, span: tuple[int, int]) -> Period:
    """Return the next so many days, weeks, … from the day said on."""
    if unit in {"month", "year"}:
        last = first_of(said.year, said.month + count * (12 if unit == "year" else 1))
        length = (first_of(last.year, last.month + 1) - last).days
        return Period(said, last + timedelta(days=min(said.day, length)), span)
    return Period(said, said + timedelta(days=count * _DAYS[unit] + 1), span)


def tail(said: date, period: Period) -> Period:
    """Return what of a period is not over on the day said."""
    return Period(max(said, period.start), period.stop, period.span)


def joined(text: str, found: Sequence[Period], joins: re.Pattern[str]) -> list[Period]:
    """Return periods without those that lie in another's words; neighbours that words join become one.

    found: by where they begin in the text, of equals the longest first.
    """
    kept: list[Period] = []
    for one in found:
        last = kept[-1] if kept else None
        if last is None or (one.span[0] >= last.span[1] and not joins.fullmatch(text[last.span[1] : one.span[0]])):
            kept.append(one)
        elif one.span[0] >= last.span[1]:
            span = (last.span[0], one.span[1])
            kept[-1] = Period(min(last.start, one.start), max(last.stop, one.stop), span)
    return kept


def calendar_span(day: date, unit: str, shift: int, span: tuple[int, int]) -> Period:
    """Return the week (from Monday), fortnight, month or year that a day lies in, or one so many further on."""
    if unit == "month":
        return month_span(first_of(day.year, day.month + shift), span)
    if unit == "year":
        return Period(date(day.year + shift, 1, 1), date(day.year + shift + 1, 1, 1), span)
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=shift)
    return Period.of_days(monday, 7, span)


def month_span(day: date, span: tuple[int, int]) -> Period:
    """Return the month that a day lies in."""
    return Period(first_of(day.year, day.month), first_of(day.year, day.month + 1), span)


def season(year: int, name: str, span: tuple[int, int]) -> Period:
    """Return the three months of a season of the northern half; winter begins in December of the year."""
    month = _SEASONS[name]
    return Period(first_of(year, month), first_of(year, month + 3), span)


def quarter(year: int, number: int, span: tuple[int, int]) -> Period:
    """Return the quarter 1 … 4 of a year."""
    return Period(first_of(year, 3 * number - 2), first_of(year, 3 * number + 1), span)
