"""What fits into 2,000 tokens."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.budget import fit

_LIMIT, _MOST = 2_000, 30


def cases(size: Size) -> Iterator[Case]:
    """Pieces in order while they fit."""
    tokens = chance().integers(20, 300, size.candidates).astype(np.int64)
    costs = tokens.tolist()

    def naive() -> object:
        kept, used = [0] * len(costs), 0
        for place, cost in enumerate(costs):
            if sum(kept) < _MOST and used + cost <= _LIMIT:
                kept[place], used = 1, used + cost
        return kept, used

    yield Case(
        "budget.fit",
        f"{size.candidates} pieces",
        lambda: fit(tokens, _LIMIT, _MOST),
        lambda: reference.budget.fit(tokens, _LIMIT, _MOST),
        naive,
    )
