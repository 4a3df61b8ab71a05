from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.bm25 import Postings
from brain_core.kernels.vocabulary import Vocabulary

Other = tuple[tuple[str, ...], float]

class Alike:
    terms: tuple[str, ...]
    others: tuple[Other, ...]
    translated: bool
    def __init__(self, terms: tuple[str, ...], others: tuple[Other, ...], translated: bool) -> None: ...

def ask(
    postings: Postings,
    vocabulary: Vocabulary,
    wanted: tuple[str, ...],
    bits: NDArray[np.int32],
    words: Sequence[Alike],
    alike: tuple[float, int, float],
    beside: list[NDArray[np.int32]],
    around: tuple[float, int],
    formula: tuple[float, float, float, float],
    soon_scored: int,
) -> tuple[
    NDArray[np.float32],
    NDArray[np.uint64],
    NDArray[np.uint64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    dict[str, float],
]: ...
