"""The walk along relations, against one that tries every edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from brain_core.index.relations import Related
from brain_core.index.walk import (
    ADDRESS,
    IS,
    LINKED_FROM,
    LINKS_TO,
    MENTIONS,
    NEXT_TO,
    PROJECT,
    STEPS,
    TURN,
    VERSION,
    Ground,
    walk,
)

WEIGHTS = (0.0, 1.0, 0.9, 0.9, 0.8, 0.8, 0.8, 0.6, 0.5, 0.4)
Path = list[tuple[int, int]]


def ints(values: Sequence[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def pairs(values: Sequence[tuple[int, int]]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32).reshape(len(values), 2)


def is_edge(ground: Ground, relation: int, source: int, target: int) -> bool:
    """Return whether a relation leads from one row to another."""
    related = ground.related
    columns = {VERSION: related.item, TURN: related.turn, PROJECT: related.project}
    if relation in columns:
        column = columns[relation]
        return bool(column[source] == column[target] >= 0)
    links, addresses = related.links.tolist(), related.addresses.tolist()
    if relation == LINKS_TO:
        return bool(related.item[target] >= 0) and [source, related.item[target]] in links
    if relation == LINKED_FROM:
        return bool(related.item[source] >= 0) and [target, related.item[source]] in links
    if relation == ADDRESS:
        return bool({a for row, a in addresses if row == source} & {a for row, a in addresses if row == target})
    return target in (ground.before[source], ground.after[source])


def edges(ground: Ground, relation: int) -> Iterator[tuple[int, int]]:
    rows = range(len(ground.before))
    return ((a, b) for a in rows for b in rows if a != b and is_edge(ground, relation, a, b))


def brute(ground: Ground, named: Sequence[int], mentions: Sequence[int]) -> dict[int, tuple[float, Path]]:
    """Return (score, path) of every row reached, by trying each edge in turn."""
    found: dict[int, tuple[float, Path]] = {row: (1.0, [(IS, row)]) for row in named}
    for step in range(2):
        base = dict(found)
        if step == 0:
            for row in mentions:
                if row not in found:
                    found[row] = (ground.weights[MENTIONS], [(MENTIONS, row)])
        for relation in STEPS:
            offers: dict[int, tuple[float, int]] = {}
            for source, target in edges(ground, relation):
                if source in base:
                    value = base[source][0] * ground.weights[relation]
                    offers[target] = max(offers.get(target, (0.0, 0)), (value, -source))
            for target, (value, source) in offers.items():
                if value > found.get(target, (0.0, []))[0]:
                    found[target] = (value, [(relation, target), *base[-source][1]])
    return found


@st.composite
def grounds(draw: st.DrawFn) -> tuple[Ground, list[int], list[int]]:
    n = draw(st.integers(0, 9))
    column = st.lists(st.integers(-1, 3), min_size=n, max_size=n)
    rows = st.integers(0, n - 1) if n else st.nothing()
    some = st.lists(st.tuples(rows, st.integers(0, 3)), max_size=6) if n else st.just([])
    subset = st.lists(rows, unique=True, max_size=3).map(sorted) if n else st.just([])
    split = draw(st.integers(0, n))  # two sessions of messages, one behind the other
    before = [row - 1 if row not in (0, split) else -1 for row in range(n)]
    after = [row + 1 if row + 1 not in (n, split) else -1 for row in range(n)]
    turn, item, project = (ints(draw(column)) for _ in range(3))
    related = Related(turn, item, project, pairs(draw(some)), pairs(draw(some)))
    weights = draw(st.sampled_from([WEIGHTS, (0.0, 1.0, *[0.5] * 8), (0.0, 1.0, *[1.0] * 8), (0.0, 1.0, *[0.0] * 8)]))
    return Ground(related, ints(before), ints(after), weights), draw(subset), draw(subset)


@settings(max_examples=300, deadline=None)
@given(grounds())
def test_a_walk_is_the_best_of_all_paths(drawn: tuple[Ground, list[int], list[int]]) -> None:
    ground, named, mentions = drawn
    walked = walk(ground, ints(named), ints(mentions))
    expected = {row: found for row, found in brute(ground, named, mentions).items() if found[0] > 0}
    assert {row: walked.scores[row] for row in np.flatnonzero(walked.scores).tolist()} == {
        row: score for row, (score, _) in expected.items()
    }
    assert {row: walked.path(row) for row in expected} == {row: path for row, (_, path) in expected.items()}


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_no_more_than_two_steps_are_walked(steps: int) -> None:
    none = ints([-1] * (steps + 1))
    chain = np.arange(steps + 1, dtype=np.int32)
    after = ints([*range(1, steps + 1), -1])
    ground = Ground(Related(none, none, none, pairs([]), pairs([])), chain - 1, after, WEIGHTS)
    walked = walk(ground, ints([0]), ints([]))
    assert walked.scores.tolist() == pytest.approx([1.0, 0.4, 0.16, 0.0][: steps + 1])
    assert walked.path(1) == [(NEXT_TO, 1), (IS, 0)]
