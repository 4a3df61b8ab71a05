"""What `linear` answers."""

from __future__ import annotations

import re
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.sums import in_lanes

_TOGETHER, _HEAD, _TAIL = 3, 4, 3  # words side by side, letters of a word's two ends
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:['’][^\W_{_CJK}]+)?|[^\s\w]")
_FIGURES = str.maketrans("123456789", "000000000")


def feature_codes(text: str) -> list[int]:
    """Return the CRC-32 of each feature once: words, two and three of them with spaces, first 4 and last 3 letters.

    A text is ^, its words in small letters and with 0 for any figure, and $.
    """
    words = ["^", *_WORD.findall(text.lower().translate(_FIGURES)), "$"]
    runs = [" ".join(words[at : at + run]) for run in range(1, _TOGETHER + 1) for at in range(len(words) - run + 1)]
    long = [word for word in words if len(word) > _HEAD]
    ends = [*(f"{word[:_HEAD]}*" for word in long), *(f"*{word[-_TAIL:]}" for word in long)]
    return [crc32(one.encode()) for one in dict.fromkeys([*runs, *ends])]


class Weights:
    """What a fitted classifier knows of features, and of vectors, for each of its labels."""

    def __init__(
        self, rows: NDArray[np.int8], scale: float, bias: NDArray[np.float32], meaning: NDArray[np.float32]
    ) -> None:
        """rows: int8[n, labels], n a power of two. bias: float32[labels]. meaning: float32[dimension, labels]."""
        n, labels = rows.shape
        if n == 0 or n & (n - 1):
            raise ValueError(f"rows must be a power of two, got {n}")
        if len(bias) != labels or meaning.shape[1] != labels:
            raise ValueError(f"rows has {labels} columns but bias has {len(bias)} and meaning {meaning.shape[1]}")
        self.rows, self.scale, self.bias, self.meaning = rows, np.float32(scale), bias, meaning

    def scores(self, texts: list[str], named: list[list[int]], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return of texts bias + scale · (Σ of features' rows / √(how many) + Σ of named rows) + vector · meaning.

        A feature's row is its code modulo n. named: of each text a list of 0..n - 1. vectors: float32[texts,
        dimension]. Rows are added as whole numbers, vector · meaning in lanes. Returns float32[texts, labels].
        """
        count, dimension = len(texts), len(self.meaning)
        if len(named) != count or vectors.shape != (count, dimension):
            raise ValueError(
                f"{count} texts must have as many of named and vectors of {dimension}, got {len(named)} and "
                f"{len(vectors)} of {vectors.shape[1]}"
            )
        found = np.empty((count, len(self.bias)), dtype=np.float32)
        for place, text in enumerate(texts):
            for row in named[place]:
                if not 0 <= row < len(self.rows):
                    raise ValueError(f"named rows must be in 0..{len(self.rows) - 1}, got {row}")
            codes = feature_codes(text)
            of_words = self.rows[[code % len(self.rows) for code in codes]].sum(axis=0, dtype=np.int32)
            of_names = self.rows[named[place]].sum(axis=0, dtype=np.int32)
            share = np.float32(len(codes) ** -0.5)
            weighed = self.scale * (share * of_words.astype(np.float32) + of_names.astype(np.float32))
            found[place] = (self.bias + weighed) + in_lanes(vectors[place] * self.meaning.T)
        return found
