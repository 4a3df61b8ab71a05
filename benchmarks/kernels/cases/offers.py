"""What of a ranking goes into a package: the best in order, those that lead, the rest, their costs."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import offers, reference

_REACH, _KEPT, _QUERIES = 40, 24, 2
_MESSAGE, _ITEM, _RESULT, _SECTION = 1, 2, 3, 5
_EXPONENT, _FLOORS, _LEADS = 0.2, (0.0, 0.3, 0.0), (0.5, 0.0, 0.15)


def cases(size: Size) -> Iterator[Case]:
    """Put the best of a ranking in order, take what leads and what is left, and what that costs."""
    random, n = chance(), size.rows
    rows = random.permutation(n)[:_REACH].astype(np.int32)
    ranking = rows, -np.sort(-random.random(_REACH)), (np.arange(_REACH) % _QUERIES).astype(np.int32)
    kinds, statuses = random.choice([_MESSAGE, _MESSAGE, _ITEM], n).astype(np.uint8), np.ones(n, dtype=np.uint8)
    uris, costs, chars = (random.integers(1, 2_000, n).astype(np.int32) for _ in range(3))
    silent, none, closed = np.zeros(n, dtype=np.uint8), np.empty(0, dtype=np.uint8), np.arange(8, dtype=np.int32)
    masks, weights = random.integers(0, 64, n).astype(np.uint64), random.random(6)
    labels, few = np.array([0, 300], dtype=np.int32), rows[:2]

    columns, kept = (kinds, uris, costs, silent), np.arange(_KEPT)
    codes, worded = (_MESSAGE, _RESULT, _SECTION), np.zeros(_QUERIES, dtype=np.uint8)
    given = (ranking, _REACH, kept, columns, codes, closed, none, worded, _EXPONENT, _FLOORS, None)
    places, own, scores, _, recent, may_open, fates, floor = offers.offered(*given)
    _, rarest = offers.core(masks, own, statuses, weights, 0.4)
    calls: dict[str, tuple[str, tuple[Any, ...]]] = {
        "offered": (f"{_REACH} places of which {_KEPT} are kept", given),
        "of_one_source": (
            f"{_KEPT} rows",
            (rows[kept], fates, kinds, uris, (_ITEM, _MESSAGE, -2), own),
        ),
        "core": (f"{len(own)} rows", (masks, own, statuses, weights, 0.4)),
        "top": (f"{len(own)} rows", (places, own, scores, recent, may_open, masks, rarest, _LEADS)),
        "rest": (f"{len(own)} rows", (own, scores, recent, may_open, floor, few.tolist(), [])),
        "priced": (
            f"{len(own)} rows",
            (own, may_open, [], (costs, chars, kinds, statuses), _ITEM, labels, 1_800),
        ),
    }
    for name, (told, arguments) in calls.items():
        yield Case(
            f"offers.{name}",
            told,
            partial(getattr(offers, name), *arguments),
            partial(getattr(reference.offers, name), *arguments),
        )
