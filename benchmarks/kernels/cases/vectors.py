"""Half floats by row: products with a query, the nearest, and vectors in full."""

from collections.abc import Iterator
from heapq import nsmallest

import numpy as np

from benchmarks.kernels.case import DIMENSION, Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.vectors import cosines, expand, nearest

_FOUND = 200


def cases(size: Size) -> Iterator[Case]:
    """Cosines of the candidates and of all rows, the nearest of all rows, and vectors in full."""
    random = chance()
    full = random.normal(size=(size.rows, DIMENSION)).astype(np.float32)
    halves = (full / np.linalg.norm(full, axis=1, keepdims=True)).astype(np.float16)
    del full
    query, bits = halves[0].astype(np.float32), halves.view(np.uint16)
    rows = random.permutation(size.rows)[: size.candidates].astype(np.int32)
    everything = np.arange(size.rows, dtype=np.int32)
    listed, asked = halves[rows].astype(np.float64).tolist(), query.tolist()

    def products() -> list[float]:
        return [sum(one * other for one, other in zip(row, asked, strict=True)) for row in listed]

    yield Case(
        "vectors.cosines",
        f"{len(rows)} candidates of {size.rows:,} rows, {DIMENSION} dimensions",
        lambda: cosines(bits, rows, query),
        lambda: reference.cosines(bits, rows, query),
        products,
    )
    yield Case(
        "vectors.cosines",
        f"all {size.rows:,} rows",
        lambda: cosines(bits, everything, query),
        lambda: reference.cosines(bits, everything, query),
    )
    yield Case(
        "vectors.nearest",
        f"{_FOUND} of all {size.rows:,} rows",
        lambda: nearest(bits, everything, query, _FOUND),
        lambda: reference.nearest(bits, everything, query, _FOUND),
    )
    given, few = rows.tolist(), size.candidates // 4

    def naive() -> object:
        found = nsmallest(few, ((-product, row) for product, row in zip(products(), given, strict=True)))
        return [row for _, row in found], [-product for product, _ in found]

    yield Case(
        "vectors.nearest",
        f"{few} of {len(rows)} candidates",
        lambda: nearest(bits, rows, query, few),
        lambda: reference.nearest(bits, rows, query, few),
        naive,
    )
    yield Case(
        "vectors.expand",
        f"{len(rows)} candidates",
        lambda: expand(bits, rows),
        lambda: reference.expand(bits, rows),
    )
