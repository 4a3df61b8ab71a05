"""Values that a text names, in English or Chinese: numbers, hours, weekdays, dates, months, numbered places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from brain_core.text.expression import Expression
from brain_core.text.script import fold

_REMEMBERED = 4096  # texts of what is known, which are asked for by commit after commit


WHEN = frozenset({"weekday", "hour"})
"""Kinds of values that tell when something is that comes again and again."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a text: characters [start, stop).

    kind: number, percent, hour, weekday, date, month or place. text: as written. core: of a number, or of a place that
    has one, its figures, at the start of it or the end. amount: what a number or a percentage counts. unit: of a
    number, or the sort of a numbered place; empty where none is said.
    """

    kind: str
    text: str
    start: int
    stop: int
    core: str = ""
    amount: float = 0.0
    unit: str = ""

    @property
    def is_every_week(self) -> bool:
        """Whether it is a weekday as it comes again and again: "Tuesdays"."""
        return self.kind == "weekday" and self.text.lower().endswith("days")

    @property
    def bare(self) -> bool:
        """Whether it is a number alone, which may stand for a value of another kind."""
        return self.kind == "number" and not self.unit and self.core == self.text and self.core[-1].isdigit()

    def is_same(self, other: Value) -> bool:
        """Return whether both are one value, however it is written."""
        if self.kind == other.kind and self.kind in {"number", "percent"}:
            return self.amount == other.amount
        return self.kind == other.kind and _NAMES.sub(_short, fold(self.text).lower()) == _NAMES.sub(
            _short, fold(other.text).lower()
        )


_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_SHORT_MONTHS = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_NAMES = Expression(rf"\b(?:{_MONTHS}|{_SHORT_MONTHS}|\w+days?|tues?|wed|thurs?|fri)\b|\s+|o'?clock|钟|星期|礼拜")


def _short(match: re.Match[str]) -> str:
    return "周" if match[0] in {"星期", "礼拜"} else match[0].strip()[:3] if match[0][0].isalpha() else ""


_UNITS = {
    "eur": "euros?|eur|欧元?", "usd": "dollars?|usd|bucks?|美元|美金|刀", "gbp": "pounds?|gbp|quid|英镑",
    "cny": "yuan|rmb|kuai|块钱?|元|人民币", "people": "people|ppl|persons|个?人", "kg": "kilos?|kgs?|公斤",
    "km": "kms?|kilometers?|kilometres?|公里", "min": "minutes?|mins?|分钟", "h": "hours?|hrs?|小时",
    "mile": "miles?|英里", "year": "years?|岁|年", "day": "days?|天", "week": "weeks?|周(?![一二三四五六日天末])",
    "month": "months?|个月", "time": "times|次",
}  # fmt: skip
_SIGNS = {"€": "eur", "$": "usd", "£": "gbp", "¥": "cny"}
_MONEY = frozenset(_SIGNS.values())
_UNIT = "|".join(_UNITS.values())
_FIGURES = r"\d+(?:,\d{3})*(?:\.\d+)?(?: ?(?:k|m|万|千|百|亿)(?![a-z]))?"
_DIGIT = "[一二三四五六七八九两]"
_NUMERAL = (
    rf"{_DIGIT}[十百千万]+(?:零?{_DIGIT}[十百千万]+)*(?:零?(?!一(?:个月|年|天|周)){_DIGIT})?|"
    rf"(?<![每十百千万])[二三四五六七八九两十]{{1,3}}(?=(?:{_UNIT})(?!半))"
)
_CLOCK = "[0-9一二三四五六七八九十两]{1,3}"
_ALONE = "(?<![a-z0-9_.:/#@-])"
_VALUE = Expression(
    rf"{_ALONE}(?P<date>\d{{4}}-\d\d-\d\d|(?:{_MONTHS}|{_SHORT_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?(?![\w:])|"
    rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS}|{_SHORT_MONTHS})\b|(?:the )?\d{{1,2}}(?:st|nd|rd|th)\b)|"
    rf"(?P<date_zh>{_CLOCK} ?月 ?{_CLOCK} ?[日号]|(?<![0-9年第]){_CLOCK} ?[号日](?![楼线室门桌厅]))|"
    rf"(?P<month>(?<![a-z])(?:(?!may\b|march\b)(?:{_MONTHS})|(?:(?<=in )|(?<=to )|(?<=by )|(?<=not )|(?<=its )|"
    rf"(?<=it's )|(?<=until )|(?<=for )|^)(?:may|march)|(?!mar\b)(?:{_SHORT_MONTHS}))\b)|"
    r"(?P<month_zh>(?<![个0-9])(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九]) ?月份?(?![0-9一二三四五六七八九十]))|"
    r"(?P<weekday>\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tues?|weds?|thurs?|fri)\b)|"
    r"(?P<weekday_zh>(?<![0-9一二三四五六七八九十两])(?:周|星期|礼拜)[一二三四五六日天])|"
    rf"{_ALONE}(?P<hour>\d{{1,2}}:\d\d(?: ?[ap]\.?m\b)?|\d{{1,2}}(?:\.\d\d)? ?(?:[ap]\.?m\b|o'?clock\b)|"
    rf"noon\b|midnight\b|(?<=\bat )\d{{1,2}}(?![\w%.:,]| ?(?:{_UNIT}|percent|%)))|"
    rf"(?P<hour_zh>(?:[上下中]午|[早晚]上|凌晨|傍晚)? ?{_CLOCK}(?: ?点(?!总结|建议|要求|意见|要点|[0-9])(?:钟|半|一刻|"
    rf"三刻|{_CLOCK}分?)?|点[0-9]{{2}}))|"
    rf"{_ALONE}(?P<percent>\d+(?:\.\d+)? ?(?:%|percent\b|per cent\b|pct\b))|(?P<percent_zh>百分之{_CLOCK})|"
    r"(?P<place>\b(?:room|gate|platform|floor|terminal|suite|desk|table|hall|seat|track)s? [a-z]?\d{1,4}[a-z]?\b|"
    r"(?:会议室|教室|登机口|站台|座位|工位) ?[a-z]?\d{1,4})|"
    rf"{_ALONE}(?P<number>[€$£¥]? ?{_FIGURES}(?![a-z0-9:/-]*[/:-]\d)(?: ?(?:{_UNIT})(?![a-z])|(?![a-z\d])))|"
    rf"(?P<numeral>(?:{_NUMERAL})(?:{_UNIT})?)",
)
_FIGURES_OF = Expression(rf"{_FIGURES}|{_NUMERAL}|[a-z]?\d{{1,4}}[a-z]?")
_DIGITS = {each: place for place, each in enumerate("零一二三四五六七八九")} | {"两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 10**8, "k": 1000, "m": 10**6}


@lru_cache(maxsize=_REMEMBERED)
def values(text: str) -> tuple[Value, ...]:
    """Return the values of a text in the order they stand in."""
    return tuple(_values(text))


def _values(text: str) -> Iterator[Value]:
    for match in _VALUE.finditer(fold(text).lower()):
        kind = (match.lastgroup or "").removesuffix("_zh").replace("numeral", "number")
        start, stop = match.span(match.lastgroup or 0)
        start += len(text[start:stop]) - len(text[start:stop].lstrip())
        written = text[start:stop]
        if kind not in {"number", "percent", "place"}:
            yield Value(kind, written, start, stop)
            continue
        figures = _FIGURES_OF.search(fold(written).lower(), 5 if kind == "place" and written[0].isascii() else 0)
        if figures is None:
            yield Value(kind, written, start, stop, written)
            continue
        core = written[figures.start() : figures.end()].strip()
        unit = _sort(written[: figures.start()]) if kind == "place" else _unit(fold(written).lower(), core)
        yield Value(kind, written, start, stop, core, 0.0 if kind == "place" else _amount(core), unit)


def _sort(noun: str) -> str:
    return fold(noun).lower().strip().removesuffix("s")


def _unit(written: str, core: str) -> str:
    if written[0] in _SIGNS:
        return _SIGNS[written[0]]
    rest = written.rpartition(core.lower())[2].strip()
    return next((name for name, words in _UNITS.items() if re.fullmatch(words, rest)), "")


def _amount(core: str) -> float:
    """Return what figures say: "3,200", "40k", 三千二, 4.5万."""
    figures = fold(core).lower().replace(",", "").replace(" ", "")
    if figures[0].isdigit():
        power = _POWERS.get(figures[-1], 1)
        return float(figures.rstrip("km万千百亿")) * power
    total, digit, last = 0.0, 0, 10
    for each in figures:
        power = _POWERS.get(each, 0)
        if each == "万":
            total, digit, last = (total + digit) * power, 0, power
        elif power:
            total, digit, last = total + (digit or 1) * power, 0, power
        else:
            digit, last = _DIGITS.get(each, 0), 10 if each == "零" else last
    return total + digit * (last / 10)


def value_is(text: str) -> Value | None:
    """Return the value that a passage is, with nothing besides."""
    found = values(text)
    return found[0] if len(found) == 1 and len(found[0].text) == len(text.strip()) else None


_FURTHEST = 5.0
"""How many times larger or smaller a new value may be, told in few words."""


def fits(new: Value, old: Value, way: int = 0) -> bool:
    """Return whether a value can take the place of another one. way: 1 or -1 where it is said to have gone up or down.

    A bare number may be an hour, a share or a place where such a value is known: "make that 10" of 9:30.
    """
    if new.kind == "place" or old.kind == "place":
        return (new.kind == old.kind and new.unit == old.unit) or (new.bare and not way)
    if new.kind != old.kind:
        return new.bare and not way and ((old.kind == "hour" and 0 < new.amount <= _HOURS) or old.kind == "percent")
    if old.kind not in {"number", "percent"}:
        return True
    if new.unit and new.unit != old.unit and not (not old.unit and new.unit in _MONEY):
        return False
    amount = _amount(figures_for(new, old))
    near = old.amount > 0 and 1 / _FURTHEST <= amount / old.amount <= _FURTHEST
    return near and (not way or (amount - old.amount) * way > 0)


_HOURS = 24


def figures_for(new: Value, old: Value) -> str:
    """Return the figures of a new number as it is meant where the old one stands: "back to 40" of 45k is 40k."""
    power = old.core[-1:].lower()
    short = new.core[-1:].isdigit() and power in {"k", "m", "万"} and new.amount < _THOUSAND
    return new.core + power if short else new.core


_THOUSAND = 1000


def put(text: str, old: Value, new: Value) -> str:
    """Return a text with the new value where the old one stands, in the old one's unit unless the new one has its."""
    written, placed = old.text, new.text
    if new.kind == "number" and old.core:
        written, placed = old.core, figures_for(new, old)
        if new.unit and not old.unit:
            placed = new.text
    elif new.kind == "date" and old.kind == "date" and not _MONTH_IN.search(new.text) and _MONTH_IN.search(old.text):
        written, placed = _day_in(old.text), _day_in(new.text)
        if not written[-1].isalpha():
            placed = placed.rstrip("sthndr")
    elif new.bare and old.kind == "hour":
        placed = new.core + ("点" if "点" in old.text else _HALF_OF_DAY.sub("", old.text.lower()))
    elif old.is_every_week and new.text.lower().endswith("day"):
        placed = f"{new.text}s"
    elif new.is_every_week and (_OF_DAYS.search(text[: old.start]) or _OF_A_DAY.match(text, old.stop)):
        placed = new.text[:-1]
    start = old.start + old.text.find(written)
    stop = start + len(written)
    if new.kind == old.kind == "weekday" and (its_date := _ITS_DATE.match(text, stop)):
        stop = its_date.end()
    return text[:start] + placed + text[stop:]


