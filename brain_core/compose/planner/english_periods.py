"""English: the periods that a message names, as far as they lie in the past."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from brain_core.compose.planner.spans import calendar_span, month_span, quarter, rolling, season
from brain_core.compose.planner.tells import Period
from brain_core.extract.dates import Day, days

_LIVED = 15
"""Years: what lies further back is history, not memory."""

_HINT = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)|\d+[/.-]\d|(?:19|20)\d\d|\d+ (?:day|week|month|year)|last (?!time|thing|one)|"
    r"past|previous|recent|"
    r"yesterday|today|tonight|ago\b|lately|these days|of late|the day before|earlier|quarter|q[1-4]\b|"
    r"this (?:week|month|year|morning|afternoon|evening|quarter|spring|summer|autumn|fall|winter|past|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday)|spring|summer|autumn|fall|winter|christmas|halloween|new year|boxing|"
    r"valentine|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d may|may's|(?:early|mid|late)[ -]may|"
    r"january|february|march|april|june|july|august|september|"
    r"october|november|december|in may|(?:since|of|during|on|from|last|and|to|between) may|"
    r"(?:may|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec) \d|(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\b)"
)
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"
_COUNT = {word: number for number, word in enumerate(_NUMBERS.split())}
_COUNT |= {"couple of": 2, "couple": 2, "few": 3, "several": 4, "dozen": 12}
_ROLLING = re.compile(
    rf"\b(?:last|past|previous|these (?:last|past))\s+(?:(?P<count>\d{{1,3}}|{'|'.join(_COUNT)})\s+)"
    r"(?P<unit>day|week|fortnight|month|year)s?\b(?! running)|"
    r"\b(?:(?:over|in|during|for|within|across) )?(?:the|this)\s+(?:last|past)\s+(?P<one>day|week|"
    r"fortnight|month|year)\b|\bpast (?P<bare>week|month|year)\b"
)
_RECENT = re.compile(r"\b(?:recently|lately|of late|these days|in recent (?:days|weeks))\b")
_SEASON = re.compile(
    r"\b(?P<which>last|this|this past|(?:over|during|in|through|throughout|all) the)\s+(?P<season>spring|"
    r"summer|autumn|fall|winter)\b(?!\s+(?:of\s+)?(?:break|school|house|jacket|coat|term|camp|olympics))"
    r"|\b(?:in|of|during|since|from)\s+(?:the\s+)?(?P<named>spring|summer|autumn|fall|"
    r"winter)(?:\s+of)?,?\s+(?P<year>(?:19|20)\d\d)\b"
)
_QUARTER = re.compile(
    r"\b(?P<which>last|this|previous)\s+quarter\b|\bq(?P<number>[1-4])(?:\s+(?:of\s+)?(?P<year>20\d\d))?\b"
)
_YEAR = re.compile(r"\b(?:in|during|since|from|back in|throughout|of)\s+(?P<year>(?:19|20)\d\d)\b(?![-/.]\d)")
_HALF_DAY = re.compile(
    r"\bearlier (?P<which>today|this week|this month|this year)\b|\b(?:today|tonight|this (?:morning|"
    r"afternoon|evening))\b"
)
_HOLIDAY = re.compile(
    r"\b(?:on|at|over|since|during|last|this|from|before|after)\s+(?:last\s+|"
    r"this\s+)?(?P<day>christmas(?: day| eve)?|halloween|new year'?s(?: day| eve)|valentine'?s(?: day)?|"
    r"boxing day)\b"
)
_HOLIDAYS = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "boxing day": (12, 26),
    "halloween": (10, 31), "new years day": (1, 1), "new years eve": (12, 31), "valentines": (2, 14),
    "valentines day": (2, 14),
}  # fmt: skip
_AIM = re.compile(r"(?:\b(?:to|by|until|till|til|due|before|for)\s+(?:the\s+|next\s+)?)$")
_LEADS = re.compile(
    r"\b(?:on|in|during|since|of|from|last|this|throughout|between|and|through|back in|early|late|mid|to|"
    r"until|starting|after|for|over|as of)[ -]+(?:the\s+|last\s+|this\s+|early\s+|late\s+|mid-?)*$"
)
_TAILS = re.compile(
    r"'s\b|\s+(?:morning|afternoon|evening|night)\b|\s*[?,.!;)]|\s*$|\s+(?:i|we|you|about|and|this week|last week)\b"
)
_PLANS = re.compile(
    r"\b(?:remind|schedule|book|postpone|reschedule|move|push|deadline|due|plan(?:ned)? for|upcoming|"
    r"see (?:you|ya)|will|won't|i'll|we'll|"
    r"going to|gonna|tomorrow|next|starts?|begins?|need to|want to|have to|ready for|back|coming|"
    r"meeting you)\b[^.?!;]{0,60}$"
)
_SINCE = re.compile(
    r"\b(?:since|ever since|starting(?: from)?|as of|after)\s+(?:the\s+|about\s+|around\s+|early\s+|"
    r"late\s+)*$|\bfrom\s+(?:the\s+)?$"
)
_ON = re.compile(
    r"\s+(?:on\b|onwards?\b|until now\b|till now\b|to now\b|to date\b|(?:up )?(?:to|until|till) (?:today|now)\b)"
)
_JOINS = re.compile(r"\s*(?:to|and|through|until|till|-|–|—)\s*(?:the\s+)?")
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day$")
_MONTH = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|"
    r"mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
)


def periods(text: str, said: date) -> Iterator[Period]:
    """Yield the periods of a text in lower case that have begun by the day said, in the order they stand in."""
    if not _HINT.search(text):
        return
    found = sorted([*_phrases(text, said), *_named_days(text, said)], key=lambda one: (one.span[0], -one.span[1]))
    stop = -1
    kept: list[Period] = []
    for one in found:
        if one.span[0] >= stop:
            kept.append(one)
            stop = one.span[1]
    yield from (one for one in _joined(text, kept, said) if one.start <= said)


def _phrases(text: str, said: date) -> Iterator[Period]:
    for match in _ROLLING.finditer(text):
        unit = match["unit"] or match["one"] or match["bare"]
        count = match["count"] or "one"
        yield rolling(said, int(count) if count.isdigit() else _COUNT[count], unit, match.span())
    for match in _RECENT.finditer(text):
        yield Period(said - timedelta(days=30), said + timedelta(days=1), match.span())
    yield from _seasons(text, said)
    for match in _YEAR.finditer(text):
        if abs(said.year - int(match["year"])) <= _LIVED:
            yield Period(date(int(match["year"]), 1, 1), date(int(match["year"]) + 1, 1, 1), match.span("year"))
    for match in _HALF_DAY.finditer(text):
        if match["which"] in (None, "today"):
            yield Period.of_days(said, 1, match.span())
        else:
            yield calendar_span(said, match["which"].removeprefix("this "), 0, match.span())
    for match in _HOLIDAY.finditer(text):
        month, day = _HOLIDAYS[match["day"].replace("'", "")]
        year = said.year if (month, day) <= (said.month, said.day) else said.year - 1
        yield Period.of_days(date(year, month, day), 1, match.span("day"))


def _seasons(text: str, said: date) -> Iterator[Period]:
    for match in _SEASON.finditer(text):
        named, year = match["season"] or match["named"], said.year
        if match["year"]:
            year = int(match["year"])
        else:
            this = season(year, named, match.span())
            over = this.stop <= said if match["which"] == "last" else this.start <= said
            year -= not over
        yield season(year, named, match.span())
    for match in _QUARTER.finditer(text):
        now = said.year * 4 + (said.month - 1) // 3
        if match["number"]:
            index = int(match["year"] or said.year) * 4 + int(match["number"]) - 1
            index -= 0 if match["year"] or index <= now else 4
        else:
            index = now - (match["which"] != "this")
        yield quarter(index // 4, index % 4 + 1, match.span())


def _named_days(text: str, said: date) -> Iterator[Period]:
    for day in days(text, said, past=True):
        words = text[day.start : day.stop]
        before, after = text[max(0, day.start - 80) : day.start], text[day.stop : day.stop + 20]
        if _AIM.search(before) and not re.search(r"\bfrom\b[^,.?!]{0,30}$|\bbetween\b[^,.?!]{0,30}$", before):
            continue
        if day.day > said or _aimed(words, before, after):
            continue
        period = _whole(day, words, said)
        if period is not None:
            yield period


def _aimed(words: str, before: str, after: str) -> bool:
    """Return whether a day is not one on which something was said or done."""
    told = words.startswith(("last", "yesterday", "the day before")) or words.endswith("ago")
    if told:
        return False
    if _PLANS.search(before):
        return True
    if _WEEKDAY.search(words) and words.split(maxsplit=1)[0] not in {"last", "past", "this"}:
        return not (_LEADS.search(before) or _TAILS.match(after)) or before.endswith(
            ("every ", "black ", "good ", "each ")
        )
    if _MONTH.search(words) and not re.search(r"\d", words):
        return not (words.startswith(("in ", "last ")) or _LEADS.search(before) or after.startswith("'s"))
    if re.fullmatch(r"(?:\d{1,2})(?:st|nd|rd|th)", words):
        return not re.search(r"\b(?:on|since|from) the $", before)
    return re.fullmatch(r"(?:in .*)", words) is not None and "month" in words


def _whole(day: Day, words: str, said: date) -> Period | None:
    span = (day.start, day.stop)
    unit = re.search(r"\b(week|fortnight|month|year)s?\b", words)
    if words.endswith("weekend"):
        return Period.of_days(day.day, 2, span)
    if words.endswith("ago"):
        named = unit[1] if unit else "day"
        return Period.of_days(day.day, 1, span) if named == "day" else calendar_span(day.day, named, 0, span)
    if day.exact:
        return Period.of_days(day.day, 1, span)
    if unit:
        return calendar_span(day.day, unit[1], 0, span)
    return month_span(day.day, span) if _MONTH.search(words) and day.day <= said else None


def _joined(text: str, found: list[Period], said: date) -> Iterator[Period]:
    """Make ranges of what is joined (from … to …), and open ends of what something was since."""
    number = 0
    while number < len(found):
        one = found[number]
        before, after = text[: one.span[0]], text[one.span[1] :]
        if number + 1 < len(found):
            other = found[number + 1]
            between = text[one.span[1] : other.span[0]]
            if (
                _JOINS.fullmatch(between)
                and one.start < other.stop
                and re.search(r"\b(?:between|from)\s+(?:the\s+)?$", before)
            ):
                yield Period(one.start, other.stop, (one.span[0], other.span[1]))
                number += 2
                continue
        since = _SINCE.search(before[-40:])
        if since and (not since[0].startswith("from") or _ON.match(after)):
            yield Period(one.start, said + timedelta(days=1), one.span)
        else:
            yield one
        number += 1
