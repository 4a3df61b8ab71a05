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
    groups = random.integers(-1, m // 3, (m, _KINDS)).astype(np.int32)
    caps = np.array([3, 2, 1, 1], dtype=np.int32)
    values, rows, kinds, most = scores.tolist(), vectors.tolist(), groups.tolist(), caps.tolist()

    def naive() -> object:
        kept, left, nearest = list[int](), set(range(m)), [0.0] * m
        while left and len(kept) < _KEPT:
            best = max(left, key=lambda one: (_TRADE * values[one] - (1 - _TRADE) * nearest[one], -one))
            left.remove(best)
            shared = [sum(kinds[one][kind] == kinds[best][kind] >= 0 for one in kept) for kind in range(_KINDS)]
            if all(map(lt, shared, most)):
                kept.append(best)
                nearest = [max(near, sum(map(mul, row, rows[best]))) for near, row in zip(nearest, rows, strict=True)]
        return (kept,)

    yield Case(
        "diversify.select",
        f"{_KEPT} of {m}, {DIMENSION} dimensions, {_KINDS} caps",
        lambda: select(scores, vectors, groups, caps, _TRADE, _KEPT),
        lambda: reference.diversify.select(scores, vectors, groups, caps, _TRADE, _KEPT),
        naive,
    )
