"""What `classify` answers."""

from __future__ import annotations

from math import exp

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.convolve import Filters
from brain_core.kernels.reference.linear import Weights
from brain_core.kernels.reference.sums import sum_in_order


class Classifier:
    """Weights of words and filters of the same labels, of which exactly one is right."""

    def __init__(self, words: Weights, order: Filters) -> None:
        """words, order: of as many labels, at least one."""
        if len(words.bias) != len(order.base) or not len(words.bias):
            raise ValueError(f"words are of {len(words.bias)} labels, order of {len(order.base)}")
        self.words, self.order = words, order

    def likeliest(
        self, text: str, named: list[int], meaning: NDArray[np.float32], tokens: list[int]
    ) -> tuple[int, float]:
        """Return (label, how likely it is of all, 0..1): that of the best sum of both scores, of equals the first."""
        if len(meaning) != len(self.words.meaning):
            raise ValueError(f"meaning must have {len(self.words.meaning)} numbers, got {len(meaning)}")
        scores = self.words.scores([text], [named], meaning[None])[0] + self.order.scores([tokens])[0]
        best = int(scores.argmax())
        return best, 1 / sum_in_order(exp(float(one) - float(scores[best])) for one in scores)
