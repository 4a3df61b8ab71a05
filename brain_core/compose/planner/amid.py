"""What was said just before a message, as far as it is about the same: the hints of its queries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from brain_core.compose.planner.gather import newest
from brain_core.models.static import built_in
from brain_core.policy import Hints
from brain_core.text.language import han_count

_JUDGED = 320
"""Code points of a message's end that are compared."""


class Amid(NamedTuple):
    """hints: ends of the messages before, oldest first. told: what became of them, in words; empty without any."""

    hints: Sequence[str] = ()
    told: str = ""


def amid(message: str, before: Sequence[str], policy: Hints) -> Amid:
    """Return what of the messages before, oldest first, counts beside a message; it may be among them already.

    A message long enough to say what it is about, and far from what was said, begins something else: nothing counts. A
    short one ("and the second one?") is near to nothing and leans on it.
    """
    others = (text for text in reversed(before) if text != message and text.strip())
    ends = [text[-policy.chars :] for text in islice(others, policy.messages)]
    said = newest(ends[::-1], policy.total_chars)
    if not said:
        return Amid()
    if len(message) + han_count(message) >= policy.judged_from_chars:
        asked, around = built_in().embed([message[-_JUDGED:], "\n".join(said)])
        likeness = float(asked @ around)
        if likeness < policy.likeness:
            return Amid((), f"what was said just before is about something else (likeness {likeness:.2f})")
    return Amid(said, f"looked for amid what was said just before ({len(said)} as hints)")
