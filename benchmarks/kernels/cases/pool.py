"""The vector of a text: 30 rows of a table of 30,000, found by 10 words of three rows each."""

import math
from collections.abc import Iterator
from operator import mul

import numpy as np

from benchmarks.kernels.case import DIMENSION, Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.pool import Pool, counted, parts_of, pool_parts, turned

_TABLE, _TOKENS = 30_000, 30
_WORDS, _GLOSSES = 10, 3


def cases(size: Size) -> Iterator[Case]:  # noqa: ARG001  a text is as long in a memory of any size
    """One text, and the glosses of its words."""
    random = chance()
    table = random.integers(-127, 128, (_TABLE, DIMENSION)).astype(np.int8)
    scales = random.random(_TABLE).astype(np.float32)
    ids = random.permutation(_TABLE)[:_TOKENS].astype(np.int32)
    weights = random.random(_TOKENS).astype(np.float32)
    starts = np.arange(0, _TABLE + 1, _GLOSSES, dtype=np.int32)
    every, shares = random.permutation(_TABLE).astype(np.int32), random.random(_TABLE).astype(np.float32)
    words = random.permutation(len(starts) - 1)[:_WORDS].astype(np.int32)
    counts = (1 + np.arange(_WORDS) % 3).astype(np.int32)
    asked = (starts, every, shares, words, counts)
    said = [*ids.tolist(), *ids.tolist()[:_WORDS]]

    kernel = Pool(table, scales, starts, every, shares)
    twin = reference.pool.Pool(table, scales, starts, every, shares)
    of_rows, factors = table[ids].tolist(), scales[ids].tolist()

    def naive() -> object:
        total = [sum(map(mul, factors, column)) for column in zip(*of_rows, strict=True)]
        length = math.sqrt(sum(one * one for one in total))
        return [one / length for one in total]

    tokens = ids.tolist()
    yield Case(
        "pool.vector",
        f"{_TOKENS} tokens, {DIMENSION} dimensions",
        lambda: kernel.vector(tokens, []),
        lambda: twin.vector(tokens, []),
        naive,
    )
    both = words.tolist()
    yield Case(
        "pool.vector",
        f"{_TOKENS} tokens, {_WORDS} words of {_GLOSSES} rows",
        lambda: kernel.vector(tokens, both),
        lambda: twin.vector(tokens, both),
    )
    pair = random.standard_normal((2, DIMENSION), dtype=np.float32)
    yield Case(
        "pool.turned",
        f"{DIMENSION} dimensions",
        lambda: turned(pair, [(0, 1)], 0.5),
        lambda: reference.pool.turned(pair, [(0, 1)], 0.5),
    )
    ends = np.arange(0, _TOKENS + 1, _GLOSSES, dtype=np.int32)
    parts = (table, scales, ids, weights, ends)
    yield Case(
        "pool.pool_parts",
        f"{len(ends) - 1} words of {_GLOSSES} rows, {DIMENSION} dimensions",
        lambda: pool_parts(*parts),
        lambda: reference.pool.pool_parts(*parts),
    )
    yield Case("pool.counted", f"{len(said)} tokens", lambda: counted(said), lambda: reference.pool.counted(said))
    yield Case("pool.parts_of", f"{_WORDS} words", lambda: parts_of(*asked), lambda: reference.pool.parts_of(*asked))
