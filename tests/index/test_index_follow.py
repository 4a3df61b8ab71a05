"""An index that followed, one that was loaded and one that was rebuilt are the same index."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest
from smartbrain.v1.event_pb2 import Entity, Retraction, Task

from brain_core import Brain
from brain_core.errors import StoreFailed
from brain_core.index import snapshot
from brain_core.index.follow import open_index, rebuild_index, replay
from brain_core.index.memory_index import MemoryIndex
from brain_core.index.records import Records
from brain_core.store import keys
from brain_core.store.kv import Batch
from tests.building import embedder, open_brain, pref, say, turn
from tests.index.test_index_snapshot import equal

_DIMENSION = embedder().dimension
words = st.sampled_from(["tea", "coffee", "我喜欢茶", "a longer line of words about tea", "x" * 300])
names = st.sampled_from(["tone", "theme"])
commits = st.one_of(
    st.builds(lambda s, *t: say("m", s, *t), st.sampled_from(["s1", "s2"]), words, words),
    st.builds(lambda n, v, c: turn("m", "s1", preferences=[pref(n, v, confirmed=c)]), names, words, st.booleans()),
    st.builds(lambda n: turn("m", "s2", retractions=[Retraction(type="preferences", key=f"pref:writing:{n}")]), names),
    st.builds(lambda s: turn("m", "s1", tasks=[Task(task_id="1", status=s)]), st.sampled_from(["", "done"])),
    st.builds(
        lambda a: turn("m", "s2", entities=[Entity(kind="person", canonical="Ann", aliases=[a], remember=True)]), words
    ),
)  # fmt: skip


def live(brain: Brain) -> MemoryIndex:
    with brain._indexes.use("m") as index:
        return index


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(commits, min_size=1, max_size=12), st.data())
def test_live_replayed_and_rebuilt_are_equal(folder: Path, made: list[CommitTurnRequest], data: st.DataObject) -> None:
    shutil.rmtree(folder / "brain", ignore_errors=True)
    shutil.rmtree(folder / "early", ignore_errors=True)
    saved_after = data.draw(st.integers(0, len(made)), label="snapshot after")
    with open_brain(folder / "brain", index={"window_chars": 100}) as brain:
        for number, request in enumerate(made):
            if number == saved_after:
                snapshot.save(snapshot.snapshot_path(folder / "early", "m"), live(brain))
            brain.commit_turn(request)
        view = brain._kv.snapshot()
        equal(rebuild_index(view, "m", _DIMENSION), live(brain))
        index, saved, why_not = open_index(view, "m", folder / "early", _DIMENSION)
        assert (saved, why_not) == ((saved_after, "") if saved_after < len(made) else (0, "there is none"))
        equal(index, live(brain))
        del view
        [answer] = brain.verify("m")
        assert list(answer.problems) == []
        closed_with = live(brain)
    equal(snapshot.load(snapshot.snapshot_path(folder / "brain/index", "m"), _DIMENSION), closed_with)
    with open_brain(folder / "brain") as brain:
        equal(live(brain), closed_with)


def commit_some(brain: Brain) -> None:
    for number in range(4):
        brain.commit_turn(say("m", "s", f"line {number}", "yes"))


def test_a_snapshot_ahead_of_the_store_is_ignored(brain: Brain, folder: Path) -> None:
    commit_some(brain)
    index = live(brain)
    index.revision += 1
    snapshot.save(snapshot.snapshot_path(folder / "ahead", "m"), index)
    index.revision -= 1
    opened, saved, why_not = open_index(brain._kv.snapshot(), "m", folder / "ahead", _DIMENSION)
    assert (saved, why_not) == (0, "it is at revision 5, past the store's")
    equal(opened, index)


@pytest.mark.parametrize("damage", [b"", b"garbage", b"smartbrain-index 1\n" + bytes(100)])
def test_a_damaged_snapshot_is_ignored(folder: Path, damage: bytes) -> None:
    with open_brain(folder) as brain:
        commit_some(brain)
        index = live(brain)
    path = snapshot.snapshot_path(folder / "index", "m")
    path.write_bytes(damage)
    with open_brain(folder) as brain:
        rebuilt = live(brain)
        equal(rebuilt, index)
        [answer] = brain.verify("m")
        assert any("the snapshot cannot be used" in problem for problem in answer.problems)
    equal(snapshot.load(path, _DIMENSION), index)  # made anew at close


def test_verify_tells_what_of_an_index_differs_from_the_store(brain: Brain) -> None:
    commit_some(brain)
    index = live(brain)
    other = embedder().embed(["quite another text"]).astype(np.float16)
    index.vectors.replace(np.zeros(1, dtype=np.int32), other)
    index.chunks.column("speaker")[2] = 7
    evidence = index.chunks.records.read(range(len(index.chunks)))
    evidence[1].snippet += "!"
    index.chunks.records = Records()
    for one in evidence:
        index.chunks.records.add(one)
    [answer] = brain.verify("m")
    assert [problem.removeprefix("the index differs from the store in ") for problem in answer.problems] == [
        "column speaker",
        "its evidence",
        "its vectors",
    ]


def test_a_replayed_index_is_written_out_at_close(folder: Path) -> None:
    with open_brain(folder / "a") as brain:
        commit_some(brain)
    early = (folder / "a/index").rename(folder / "early")
    with open_brain(folder / "a") as brain:
        commit_some(brain)
    shutil.rmtree(folder / "a/index")
    early.rename(folder / "a/index")
    path = snapshot.snapshot_path(folder / "a/index", "m")
    assert snapshot.load(path, _DIMENSION).revision == 4
    with open_brain(folder / "a") as brain:
        assert live(brain).revision == 8
    assert snapshot.load(path, _DIMENSION).revision == 8, "else every start replays the same changes"


def test_a_hole_in_the_store_is_a_failure(brain: Brain) -> None:
    commit_some(brain)
    partition = keys.memory("m")
    batch = Batch()
    batch.delete(keys.change(3))
    brain._kv.write(partition, batch)
    index = MemoryIndex(_DIMENSION)
    with pytest.raises(StoreFailed, match="memory 'm'"):
        replay(brain._kv.snapshot(), "m", index)
    batch = Batch()
    batch.delete(keys.chunk(2))
    brain._kv.write(partition, batch)
    with pytest.raises(StoreFailed, match="memory 'm'"):
        rebuild_index(brain._kv.snapshot(), "m", _DIMENSION)
