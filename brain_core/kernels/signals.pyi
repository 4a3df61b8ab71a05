import numpy as np
from numpy.typing import NDArray

RANKS: tuple[str, ...]
SIGNALS: tuple[str, ...]

def told(
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    queries: NDArray[np.int32],
    fused: NDArray[np.float64],
    recency: NDArray[np.float64],
    places: NDArray[np.int64],
    lists: list[tuple[int, int, NDArray[np.int32], NDArray[np.float64]]],
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]: ...
def counted(lists: list[NDArray[np.int32]], rows: NDArray[np.int32]) -> tuple[int, int]: ...
