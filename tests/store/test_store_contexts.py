"""Stored contexts: the newest are kept, found before they are written, and written together."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ComposeContextResponse
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan

from brain_core.errors import NotFound, StoreFailed
from brain_core.store import contexts, keys
from brain_core.store.contexts import ContextLog
from brain_core.store.kv import KV, NONE_BESIDE, Batch, Partition
from brain_core.store.rocks import RocksKV
from brain_core.store.v1.records_pb2 import ContextRecord
from tests.building import compose, open_brain, say

_PATIENCE_SECONDS = 20.0
_ROOM = 1 << 40  # bytes


class CountingKV(RocksKV):
    """A store that counts what is written and that can be told to fail, as one on a full disk does."""

    full = False
    batches = 0

    def write(
        self,
        partition: Partition,
        batch: Batch,
        expect: int | None = None,
        beside: Mapping[Partition, Batch] = NONE_BESIDE,
    ) -> int:
        """Write, or raise StoreFailed."""
        if self.full:
            raise StoreFailed("no space left", field="data", value="", limit="", hint="")
        self.batches += 1
        return super().write(partition, batch, expect, beside)


@pytest.fixture
def kv(folder: Path) -> Iterator[CountingKV]:
    opened = CountingKV(folder / "store", durable=False)
    yield opened
    opened.close()


@pytest.fixture
def never_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing written but by `flush` and `close`."""
    monkeypatch.setattr(contexts, "_PAUSE_SECONDS", 1e6)


def put(kept_by: ContextLog, memory: str, context_id: str) -> None:
    asked = ComposeContextRequest(memory_id=memory, user_message="x")
    kept_by.put(memory, context_id, record(asked, context_id, 3))


def answer(context_id: str, revision: int) -> ComposeContextResponse:
    return ComposeContextResponse(context=ContextPackage(context_id=context_id), revision=revision)


def record(asked: ComposeContextRequest, context_id: str, revision: int) -> ContextRecord:
    return ContextRecord(request=asked, response=answer(context_id, revision).SerializeToString())


def package(found: ContextRecord) -> ContextPackage:
    return ComposeContextResponse.FromString(found.response).context


def kept(kv: RocksKV, memory: str) -> list[str]:
    rows = kv.scan(keys.contexts(memory), keys.CONTEXT_ORDER)
    return [value.partition(b"\x00")[0].decode() for _, value in rows]


def records(kv: RocksKV, memory: str) -> set[str]:
    return {key[len(keys.CONTEXTS) :].decode() for key, _ in kv.scan(keys.contexts(memory), keys.CONTEXTS)}


def soon(kv: RocksKV, expected: Mapping[str, list[str]]) -> None:
    """Demand that these contexts of memories come to be written."""
    patience = time.monotonic() + _PATIENCE_SECONDS
    while any(kept(kv, memory) != ids for memory, ids in expected.items()) and time.monotonic() < patience:
        time.sleep(0.01)
    assert {memory: kept(kv, memory) for memory in expected} == expected


@pytest.mark.parametrize("at_once", [1, 2, 3, 7])
def test_the_oldest_is_dropped_with_its_record(kv: CountingKV, at_once: int) -> None:
    few, many = ContextLog(kv, 3, _ROOM), ContextLog(kv, 10, _ROOM)
    for number in range(7):
        put(few, "m", f"x{number}")
        put(many, "mm", f"x{number}")
        if number % at_once == 0:
            few.flush()
            many.flush()
    few.close()
    many.close()
    assert kept(kv, "m") == ["x4", "x5", "x6"]
    assert records(kv, "m") == {"x4", "x5", "x6"}
    assert package(few.get("m", "x4")).context_id == "x4"
    with pytest.raises(NotFound, match="memory 'm' keeps no context 'x3'"):
        few.get("m", "x3")
    assert package(many.get("mm", "x0")).context_id == "x0", "another memory keeps its own"