_OF_DAYS = Expression(r"\b(?:every|each|every other|every second|alternate) $", re.IGNORECASE)
_OF_A_DAY = Expression(r" (?:morning|afternoon|evening|night|lunchtime)", re.IGNORECASE)
"""Beside a weekday that is named as one, though every week is meant: "every Friday", "Friday nights"."""


def _day_in(text: str) -> str:
    """Return the day of the month of a date: "3rd" of "March 3rd", 4号 of 3月4号."""
    return str(_DAY_OF_DATE.findall(fold(text).lower())[-1])


_A_MONTH = rf"(?:may|{_SHORT_MONTHS})[a-z]{{0,6}}"
_ITS_DATE = Expression(
    rf",? (?:the )?\d{{1,2}}(?:st|nd|rd|th)(?: (?:of )?{_A_MONTH}\b)?|,? \d{{1,2}} {_A_MONTH}\b|"
    rf",? {_A_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b|"
    r"[(（]?\d{1,2} ?[号日][)）]?",
    re.IGNORECASE,
)
"""The date of a weekday, behind it."""
_MONTH_IN = Expression(rf"{_SHORT_MONTHS}|月|\d-", re.IGNORECASE)
_DAY_OF_DATE = Expression(rf"\d{{1,2}}(?:st|nd|rd|th)?|{_CLOCK} ?[号日]")
_HALF_OF_DAY = Expression(r"^.*?(?= ?[ap]\.?m)|^.*$")
