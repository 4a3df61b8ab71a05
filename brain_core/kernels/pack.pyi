import numpy as np
from numpy.typing import NDArray

def longer(content: NDArray[np.uint8], ends: NDArray[np.int64], rows: NDArray[np.int32], longest: int) -> list[int]: ...
def pack_evidences(
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: NDArray[np.int32],
    texts: list[str | None],
    policy: str,
    queries: NDArray[np.int32],
    provenance: tuple[list[str], list[str], bytes] | None,
    relations: list[str],
    raws: list[bytes],
    standing: tuple[NDArray[np.uint8], NDArray[np.uint8], int],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    field: int,
) -> bytes: ...
