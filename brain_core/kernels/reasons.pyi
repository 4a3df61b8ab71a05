from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

WRITTEN: int

def dropped(
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: list[int],
    words: list[bytes],
    field: int,
) -> bytes: ...
def expansions(weights: Mapping[str, float], query: int, source: str, field: int) -> bytes: ...
