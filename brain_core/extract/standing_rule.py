"""What is ordered or forbidden once and for all: such a wish stands in every context, whatever it is about."""

from __future__ import annotations

import re

from brain_core.text.expression import Expression

_WITHOUT_EXCEPTION = Expression(
    r"^(?:(?:please|pls|and|also|one rule|you (?:must|should))[,:]? )*(?:never|do(?:n['’]t| not) ever|"
    r"under no circumstances|do(?:n['’]t| not) (?=.*,? ever[.!]*$))\b|"
    r"^(?:(?:please|pls|and|also)[,:]? )*(?:always|from (?:now|here|today) on(?:wards?)?|going forward|henceforth|"
    r"in (?:the )?future)\b|\b(?:from (?:now|here|today) on(?:wards?)?|going forward|at all times)[.!]*$|"
    r"^(?:麻烦|请|你|都)*(?:以后|今后|往后|从(?:现在|今天?|此)(?:以后|开始|起)?|每次|始终|总是|永远)(?![^,，。]{0,3}[我咱他她])|"
    r"(?:千万|一定|绝对|务必|永远|任何时候都?|无论如何都?)(?:不[要能可许准得]|别)|绝不[要能可许准]?|一律",
    re.IGNORECASE,
)


def is_standing_rule(text: str) -> bool:
    """Return whether a wish forbids or orders something without exception: never, from now on, 千万不要, 以后都."""
    return _WITHOUT_EXCEPTION.search(text) is not None
