import numpy as np
from numpy.typing import NDArray

OVER_K: int

def select(
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    vectors: NDArray[np.float32],
    columns: tuple[NDArray[np.int32], ...],
    sources: tuple[NDArray[np.int32], ...],
    caps: NDArray[np.int32],
    trade: float,
    k: int,
    named: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], list[int]]: ...
