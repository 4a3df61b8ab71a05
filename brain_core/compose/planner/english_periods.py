"""English: the periods that a message names, as far as they lie in the past."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from brain_core.compose.planner.english_bare import bare
from brain_core.compose.planner.english_months import COUNT, MONTH_NAME
from brain_core.compose.planner.english_ranges import ranges
from brain_core.compose.planner.english_spoken import IN_FULL, spoken
from brain_core.compose.planner.spans import LIVED, calendar_span, month_span, quarter, rolling, season, through
from brain_core.compose.planner.tells import Period
from brain_core.compose.planner.times import ENGLISH, days
from brain_core.extract.dates import Day

_HINT = ENGLISH.expression(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)|\d+[/.-]\d|(?:19|20)\d\d|\d+ (?:day|week|month|year)|last (?!time|thing|one)|"
    r"past|previous|recent|"
    r"yesterday|today|tonight|ago\b|lately|these days|of late|the day before|earlier|quarter|q[1-4]\b|"
    r"\bback\b|\bon (?:mon|tue|wed|thu|fri|sat|sun)|before last|the other |the weekend|so far|to date|\bytd\b|past|"
    r"last|easter|bastille|canada day|burns night|april fool|armistice|remembrance|veterans|juneteenth|may day|"
    r"midsummer|(?:couple of|two|three|four|five|six|few) (?:days|weeks|months|years) |"
    r"first|second|third|fourth|half|start|beginning|thanksgiving|xmas|bonfire|(?:of|did|was|all|whole|the) (?:may|"
    r"march)|"
    r"y'?day\b|nite\b|wk\b|mth\b|w/c\b|w/e\b|week (?:commenc|begin|start|end|of)|h[12]\b|(?:my|our|the|all) (?:"
    r"week|month|year)\b|"
    r"hours?|"
    r"this (?:week|month|year|morning|afternoon|evening|quarter|spring|summer|autumn|fall|winter|past|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday)|spring|summer|autumn|fall|winter|christmas|halloween|new year|boxing|"
    r"valentine|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2} may|may's|(?:early|mid|late)[ -]may|"
    r"january|february|march|april|june|july|august|september|"
    r"october|november|december|in may|"
    r"(?:since|of|during|on|from|last|this|and|to|between|throughout|before|around|mid) may|"
    r"(?:may|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec) \d|(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\b)|'\d\d\b"
)
_ROLLING = ENGLISH.expression(
    rf"\b(?:last|past|previous|these (?:last|past))\s+(?:(?P<count>\d{{1,3}}|{'|'.join(COUNT)})\s*)"
    r"(?<![a-z])(?P<unit>day|night|evening|week|wk|fortnight|month|mth|year|yr|hour|hr|h)s?\b(?! running| to| before|"
    r" of (?:the|my|our|her|his|"
    r"their|20|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|"
    r"\b(?:(?:over|in|during|for|within|across) )?(?:the|this)\s+(?:last|past)\s+(?P<one>day|week|wk|"
    r"fortnight|month|year)\b(?! of| to| before| for| in)|\bpast (?P<bare>week|fortnight|month|year)\b"
)
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": 3, "final": 3}
_RECENT = ENGLISH.expression(r"\b(?:recently|lately|of late|these days|in recent (?:days|weeks))\b")
_HAS_BEEN = re.compile(r"\b(?:have|has|been|did)\b|'(?:ve|s been)\b")
_SEASON = ENGLISH.expression(
    r"\b(?P<which>last|this|this past|(?:over|during|in|through|throughout|all|from|since|of) the)\s+(?P<season>spring|"
    r"summer|autumn|fall|winter)\b(?!\s+(?:of\s+)?(?:break|school|house|jacket|coat|term|camp|olympics))"
    r"|\b(?:(?:in|of|during|since|from)\s+(?:the\s+)?)?(?P<named>spring|summer|autumn|fall|"
    r"winter)(?:\s+of)?,?\s+(?P<year>(?:19|20)\d\d)\b"
)
_QUARTER = ENGLISH.expression(
    r"\b(?P<which>last|this|previous|past)\s+quarter\b|\b(?P<ordinal>first|second|third|fourth|last|final) quarter"
    r"(?: of (?:(?P<of>20\d\d)|(?P<whose>this|last) year))|\b(?:in|for|of|during|over|from) the (?P<nth>first|second|"
    r"third|fourth) quarter\b(?! of)|"
    r"\bq(?P<number>[1-4])(?![-_.]\w)(?:\s+(?:of\s+)?(?P<year>20\d\d))?\b"
)
_HALF_YEAR = ENGLISH.expression(r"\bh(?P<half>[12])\b(?:,? (?:of )?(?P<year>20\d\d)\b)?(?! (?:tag|head|title))")
_IN_SEASON = ENGLISH.expression(
    r"\b(?:did|was|were|had|told|said)\b[^.?!]{1,60}\b(?:in|over|during|from|since) "
    r"(?P<season>spring|summer|autumn|winter)\b"
)
_YEAR = ENGLISH.expression(
    r"\b(?:in|during|since|from|back in|throughout|of|early|mid|late|all)[\s-]+(?P<year>(?:19|20)\d\d)\b(?![-/.]\d)"
)
_HALF_DAY = ENGLISH.expression(
    r"\bearlier (?P<which>today|this week|this month|this year)\b|\b(?:today|tonight|this (?:morning|"
    r"afternoon|evening))\b"
)
_HOLIDAY = ENGLISH.expression(
    r"\b(?:on|at|over|since|during|last|this|from|before|after)\s+(?:last\s+|"
    r"this\s+)?(?P<day>christmas(?: day| eve)?|halloween|new year'?s?(?: day| eve)?|valentine'?s(?: day)?|"
    r"boxing day|xmas(?: day| eve)?|bonfire night|guy fawkes night|st\.? patrick'?s day|independence day|"
    r"thanksgiving)\b"
)
_HOLIDAYS = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "boxing day": (12, 26),
    "halloween": (10, 31), "new years day": (1, 1), "new years eve": (12, 31), "new year": (1, 1), "new years": (1, 1),
    "new year eve": (12, 31), "new year day": (1, 1),
    "valentines": (2, 14),
    "valentines day": (2, 14), "xmas": (12, 25), "xmas day": (12, 25), "xmas eve": (12, 24), "bonfire night": (11, 5),
    "guy fawkes night": (11, 5), "st patricks day": (3, 17), "st. patricks day": (3, 17), "independence day": (7, 4),
}  # fmt: skip
_AIM = re.compile(r"(?:\b(?:to|by|until|till|til|due|before|for)\s+(?:the\s+|next\s+)?)$")
_NO_AIM = re.compile(
    r"\bfrom\b[^,.?!]{0,30}$|\bbetween\b[^,.?!]{0,30}$|"
    r"\b(?:speak|spoke|spoken|talk(?:ed)?|went|been|listen(?:ed)?|wrote|written|said|happened) to (?:the )?$|"
    r"\b(?:bills?|statements?|figures?|numbers?|invoices?|totals?|payslips?|records?|logs?|entries|notes|minutes|"
    r"reports?|readings?|results?|spending|expenses|takings|usage|hours|summary|recap|overview|"
    r"digest|highlights|round-?up|run-?down|gist|journal|log) for (?:the )?$"
)
_LEADS = re.compile(
    r"\b(?:on|in|during|since|of|from|last|this|throughout|between|and|through|back in|early|late|mid|to|"
    r"until|starting|after|for|over|as of)[ -]+(?:the\s+|last\s+|this\s+|early\s+|late\s+|mid-?)*$"
)
_TAILS = re.compile(
    r"'s\b|\s+(?:morning|afternoon|evening|night)\b|\s*[?,.!;)]|\s*$|\s+(?:i|we|you|about|and|this week|last week)\b"
)
_PLANS = re.compile(
    r"\b(?:remind|schedule|(?<!what )(?<!which )(?<!the )(?<!that )(?<!my )(?<!a )book|"
    r"postpone|reschedule|move|push|deadline|due|plan(?:ned)? for|(?:what time|when)(?:'s| "
    r"is| are)|plan (?:an?|the|my|our)|"
    r"organi[sz]e|prep(?:are)?|upcoming|"
    r"see (?:you|ya)|will|won't|i'll|we'll|"
    r"going to|gonna|tomorrow|next|starts?|begins?|need to|want to|have to|ready for|back(?! in| on| at| then| over|"
    r" through| across|\s*$)|"
    r"coming(?! out)|turn(?:s|ing)|leav(?:e|es|ing)|arriv(?:e|es|ing)|expires?|runs? out|getting married|off to|"
    r"break up|"
    r"meeting you)\b[^.?!;]{0,60}$"
)
_FINE = re.compile(
    r"\b(?:was|were|worked|working|ran|running|did) (?:\w+ )?(?:fine|ok|okay|perfectly|great|all right|well|right) "
    r"(?:until |till |up to |just |only )*$"
)
_DONE = re.compile(
    r"\b(?:i|we|you|he|she|they|it|that)(?:'d|'ve| had| have)? (?:\w+ )?(?:were|was|did|said|told|met|went|wrote|sent|"
    r"made|"
    r"saw|got|had|did|bought|came|gave|left|took|began|spoke|read|put|[a-z]+ed)\b"
)
_SINCE = re.compile(
    r"\b(?:since|ever since|starting(?: from)?|as of|after)\s+(?:the\s+|about\s+|around\s+|early\s+|"
    r"late\s+)*$|\bfrom\s+(?:the\s+)?$"
)
_ON = re.compile(
    r"\s+(?:on\b|onwards?\b|until now\b|till now\b|to now\b|to date\b|(?:up )?(?:to|until|till) (?:today|now)\b)"
)
_JOINS = re.compile(r"\s*(?:to|and|through|until|till|-|–|—)\s*(?:the\s+)?")
_SHORT_DAY = re.compile(
    r"(?<=on )(?P<day>tue|wed|thu)(?:r?s)\b|(?<=of )(?P<of>(?:mon|tues|wednes|thurs|fri|satur|sun)day)'s\b|"
    r"(?<!\bthe )(?<!these )\b(?P<span>(?:last|this) (?:week|month|year))s\b(?= [a-z])"
)
_OVER = ("last ", "yesterday")
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day$")


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
        named = match["unit"] or match["one"] or match["bare"]
        unit = IN_FULL.get(named, named)
        count = int(match["count"]) if (match["count"] or "").isdigit() else COUNT[match["count"] or "one"]
        if unit in {"night", "evening"} and not text[: match.start()].endswith(("the ", "these ")):
            continue
        if unit == "hour":
            count, unit = -(-count // 24), "day"
        yield rolling(said, count, "day" if unit in {"night", "evening"} else unit, match.span())
    yield from _recently(text, said)
    yield from ranges(text, said)
    yield from _seasons(text, said)
    for match in _YEAR.finditer(text):
        if abs(said.year - int(match["year"])) <= LIVED:
            yield Period(date(int(match["year"]), 1, 1), date(int(match["year"]) + 1, 1, 1), match.span("year"))
    for match in _HALF_DAY.finditer(text):
        if match["which"] in (None, "today"):
            yield Period.of_days(said, 1, match.span())
        else:
            yield calendar_span(said, match["which"].removeprefix("this "), 0, match.span())
    for match in _HOLIDAY.finditer(text):
        first = _holiday(match["day"].replace("'", ""), said.year)
        yield Period.of_days(
            first if first <= said else _holiday(match["day"].replace("'", ""), said.year - 1), 1, match.span("day")
        )
    for period in (*spoken(text, said), *bare(text, said)):
        start, stop = period.span
        if not _ahead(text[max(0, start - 80) : start], text[stop : stop + 2]):
            yield period


def _recently(text: str, said: date) -> Iterator[Period]:
    for match in _RECENT.finditer(text):
        if match[0] == "these days" and not _HAS_BEEN.search(text[: match.start()]):
            continue  # of how things are now
        yield Period(said - timedelta(days=30), said + timedelta(days=1), match.span())


def _holiday(name: str, year: int) -> date:
    if name == "thanksgiving":
        return date(year, 11, 22 + (3 - date(year, 11, 1).weekday()) % 7)
    month, day = _HOLIDAYS[name]
    return date(year, month, day)


def _ahead(before: str, after: str) -> bool:
    """Return whether what stands before a time makes it one to come: "move it to", "the deadline is"."""
    plans = _PLANS.search(before)
    if _AIM.search(before):
        return _aims(before, after)
    return plans is not None and not _DONE.search(plans[0])


def _aims(before: str, after: str) -> bool:
    """Return whether "to" or "for" aims at a time. What is a day's is there already: back to Thursday's outline."""
    return _AIM.search(before) is not None and not after.startswith("'s") and not _NO_AIM.search(before)


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
    for match in _IN_SEASON.finditer(text):
        this = season(said.year, match["season"], match.span("season"))
        yield this if this.start <= said else season(said.year - 1, match["season"], match.span("season"))
    for match in _HALF_YEAR.finditer(text):
        later = match["half"] == "2"
        year = int(match["year"] or said.year - (later and said.month < 7))
        yield Period(date(year, 7 if later else 1, 1), date(year + later, 1 if later else 7, 1), match.span())
    for match in _QUARTER.finditer(text):
        now = said.year * 4 + (said.month - 1) // 3
        if match["nth"]:
            index = said.year * 4 + _ORDINALS[match["nth"]]
            index -= 4 * (index > now)
        elif match["ordinal"]:
            year = int(match["of"] or said.year - (match["whose"] == "last"))
            index = year * 4 + _ORDINALS[match["ordinal"]]
        elif match["number"]:
            index = int(match["year"] or said.year) * 4 + int(match["number"]) - 1
            index -= 0 if match["year"] or index <= now else 4
        else:
            index = now - (match["which"] != "this")
        yield quarter(index // 4, index % 4 + 1, match.span())


def _without_s(match: re.Match[str]) -> str:
    name = match["day"] or match["of"] or match["span"]
    return name + " " * (len(match[0]) - len(name))


_PART_OF = re.compile(r"(?:early|mid|late|(?:beginning|start|middle|end) of)(?:\s+in)?[\s-]+(?=[a-z]+\W*(?:\d{4})?$)")


def _of_month(text: str, day: Day) -> Day:
    """Return the month of a part of it: what is remembered as of early March may be of the month."""
    part = _PART_OF.match(text, day.start, day.stop)
    if part is None or not MONTH_NAME.search(text[part.end() : day.stop]):
        return day
    return Day(day.day.replace(day=1), part.end(), day.stop, exact=False)


def _named_days(text: str, said: date) -> Iterator[Period]:
    for one in days(_SHORT_DAY.sub(_without_s, text), said, past=True):
        day = _of_month(text, one)
        words = text[day.start : day.stop]
        before, after = text[max(0, day.start - 80) : day.start], text[day.stop : day.stop + 20]
        if _aims(before, after) and not (words.startswith(_OVER) and not after.startswith(" of")):
            continue
        if day.day > said or _FINE.search(before) or _aimed(words, before, after):
            continue
        period = _whole(day, words, said)
        if period is not None:
            yield period


def _aimed(words: str, before: str, after: str) -> bool:
    """Return whether a day is not one on which something was said or done."""
    told = words.startswith(("last", "yesterday", "the day before")) or words.endswith("ago")
    if told:
        return False
    plans = _PLANS.search(before)
    if (plans and not _DONE.search(plans[0])) or re.search(r"\b(?:is|are) (?:on |this )?$", before):
        return True
    if _WEEKDAY.search(words) and words.split(maxsplit=1)[0] not in {"last", "past", "this"}:
        return not (_LEADS.search(before) or _TAILS.match(after)) or before.endswith(
            ("every ", "black ", "good ", "each ")
        )
    if MONTH_NAME.search(words) and not re.search(r"\d", words):
        return not (words.startswith(("in ", "last ")) or _LEADS.search(before) or after.startswith("'s"))
    if re.fullmatch(r"(?:\d{1,2})(?:st|nd|rd|th)", words):
        return not re.search(r"\b(?:on|since|from) the $", before)
    return re.fullmatch(r"(?:in .*)", words) is not None and "month" in words


def _whole(day: Day, words: str, said: date) -> Period | None:
    span = (day.start, day.stop)
    if day.last is not None:
        return Period(day.day, day.last + timedelta(days=1), span)
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
    return month_span(day.day, span) if MONTH_NAME.search(words) and day.day <= said else None


def _may_join(one: Period, other: Period) -> bool:
    """Return whether a time and a later one are told, or two days of a week of which the one named first is over."""
    return one.start < other.stop or (one.start - other.start).days < 7


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
                and _may_join(one, other)
                and re.search(r"\b(?:between|from)\s+(?:the\s+)?$", before)
            ):
                yield through(one, other, (one.span[0], other.span[1]))
                number += 2
                continue
        since = _SINCE.search(before[-40:])
        if since and (not since[0].startswith("from") or _ON.match(after)):
            yield Period(one.start, said + timedelta(days=1), one.span)
        else:
            yield one
        number += 1
