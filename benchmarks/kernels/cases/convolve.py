"""What a message reads like: 20 tokens of 48 numbers, 64 filters of each of three widths."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.convolve import Filters
from brain_core.kernels.vectors import quantise

_TABLE, _TOKENS, _NUMBERS = 30_000, 20, 48
_FILTERS, _WIDTHS, _LABELS = 64, 3, 6


def cases(size: Size) -> Iterator[Case]:  # noqa: ARG001  a message is as long in a memory of any size
    """One message."""
    random = chance()
    weights = (
        quantise(random.standard_normal((_TABLE, _NUMBERS), dtype=np.float32)),
        random.standard_normal((_NUMBERS * _WIDTHS * (_WIDTHS + 1) // 2, _FILTERS), dtype=np.float32),
        random.standard_normal(_FILTERS * _WIDTHS, dtype=np.float32),
        random.standard_normal((_FILTERS * _WIDTHS, _LABELS), dtype=np.float32),
        random.standard_normal(_LABELS, dtype=np.float32),
    )
    kernel, twin = Filters(*weights), reference.convolve.Filters(*weights)
    texts = [random.permutation(_TABLE)[:_TOKENS].tolist()]
    yield Case("convolve.scores", f"{_TOKENS} tokens", lambda: kernel.scores(texts), lambda: twin.scores(texts))
