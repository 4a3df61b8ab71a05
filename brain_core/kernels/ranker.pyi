import numpy as np
from numpy.typing import NDArray

def linear(matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]: ...
