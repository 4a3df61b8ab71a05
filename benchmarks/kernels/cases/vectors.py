"""Half floats that stand somewhere in memory."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import DIMENSION, Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.vectors import cosines, expand, read, write


def cases(size: Size) -> Iterator[Case]:
    """Cosines of the candidates and of all rows; vectors in full, as bits, and other ones in their place."""
    random = chance()
    full = random.normal(size=(size.rows, DIMENSION)).astype(np.float32)
    halves = (full / np.linalg.norm(full, axis=1, keepdims=True)).astype(np.float16)
    del full
    query = halves[0].astype(np.float32)
    rows = random.permutation(size.rows)[: size.candidates].astype(np.int64)
    everything = np.arange(size.rows, dtype=np.int64)
    at = rows * (2 * DIMENSION) + halves.ctypes.data
    everywhere = everything * (2 * DIMENSION) + halves.ctypes.data
    listed, asked = halves[rows].astype(np.float64).tolist(), query.tolist()
    yield Case(
        "vectors.cosines",
        f"{len(rows)} candidates of {size.rows:,} rows, {DIMENSION} dimensions",
        lambda: cosines(at, query),
        lambda: reference.cosines(halves, rows, query),
        lambda: [sum(one * other for one, other in zip(row, asked, strict=True)) for row in listed],
    )
    yield Case(
        "vectors.cosines",
        f"all {size.rows:,} rows",
        lambda: cosines(everywhere, query),
        lambda: reference.cosines(halves, everything, query),
    )
    yield Case(
        "vectors.expand",
        f"{len(rows)} candidates",
        lambda: expand(at, DIMENSION),
        lambda: reference.expand(halves, rows),
    )
    yield Case(
        "vectors.read", f"{len(rows)} candidates", lambda: read(at, DIMENSION), lambda: reference.read(halves, rows)
    )
    fresh = halves[rows].view(np.uint16).copy()
    yield Case(
        "vectors.write",
        f"{len(rows)} candidates",
        lambda: write(at, fresh),
        lambda: reference.write(halves, rows, fresh),
        seen=lambda _: None,
    )
