from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

WRITTEN: int

def selected(
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: NDArray[np.int32],
    leads: NDArray[np.uint8],
    scores: NDArray[np.float64],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    relations: list[str],
    further: list[str],
    beside: tuple[NDArray[np.int64], NDArray[np.uint8], int, str, str],
    cuts: list[str],
    field: int,
) -> bytes: ...
def dropped(
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: list[int],
    words: list[bytes],
    field: int,
) -> bytes: ...
def expansions(weights: Mapping[str, float], query: int, source: str, field: int) -> bytes: ...
