"""What is put off or brought forward by so much: "the launch slipped a week", 「体检往后挪两天」.

Its new day is counted from the one that is known. Where no such day can be told, the old one is doubted: by "a few
days", "pushed forward" (which some mean as later, some as earlier), or by no number at all.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.bare_day import DayOf
from brain_core.extract.dates import Day
from brain_core.extract.known import DATED, FIELDS, day_of, denial, value_of
from brain_core.extract.language import Found, Scene
from brain_core.extract.replaced import moved, with_value
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

STATED = ("knowledge", "decisions", "goals")
"""Types of statements that may name a day."""


@dataclass(frozen=True, slots=True)
class By:
    """How much later; less than 0 is earlier."""

    days: int = 0
    months: int = 0

    def after(self, day: date) -> date:
        """Return a day so much later: of a month that has not as many days, its last.

        Raises ValueError or OverflowError where no calendar has it.
        """
        month = day.month - 1 + self.months
        year, month = day.year + month // 12, month % 12 + 1
        last = calendar.monthrange(year, month)[1]
        return date(year, month, min(day.day, last)) + timedelta(self.days)


@dataclass(frozen=True, slots=True)
class Telling:
    """How a language tells of days. title: of an event that is put off, in the clause's words. written: a day."""

    day_of: DayOf
    title: Callable[[MemoryItem, Scene], str]
    written: Callable[[date], str]


def put_off(item: MemoryItem, by: By | None, scene: Scene, telling: Telling) -> Iterator[Found]:
    """Yield an event, a task or a statement on the day so much later, or earlier; by None: its day is doubted.

    Nothing where it has no day, or that is over.
    """
    span = (0, len(scene.clause.text))
    if item.type not in DATED:
        yield from _stated(item, by, scene, telling)
        return
    day = day_of(item)
    if day is None or day < scene.said:
        return
    later = None if by is None else _after(by, day)
    if by is None or later is None:
        yield Found(denial(item), type=item.type, denies=True, doubts=True, weak=True, span=span)
        return
    until = str(value_of(item).get("until", ""))
    last = _after(by, date.fromisoformat(until)) if until else None
    fields = {name: part for name, part in value_of(item).items() if isinstance(part, str)}
    if item.type == "events":
        fields["title"] = telling.title(item, scene)
    yield from moved(item, fields, Day(later, 0, 0, last=last), span)


def _stated(item: MemoryItem, by: By | None, scene: Scene, telling: Telling) -> Iterator[Found]:
    """Yield a statement with the later day where it names one by its month, else its doubt."""
    text = str(value_of(item).get(FIELDS.get(item.type, ""), ""))
    day = telling.day_of(text, scene.said)
    if day is None or not day.exact or day.day < scene.said:
        return
    span, old = (0, len(scene.clause.text)), text[day.start : day.stop]
    later = _after(by, day.day) if by is not None and _OF_A_MONTH.search(old) else None
    if later is None:
        yield Found(denial(item), type=item.type, denies=True, doubts=True, weak=True, span=span)
    else:
        yield from with_value(item, None, old, telling.written(later), slug, span)


def _after(by: By, day: date) -> date | None:
    try:
        return by.after(day)
    except (ValueError, OverflowError):
        return None


_OF_A_MONTH = Expression(r"(?i)[a-z]{3,}\.? ?\d|\d(?:st|nd|rd|th)? (?:of )?[a-z]{3,}|月")
