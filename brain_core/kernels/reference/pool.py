"""What the functions of `pool` answer."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.sums import sum_in_order


class Pool:
    """What tokens and words are pooled from: a table of bytes, and of each word some of its rows and their weights."""

    def __init__(
        self,
        rows: NDArray[np.int8],
        scales: NDArray[np.float32],
        starts: NDArray[np.int32],
        ids: NDArray[np.int32],
        weights: NDArray[np.float32],
    ) -> None:
        """rows: int8[n, d], d ≥ 1. scales: float32[n]. starts: int32[words + 1]. ids: int32[k], 0..n - 1.

        weights: float32[k]. The rows of word w are ids[starts[w]:starts[w + 1]].
        """
        _check_table(rows, scales)
        _check_ids(rows, ids, weights)
        _check_ends(starts, len(ids), "starts")
        self.rows, self.scales, self.parts = rows, scales, (starts, ids, weights)

    def vector(self, tokens: list[int], words: list[int]) -> NDArray[np.float32]:
        """Return the sum of weight · scales[i] · rows[i] of tokens, then of words' rows, of unit length: float32[d].

        What is there m times weighs √m, of a word times what its row does. Zeros if the sum is zero.
        """
        for what, numbers, count in (("tokens", tokens, len(self.rows)), ("words", words, len(self.parts[0]) - 1)):
            for place, number in enumerate(numbers):
                if not 0 <= number < count:
                    raise ValueError(f"{what}[{place}] must be in 0..{count - 1}, got {number}")
        often = Counter(words)
        said = np.array(list(often), np.int32), np.array(list(often.values()), np.int32)
        pairs = zip(counted(tokens), parts_of(*self.parts, *said), strict=True)
        ids, weights = (np.concatenate(pair) for pair in pairs)
        out = np.empty(self.rows.shape[1], np.float32)
        _add_rows(self.rows, self.scales, ids, weights, out)
        return _of_unit_length(out)


def _of_unit_length(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    length = math.sqrt(sum_in_order(float(one) * float(one) for one in vector))
    return (vector.astype(np.float64) / length).astype(np.float32) if length > 0 else vector


def turned(vectors: NDArray[np.float32], pairs: list[tuple[int, int]], share: float) -> NDArray[np.float32]:
    """Return of pairs (row, other) vectors[row] + share · vectors[other], of unit length: float32[pairs, d].

    vectors: float32[n, d], d ≥ 1. An other of -1 is none, and the row as it is. Zeros if the sum is zero.
    """
    n, d = vectors.shape
    if d == 0:
        raise ValueError("vectors must have at least one number")
    found = np.empty((len(pairs), d), np.float32)
    for place, (row, other) in enumerate(pairs):
        if not (0 <= row < n and -1 <= other < n):
            raise ValueError(f"pairs[{place}] must be of rows in 0..{n - 1}, got {row} and {other}")
        own = vectors[row]
        found[place] = own if other < 0 else _of_unit_length(own + np.float32(share) * vectors[other])
    return found


def _check_table(rows: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
    if len(scales) != len(rows):
        raise ValueError(f"rows has {len(rows)} entries but scales has {len(scales)}")
    if rows.shape[1] == 0:
        raise ValueError("rows must have at least one column")


def _check_ends(ends: NDArray[np.int32], count: int, what: str) -> None:
    if len(ends) == 0 or ends[0] != 0 or ends[-1] != count:
        raise ValueError(f"{what} must run from 0 to {count}")
    if (np.diff(ends) < 0).any():
        raise ValueError(f"{what} must not fall")


def _check_ids(rows: NDArray[np.int8], ids: NDArray[np.int32], weights: NDArray[np.float32]) -> None:
    if len(weights) != len(ids):
        raise ValueError(f"ids has {len(ids)} entries but weights has {len(weights)}")
    for number, row in enumerate(ids.tolist()):
        if not 0 <= row < len(rows):
            raise ValueError(f"ids[{number}] must be in 0..{len(rows) - 1}, got {row}")


def _add_rows(
    rows: NDArray[np.int8],
    scales: NDArray[np.float32],
    ids: NDArray[np.int32],
    weights: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    out[:] = 0.0
    for row, weight in zip(ids, weights, strict=True):
        out += (scales[row] * weight) * rows[row].astype(np.float32)


def pool_parts(
    rows: NDArray[np.int8],
    scales: NDArray[np.float32],
    ids: NDArray[np.int32],
    weights: NDArray[np.float32],
    ends: NDArray[np.int32],
) -> NDArray[np.float32]:
    """Return the weighted sums of some parts, as they are: float32[p, d]; part i is of ids[ends[i]:ends[i + 1]]."""
    _check_table(rows, scales)
    _check_ids(rows, ids, weights)
    _check_ends(ends, len(ids), "ends")
    out = np.empty((len(ends) - 1, rows.shape[1]), dtype=np.float32)
    for place, (start, stop) in enumerate(pairwise(ends.tolist())):
        _add_rows(rows, scales, ids[start:stop], weights[start:stop], out[place])
    return out


def counted(ids: list[int]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the distinct ids int32[k], as they first stand, and float32[k]: √ of how often each does."""
    counts = Counter(ids)
    found, often = np.array(list(counts), dtype=np.int32), np.array(list(counts.values()), dtype=np.float32)
    return found, np.sqrt(often)


def parts_of(
    starts: NDArray[np.int32],
    ids: NDArray[np.int32],
    weights: NDArray[np.float32],
    wanted: NDArray[np.int32],
    counts: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the ids int32[k] and weights float32[k] of some parts, one after the other; n times a part weighs √n.

    starts: int32[p + 1]: part i is ids[starts[i]:starts[i + 1]], and weights likewise. wanted: int32[m], numbers of
    parts. counts: int32[m], ≥ 1, how often each.
    """
    if len(weights) != len(ids):
        raise ValueError(f"ids has {len(ids)} entries but weights has {len(weights)}")
    if len(counts) != len(wanted):
        raise ValueError(f"wanted has {len(wanted)} entries but counts has {len(counts)}")
    found = [(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32))]
    for number, (part, count) in enumerate(zip(wanted.tolist(), counts.tolist(), strict=True)):
        if not (0 <= part < len(starts) - 1 and count >= 1):
            most = len(starts) - 2
            raise ValueError(f"wanted[{number}] must be in 0..{most}, at least once, got {part}, {count} times")
        start, stop = int(starts[part]), int(starts[part + 1])
        if not 0 <= start <= stop <= len(ids):
            raise ValueError(f"part {part} is not in 0..{len(ids)}")
        found.append((ids[start:stop], weights[start:stop] * np.float32(math.sqrt(count))))
    return np.concatenate([ids for ids, _ in found]), np.concatenate([weights for _, weights in found])
