from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

NOTHING: int
TITLE: int
TEXT: int
RANKS: tuple[str, ...]
SIGNALS: tuple[str, ...]

Joined = tuple[NDArray[np.uint8], NDArray[np.int64]]

def evidence_ids(content: NDArray[np.uint8], ends: NDArray[np.int64], rows: Iterable[int]) -> list[str]: ...
def told(
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    queries: NDArray[np.int32],
    fused: NDArray[np.float64],
    recency: NDArray[np.float64],
    places: NDArray[np.int64],
    lists: list[tuple[int, int, NDArray[np.int32], NDArray[np.float64]]],
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]: ...
def context_evidences(
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    pieces: tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]],
    heads: list[bytes],
    labels: Joined,
    speakers: NDArray[np.int32],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    scores: NDArray[np.float64],
    shown: int,
    longest: int,
) -> bytes: ...
def dropped(
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: NDArray[np.int32],
    reasons: NDArray[np.int32],
    words: list[bytes],
    field: int,
) -> bytes: ...
def selected(
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: NDArray[np.int32],
    groups: list[str],
    scores: NDArray[np.float64],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    relations: list[str],
    further: list[str],
    field: int,
) -> bytes: ...
def expansions(terms: list[str], weights: NDArray[np.float64], query: int, source: str, field: int) -> bytes: ...
