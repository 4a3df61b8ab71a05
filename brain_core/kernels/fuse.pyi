import numpy as np
from numpy.typing import NDArray

METHODS: dict[str, int]

def fuse(
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    offsets: NDArray[np.int64],
    weights: NDArray[np.float64],
    method: str,
    rrf_k: float,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
def places_in(listed: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[np.int32]: ...
