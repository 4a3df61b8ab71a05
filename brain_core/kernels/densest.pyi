import numpy as np
from numpy.typing import NDArray

def densest(
    starts: NDArray[np.int32], stops: NDArray[np.int32], places: list[list[int]], weights: list[int], longest: int
) -> tuple[int, int]: ...
