"""Features to scores."""

from collections.abc import Iterator

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.features import NAMES
from brain_core.kernels.ranker import linear


def cases(size: Size) -> Iterator[Case]:
    """Give the weighted mean."""
    random = chance()
    matrix, weights = random.random((size.candidates, len(NAMES))), random.random(len(NAMES))
    rows, share = matrix.tolist(), (weights / weights.sum()).tolist()
    yield Case(
        "ranker.linear",
        f"{size.candidates} candidates, {len(NAMES)} features",
        lambda: linear(matrix, weights),
        lambda: reference.linear(matrix, weights),
        lambda: [sum(one * weight for one, weight in zip(row, share, strict=True)) for row in rows],
    )
