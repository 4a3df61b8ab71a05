import numpy as np
from numpy.typing import NDArray

FILTERS_TOGETHER: int

def convolve(
    packed: NDArray[np.uint8],
    ids: NDArray[np.int32],
    starts: NDArray[np.int32],
    filters: NDArray[np.float32],
    bias: NDArray[np.float32],
    head: NDArray[np.float32],
) -> NDArray[np.float32]: ...
