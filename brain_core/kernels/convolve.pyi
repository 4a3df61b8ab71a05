import numpy as np
from numpy.typing import NDArray

FILTERS_TOGETHER: int

def convolve(
    rows: NDArray[np.int8],
    scales: NDArray[np.float32],
    ids: NDArray[np.int32],
    starts: NDArray[np.int32],
    filters: NDArray[np.float32],
    bias: NDArray[np.float32],
    head: NDArray[np.float32],
) -> NDArray[np.float32]: ...
