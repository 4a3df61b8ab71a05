"""English: months, parts of them and ranges of their days."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from brain_core.compose.planner.spans import calendar_span, first_of, month_span
from brain_core.compose.planner.tells import Period
from brain_core.compose.planner.times import ENGLISH

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"
COUNT = {word: number for number, word in enumerate(_NUMBERS.split())}
COUNT |= {"fourteen": 14, "fifteen": 15, "eighteen": 18, "twenty": 20, "thirty": 30, "ninety": 90}
COUNT |= {"couple of": 2, "couple": 2, "few": 3, "several": 4, "dozen": 12}
_MONTHS = (
    r"(?P<month>january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
)
_MONTH_YEAR = ENGLISH.expression(
    rf"\b(?:in )?{_MONTHS}(?: of)? (?:'(?P<year>\d\d)\b|(?P<which>last|this) year\b)|\b(?:in|back in|during|"
    rf"since) '(?P<bare>\d\d)\b"
)
_MONTH_SO_FAR = ENGLISH.expression(rf"\b{_MONTHS} so far\b")
_YEAR_MONTH = ENGLISH.expression(rf"\b(?P<which>last|this) year,? in {_MONTHS}(?! \d)")
_BARE_MONTH = ENGLISH.expression(
    r"\b(?:(?:since|from|during|between|throughout|last|this|early|late|mid|around|over|back in|whole of|all of|"
    r"end of|start of|"
    r"beginning of|did|was|how's|in|(?:notes?|entry|entries|log|diary|journal|summary|recap|overview|figures|numbers|"
    r"bills?|invoices?|statements?|results?|expenses|spending|hours) for)[ -](?:early |late |mid-)?)(?P<month>march|"
    r"may)\b(?!\s*\d)(?! (?:be|not|i|we|you|"
    r"have|"
    r"also|well|on|for)\b(?! me\b))"
)
_OF_MONTH = ENGLISH.expression(
    rf"\b(?:at|from|in|of|with|for|since) (?:the|our|my) {_MONTHS} (?:[a-z]+ )?(?:meeting|report|invoice|review|trip|"
    rf"update|"
    r"minutes|budget|bill|statement|numbers|figures|newsletter|session|workshop|call|offsite|conference|release|visit|"
    r"retro)"
)
_MONTHS_TO = ENGLISH.expression(
    rf"\b(?:from|between|in|during|over|throughout)\s+(?P<first>{_MONTHS.replace('?P<month>', '?:')})\s+"
    rf"(?:and|to|until|till|through)\s+{_MONTHS}"
    r"(?!\s+\d{1,2}\b)(?:\s+(?P<year>20\d\d)\b)?"
)
_DAYS_TO = re.compile(
    rf"\b(?:from |between )?(?:the )?(?P<first>\d{{1,2}})(?:st|nd|rd|th)?\s?(?:-|–|to|and|until|till|through)\s?"
    rf"(?:the )?(?P<last>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTHS}(?: (?P<year>20\d\d)\b)?"
)
_TO_DAYS = re.compile(
    rf"\b(?:from |between )?{_MONTHS} (?:the )?(?P<first>\d{{1,2}})(?:st|nd|rd|th)?\s?(?:-|–|to|and|until|till|"
    rf"through)\s?"
    r"(?:the )?(?P<last>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<year>20\d\d))?\b(?![/:.]\d)"
)
_PART = ENGLISH.expression(
    r"\b(?P<which>first|second|last|final|latter|opening|start|beginning|end|early part|middle)\s+"
    r"(?:(?P<count>two|three|couple of|few)?\s?(?P<unit>half|quarter|week|fortnight|month|day)s?\s+)?"
    rf"(?:of|in)\s+(?:(?P<name>the year|this year|last year|the month|this month|last month|the week|this week|"
    rf"last week)"
    rf"\b|{_MONTHS}(?! \d{{1,2}}\b)(?: (?P<year>20\d\d)\b)?|(?P<bare>20\d\d)\b)"
)
_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_NAME = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|"
    r"mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
)


def _month_of(name: str, year: str | None, said: date) -> date:
    month = _MONTH_NAMES.index(name[:3]) + 1
    if year:
        return date(int(year) + (2000 if len(year) == 2 else 0), month, 1)
    return date(said.year - (month > said.month), month, 1)


def months(text: str, said: date) -> Iterator[Period]:
    """Yield the months of a text in lower case, the parts of months, years and weeks, and ranges of days."""
    for match in _MONTH_YEAR.finditer(text):
        if match["bare"]:
            yield calendar_span(date(2000 + int(match["bare"]), 1, 1), "year", 0, match.span())
        else:
            year = match["year"] or str(said.year - (match["which"] == "last"))
            yield month_span(_month_of(match["month"], year, said), match.span())
    for match in _YEAR_MONTH.finditer(text):
        year = str(said.year - (match["which"] == "last"))
        yield month_span(_month_of(match["month"], year, said), match.span())
    if MONTH_NAME.search(text):
        yield from _within_months(text, said)
    parts = (_part(match, said) for match in _PART.finditer(text))
    yield from (part for part in parts if part is not None)


def _within_months(text: str, said: date) -> Iterator[Period]:
    """Yield months without a year, and ranges of months and of days: all by a month's name."""
    for match in _OF_MONTH.finditer(text):
        yield month_span(_month_of(match["month"], None, said), match.span("month"))
    for match in _BARE_MONTH.finditer(text):
        yield month_span(_month_of(match["month"], None, said), match.span("month"))
    for match in _MONTH_SO_FAR.finditer(text):
        yield month_span(_month_of(match["month"], None, said), match.span())
    for match in _MONTHS_TO.finditer(text):
        last = _month_of(match["month"], match["year"], said)
        first = _month_of(match["first"], str(last.year), said)
        if first > last:
            first = first.replace(year=first.year - 1)
        yield Period(first, month_span(last, match.span()).stop, match.span())
    for pattern in (_DAYS_TO, _TO_DAYS):
        for match in pattern.finditer(text):
            month = _month_of(match["month"], match["year"], said)
            if int(match["first"]) < int(match["last"]) <= (month_span(month, match.span()).stop - month).days:
                yield Period(
                    month.replace(day=int(match["first"])),
                    month.replace(day=int(match["last"])) + timedelta(days=1),
                    match.span(),
                )


