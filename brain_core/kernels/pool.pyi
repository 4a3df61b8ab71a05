import numpy as np
from numpy.typing import NDArray

def pool(
    rows: NDArray[np.int8],
    scales: NDArray[np.float32],
    ids: NDArray[np.int32],
    weights: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None: ...
def pool_tokens(
    rows: NDArray[np.int8], scales: NDArray[np.float32], tokens: list[int], out: NDArray[np.float32]
) -> None: ...
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
