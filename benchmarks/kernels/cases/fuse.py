"""Two lists of half the candidates each joined into one, and where twelve rows stand in a list."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.fuse import fuse, places_in

_RRF_K = 60.0
_ROWS = 12


def cases(size: Size) -> Iterator[Case]:
    """Reciprocal rank fusion, and ranks."""
    random = chance()
    half = size.candidates // 2
    lists = [random.permutation(size.rows)[:half].astype(np.int32) for _ in range(2)]
    lists[1][: half // 4] = lists[0][half // 4 : 2 * (half // 4)]  # some rows are in both
    lists[1] = np.array(list(dict.fromkeys(lists[1].tolist())), dtype=np.int32)
    ranked = [(one, random.random(len(one)), 1.0) for one in lists]
    given = [one.tolist() for one in lists]

    def naive() -> object:
        joined: dict[int, float] = {}
        for one in given:
            for rank, row in enumerate(one, start=1):
                joined[row] = joined.get(row, 0.0) + 1.0 / (_RRF_K + rank)
        best = sorted(joined, key=lambda row: (-joined[row], row))
        return best, [joined[row] for row in best]

    yield Case(
        "fuse.fuse",
        f"2 lists of {half}, reciprocal ranks",
        lambda: fuse(ranked, "rrf", _RRF_K),
        lambda: reference.fuse.fuse(ranked, "rrf", _RRF_K),
        naive,
    )
    listed, wanted = lists[0], np.concatenate([lists[0][-_ROWS // 2 :], lists[1][-_ROWS // 2 :]])
    yield Case(
        "fuse.places_in",
        f"{len(wanted)} rows in a list of {half}",
        lambda: places_in(listed, wanted),
        lambda: reference.fuse.places_in(listed, wanted),
    )
