"""A replay at the same revision is the same package; at a later one it names what was committed, and nothing else."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.brain_service_pb2 import (
    ComposeContextRequest,
    ContextChange,
    GetContextRequest,
    ListContextsRequest,
    ReplayRequest,
    ReplayResponse,
)
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Retraction, Task
from smartbrain.v1.evidence_pb2 import Signals
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan

from brain_core import Brain
from brain_core.compose import prepare
from brain_core.compose.replay import comparable, same
from brain_core.errors import InvalidArgument, NotFound
from brain_core.index import vector
from brain_core.store.v1.records_pb2 import ContextRecord
from tests.building import compose, open_brain, plan, pref, say, second, turn

QUESTION = "写报告用什么语气？ Which tone, and what about the report?"


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    """Give a brain that knows a tone, a task and a conversation."""
    with open_brain(folder) as opened:
        opened.commit_turn(turn("m", "s", preferences=[pref("tone", "formal 正式")]))
        opened.commit_turn(turn("m", "s", tasks=[Task(task_id="report", title="Write the report", status="doing")]))
        opened.commit_turn(say("m", "s", "The report is about zebras. 报告写斑马。", "好的。", at=10))
        yield opened


def replay(brain: Brain, package: ContextPackage) -> ReplayResponse:
    return brain.replay(ReplayRequest(memory_id="m", context_id=package.context_id))


def told(changes: Iterable[ContextChange]) -> set[tuple[str, str, str]]:
    """Return (slot, kind, reason) of what differs, without numbers that move with every commit."""
    quiet = {"score_changed", "moved"}
    return {
        (each.slot, each.kind, each.reason)
        for each in changes
        if each.slot not in {"tokens", "dropped"} and each.kind not in quiet
    }


@pytest.mark.parametrize("options", [{}, {"token_limit": 120}, {"plan": plan("报告", "tone")}, {"now": second(99)}])
def test_at_the_same_revision_it_is_the_same(brain: Brain, options: dict[str, object]) -> None:
    first = compose(brain, "m", "s", QUESTION, **options)
    found = replay(brain, first)
    assert found.identical
    assert not found.changes
    assert not found.notes
    assert found.revision == found.revision_then == 3
    assert found.plan_source == ("caller" if "plan" in options else "planner")
    assert found.now == options.get("now", second(10))
    assert found.context.context_id != first.context_id
    assert [each.snippet for each in found.context.evidence] == [each.snippet for each in first.evidence]


def test_a_changed_preference_and_a_done_task_are_named_and_nothing_else(brain: Brain) -> None:
    first = compose(brain, "m", "s", QUESTION)
    brain.commit_turn(turn("m", "other", preferences=[pref("tone", "casual and short 随意一点")]))
    brain.commit_turn(turn("m", "other", tasks=[Task(task_id="report", title="Write the report", status="done")]))
    found = replay(brain, first)
    assert not found.identical
    assert (found.revision_then, found.revision) == (3, 5)
    assert told(found.changes) == {
        ("system_blocks", "text_changed", "version 2, written at revision 4"),
        ("system_blocks", "changed", "in source, updated_at"),
        ("evidence", "gone", "superseded by version 2 at revision 5"),
        ("evidence", "new", "version 2, written at revision 5"),
    }
    [block] = [each for each in found.changes if each.slot == "system_blocks" and each.kind == "text_changed"]
    assert "formal 正式" in block.then
    assert "casual and short 随意一点" in block.now
    assert any(each.slot == "tokens" and each.id == "used" for each in found.changes)


def test_what_was_denied_is_gone_for_that_reason(brain: Brain) -> None:
    first = compose(brain, "m", "s", QUESTION)
    [item] = first.system_blocks
    brain.commit_turn(turn("m", "other", retractions=[Retraction(type="preferences", key="pref:writing:tone")]))
    [gone] = [each for each in replay(brain, first).changes if each.slot == "system_blocks"]
    assert (gone.kind, gone.id) == ("gone", item.source.memory_item_id)
    assert gone.reason == "retracted by version 2 at revision 4"


def test_newer_turns_are_named_and_so_is_what_they_push_out(folder: Path) -> None:
    with open_brain(folder, policies={"composition": {"recent_turns_max": 1}}) as brain:
        brain.commit_turn(say("m", "s", "斑马 zebra one"))
        first = compose(brain, "m", "s", "zebra")
        brain.commit_turn(say("m", "s", "斑马 zebra two"))
        changes = {(each.slot, each.kind): each for each in replay(brain, first).changes}
    assert changes["recent_turns", "gone"].reason == "1 newer messages of the session stand before it"
    assert changes["recent_turns", "new"].reason == "committed at revision 2"
    assert changes["recent_turns", "new"].now == "斑马 zebra two"
    assert changes["evidence", "new"].reason == "dropped then: duplicate (stands in recent_turns)"


def test_an_item_that_is_only_said_again_ends_nothing(brain: Brain) -> None:
    first = compose(brain, "m", "s", QUESTION)
    brain.commit_turn(turn("m", "other", preferences=[pref("tone", "formal 正式")]))
    assert told(replay(brain, first).changes) == set()
    task = Task(task_id="report", title="Write the report", status="doing")
    brain.commit_turn(turn("m", "other", tasks=[task]))
    task.status = "done"
    brain.commit_turn(turn("m", "other", tasks=[task]))
    assert ("evidence", "gone", "superseded by version 2 at revision 6") in told(replay(brain, first).changes)


def test_time_that_has_passed_is_no_difference(brain: Brain) -> None:
    first = compose(brain, "m", "s", "What did we say yesterday? 昨天说了什么？")
    brain.commit_turn(say("m", "other", "a lion", at=90 * 86400))
    found = replay(brain, first)
    assert found.now == second(10)
    assert not [each for each in found.changes if each.slot == "plan"], "the same yesterday"


def test_it_stores_nothing_and_moves_nothing(brain: Brain) -> None:
    first = compose(brain, "m", "s", QUESTION)
    found = replay(brain, first)
    listed = brain.list_contexts(ListContextsRequest(memory_id="m"))
    assert [each.context_id for each in listed.contexts] == [first.context_id]
    assert listed.revision == 3
    with pytest.raises(NotFound):
        brain.get_context(GetContextRequest(memory_id="m", context_id=found.context.context_id))


def seen(package: ContextPackage) -> tuple[list[PlanQuery], list[Signals]]:
    """Return what a context was asked, and what its evidence was found by."""
    return list(package.debug.planner.queries), [each.signals for each in package.evidence]


@pytest.mark.parametrize("given", [None, plan("a zebra", "报告 report", mode="hybrid")], ids=["planner", "caller"])
@pytest.mark.parametrize("left", [9_000.0, 4_000.0, 100.0])
def test_what_a_deadline_left_out_is_left_out_again(folder: Path, given: RetrievalPlan | None, left: float) -> None:
    slow = {"expansion_ms": 10_000, "depth_ms": 5_000, "semantic_ms": 2_000, "least_candidates": 2}
    with open_brain(folder, policies={"retrieval": {"deadline": slow}}) as brain:
        for number in range(8):
            brain.commit_turn(say("m", f"s{number}", f"zebra {number} eats grass 斑马吃草", at=number))
        brain.commit_turn(turn("m", "s", preferences=[pref("tone", "formal")]))
        asked = ComposeContextRequest(
            memory_id="m", session_id="s0", user_message="My preferences? zebra 斑马", plan=given
        )
        first = brain.compose_context(asked, due=time.perf_counter() + left / 1000).context
        assert any(line.startswith("deadline: ") for line in first.debug.ignored)
        whole = compose(brain, "m", "s0", asked.user_message, plan=given)
        assert seen(whole) != seen(first)
        found = replay(brain, first)
    assert found.identical, found.changes
    assert found.plan_source == ("caller" if given else "stored")
    assert any(line.startswith("deadline: ") for line in found.notes)


def test_a_plan_that_was_made_a_revision_earlier_is_carried_out_as_stored(
    brain: Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    embed = prepare._vectors

    def embedding(*given: Any) -> object:  # noqa: ANN401
        monkeypatch.undo()
        brain.commit_turn(say("m", "s", "and the lion? 狮子呢？", at=20))
        return embed(*given)

    monkeypatch.setattr(prepare, "_vectors", embedding)
    first = compose(brain, "m", "s", "and the second one?")
    found = replay(brain, first)
    assert (found.identical, found.plan_source, found.revision_then) == (True, "stored", 4)
    assert list(found.notes) == ["plan: made at revision 3, searched at revision 4"]


def test_what_was_found_before_codes_were_learned_is_found_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_PER_WANTED", "_PER_ROOT"):  # so few are looked at that some answers differ
        monkeypatch.setattr(vector, name, 1)
    chance, learned = random.Random(3), threading.Event()
    tails = ("ton", "rus", "lin", "海", "山") * 9
    words = [f"{chance.choice('bdgklm')}{chance.choice('aeiou')}{tail}" for tail in tails]
    vector._builder.submit(learned.wait, 600)  # seconds; a busy machine took more than 60
    with open_brain(folder) as brain:
        for number in range(5):
            said = [" ".join(chance.choices(words, k=6)) + f" {each}" for each in range(900)]
            brain.commit_turn(say("m", f"s{number}", *said))
        asked = [" ".join(chance.choices(words, k=4)) for _ in range(160)]
        before = [compose(brain, "m", "new", each) for each in asked]
        with brain._indexes.use("m") as index:
            assert index.vectors.learned_of == 0
            learned.set()
            index.vectors.settle()
            assert index.vectors.learned_of == 4000
        after = [compose(brain, "m", "new", each) for each in asked]
        pairs = zip(before, after, strict=True)
        assert not all(same(*comparable(*pair)) for pair in pairs), "or nothing is tested"
        assert all(replay(brain, each).identical for each in (*before, *after))
    with open_brain(folder) as brain:
        assert all(replay(brain, each).identical for each in (*before, *after)), "after a restart"


def test_a_changed_policy_is_named(folder: Path) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", "a zebra 斑马"))
        first = compose(brain, "m", "new", "zebra")
    with open_brain(folder, policies={"composition": {"token_limit": 4000}, "ranking": {"bm25_b": 0.1}}) as brain:
        found = replay(brain, first)
    assert list(found.notes) == [
        "policies.ranking: it has changed since",
        "policies.composition: it has changed since",
    ]
    assert ("tokens", "changed", "limit", "8192", "4000") in {
        (each.slot, each.kind, each.id, each.then, each.now) for each in found.changes
    }


def test_without_trace_then_or_now_the_rest_is_compared(folder: Path) -> None:
    untraced = {"observability": {"trace": False}}
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", "a zebra 斑马"))
        traced = compose(brain, "m", "new", "zebra")
    with open_brain(folder, policies=untraced) as brain:
        assert replay(brain, traced).identical
        bare = compose(brain, "m", "new", "zebra")
        assert replay(brain, bare).identical
    with open_brain(folder) as brain:
        found = replay(brain, bare)
        assert found.identical
        assert list(found.notes) == ["policies.observability: it has changed since"]


def test_what_the_first_release_stored_is_replayed_with_what_it_lacks_named(brain: Brain) -> None:
    first = compose(brain, "m", "s", QUESTION)
    whole = brain._contexts.get("m", first.context_id)
    old = ContextRecord(request=whole.request, plan=whole.plan, response=whole.response)
    brain._contexts.put("m", first.context_id, old)
    found = replay(brain, first)
    assert found.identical
    assert [line.split(":")[0] for line in found.notes] == ["now", "policy"]


def test_a_context_that_is_not_there_is_not_found(folder: Path) -> None:
    with open_brain(folder, policies={"observability": {"contexts_kept": 2}}) as brain:
        brain.commit_turn(say("m", "s", "a zebra"))
        made = [compose(brain, "m", "s", f"zebra {number}") for number in range(3)]
        for _ in range(2):  # before they are written, and after
            listed = brain.list_contexts(ListContextsRequest(memory_id="m"))
            assert [each.context_id for each in listed.contexts] == [made[2].context_id, made[1].context_id]
            brain._contexts.flush()
        with pytest.raises(NotFound, match="context_id"):
            replay(brain, made[0])
        assert replay(brain, made[1]).identical
        for field in ("memory_id", "context_id"):
            asked = ReplayRequest(memory_id="m", context_id=made[1].context_id)
            asked.ClearField(field)
            with pytest.raises(InvalidArgument, match=field):
                brain.replay(asked)
        with pytest.raises(NotFound, match="memory_id"):
            brain.replay(ReplayRequest(memory_id="nobody", context_id="x"))


def test_contexts_are_listed_newest_first_page_by_page(brain: Brain) -> None:
    made = [compose(brain, "m", "s", f"第{number}个问题 " + "x" * 300, token_limit=2000) for number in range(7)]
    pages: list[list[str]] = []
    request = ListContextsRequest(memory_id="m", page_size=3)
    while not pages or request.page_token:
        page = brain.list_contexts(request)
        pages.append([each.context_id for each in page.contexts])
        request.page_token = page.next_page_token
    ids = [each.context_id for each in made][::-1]
    assert pages == [ids[:3], ids[3:6], ids[6:]]
    one = brain.list_contexts(ListContextsRequest(memory_id="m", page_size=1)).contexts[0]
    assert one.user_message == made[-1].user_message.content[:200]
    assert (one.session_id, one.revision, one.token_limit) == ("s", 3, 2000)
    assert one.tokens_used == made[-1].constraints.token_budget.used
    assert one.evidence == len(made[-1].evidence)
    with pytest.raises(InvalidArgument, match="page_token"):
        brain.list_contexts(ListContextsRequest(memory_id="m", page_token="!"))
