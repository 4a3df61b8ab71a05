"""How the kernels add: in what order and precision, so that sums are equal to the last bit."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

LANES = 16


def sum_in_order(numbers: Iterable[float]) -> float:
    """Return the sum of numbers, added one after the other."""
    total = 0.0
    for number in numbers:  # in order, uncompensated, as C adds; from Python 3.12 on `sum` is finer
        total += float(number)
    return total


def in_lanes(products: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sum of each row of float32[m, d], added as products.h adds: float32[m].

    Column j is added to lane j mod 16, in order; then the upper half of the lanes to the lower one, until one is left.
    """
    lanes = np.zeros((len(products), LANES), dtype=np.float32)
    for start in range(0, products.shape[1], LANES):
        piece = products[:, start : start + LANES]
        lanes[:, : piece.shape[1]] += piece
    width = LANES // 2
    while width:
        lanes[:, :width] += lanes[:, width : 2 * width]
        width //= 2
    return lanes[:, 0]
