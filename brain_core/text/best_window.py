"""The part of a long text that has most of the words asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.densest import densest
from brain_core.text.graphemes import grapheme_end
from brain_core.text.remembered import remembered
from brain_core.text.windows import Window, windows
from brain_core.text.words import terms

_CUT = "…"
_REMEMBERED = 64  # texts: a package counts what it then writes, and the next one meets the same profile
_UNIT = 1 << 20  # of weights: sums of whole numbers are the same in any order
_SENTENCE_END = re.compile(r"\n\s*|[.!?…][\"')”’]?\s+|[。！？；…][”’』」）](?!\n)|[。！？；…](?![”’』」）\n])")


def best_window(text: str, worth: Mapping[str, float], longest: int) -> str:
    """Return whole sentences of a text that follow one another and have most of what is asked, with … where it is cut.

    At most `longest` ≥ 1 characters. worth: what index terms weigh; of each the first occurrence counts. The fewest
    sentences that have it, then those after and before them as far as there is room. A sentence that is too long is cut
    at the widest break there is. A text that has none of the terms begins with its beginning.
    """
    if len(text) <= longest:
        return text
    room = longest - 2 * len(_CUT)
    sentences = _sentences(text, room) if room > 0 else None
    if sentences is None:
        return cut_beginning(text, longest)
    parts = sentences.parts
    weights = {term: round(value * _UNIT) for term, value in worth.items() if term in sentences.places}
    if not weights:
        return cut_beginning(text, longest)
    first, last = _widened(parts, *_densest(sentences, weights, room), room)
    start, stop = parts[first].start, parts[last].stop
    return f"{_CUT if first else ''}{text[start:stop]}{_CUT if last + 1 < len(parts) else ''}"


def cut_beginning(text: str, longest: int) -> str:
    """Return the beginning of a text, at most `longest` characters, with … where it is cut."""
    return text if len(text) <= longest else text[: grapheme_end(text, longest - 1)] + _CUT


class _Sentences(NamedTuple):
    """The sentences of a text, long ones in parts.

    starts, stops: int32[parts], their characters. places: of each index term, the parts that have it.
    """

    parts: tuple[Window, ...]
    starts: NDArray[np.int32]
    stops: NDArray[np.int32]
    places: Mapping[str, list[int]]


@remembered(_REMEMBERED)
def _sentences(text: str, longest: int) -> _Sentences:
    ends = [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    parts = tuple(
        Window(start + part.start, start + part.stop)
        for start, end in pairwise([0, *ends])
        for part in windows(text[start:end], longest)
    )
    places: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        for term in dict.fromkeys(terms(text[part.start : part.stop])):
            places.setdefault(term, []).append(number)
    starts = np.fromiter((part.start for part in parts), np.int32, len(parts))
    stops = np.fromiter((part.stop for part in parts), np.int32, len(parts))
    return _Sentences(parts, starts, stops, places)


def _densest(sentences: _Sentences, weights: Mapping[str, int], longest: int) -> tuple[int, int]:
    """Return (first, last) of the run of parts that has most, of equal ones the shortest, then the earliest.

    weights: of the terms that are looked for, each of which some part has.
    """
    places = [sentences.places[term] for term in weights]
    return densest(sentences.starts, sentences.stops, places, list(weights.values()), longest)


def _widened(parts: tuple[Window, ...], first: int, last: int, longest: int) -> tuple[int, int]:
    """Return the run with the parts after and before it, in turn, as far as they fit."""
    grows = True
    while grows:
        grows = False
        if last + 1 < len(parts) and parts[last + 1].stop - parts[first].start <= longest:
            last, grows = last + 1, True
        if first and parts[last].stop - parts[first - 1].start <= longest:
            first, grows = first - 1, True
    return first, last
