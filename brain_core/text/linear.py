"""What a short text reads like: a linear classifier over hashed words, English and Chinese.

A Han character is a word here. Features of a text are its words, runs of two and three of them, and the first four and
last three letters of longer words; a caller may name further ones ("sign:debug", "role:user"). Each feature falls into
one of `BUCKETS` by its CRC-32, so a model is one table, and the same in every process and on every machine:

    scores[label] = bias + scale · (Σ of the text's rows / √(how many) + Σ of the named rows)

Nothing is learned here. `benchmarks/quality/linear` fits models and writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import exp, sqrt, tanh
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from brain_core.text.words import CJK

BUCKETS = 1 << 18
"""In the files of weights: another number needs all of them fitted again, as do other features."""

_TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:['’][^\W_{CJK}]+)?|[^\s\w]")
_DIGITS = str.maketrans("123456789", "000000000")
_HEAD, _TAIL = 4, 3

Link = Literal["one", "each"]
"""one: exactly one label is right, probabilities sum to 1. each: every label is right or not by itself."""


def features(text: str) -> list[int]:
    """Return the buckets of a text's features, of 0..BUCKETS-1, each feature once. Case and figures are folded."""
    words = ["^", *_TOKEN.findall(text.lower().translate(_DIGITS)), "$"]
    long = [word for word in words if len(word) > _HEAD]
    coded = [*map(str.encode, words)]
    grams = chain(
        coded,
        map(b" ".join, pairwise(coded)),
        map(b" ".join, zip(coded, coded[1:], coded[2:], strict=False)),
        [f"{word[:_HEAD]}*".encode() for word in long],
        [f"*{word[-_TAIL:]}".encode() for word in long],
    )
    return _buckets(dict.fromkeys(grams))


def named_features(names: Iterable[str]) -> list[int]:
    """Return the buckets of features that a caller names; no text has them but by chance."""
    return _buckets([f"= {name}".encode() for name in names])


def _buckets(grams: Iterable[bytes]) -> list[int]:
    return [value & (BUCKETS - 1) for value in map(crc32, grams)]


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

    def scores(self, text: str, named: Iterable[str] = ()) -> NDArray[np.float32]:
        """Return float32[labels] on the scale of log odds."""
        return np.array(self._scores(text, named), np.float32)

    def scores_of_each(self, texts: Sequence[tuple[str, Iterable[str]]]) -> NDArray[np.float32]:
        """Return float32[texts, labels]: the scores of several texts, each with its named features, in one pass."""
        if not texts:
            return np.zeros((0, len(self.labels)), np.float32)
        found = [features(text) for text, _ in texts]
        extra = [named_features(named) for _, named in texts]
        rows = self.rows.take([*chain(*found), *chain(*extra)], axis=0)
        counts = np.array([len(one) for one in chain(found, extra)])
        ends = counts.cumsum()
        sums = np.zeros((len(counts) + 1, len(self.labels)), np.int32)
        rows.cumsum(axis=0, dtype=np.int32).take(ends - 1, axis=0, out=sums[1:])
        of_texts, of_names = np.split(np.diff(sums, axis=0).astype(np.float32), 2)
        weights = counts[: len(texts), None].astype(np.float32) ** np.float32(0.5)
        scores: NDArray[np.float32] = self.bias + self.scale * (of_texts / weights + of_names)
        return scores

    def named(self, names: Iterable[str]) -> NDArray[np.float32]:
        """Return float32[labels]: what named features add to the scores of a text."""
        added: NDArray[np.float32] = self.scale * np.array(self._sums(named_features(names)), np.float32)
        return added

    def probabilities(self, text: str, named: Iterable[str] = ()) -> NDArray[np.float32]:
        """Return float32[labels] in 0..1, how likely each label is by `link`."""
        scores = self._scores(text, named)
        if self.link == "each":
            return np.array([0.5 + 0.5 * tanh(0.5 * score) for score in scores], np.float32)
        highest = max(scores)
        powers = [exp(score - highest) for score in scores]
        total = sum(powers)
        return np.array([power / total for power in powers], np.float32)

    def _scores(self, text: str, named: Iterable[str]) -> list[float]:
        """Return the score of each label. Rows are summed as whole numbers: their order is no matter."""
        found, further = features(text), named_features(named)
        scale = float(self.scale)
        share = scale / sqrt(len(found))
        sums = zip(self.bias.tolist(), self._sums(found), self._sums(further), strict=True)
        return [bias + share * said + scale * told for bias, said, told in sums]

    def _sums(self, buckets: list[int]) -> list[int]:
        if not buckets:
            return [0] * len(self.labels)
        sums: list[int] = self.rows.take(buckets, axis=0).sum(axis=0, dtype=np.int32).tolist()
        return sums


def write_linear(model: Linear, file: Path) -> None:
    """Write a model where `read_linear` finds it: the buckets that weigh something, and their rows."""
    used = np.flatnonzero(model.rows.any(axis=1)).astype(np.uint32)
    tensors: dict[str, NDArray[Any]] = {
        "buckets": used,
        "rows": model.rows[used],
        "scale": np.array([model.scale]),
        "bias": model.bias,
    }
    file.write_bytes(save(tensors, {"labels": json.dumps(model.labels), "link": model.link}))


def read_linear(file: Path) -> Linear:
    """Read a model. Raises ValueError when the file is not there, is damaged or holds something else."""
    try:
        with safe_open(file, "np") as stored:
            told = stored.metadata() or {}
            used, rows, scale, bias = (stored.get_tensor(name) for name in ("buckets", "rows", "scale", "bias"))
            labels, link = tuple(json.loads(told["labels"])), told["link"]
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise ValueError(f"{file}: not a readable classifier: {error}") from error
    if link not in ("one", "each") or rows.shape != (len(used), len(labels)) or bias.shape != (len(labels),):
        raise ValueError(f"{file}: its weights do not fit its labels")
    if rows.dtype != np.int8 or (len(used) and used.max() >= BUCKETS):
        raise ValueError(f"{file}: rows must be int8, for buckets below {BUCKETS}")
    table = np.zeros((BUCKETS, len(labels)), np.int8)
    table[used] = rows
    return Linear(labels, "one" if link == "one" else "each", table, np.float32(scale[0]), bias.astype(np.float32))
