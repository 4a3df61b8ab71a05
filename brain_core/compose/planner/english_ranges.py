"""English: ranges of days with both ends told, and all that lies before a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from brain_core.compose.planner.spans import LIVED, calendar_span, month_span, through
from brain_core.compose.planner.tells import Period
from brain_core.compose.planner.times import ENGLISH
from brain_core.extract.dates import Day, days

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|"
    r"jul|aug|sept?|oct|nov|dec)\b"
)
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_DAY = rf"(?:{_MONTH} (?:the )?{_NUMBER}|(?:the )?{_NUMBER} (?:of )?{_MONTH})(?:,? 20\d\d\b)?"
_OF_THE_MONTH = ENGLISH.expression(
    r"\b(?:from|between) the (?P<first>\d{1,2})(?:st|nd|rd|th) (?:and|to|until|till|through) the "
    r"(?P<last>\d{1,2})(?:st|nd|rd|th)\b(?! (?:of |(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december)\b))"
)
_TO = r"\s*(?:-|–|—|\bto\b|\band\b|\bthrough\b|\bthru\b|\buntil\b|\btill\b)\s*"
_DAYS_TO = ENGLISH.expression(rf"\b(?P<lead>from |between )?(?P<first>{_DAY})(?P<to>{_TO})(?P<last>{_DAY})")
_SLASHED = r"(?:1[0-2]|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])(?![\d/])|(?:3[01]|[12]\d|0?[1-9])/(?:1[0-2]|0?[1-9])(?![\d/])"
_SLASHED_TO = ENGLISH.expression(
    rf"(?P<lead>\bfrom |\bbetween )?(?<![\w/.])(?P<first>{_SLASHED})(?P<to>{_TO})(?P<last>{_SLASHED})"
)
_BEFORE = ENGLISH.expression(r"\b(?:any time |sometime )?(?:before|prior to|earlier than)\s+(?=(?P<the>the |last )?\w)")
_UNIT = re.compile(r"last (?P<unit>week|month|year)\b|(?P<year>(?:19|20)\d\d)\b(?![-/.]\d)")
_WAS = re.compile(r"\b(?:did|was|were|had|have|has|been|said|told|decided|wrote|knew|lived|worked|used to|happened)\b")
_TO_COME = re.compile(r"\b(?:remind|have to|has to|need|must|should|will|going to|want to|finish|due|deadline)\b")


def ranges(text: str, said: date) -> Iterator[Period]:
    """Yield the ranges of a text in lower case, and what lies before a time that it names."""
    for match in _DAYS_TO.finditer(text):
        if "and" in match["to"] and not match["lead"]:
            continue
        yield from _through(_named(match["first"], said), _named(match["last"], said), match.span())
    for match in _SLASHED_TO.finditer(text):
        if match["lead"] or "-" not in match["to"]:
            first, last = (_named(f"on {match[end]}", said) for end in ("first", "last"))
            yield from _through(first, last, match.span())
    for match in _OF_THE_MONTH.finditer(text):
        yield from _of_the_month(match, said)
    for match in _BEFORE.finditer(text):
        told = text[: match.start()]
        if _WAS.search(told) and not _TO_COME.search(told):
            yield from _before(text, match, said)


def _named(text: str, said: date) -> Day | None:
    return next(days(text, said, past=True), None)


def _through(first: Day | None, last: Day | None, span: tuple[int, int]) -> Iterator[Period]:
    if first is not None and last is not None:
        one, other = (Period.of_days(day.day, 1, span) for day in (first, last))
        yield through(one, other, span)


def _of_the_month(match: re.Match[str], said: date) -> Iterator[Period]:
    """Yield from the 3rd to the 9th of the month that has them, the latest that has begun."""
    first, last = int(match["first"]), int(match["last"])
    month = calendar_span(said, "month", -(first > said.day), match.span())
    if 0 < first < last <= (month.stop - month.start).days:
        yield Period.of_days(month.start.replace(day=first), last - first + 1, match.span())


def _before(text: str, match: re.Match[str], said: date) -> Iterator[Period]:
    """Yield what lies before a time that has been; what is still to come this year leaves nothing out."""
    at, earliest = match.end(), date(said.year - LIVED, 1, 1)
    unit = _UNIT.match(text, at)
    if unit:
        span = (match.start(), unit.end())
        year = unit["year"]
        first = date(int(year), 1, 1) if year else calendar_span(said, unit["unit"], -1, span).start
        if earliest < first <= said:
            yield Period(earliest, first, span)
        return
    found = next((day for day in days(text[at:], said, past=True)), None)
    if found is None or found.start > len(match["the"] or ""):
        return
    span, words = (match.start(), at + found.stop), text[at : at + found.stop]
    first = found.day if found.exact else month_span(found.day, span).start
    ahead = first.replace(year=said.year, day=min(first.day, 28)) > said - timedelta(days=1)
    if first <= said and not (first.year < said.year and ahead and not re.search(r"\d{4}", words)):
        yield Period(earliest, first, span)
