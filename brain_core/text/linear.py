"""What a short text reads like: a linear classifier over hashed words, English and Chinese.

A Han character is a word here. Features of a text are its words, runs of two and three of them, and the first four and
last three letters of longer words; a caller may name further ones ("sign:debug", "role:user"). Each feature falls into
one of `BUCKETS` by its CRC-32, so a model is one table, and the same in every process and on every machine:

    scores[label] = bias + scale · (Σ of the text's rows / √(how many) + Σ of the named rows) + vector · meaning

The vector is what some embedder makes of the text; which one, the model's user knows. Nothing is learned here:
`benchmarks/quality/linear` fits models and writes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from brain_core.kernels.linear import Weights, feature_codes

BUCKETS = 1 << 18
"""In the files of weights: another number needs all of them fitted again, as do other features."""

_REMEMBERED = 8192  # names, of which a model has some hundred
_TENSORS = ("buckets", "rows", "scale", "bias", "meaning")

Link = Literal["one", "each"]
"""one: exactly one label is right, probabilities sum to 1. each: every label is right or not by itself."""

Text = tuple[str, Iterable[str]]
"""A text, and the features that a caller names of it."""


def features(text: str) -> list[int]:
    """Return the buckets of a text's features, of 0..BUCKETS-1, each feature once. Case and figures are folded."""
    return [code & (BUCKETS - 1) for code in feature_codes(text)]


def named_features(names: Iterable[str]) -> list[int]:
    """Return the buckets of features that a caller names; no text has them but by chance."""
    return [_bucket(name) for name in names]


@lru_cache(maxsize=_REMEMBERED)
def _bucket(name: str) -> int:
    return crc32(f"= {name}".encode()) & (BUCKETS - 1)


@dataclass(frozen=True, slots=True)
class Linear:
    """A fitted classifier of texts. Safe to use from many threads."""

    labels: tuple[str, ...]
    link: Link
    rows: NDArray[np.int8]
    """int8[BUCKETS, labels]"""
    scale: np.float32
    bias: NDArray[np.float32]
    """float32[labels]"""
    meaning: NDArray[np.float32]
    """float32[dimension, labels]: what the numbers of a text's vector weigh; of dimension 0, nothing."""

    weights: Weights = field(init=False, repr=False, compare=False)
    """All of it, as the kernel has it."""

    def __post_init__(self) -> None:
        """Hand it to the kernel. Raises ValueError where it does not fit."""
        object.__setattr__(self, "weights", Weights(self.rows, float(self.scale), self.bias, self.meaning))

    def scores(self, texts: Sequence[Text], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return float32[texts, labels] on the scale of log odds. vectors: float32[texts, dimension]."""
        named = [named_features(names) for _, names in texts]
        return self.weights.scores([text for text, _ in texts], named, vectors)

    def probabilities(self, texts: Sequence[Text], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return float32[texts, labels] in 0..1, how likely each label is by `link`. vectors: as of `scores`."""
        return self.likely(self.scores(texts, vectors))

    def likely(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return float32[texts, labels] in 0..1, how likely scores make each label, by `link`."""
        if self.link == "each":
            shares: NDArray[np.float32] = np.float32(1) / (np.exp(-scores) + np.float32(1))
            return shares
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        parts: NDArray[np.float32] = powers / powers.sum(axis=1, keepdims=True)
        return parts

    def named(self, names: Iterable[str]) -> NDArray[np.float32]:
        """Return float32[labels]: what named features add to the scores of a text."""
        buckets = named_features(names)
        added: NDArray[np.float32] = self.scale * self.rows.take(buckets, axis=0).sum(axis=0, dtype=np.int32)
        return added.astype(np.float32)

    def named_each(self, names: Sequence[Iterable[str]]) -> NDArray[np.float32]:
        """Return float32[texts, labels]: the same for each of some texts, of which each has a name."""
        buckets: list[int] = []
        starts: list[int] = []
        for of_text in names:
            starts.append(len(buckets))
            buckets += named_features(of_text)
        added = self.scale * np.add.reduceat(self.rows.take(buckets, axis=0), starts, axis=0, dtype=np.int32)
        return added.astype(np.float32)


def write_linear(model: Linear, file: Path) -> None:
    """Write a model where `read_linear` finds it: the buckets that weigh something, and their rows."""
    used = np.flatnonzero(model.rows.any(axis=1)).astype(np.uint32)
    tensors: dict[str, NDArray[Any]] = {
        "buckets": used,
        "rows": model.rows[used],
        "scale": np.array([model.scale]),
        "bias": model.bias,
        "meaning": model.meaning.astype(np.float16),
    }
    file.write_bytes(save(tensors, {"labels": json.dumps(model.labels), "link": model.link}))


def read_linear(file: Path) -> Linear:
    """Read a model. Raises ValueError when the file is not there, is damaged or holds something else."""
    try:
        with safe_open(file, "np") as stored:
            told = stored.metadata() or {}
            used, rows, scale, bias, meaning = (stored.get_tensor(name) for name in _TENSORS)
            labels, link = tuple(json.loads(told["labels"])), told["link"]
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise ValueError(f"{file}: not a readable classifier: {error}") from error
    fits = rows.shape == (len(used), len(labels)) and bias.shape == (len(labels),)
    if link not in ("one", "each") or not fits or meaning.ndim != 2 or meaning.shape[1] != len(labels):
        raise ValueError(f"{file}: its weights do not fit its labels")
    if rows.dtype != np.int8 or (len(used) and used.max() >= BUCKETS):
        raise ValueError(f"{file}: rows must be int8, for buckets below {BUCKETS}")
    table = np.zeros((BUCKETS, len(labels)), np.int8)
    table[used] = rows
    of_link: Link = "one" if link == "one" else "each"
    return Linear(labels, of_link, table, np.float32(scale[0]), bias.astype(np.float32), meaning.astype(np.float32))
