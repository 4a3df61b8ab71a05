"""Where a text may be cut without a part of what is seen as one character being lost."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_FARTHEST = 64
"""Code points that are looked back over: marks can be piled up without end."""


def grapheme_end(text: str, limit: int, start: int = 0) -> int:
    """Return the last end of a grapheme in (start, limit], or the limit if there is none near it.

    Told are marks that combine, joined and toned emoji, flags; not the syllables that some scripts have beside.
    """
    for stop in range(min(limit, len(text)), max(start, limit - _FARTHEST), -1):
        if stop == len(text) or not _continues(text, stop):
            return stop
    return limit


def _continues(text: str, at: int) -> bool:
    """Whether what stands at a place belongs to what stands before it."""
    character, before = text[at], text[at - 1]
    if _JOINER in (character, before) or _is_tone(character) or unicodedata.category(character)[0] == "M":
        return True
    if not (_is_flag_letter(character) and _is_flag_letter(before)):
        return False
    first = at
    while first and _is_flag_letter(text[first - 1]):
        first -= 1
    return (at - first) % 2 == 1


def _is_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
