"""From the lists of two queries to one order: what stands beside the best among it, all scored on features."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.kernels.case import DIMENSION, Case, Size, chance
from benchmarks.kernels.cases.features import HALF_LIFE, NOW, SESSION, WORDS, columns_of
from brain_core.kernels import rank, reference
from brain_core.kernels.vectors import quantise

_DEPRECATED = 9
_RRF_K = 60.0
_MOST = 46  # rows that a query keeps


def cases(size: Size) -> Iterator[Case]:
    """One query and two, each with a list by words and one by meaning."""
    for queries in (1, 2):
        yield Case(
            "rank.rank",
            f"{queries} queries, 2 lists of {size.candidates // 2} each, {size.rows:,} rows, {DIMENSION} dimensions",
            _ranked(rank, size, queries),
            _ranked(reference.rank, size, queries),
        )


def _ranked(module: ModuleType, size: Size, queries: int) -> Any:  # noqa: ANN401  a call
    random, n = chance(), size.rows
    sessions = n // SESSION + 1
    memory = module.Memory(
        columns_of(n),
        np.ones(n, dtype=np.uint8),
        quantise(random.normal(size=(n, DIMENSION)).astype(np.float32)),
        np.arange(sessions, dtype=np.int32),
        random.normal(size=(sessions, DIMENSION)).astype(np.float32),
    )
    asked = [module.Query(*_said(n, sessions, random), 1.0, _MOST) for _ in range(queries)]
    lists = [random.permutation(n)[: size.candidates // 2].astype(np.int32) for _ in range(2 * queries)]
    given = [(one, np.sort(random.random(len(one)))[::-1].copy(), 1.0, place // 2) for place, one in enumerate(lists)]
    settings = (size.candidates, np.linspace(0.1, 1, 13), _DEPRECATED, 0.5, NOW, HALF_LIFE, np.empty(0, dtype=np.int64))
    return lambda: module.rank(memory, asked, given, "rrf", _RRF_K, settings)


def _said(n: int, sessions: int, random: np.random.Generator) -> tuple[Any, ...]:
    lexical = (random.random(n) * 20 * (random.random(n) < 0.2)).astype(np.float32)
    masks = random.integers(0, 2**WORDS, n, dtype=np.uint64) * (lexical > 0)
    words = (lexical, masks, random.random(WORDS), random.random(sessions))
    vector = random.normal(size=DIMENSION).astype(np.float32)
    named = np.array([0, 1], dtype=np.uint8)
    return words, 1.0, vector / np.linalg.norm(vector), 1.0, named, np.ones(n, dtype=np.uint8)
