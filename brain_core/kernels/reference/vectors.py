"""What the functions of `vectors` answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SCALE_BYTES = 4
_BYTE_MOST, _WHOLE_MOST, _RANGE = 127, 32767, 65536


def quantise(vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return uint8[m, d + 4], the vectors float32[m, d], d ≥ 1, as an index keeps them: signed bytes, then their scale.

    scale: the greatest |number| / 127, rounded to 17 bits; bytes: number / scale, half to even. What `expand` makes
    of a row gives that row again. A vector with a number that is not within ±65536, as half floats are, is one of
    zeros. Raises ValueError.
    """
    if vectors.shape[1] == 0:
        raise ValueError("vectors must have at least one number")
    scales = _scales(vectors, _BYTE_MOST)
    scales = ((scales.view(np.uint32) + np.uint32(0x40)) & ~np.uint32(0x7F)).view(np.float32)
    numbers = _in_scales(vectors, scales[:, None], _BYTE_MOST).astype(np.int8)
    return np.concatenate([numbers.view(np.uint8), scales[:, None].view(np.uint8)], axis=1)


def _scales(vectors: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    """Return what 1 of whole numbers up to `most` counts in each vector: float32[m], 0 of one that points nowhere."""
    greatest: NDArray[np.float32] = np.abs(vectors).max(axis=1, initial=0)
    greatest[~(greatest <= _RANGE)] = 0
    return greatest / np.float32(most)


def _in_scales(numbers: NDArray[np.float32], scale: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    """Return numbers in scales, whole and within ±most, half to even; 0 where the scale is."""
    divided = np.divide(numbers, scale, out=np.zeros_like(numbers), where=scale > 0)
    return np.clip(np.rint(divided), -most, most)


def _numbers(packed: NDArray[np.uint8], rows: NDArray[np.int32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return (int8[m, d], scales float32[m, 1]) of rows."""
    for place, row in enumerate(rows.tolist()):
        if not 0 <= row < len(packed):
            raise IndexError(f"rows[{place}] is {row}, not in 0..{len(packed) - 1}")
    picked = packed[rows]
    return picked[:, :-SCALE_BYTES].view(np.int8), picked[:, -SCALE_BYTES:].copy().view(np.float32)


def cosines(packed: NDArray[np.uint8], rows: NDArray[np.int32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32[m], the inner product of the query float32[d] with the vectors of rows int32[m].

    packed: uint8[n, d + 4] as of `quantise`, d ≥ 1. The query is rounded to 32,767ths of its greatest number, half to
    even; what is summed are whole numbers.
    """
    d = packed.shape[1] - SCALE_BYTES
    if d <= 0:
        raise ValueError("vectors must have at least one number")
    if len(query) != d:
        raise ValueError(f"query has {len(query)} numbers, vectors have {d}")
    numbers, scales = _numbers(packed, rows)
    [scale] = _scales(query[None, :], _WHOLE_MOST)
    wholes = _in_scales(query, scale, _WHOLE_MOST).astype(np.int64)
    products: NDArray[np.float32] = (numbers.astype(np.int64) @ wholes).astype(np.float32) * (scales[:, 0] * scale)
    return products


def nearest(
    packed: NDArray[np.uint8], rows: NDArray[np.int32], query: NDArray[np.float32], k: int
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return (rows int32[≤ k], inner products float32[≤ k]) of the k best of rows, the lower row first among equals.

    A row whose product is 0 has no vector and is left out. k ≥ 0; otherwise as cosines.
    """
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    products = cosines(packed, rows, query)
    places = np.lexsort((rows, -products))
    best = places[products[places] != 0][:k]
    return rows[best], products[best]


def expand(packed: NDArray[np.uint8], rows: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return float32[m, d], the vectors of rows: exact, for a scale has 17 bits and a byte 7."""
    if packed.shape[1] <= SCALE_BYTES:
        raise ValueError("vectors must have at least one number")
    numbers, scales = _numbers(packed, rows)
    return numbers.astype(np.float32) * scales
