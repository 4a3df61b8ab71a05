"""What `convolve.convolve` answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.sums import LANES
from brain_core.kernels.reference.vectors import SCALE_BYTES, expand


def convolve(
    packed: NDArray[np.uint8],
    ids: NDArray[np.int32],
    starts: NDArray[np.int32],
    filters: NDArray[np.float32],
    bias: NDArray[np.float32],
    head: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return of each text and label Σ over filters of the strongest answer, at least 0, times head: float32[texts, l].

    packed: uint8[n, d + 4]. ids: int32[k]. starts: int32[texts + 1]. filters: float32[d · w (w + 1) / 2, f], by width.
    bias: float32[w · f]. head: float32[w · f, l]. A filter of a width answers bias + Σ window · filter, of the tokens
    from each on; behind its last a text has zeros.
    """
    d, f = packed.shape[1] - SCALE_BYTES, filters.shape[1]
    if d <= 0:
        raise ValueError("vectors must have at least one number")
    if f == 0 or f % LANES:
        raise ValueError(f"a width must have a multiple of {LANES} filters, got {f}")
    widths = len(bias) // f
    if widths == 0 or len(bias) != widths * f:
        raise ValueError(f"bias must have {f} numbers for each width, got {len(bias)}")
    if len(filters) != d * (widths * (widths + 1) // 2):
        raise ValueError(f"filters must have {d * (widths * (widths + 1) // 2)} rows, got {len(filters)}")
    if len(head) != len(bias):
        raise ValueError(f"bias has {len(bias)} entries but head has {len(head)}")
    for number, row in enumerate(ids.tolist()):
        if not 0 <= row < len(packed):
            raise ValueError(f"ids[{number}] must be in 0..{len(packed) - 1}, got {row}")
    if not len(starts) or starts[0] != 0 or starts[-1] != len(ids):
        raise ValueError(f"starts must go from 0 to {len(ids)}")
    for text in range(1, len(starts)):
        if starts[text] < starts[text - 1]:
            raise ValueError(f"starts[{text}] must not be below starts[{text - 1}]")
    out = np.zeros((len(starts) - 1, head.shape[1]), np.float32)
    for text, (start, stop) in enumerate(pairwise(starts.tolist())):
        tokens = expand(packed, ids[start:stop])
        strongest = np.concatenate(list(_strongest(tokens, filters, bias.reshape(widths, f))))
        for number, row in zip(strongest, head, strict=True):
            out[text] += number * row
    return out


def _strongest(
    tokens: NDArray[np.float32], filters: NDArray[np.float32], bias: NDArray[np.float32]
) -> Iterator[NDArray[np.float32]]:
    """Yield by width, 1 and up, of each filter the strongest answer: float32[f]."""
    size, d = tokens.shape
    ahead = np.concatenate([tokens, np.zeros((len(bias), d), np.float32)]).ravel()
    first = 0
    for width, begin in enumerate(bias, start=1):
        best = np.maximum(begin, np.float32(0))
        for place in range(size):
            answer = begin.copy()
            for number, row in zip(ahead[place * d :], filters[first : first + width * d], strict=False):
                answer += number * row
            best = np.maximum(best, answer)
        first += width * d
        yield best
