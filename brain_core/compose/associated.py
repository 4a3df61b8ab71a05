"""Mode associative: a query expanded by words of its best first hits and by other names of what it names.

The expansion is of words that stand in the memory, each at less weight than a word of the query, and at most so many
(relevance model 3, Abdul-Jaleel et al. 2004, with idf); nothing is made up, and all that was added is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brain_core.index.memory_index import MemoryIndex
from brain_core.kernels.fuse import fuse
from brain_core.policy import Association
from brain_core.text.words import terms

Rows = NDArray[np.int32]
Scores = NDArray[np.float64]

_FIRST_K = 60.0
"""Constant of the reciprocal rank fusion of the first hits."""

_LEAST_LETTERS = 2


@dataclass(frozen=True, slots=True)
class Expanded:
    """Terms of the index that a query was expanded by, and what each counts: by its aliases, by its first hits."""

    aliases: Mapping[str, float]
    feedback: Mapping[str, float]

    @property
    def weights(self) -> dict[str, float]:
        """Return what each term counts."""
        return {**self.feedback, **self.aliases}

    def words(self, text: str) -> str:
        """Return in words which of the added terms a text holds, "" if none."""
        held = set(terms(text))
        found = [term for term in self.weights if term in held]
        return f"holds {', '.join(found)}, added to the query" if found else ""


def expanded(
    index: MemoryIndex, text: str, names: Sequence[str], lists: Sequence[tuple[Rows, Scores]], policy: Association
) -> Expanded:
    """Expand a query. names: others of what it names. lists: its first hits, by words and by meaning, best first."""
    own = set(terms(text))
    aliases = {term: policy.alias_weight for name in names for term in terms(name) if term not in own}
    rows, shares = _first(lists, policy.texts)
    return Expanded(aliases, _feedback(index, rows, shares, own | aliases.keys(), policy))


def _first(lists: Sequence[tuple[Rows, Scores]], most: int) -> tuple[Rows, Scores]:
    """Return (the best rows of all lists together, what share of trust each has)."""
    found, joined = fuse([(rows, scores, 1.0) for rows, scores in lists], "rrf", _FIRST_K)
    found, joined = found[:most], joined[:most]
    return found, joined / joined.sum() if len(joined) else joined


def _feedback(index: MemoryIndex, rows: Rows, shares: Scores, known: set[str], policy: Association) -> dict[str, float]:
    """Return the terms that mark texts most, by their share of each and how rare they are; the best at full weight."""
    marks: dict[str, float] = {}
    for share, evidence in zip(shares.tolist(), index.chunks.records.read(rows.tolist()), strict=True):
        said = evidence.snippet.split("\n", 1)[-1] if evidence.ref.memory_item_id else evidence.snippet
        counts = Counter(terms(said))  # an item's first line is its key
        for term, count in counts.items():
            if len(term) >= _LEAST_LETTERS and term not in known:
                marks[term] = marks.get(term, 0.0) + share * count / counts.total()
    found = list(marks)
    values = np.array(list(marks.values())) * index.lexical.idf(found)
    best = np.lexsort((np.array(found), -values))[: policy.terms].tolist() if found else []
    top = float(values.max(initial=0)) or 1.0
    return {found[place]: policy.weight * float(values[place]) / top for place in best}
