"""Rows that are worth a look, by short codes of their vectors."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import DIMENSION, Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.scan import near

_WANTED = 600
_NUMBERS = 4  # of a vector that share a code


def cases(size: Size) -> Iterator[Case]:
    """Find some hundred rows among all, and among a third of them."""
    random = chance()
    parts = DIMENSION // _NUMBERS
    codes = random.integers(0, 256, -(-size.rows // 32) * 32 * -(-parts // 2), dtype=np.uint8)
    centroids = random.standard_normal((parts, _NUMBERS, 16), dtype=np.float32)
    query = random.standard_normal(DIMENSION, dtype=np.float32)
    some = (random.random(size.rows) < 1 / 3).astype(np.uint8)
    every = np.ones_like(some)
    yield Case(
        "scan.near",
        f"{_WANTED} of all {size.rows:,} rows, {DIMENSION} dimensions",
        lambda: near(codes, centroids, query, every, _WANTED),
        lambda: reference.scan.near(codes, centroids, query, every, _WANTED),
    )
    yield Case(
        "scan.near",
        f"{_WANTED} of a third of these",
        lambda: near(codes, centroids, query, some, _WANTED),
        lambda: reference.scan.near(codes, centroids, query, some, _WANTED),
    )
