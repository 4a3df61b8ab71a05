"""A query's vector word by word, less the directions that all texts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from brain_core.kernels.pool import pool_parts
from brain_core.models.chinese import HAN, ChineseWords
from brain_core.models.embedder import Words
from brain_core.models.table import Table
from brain_core.text.words import is_cjk, pieces, terms

SHARED = "query.safetensors"
"""Of queries alone: vectors of texts, which a store keeps, do not depend on it."""
_AXES, _SHARES = "axes", "shares"


@dataclass(frozen=True, slots=True)
class Shared:
    """Directions that all texts share, of which a query loses a part: what stands in a text because it is one."""

    axes: NDArray[np.float32]
    """float32[a, d], orthonormal"""
    shares: NDArray[np.float32]
    """float32[a]: what is lost of each, 0..1"""

    def left_of(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return float32[n, d] without what is lost."""
        lost = ((vectors @ self.axes.T) * self.shares) @ self.axes
        return (vectors - lost).astype(np.float32)


def write_shared(shared: Shared, file: Path) -> None:
    """Write directions where `read_shared` finds them."""
    file.write_bytes(save({_AXES: shared.axes, _SHARES: shared.shares}))


def read_shared(file: Path, dimension: int) -> Shared:
    """Read directions of a table of that dimension; none where there is no file. Raises ValueError if it is damaged."""
    if not file.exists():
        return Shared(np.zeros((0, dimension), np.float32), np.zeros(0, np.float32))
    try:
        tensors = load_file(file)
        shared = Shared(tensors[_AXES].astype(np.float32), tensors[_SHARES].astype(np.float32))
    except (OSError, SafetensorError, KeyError) as error:
        raise ValueError(f"{file}: not readable directions: {error!r}") from error
    if shared.axes.shape != (*shared.shares.shape, dimension) or not np.isfinite(shared.axes).all():
        raise ValueError(f'{file}: "{_AXES}" must be numbers, {dimension} for each of "{_SHARES}"')
    return shared


class Wordwise:
    """Takes queries apart into words with vectors of a table. Safe for use from many threads."""

    def __init__(
        self, table: Table, ids: Callable[[str], list[int]], chinese: ChineseWords | None, shared: Shared
    ) -> None:
        self._table = table
        self._ids = ids
        self._chinese = chinese
        self._shared = shared

    def words(self, text: str) -> Words:
        """Return the words of a query, each once; said n times it weighs √n, as in a text."""
        named: list[Sequence[str]] = []
        ids: list[int] = []
        weights: list[float] = []
        ends = [0]
        for piece, count in Counter(pieces(text)).items():
            if self._chinese is not None and is_cjk(piece):
                self._add_run(self._chinese, piece, count, (named, ids, weights, ends))
                continue
            tokens = self._ids(piece)
            if tokens:
                named.append(terms(piece))
                ids += tokens
                weights += [count**0.5] * len(tokens)
                ends.append(len(ids))
        of_rows = np.array(ids, np.int32), np.array(weights, np.float32), np.array(ends, np.int32)
        return Words(named, self._shared.left_of(pool_parts(self._table.rows, self._table.scales, *of_rows)))

    @staticmethod
    def _add_run(
        chinese: ChineseWords,
        run: str,
        count: int,
        found: tuple[list[Sequence[str]], list[int], list[float], list[int]],
    ) -> None:
        """Add the Chinese words of a run to terms, rows, weights and ends."""
        named, ids, weights, ends = found
        numbers = Counter(number for part in HAN.findall(run) for number in chinese.words(part))
        for number, often in numbers.items():
            rows, shares = chinese.glosses({number: often * count})
            if len(rows):
                word = chinese.text(number)
                named.append([first + second for first, second in pairwise(word)] or [word])
                ids += rows.tolist()
                weights += shares.tolist()
                ends.append(len(ids))