def test_a_context_comes_back_with_what_it_was_made_of(kv: CountingKV) -> None:
    asked = ComposeContextRequest(memory_id="m", session_id="s", user_message="zebra?")
    plan = RetrievalPlan(queries=[PlanQuery(text="zebra?")])
    log = ContextLog(kv, 3, _ROOM)
    whole = record(asked, "x", 7)
    whole.plan.CopyFrom(plan)
    log.put("m", "x", whole)
    put(log, "m", "y")
    for _ in range(2):
        assert log.get("m", "x") == whole
        assert not log.get("m", "y").HasField("plan")
        log.flush()
    log.close()


@pytest.mark.usefixtures("never_by_itself")
def test_a_context_is_found_before_it_is_written_and_by_its_memory_alone(kv: CountingKV) -> None:
    log = ContextLog(kv, 3, _ROOM)
    put(log, "m", "x")
    assert kept(kv, "m") == []
    assert package(log.get("m", "x")).context_id == "x"
    for memory, context_id in (("m", "y"), ("mm", "x")):
        with pytest.raises(NotFound):
            log.get(memory, context_id)
    log.close()
    assert kept(kv, "m") == ["x"]


@pytest.mark.usefixtures("never_by_itself")
def test_no_more_are_listed_than_are_kept_written_or_not(kv: CountingKV) -> None:
    log = ContextLog(kv, 3, _ROOM)
    for number in range(5):
        put(log, "m", f"x{number}")
    assert [package(each).context_id for _, each in log.newest("m", 0, 9)] == ["x4", "x3", "x2"]
    log.flush()
    put(log, "m", "x5")
    assert [package(each).context_id for _, each in log.newest("m", 0, 9)] == ["x5", "x4", "x3"]
    log.close()


def test_what_comes_meanwhile_is_written_together_in_the_order_it_came(
    kv: CountingKV, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contexts, "_PAUSE_SECONDS", 0.5)
    log = ContextLog(kv, 100, _ROOM)
    for number in range(30):
        put(log, "mn"[number % 2], f"x{number}")
    soon(kv, {"m": [f"x{number}" for number in range(0, 30, 2)], "n": [f"x{number}" for number in range(1, 30, 2)]})
    assert kv.batches == 2, "one of each memory"
    put(log, "m", "later")
    soon(kv, {"m": [*(f"x{number}" for number in range(0, 30, 2)), "later"]})
    log.close()


def test_contexts_are_there_after_a_restart_and_numbers_go_on(kv: CountingKV) -> None:
    for start in range(0, 6, 2):
        log = ContextLog(kv, 3, _ROOM)
        put(log, "m", f"x{start}")
        put(log, "m", f"x{start + 1}")
        log.close()
    again = ContextLog(kv, 3, _ROOM)
    assert package(again.get("m", "x3")).context_id == "x3"
    assert kept(kv, "m") == ["x3", "x4", "x5"]
    assert records(kv, "m") == {"x3", "x4", "x5"}


def test_contexts_move_no_memory(kv: CountingKV) -> None:
    log = ContextLog(kv, 3, _ROOM)
    put(log, "m", "x")
    log.close()
    assert kv.revision(keys.memory("m")) == 0
    assert list(kv.partitions(keys.MEMORIES)) == []


def test_a_log_that_was_never_used_closes(kv: CountingKV) -> None:
    threads = threading.active_count()
    ContextLog(kv, 3, _ROOM).close()
    assert threading.active_count() == threads


def test_a_failing_disk_is_told_and_what_it_kept_out_is_written_later(
    kv: CountingKV, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contexts, "_RETRY_SECONDS", 0.05)
    log = ContextLog(kv, 3, _ROOM)
    kv.full = True
    put(log, "m", "x0")
    assert log.problem == ""
    log.flush()
    assert log.problem == "no space left", "the next answers say so"
    put(log, "m", "x1")
    assert package(log.get("m", "x0")).context_id == "x0"
    assert kept(kv, "m") == []
    kv.full = False
    soon(kv, {"m": ["x0", "x1"]})
    put(log, "m", "x2")
    log.flush()
    assert log.problem == ""
    log.close()
    assert kept(kv, "m") == ["x0", "x1", "x2"]


