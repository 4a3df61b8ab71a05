"""core_memory: one record that always says what a scan of the items says."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from smartbrain.v1.event_pb2 import Goal, Preference, Retraction, Task

from brain_core import Brain
from brain_core.compose.blocks import pinned_rows
from brain_core.store import keys
from brain_core.store.core import read_core, scan_core
from brain_core.store.kv import Batch
from brain_core.store.log import put_change, read_chunks, read_space
from brain_core.store.v1.records_pb2 import ChangeRecord, ChunkRecord, CoreRecord
from tests.building import compose, open_brain, pref, say, turn

NAMES = ("tone", "language", "编辑器")

_PARTS = st.one_of(
    st.builds(
        lambda name, value, sure: {"preferences": [Preference(name=name, value=value, confirmed=sure)]},
        st.sampled_from(NAMES),
        st.sampled_from(["short", "long", "中文"]),
        st.booleans(),
    ),
    st.builds(
        lambda name, status: {"goals": [Goal(name=name, status=status)]},
        st.sampled_from(NAMES),
        st.sampled_from(["active", "active", "reached", "dropped"]),
    ),
    st.builds(
        lambda name, kind: {"retractions": [Retraction(type=kind[0], key=f"{kind[1]}:{name}")]},
        st.sampled_from(NAMES),
        st.sampled_from([("preferences", "pref:other"), ("goals", "goal:default")]),
    ),
    st.builds(lambda name: {"tasks": [Task(task_id=name)]}, st.sampled_from(NAMES)),
)


def merged(parts: list[dict[str, list[Any]]]) -> dict[str, Any]:
    """Return the fields of one turn."""
    fields: dict[str, Any] = {}
    for part in parts:
        for name, entries in part.items():
            fields.setdefault(name, []).extend(entries)
    return fields


def scanned(brain: Brain, max_priority: int) -> list[ChunkRecord]:
    """Return what a scan of the index pins."""
    with brain._indexes.use("m") as index:
        chunks = read_chunks(brain._kv, "m", pinned_rows(index.chunks, index.chunks.column("status"), max_priority))
    for chunk in chunks:
        chunk.ClearField("vector")
    return chunks


def recorded(brain: Brain, max_priority: int) -> Sequence[ChunkRecord]:
    found = read_core(brain._kv, "m", max_priority)
    assert found is not None
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(_PARTS, min_size=1, max_size=4), min_size=1, max_size=8), st.sampled_from([0, 2, 4, 10]))
def test_after_any_commits_the_record_is_what_a_scan_gives(
    folder: Path, commits: list[list[dict[str, Any]]], max_priority: int
) -> None:
    policies = {"composition": {"pinned_max_priority": max_priority}}
    with (
        tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as home,
        open_brain(Path(home), policies=policies) as brain,
    ):
        for parts in commits:
            brain.commit_turn(turn("m", "s", **merged(parts)))
            assert list(recorded(brain, max_priority)) == scanned(brain, max_priority)
            assert list(scan_core(brain._kv, "m", max_priority)) == scanned(brain, max_priority)
        assert [list(answer.problems) for answer in brain.verify()] == [[]]


def put_record(brain: Brain, record: bytes | None) -> None:
    """Replace the record, or take it away as in a store of an earlier version, as a revision of its own."""
    batch, partition = Batch(), keys.memory("m")
    if record is None:
        batch.delete(keys.CORE)
    else:
        batch.put(keys.CORE, record)
    space = read_space(brain._kv, "m")
    assert space is not None
    put_change(batch, ChangeRecord(revision=brain._kv.revision(partition) + 1, first_chunk=space.next_chunk))
    with brain._indexes.use("m") as index:
        index.apply(brain._kv.write(partition, batch), [], [])


def test_nothing_is_written_where_nothing_in_it_changes(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[pref("tone", "short")]))
    put_record(brain, None)
    brain.commit_turn(say("m", "s", "hm", "yes"))
    brain.commit_turn(turn("m", "s", tasks=[Task(task_id="t")]))
    assert read_core(brain._kv, "m", 2) is None


def test_a_memory_without_the_record_is_served_and_gets_one(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[pref("tone", "short")]))
    before = compose(brain, "m", "s", "hello there").system_blocks
    put_record(brain, None)
    assert compose(brain, "m", "s", "hello there").system_blocks == before
    assert [list(answer.problems) for answer in brain.verify()] == [[]]
    brain.commit_turn(turn("m", "s", preferences=[pref("language", "中文")]))
    assert list(recorded(brain, 2)) == scanned(brain, 2)
    assert len(recorded(brain, 2)) == 2


def test_a_context_reads_the_record(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[pref("tone", "short")]))
    put_record(brain, CoreRecord(max_priority=2).SerializeToString())
    assert not compose(brain, "m", "s", "hello there").system_blocks


def test_a_first_commit_without_items_makes_an_empty_record(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "hm", "yes"))
    assert list(recorded(brain, 2)) == []


def test_another_priority_makes_another_record(folder: Path) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(turn("m", "s", preferences=[pref("tone", "short")], tasks=[Task(task_id="t")]))
    with open_brain(folder, policies={"composition": {"pinned_max_priority": 4}}) as brain:
        assert len(compose(brain, "m", "s", "hello there").system_blocks) == 2, "scanned until it is made again"
        assert read_core(brain._kv, "m", 4) is None
        brain.commit_turn(turn("m", "s", tasks=[Task(task_id="u")]))
        assert list(recorded(brain, 4)) == scanned(brain, 4)
        assert len(compose(brain, "m", "s", "hello there").system_blocks) == 3


def test_verify_sees_a_record_that_is_wrong(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[pref("tone", "short")]))
    put_record(brain, CoreRecord(max_priority=2).SerializeToString())
    assert [list(answer.problems) for answer in brain.verify()] == [
        ["what every context carries differs from the items"]
    ]
