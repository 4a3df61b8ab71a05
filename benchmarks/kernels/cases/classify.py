"""Which of six labels a message of 20 words is of."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import classify, convolve, linear, reference
from brain_core.kernels.vectors import quantise

_ROWS, _LABELS, _DIMENSION = 1 << 18, 6, 384
_TABLE, _TOKENS, _NUMBERS, _FILTERS = 30_000, 20, 48, 64
_TEXT = "今天要做什么呢? What did we decide about the old garden fence?"


def cases(size: Size) -> Iterator[Case]:  # noqa: ARG001  a message is as long in a memory of any size
    """One message, by its words, its vector and filters over its tokens."""
    random = chance()
    words = (
        random.integers(-127, 128, (_ROWS, _LABELS), dtype=np.int8),
        0.01,
        np.zeros(_LABELS, np.float32),
        random.standard_normal((_DIMENSION, _LABELS), dtype=np.float32),
    )
    order = (
        quantise(random.standard_normal((_TABLE, _NUMBERS), dtype=np.float32)),
        random.standard_normal((_NUMBERS, _FILTERS), dtype=np.float32),
        random.standard_normal(_FILTERS, dtype=np.float32),
        random.standard_normal((_FILTERS, _LABELS), dtype=np.float32),
        np.zeros(_LABELS, np.float32),
    )
    kernel = classify.Classifier(linear.Weights(*words), convolve.Filters(*order))
    twin = reference.classify.Classifier(reference.linear.Weights(*words), reference.convolve.Filters(*order))
    tokens = random.permutation(_TABLE)[:_TOKENS].tolist()
    asked = (_TEXT, [7, 11], random.standard_normal(_DIMENSION, dtype=np.float32), tokens)
    told = f"20 words, {_TOKENS} tokens"
    yield Case("classify.likeliest", told, lambda: kernel.likeliest(*asked), lambda: twin.likeliest(*asked))
