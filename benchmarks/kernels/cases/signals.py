"""What twelve places of a ranking were given by its lists, and how many rows these have."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.signals import counted, told

_PLACES = 12


def cases(size: Size) -> Iterator[Case]:
    """Look places up in two lists, each of half of the rows, and count what these have."""
    random, n = chance(), min(size.rows, 2_000)
    order, places = random.permutation(n).astype(np.int32), np.arange(0, 2 * _PLACES, 2, dtype=np.int64)
    ranking = (order, random.random(n), np.zeros(n, dtype=np.int32), random.random(n), random.random(n), places)
    lists = [(0, column, np.sort(order[: n // 2]), random.random(n // 2)) for column in range(2)]
    yield Case(
        "signals.told",
        f"{_PLACES} places",
        lambda: told(*ranking, lists),
        lambda: reference.signals.told(*ranking, lists),
    )
    rows = [listed for _, _, listed, _ in lists]
    yield Case(
        "signals.counted",
        f"{_PLACES} of {len(rows)} lists",
        lambda: counted(rows, order[:_PLACES]),
        lambda: reference.signals.counted(rows, order[:_PLACES]),
    )
