"""What the functions of `linear` answer."""

from __future__ import annotations

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

_TOGETHER, _HEAD, _TAIL = 3, 4, 3  # words side by side, letters of a word's two ends


def feature_codes(words: list[str]) -> list[int]:
    """Return the CRC-32 of each feature once: words, two and three of them with spaces, first 4 and last 3 letters."""
    runs = [" ".join(words[at : at + run]) for run in range(1, _TOGETHER + 1) for at in range(len(words) - run + 1)]
    long = [word for word in words if len(word) > _HEAD]
    ends = [*(f"{word[:_HEAD]}*" for word in long), *(f"*{word[-_TAIL:]}" for word in long)]
    return [crc32(one.encode()) for one in dict.fromkeys([*runs, *ends])]


def weigh_text(
    rows: NDArray[np.int8],
    words: list[str],
    named: list[int],
    bias: NDArray[np.float32],
    scale: float | np.float32,
    out: NDArray[np.float32],
) -> None:
    """Add to out: bias + scale · (Σ of the rows of the words' features / √(how many) + Σ of the named rows).

    rows: int8[n, labels], n a power of two; a feature's row is its code modulo n. named: 0..n - 1. bias, out:
    float32[labels].
    """
    n, labels = rows.shape
    if n == 0 or n & (n - 1):
        raise ValueError(f"rows must be a power of two, got {n}")
    if len(bias) != labels or len(out) != labels:
        raise ValueError(f"rows has {labels} columns but bias has {len(bias)} and out {len(out)}")
    if not words:
        raise ValueError("words must be at least one")
    for row in named:
        if not 0 <= row < n:
            raise ValueError(f"named rows must be in 0..{n - 1}, got {row}")
    found = [code % n for code in feature_codes(words)]
    shares = np.array([len(found) ** -0.5] * len(found) + [1.0] * len(named), dtype=np.float32)
    weighed = rows[[*found, *named]] * shares[:, None]
    out[:] = (bias + np.float32(scale) * np.add.reduceat(weighed, [0], axis=0)[0]) + out
