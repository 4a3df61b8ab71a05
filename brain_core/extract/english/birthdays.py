"""Birthdays and anniversaries: one date each, so that the one told later stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain_core.extract.dates import MONTHS, first_day
from brain_core.extract.english.others import A_PERSON
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import event, profile
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import denial, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.kinds.registry import slug

_MONTH = rf"(?:{'|'.join(f'{month}|{month[:3]}' for month in MONTHS)}|sept)\.?"
_NTH = r"(?:the )?\d{1,2}(?:st|nd|rd|th)?"
_DATE = (
    rf"(?:{_NTH} (?:of )?{_MONTH}|{_MONTH} {_NTH}|\d{{1,2}}[/.]\d{{1,2}}\.?|\d{{1,2}}-\d{{1,2}})"
    r"(?:,? \d{4}|[/.]\d{4})?"
)


def _dated(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "Mia's birthday is 5 May, not 3": a fact of the user's own, of anybody else's the next one, and no other."""
    whose, of = match["whose"], match["of"].lower()
    day = first_day(match["date"], scene.said)
    if supposed(scene):
        return
    span = (0, len(scene.clause.whole))
    if whose.lower() in {"my", "our"}:
        yield Found(profile(("anniversary" if "anniversary" in of else slug(of), match["date"])), span=span)
    elif day is not None and day.exact:
        yield from _on_another_day(whose, of, day.day.isoformat(), scene)
        title = f"{whose} {match['of']} is {match['date']}"
        yield Found({**event(title, day.day.isoformat()), "slug": slug(f"{whose} {of}")}, type="events", span=span)


def _on_another_day(whose: str, of: str, day: str, scene: Scene) -> Iterator[Found]:
    """Yield the denial of what is known of the same date as another day's."""
    for item in scene.known.active("events"):
        value = value_of(item)
        known = _A_DATE.match(str(value.get("title", "")))
        named = f"{whose} {of}".lower() in {str(value.get("title", "")).lower(), _called(known)}
        if named and value.get("date") != day:
            yield Found(denial(item), type="events", denies=True)


def _called(match: re.Match[str] | None) -> str:
    return "" if match is None else f"{match['whose']} {match['of']}".lower()


_A_DATE = pattern(
    r"^(?:(?:no|nope|oh|sorry|oops|wait|actually|correction)[,:. ]+)*"
    rf"(?P<whose>my|our|(?-i:{A_PERSON})['’]s?|(?-i:[A-Z][\w-]*\w)['’]s?) "
    r"(?P<of>birthday|(?:wedding |work )?anniversary|name day)"
    rf"(?:['’]s| is| was| falls)?(?: (?:actually|really|now|always|on))* (?P<date>{_DATE})"
    r"(?:,? (?:and )?not .{1,30}|,? (?:actually|instead|every year|by the way|this year|too))?$"
)
RULES = (Rule("birthday_of", "profile", "birthday anniversary day", _A_DATE, _dated),)
