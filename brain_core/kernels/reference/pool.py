"""What the functions of `pool` answer."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.sums import sum_in_order


def pool(
    rows: NDArray[np.int8],
    scales: NDArray[np.float32],
    ids: NDArray[np.int32],
    weights: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """Write the sum of weights[i] · scales[ids[i]] · rows[ids[i]], scaled to unit length, into out: float32[d].

    rows: int8[n, d], d ≥ 1. scales: float32[n]. ids: int32[k], 0..n - 1. weights: float32[k]. Zeros if the sum is zero.
    """
    _check_table(rows, scales, out)
    _check_ids(rows, ids, weights)
    _add_rows(rows, scales, ids, weights, out)
    length = math.sqrt(sum_in_order(float(one) * float(one) for one in out))
    if length > 0:
        out[:] = out.astype(np.float64) / length


def _check_table(rows: NDArray[np.int8], scales: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    if len(scales) != len(rows):
        raise ValueError(f"rows has {len(rows)} entries but scales has {len(scales)}")
    if len(out) != rows.shape[1] or len(out) == 0:
        raise ValueError(f"rows has {rows.shape[1]} columns but out has {len(out)}")


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
    _check_ids(rows, ids, weights)
    if len(ends) == 0 or ends[0] != 0 or ends[-1] != len(ids):
        raise ValueError(f"ends must run from 0 to {len(ids)}")
    if (np.diff(ends) < 0).any():
        raise ValueError("ends must not fall")
    out = np.empty((len(ends) - 1, rows.shape[1]), dtype=np.float32)
    if len(out):
        _check_table(rows, scales, out[0])
    for place, (start, stop) in enumerate(pairwise(ends.tolist())):
        _add_rows(rows, scales, ids[start:stop], weights[start:stop], out[place])
    return out


def pool_tokens(
    rows: NDArray[np.int8], scales: NDArray[np.float32], tokens: list[int], out: NDArray[np.float32]
) -> None:
    """Do what `pool` does for the rows of some tokens, in their order; what is there n times weighs √n."""
    for number, row in enumerate(tokens):
        if not 0 <= row < len(rows):
            raise ValueError(f"tokens[{number}] must be in 0..{len(rows) - 1}, got {row}")
    pool(rows, scales, *counted(tokens), out)


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
