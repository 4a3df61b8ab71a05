import numpy as np
from numpy.typing import NDArray

def feature_codes(text: str) -> list[int]: ...

class Weights:
    def __init__(
        self, rows: NDArray[np.int8], scale: float, bias: NDArray[np.float32], meaning: NDArray[np.float32]
    ) -> None: ...
    def scores(self, texts: list[str], named: list[list[int]], vectors: NDArray[np.float32]) -> NDArray[np.float32]: ...
