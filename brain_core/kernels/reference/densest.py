"""What `densest.densest` answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def densest(
    starts: NDArray[np.int32], stops: NDArray[np.int32], places: list[list[int]], weights: list[int], longest: int
) -> tuple[int, int]:
    """Return (first, last) of the run of parts that has most, of equal ones the shortest, then the earliest.

    starts, stops: int32[p]. places: of each term the parts that have it. weights: of each term, which counts once.
    longest: characters of a run of more than one part. A run begins and ends with a part that has a term, and its first
    has one that no other part of it has; of those that end with one part the longest counts. (0, 0) where nothing
    weighs anything.
    """
    if len(stops) != len(starts):
        raise ValueError(f"starts has {len(starts)} parts but stops has {len(stops)}")
    if len(weights) != len(places):
        raise ValueError(f"places has {len(places)} terms but weights has {len(weights)}")
    for weight in weights:
        if weight < 0:
            raise ValueError(f"weights must be ≥ 0, got {weight}")
    terms: dict[int, set[int]] = {}
    for term, having in enumerate(places):
        for part in having:
            if not 0 <= part < len(starts):
                raise ValueError(f"part {part} is not in 0..{len(starts) - 1}")
            terms.setdefault(part, set()).add(term)
    runs = []
    for last in sorted(terms):
        for first in sorted(part for part in terms if part <= last):
            within = [part for part in sorted(terms) if first < part <= last]
            others = set[int]().union(*(terms[part] for part in within))
            length = int(stops[last] - starts[first])
            if first == last or (length <= longest and not terms[first] <= others):
                total = sum(weights[term] for term in terms[first] | others)
                runs.append((-total, length, last, first))
                break
    total, _, last, first = min(runs, default=(0, 0, 0, 0))
    return (first, last) if total else (0, 0)