def test_fewer_are_kept_once_the_policy_says_so(kv: CountingKV) -> None:
    for keep, names in ((5, range(5)), (2, range(5, 6))):
        log = ContextLog(kv, keep, _ROOM)
        for number in names:
            put(log, "m", f"x{number}")
        log.close()
    assert kept(kv, "m") == ["x4", "x5"]
    assert records(kv, "m") == {"x4", "x5"}


@pytest.mark.usefixtures("never_by_itself")
def test_more_than_are_kept_at_once_push_out_all_before(kv: CountingKV) -> None:
    log = ContextLog(kv, 3, _ROOM)
    for last in (3, 10):
        for number in range(last):
            put(log, "m", f"{last}-{number}")
        log.flush()
    log.close()
    assert kept(kv, "m") == ["10-7", "10-8", "10-9"]
    assert records(kv, "m") == {"10-7", "10-8", "10-9"}


def nbytes(kv: RocksKV, memory: str) -> int:
    return sum(len(value) for _, value in kv.scan(keys.contexts(memory), keys.CONTEXTS))


@pytest.mark.parametrize("at_once", [1, 3, 9])
@pytest.mark.usefixtures("never_by_itself")
def test_the_oldest_go_where_they_are_too_large(kv: CountingKV, at_once: int) -> None:
    sizes = [10, 2000, 10, 3000, 10, 10, 5000, 900, 10, 10, 1200, 10]
    made: list[str] = []
    for half in (sizes[:6], sizes[6:]):
        log = ContextLog(kv, 100, 4000)  # opened anew, it knows what there is
        for size in half:
            made.append(f"x{len(made)}")
            log.put("m", made[-1], record(ComposeContextRequest(user_message="x" * size), made[-1], 3))
            if len(made) % at_once == 0:
                log.flush()
                left = kept(kv, "m")
                assert left == made[-len(left) :], "the newest"
                assert records(kv, "m") == set(left)
                assert nbytes(kv, "m") <= 4000 or len(left) == 1
        log.close()
    assert kept(kv, "m") == made[-5:]


def test_what_an_earlier_release_kept_tells_no_size_and_goes_first(kv: CountingKV) -> None:
    old = Batch()
    old.put(keys.context("old"), record(ComposeContextRequest(), "old", 3).SerializeToString())
    old.put(keys.context_order(1), b"old")
    kv.write(keys.contexts("m"), old)
    log = ContextLog(kv, 100, 4000)
    put(log, "m", "x")
    assert [package(each).context_id for _, each in log.newest("m", 0, 9)] == ["x", "old"]
    log.put("m", "large", record(ComposeContextRequest(user_message="x" * 3990), "large", 3))
    log.close()
    assert kept(kv, "m") == ["large"]


@pytest.mark.usefixtures("never_by_itself")
def test_what_was_purged_makes_room(kv: CountingKV) -> None:
    log = ContextLog(kv, 100, 4000)
    for name, size in (("a", 1500), ("b", 1500), ("c", 1500)):
        log.put("m", name, record(ComposeContextRequest(user_message="x" * size), name, 3), log.epoch("m"))
        log.purge("m", lambda one: package(one).context_id == "b")
    log.close()
    assert kept(kv, "m") == ["a", "c"]


@pytest.mark.usefixtures("never_by_itself")
def test_large_contexts_do_not_wait_for_many(kv: CountingKV, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contexts, "_MOST_PENDING_BYTES", 4000)
    monkeypatch.setattr(contexts, "_RETRY_SECONDS", 1e6)
    log = ContextLog(kv, 100, _ROOM)
    for full in (False, True):
        kv.full = full
        for number in range(9):
            log.put("m", f"{full}{number}", record(ComposeContextRequest(user_message="x" * 900), "x", 3))
            assert sum(len(each) for _, each in log._pending.values()) <= 4000
    kv.full = False
    log.close()


