"""Chinese: days and months with both ends told, what lasts until now, halves of a month. Texts are folded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from brain_core.compose.planner.spans import calendar_span, first_of, month_span, rolling, season
from brain_core.compose.planner.tells import Period
from brain_core.compose.planner.times import CHINESE
from brain_core.extract.chinese.dates import number

_MONTH = r"(?:1[0-2]|0?[1-9]|十[一二]|[一二三四五六七八九十])"
_DAY = r"(?:3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|二十|[一二三四五六七八九])"
_TO = r" ?(?:到|至|[-~～—–]) ?"
_DAYS_TO = CHINESE.expression(
    rf"(?<![\d一二三四五六七八九十])(?P<month>{_MONTH})月(?P<first>{_DAY})[日号]?{_TO}(?P<last>{_DAY})[日号]"
)
_POINTED_TO = CHINESE.expression(
    r"(?<![\w.¥$])(?P<month>1[0-2]|[1-9])\.(?P<first>3[01]|[12]\d|0?[1-9])[-~～—–到至](?P<to>1[0-2]|[1-9])\."
    r"(?P<last>3[01]|[12]\d|0?[1-9])(?= ?[我你咱这那都的一-鿿])(?! ?[元块折分度版斤克米万亿千毫厘公倍寸码])"
)
_MONTHS = CHINESE.expression(
    rf"(?<![\d一二三四五六七八九十第])(?:(?P<one>{_MONTH})月份?(?:和|跟|与|、|及)(?P<other>{_MONTH})月份?|"
    rf"(?P<from>1[0-2]|[1-9]|十[一二]?)(?:[-~～、到至]|和)(?P<till>1[0-2]|[1-9]|十[一二]?)月份?|"
    rf"(?P<pair>一二|二三|三四|四五|五六|六七|七八|八九|九十|十一十二)月份?)"
    r"(?![\d一二三四五六七八九十初中底末天]|[上中下]旬|大)"
)
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_SINCE_SEASON = CHINESE.expression(
    r"(?:自|从|打)?(?:入|开|立|交)(?P<season>[春夏秋冬])(?:了?(?:以来|之后|以后|后|到现在|至今|起)|(?=我|就|那))|"
    r"(?P<year>开年|年后开工|新年|元旦)(?:以来|到现在|至今)"
)
_WHOLE_SEASON = CHINESE.expression(
    r"(?:一?整个|一?整|一)(?P<whole>[春夏秋冬])[天季]|(?P<year>[今去])(?P<season>[春夏秋冬])(?![天季])(?=[^，。]|$)"
)
_FOR_SO_LONG = CHINESE.expression(
    r"(?<![这近的去前过])(?P<count>\d{1,2}|[一二两三四五六七八九十半]{1,3}|几)(?P<unit>天|周|个?星期|个?礼拜|个月|"
    r"年)(?:以来|来)"
    r"(?![自回到过了])"
)
_UNITS = {"天": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_HALF_MONTH = CHINESE.expression(
    rf"(?P<name>这个?月|本月|上个?月|(?P<month>{_MONTH})月份?)?的?(?P<half>[上下前后])半个?月(?![前后以之])"
)


def ranges(text: str, said: date) -> Iterator[Period]:
    """Yield the ranges of a folded text, none of which begins after the day said."""
    for match in _DAYS_TO.finditer(text):
        yield from _of_days(number(match["month"]), (number(match["first"]), number(match["last"])), said, match.span())
    for match in _POINTED_TO.finditer(text):
        first, last = ((int(match[a]), int(match[b])) for a, b in (("month", "first"), ("to", "last")))
        if first < last:
            year = said.year - (first > (said.month, said.day))
            yield Period(date(year, *first), date(year, *last) + timedelta(days=1), match.span())
    for match in _MONTHS.finditer(text):
        yield from _months(match["pair"] or "", match, said)
    for match in _FOR_SO_LONG.finditer(text):
        yield from _until_now(match["count"], _UNITS[match["unit"].removeprefix("个")], said, match.span())
    for match in _HALF_MONTH.finditer(text):
        if match["name"] or match["half"] in "上下":
            yield _half(match["name"] or "", match["month"], match["half"] in "下后", said, match.span())
    yield from _seasons(text, said)


def _seasons(text: str, said: date) -> Iterator[Period]:
    for match in _SINCE_SEASON.finditer(text):
        start = date(said.year, 1, 1) if match["year"] else _last(match["season"], said, match.span()).start
        yield Period(start, said + timedelta(days=1), match.span())
    for match in _WHOLE_SEASON.finditer(text):
        if match["whole"]:
            yield _last(match["whole"], said, match.span())
        else:
            yield season(said.year - (match["year"] == "去"), _SEASONS[match["season"]], match.span())


def _last(name: str, said: date, span: tuple[int, int]) -> Period:
    """Return the latest season of that name that has begun."""
    this = season(said.year, _SEASONS[name], span)
    return this if this.start <= said else season(said.year - 1, _SEASONS[name], span)


def _of_days(month: int, days: tuple[int, int], said: date, span: tuple[int, int]) -> Iterator[Period]:
    first, last = days
    whole = month_span(date(said.year - ((month, first) > (said.month, said.day)), month, 1), span)
    if first < last <= (whole.stop - whole.start).days:
        yield Period.of_days(whole.start.replace(day=first), last - first + 1, span)


def _months(pair: str, match: re.Match[str], said: date) -> Iterator[Period]:
    if pair:
        first, last = (11, 12) if pair == "十一十二" else (number(pair[0]), number(pair[1]))
    else:
        first, last = (number(match[a] or match[b]) for a, b in (("one", "from"), ("other", "till")))
    if first < last:
        year = said.year - (first > said.month)
        yield Period(first_of(year, first), first_of(year, last + 1), match.span())


def _until_now(count: str, unit: str, said: date, span: tuple[int, int]) -> Iterator[Period]:
    if count == "半":
        halves = {"month": (15, "day"), "year": (6, "month")}
        if unit in halves:
            yield rolling(said, *halves[unit], span)
        return
    yield rolling(said, 7 if count == "几" and unit == "day" else max(1, number(count) or 3), unit, span)


def _half(name: str, month: str | None, later: bool, said: date, span: tuple[int, int]) -> Period:
    """Return the first half of a month, to its 15th, or the rest of it."""
    if month:
        whole = month_span(date(said.year - (number(month) > said.month), number(month), 1), span)
    else:
        whole = calendar_span(said, "month", -name.count("上"), span)
    middle = whole.start.replace(day=16)
    return Period(middle, whole.stop, span) if later else Period(whole.start, middle, span)
