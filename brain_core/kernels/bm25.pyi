import numpy as np
from numpy.typing import NDArray

MOST_COUNT: int

class Postings:
    def __init__(self, least_length: float = 0.0) -> None: ...
    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def add(self, terms: NDArray[np.int32], counts: NDArray[np.float32], group: int = -1) -> int: ...
    def score(
        self,
        terms: NDArray[np.int32],
        bits: NDArray[np.int32],
        shares: NDArray[np.float64],
        power: float,
        k1: float,
        b: float,
        group_k1: float,
        stands_for: NDArray[np.int32] | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.uint64], NDArray[np.float64]]: ...
    def idf(self, terms: NDArray[np.int32]) -> NDArray[np.float64]: ...
    def document_frequencies(self, terms: NDArray[np.int32]) -> NDArray[np.int32]: ...
    def rarest(self, terms: NDArray[np.int32], most: int, postings: int) -> NDArray[np.int32]: ...
    def dump(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]: ...
    @staticmethod
    def load(
        offsets: NDArray[np.int64],
        rows: NDArray[np.int32],
        counts: NDArray[np.float32],
        groups: NDArray[np.int32],
        least_length: float = 0.0,
    ) -> Postings: ...
