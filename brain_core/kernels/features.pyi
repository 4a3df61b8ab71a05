import numpy as np
from numpy.typing import NDArray

NAMES: tuple[str, ...]
COLUMNS: tuple[str, ...]

Words = tuple[NDArray[np.float32], NDArray[np.uint64], NDArray[np.float64], NDArray[np.float64]]
Vectors = tuple[NDArray[np.float32], NDArray[np.float32], float, float]

def features(
    rows: NDArray[np.int32],
    words: Words,
    word_trust: float,
    vectors: Vectors,
    vector_trust: float,
    named: NDArray[np.uint8],
    columns: dict[str, NDArray[np.generic]],
    now_us: int,
    half_life_us: float,
) -> NDArray[np.float64]: ...
def neighbours(
    rows: NDArray[np.int32],
    most: int,
    before: NDArray[np.int32],
    after: NDArray[np.int32],
    allowed: NDArray[np.uint8],
) -> NDArray[np.int32]: ...
