"""What `convolve` answers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.sums import LANES
from brain_core.kernels.reference.vectors import SCALE_BYTES, expand


class Filters:
    """Filters over the vectors of tokens, and what their answers weigh for each of some labels."""

    def __init__(
        self,
        packed: NDArray[np.uint8],
        filters: NDArray[np.float32],
        bias: NDArray[np.float32],
        head: NDArray[np.float32],
        base: NDArray[np.float32],
    ) -> None:
        """packed: uint8[n, d + 4]. filters: float32[d · w (w + 1) / 2, f], by width. bias: float32[w · f].

        head: float32[w · f, labels]. base: float32[labels].
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
        if head.shape != (len(bias), len(base)):
            raise ValueError(f"head must have {len(bias)} rows of {len(base)}, got {len(head)} of {head.shape[1]}")
        self.packed, self.filters, self.bias = packed, filters, bias.reshape(widths, f)
        self.head, self.base = head, base

    def scores(self, texts: list[list[int]]) -> NDArray[np.float32]:
        """Return of each text and label base + Σ over filters of the strongest answer, at least 0, times head.

        texts: of each its tokens, 0..n - 1. A filter of a width answers bias + Σ window · filter, of the tokens from
        each on; behind its last a text has zeros. Returns float32[texts, labels].
        """
        out = np.zeros((len(texts), len(self.base)), np.float32)
        for text, tokens in enumerate(texts):
            for place, token in enumerate(tokens):
                if not 0 <= token < len(self.packed):
                    raise ValueError(f"tokens[{place}] must be in 0..{len(self.packed) - 1}, got {token}")
            vectors = expand(self.packed, np.array(tokens, np.int32))
            strongest = np.concatenate(list(self._strongest(vectors)))
            for number, row in zip(strongest, self.head, strict=True):
                out[text] += number * row
        return self.base + out

    def _strongest(self, tokens: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
        """Yield by width, 1 and up, of each filter the strongest answer: float32[f]."""
        size, d = tokens.shape
        ahead = np.concatenate([tokens, np.zeros((len(self.bias), d), np.float32)]).ravel()
        first = 0
        for width, begin in enumerate(self.bias, start=1):
            best = np.maximum(begin, np.float32(0))
            for place in range(size):
                answer = begin.copy()
                for number, row in zip(ahead[place * d :], self.filters[first : first + width * d], strict=False):
                    answer += number * row
                best = np.maximum(best, answer)
            first += width * d
            yield best
