"""Which of some labels a short text is of: what its words weigh and what filters over its tokens answer, added."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels import classify
from brain_core.text.convolution import Convolution
from brain_core.text.linear import Linear, named_features


class Classifier:
    """A linear classifier of link "one" and a convolution beside it, of the same labels. Safe for many threads."""

    def __init__(self, linear: Linear, convolution: Convolution) -> None:
        """Join them. Raises ValueError where their labels differ."""
        if linear.labels != convolution.labels:
            raise ValueError(f"labels are {linear.labels} of words, {convolution.labels} of filters")
        self._labels = linear.labels
        self._between_ends = convolution.between_ends
        self._kernel = classify.Classifier(linear.weights, convolution.filters)

    def likeliest(
        self, text: str, named: Iterable[str], vector: NDArray[np.float32], tokens: Sequence[int]
    ) -> tuple[str, float]:
        """Return (label, how likely it is, 0..1). named, vector: as of `Linear`. tokens: as of `Convolution`."""
        label, likely = self._kernel.likeliest(text, named_features(named), vector, self._between_ends(tokens))
        return self._labels[label], likely
