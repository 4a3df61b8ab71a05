import numpy as np
from numpy.typing import NDArray

def near(
    codes: NDArray[np.uint8],
    centroids: NDArray[np.float32],
    query: NDArray[np.float32],
    allowed: NDArray[np.uint8],
    wanted: int,
) -> NDArray[np.int32]: ...
