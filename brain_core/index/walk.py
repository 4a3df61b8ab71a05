"""From the rows that a name stands for, at most two steps along relations, each worth less than the one before.

A path is worth the product of its steps' weights, a row the best of its paths. Of equal paths the shorter counts, then
the relation that stands first in `STEPS`, then the one over the lower row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brain_core.index.relations import Related

Rows = NDArray[np.int32]
Scores = NDArray[np.float64]

NOTHING, IS, MENTIONS, VERSION, LINKS_TO, LINKED_FROM, ADDRESS, TURN, PROJECT, NEXT_TO = range(10)
STEPS = (VERSION, LINKS_TO, LINKED_FROM, ADDRESS, TURN, PROJECT, NEXT_TO)
MOST_STEPS = 2
NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Ground:
    """What is walked on: n rows. before, after: int32[n], neighbours in the session, -1 is none.

    weights: by relation, what a step along it is worth, 0..1.
    """

    related: Related
    before: Rows
    after: Rows
    weights: Sequence[float]


@dataclass(frozen=True, slots=True)
class Reached:
    """What a walk came to. scores: float64[n], 0..1, 0 is not reached. via: uint8[n], the last step's relation.

    source: int32[n], the row it came from, -1 where the name itself leads there.
    """

    scores: Scores
    via: NDArray[np.uint8]
    source: Rows

    def take(self, rows: Rows, values: Scores, sources: Rows, via: int) -> None:
        """Take over what is better than before. rows: distinct."""
        better = values > self.scores[rows]
        rows = rows[better]
        self.scores[rows], self.source[rows], self.via[rows] = values[better], sources[better], via


@dataclass(frozen=True, slots=True)
class Walked:
    """What was reached at the name, after one step and after two."""

    steps: list[Reached]

    @property
    def scores(self) -> Scores:
        """Return what every row is worth, float64[n]."""
        return self.steps[-1].scores

    def path(self, row: int) -> list[tuple[int, int]]:
        """Return (relation, row) from a row that was reached back to the name: by which relation each row was."""
        found: list[tuple[int, int]] = []
        step = MOST_STEPS
        while row != NOWHERE:
            while step and self.steps[step - 1].scores[row] == self.steps[step].scores[row]:
                step -= 1
            at = self.steps[step]
            found.append((int(at.via[row]), row))
            row, step = int(at.source[row]), max(step - 1, 0)
        return found


def walk(ground: Ground, named: Rows, mentions: Rows) -> Walked:
    """Walk from the rows that are the thing of a name and, one step off, those that mention it. Rows are distinct."""
    n = len(ground.before)
    reached = Reached(np.zeros(n), np.zeros(n, dtype=np.uint8), np.full(n, NOWHERE, dtype=np.int32))
    _lead(reached, named, 1.0, IS)
    steps = [reached]
    for step in range(MOST_STEPS):
        before = steps[-1]
        reached = Reached(before.scores.copy(), before.via.copy(), before.source.copy())
        if step == 0:
            _lead(reached, mentions, ground.weights[MENTIONS], MENTIONS)
        _along(ground, before.scores, reached)
        steps.append(reached)
    return Walked(steps)


def _along(ground: Ground, base: Scores, reached: Reached) -> None:
    active = np.flatnonzero(base).astype(np.int32)
    for via, sources, targets in _edges(ground, active, base) if len(active) else ():
        reached.take(*_best(targets, base[sources] * ground.weights[via], sources), via)


def _lead(reached: Reached, rows: Rows, value: float, via: int) -> None:
    reached.take(rows, np.full(len(rows), value), np.full(len(rows), NOWHERE, dtype=np.int32), via)


def _edges(ground: Ground, active: Rows, base: Scores) -> Iterator[tuple[int, Rows, Rows]]:
    """Yield (relation, sources, targets) of the edges out of active rows that may be the best into a target."""
    related = ground.related
    link_rows, link_items = related.links.T
    own = np.arange(len(base), dtype=np.int32)
    by_item = _best_members(active, related.item[active], base)
    yield VERSION, *_to_members(by_item, own, related.item)
    linking = base[link_rows] > 0
    to_items = _best_members(link_rows[linking], link_items[linking], base)
    yield LINKS_TO, *_to_members(to_items, own, related.item)
    yield LINKED_FROM, *_to_members(by_item, link_rows, link_items)
    address_rows, addresses = related.addresses.T
    about = base[address_rows] > 0
    by_address = _best_members(address_rows[about], addresses[about], base)
    yield ADDRESS, *_to_members(by_address, address_rows, addresses)
    yield TURN, *_to_members(_best_members(active, related.turn[active], base), own, related.turn)
    of_project = _best_members(active, related.project[active], base)
    yield PROJECT, *_to_members(of_project, own, related.project)
    sources = np.concatenate([active, active])
    targets = np.concatenate([ground.before[active], ground.after[active]])
    yield NEXT_TO, sources[targets >= 0], targets[targets >= 0]


def _best_members(rows: Rows, groups: Rows, base: Scores) -> tuple[Rows, Rows]:
    """Return (groups ascending, the best row of each): the lower of equals. Rows of no group (-1) are left out."""
    rows, groups = rows[groups >= 0], groups[groups >= 0]
    found, _, best = _best(groups, base[rows], rows)
    return found, best


def _to_members(best: tuple[Rows, Rows], rows: Rows, groups: Rows) -> tuple[Rows, Rows]:
    """Return (sources, targets): from the best row of each group to the rows that are of it."""
    found, sources = best
    if not len(found):
        return sources, sources
    places = np.minimum(np.searchsorted(found, groups), len(found) - 1)
    members = found[places] == groups
    return sources[places[members]], rows[members]


def _best(targets: Rows, values: Scores, sources: Rows) -> tuple[Rows, Scores, Rows]:
    """Return (targets, distinct and ascending; the highest value of each; its source, the lower of equals)."""
    order = np.lexsort((sources, -values, targets))
    targets = targets[order]
    first = np.ones(len(targets), dtype=bool)
    first[1:] = targets[1:] != targets[:-1]
    chosen = order[first]
    return targets[first], values[chosen], sources[chosen]
