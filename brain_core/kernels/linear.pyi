import numpy as np
from numpy.typing import NDArray

def feature_codes(words: list[str]) -> list[int]: ...
def weigh_text(
    rows: NDArray[np.int8],
    words: list[str],
    named: list[int],
    bias: NDArray[np.float32],
    scale: float | np.float32,
    out: NDArray[np.float32],
) -> None: ...
