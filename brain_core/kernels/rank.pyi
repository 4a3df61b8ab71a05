from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Words = tuple[NDArray[np.float32], NDArray[np.uint64], NDArray[np.float64], NDArray[np.float64]]
Lists = list[tuple[NDArray[np.int32], NDArray[np.float64], float, int]]
Settings = tuple[int, NDArray[np.float64], float, int, float, NDArray[np.int64]]

class Memory:
    def __init__(
        self,
        columns: Mapping[str, NDArray[np.generic]],
        faded: NDArray[np.uint8],
        packed: NDArray[np.uint8],
        session_places: NDArray[np.int32],
        session_sums: NDArray[np.float32],
    ) -> None: ...

class Query:
    def __init__(
        self,
        words: Words,
        word_trust: float,
        vector: NDArray[np.float32],
        vector_trust: float,
        named: NDArray[np.uint8],
        allowed: NDArray[np.uint8],
        weight: float,
        most: int,
    ) -> None: ...

def rank(
    memory: Memory, queries: list[Query], lists: Lists, method: str, rrf_k: float, settings: Settings
) -> tuple[
    NDArray[np.int32], NDArray[np.float64], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], int
]: ...
