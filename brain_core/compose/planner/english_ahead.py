"""English: the days to come that a question names, and whether its words look ahead or back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from brain_core.compose.planner.english_months import COUNT
from brain_core.compose.planner.spans import SOON, calendar_span, joined, month_span, onwards, quarter, season, tail
from brain_core.compose.planner.tells import Coming, Period
from brain_core.compose.planner.times import ENGLISH, days
from brain_core.extract.dates import Day
from brain_core.extract.feasts import feast_days

_ROLLING = ENGLISH.expression(
    rf"\b(?:the |my |our |these )?(?:next|coming|following)\s+(?:(?P<count>\d{{1,3}}|{'|'.join(COUNT)})\s+)?"
    r"(?P<unit>day|night|week|weekend|fortnight|month|year)(?P<many>s)?\b"
)
_REST = ENGLISH.expression(
    r"\b(?:rest|remainder) of (?:the|this) (?P<rest>week|month|year)\b|\blater this (?P<later>week|month|year)\b"
)
_OPEN = ENGLISH.expression(
    r"\b(?:upcoming|coming up|(?:any ?time )?soon|on the horizon|in the near future|lined up|ahead of (?:me|us)|"
    r"from now on|in store|(?:weeks?|days?|months?) (?:ahead|to come))\b"
)
_WEEKEND = ENGLISH.expression(r"\b(?:at |over |on |for |during )?(?:the|this coming|coming) weekend\b(?! before| just)")
_SEASON = ENGLISH.expression(
    r"\b(?P<which>next|this|this coming|in the|over the) (?P<name>spring|summer|autumn|fall|winter)\b"
)
_QUARTER = ENGLISH.expression(r"\b(?P<which>next|this) quarter\b")
_WEEK_ON = ENGLISH.expression(
    r"\ba week (?:on |from |this )?(?P<day>monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow)\b|"
    r"\b(?P<then>monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow) week\b"
)
_FEAST = ENGLISH.expression(
    r"\b(?P<feast>christmas(?: eve| day)?|new year'?s?(?: eve| day)?|boxing day|halloween|easter(?: sunday| monday)?|"
    r"good friday|thanksgiving|bonfire night)\b"
)
_WEEKDAY = re.compile(r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?")
_EDGE = re.compile(r"^(?:the )?end of ")
_IN_SOME = re.compile(r"^in (?:.* )?(?P<unit>week|fortnight|month|year)s?$")
_BY = re.compile(r"\b(?P<word>by|before|until|till|up to|no later than)\s+(?:the\s+)?$")
_JOINS = re.compile(r"\s*(?:,|to|and|or|through|until|till|[-–—])\s*(?:on\s+)?(?:the\s+)?")
_FIRST_OF = re.compile(
    r"\b(?P<first>\d{1,2})(?:st|nd|rd|th)?(?:\s?[-–]\s?| to | and | or | until | till | through )(?:the )?$"
)
_WAS_OF = re.compile(r"'s\b")
"""What is a day's is there already: Thursday's outline."""
_SINCE = re.compile(
    r"\b(?:since|after)\s+(?:the\s+)?$|\b(?:notes?|list|minutes|things|stuff|what) (?:from|of) (?:the )?$"
)
_NUMBER_OF = re.compile(r",?\s+(?:the\s+)?")

_SURE = re.compile(
    r"\b(?:next|coming|upcoming|tomorrow|tmrw|soon|to come|ahead|later|rest|remainder|following|horizon|future|lined|"
    r"week (?:on|from))\b|^in (?:a|an|\d|two|three|four|five|six)|\bday after\b|day week$"
)
_TOLD = re.compile(r"\b20\d\d\b|^this ")
_LEAN = re.compile(
    r"^(?:today|tonight|this (?:week|month|year|morning|afternoon|evening|quarter|spring|summer|autumn|fall|winter))$"
)
_TO_COME = ENGLISH.expression(
    r"\b(?:(?:am|are|is|be) (?:\w+ )?(?:free|busy|available|around)|"
    r"(?:am|are|is|be|isn't|aren't) (?:(?!it\b|there\b)\w+ ){0,3}?(?:here|around|away|in town|home|at home)|"
    r"(?:i|we)(?:'ll| will) be|due|going to|gonna|"
    r"will(?! you)|won't|(?:i|we|he|she|they|it|who|what)'ll|shall|(?:have|has|had|need|needs) to|ought to|"
    r"must(?! have)|should(?! have)|supposed to|arriv(?:e|es|ing)|leaving|visiting|happens|happening|"
    r"on (?:my|our) plate|lined up|in store|"
    r"(?:is|are|what's|anything|something|nothing|got|have) (?:\w+ )?(?:planned|booked|scheduled)|"
    r"(?:what'?s|what is|what are|anything|something|nothing|much|have|is there) on(?! (?:the|my|our) \D)|"
    r"have (?:i|we) got (?:on|to|any(?:thing|where| plans))|(?:do|does|don't) \w+ (?:go|meet|start)|"
    r"(?:do|does) (?:i|we) have (?:anything|something|any plans|plans)|"
    r"what do (?:i|we) have(?= (?:on|today|tonight|this))|"
    r"(?:am|are|is) (?!(?:the|my|our|your|it|there|this|that|his|her|their)\b)(?:\w+ )?"
    r"(?!(?:any|some|no|every)thing|morning|evening|missing|outstanding|pending|during|meeting)[a-z]{2,}ing)\b|"
    r"^plans?\b|^(?:and |so )?(?:anything|something)\b"
)
_OVER = ENGLISH.expression(
    r"\b(?:did|didn't|was|wasn't|were|weren't|had(?! to)|hadn't|been|went|said|told|came|saw|met|ate|bought|made|took|"
    r"gave|spent|wrote|ran|won|lost|paid|sold|left(?! for| to)|ago|last|yesterday|already|so far|since|used to|earlier|"
    r"have (?:i|we|you|they) (?!got|to|any|a\b|the|my|plan|book)\w+|"
    r"(?:i|we|you|he|she|they) (?:\w+ )?(?:booked|planned|scheduled|invited|arranged|organi[sz]ed)|"
    r"(?!(?:plann|book|schedul|suppos|expect|invit|arrang|organi[sz]|us)ed\b|"
    r"(?:b|r|w|sh|f|m|l|inde|spe|fe|ne|se)ed\b)[a-z]{2,}ed)\b"
)
_PLANS = ENGLISH.expression(
    r"\b(?:plans?|planned|due|appointments?|coming up|upcoming|scheduled?|diary|calendar|agenda|lined up|"
    r"happening|happens|deadlines?|to-?dos?|(?:what'?s|what is|what are|anything|something|much|got) on|free|"
    r"available|left (?:for|to do)|in store|"
    r"(?:who is|who's|anyone|anybody|someone) (?:coming|visiting|arriving))\b|^(?:and |so )?(?:anything|something)\b"
)

_OURS = ENGLISH.expression(
    r"\b(?:the|a|an) (?:\w+ )?(?:meeting|call|party|dinner|lunch|breakfast|appointment|interview|flight|train|trip|"
    r"exam|class|lesson|wedding|birthday|concert|match|demo|deadline|visit|viewing|surgery|check-?up)s?\b|"
    r"^(?:and |so )?(?:is|are|isn't|aren't|will|won't) (?:\w+ ){1,3}?(?:be )?"
    r"(?:here|around|away|home|at home|in town|back)\b"
)


def _named(text: str, said: date) -> Iterator[Period]:
    """Yield the days of a text in lower case that are not over on the day said, in the order they stand in."""
    found = sorted([*_phrases(text, said), *_days(text, said)], key=lambda one: (one.span[0], -one.span[1]))
    for one in joined(text, found, _JOINS):
        by = _BY.search(text[: one.span[0]])
        if by is None:
            yield one
        else:
            alone = by["word"] == "before" and one.start > said and (one.stop - one.start).days == 1
            yield Period(said, one.start if alone else one.stop, one.span)


def _phrases(text: str, said: date) -> Iterator[Period]:
    for match in _ROLLING.finditer(text):
        unit, count = match["unit"], match["count"]
        if not match["many"] and not count:
            continue  # next week is the calendar's
        number = int(count) if (count or "").isdigit() else COUNT.get(count or "few", 3)
        if not count:
            number = {"day": 7, "night": 7, "week": 4, "weekend": 4}.get(unit, 3)
        yield onwards(said, number, {"night": "day", "weekend": "week"}.get(unit, unit), match.span())
    for match in _REST.finditer(text):
        yield tail(said, calendar_span(said, match["rest"] or match["later"], 0, match.span()))
    for match in _OPEN.finditer(text):
        yield Period.of_days(said, SOON, match.span())
    for match in _WEEKEND.finditer(text):
        saturday = said + timedelta(days=5 - said.weekday())
        yield tail(said, Period.of_days(saturday, 2, match.span()))
    for match in _SEASON.finditer(text):
        years = (season(said.year + shift, match["name"], match.span()) for shift in (-1, 0, 1))
        left = (one for one in years if (one.start if match["which"] == "next" else one.stop) > said)
        yield tail(said, next(left))
    for match in _QUARTER.finditer(text):
        index = said.year * 4 + (said.month - 1) // 3 + (match["which"] == "next")
        yield tail(said, quarter(index // 4, index % 4 + 1, match.span()))
    for match in _WEEK_ON.finditer(text):
        first = next(days(match["day"] or match["then"], said))
        yield Period.of_days(first.day + timedelta(days=7), 1, match.span())
    for match in _FEAST.finditer(text):
        yield _feast(match, said)


def _feast(match: re.Match[str], said: date) -> Period:
    name = match["feast"].replace("'", "")
    full = {"christmas": "christmas day", "new year": "new year day", "new years": "new year day"}.get(name, name)
    first, length = feast_days(full, said.year)
    if first + timedelta(days=length) <= said:
        first, length = feast_days(full, said.year + 1)
    around = 3 if name in {"christmas", "new year", "new years"} else 0
    return tail(said, Period(first - timedelta(days=around), first + timedelta(days=length + around), match.span()))


def _days(text: str, said: date) -> Iterator[Period]:
    """Yield what the days of a text cover. The number after a weekday says which one is meant."""
    found = list(days(text, said))
    for number, day in enumerate(found):
        words = text[day.start : day.stop]
        later = found[number + 1] if number + 1 < len(found) else None
        if later and _WEEKDAY.fullmatch(words) and _NUMBER_OF.fullmatch(text[day.stop : later.start]):
            continue
        if _WAS_OF.match(text, day.stop) or _SINCE.search(text[: day.start]):
            continue
        period = _from_first(text, day, _covered(day, words))
        if period.stop > said:
            yield tail(said, period)


def _from_first(text: str, day: Day, period: Period) -> Period:
    """Return the days up to one where the number of the first stands before it: the 5th to the 9th of December."""
    first = _FIRST_OF.search(text[: day.start])
    if first is None or not day.exact or not 0 < int(first["first"]) < day.day.day:
        return period
    return Period(day.day.replace(day=int(first["first"])), period.stop, (first.start(), day.stop))


def _covered(day: Day, words: str) -> Period:
    span = (day.start, day.stop)
    if day.last is not None:
        return Period(day.day, day.last + timedelta(days=1), span)
    if words.endswith("weekend"):
        return Period.of_days(day.day, 2, span)
    some = _IN_SOME.search(words)
    if some:
        return calendar_span(day.day, some["unit"], 0, span)
    if _EDGE.search(words):
        return _edge(day, words, span)
    if day.exact:
        return Period.of_days(day.day, 1, span)
    unit = re.search(r"\b(week|fortnight|month|year)s?\b", words)
    return calendar_span(day.day, unit[1], 0, span) if unit else month_span(day.day, span)


def _edge(day: Day, words: str, span: tuple[int, int]) -> Period:
    """Return the last days of a week, a month or a year."""
    before, after = (0, 3) if "week" in words else (13 if "year" in words else 6, 1)
    return Period(day.day - timedelta(days=before), day.day + timedelta(days=after), span)


COMING = Coming(_named, _SURE, _TOLD, _TO_COME, _OVER, _PLANS, _LEAN, _OURS)
