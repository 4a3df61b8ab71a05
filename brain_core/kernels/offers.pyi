import numpy as np
from numpy.typing import NDArray

OFFERED: int
REPEATS: int
PINNED: int
SILENT: int
BELOW: int

def offered(
    ranking: tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]],
    reach: int,
    kept: NDArray[np.int64],
    columns: tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]],
    kinds: tuple[int, int, int],
    recent: NDArray[np.int32],
    pinned: NDArray[np.uint8],
    worded: NDArray[np.uint8],
    exponent: float,
    floors: tuple[float, float, float],
    quotas: tuple[int, int, float] | None,
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.bool_],
    NDArray[np.uint8],
    NDArray[np.int8],
    float,
]: ...
def of_one_source(
    rows: NDArray[np.int32],
    fates: NDArray[np.int8],
    kinds: NDArray[np.uint8],
    sources: NDArray[np.int32],
    wanted: tuple[int, int, int],
    order: NDArray[np.int32],
) -> list[tuple[int, int, bool]]: ...
def core(
    masks: NDArray[np.uint64],
    rows: NDArray[np.int32],
    allowed: NDArray[np.uint8],
    weights: NDArray[np.float64],
    share: float,
) -> tuple[int, int]: ...
def top(
    places: NDArray[np.int64],
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    recent: NDArray[np.bool_],
    may_open: NDArray[np.uint8],
    masks: NDArray[np.uint64],
    bits: int,
    floors: tuple[float, float, float],
) -> tuple[NDArray[np.int32], NDArray[np.uint8], float, int]: ...
def rest(
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    recent: NDArray[np.bool_],
    may_open: NDArray[np.uint8],
    floor: float,
    away: list[int],
    missing: list[int],
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]: ...
def priced(
    rows: NDArray[np.int32],
    may_open: NDArray[np.uint8],
    repeats: list[int],
    columns: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8]],
    item: int,
    labels: NDArray[np.int32],
    longest: int,
) -> dict[int, int]: ...
