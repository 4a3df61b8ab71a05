"""What a short text reads like: small filters over the vectors of its tokens, in their order.

Beside `linear.py`, which knows words by heart, it knows what is said in like words: a token's vector is that of the
built-in table, brought to a few dimensions, and of tokens that were often met something learned besides. Filters look
at one token, two and so on; each answers with its strongest match in the text:

    scores[label] = base + Σ strongest(filter) · head[filter, label]

Nothing is learned here: `benchmarks/quality/linear` fits models and writes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from brain_core.kernels.convolve import FILTERS_TOGETHER, Filters
from brain_core.kernels.vectors import quantise

MOST_TOKENS = 96
"""Of a longer text the first and the last half of so many are read."""

_TENSORS = ("onto", "tokens", "rows", "scales", "filters", "bias", "head", "base")

Vectors = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""What `StaticEmbedder.token_vectors` does: float32[dimension, d] to float32[tokens, d]."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a file of weights holds."""

    labels: tuple[str, ...]
    onto: NDArray[np.float16]
    """float16[dimension, d]: what a token's vector in the built-in table is multiplied with"""
    tokens: NDArray[np.uint32]
    """uint32[k], distinct: those that have something learned; the two after the table's are a text's begin and end"""
    rows: NDArray[np.int8]
    """int8[k, d]: of each of them, in `scales`, what is added"""
    scales: NDArray[np.float32]
    """float32[k]"""
    filters: NDArray[np.float16]
    """float16[d · w (w + 1) / 2, f]: as of the kernel `convolve`, f a multiple of FILTERS_TOGETHER"""
    bias: NDArray[np.float32]
    """float32[w · f]"""
    head: NDArray[np.float32]
    """float32[w · f, labels]"""
    base: NDArray[np.float32]
    """float32[labels]"""


class Convolution:
    """A fitted classifier of texts by their tokens. Safe to use from many threads."""

    def __init__(self, fitted: Fitted, vectors: Vectors) -> None:
        """Make the rows of all tokens. Raises ValueError where the weights do not fit each other or the table."""
        _check(fitted)
        self.labels = fitted.labels
        rows = vectors(fitted.onto.astype(np.float32))
        self._begin, self._end = len(rows), len(rows) + 1
        if len(fitted.tokens) and fitted.tokens.max() > self._end:
            raise ValueError(f"token {fitted.tokens.max()} is learned, the table has {len(rows)}")
        learned, of_ends = fitted.rows * fitted.scales[:, None], fitted.tokens >= len(rows)
        rows[fitted.tokens[~of_ends]] += learned[~of_ends]
        ends = np.zeros((2, rows.shape[1]), np.float32)
        ends[fitted.tokens[of_ends] - len(rows)] = learned[of_ends]
        packed = np.concatenate([quantise(rows), quantise(ends)])
        self.filters = Filters(packed, fitted.filters.astype(np.float32), fitted.bias, fitted.head, fitted.base)

    def scores(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Return float32[texts, labels] on the scale of log odds. texts: of each its tokens, in their order."""
        return self.filters.scores([self.between_ends(tokens) for tokens in texts])

    def between_ends(self, tokens: Sequence[int]) -> list[int]:
        """Return a text's tokens as filters read them. Of more than MOST_TOKENS only the two ends are read."""
        return [self._begin, *heard(tokens), self._end]


def heard(tokens: Sequence[int]) -> Sequence[int]:
    """Return what of a text's tokens is read: all, or of more than MOST_TOKENS the two ends."""
    half = MOST_TOKENS // 2
    return tokens if len(tokens) <= MOST_TOKENS else [*tokens[:half], *tokens[-half:]]


def write_convolution(fitted: Fitted, file: Path) -> None:
    """Write weights where `read_convolution` finds them. Raises ValueError where they do not fit each other."""
    _check(fitted)
    tensors: dict[str, NDArray[Any]] = {
        "onto": fitted.onto,
        "tokens": fitted.tokens,
        "rows": fitted.rows,
        "scales": fitted.scales,
        "filters": fitted.filters,
        "bias": fitted.bias,
        "head": fitted.head,
        "base": fitted.base,
    }
    file.write_bytes(save(tensors, {"labels": json.dumps(fitted.labels)}))


def read_convolution(file: Path, vectors: Vectors) -> Convolution:
    """Read a model. Raises ValueError when the file is not there, is damaged, holds something else or does not fit."""
    try:
        with safe_open(file, "np") as stored:
            tensors = [stored.get_tensor(name) for name in _TENSORS]
            labels = tuple(json.loads((stored.metadata() or {})["labels"]))
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise ValueError(f"{file}: not a readable classifier: {error}") from error
    try:
        return Convolution(Fitted(labels, *tensors), vectors)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _check(fitted: Fitted) -> None:
    """Refuse what does not fit together. Raises ValueError."""
    arrays: dict[str, tuple[NDArray[Any], type[np.generic], int]] = {
        "onto": (fitted.onto, np.float16, 2),
        "tokens": (fitted.tokens, np.uint32, 1),
        "rows": (fitted.rows, np.int8, 2),
        "scales": (fitted.scales, np.float32, 1),
        "filters": (fitted.filters, np.float16, 2),
        "bias": (fitted.bias, np.float32, 1),
        "head": (fitted.head, np.float32, 2),
        "base": (fitted.base, np.float32, 1),
    }
    for name, (array, of_type, axes) in arrays.items():
        if array.dtype != of_type or array.ndim != axes or not np.isfinite(array).all():
            raise ValueError(f"{name} must be {np.dtype(of_type).name}, finite, of {axes} axes")
    d, k, size, f = fitted.onto.shape[1], len(fitted.tokens), len(fitted.bias), fitted.filters.shape[1]
    if fitted.rows.shape != (k, d) or len(fitted.scales) != k:
        raise ValueError(f"{k} tokens must have {k} rows of {d} numbers and as many scales")
    if len(np.unique(fitted.tokens)) != k:
        raise ValueError("a token is learned twice")
    widths = size // f if f else 0
    if not d or not f or f % FILTERS_TOGETHER or not widths or size != widths * f:
        raise ValueError(f"filters must be a multiple of {FILTERS_TOGETHER} for each width, got {f} of {size}")
    if len(fitted.filters) != d * widths * (widths + 1) // 2:
        raise ValueError(f"filters must have {d * widths * (widths + 1) // 2} rows, got {len(fitted.filters)}")
    if fitted.head.shape != (size, len(fitted.labels)) or fitted.base.shape != (len(fitted.labels),):
        raise ValueError(f"head and base must have {len(fitted.labels)} columns, one for each label")
