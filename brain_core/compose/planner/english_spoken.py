"""English: times as people say rather than write them: the other day, two Tuesdays ago, last wk, w/c 5 May."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from brain_core.compose.planner.english_months import COUNT, months
from brain_core.compose.planner.spans import calendar_span, quarter, rolling
from brain_core.compose.planner.tells import Period
from brain_core.compose.planner.times import ENGLISH, days
from brain_core.extract.weekdays import DAYS, latest_before, weekday_number

_SHORT_NAMES = tuple(name[:3] for name in DAYS)
IN_FULL = {"wk": "week", "mth": "month", "yr": "year", "hr": "hour", "h": "hour"}
_AGO = ENGLISH.expression(
    rf"\b(?P<count>an?(?= )|\d{{1,3}}|{'|'.join(sorted(COUNT, key=len, reverse=True))}) "
    r"(?P<unit>day|night|week|fortnight|month|year)s? (?:ago|back)\b"
)
_SHORTENED = ENGLISH.expression(
    r"(?<!the )\b(?P<which>last|this) (?P<unit>wk|mth|yr)s?\b|\b(?P<day>y'?day|last nite)\b|"
    rf"\blast (?P<weekday>{'|'.join(_SHORT_NAMES)}|tues|weds|thurs?)\b(?! \d)"
)
_HALF_A_YEAR_AGO = ENGLISH.expression(r"\bhalf a year (?:ago|back)\b")
_BEFORE_LAST = ENGLISH.expression(
    r"\b(?P<unit>night|day|evening|weekend|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day) before last\b"
)
_SOME_DAYS_AGO = ENGLISH.expression(
    rf"\b(?P<count>two|three|four|2|3|4) (?P<day>{'|'.join(DAYS)}|weekend)s ago\b|"
    rf"\b(?:a week last|a week ago(?: on| last)?) (?P<last>{'|'.join(DAYS)})\b|"
    rf"\b(?P<of>{'|'.join(DAYS)}) of (?P<which>this|last) week\b"
)
_SO_FAR = ENGLISH.expression(
    r"\b(?:the |this )?(?P<unit>week|month|quarter|year) (?:so far|to date)\b|\bytd\b|\b(?P<until>week|month|"
    r"year)-to-date\b"
)
_WEEK_OF = ENGLISH.expression(
    r"\b(?:the )?(?:w/(?P<c>c)|week (?:(?P<from>commencing|beginning|starting)|of)|w/e|week ending|"
    r"(?P<weekend>weekend) of)"
    rf" (?:(?:{'|'.join(_SHORT_NAMES)})[a-z]* )?(?=(?:the )?\d|[jfmasond][a-z]{{2,8}} (?:the )?\d)"
)
"""Before the day that a week is called by, its first, its last or any other."""
_ALL_OF = ENGLISH.expression(
    r"\b(?:(?:sum(?:s|med)? up|summari[sz]e|recap|review|how was|how's|how did|summary of|(?:recap|review|overview|"
    r"digest|highlights|"
    r"round-?up|run-?down) of|look(?:ing)? back (?:at|on|over)|what's) (?:my|our|the)|(?:my|our) (?:whole|entire)|"
    r"(?<=\b(?:ve) )all|"
    r"(?<=ing )all|(?<=ed )all|(?<=en )all) (?P<unit>week|month|year)\b(?! (?:end|before|of|to|after))"
)
_RARE = ENGLISH.expression(
    r"last|wk|mth|yr|yday|y'day|w/[ce]|week (?:commenc|begin|start|of|end)|weekend of|(?:my|our|the|all|whole|"
    r"entire) (?:week|month|year)"
)
"""What the expressions of weeks and of words in short need."""
_EARLIER_IN = ENGLISH.expression(r"\bearlier (?:on )?in the (?P<unit>week|month|year)\b")
_WEEKEND = ENGLISH.expression(
    r"\b(?:(?:over|at|on|during|from|of) |(?<=since ))the weekend\b(?! before| of)|\bthe (?:weekend just gone|"
    r"past weekend)\b|"
    r"\b(?:did|was|were|have|had|has) [^.?!]{1,60}\b(?P<just>this weekend)\b"
)
_OTHER_DAY = ENGLISH.expression(
    r"\bthe other (?:day|night|evening|morning|week|weekend)\b|\b(?:a few|some) days (?:ago|back) or so\b"
)


def spoken(text: str, said: date) -> Iterator[Period]:
    """Yield what people say rather than write: the other day, two Tuesdays ago, the month before last."""
    for match in _AGO.finditer(text):
        count, unit = match["count"], "day" if match["unit"] == "night" else match["unit"]
        day = rolling(said, int(count) if count.isdigit() else COUNT.get(count, 1), unit, match.span()).start
        yield Period.of_days(day, 1, match.span()) if unit == "day" else calendar_span(day, unit, 0, match.span())
    for match in _HALF_A_YEAR_AGO.finditer(text):
        yield calendar_span(rolling(said, 6, "month", match.span()).start, "month", 0, match.span())
    for match in _BEFORE_LAST.finditer(text):
        unit = match["unit"]
        if unit in {"night", "day", "evening"}:
            yield Period.of_days(said - timedelta(days=2), 1, match.span())
        elif unit == "weekend":
            back = 14 if said.weekday() >= 5 else 7  # on a weekend the last one is a week ago
            yield Period.of_days(_saturday(said) - timedelta(days=back), 2, match.span())
        elif unit in DAYS:
            yield Period.of_days(latest_before(said, weekday_number(unit)) - timedelta(weeks=1), 1, match.span())
        else:
            yield calendar_span(said, unit, -2, match.span())
    if not _RARE.is_absent(text):
        yield from _shortened(text, said)
        yield from _weeks(text, said)
    yield from _weekdays(text, said)
    for match in _OTHER_DAY.finditer(text):
        yield Period(said - timedelta(days=30), said + timedelta(days=1), match.span())
    for match in _WEEKEND.finditer(text):
        yield Period.of_days(_saturday(said), 2, match.span("just" if match["just"] else 0))
    for match in _SO_FAR.finditer(text):
        unit = match["unit"] or match["until"] or "year"
        now = quarter(said.year, (said.month + 2) // 3, match.span())
        yield now if unit == "quarter" else calendar_span(said, unit, 0, match.span())
    yield from months(text, said)


def _shortened(text: str, said: date) -> Iterator[Period]:
    """Yield what is written in short: yday, last tues, this wk."""
    for match in _SHORTENED.finditer(text):
        if match["day"]:
            yield Period.of_days(said - timedelta(days=1), 1, match.span())
        elif match["weekday"]:
            yield Period.of_days(latest_before(said, weekday_number(match["weekday"])), 1, match.span())
        else:
            shift = -1 if match["which"] == "last" else 0
            yield calendar_span(said, IN_FULL[match["unit"]], shift, match.span())


def _weeks(text: str, said: date) -> Iterator[Period]:
    """Yield the weeks that are called by a day of theirs, and this one: earlier in the week, recap my week."""
    for match in _WEEK_OF.finditer(text):
        named = next(days(f"on {text[match.end() :]}", said, past=True), None)
        if named is None or named.start > len("on the ") or not named.exact:
            continue
        span = (match.start(), match.end() + named.stop - len("on "))
        if match["weekend"]:
            yield Period.of_days(named.day + timedelta(days=5 - named.day.weekday()), 2, span)
        else:
            yield calendar_span(named.day, "week", 0, span)
    for pattern in (_ALL_OF, _EARLIER_IN):
        for match in pattern.finditer(text):
            yield calendar_span(said, match["unit"], 0, match.span("unit"))


def _weekdays(text: str, said: date) -> Iterator[Period]:
    for match in _SOME_DAYS_AGO.finditer(text):
        if match["day"] == "weekend":
            back = COUNT.get(match["count"]) or int(match["count"])
            yield Period.of_days(_saturday(said - timedelta(days=1)) - timedelta(weeks=back - 1), 2, match.span())
            continue
        if match["of"]:
            number = weekday_number(match["of"])
            day = said + timedelta(days=number - said.weekday() - 7 * (match["which"] == "last"))
        else:
            back = COUNT.get(match["count"] or "two") or int(match["count"])
            day = latest_before(said, weekday_number(match["day"] or match["last"])) - timedelta(weeks=back - 1)
        yield Period.of_days(day, 1, match.span())


def _saturday(said: date) -> date:
    return said - timedelta(days=(said.weekday() - 5) % 7)
