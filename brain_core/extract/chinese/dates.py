"""Days named in Chinese, resolved against the day they were said. Texts are folded (script.py)."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from brain_core.extract.dates import Day, last_of_month
from brain_core.text.expression import Expression
from brain_core.text.remembered import remembered

_REMEMBERED = 256  # texts, whose days are asked for by rule after rule
_DIGITS = {each: value for value, each in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "半": 0}
_NUMBER = "[0-9]{1,4}|[〇零一二三四五六七八九十百两]{1,5}"
_WEEKDAYS = {each: value for value, each in enumerate("一二三四五六日")} | {"天": 6}
_WEEKDAYS |= {str(value + 1): value for value in range(7)}
_RELATIVE = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_YEARS = {"前": -2, "去": -1, "今": 0, "本": 0, "明": 1, "后": 2}
_YEARS_ENDING = {**_YEARS, "上": -1, "这": 0, "下": 1}

_FIXED = {
    "元旦": (1, 1), "情人节": (2, 14), "妇女节": (3, 8),
    "三八节": (3, 8), "愚人节": (4, 1), "五一": (5, 1), "劳动节": (5, 1),
    "儿童节": (6, 1), "六一": (6, 1), "教师节": (9, 10), "国庆": (10, 1), "十一": (10, 1), "双十一": (11, 11),
    "双11": (11, 11), "双十二": (12, 12), "平安夜": (12, 24), "圣诞": (12, 25), "跨年": (12, 31),
}  # fmt: skip
# Days of lunar feasts from 2020 on, as the State Council announces them or the Purple Mountain tables give them.
_LUNAR = {
    "春节": "0125 0212 0201 0122 0210 0129 0217 0206 0126 0213 0203 0123 0211 0131 0219 0208",
    "端午": "0625 0614 0603 0622 0610 0531 0619 0609 0528 0616 0605 0624 0612 0601 0620 0610",
    "中秋": "1001 0921 0910 0929 0917 1006 0925 0915 1003 0922 0912 1001 0919 0908 0927 0916",
}
_LUNAR_FROM = 2020
_LUNAR_CALENDAR = Expression(r"[农阴旧]历[^,，。0-9一二三四五六七八九十月]{0,6}$")
"""Before a month that is no solar one: better no day than a wrong one."""
_LUNAR_DAY = "初[一二三四五六七八九十]|廿"
"""After a month that is no solar one: 八月初三."""
_TOO_FAR = 300
_AFTER_SPRING = {"春节": 0, "大年初一": 0, "过年": 0, "除夕": -1, "年三十": -1, "元宵": 14}


def number(text: str) -> int:
    """Return what Chinese or Latin numerals say, up to 9999; 0 for what they do not say."""
    if text.isdecimal():
        return int(text)
    total, digit = 0, 0
    for each in text:
        if each in "十百":
            total += (digit or 1) * (10 if each == "十" else 100)
            digit = 0
        else:
            digit = digit * 10 + _DIGITS.get(each, 0) if digit and "十" not in text else _DIGITS.get(each, 0)
    return total + digit


def days(text: str, said: date, *, past: bool = False) -> Iterator[Day]:
    """Yield the days that a text names, in order.

    said: when it was said. past: whether it tells of what has been, for days that name no year, month or week.
    """
    return iter(_days(text, said, past))


@remembered(_REMEMBERED)
def _days(text: str, said: date, past: bool) -> tuple[Day, ...]:
    return tuple(_read_days(text, said, past))


def _read_days(text: str, said: date, past: bool) -> Iterator[Day]:
    weekday: Day | None = None
    for match in _ANY.finditer(text):
        name = match.lastgroup or ""
        try:
            found = _READERS[name](match, said, past)
        except (ValueError, OverflowError):  # the 31st of a month of 30 days, the year 9999 and after
            continue
        if found is None:
            continue
        day = Day(found[0], match.start(), match.end(), found[1], _last(name, match, found[0]))
        if weekday is not None and name in _NUMBERED and _JOINT.fullmatch(text, weekday.stop, day.start):
            yield Day(_of_both(weekday.day, day.day, name), weekday.start, day.stop)
            weekday = None
            continue
        if weekday is not None:
            yield weekday
        weekday = day if name == "weekday" and day.last is None else None
        if weekday is None:
            yield day
    if weekday is not None:
        yield weekday


def _last(name: str, match: re.Match[str], first: date) -> date | None:
    """Return the last of the days that are named together, None where it is one day or nobody can tell."""
    if name == "weekday":
        return first + timedelta(days=1) if match["wd_day"] == "末" else None
    if name == "week":
        return first + timedelta(days=6)
    if name == "third":
        return last_of_month(first) if match["th_side"] == "下" else first + timedelta(days=9)
    if name == "end" and match["end_side"] == "初" and match["end_unit"] != "年":
        return first + timedelta(days=9)
    if name != "month":
        return None
    return last_of_month(first) if match["month"].endswith(("月", "份")) else first.replace(month=12, day=31)


_JOINT = Expression(r"[ ,，、(（]{0,2}(?:也?就是|即)?")
_NUMBERED = ("day_of_month", "month_day")
_WEEKS_OFF = 6


def _of_both(weekday: date, numbered: date, name: str) -> date:
    """Return the day that 下周四，十九号 calls by both names; where none has both, the one with the number."""
    if name == "month_day":
        return numbered
    near = (weekday + timedelta(weeks=weeks) for weeks in range(-_WEEKS_OFF, _WEEKS_OFF + 1))
    fits = [day for day in near if day.day == numbered.day]
    return min(fits, key=lambda day: abs(day - weekday), default=numbered)


def through(text: str, day: Day) -> Day:
    """Return a day of a text with the last of the days that it is the first of: 8月3号到14号."""
    to = _TO.match(text, day.stop)
    if to is None or not day.exact:
        return day
    rest = text[to.end() :]
    number_alone = _NUMBER_ALONE.match(rest)
    end = next(days(rest if number_alone is None else number_alone[1] + "号", day.day), None)
    if end is None or end.start > 0 or not end.exact or end.day <= day.day:
        return day
    return replace(day, last=end.day, stop=to.end() + end.stop)


_NUMBER_ALONE = Expression(r"((?:3[01]|[12]?\d)|[一二三四五六七八九十]{1,3})日")
"""The last of some days, which is no other 日 there: 3日至5日办的."""
_TO = Expression(r"[ ]?(?:一?直?到|至|[-–—~～])[ ]?")


def first_day(text: str, said: date, *, past: bool = False) -> Day | None:
    """Return the first day a text names to the day, else the first it names at all."""
    found = list(days(text, said, past=past))
    return next((day for day in found if day.exact), found[0] if found else None)


_Read = tuple[date, bool] | None


def _part(match: re.Match[str], name: str) -> str:
    return match[name] or ""


def _nearest(choices: list[date], said: date, past: bool) -> date:
    """Return the choice closest to the day said, on its right side: not before it, for the past not after.

    A coming day that is ten months off or more is rather the one that has just been, and the other way round: with 了,
    said on the 11th, 12 月 16 号 is next week.
    """
    side = [day for day in choices if (day <= said if past else day >= said)]
    found = min(side or choices, key=lambda day: abs(day - said))
    return min(choices, key=lambda day: abs(day - said)) if abs((found - said).days) > _TOO_FAR else found


def _of_year(year: str, said: date) -> int | None:
    """Return the year that a prefix names (2026年, 26年, 明年, 今年), or None for no prefix."""
    if not year:
        return None
    if year[0] in _YEARS:
        return said.year + _YEARS[year[0]]
    year = year.replace(" ", "")
    given = int(year[:-1]) if year[:-1].isdecimal() else int("".join(str(_DIGITS[each]) for each in year[:-1]))
    return given if given > 99 else 2000 + given


def _month_shift(said: date, months: int, day: int) -> date:
    index = said.year * 12 + said.month - 1 + months
    return date(index // 12, index % 12 + 1, day)


def _iso(match: re.Match[str], said: date, past: bool) -> _Read:  # noqa: ARG001
    parts = [int(part) for part in re.findall(r"\d+", match["iso"])]
    return date(parts[0], parts[1], parts[2]), True


def _month_day(match: re.Match[str], said: date, past: bool) -> _Read:
    if _LUNAR_CALENDAR.search(match.string[: match.start()]):
        return None
    month, day = number(_part(match, "md_month")), number(_part(match, "md_day"))
    year = _of_year(_part(match, "md_year"), said)
    if year is not None:
        return date(year, month, day), True
    return _of_a_year(said, month, day, past), True


def _of_a_year(said: date, month: int, day: int, past: bool) -> date:
    """Return a day of the calendar without a year; 29 February is that of the nearest leap year on its side."""
    if (month, day) != (2, 29):
        return _nearest([date(said.year + shift, month, day) for shift in (-1, 0, 1)], said, past)
    years = filter(calendar.isleap, range(max(said.year - 8, 1), min(said.year + 9, 10_000)))
    leap = [date(year, month, day) for year in years]
    side = [one for one in leap if (one <= said if past else one >= said)]
    return min(side or leap, key=lambda one: abs(one - said))


def _slashed(match: re.Match[str], said: date, past: bool) -> _Read:
    month, day = (int(part) for part in match["slashed"].split("/"))
    return _of_a_year(said, month, day, past), True


def _relative(match: re.Match[str], said: date, past: bool) -> _Read:  # noqa: ARG001
    return said + timedelta(days=_RELATIVE[match["relative"][:-1]]), True


def _weekday(match: re.Match[str], said: date, past: bool) -> _Read:
    monday = said - timedelta(days=said.weekday())
    prefix, named = _part(match, "wd_prefix"), match["wd_day"]
    offset = timedelta(days=5 if named == "末" else _WEEKDAYS[named])
    if not prefix:
        return _nearest([monday + timedelta(weeks=shift) + offset for shift in (-1, 0, 1)], said, past), True
    return monday + timedelta(weeks=_away(prefix)) + offset, True


def _away(prefix: str) -> int:
    """Return how many weeks or months off is what a prefix calls: 下下个 is 2, 上 -1, 这 0."""
    return prefix.count("下") - prefix.count("上")


def _distance(match: re.Match[str], said: date, past: bool) -> _Read:  # noqa: ARG001
    count = number(_part(match, "dist_count"))
    unit, back = match["dist_unit"].removeprefix("个"), match["dist_side"] in ("前", "之前", "以前")
    half = match["dist_count"] == "半" or bool(match["dist_half"])
    sign = -1 if back else 1
    if unit in ("天", "日"):
        return said + timedelta(days=sign * count), True
    if unit in ("周", "星期", "礼拜"):
        return said + timedelta(weeks=sign * count), True
    if unit == "月":
        moved = _month_shift(said, sign * count, 1)
        day = min(said.day, calendar.monthrange(moved.year, moved.month)[1])
        return moved.replace(day=day) + timedelta(days=15 * sign if half else 0), False
    months = sign * (12 * count + (6 if half else 0))
    moved = _month_shift(said, months, 1)
    return moved, False


def _day_of_month(match: re.Match[str], said: date, past: bool) -> _Read:
    day, prefix = number(_part(match, "dm_day")), _part(match, "dm_prefix")
    if prefix:
        return _month_shift(said, _away(prefix), day), True
    choices = []
    for shift in (-1, 0, 1):
        try:
            choices.append(_month_shift(said, shift, day))
        except ValueError:
            continue
    return _nearest(choices, said, past), True


def _end(match: re.Match[str], said: date, past: bool) -> _Read:
    prefix, unit, side = _part(match, "end_prefix"), match["end_unit"], match["end_side"]
    if unit == "年":
        month, day = (12, 31) if side != "初" else (1, 1)
        if prefix.endswith(("个", "月")):
            return None
        if prefix:
            return date(said.year + _YEARS_ENDING[prefix[0]], month, day), side != "初"
        return _nearest([date(said.year + each, month, day) for each in (-1, 0)], said, past), side != "初"
    if _LUNAR_CALENDAR.search(match.string[: match.start()]):
        return None
    first = _month_shift(said, _away(prefix), 1)
    if unit not in ("月",):
        first = _nearest([date(said.year + each, number(unit[:-1]), 1) for each in (0, 1)], said.replace(day=1), past)
    return (first, False) if side == "初" else (last_of_month(first), True)


def _third(match: re.Match[str], said: date, past: bool) -> _Read:
    """Read 7月中旬, 下旬: the first day of ten, which is no day that was named."""
    if _LUNAR_CALENDAR.search(match.string[: match.start()]):
        return None
    prefix, named = _part(match, "th_prefix"), _part(match, "th_number")
    day = {"上": 1, "中": 11, "下": 21}[match["th_side"]]
    if prefix or not named:
        return _month_shift(said, _away(prefix), day), False
    year = _of_year(_part(match, "th_year"), said)
    if year is not None:
        return date(year, number(named), day), False
    return _nearest([date(said.year + shift, number(named), day) for shift in (-1, 0, 1)], said, past), False


def _same_day(match: re.Match[str], said: date, past: bool) -> _Read:  # noqa: ARG001
    """Read 下个月的今天, 去年的今天, 三年后的今天: on the last day of the month where that is shorter."""
    prefix, count = match["same_day"], _part(match, "same_count")
    if count:
        months = number(count) * (12 if match["same_unit"] == "年" else 1) * (-1 if "前" in match["same_side"] else 1)
    elif prefix[1] == "年":
        months = 12 * _YEARS[prefix[0]]
    else:
        months = _away(prefix)
    first = _month_shift(said, months, 1)
    return first.replace(day=min(said.day, calendar.monthrange(first.year, first.month)[1])), True


def _feast(match: re.Match[str], said: date, past: bool) -> _Read:
    name = match["feast_name"]
    year = _of_year(_part(match, "feast_year"), said)
    choices = [day for shift in (-1, 0, 1) if (day := _feast_in(name, said.year + shift))]
    if year is not None:
        day = _feast_in(name, year)
        return (day, True) if day else None
    return (_nearest(choices, said, past), True) if choices else None


def _feast_in(name: str, year: int) -> date | None:
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name == "清明":
        return date(year, 4, 4 if year % 4 < 2 else 5)  # holds from 2020 to 2039
    days_of = _LUNAR["春节" if name in _AFTER_SPRING else name].split()
    if not 0 <= year - _LUNAR_FROM < len(days_of):
        return None
    month_day = days_of[year - _LUNAR_FROM]
    return date(year, int(month_day[:2]), int(month_day[2:])) + timedelta(days=_AFTER_SPRING.get(name, 0))


def _month(match: re.Match[str], said: date, past: bool) -> _Read:
    if _LUNAR_CALENDAR.search(match.string[: match.start()]):
        return None
    year, named = _of_year(_part(match, "mo_year"), said), _part(match, "mo_number")
    if named:
        choices = [date(said.year + shift, number(named), 1) for shift in (-1, 0, 1)]
        return (date(year, number(named), 1) if year is not None else _nearest(choices, said, past)), False
    if year is not None:
        return date(year, 1, 1), False
    prefix = match["month"]
    if prefix[0] in _YEARS and prefix.endswith("年"):
        return date(said.year + _YEARS[prefix[0]], 1, 1), False
    return _month_shift(said, _away(prefix), 1), False


def _week(match: re.Match[str], said: date, past: bool) -> _Read:  # noqa: ARG001
    return said - timedelta(days=said.weekday()) + timedelta(weeks=_away(match["week"])), False


_YEAR = "(?:[12][0-9]{3}|[0-9]{2}|[二〇零一二三四五六七八九]{4})[ ]?年|[前去今明后]年"
_NAMES = "|".join(sorted([*_FIXED, *_LUNAR, *_AFTER_SPRING, "清明"], key=len, reverse=True))
_MEASURE = "(?<=十一)[月点岁年楼层号块元个位人次周天公斤米平度分秒度]"
"""What is counted where 十一 is no feast: 十一楼, 十一月."""
_WHICH = "(?:[上下]{1,3}|[这本])个?"
_MONTH = "1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九]"
ANY = rf"""(?x)
    (?P<iso>(?<!\d)[12]\d{{3}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?!\d))
  | (?P<month_day>(?P<md_year>{_YEAR})?的?[ ]?(?P<md_month>{_NUMBER})[ ]?月(?:份)?[ ]?
        (?P<md_day>{_NUMBER})(?:[ ]?[号日])?)
  | (?P<slashed>(?<![\d/.])(?:1[0-2]|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])(?![\d/.%]))
  | (?P<same_day>(?:[上下]{{1,3}}个?月|[去明后前]年
        |(?P<same_count>{_NUMBER})[ ]?(?P<same_unit>个月|年)(?P<same_side>[之以]?[前后]))的?(?:今天|同一天|这一?天))
  | (?P<relative>(?:大?[前后]|[昨今明])(?:天(?!气|天)|(?<![前后])[日晚早夜]|(?<![前后])儿(?!子|女|童|媳)))
  | (?P<weekday>(?P<wd_prefix>(?:[上下]{{1,3}}|[这本])个?)?(?<!每)(?<![一两几半每整]个)(?:周|星期|礼拜)
        (?P<wd_day>[一二三四五六日天末1-7])(?!周|[0-9.]|千|[百万][块元多]))
  | (?P<distance>(?P<dist_count>{_NUMBER}|半)[ ]?(?P<dist_unit>天|日|周|个?星期|个?礼拜|个月|年)(?P<dist_half>半)?
        (?P<dist_side>之前|以前|前|之后|以后|后|之内|以内|内))
  | (?P<third>(?:(?P<th_prefix>{_WHICH}月)|(?P<th_year>{_YEAR})?的?[ ]?(?P<th_number>{_MONTH})[ ]?月(?:份)?)?的?
        (?P<th_side>[上中下])旬)
  | (?P<end>(?P<end_prefix>{_WHICH}月?|[前去今明后本]年?)?(?P<end_unit>年|月|(?:{_MONTH})月)
        (?P<end_side>底|末|初(?![一二三四五六七八九十])))
  | (?P<day_of_month>(?P<dm_prefix>{_WHICH}月)?(?<![0-9A-Za-z.湾园苑城府邸庭厦座区街路巷基地舱楼栋])
        (?P<dm_day>(?:3[01]|[12]?\d)|[一二三四五六七八九十]{{1,3}})[ ]?
        (?:号(?![楼线房门店馆厅位库仓桌床柜舱井窗院])|日(?=[前之的上下早晚中,，。]|$)))
  | (?P<feast>(?P<feast_year>{_YEAR})?的?[ ]?(?P<feast_name>{_NAMES})(?!班|路|街|广场|战|{_MEASURE}))
  | (?P<month>(?:(?P<mo_year>{_YEAR})?的?[ ]?(?P<mo_number>{_MONTH})[ ]?月(?:份)?(?![0-9个]|{_LUNAR_DAY})
        |(?:(?:[上下]{{1,3}}|这)个|本)月|[去今明前]年))
  | (?P<week>{_WHICH}(?:周|星期|礼拜)(?!期))
"""
"""Every day that a text names."""
_ANY = Expression(ANY)
_READERS: dict[str, Callable[[re.Match[str], date, bool], _Read]] = {
    "iso": _iso,
    "month_day": _month_day,
    "slashed": _slashed,
    "same_day": _same_day,
    "relative": _relative,
    "weekday": _weekday,
    "distance": _distance,
    "third": _third,
    "end": _end,
    "day_of_month": _day_of_month,
    "feast": _feast,
    "month": _month,
    "week": _week,
}