def _part(match: re.Match[str], said: date) -> Period | None:
    """Return a part of a year, a month or a week; its start and its end are not cut any finer than they are said."""
    span, name, unit = match.span(), match["name"] or "", match["unit"]
    shift = -1 if name.startswith("last") else 0
    if match["month"]:
        whole = month_span(_month_of(match["month"], match["year"], said), span)
    elif match["bare"]:
        whole = calendar_span(date(int(match["bare"]), 1, 1), "year", 0, span)
    else:
        whole = calendar_span(said, name.rsplit(" ", 1)[-1], shift, span)
    days_ = (whole.stop - whole.start).days
    late = match["which"] in {"last", "final", "latter", "end"} or (match["which"] == "second" and unit == "half")
    if days_ < 8 or match["which"] == "middle" or (unit is None and days_ < 32):
        return whole
    if match["which"] == "second" and unit != "half":
        return None
    if unit in {"half", "quarter", "month", None} and days_ > 31:
        months = {"half": 6, "quarter": 3, None: 1}.get(unit, COUNT.get(match["count"] or "one", 1))
        if late:
            return Period(first_of(whole.stop.year, whole.stop.month - months), whole.stop, span)
        return Period(whole.start, first_of(whole.start.year, 1 + months), span)
    length = (
        days_ // 2
        if unit == "half"
        else COUNT.get(match["count"] or "one", 1) * {"week": 7, "fortnight": 14, "day": 1}.get(unit or "week", 7)
    )
    if late:
        return Period(whole.stop - timedelta(days=length), whole.stop, span)
    return Period.of_days(whole.start, length, span)
