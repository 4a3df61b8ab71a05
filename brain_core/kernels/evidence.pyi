from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

NOTHING: int
TITLE: int
TEXT: int

Joined = tuple[NDArray[np.uint8], NDArray[np.int64]]

def evidence_ids(content: NDArray[np.uint8], ends: NDArray[np.int64], rows: Iterable[int]) -> list[str]: ...
def text_and_title(content: NDArray[np.uint8], ends: NDArray[np.int64], row: int) -> tuple[str, str]: ...
def context_evidences(
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    pieces: tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]],
    standing: tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8], int, int],
    heads: list[bytes],
    texts: list[str],
    labels: Joined,
    speakers: NDArray[np.int32],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    scores: NDArray[np.float64],
    shown: int,
    longest: int,
    why: tuple[list[str], list[str], list[str], str, str, int],
) -> tuple[bytes, bytes, int, int]: ...
