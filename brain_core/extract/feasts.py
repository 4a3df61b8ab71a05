"""English feasts, and on which days of a year they are."""

from __future__ import annotations

import re
from datetime import date, timedelta

_FIXED = {
    "bastille": (7, 14), "canada": (7, 1), "burns": (1, 25), "april": (4, 1), "armistice": (11, 11),
    "remembrance": (11, 11), "veterans": (11, 11), "juneteenth": (6, 19), "may": (5, 1), "midsummer": (6, 24),
    "halloween": (10, 31), "bonfire": (11, 5), "boxing": (12, 26), "new year eve": (12, 31), "new year day": (1, 1),
    "christmas eve": (12, 24), "christmas day": (12, 25), "valentines": (2, 14),
}  # fmt: skip
FEAST = (
    r"(?<!\bthe )(?<!\bour )(?<!\bmy )(?<!\ba )(?P<feast>(?:new\s+year['’]?s|christmas)\s+(?:eve|day)|boxing\s+day|"
    r"thanksgiving|halloween|bonfire\s+night|good\s+friday|easter\s+(?:sunday|monday)|"
    r"(?:valentine['’]?s|remembrance|veterans)\s+day|juneteenth)\b"
    r"(?!\s+(?:present|gift|card|recipe|costume|list|party\s+idea)s?\b)"
)
"""A feast of one day, in a pattern. Of Christmas and Easter alone nobody can tell the day."""


def feast_days(name: str, year: int) -> tuple[date, int]:
    """Return (first day, how many): Easter goes from Good Friday to its Monday."""
    if name.startswith(("easter", "good")):
        sunday = _easter(year)
        if name == "good friday":
            return sunday - timedelta(days=2), 1
        single = {"easter sunday": 0, "easter monday": 1}.get(name)
        return (sunday - timedelta(days=2), 4) if single is None else (sunday + timedelta(days=single), 1)
    if name == "thanksgiving":
        return date(year, 11, 22 + (3 - date(year, 11, 1).weekday()) % 7), 1
    words = name.replace("'", "").replace("’", "").replace("new years", "new year").split()
    fixed = _FIXED.get(words[0]) or _FIXED.get(" ".join(words)) or (1, 1)
    return date(year, *fixed), 1


def feast(match: re.Match[str], said: date, past: bool) -> date:
    """Return the day of FEAST: the last one of something past, else the next."""
    name = " ".join(match["feast"].lower().split())
    found = [feast_days(name, year)[0] for year in (said.year - 1, said.year, said.year + 1)]
    if past:
        return next(day for day in reversed(found) if day <= said)
    return next(day for day in found if day >= said)


def _easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar (Meeus, Astronomical Algorithms, chapter 8)."""
    golden, century, rest = year % 19, year // 100, year % 100
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    total = epact + weekday - 7 * shift + 114
    return date(year, total // 31, total % 31 + 1)
