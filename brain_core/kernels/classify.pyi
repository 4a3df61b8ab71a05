import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.convolve import Filters
from brain_core.kernels.linear import Weights

class Classifier:
    def __init__(self, words: Weights, order: Filters) -> None: ...
    def likeliest(
        self, text: str, named: list[int], meaning: NDArray[np.float32], tokens: list[int]
    ) -> tuple[int, float]: ...
