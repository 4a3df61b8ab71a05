"""What was said just before a message, as far as it is about the same: the hints of its queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brain_core.models.static import built_in
from brain_core.policy import Hints
from brain_core.text.language import han_count

_JUDGED = 320
"""Code points of a message's end that are compared."""


@dataclass(frozen=True, slots=True)
class Amid:
    """hints: ends of the messages before, oldest first. told: what became of them, in words; empty without any."""

    hints: Sequence[str] = ()
    told: str = ""


def amid(message: str, before: Sequence[str], policy: Hints) -> Amid:
    """Return what of the messages before, oldest first, counts beside a message; it may be among them already.

    A message long enough to say what it is about, and far from what was said, begins something else: nothing counts. A
    short one ("and the second one?") is near to nothing and leans on it.
    """
    said = _ends([text for text in before if text != message and text.strip()], policy)
    if not said:
        return Amid()
    if len(message) + han_count(message) >= policy.judged_from_chars:
        asked, around = built_in().embed([message[-_JUDGED:], "\n".join(said)])
        likeness = float(asked @ around)
        if likeness < policy.likeness:
            return Amid((), f"what was said just before is about something else (likeness {likeness:.2f})")
    return Amid(said, f"looked for amid what was said just before ({len(said)} as hints)")


def _ends(texts: Sequence[str], policy: Hints) -> list[str]:
    """Return the ends of the newest texts, as many as the policy has room for, oldest first."""
    found: list[str] = []
    left = policy.total_chars
    for text in reversed(texts[-policy.messages :] if policy.messages else []):
        if left <= 0:
            break
        found.append(text[-min(policy.chars, left) :])
        left -= len(found[-1])
    return found[::-1]
