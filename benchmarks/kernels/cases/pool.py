"""The vector of a text: 30 rows of a table of 30,000."""

import math
from collections.abc import Iterator
from operator import mul

import numpy as np
from numpy.typing import NDArray

from benchmarks.kernels.case import DIMENSION, Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.pool import pool

_TABLE, _TOKENS = 30_000, 30


def cases(size: Size) -> Iterator[Case]:  # noqa: ARG001  a text is as long in a memory of any size
    """One text."""
    random = chance()
    table = random.integers(-127, 128, (_TABLE, DIMENSION)).astype(np.int8)
    scales = random.random(_TABLE).astype(np.float32)
    ids = random.permutation(_TABLE)[:_TOKENS].astype(np.int32)
    weights = random.random(_TOKENS).astype(np.float32)
    rows, factors = table[ids].tolist(), (scales[ids] * weights).tolist()

    def compiled() -> object:
        out: NDArray[np.float32] = np.empty(DIMENSION, dtype=np.float32)
        pool(table, scales, ids, weights, out)
        return out

    def twin() -> object:
        out: NDArray[np.float32] = np.empty(DIMENSION, dtype=np.float32)
        reference.pool(table, scales, ids, weights, out)
        return out

    def naive() -> object:
        total = [sum(map(mul, factors, column)) for column in zip(*rows, strict=True)]
        length = math.sqrt(sum(one * one for one in total))
        return [one / length for one in total]

    yield Case("pool.pool", f"{_TOKENS} tokens, {DIMENSION} dimensions", compiled, twin, naive)
