"""Twelve out of a quarter of the candidates, good and not all the same."""

from collections.abc import Iterator
from operator import lt, mul

import numpy as np

from benchmarks.kernels.case import DIMENSION, Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.diversify import select

_KEPT = 12
_TRADE = 0.9
_KINDS = 4


def cases(size: Size) -> Iterator[Case]:
    """Maximal marginal relevance under four caps."""
    random = chance()
    m = size.candidates // 4
    scores = np.sort(random.random(m))[::-1].copy()
    vectors = random.normal(size=(m, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = random.permutation(size.candidates)[:m].astype(np.int32)
    columns = tuple(random.integers(-1, m // 3, size.candidates).astype(np.int32) for _ in range(_KINDS))
    caps = np.array([3, 2, 1, 1], dtype=np.int32)
    values, numbers, most = scores.tolist(), vectors.tolist(), caps.tolist()
    kinds = list(zip(*(column[rows].tolist() for column in columns), strict=True))

    def naive() -> object:
        kept, left, nearest = list[int](), set(range(m)), [0.0] * m
        while left and len(kept) < _KEPT:
            best = max(left, key=lambda one: (_TRADE * values[one] - (1 - _TRADE) * nearest[one], -one))
            left.remove(best)
            shared = [sum(kinds[one][kind] == kinds[best][kind] >= 0 for one in kept) for kind in range(_KINDS)]
            if all(map(lt, shared, most)):
                kept.append(best)
                nearest = [
                    max(near, sum(map(mul, row, numbers[best]))) for near, row in zip(nearest, numbers, strict=True)
                ]
        return (kept,)

    yield Case(
        "diversify.select",
        f"{_KEPT} of {m}, {DIMENSION} dimensions, {_KINDS} caps",
        lambda: select(rows, scores, vectors, columns, (), caps, _TRADE, _KEPT, m),
        lambda: reference.diversify.select(rows, scores, vectors, columns, (), caps, _TRADE, _KEPT, m),
        naive,
    )
