"""Snapshots: the same index comes back, or none at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from brain_core import Brain
from brain_core.index import snapshot
from brain_core.index.chunks import NAMED
from brain_core.index.derive import COSTS_VERSION
from brain_core.index.follow import open_index, replay
from brain_core.index.memory_index import MemoryIndex
from brain_core.index.sessions import SessionVectors
from brain_core.kernels.vectors import SCALE_BYTES
from tests.building import embedder, open_brain, pref, say, turn


def equal(left: MemoryIndex, right: MemoryIndex) -> None:
    """Demand that two indexes hold the same in every part."""
    assert (left.revision, left.dimension) == (right.revision, right.dimension)
    mine, theirs = left.chunks.dump(), right.chunks.dump()
    for name in mine:
        np.testing.assert_array_equal(mine[name], theirs[name], err_msg=name)
    np.testing.assert_array_equal(left.chunks.found_by_default()[0], right.chunks.found_by_default()[0])
    assert left.chunks.found_by_default()[1] == right.chunks.found_by_default()[1]
    for name in NAMED:
        assert left.chunks.names[name].all() == right.chunks.names[name].all()
    assert left.lexical.dump()[0] == right.lexical.dump()[0]
    for part in (1, 2, 3):
        np.testing.assert_array_equal(left.lexical.dump()[part], right.lexical.dump()[part])
    every = range(len(left.chunks))
    assert left.chunks.records.read(every) == right.chunks.records.read(every)
    np.testing.assert_array_equal(left.chunks.items(), right.chunks.items())
    assert left.chunks.newest_us == right.chunks.newest_us
    for one, other in zip(left.vectors.dump(), right.vectors.dump(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.fixture
def index(brain: Brain) -> MemoryIndex:
    brain.commit_turn(say("m", "s1", "I grow marmalade oranges", "Lovely"))
    brain.commit_turn(turn("m", "会话", preferences=[pref("tone", "short"), pref("tone", "long")]))
    brain.commit_turn(turn("m", "会话", preferences=[pref("tone", "brief")]))
    with brain._indexes.use("m") as loaded:
        return loaded


def test_an_index_comes_back_as_it_was(index: MemoryIndex, folder: Path) -> None:
    path = snapshot.snapshot_path(folder / "deep", "会/话")
    snapshot.save(path, index)
    equal(snapshot.load(path, index.dimension), index)
    snapshot.save(path, index)
    assert list(path.parent.iterdir()) == [path], "nothing else is left there"


def test_a_snapshot_whose_texts_were_counted_otherwise_is_refused(
    index: MemoryIndex, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = snapshot.snapshot_path(folder, "m")
    with monkeypatch.context() as before:
        before.setattr(snapshot, "COSTS_VERSION", COSTS_VERSION - 1)
        snapshot.save(path, index)
    with pytest.raises(snapshot.SnapshotError, match="counted by approx-3, costs 4, not approx-3, costs 5"):
        snapshot.load(path, index.dimension)


def test_session_vectors_come_back_and_go_on_growing(brain: Brain, folder: Path) -> None:
    for number in range(20):
        brain.commit_turn(say("m", f"s{number % 3}", f"oranges {number}", "yes"))
    brain.commit_turn(say("m", "alone", "a session of one"))
    path = folder / "one.index"
    with brain._indexes.use("m") as live:
        snapshot.save(path, live)
        for part, other in zip(live.sessions.dump(), snapshot.load(path, live.dimension).sessions.dump(), strict=True):
            np.testing.assert_array_equal(part, other)
    early = snapshot.load(path, live.dimension)
    for number in range(20):
        brain.commit_turn(say("m", f"t{number}", "more", "of it"))
        brain.commit_turn(say("m", "alone", "no more"))
    replay(brain._kv.snapshot(), "m", early)
    with brain._indexes.use("m") as live:
        for part, other in zip(live.sessions.dump(), early.sessions.dump(), strict=True):
            np.testing.assert_array_equal(part, other)


def test_session_vectors_that_do_not_fit_are_refused() -> None:
    rows, sums = np.array([[0, 0], [3, -1]], dtype=np.int32), np.ones((1, 4), dtype=np.float32)
    assert SessionVectors.load(rows, sums, 4, 4).nbytes == rows.nbytes + sums.nbytes
    for bad in (
        (rows, sums, 5, 4),
        (rows, sums, 4, 3),
        (rows, sums[:0], 4, 4),
        (rows - 2, sums, 4, 4),
        (rows[:, :1], sums, 4, 4),
    ):
        with pytest.raises(ValueError, match="session"):
            SessionVectors.load(*bad)


def test_an_empty_index_comes_back(folder: Path) -> None:
    path = folder / "empty.index"
    snapshot.save(path, MemoryIndex(8, revision=3))
    equal(snapshot.load(path, 8), MemoryIndex(8, revision=3))


def test_any_flipped_byte_is_refused(index: MemoryIndex, folder: Path) -> None:
    path = folder / "one.index"
    snapshot.save(path, index)
    whole = path.read_bytes()
    rng = np.random.default_rng(5)
    places = {*range(60), *range(len(whole) - 20, len(whole)), *rng.integers(0, len(whole), 150).tolist()}
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        with pytest.raises(snapshot.SnapshotError):
            snapshot.load(path, index.dimension)


def test_any_truncation_is_refused(index: MemoryIndex, folder: Path) -> None:
    path = folder / "one.index"
    snapshot.save(path, index)
    whole = path.read_bytes()
    for size in {*range(60), *range(0, len(whole), 997), len(whole) - 1}:
        path.write_bytes(whole[:size])
        with pytest.raises(snapshot.SnapshotError):
            snapshot.load(path, index.dimension)
    path.write_bytes(whole + b"\x00")
    with pytest.raises(snapshot.SnapshotError):
        snapshot.load(path, index.dimension)


def test_another_dimension_or_analysis_is_refused(
    index: MemoryIndex, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "one.index"
    snapshot.save(path, index)
    with pytest.raises(snapshot.SnapshotError, match=f"made for dimension {embedder().dimension}"):
        snapshot.load(path, 7)
    monkeypatch.setattr(snapshot, "ANALYSIS_VERSION", 99)
    with pytest.raises(snapshot.SnapshotError, match="and analysis 2"):
        snapshot.load(path, index.dimension)


def test_a_snapshot_of_an_older_format_is_made_anew(folder: Path) -> None:
    """Format 7 does not tell which message an item was read in."""
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", "I grow marmalade oranges", "Lovely"))
        with brain._indexes.use("m") as before:
            pass
    path = snapshot.snapshot_path(folder / "index", "m")
    content = path.read_bytes()
    assert content.startswith(b"smartbrain-index 9\n")
    path.write_bytes(content.replace(b"index 9", b"index 8", 1))
    with pytest.raises(snapshot.SnapshotError, match="not an index of this format"):
        snapshot.load(path, embedder().dimension)
    with open_brain(folder) as brain:
        index, revision, why_not = open_index(brain._kv.snapshot(), "m", folder / "index", embedder().dimension)
        assert revision == 0
        assert "not an index of this format" in why_not
        equal(index, before)
        with brain._indexes.use("m") as live:
            equal(live, before)
    equal(snapshot.load(path, embedder().dimension), before)


def test_a_scale_that_is_none_is_refused(index: MemoryIndex, folder: Path) -> None:
    path = folder / "one.index"
    index.vectors.all()[1, -SCALE_BYTES:] = np.array([np.nan], dtype=np.float32).view(np.uint8)
    snapshot.save(path, index)
    with pytest.raises(snapshot.SnapshotError, match="the scale of a vector is negative or not finite"):
        snapshot.load(path, index.dimension)


def test_an_absent_snapshot_is_not_found(folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        snapshot.load(folder / "none.index", 8)


def test_memories_have_files_of_their_own(folder: Path) -> None:
    names = {snapshot.snapshot_path(folder, memory).name for memory in ("a", "A", "a/b", "..", "会话", "a" * 128)}
    assert len(names) == 6
    assert all(name.isascii() and "/" not in name for name in names)
