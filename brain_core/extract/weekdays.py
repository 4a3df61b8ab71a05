"""English weekdays, and those counted in weeks from them, resolved against the day they were said."""

from __future__ import annotations

import re
from datetime import date, timedelta

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {word: number for number, word in enumerate(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve"))}  # fmt: skip
_NUMBERS |= {"a": 1, "an": 1, "couple": 2, "few": 3}

WEEKDAY = (
    r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?|"
    r"(?<=on )(?:mon|tue|wed|thu|fri|sat|sun)\b)(?!s\b|')"
)
COUNT = r"(?P<count>\d{1,3}|an?(?: couple(?: of)?| few)?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
OF_A_WEEK = rf"(?:(?P<which>last|past|next|this|coming)\s+)?{WEEKDAY}(?:\s+(?:of\s+)?(?P<week>this|next|last)\s+week)?"
"""Friday, next Friday, Friday next week, Thursday of next week."""
WEEKS_FROM = (
    rf"{COUNT}\s+(?P<unit>week|fortnight)s?\s+(?:(?P<ago>ago)\s+(?:on\s+)?(?:last\s+)?|from\s+(?:this\s+|coming\s+)?|on\s+)"
    rf"{WEEKDAY}"
)
"""A week from Wednesday, two weeks ago Tuesday, a week on Friday."""
WEEKS_ON = rf"{COUNT}\s+(?P<unit>week|fortnight)s?\s+(?P<from>today|tomorrow)\b"
"""A week today, three weeks tomorrow."""
WEEK_AFTER = rf"(?:(?:this|coming)\s+)?{WEEKDAY}\s+(?P<unit>week|fortnight)\b(?!['’]|\s+(?:of|in)\b)"
"""Friday week."""
NEXT_BUT_ONE = rf"(?:the\s+)?{WEEKDAY}\s+(?P<side>before\s+last|after\s+next)\b"
"""The Friday before last, the Friday after next."""
WEEKDAYS_AGO = rf"{COUNT}\s+(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)days?\s+ago\b"
"""Three Saturdays ago."""


def small(word: str) -> str:
    """Return a word in small letters of ASCII, as far as expressions that ignore case take its letters for such."""
    return word.lower().replace("ſ", "s").replace("ı", "i").replace("i\u0307", "i")


def count_of(text: str) -> int:
    """Return the number that a match of COUNT says."""
    word = small(text)
    return int(word) if word.isdigit() else _NUMBERS[word.removesuffix(" of").split()[-1]]


def weekday_number(word: str) -> int:
    """Return the number of a weekday, 0 for Monday."""
    return next(n for n, name in enumerate(DAYS) if name.startswith(small(word)[:3]))


def of_a_week(match: re.Match[str], said: date, past: bool) -> date:
    """Return the day of OF_A_WEEK. past: a bare one lies before `said`."""
    which = (match["which"] or "").strip().lower()
    wanted = weekday_number(match["weekday"])
    monday = said - timedelta(days=said.weekday())
    if which == "next":
        return monday + timedelta(days=7 + wanted)
    if which == "this" or (which == "" and match["week"]):
        base = monday + timedelta(days=wanted)
        if match["week"]:
            return base + timedelta(days={"next": 7, "last": -7}.get(match["week"].lower(), 0))
        return base if past or base >= said else base + timedelta(days=7)
    return latest_before(said, wanted) if which in {"last", "past"} or (which == "" and past) else _after(said, wanted)


def weeks_from(match: re.Match[str], said: date, past: bool) -> date:  # noqa: ARG001
    """Return the day of WEEKS_FROM: counted from the next such weekday, and back from the last one."""
    wanted, weeks = weekday_number(match["weekday"]), count_of(match["count"]) * _weeks_of(match)
    if match["ago"]:
        return said - timedelta(days=(said.weekday() - wanted) % 7) - timedelta(weeks=weeks)
    return _after(said, wanted) + timedelta(weeks=weeks)


def weeks_on(match: re.Match[str], said: date, past: bool) -> date:  # noqa: ARG001
    """Return the day of WEEKS_ON."""
    days = 0 if match["from"].lower() == "today" else 1
    return said + timedelta(days=days, weeks=count_of(match["count"]) * _weeks_of(match))


def week_after(match: re.Match[str], said: date, past: bool) -> date:  # noqa: ARG001
    """Return the day of WEEK_AFTER."""
    return _after(said, weekday_number(match["weekday"])) + timedelta(weeks=_weeks_of(match))


def next_but_one(match: re.Match[str], said: date, past: bool) -> date:  # noqa: ARG001
    """Return the day of NEXT_BUT_ONE: a week further off than the last such weekday, or than the next one."""
    wanted, week = weekday_number(match["weekday"]), timedelta(weeks=1)
    is_over = match["side"].lower().startswith("before")
    return latest_before(said, wanted) - week if is_over else _after(said, wanted) + week


def weekdays_ago(match: re.Match[str], said: date, past: bool) -> date:  # noqa: ARG001
    """Return the day of WEEKDAYS_AGO."""
    return latest_before(said, weekday_number(match["weekday"])) - timedelta(weeks=count_of(match["count"]) - 1)


def _weeks_of(match: re.Match[str]) -> int:
    return 2 if match["unit"].lower() == "fortnight" else 1


def latest_before(said: date, wanted: int) -> date:
    """Return the latest day before `said` that is such a weekday, 0 for Monday."""
    return said - timedelta(days=(said.weekday() - wanted - 1) % 7 + 1)


def _after(said: date, wanted: int) -> date:
    return said + timedelta(days=(wanted - said.weekday() - 1) % 7 + 1)
