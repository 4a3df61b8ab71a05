"""What forbids once and for all: such a wish stands in every context, whatever it is about."""

from __future__ import annotations

import re

from brain_core.text.expression import Expression

_FORBIDS = Expression(
    r"^(?:(?:please|pls|and|also|one rule|you (?:must|should))[,:]? )*(?:never|do(?:n['’]t| not) ever|"
    r"under no circumstances|do(?:n['’]t| not) (?=.*,? ever[.!]*$))\b|"
    r"(?:千万|一定|绝对|务必|永远|任何时候都?|无论如何都?)(?:不[要能可许准得]|别)|绝不[要能可许准]?|一律",
    re.IGNORECASE,
)


def is_standing_rule(text: str) -> bool:
    """Return whether a wish forbids or orders something without exception: never, ever, 千万不要, 一律."""
    return _FORBIDS.search(text) is not None
