"""The days to come that a message asks for, and on which side of today its words look."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from brain_core.compose.planner.tells import Coming, Period, Said

_SENTENCE = re.compile(r"[^!?。！？\n]+[!?。！？\n]*")
_REMARK = re.compile(r"[,.;] (?:i|we|my|our) ")
"""Before what those who ask tell of themselves: "what's on this week, I lost my calendar"."""
_INTENTS = ("qa", "summarize")
"""What asks for something. In a task a day to come is one to aim at: move it to Friday."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """Days to come that a message asks for.

    surely: whether what it names cannot have been. plans: whether it asks what is planned in them, whoever asks. ours:
    whether it is about what people have on a day.
    """

    period: Period
    surely: bool
    plans: bool
    ours: bool

    def is_of(self, period: Period) -> bool:
        """Return whether the words of another period are among those of this one, or the other way round."""
        (start, stop), (first, last) = self.period.span, period.span
        return start < last and first < stop


def ahead(said: Said, coming: Coming, intent: str, today: date) -> Ahead | None:
    """Return the days to come that a message asks for, the fewest that its first such sentence names, or None.

    A day that may lie on either side, like a bare weekday, lies ahead unless its sentence looks only back.
    """
    for sentence in _SENTENCE.finditer(said.plain):
        text = sentence[0]
        plans = coming.plans.search(text) is not None
        if intent in _INTENTS or plans:
            found = [one for one in _named(coming, text, today) if _side(coming, text, one, today) != "behind"]
            if found:
                one = min(found, key=lambda each: each.stop - each.start)
                start, stop = (end + sentence.start() for end in one.span)
                surely = _side(coming, text, one, today) == "ahead"
                ours = coming.ours.search(text) is not None
                return Ahead(Period(one.start, one.stop, (start, stop)), surely, plans, ours)
    return None


def _side(coming: Coming, text: str, one: Period, today: date) -> Literal["ahead", "behind", "either"]:
    """Return on which side of today a period lies that a sentence names."""
    words = text[one.span[0] : one.span[1]]
    to_come, over = coming.to_come.search(text) is not None, coming.over.search(text) is not None
    only_over = over and not to_come
    if coming.sure.search(words) or (one.start > today and coming.told.search(words)):
        return "either" if only_over else "ahead"  # what was said of next week
    if coming.lean.search(words):
        remark = _REMARK.search(text, one.span[1]) if over else None
        if remark is not None:
            over = coming.over.search(text[: remark.start()]) is not None
        if over or not to_come:
            return "behind"
        return "ahead" if coming.plans.search(text) else "either"
    if only_over:
        return "either" if coming.plans.search(text) else "behind"
    return "either" if over or not to_come else "ahead"


def _named(coming: Coming, text: str, today: date) -> list[Period]:
    try:
        return [one for one in coming.named(text, today) if one.start < one.stop]
    except (ValueError, OverflowError):  # the calendar ends with the year 9999
        return []
