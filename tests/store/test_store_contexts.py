"""Stored contexts: the newest are kept."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ComposeContextResponse
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan

from brain_core.errors import NotFound
from brain_core.store import keys
from brain_core.store.contexts import ContextLog, get_context
from brain_core.store.rocks import RocksKV


@pytest.fixture
def kv(folder: Path) -> Iterator[RocksKV]:
    opened = RocksKV(folder / "store", durable=False)
    yield opened
    opened.close()


def put(kept_by: ContextLog, memory: str, context_id: str) -> None:
    asked = ComposeContextRequest(memory_id=memory, user_message="x")
    kept_by.put(memory, asked, None, answer(context_id, 3))


def answer(context_id: str, revision: int) -> ComposeContextResponse:
    return ComposeContextResponse(context=ContextPackage(context_id=context_id), revision=revision)


def kept(kv: RocksKV, memory: str) -> list[str]:
    return [value.decode() for _, value in kv.scan(keys.contexts(memory), keys.CONTEXT_ORDER)]


def test_the_oldest_is_dropped_with_its_record(kv: RocksKV) -> None:
    few, many = ContextLog(kv, 3), ContextLog(kv, 10)
    for number in range(5):
        put(few, "m", f"x{number}")
        put(many, "mm", f"x{number}")
    assert kept(kv, "m") == ["x2", "x3", "x4"]
    assert len(list(kv.scan(keys.contexts("m"), keys.CONTEXTS))) == 3
    assert get_context(kv, "m", "x2").context.context_id == "x2"
    with pytest.raises(NotFound, match="memory 'm' keeps no context 'x1'"):
        get_context(kv, "m", "x1")
    assert get_context(kv, "mm", "x0").context.context_id == "x0", "another memory keeps its own"


def test_a_context_comes_back_with_what_it_was_made_of(kv: RocksKV) -> None:
    asked = ComposeContextRequest(memory_id="m", session_id="s", user_message="zebra?")
    plan = RetrievalPlan(queries=[PlanQuery(text="zebra?")])
    ContextLog(kv, 3).put("m", asked, plan, answer("x", 7))
    stored = get_context(kv, "m", "x")
    assert (stored.request, stored.plan, stored.context.context_id, stored.revision) == (asked, plan, "x", 7)
    put(ContextLog(kv, 3), "m", "y")
    assert not get_context(kv, "m", "y").HasField("plan")


def test_contexts_move_no_memory(kv: RocksKV) -> None:
    put(ContextLog(kv, 3), "m", "x")
    assert kv.revision(keys.memory("m")) == 0
    assert list(kv.partitions(keys.MEMORIES)) == []


def test_many_threads_store_contexts_of_one_memory(kv: RocksKV) -> None:
    log = ContextLog(kv, 50)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: put(log, "m", f"x{number}"), range(200)))
    assert len(kept(kv, "m")) == 50
    assert len(list(kv.scan(keys.contexts("m"), keys.CONTEXTS))) == 50
