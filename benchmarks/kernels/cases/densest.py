"""Which sentences of a long text are shown: the run that has most of some terms."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.densest import densest

_PARTS, _TERMS, _LONGEST = 200, 24, 600


def cases(size: Size) -> Iterator[Case]:
    """Look through a text of some 16,000 characters, whatever the size of the memory."""
    random = chance()
    stops = np.cumsum(random.integers(20, 140, _PARTS)).astype(np.int32)
    starts = np.concatenate([[0], stops[:-1]]).astype(np.int32)
    places = [
        sorted(random.choice(_PARTS, random.integers(1, min(_PARTS, size.candidates)), replace=False).tolist())
        for _ in range(_TERMS)
    ]
    weights = random.integers(1, 1_000, _TERMS).tolist()
    yield Case(
        "densest.densest",
        f"{_PARTS} sentences, {_TERMS} terms",
        lambda: densest(starts, stops, places, weights, _LONGEST),
        lambda: reference.densest.densest(starts, stops, places, weights, _LONGEST),
    )
