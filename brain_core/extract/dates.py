"""English dates, resolved against the day they were said: a closed set of forms, no guessing."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from brain_core.extract import weekdays
from brain_core.extract.feasts import FEAST, feast
from brain_core.extract.weekdays import COUNT, WEEKDAY, count_of, small, weekday_number
from brain_core.text.remembered import remembered

_REMEMBERED = 256  # texts, whose days are asked for by rule after rule
MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
          "november", "december")  # fmt: skip
_MONTH = (
    r"(?P<month>january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_NTHS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
    "twenty-first", "twenty-second", "twenty-third", "twenty-fourth", "twenty-fifth", "twenty-sixth", "twenty-seventh",
    "twenty-eighth", "twenty-ninth", "thirtieth", "thirty-first",
)  # fmt: skip
_NTH = rf"(?P<day>{'|'.join(sorted(_NTHS, key=len, reverse=True))})"
_COUNTED_THINGS = (
    r"words?|pages?|lines?|characters?|people|guests?|students?|copies|items?|units?|pieces|seats?|tickets?|steps?|"
    r"calories|kcal|euros?|dollars?|pounds?|bucks|quid|yuan|rmb|usd|eur|gbp|km|kilomet(?:er|re)s?|miles?|met(?:er|re)s?|"
    r"m|kg|kilos?|grams?|g|ml|mb|gb|hours|minutes|%|percent"
)
_YEAR = rf"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b(?!\s*(?:{_COUNTED_THINGS})(?!\w)))?"
"""None in "due October 2nd, 2000 words"."""
_STILL_NEAR = 60
"""So many days ago a day without a year may lie, though nothing says that it is over."""
_MONTHS_OFF = 6
"""In so many months a day of the month falls on most weekdays; further off the month would have been named."""
_LEAP_YEARS = 9
"""Among so many years on end is one with a 29 February."""
_UNIT = r"(?P<unit>day|week|fortnight|month|year)s?\b"


def _hints(*others: str) -> str:
    """Return what begins every date that is read, and what looks like it. others: in capitals alone."""
    named = (
        r"yesterday|tod|tonight|tom|tmrw|last |next |this |coming |past |end of|eo[dwmy]\b|the day |"
        r"(?:first|second|third|fourth) (?:mon|tues|wednes|thurs|fri|satur|sun)day|"
        rf"(?:{'|'.join(_NTHS)}) of [jfmasond]|"
        r"(?:beginning|start|middle) of |(?:early|mid|late)[ -](?:in )?[jfmasond]|"
        r"in (?:an? |one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d|[jfmasond])|"
        r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve) (?:day|week|fort|month|year|couple|few|"
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)days ago)|"
        r"new year|christmas |boxing|thanksg|hallow|bonfire|good fri|easter |valent|remembrance|veterans|juneteenth|"
        r"the (?:weekend|(?:week|month|year) (?:before last|after next))|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    )
    months = (
        r"(?<=on )(?:mon|tue|wed|thu|fri|sat|sun)\b|january|february|april|june|july|august|september|october|"
        r"november|december|(?:march|may|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec) \d"
    )
    return rf"\d|\b(?:{'|'.join([named, *others, months])})"


HINT = _hints()
"""In small letters: every date of a text that has no others begins where this matches."""
_HINT = re.compile(_hints("(?-i:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"), re.I)


@dataclass(frozen=True, slots=True)
class Day:
    """A date that a text names: characters [start, stop). exact: false where only a week, month or year was named.

    last: the last day of some days that were named, of which `day` is the first: late November, 5 to 7 October.
    """

    day: date
    start: int
    stop: int
    exact: bool = True
    last: date | None = None


def days(text: str, said: date, past: bool = False) -> Iterator[Day]:
    """Yield the dates of a text in the order they stand in. past: a bare weekday or day of a year lies before `said`.

    "next Friday" is that of next calendar week, "this Friday" that of this one (weeks begin on Monday), of something to
    come the next one where that is over: said on a Sunday.
    """
    return iter(_days(text, said, past))


@remembered(_REMEMBERED)
def _days(text: str, said: date, past: bool) -> tuple[Day, ...]:
    return tuple(_read_days(text, said, past))


def _read_days(text: str, said: date, past: bool) -> Iterator[Day]:
    if not _HINT.search(text):
        return
    stop = 0
    month: Day | None = None
    for start in (each.start() for each in _HINT.finditer(text)):
        if start < stop or (start and text[start - 1].isdigit()):
            continue
        if (habit := MONTHLY.match(text, start)) is not None:
            stop = habit.end()
            continue
        day = _day_at(text, start, said, past)
        if day is None:
            continue
        stop = day.stop
        if month is not None and _IN_IT.fullmatch(text, month.stop, start) and _ORDINALS.fullmatch(text, start, stop):
            day = replace(_day_at(text, start, month.day.replace(day=1), past=False) or day, start=month.start)
            month = None
        if month is not None:
            yield month
        month = day if _MONTH_ALONE.fullmatch(text, day.start, stop) else None
        if month is None:
            yield day
    if month is not None:
        yield month


def through(text: str, day: Day, said: date) -> Day:
    """Return a day of a text with the last of the days that it is the first of: "from 3 August to 14 August"."""
    to = _TO.match(text, day.stop)
    if to is None or not day.exact:
        return day
    rest = text[to.end() :]
    end = next(days(rest, day.day), None)
    if end is None or end.start > 0 or not end.exact:
        return day
    if "week" in rest[: end.stop].lower():
        end = next(days(rest, said), end)
    return replace(day, last=end.day, stop=to.end() + end.stop) if end.day > day.day else day


def first_day(text: str, said: date, past: bool = False) -> Day | None:
    """Return the first date of a text, an exact one if there is any."""
    inexact = None
    for day in days(text, said, past):
        if day.exact:
            return day
        inexact = inexact or day
    return inexact


def day_left(text: str, named: Iterable[Day], is_given_up: Callable[[str, str], bool]) -> Day | None:
    """Return the first exact day of a text that is not given up, None where none is given up or none is left.

    named: its days in their order. is_given_up: hears what stands before a day, after the one before it, and what
    stands behind it.
    """
    exact = [day for day in named if day.exact]
    since = [0, *(day.stop for day in exact)]
    beside = zip(exact, since, strict=False)
    left = [day for day, start in beside if not is_given_up(text[start : day.start], text[day.stop :])]
    return left[0] if 0 < len(left) < len(exact) else None


def _day_at(text: str, start: int, said: date, past: bool) -> Day | None:
    for pattern, resolve, exact in _FORMS:
        match = pattern.match(text, start)
        if match is None:
            continue
        try:
            day = resolve(match, said, past)
        except (ValueError, OverflowError):
            continue
        first, last = day if isinstance(day, tuple) else (day, None)
        return Day(first, start, match.end(), exact or first == last, None if first == last else last)
    return None


def _iso(match: re.Match[str], said: date, past: bool) -> date:  # noqa: ARG001
    return date(int(match["year"]), int(match["month"]), int(match["day"]))


def _slashed(match: re.Match[str], said: date, past: bool) -> date:
    first, second = int(match["first"]), int(match["second"])
    month, day = (second, first) if first > 12 else (first, second)
    if match["year"]:
        year = int(match["year"])
        return date(year + 2000 if year < 100 else year, month, day)
    return _nearest(said, month, day, past)


def _named(match: re.Match[str], said: date, past: bool) -> date:
    month, word = _month(match["month"]), match["day"].lower()
    day = int(word) if word.isdigit() else _NTHS.index(word) + 1
    return date(int(match["year"]), month, day) if match["year"] else _nearest(said, month, day, past)


def _weekday_named(match: re.Match[str], said: date, past: bool) -> date:
    """Return a day of the calendar that is told with its weekday, which tells the year where none is named.

    Not one that lies long on the other side of `said`: then the weekday was wrong.
    """
    if not match["year"]:
        month, wanted = _month(match["month"]), weekday_number(match["weekday"])
        for year in (said.year, said.year - 1 if past else said.year + 1, said.year + 1 if past else said.year - 1):
            day = date(year, month, int(match["day"]))
            off = (day - said).days if past else (said - day).days
            if day.weekday() == wanted and off <= _STILL_NEAR:
                return day
    return _named(match, said, past)


def _weekday_ordinal(match: re.Match[str], said: date, past: bool) -> date:
    """Return the next day of a month, or the last one, that falls on the weekday told with it; else the day alone."""
    day, wanted, first = int(match["day"]), weekday_number(match["weekday"]), said.replace(day=1)
    for months in range(_MONTHS_OFF):
        month = _moved(first, -months if past else months, "month")
        if day <= calendar.monthrange(month.year, month.month)[1]:
            found = month.replace(day=day)
            if found.weekday() == wanted and (found <= said if past else found >= said):
                return found
    return _ordinal(match, said, past)


def _month_only(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    month = _month(match["month"])
    if match["year"]:
        year = int(match["year"])
    else:
        which = (match["which"] or "").strip().lower()
        is_this = month == said.month and which not in {"last", "next"}
        if which == "last" or (past and which != "next"):
            year = said.year if is_this or month < said.month else said.year - 1
        else:
            year = said.year if is_this or month > said.month else said.year + 1
    return date(year, month, 1), last_of_month(date(year, month, 1))


def last_of_month(first: date) -> date:
    """Return the last day of the month that a day is in."""
    return first.replace(day=calendar.monthrange(first.year, first.month)[1])


def _weekday_of_month(match: re.Match[str], said: date, past: bool) -> date:
    """Return the day that "the first Thursday of October" names."""
    months = (
        [_month_only(match, said, past)[0]]
        if match["year"]
        else [date(year, _month(match["month"]), 1) for year in (said.year - 1, said.year, said.year + 1)]
    )
    found = [_of_its_weekdays(month, match) for month in months]
    if past:
        return next((day for day in reversed(found) if day <= said), found[0])
    return next((day for day in found if day >= said), found[-1])


def _of_its_weekdays(month: date, match: re.Match[str]) -> date:
    first = month + timedelta(days=(weekday_number(match["weekday"]) - month.weekday()) % 7)
    last = calendar.monthrange(month.year, month.month)[1]
    which = match["which"].lower()
    weeks = (last - first.day) // 7 if which == "last" else ("first", "second", "third", "fourth").index(which)
    return first + timedelta(weeks=weeks)


def _nearest(said: date, month: int, day: int, past: bool) -> date:
    for years in range(_LEAP_YEARS):  # 29 February is not in each
        year = said.year - years if past else said.year + years
        if day <= calendar.monthrange(year, month)[1]:
            named = date(year, month, day)
            if named <= said if past else (said - named).days <= _STILL_NEAR:
                return named
    raise ValueError(f"no such day: {month}-{day}")


def _relative(match: re.Match[str], said: date, past: bool) -> date:  # noqa: ARG001
    word = match[0].lower().replace("tomm", "tom").replace("morrow", "morow")
    for offset, names in (
        (-2, ("before yesterday",)),
        (2, ("after tomorow",)),
        (-1, ("yesterday", "last night", "last evening")),
        (1, ("tomorow", "tmrw")),
    ):
        if any(name in word for name in names):
            return said + timedelta(days=offset)
    return said


def _counted(match: re.Match[str], said: date, past: bool) -> date:  # noqa: ARG001
    number = count_of(match["count"])
    return _moved(said, -number if "ago" in match[0].lower() else number, match["unit"].lower())


def _moved(said: date, number: int, unit: str) -> date:
    if unit in {"day", "week", "fortnight"}:
        return said + timedelta(days=number * {"day": 1, "week": 7, "fortnight": 14}[unit])
    months = said.year * 12 + said.month - 1 + number * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(said.day, calendar.monthrange(year, month + 1)[1]))


def _span(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:  # noqa: ARG001
    step = {"last": -1, "next": 1}.get(match["which"].lower(), 0) * (2 if match["far"] else 1)
    monday = said + timedelta(days=7 * step - said.weekday())
    unit = match["unit"].lower()
    if unit == "weekend":
        return _weekend(monday)
    if unit == "week":
        return monday, monday + timedelta(days=6)
    if unit == "month":
        first = _moved(said.replace(day=1), step, "month")
        return first, last_of_month(first)
    return date(said.year + step, 1, 1), date(said.year + step, 12, 31)


def _weekend(monday: date) -> tuple[date, date]:
    return monday + timedelta(days=5), monday + timedelta(days=6)


def _bare_weekend(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:  # noqa: ARG001
    """Return the weekend that is on or comes next, of something past the one before a working day."""
    return _weekend(said - timedelta(days=said.weekday() + (7 if past and said.weekday() < 5 else 0)))


def _end(match: re.Match[str], said: date, past: bool) -> date:  # noqa: ARG001
    unit = {"eod": "day", "eow": "week", "eom": "month", "eoy": "year"}.get(match[0].lower()) or match["unit"].lower()
    later = 1 if (match["which"] or "").lower().startswith("next") else 0
    if unit in {"day", "today"}:
        return said
    if unit == "week":
        return said + timedelta(days=4 - said.weekday() + 7 * later)
    if unit == "month":
        return last_of_month(_moved(said.replace(day=1), later, "month"))
    return date(said.year + later, 12, 31)


def _part_of_month(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    """Return the first and the last day of the part of a month: a third of it, its end alone the last day."""
    month, part = _month(match["month"]), match["part"].lower()
    years = (int(match["year"]),) if match["year"] else (said.year - 1, said.year, said.year + 1)
    parts = [_days_of_part(date(year, month, 1), part) for year in years]
    if past:
        return next((one for one in reversed(parts) if one[0] <= said), parts[0])
    return next((one for one in parts if one[1] >= said), parts[-1])


def _days_of_part(first: date, part: str) -> tuple[date, date]:
    last = last_of_month(first)
    if part == "end":
        return last, last
    if part == "late":
        return first.replace(day=21), last
    if part in {"mid", "middle"}:
        return first.replace(day=11), first.replace(day=20)
    return first, first.replace(day=10)


def _up_to(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    """Return the first and the last of the days that "5 to 7 October" names."""
    last = _named(match, said, past)
    first = last.replace(day=int(match["from"]))
    return _in_order(first, last)


def _from_on(match: re.Match[str], said: date, past: bool) -> tuple[date, date]:
    """Return the first and the last of the days that "October 5-7" or "the 5th to the 7th" names."""
    first = _named(match, said, past) if "month" in match.re.groupindex else _ordinal(match, said, past)
    return _in_order(first, first.replace(day=int(match["till"])))


def _in_order(first: date, last: date) -> tuple[date, date]:
    if first >= last:
        raise ValueError
    return first, last


def _ordinal(match: re.Match[str], said: date, past: bool) -> date:
    day = int(match["day"])
    first = said.replace(day=1)
    if (past and day > said.day) or (not past and day < said.day):
        first = _moved(first, -1 if past else 1, "month")
    if day > last_of_month(first).day:  # "the 31st": of two months on end one has it
        first = _moved(first, -1 if past else 1, "month")
    return first.replace(day=day)


def _of_month(match: re.Match[str], said: date, past: bool) -> date:  # noqa: ARG001
    """Return the day that "the 30th of last month" names."""
    step = {"last": -1, "next": 1}.get(match["which"].lower(), 0)
    return _moved(said.replace(day=1), step, "month").replace(day=int(match["day"]))


def _month(word: str) -> int:
    return 1 + next(n for n, name in enumerate(MONTHS) if name.startswith(small(word)[:3]))


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_WHICH_ONE = r"(?P<which>first|second|third|fourth|last)"
MONTHLY = _form(rf"{_WHICH_ONE}\s+{WEEKDAY}\s+(?:of|in)\s+(?:the|each|every|a)\s+month\b")
"""What is on a day of every month is on no date: "the first Thursday of the month"."""
_TH = r"(?:st|nd|rd|th)"
_AFTER_A_DAY = (
    r"(?:and|or|but|so|then|at|in|on|for|with|by|from|to|till|until|about|around|between|after|before|because|since|when|"
    r"where|while|during|early|late|"
    r"which|who|if|as|is|was|are|were|will|has|had|it|i|we|he|she|they|you|there|that|this|my|our|his|her|their|not|now|"
    r"instead|already|again|just|latest|am|pm|morning|afternoon|evening|night|noon|please|though|too|up|only|works?|"
    r"would|should|can|could|may|might|a|an|the)"
)
"""What may follow a day's number; another word is what is numbered: the 3rd attempt, the 4th quarter."""
_THROUGH = r"(?:\s*[-–—]\s*|\s+(?:to|till|until|through|thru)\s+(?:the\s+)?)"
_BETWEEN = (
    "(?:"
    + "|".join(rf"(?<=between {the}{n}{th})" for the in ("", "the ") for n in (r"\d", r"\d\d") for th in ("", _TH))
    + ")"
)
_TO = _form(rf"{_THROUGH}(?:on\s+)?")
_IN_IT = _form(r"[,:;(]?\s*(?:(?:from|on|between|probably|around|about)\s+)?(?:the\s+)?")
_ORDINALS = _form(rf"\d{{1,2}}{_TH}(?:{_THROUGH}\d{{1,2}}{_TH})?")
_MONTH_ALONE = _form(rf"\D*{_MONTH}{_YEAR}")
"""Names a month or a part of it, and no day: "the 27th" after it is one of that month."""
_Resolve = Callable[[re.Match[str], date, bool], date | tuple[date, date]]
"""Of a form, the day that it names, or the first and the last of some days."""
_FORMS: tuple[tuple[re.Pattern[str], _Resolve, bool], ...] = (
    (_form(r"(?P<year>(?:19|20)\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})\b"), _iso, True),
    (_form(r"(?P<first>\d{1,2})[/.](?P<second>\d{1,2})[/.](?P<year>(?:20)?\d\d)\b"), _slashed, True),
    (_form(
        r"(?:(?<=on )|(?<=by )|(?<=due )|(?<=for )|(?<=to ))(?P<first>\d{1,2})/(?P<second>\d{1,2})(?P<year>)"
        r"(?![\d/%])\b"), _slashed, True),
    (_form(
        rf"(?<![\d./:-])(?P<from>\d{{1,2}}){_TH}?(?:{_THROUGH}|{_BETWEEN}\s+and\s+(?:the\s+)?)"
        rf"{_DAY}\s+(?:of\s+)?{_MONTH}(?!\s+\d{{1,2}}\b){_YEAR}"),
     _up_to, True),
    (_form(
        rf"{_MONTH}\s+(?:the\s+)?{_DAY}{_THROUGH}(?P<till>\d{{1,2}}){_TH}?\b(?!\s*(?:percent|%|people|am\b|pm\b|[:/.]\d|"
        rf"o['’]clock|(?:of\s+)?(?:{'|'.join(MONTHS)})\b)){_YEAR}"),
     _from_on, True),
    (_form(
        rf"(?P<day>\d{{1,2}}){_TH}{_THROUGH}(?P<till>\d{{1,2}}){_TH}\b(?!\s+(?:of|time|floor|grade|birthday|anniversary|"
        r"street|century|place|edition|version|largest|most|year|row|class|round|percentile))"),
     _from_on, True),
    (_form(rf"{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}"), _named, True),
    (_form(rf"{_NTH}\s+of\s+{_MONTH}{_YEAR}"), _named, True),
    (_form(rf"{_MONTH}\s+(?:the\s+)?{_DAY}(?!\s*(?:percent|%|people|am\b|pm\b|:)){_YEAR}"), _named, True),
    (_form(rf"{_WHICH_ONE}\s+{WEEKDAY}\s+(?:of|in)\s+{_MONTH}{_YEAR}"), _weekday_of_month, True),
    (_form(r"(?:the )?day (?:after tom+or+ow|before yesterday)|today|tonight|this (?:morning|afternoon|evening)|"
           r"tom+or+ow|tmrw|yesterday|last (?:night|evening)"),
     _relative, True),
    (_form(rf"(?:(?:this|next|coming)\s+)?{WEEKDAY},?\s+(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}"),
     _weekday_named, True),
    (_form(rf"(?:(?:this|next|coming)\s+)?{WEEKDAY},?\s+{_MONTH}\s+(?:the\s+)?{_DAY}(?!\s*(?:am\b|pm\b|:)){_YEAR}"),
     _weekday_named, True),
    (_form(rf"(?:(?:this|next|coming|last)\s+)?{WEEKDAY},?\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)\b"),
     _weekday_ordinal, True),
    (_form(FEAST), feast, True),
    (_form(weekdays.NEXT_BUT_ONE), weekdays.next_but_one, True),
    (_form(weekdays.WEEK_AFTER), weekdays.week_after, True),
    (_form(weekdays.OF_A_WEEK), weekdays.of_a_week, True),
    (_form(weekdays.WEEKS_FROM), weekdays.weeks_from, True),
    (_form(weekdays.WEEKS_ON), weekdays.weeks_on, True),
    (_form(weekdays.WEEKDAYS_AGO), weekdays.weekdays_ago, True),
    (_form(rf"in\s+{COUNT}\s+{_UNIT}(?:'\s*time)?"), _counted, True),
    (_form(r"(?:end\s+of\s+(?:the\s+)?(?:(?P<which>this|next)\s+)?(?P<unit>day|today|week|month|year)\b|eo[dwmy]\b)"),
     _end, True),
    (_form(rf"(?P<part>end|beginning|start|middle)\s+of\s+{_MONTH}{_YEAR}"), _part_of_month, False),
    (_form(rf"(?P<part>early|mid|late)(?:\s+|-)(?:in\s+)?(?!may\s+(?:be|have|i|we|you|he|she|they|not|well)\b){_MONTH}{_YEAR}"),
     _part_of_month, False),
    (_form(r"the\s+(?P<unit>week|weekend|month|year)\s+(?P<far>before\s+(?=last)|after\s+(?=next))(?P<which>last|next)\b"),
     _span, False),
    (_form(r"(?P<which>last|next|this)\s+(?P<far>)(?P<unit>weekend)\b"), _span, True),
    (_form(r"(?:(?<=over )|(?<=at )|(?<=on ))the weekend\b(?!\s+of\b)"), _bare_weekend, True),
    (_form(r"(?P<which>last|next|this)\s+(?P<far>)(?P<unit>week|month|year)\b"), _span, False),
    (_form(rf"(?:in\s+)?(?P<which>last\s+|next\s+|this\s+)?(?!may\b(?!\s+\d)|march\b(?!\s+\d)){_MONTH}{_YEAR}"),
        _month_only, False),
    (_form(rf"in\s+(?P<which>){_MONTH}{_YEAR}"), _month_only, False),
    (_form(rf"{COUNT}\s+{_UNIT}\s+(?:ago|from (?:now|today))\b"), _counted, True),
    (_form(rf"(?P<day>\d{{1,2}}){_TH}\s+of\s+(?P<which>last|this|next)\s+month\b"), _of_month, True),
    (_form(
        rf"(?P<day>\d{{1,2}}){_TH}\b(?!(?:(?:,| and| or|, and|, or) \d{{1,2}}{_TH}\b)*\s+"
        rf"(?!{_AFTER_A_DAY}\b)[A-Za-z])"), _ordinal, True),
)  # fmt: skip
