import numpy as np
from numpy.typing import NDArray

def fit(costs: NDArray[np.int64], limit: int, most: int) -> tuple[NDArray[np.uint8], int]: ...
