"""English written without apostrophes ("im", "dont", "its now") is read as with them; code and quotes stay as written.

Only what nobody writes for anything else is put right: "were", "ill", "well", "lets" are words, too. A message that has
words of another language stays as it is: French has "dont", German has "im".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

from brain_core.extract.masks import masks
from brain_core.text.expression import Expression

_NOT = "do|does|did|is|are|was|were|has|have|had|could|would|should|ca|wo"
_ELIDED = Expression(
    rf"(?<![\w'’./@:#-])(?:(?P<not>(?:{_NOT})n)(?=t\b)|(?P<am>i)(?=m\b)|"
    r"(?P<have>i|we|you|they)(?=ve\b)|(?P<are>you|they)(?=re\b)|"
    r"(?P<is>(?:he|she)(?=s\b)|(?:that|what|there|here|who)(?=s (?!who\b))|"
    r"(?:it)(?=s (?:an?|the|my|our|now|not|been|on|in|at|gone|over|off|cancelled|moved|done|called|(?:january|february|"
    r"march|april|may|june|july|august|september|october|november|december)\b)\b))|"
    r"(?P<off>trip|party|wedding|meeting|dinner|holiday|flight|match|"
    r"date|deal|gig|picnic|lunch|visit|show)(?=s off$|s off[,.!;])|"
    r"(?P<would>i)(?=d (?:like|love|rather|prefer|hate)\b))(?![\w]*[./@:#-]\w)",
    re.IGNORECASE,
)
_CODE = Expression(r"`[^`\n]*`")
_FOREIGN = Expression(
    r"\b(?:ich|und|der|das|ist|nicht|mit|auf|haus|je|les|une|est|que|qui|pour|avec|el|los|una|het|een|ik|niet)\b",
    re.IGNORECASE,
)

Places = tuple[int, ...]
"""Where in what was written apostrophes were put, ascending code points."""


def spelled(text: str) -> tuple[str, Places]:
    """Return a text with the apostrophes that were left out, and where they were put."""
    if _ELIDED.search(text) is None or _FOREIGN.search(text) is not None:
        return text, ()
    covered = [(mask.start, mask.stop) for mask in masks(text)] + [code.span() for code in _CODE.finditer(text)]
    elided = (found.span() for found in _ELIDED.finditer(text))
    places = tuple(end for start, end in elided if not any(first <= start < last for first, last in covered))
    cuts = [0, *places, len(text)]
    return "'".join(text[start:stop] for start, stop in pairwise(cuts)), places


def as_written(span: tuple[int, int], places: Places) -> tuple[int, int]:
    """Return where a span [start, stop) of the spelled text stands in what was written."""
    shifted = [place + number for number, place in enumerate(places)]
    start, stop = span
    return start - bisect_right(shifted, start - 1), stop - bisect_right(shifted, stop - 1)
