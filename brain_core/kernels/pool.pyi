import numpy as np
from numpy.typing import NDArray

def pool(
    rows: NDArray[np.int8],
    scales: NDArray[np.float32],
    ids: NDArray[np.int32],
    weights: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None: ...
