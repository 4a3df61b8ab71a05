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
from brain_core.store.v1.records_pb2 import CHUNK_KIND_MESSAGE, ChunkRecord

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


def cosines(index: MemoryIndex, query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosine of each row's session."""
    rows = np.arange(len(index.chunks), dtype=np.int32)
    return index.sessions.cosines(index.chunks.column("session"), index.vectors.cosines(rows, query), query)


def same_bits(left: MemoryIndex, right: MemoryIndex) -> None:
    for query in vectors(8, 77).astype(np.float32):
        np.testing.assert_array_equal(cosines(left, query), cosines(right, query))


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
def test_a_sessions_cosine_is_that_of_the_sum_of_its_vectors(names: list[str]) -> None:
    halves = vectors(len(names), 1)
    index = MemoryIndex(_DIMENSION)
    index.add(chunks(names, halves))
    whole = halves.astype(np.float64)
    for query in vectors(3, 5).astype(np.float32):
        found = cosines(index, query)
        own = index.vectors.cosines(np.arange(len(names), dtype=np.int32), query)
        for row, name in enumerate(names):
            if name == "" or names.count(name) == 1:
                assert found[row] == own[row], "a row that is alone speaks for itself"
            else:
                total = whole[[place for place, other in enumerate(names) if other == name]].sum(axis=0)
                assert abs(found[row] - total @ query / np.linalg.norm(total)) < 1e-5


def test_sessions_far_apart_in_number_keep_apart() -> None:
    halves, index = vectors(400, 3), MemoryIndex(_DIMENSION)
    index.add(chunks([f"s{row % 200}" for row in range(400)], halves))
    query = halves[7].astype(np.float32)
    whole = halves.astype(np.float64)
    total = whole[7] + whole[207]
    found = cosines(index, query)
    assert found[7] == found[207]
    assert abs(found[7] - total @ query / np.linalg.norm(total)) < 1e-5
    assert int(np.argmax(found)) in (7, 207)
    assert index.nbytes > index.sessions.nbytes > 200 * 4 * _DIMENSION


def test_vectors_that_cancel_out_point_nowhere() -> None:
    half = vectors(1, 1)
    index = MemoryIndex(_DIMENSION)
    index.add(chunks(["s", "s"], np.concatenate([half, -half])))
    assert cosines(index, half[0].astype(np.float32)).tolist() == [0, 0]


def test_a_session_that_was_never_seen_is_not_replaced() -> None:
    seen, empty = SessionVectors(_DIMENSION), VectorIndex(_DIMENSION)
    for session in (-1, 3, 10_000):
        seen.replaced(session, np.empty(0, dtype=np.int32), empty)
    own = np.array([0.5], dtype=np.float32)
    assert seen.cosines(np.array([-1], dtype=np.int32), own, np.ones(_DIMENSION, dtype=np.float32)).tolist() == [0.5]
