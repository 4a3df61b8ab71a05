from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

NOTHING: int
JOINED: int
OPENED: int
OVER_MOST: int
DOES_NOT_FIT: int
UNPRICED: int

def turned_away(rows: NDArray[np.int32], fates: NDArray[np.int8]) -> dict[int, int]: ...

class Passages:
    def __init__(
        self,
        costs: NDArray[np.int32],
        dear: dict[int, int],
        line_costs: NDArray[np.int32],
        chars: NDArray[np.int32],
        before: NDArray[np.int32],
        after: NDArray[np.int32],
        headings: NDArray[np.int32],
        kinds: NDArray[np.uint8],
        shared: int,
        most: int,
        longest: int,
        gap: int,
        labels: NDArray[np.int32],
    ) -> None: ...
    def fill(
        self,
        rows: NDArray[np.int32],
        may_open: NDArray[np.uint8],
        free: int,
        price: Callable[[int], int] | None = None,
    ) -> tuple[int, NDArray[np.int8]]: ...
    def allow(self, most: int) -> None: ...
    def widen(
        self, allowed: NDArray[np.uint8], uris: NDArray[np.int32], closed: NDArray[np.int32], free: int
    ) -> int: ...
    def __len__(self) -> int: ...
    def __contains__(self, row: object) -> bool: ...
    def has(self, masks: NDArray[np.uint64], bits: int) -> bool: ...
    def pieces(
        self,
    ) -> tuple[
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int32],
    ]: ...
    def best_first(
        self, ranked: NDArray[np.int32], scores: NDArray[np.float64], leading: int, sections: NDArray[np.int32]
    ) -> tuple[
        NDArray[np.int32],
        NDArray[np.int64],
        NDArray[np.uint8],
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.uint8],
    ]: ...
