"""Which of the days of a name is meant by what is put off or brought forward: "pushed to Friday", 「提前到周三」.

Alone a weekday is the next one to come. What is put off comes after its old day, though, and what is brought forward
before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import count

from brain_core.extract.known import DATED, denial, value_of
from brain_core.extract.language import Found, Scene
from brain_core.extract.put_off import By
from brain_core.extract.weekdays import weekday_number
from brain_core.text.expression import Expression


def in_its_direction(found: Sequence[Found], item_type: str, scene: Scene) -> Sequence[Found]:
    """Return what a rule has read, known events and tasks on the day that is meant. item_type: of the rule."""
    if not any(_day_given(one, item_type) for one in found):
        return found
    later, earlier = (each.search(_told(scene)) is not None for each in (_LATER, _EARLIER))
    if later == earlier:
        return found
    return [_put(one, _old_day(one, found, item_type, scene), item_type, scene, later=later) for one in found]


def _day_given(one: Found, item_type: str) -> str:
    """Return the day of an event or task that is told, not denied; empty where there is none."""
    return "" if one.denies else str(one.given.get(DATED.get(one.type or item_type, ""), ""))


def _old_day(one: Found, found: Sequence[Found], item_type: str, scene: Scene) -> date | None:
    """Return the day that something had before: of an event that which is denied with it, of a task its due."""
    if not _day_given(one, item_type):
        return None
    name = one.type or item_type
    if name == "events":
        told = [str(each.given.get("date", "")) for each in found if each.denies and each.type == name]
    else:
        known = (item for item in scene.known.active(name) if denial(item).items() <= one.given.items())
        told = [str(value_of(item).get(DATED[name], "")) for item in known]
    return date.fromisoformat(told[0]) if told and told[0] else None


def _put(one: Found, old: date | None, item_type: str, scene: Scene, *, later: bool) -> Found:
    if old is None:
        return one
    field = DATED[one.type or item_type]
    told = date.fromisoformat(str(one.given[field]))
    try:
        meant = _after(told, old, _told(scene)) if later else _before(told, old, scene)
    except (ValueError, OverflowError):  # the calendar ends with the year 9999
        return one
    if meant == told:
        return one
    moved = {field: meant.isoformat()}
    if one.given.get("until"):
        moved["until"] = (date.fromisoformat(str(one.given["until"])) + (meant - told)).isoformat()
    return replace(one, given={**one.given, **moved})


def _after(day: date, old: date, text: str) -> date:
    """Return the first day of the same name after the old one. Raises ValueError or OverflowError where none is."""
    if day > old or not (_is_weekday(day, text) or _is_number(day, text)):
        return day
    if _is_weekday(day, text):
        return old + timedelta((day - old).days % _WEEK or _WEEK)
    later = (By(months=months).after(day) for months in count(1))
    return next(one for one in later if one > old and one.day == day.day)


def _before(day: date, old: date, scene: Scene) -> date:
    """Return the last weekday of the same name before the old day, unless that is over."""
    if not _is_weekday(day, _told(scene)):
        return day
    meant = old - timedelta((old - day).days % _WEEK or _WEEK)
    return meant if meant >= scene.said else day


def _told(scene: Scene) -> str:
    return scene.clause.whole or scene.clause.text


def _is_weekday(day: date, text: str) -> bool:
    """Return whether a text names a day by its weekday alone."""
    found = _WEEKDAY.finditer(text)
    named = {weekday_number(one["en"]) if one["en"] else "一二三四五六".find(one["zh"]) % _WEEK for one in found}
    return day.weekday() in named and not _is_number(day, text)


def _is_number(day: date, text: str) -> bool:
    return any(int(one["en"] or one["zh"]) == day.day for one in _NUMBER.finditer(text))


_WEEK = 7
_LATER = Expression(
    r"(?i)\b(?:pushed(?! (?:up|forward|ahead))|postpon\w{1,4}|delay\w{0,3}|put (?:off|back)|slipp?\w{0,4}|slid|slides?)"
    r"\b|"
    r"推迟|延[期后迟]|推[后到]|顺延|[往向]后[推挪延拖移调]|[延拖]到"
)
_EARLIER = Expression(
    r"(?i)\b(?:br(?:ought|ing) (?:it |them )?forward|(?:moved|pushed|bumped) (?:up|forward|ahead))\b|"
    r"提前|提早|[往向]前[提挪移赶调]"
)
_WEEKDAY = Expression(
    r"(?i)(?<!next )(?<!this )(?<!last )(?<!coming )(?<![下上这本个])(?:"
    r"\b(?P<en>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b|"
    r"(?:周|星期|礼拜)(?P<zh>[一二三四五六日天]))(?! week)"
)
_NUMBER = Expression(r"(?i)\b(?P<en>\d{1,2})(?:st|nd|rd|th)\b|(?<![\d月])(?P<zh>\d{1,2}) ?[号日]")
"""A day of a month that is not named."""
