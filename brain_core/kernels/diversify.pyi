import numpy as np
from numpy.typing import NDArray

KEPT: int
OVER_K: int

def select(
    scores: NDArray[np.float64],
    vectors: NDArray[np.float32],
    groups: NDArray[np.int32],
    caps: NDArray[np.int32],
    trade: float,
    k: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
