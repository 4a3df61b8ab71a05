"""200 stored contexts of all sorts, composed again after a stop and a kill: 200 identical, and then what changed."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import (
    CommitTurnRequest,
    ComposeContextRequest,
    ListContextsRequest,
    ReplayRequest,
    ReplayResponse,
)
from smartbrain.v1.event_pb2 import Message, Preference, Task, TurnEvents
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED, LAYER_LONGTERM
from smartbrain.v1.memory_service_pb2 import ListItemsRequest
from smartbrain.v1.plan_pb2 import PlanBudget, PlanFilters, PlanOutput, PlanQuery, RetrievalPlan

from tests.faults.corpus import commit_all, turns
from tests.serving import Stubs, start_server

MEMORY = "replayed"
FAST = "store: {durability: process}"
COUNT = 200

_MESSAGES = (
    "Where did we see a red bicycle?",
    "我们在哪里喝了龙井茶？",
    "RocksDB migration 在哪个城市讨论的？",
    "What do I like to drink?",
    "What did we talk about yesterday?",
    "上周谈了什么？",
    "and the second one?",
    "那另外一个呢？",
    "Summarise this session.",
    "我决定了什么？",
    "Which tasks are still open?",
    'old violin, Reykjavik; "old violin"',
    "zzz",
)
_LIMITS = (0, 64, 100, 300, 1000, 2000, 8192)
_FILTERS = (
    None,
    PlanFilters(types=["preferences", "tasks"]),
    PlanFilters(session_ids=["s1"]),
    PlanFilters(layers=[LAYER_LONGTERM], statuses=[ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED]),
    PlanFilters(source_type=["conversation"], language="zh"),
    PlanFilters(min_confidence=0.7, max_priority=5),
)


def plan(chance: random.Random) -> RetrievalPlan:
    """Return a plan of a caller's, some of which ask for what cannot be done."""
    modes = ("exact", "semantic", "hybrid", "relational")
    asked = RetrievalPlan(
        queries=[
            PlanQuery(text=chance.choice(_MESSAGES), mode=chance.choice(modes), weight=chance.choice((0, 0.5, 2)))
            for _ in range(chance.randint(1, 3))
        ],
        global_filters=chance.choice(_FILTERS),
        budget=PlanBudget(top_k=chance.choice((0, 3, 20)), candidate_k=chance.choice((0, 20))),
        output=PlanOutput(include_signals=chance.random() < 0.8, snippet_policy=chance.choice(("", "l0", "l2"))),
    )
    asked.ranking.tie_breaker = chance.choice(("", "recency"))
    asked.request_id = chance.choice(("", "asked by me"))
    return asked


def asked(number: int) -> ComposeContextRequest:
    """Return the n-th request: English and Chinese, with and without plan, filters, now, under all sorts of limits."""
    chance = random.Random(number)
    request = ComposeContextRequest(
        memory_id=MEMORY,
        session_id=chance.choice(("s0", "s1", "s2", "新的")),
        user_message=_MESSAGES[number % len(_MESSAGES)],
        token_limit=chance.choice(_LIMITS),
        plan=plan(chance) if number % 3 == 0 else None,
        min_revision=number % 2,
    )
    if number % 4 == 1:
        request.now.FromMicroseconds(1_700_000_000_000_000 + chance.randrange(10**12))
    return request


def contexts(stubs: Stubs) -> list[str]:
    """Return the ids of all stored contexts, newest first, page by page."""
    request, found = ListContextsRequest(memory_id=MEMORY, page_size=70), []
    while True:
        page = stubs.brain.ListContexts(request)
        found += [each.context_id for each in page.contexts]
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


def replays(stubs: Stubs, ids: Sequence[str]) -> list[ReplayResponse]:
    return [stubs.brain.Replay(ReplayRequest(memory_id=MEMORY, context_id=each)) for each in ids]


def differing(found: Sequence[ReplayResponse]) -> list[str]:
    return [str(each.changes) for each in found if not each.identical]


@pytest.fixture
def ids(folder: Path) -> list[str]:
    """Give the ids of 200 contexts that were composed and stored in `folder`, oldest first."""
    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        commit_all(stubs, turns(MEMORY, 0, 120))
        made = [stubs.brain.ComposeContext(asked(number)).context.context_id for number in range(COUNT)]
        assert contexts(stubs) == made[::-1]
        assert differing(replays(stubs, made)) == []
    assert server.terminate() == 0
    return made


def test_200_stored_contexts_are_identical_after_a_stop_and_after_a_kill(folder: Path, ids: list[str]) -> None:
    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        found = replays(stubs, ids)
        assert differing(found) == [], "after a stop"
        assert sum(each.identical for each in found) == COUNT
        assert {each.revision for each in found} == {each.revision_then for each in found} == {120}
        assert {each.plan_source for each in found} == {"caller", "planner"}
        assert contexts(stubs) == ids[::-1], "a replay is not stored"
    server.kill()
    shutil.rmtree(server.data / "index")
    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        assert differing(replays(stubs, ids)) == [], "after a kill, without the index"
    assert server.terminate() == 0


def test_after_more_commits_the_differences_are_what_was_committed(folder: Path, ids: list[str]) -> None:
    server = start_server(folder, config=FAST)
    changed = TurnEvents(
        messages=[Message(role="user", content="Thanks, 谢谢。")],
        preferences=[Preference(name="drink", value="乌龙茶", confirmed=True)],
        tasks=[Task(task_id="visit Lisbon", title="Visit Lisbon again", status="done")],
    )
    with server.stubs() as stubs:
        done = stubs.brain.CommitTurn(CommitTurnRequest(memory_id=MEMORY, session_id="elsewhere", turn=changed))
        assert {(each.type, each.version > 1) for each in done.items} == {("preferences", True), ("tasks", True)}
    server.kill()
    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        found = replays(stubs, ids)
        items = stubs.memory.ListItems(ListItemsRequest(memory_id=MEMORY, types=["preferences", "tasks"])).items
    assert server.terminate() == 0
    assert {(each.revision_then, each.revision) for each in found} == {(120, 121)}
    written = {each.id: each.version for each in items if each.revision == 121}
    assert len(written) == 2
    changes = [change for each in found for change in each.changes]
    named = {(each.slot, each.kind, each.reason) for each in changes if "revision 121" in each.reason}
    drink, task = sorted(written.values(), reverse=True)
    assert {
        ("system_blocks", "new", f"version {drink}, written at revision 121"),
        ("evidence", "new", f"version {drink}, written at revision 121"),
        ("evidence", "new", f"version {task}, written at revision 121"),
        ("evidence", "gone", f"superseded by version {task} at revision 121"),
        ("working_summary", "gone", f"tasks task:default:visit_Lisbon: superseded by version {task} at revision 121"),
        ("evidence", "new", "committed at revision 121"),
    } >= named
    assert len(named) >= 4
    for each in changes:
        if each.slot == "system_blocks":
            assert each.id in written
        if each.slot in {"evidence", "system_blocks", "working_summary"} and each.kind in {"gone", "new"}:
            assert each.reason, each
