"""What a message of 20 words weighs for six labels."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.linear import feature_codes, weigh_text

_ROWS, _LABELS, _NAMED = 1 << 18, 6, [7, 11]
_WORDS = [*"^今天要做什么呢?$", "what", "did", "we", "decide", "about", "the", "old", "garden", "fence"]


def cases(size: Size) -> Iterator[Case]:  # noqa: ARG001  a message is as long in a memory of any size
    """Its features, and their rows added up."""
    rows = chance().integers(-127, 128, (_ROWS, _LABELS), dtype=np.int8)
    bias, out = np.zeros(_LABELS, np.float32), np.zeros(_LABELS, np.float32)
    told, asked = f"{len(_WORDS)} words", (rows, _WORDS, _NAMED, bias, 0.01, out)
    yield Case(
        "linear.feature_codes", told, lambda: feature_codes(_WORDS), lambda: reference.linear.feature_codes(_WORDS)
    )
    yield Case("linear.weigh_text", told, lambda: weigh_text(*asked), lambda: reference.linear.weigh_text(*asked))
