import numpy as np
from numpy.typing import NDArray

METHODS: dict[str, int]

def fuse(
    lists: list[tuple[NDArray[np.int32], NDArray[np.float64], float]], method: str, rrf_k: float
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
def places_in(listed: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[np.int32]: ...
