import numpy as np
from numpy.typing import NDArray

class Pool:
    def __init__(
        self,
        rows: NDArray[np.int8],
        scales: NDArray[np.float32],
        starts: NDArray[np.int32],
        ids: NDArray[np.int32],
        weights: NDArray[np.float32],
    ) -> None: ...
    def vector(self, tokens: list[int], words: list[int]) -> NDArray[np.float32]: ...

def turned(vectors: NDArray[np.float32], pairs: list[tuple[int, int]], share: float) -> NDArray[np.float32]: ...
def pool_parts(
    rows: NDArray[np.int8],
    scales: NDArray[np.float32],
    ids: NDArray[np.int32],
    weights: NDArray[np.float32],
    ends: NDArray[np.int32],
) -> NDArray[np.float32]: ...
def counted(ids: list[int]) -> tuple[NDArray[np.int32], NDArray[np.float32]]: ...
def parts_of(
    starts: NDArray[np.int32],
    ids: NDArray[np.int32],
    weights: NDArray[np.float32],
    wanted: NDArray[np.int32],
    counts: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.float32]]: ...
