import numpy as np
from numpy.typing import NDArray

FILTERS_TOGETHER: int

class Filters:
    def __init__(
        self,
        packed: NDArray[np.uint8],
        filters: NDArray[np.float32],
        bias: NDArray[np.float32],
        head: NDArray[np.float32],
        base: NDArray[np.float32],
    ) -> None: ...
    def scores(self, texts: list[list[int]]) -> NDArray[np.float32]: ...
