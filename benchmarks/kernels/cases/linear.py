"""What a message of 20 words weighs for six labels."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import linear, reference

_ROWS, _LABELS, _DIMENSION = 1 << 18, 6, 384
_TEXT = "今天要做什么呢? What did we decide about the old garden fence?"


def cases(size: Size) -> Iterator[Case]:  # noqa: ARG001  a message is as long in a memory of any size
    """Its features, and their rows and its vector added up."""
    weights = (
        chance().integers(-127, 128, (_ROWS, _LABELS), dtype=np.int8),
        0.01,
        np.zeros(_LABELS, np.float32),
        chance().standard_normal((_DIMENSION, _LABELS), dtype=np.float32),
    )
    kernel, twin = linear.Weights(*weights), reference.linear.Weights(*weights)
    told, asked = "20 words", ([_TEXT], [[7, 11]], chance().standard_normal((1, _DIMENSION), dtype=np.float32))
    yield Case(
        "linear.feature_codes",
        told,
        lambda: linear.feature_codes(_TEXT),
        lambda: reference.linear.feature_codes(_TEXT),
    )
    yield Case("linear.scores", told, lambda: kernel.scores(*asked), lambda: twin.scores(*asked))