@pytest.mark.usefixtures("never_by_itself")
def test_a_context_that_goes_while_they_are_listed_is_passed_over(kv: CountingKV) -> None:
    log = ContextLog(kv, 9, _ROOM)
    for number in range(3):
        put(log, "m", f"x{number}")
    log.flush()
    gone = Batch()
    gone.deletes.append(keys.context("x1"))  # its place is read, then its record is no longer there
    kv.write(keys.contexts("m"), gone)
    assert [package(each).context_id for _, each in log.newest("m", 0, 9)] == ["x2", "x0"]
    log.close()


def test_contexts_are_listed_newest_first_written_or_not(kv: CountingKV) -> None:
    log = ContextLog(kv, 100, _ROOM)
    for number in range(9):
        put(log, "m", f"x{number}")
        put(log, "other", f"y{number}")
        if number == 4:
            log.flush()
    names, before = [], 0
    while page := log.newest("m", before, 2):
        names += [package(found).context_id for _, found in page]
        before = page[-1][0]
        if before == 1:
            break
    assert names == [f"x{number}" for number in range(8, -1, -1)]
    assert log.newest("nobody", 0, 5) == []
    log.close()


@pytest.mark.usefixtures("never_by_itself")
def test_what_cannot_be_written_does_not_pile_up(kv: CountingKV, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contexts, "_MOST_PENDING", 8)
    monkeypatch.setattr(contexts, "_RETRY_SECONDS", 1e6)
    log = ContextLog(kv, 100, _ROOM)
    kv.full = True
    for number in range(50):
        put(log, "mn"[number % 2], f"x{number}")
        assert len(log._pending) <= 8
    with pytest.raises(NotFound):
        log.get("m", "x0")
    kv.full = False
    log.close()
    assert sorted([*kept(kv, "m"), *kept(kv, "n")]) == [f"x{number}" for number in range(42, 50)], "the newest"


@pytest.mark.usefixtures("never_by_itself")
def test_what_is_crowded_is_written_at_once(kv: CountingKV, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contexts, "_MOST_PENDING", 8)
    log = ContextLog(kv, 100, _ROOM)
    for number in range(50):
        put(log, "m", f"x{number}")
        assert len(log._pending) <= 8
    assert len(kept(kv, "m")) >= 42
    log.close()
    assert kept(kv, "m") == [f"x{number}" for number in range(50)]


def test_many_threads_store_and_find_contexts(kv: CountingKV) -> None:
    log = ContextLog(kv, 50, _ROOM)

    def one(number: int) -> None:
        put(log, "m", f"x{number}")
        assert package(log.get("m", f"x{number}")).context_id == f"x{number}"

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(200)))
    log.close()
    assert len(kept(kv, "m")) == len(set(kept(kv, "m"))) == 50
    assert records(kv, "m") == set(kept(kv, "m"))


def test_a_brain_tells_in_its_answers_and_keeps_contexts_over_a_restart(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contexts, "_RETRY_SECONDS", 0.01)
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", "a zebra"))
        failing = _Refusing(brain._kv)
        monkeypatch.setattr(brain._contexts, "_kv", failing)
        first = compose(brain, "m", "s", "zebra")
        brain._contexts.flush()
        second = compose(brain, "m", "s", "zebra")
        [told] = [one for one in second.debug.ignored if one.startswith("store_contexts")]
        assert told == "store_contexts: not kept over a restart: no space left"
        assert not any(one.startswith("store_contexts") for one in first.debug.ignored)
        monkeypatch.undo()
        brain._contexts.flush()
        third = compose(brain, "m", "s", "zebra")
        assert not any(one.startswith("store_contexts") for one in third.debug.ignored)
    with open_brain(folder) as brain:
        for each in (first, second, third):
            assert package(brain._contexts.get("m", each.context_id)) == each


class _Refusing:
    """A store in which nothing can be written."""

    def __init__(self, kv: KV) -> None:
        self.get, self.scan = kv.get, kv.scan

    def write(self, *_: object) -> int:
        raise StoreFailed("no space left", field="data", value="", limit="", hint="")
