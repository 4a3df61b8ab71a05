"""Where sessions point: the same bits whichever way the rows came, and the cosine that a sum of vectors has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.index.memory_index import MemoryIndex
from brain_core.index.sessions import SessionVectors
from brain_core.index.vector import VectorIndex
from brain_core.kernels.features import NAMES
from brain_core.kernels.rank import Query, rank
from brain_core.store.v1.records_pb2 import CHUNK_KIND_MESSAGE, ChunkRecord
from tests.building import kept

_DIMENSION = 24
_NAMES = ["", "monday", "tuesday", "星期三"]

sessions = st.lists(st.sampled_from(_NAMES), min_size=1, max_size=40)


def vectors(count: int, seed: int) -> NDArray[np.float16]:
    drawn = np.random.default_rng(seed).normal(size=(count, _DIMENSION))
    scaled: NDArray[np.float16] = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float16)
    return scaled


def chunks(names: Sequence[str], halves: NDArray[np.float16]) -> list[ChunkRecord]:
    """Return messages of these sessions, with these vectors."""
    return [
        ChunkRecord(
            kind=CHUNK_KIND_MESSAGE,
            ordinal=row,
            session_id=name,
            vector=half.tobytes(),
            evidence=Evidence(id=str(row), snippet=f"text {row}"),
        )
        for row, (name, half) in enumerate(zip(names, halves, strict=True))
    ]


def directions(index: MemoryIndex) -> list[NDArray[np.float32]]:
    """Return where the session of each row points: the sum of its vectors, or the row's own where there is none."""
    places, sums = index.sessions.sums()
    own = index.vectors.vectors(np.arange(len(index.chunks), dtype=np.int32))
    found = []
    for vector, session in zip(own, index.chunks.column("session").tolist(), strict=True):
        place = places[session] if session >= 0 else -1
        found.append(vector if place < 0 else sums[place])
    return found


def same_bits(left: MemoryIndex, right: MemoryIndex) -> None:
    for mine, theirs in zip(directions(left), directions(right), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def session_semantic(index: MemoryIndex, query: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return how near the session of each row is to a query, as a ranking sees it: by row."""
    n = len(index.chunks)
    rows, none = np.arange(n, dtype=np.int32), np.zeros(n)
    words = (none.astype(np.float32), none.astype(np.uint64), none[:0], none[:0])
    asked = Query(words, 1.0, query, 1.0, np.empty(0, dtype=np.uint8), np.ones(n, dtype=np.uint8), 1.0, n)
    lists = [(rows, none, 1.0, 0)]
    weights = np.array([float(name == "session_semantic") for name in NAMES])
    settings_ = (n, weights, 1.0, 0, 1.0, np.empty(0, dtype=np.int64))
    found, scores, *_ = rank(index.memory, [asked], lists, "rrf", 60.0, settings_)
    by_row = np.empty(n)
    by_row[found] = scores
    return by_row


@settings(max_examples=50, deadline=None)
@given(sessions, st.data())
def test_rows_that_come_one_by_one_or_at_once_give_the_same_bits(names: list[str], data: st.DataObject) -> None:
    made = chunks(names, vectors(len(names), 1))
    at_once, one_by_one, in_batches = (MemoryIndex(_DIMENSION) for _ in range(3))
    at_once.add(made)
    for chunk in made:
        one_by_one.add([chunk])
    cut = data.draw(st.integers(0, len(made)), label="cut")
    in_batches.add(made[:cut])
    in_batches.add(made[cut:])
    loaded = MemoryIndex(_DIMENSION, 0, None, at_once.chunks, at_once.lexical, at_once.vectors)
    for other in (one_by_one, in_batches, loaded):
        same_bits(at_once, other)
        query = vectors(1, 77)[0].astype(np.float32)
        np.testing.assert_array_equal(session_semantic(at_once, query), session_semantic(other, query))


@settings(max_examples=50, deadline=None)
@given(sessions, st.data())
def test_replaced_vectors_give_the_bits_of_an_index_that_never_had_others(
    names: list[str], data: st.DataObject
) -> None:
    first, then = vectors(len(names), 1), vectors(len(names), 2)
    changed = data.draw(st.lists(st.integers(0, len(names) - 1), unique=True), label="changed")
    index = MemoryIndex(_DIMENSION)
    index.add(chunks(names, first))
    given_anew = chunks(names, then)
    index.apply(1, [], [given_anew[row] for row in changed])
    first[changed] = then[changed]
    expected = MemoryIndex(_DIMENSION)
    expected.add(chunks(names, first))
    same_bits(index, expected)


@settings(max_examples=50, deadline=None)
@given(sessions)
def test_a_session_points_where_the_sum_of_its_vectors_does(names: list[str]) -> None:
    halves = vectors(len(names), 1)
    index = MemoryIndex(_DIMENSION)
    index.add(chunks(names, halves))
    whole = kept(halves).astype(np.float64)
    for row, (name, found) in enumerate(zip(names, directions(index), strict=True)):
        if name == "" or names.count(name) == 1:
            np.testing.assert_array_equal(found, whole[row], "a row that is alone speaks for itself")
        else:
            total = whole[[place for place, other in enumerate(names) if other == name]].sum(axis=0)
            np.testing.assert_allclose(found, total, atol=1e-5)
    query = vectors(1, 5)[0].astype(np.float32)
    own = whole @ query
    cosines = np.array([one @ query / np.linalg.norm(one) for one in directions(index)])
    wanted = np.clip((cosines - own.mean()) / (9 * max(own.std(), 0.03)), 0, 1)
    np.testing.assert_allclose(session_semantic(index, query), wanted, atol=1e-3)


def test_a_ranking_sees_what_came_and_what_was_replaced() -> None:
    halves, index = vectors(40, 1), MemoryIndex(_DIMENSION)
    made = chunks([f"s{row % 7}" for row in range(40)], halves)
    query = halves[39].astype(np.float32)
    for start in range(0, 40, 10):
        index.add(made[start : start + 10])
        expected = MemoryIndex(_DIMENSION)
        expected.add(made[: start + 10])
        np.testing.assert_array_equal(session_semantic(index, query), session_semantic(expected, query))
    made[3].vector = (-halves[39]).tobytes()
    index.apply(1, [], [made[3]])
    expected = MemoryIndex(_DIMENSION)
    expected.add(made)
    np.testing.assert_array_equal(session_semantic(index, query), session_semantic(expected, query))


def test_sessions_far_apart_in_number_keep_apart() -> None:
    halves, index = vectors(400, 3), MemoryIndex(_DIMENSION)
    index.add(chunks([f"s{row % 200}" for row in range(400)], halves))
    found = directions(index)
    whole = kept(halves).astype(np.float64)
    for row in range(200):
        np.testing.assert_array_equal(found[row], found[row + 200])
        np.testing.assert_allclose(found[row], whole[row] + whole[row + 200], atol=1e-6)
    assert index.nbytes > index.sessions.nbytes > 200 * 4 * _DIMENSION


def test_vectors_that_cancel_out_point_nowhere() -> None:
    half = vectors(1, 1)
    index = MemoryIndex(_DIMENSION)
    index.add(chunks(["s", "s"], np.concatenate([half, -half])))
    assert session_semantic(index, half[0].astype(np.float32)).tolist() == [0, 0]


def test_a_session_that_was_never_seen_is_not_replaced() -> None:
    seen, empty = SessionVectors(_DIMENSION), VectorIndex(_DIMENSION)
    for session in (-1, 3, 10_000):
        seen.replaced(session, np.empty(0, dtype=np.int32), empty)
    assert (seen.sums()[0] == -1).all()
