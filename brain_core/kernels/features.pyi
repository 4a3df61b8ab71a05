import numpy as np
from numpy.typing import NDArray

NAMES: tuple[str, ...]

def features(
    rows: NDArray[np.int32],
    lexical: NDArray[np.float32],
    cosine: NDArray[np.float64],
    before: NDArray[np.int32],
    after: NDArray[np.int32],
    session: NDArray[np.int32],
    age: NDArray[np.float64],
    half_life: float,
    priority: NDArray[np.float64],
    confidence: NDArray[np.float64],
) -> NDArray[np.float64]: ...
