"""A query's vector word by word, less the directions that all texts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

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


class _Word(NamedTuple):
    terms: list[str]
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]


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
        found = [word for word in self._of(text) if len(word.rows)]
        if not found:
            return Words((), np.zeros((0, self._table.rows.shape[1]), np.float32))
        rows = np.concatenate([word.rows for word in found])
        factors = self._table.scales[rows] * np.concatenate([word.weights for word in found])
        starts = np.cumsum([0, *(len(word.rows) for word in found[:-1])])
        vectors = np.add.reduceat(self._table.rows[rows] * factors[:, None], starts, axis=0)
        return Words([word.terms for word in found], self._shared.left_of(vectors))

    def _of(self, text: str) -> Iterator[_Word]:
        for piece, count in Counter(pieces(text)).items():
            if self._chinese is not None and is_cjk(piece):
                yield from self._of_run(self._chinese, piece, count)
                continue
            ids = self._ids(piece)
            yield _Word(terms(piece), np.array(ids, np.int32), np.full(len(ids), count**0.5, np.float32))

    def _of_run(self, chinese: ChineseWords, run: str, count: int) -> Iterator[_Word]:
        numbers = Counter(number for part in HAN.findall(run) for number in chinese.words(part))
        for number, often in numbers.items():
            word = chinese.text(number)
            grams = [first + second for first, second in pairwise(word)] or [word]
            yield _Word(grams, *chinese.glosses({number: often * count}))
