"""Vectors as signed bytes: made, products with a query, the nearest, and in full."""

from collections.abc import Iterator
from heapq import nsmallest

import numpy as np

from benchmarks.kernels.case import DIMENSION, Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.vectors import cosines, expand, nearest, quantise

_FOUND = 200


def cases(size: Size) -> Iterator[Case]:
    """Bytes of vectors, cosines of candidates and of all rows, the nearest of all rows, and vectors in full."""
    random = chance()
    full = random.normal(size=(size.rows, DIMENSION)).astype(np.float32)
    full /= np.linalg.norm(full, axis=1, keepdims=True)
    query, packed = full[0].copy(), quantise(full)
    rows = random.permutation(size.rows)[: size.candidates].astype(np.int32)
    everything = np.arange(size.rows, dtype=np.int32)
    some, listed, asked = full[rows], expand(packed, rows).tolist(), query.tolist()
    del full

    def products() -> list[float]:
        return [sum(one * other for one, other in zip(row, asked, strict=True)) for row in listed]

    yield Case(
        "vectors.quantise",
        f"{len(rows)} vectors, {DIMENSION} dimensions",
        lambda: quantise(some),
        lambda: reference.vectors.quantise(some),
    )
    yield Case(
        "vectors.cosines",
        f"{len(rows)} candidates of {size.rows:,} rows, {DIMENSION} dimensions",
        lambda: cosines(packed, rows, query),
        lambda: reference.vectors.cosines(packed, rows, query),
        products,
    )
    yield Case(
        "vectors.cosines",
        f"all {size.rows:,} rows",
        lambda: cosines(packed, everything, query),
        lambda: reference.vectors.cosines(packed, everything, query),
    )
    yield Case(
        "vectors.nearest",
        f"{_FOUND} of all {size.rows:,} rows",
        lambda: nearest(packed, everything, query, _FOUND),
        lambda: reference.vectors.nearest(packed, everything, query, _FOUND),
    )
    given, few = rows.tolist(), size.candidates // 4

    def naive() -> object:
        found = nsmallest(few, ((-product, row) for product, row in zip(products(), given, strict=True)))
        return [row for _, row in found], [-product for product, _ in found]

    yield Case(
        "vectors.nearest",
        f"{few} of {len(rows)} candidates",
        lambda: nearest(packed, rows, query, few),
        lambda: reference.vectors.nearest(packed, rows, query, few),
        naive,
    )
    yield Case(
        "vectors.expand",
        f"{len(rows)} candidates",
        lambda: expand(packed, rows),
        lambda: reference.vectors.expand(packed, rows),
    )
