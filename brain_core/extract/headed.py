"""Entries of a list under a heading that asks for tasks: each line is read for itself, and means a task."""

from __future__ import annotations

import re

from brain_core.text.expression import Expression

HEADING = Expression(
    r"\W*(?:(?:here(?: are|['’]s| is)|add|note|please|ok|so|and) )*(?:(?:my|our|the|these|some|new|today['’]s) )*"
    r"(?:to-?dos?|to do|(?:to-?do|task) list|to-?dos? list|things to (?:do|get done|finish|take care of)|"
    r"(?<=my )tasks|(?<=our )tasks|(?<=my )errands|(?<=my )chores|errands|chores|action items|"
    r"(?<=my )reminders|tasks for (?:me|today|tomorrow))"
    r"(?: (?:list|for|on|before|until|by|this|today|tomorrow|next)\b[\w' -]{0,30})?\s*:?\W*",
    re.IGNORECASE,
)
_ENTRY = Expression(r"\s*(?:[-*•–—+·]|\d{1,2}[.)]|\[ ?\])\s*\S")


def is_entry(message: str, start: int) -> bool:
    """Return whether what begins at a place of a message stands on a line of a list under such a heading."""
    line = message.rfind("\n", 0, start) + 1
    if line == 0 or _ENTRY.match(message, line) is None:
        return False
    for above in reversed(message[: line - 1].split("\n")):
        if above.strip() and _ENTRY.match(above) is None:
            return HEADING.fullmatch(above) is not None
    return False
