"""How far two texts are built of the same words in the same order."""

from __future__ import annotations

from collections.abc import Sequence


def built_alike(said: Sequence[str], held: Sequence[str], least: float) -> float:
    """Return how far two texts are built of the same words in the same order, 0..1; 0 where that is surely under least.

    The ratio of difflib's SequenceMatcher without junk, whose general form costs three times as much.
    """
    size = len(said) + len(held)
    places: dict[str, list[int]] = {}
    for place, word in enumerate(held):
        places.setdefault(word, []).append(place)
    in_both = [word for word in said if word in places]
    both = min(len(in_both), sum(len(places[word]) for word in set(in_both)))
    if 2.0 * both < least * size:
        return 0.0
    return 2.0 * _matched([places.get(word, ()) for word in said], 0, len(said), 0, len(held)) / size if size else 1.0


def _matched(places: Sequence[Sequence[int]], begin: int, end: int, first: int, last: int) -> int:
    """Return how many words stand in the longest common run, the first of equals, and likewise before and after it.

    places: where each word of one text stands in the other. begin, end: of the one; first, last: of the other.
    """
    best = at = there = 0
    runs: dict[int, int] = {}
    for number in range(begin, end):
        longer: dict[int, int] = {}
        for place in places[number]:
            if first <= place < last:
                run = longer[place] = runs.get(place - 1, 0) + 1
                if run > best:
                    best, at, there = run, number - run + 1, place - run + 1
        runs = longer
    if not best:
        return 0
    before = _matched(places, begin, at, first, there) if begin < at and first < there else 0
    past, beyond = at + best, there + best
    after = _matched(places, past, end, beyond, last) if past < end and beyond < last else 0
    return best + before + after
