"""Mode relational: what is related to the entities, addresses, tasks and items that a query names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brain_core.compose.filters import Allowed
from brain_core.extract.entities import structural
from brain_core.index import walk
from brain_core.index.chunks import NONE
from brain_core.index.memory_index import MemoryIndex
from brain_core.index.naming import ADDRESS, ITEM, Named
from brain_core.index.records import Records
from brain_core.index.relations import Related
from brain_core.index.walk import Ground, Walked
from brain_core.policy import RelationWeights
from brain_core.text.naming import folded

Rows = NDArray[np.int32]

_WORDS = {
    walk.IS: "goes by {}",
    walk.MENTIONS: "mentions {}",
    walk.VERSION: "another version of {}",
    walk.LINKS_TO: "linked from {}",
    walk.LINKED_FROM: "links to {}",
    walk.ADDRESS: "same address as {}",
    walk.TURN: "same turn as {}",
    walk.PROJECT: "same project as {}",
    walk.NEXT_TO: "next to {}",
}


@dataclass(frozen=True, slots=True)
class Kin:
    """What a query's names lead to. names: in its order. walks: from each. scores: float64[n], their mean."""

    names: Sequence[str]
    walks: Sequence[Walked]
    scores: NDArray[np.float64]

    def best(self, words: NDArray[np.float32], allowed: Allowed, k: int) -> Rows:
        """Return up to k allowed rows, the nearest first; of equals those with more of the query's words, then by row.

        words: float32[n], BM25 of the query.
        """
        rows = np.flatnonzero((self.scores > 0) & (allowed.mask > 0))
        order = np.lexsort((rows, -words[rows], -self.scores[rows]))
        return rows[order[:k]].astype(np.int32)

    def blended(self, words: NDArray[np.float32], rows: Rows) -> NDArray[np.float32]:
        """Return float32[n], 0..1: half how near a row is, half its BM25 as a share of the best of these rows'."""
        top = float(words[rows].max(initial=0)) or 1.0
        blended: NDArray[np.float32] = ((self.scores + words / top) / 2).astype(np.float32)
        return blended

    def words(self, row: int, records: Records) -> str:
        """Return in words how a row is related: one path for each name that leads to it."""
        led = [
            (name, one)
            for name, one in zip(self.names, self.walks, strict=True)
            if row < len(one.scores) and one.scores[row] > 0
        ]
        return "; ".join(_worded(one.path(row), name, records) for name, one in led)


def kin_of(index: MemoryIndex, text: str, weights: RelationWeights, there: int | None) -> Kin:
    """Find what is related to the names in a text. Without any that the memory knows, nothing is.

    there: how many rows, the first ones, are looked at; None is all.
    """
    size = len(index.chunks)
    there = size if there is None else there
    related = index.relations.of(index.chunks).until(there)
    named = _named(index, text)
    after = index.chunks.column("after")[:there]
    ground = Ground(
        related, index.chunks.column("before")[:there], np.where(after < there, after, NONE), _by_relation(weights)
    )
    walks = []
    for one in named:
        mentions = _mentions(index, one)
        walks.append(walk.walk(ground, _rows_of(related, one), mentions[mentions < there]))
    total = np.zeros(size)
    for each in walks:
        total[:there] += each.scores
    return Kin([one.name for one in named], walks, total / max(len(walks), 1))


def _named(index: MemoryIndex, text: str) -> list[Named]:
    """Return what a text names: what the memory has a name for, and addresses that only texts may have."""
    named = index.relations.naming.named_in(text)
    known = [folded(one.name) for one in named]
    addresses = (str(value["canonical"]) for _, _, value in structural(text))
    return named + [Named(one, ()) for one in addresses if not any(folded(one) in name for name in known)]


def _rows_of(related: Related, named: Named) -> Rows:
    """Return the rows that are the things of a name, ascending."""
    found: list[NDArray[np.intp]] = [np.empty(0, dtype=np.intp)]
    for sort, number in named.things:
        if sort == ADDRESS:
            found.append(related.addresses[related.addresses[:, 1] == number, 0].astype(np.intp))
        else:
            found.append(np.flatnonzero((related.item if sort == ITEM else related.project) == number))
    return np.unique(np.concatenate(found)).astype(np.int32)


def _mentions(index: MemoryIndex, named: Named) -> Rows:
    """Return the rows whose texts hold the name, or another name of what it names; ascending."""
    naming = index.relations.naming
    names = dict.fromkeys([named.name, *(name for thing in named.things for name in naming.names_of(thing))])
    return np.unique(np.concatenate([index.lexical.holding(name) for name in names]))


def _by_relation(weights: RelationWeights) -> list[float]:
    by_relation = [0.0] * (walk.NEXT_TO + 1)
    for relation, weight in (
        (walk.MENTIONS, weights.mentions),
        (walk.VERSION, weights.version),
        (walk.LINKS_TO, weights.link),
        (walk.LINKED_FROM, weights.link),
        (walk.ADDRESS, weights.address),
        (walk.TURN, weights.turn),
        (walk.PROJECT, weights.project),
        (walk.NEXT_TO, weights.neighbour),
    ):
        by_relation[relation] = weight
    return by_relation


def _worded(path: Sequence[tuple[int, int]], name: str, records: Records) -> str:
    """Return a path in words: "next to t3:t3.0, which mentions Mei"."""
    ends = [*records.ids(row for _, row in path[1:]), name]
    return ", which ".join(_WORDS[relation].format(end) for (relation, _), end in zip(path, ends, strict=True))
