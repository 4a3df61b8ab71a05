"""What a message reads like: 20 tokens of 48 numbers, 64 filters of each of three widths."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.convolve import convolve
from brain_core.kernels.vectors import quantise

_TABLE, _TOKENS, _NUMBERS = 30_000, 20, 48
_FILTERS, _WIDTHS, _LABELS = 64, 3, 6


def cases(size: Size) -> Iterator[Case]:  # noqa: ARG001  a message is as long in a memory of any size
    """One message."""
    random = chance()
    packed = quantise(random.standard_normal((_TABLE, _NUMBERS), dtype=np.float32))
    ids = random.permutation(_TABLE)[:_TOKENS].astype(np.int32)
    starts = np.array([0, _TOKENS], dtype=np.int32)
    filters = random.standard_normal((_NUMBERS * _WIDTHS * (_WIDTHS + 1) // 2, _FILTERS), dtype=np.float32)
    bias = random.standard_normal(_FILTERS * _WIDTHS, dtype=np.float32)
    head = random.standard_normal((_FILTERS * _WIDTHS, _LABELS), dtype=np.float32)
    asked = (packed, ids, starts, filters, bias, head)
    yield Case(
        "convolve.convolve", f"{_TOKENS} tokens", lambda: convolve(*asked), lambda: reference.convolve.convolve(*asked)
    )
