"""English: times without a preposition: "Thursday's outline", "July. Highlights", "27/8 the pump", Easter."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from brain_core.compose.planner.spans import first_of, month_span, rolling
from brain_core.compose.planner.tells import Period
from brain_core.compose.planner.times import ENGLISH
from brain_core.extract.feasts import feast_days
from brain_core.extract.weekdays import DAYS, weekday_number

_BEGINS = r"(?:^|(?<=[.!?;:,(\n] )|(?<=[.!?;:,(\n]))"
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_OF_WEEKDAY = ENGLISH.expression(
    rf"(?<!next )(?<!this )(?<!every )(?P<day>{'|'.join(DAYS)})'s\b(?! (?:fine|good|okay|off|out|not|my|the|a))|"
    rf"{_BEGINS}(?P<all>{'|'.join(DAYS)})s (?!(?:i|i'm|we|you|they|he|she|it|are|at|and|or|off|only|always|is|in|for|"
    r"we're|should|would|the|my|from|after|before|until)\b)(?=[a-z])"
)
_OF_MONTH = ENGLISH.expression(
    rf"{_BEGINS}(?P<month>{'|'.join(_MONTHS)})(?:'s (?!(?:gone|over|here|been|too|not|my|the|a|an)\b)|(?=[.:;] )|"
    r"(?= half-term| bank holiday))"
)
_ORDINAL = ENGLISH.expression(
    r"\b(?:on|just|only|since) the (?P<day>\d{1,2})(?:st|nd|rd|th)\b(?! of| floor| century|\s+[jfmasond][a-z]+\b \d)"
)
_NUMERIC = ENGLISH.expression(
    rf"{_BEGINS}(?P<day>\d{{1,2}})/(?P<month>\d{{1,2}})(?![\d/.])(?= (?:the|my|our|i|we|what|who|it)\b|,|:)"
)
_FEAST = ENGLISH.expression(
    r"(?:\b(?:on|at|over|since|during|last|this|from|after)\s+(?:last\s+|this\s+|the\s+)?|"
    rf"{_BEGINS})(?P<feast>easter(?: (?:weekend|break|sunday|monday))?|good friday|bastille day|canada day|burns night|"
    r"april fools'?(?: day)?|armistice day|remembrance day|veterans day|juneteenth|may day|midsummer(?: day| eve)?|"
    r"(?:new year'?s|christmas) (?:eve|day)|boxing day|halloween|bonfire night|thanksgiving)\b"
    r"(?=[,;:.?! ]|$)(?! (?:is|present|gift|card|list|party idea|costume|recipe|egg))"
)
_EVE = ENGLISH.expression(rf"{_BEGINS}day before yesterday\b")
_OVER = ENGLISH.expression(
    rf"{_BEGINS}(?:a )?(?P<count>couple of|few|two|three|four|five|six|\d{{1,2}}) (?P<unit>day|week|month|year)s "
    r"(?:now\b|(?:of|spent) \w+ing\b)"
)
_COUNT = {"couple of": 2, "few": 3, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def bare(text: str, said: date) -> Iterator[Period]:
    """Yield the times of a text in lower case, none that begins after the day said."""
    for match in _OF_WEEKDAY.finditer(text):
        number = weekday_number(match["day"] or match["all"])
        group = "day" if match["day"] else "all"
        last = text[: match.start(group)].endswith("last ")
        back = (said.weekday() - number) % 7 or 7 * last
        yield Period.of_days(said - timedelta(days=back), 1, match.span(group))
    for match in _OF_MONTH.finditer(text):
        month = _MONTHS.index(match["month"]) + 1
        yield month_span(date(said.year - (month > said.month), month, 1), match.span("month"))
    for match in _ORDINAL.finditer(text):
        yield from _of_day(int(match["day"]), said, match.span("day"))
    for match in _NUMERIC.finditer(text):
        day, month = int(match["day"]), int(match["month"])
        if 1 <= month <= 12 and 1 <= day <= _length(said.year, month):
            year = said.year - ((month, day) > (said.month, said.day))
            yield Period.of_days(date(year, month, min(day, _length(year, month))), 1, match.span())
    for match in _FEAST.finditer(text):
        yield from _feast(match["feast"], said, match.span("feast"))
    for match in _EVE.finditer(text):
        yield Period.of_days(said - timedelta(days=2), 1, match.span())
    for match in _OVER.finditer(text):
        count = match["count"]
        yield rolling(said, int(count) if count.isdigit() else _COUNT[count], match["unit"], match.span())


def _length(year: int, month: int) -> int:
    return (first_of(year, month + 1) - first_of(year, month)).days


def _of_day(day: int, said: date, span: tuple[int, int]) -> Iterator[Period]:
    """Yield the latest day of that number, of this month or of the one before."""
    month = first_of(said.year, said.month - (day > said.day))
    if 1 <= day <= _length(month.year, month.month):
        yield Period.of_days(month.replace(day=day), 1, span)


def _feast(name: str, said: date, span: tuple[int, int]) -> Iterator[Period]:
    first, length = feast_days(name, said.year)
    if first > said:
        first, length = feast_days(name, said.year - 1)
    yield Period.of_days(first, length, span)
