import numpy as np
from numpy.typing import NDArray

def top_k(scores: NDArray[np.float32], allowed: NDArray[np.uint8], k: int) -> NDArray[np.int32]: ...
