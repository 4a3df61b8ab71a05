"""ComposeContext: slots, budget, determinism, and reading back what was answered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, GetContextRequest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Decision, Goal, Message, ToolCall
from smartbrain.v1.plan_pb2 import PlanFilters

from brain_core import Brain
from brain_core.compose.slots import SlotCounter
from brain_core.errors import FailedPrecondition, InvalidArgument, NotFound
from brain_core.policy import load_policy
from brain_core.text.tokens import ApproxCounter, whole_tokens
from tests.building import compose, embedder, open_brain, plan, pref, retrieve, say, ticking, turn

count = ApproxCounter().count
LIMITS = [64, 80, 100, 128, 200, 256, 384, 512, 768, 1024, 2048, 4096, 8192, 16_384]


def user_message_tokens(text: str) -> int:
    return whole_tokens(SlotCounter(ApproxCounter()).user_message(text))


def check(package: ContextPackage) -> None:
    """Demand what holds of every package."""
    budget = package.constraints.token_budget
    assert budget.used == sum(budget.slots.values())
    assert count(render(package)) <= budget.used <= budget.limit
    filled = {
        "system_blocks": package.system_blocks,
        "developer_blocks": package.developer_blocks,
        "working_summary": package.working_summary.sections,
        "recent_turns": package.recent_turns,
        "evidence": package.evidence,
        "user_message": [package.user_message],
    }
    assert set(budget.slots) == {slot for slot, pieces in filled.items() if pieces}
    assert [one.id for one in package.debug.why_selected] == [one.id for one in package.evidence]
    assert len({one.id for one in package.evidence}) == len(package.evidence)
    blocks = {block.source.memory_item_id for block in package.system_blocks}
    turns = {
        (one.turn_id, one.message_id) for one in package.recent_turns if not one.content.startswith("(tool result")
    }
    for piece in package.evidence:
        assert piece.ref.memory_item_id == "" or piece.ref.memory_item_id not in blocks
        if piece.source_uri.startswith("smartbrain://") and piece.ref.message_id:
            assert (piece.ref.turn_id, piece.ref.message_id) not in turns
        assert piece.source_uri
        assert piece.snippet
        assert 0 <= piece.score <= 1
        assert piece.group in {"top", "long_tail"}


def test_a_dry_run_makes_no_memory_to_compose_from(brain: Brain) -> None:
    dry = say("m", "s", "we decided on Postgres")
    dry.validate_only = True
    brain.commit_turn(dry)
    assert compose(brain, "m", "s", "what did we decide on?").debug.ignored[0].startswith("memory_id: ")
    with pytest.raises(NotFound):
        retrieve(brain, "m", plan("Postgres"))


def test_what_is_said_while_a_context_is_planned_stands_in_it(folder: Path) -> None:
    clock = ticking()
    during: list[str] = []

    def new_id() -> str:
        """Give an id; a plan is given one once the memory has been looked at, and before it is searched."""
        if during:
            brain.commit_turn(say("m", "s", during.pop()))
        return clock.new_id()

    with Brain.open(folder / "while", load_policy(), embedder(), replace(clock, new_id=new_id)) as brain:
        brain.commit_turn(say("m", "s", "the ferry leaves at nine"))
        during.append("no, it leaves at noon")
        package = compose(brain, "m", "s", "when does the ferry leave?")
    assert during == []
    assert [one.content for one in package.recent_turns] == ["the ferry leaves at nine", "no, it leaves at noon"]


@pytest.fixture
def talk(brain: Brain) -> Brain:
    """Give a memory with much to say about zebras, in two languages."""
    fill(brain)
    return brain


def fill(brain: Brain) -> None:
    for number in range(30):
        text = f"Fact {number} about the zebra: it has stripes and lives in herd {number}. " * (1 + number % 4)
        brain.commit_turn(say("m", f"old{number % 5}", text, f"好的，斑马{number}号喜欢吃草。" * (1 + number % 3)))
    brain.commit_turn(
        turn(
            "m",
            "now",
            preferences=[pref("tone", "short answers"), pref("language", "用中文回答")],
            goals=[Goal(project="zoo", name="learn all about the zebra", description="before winter")],
            decisions=[Decision(topic="zebra", decision="buy a zebra", rationale="they are nice\nand striped")],
            tool_calls=[ToolCall(name="search", result="zebra <|im_start|> result\r\nof a tool " * 30)],
        )
    )
    for number in range(10):
        brain.commit_turn(say("m", "now", f"recent question {number}?", f"recent answer {number} 还有中文。"))


@pytest.mark.parametrize("message", ["tell me about zebra stripes", "斑马喜欢吃什么？", "recent question"])
def test_no_package_is_over_its_limit(talk: Brain, message: str) -> None:
    for limit in LIMITS:
        package = compose(talk, "m", "now", message, token_limit=limit)
        check(package)
        assert package.constraints.token_budget.limit == limit
        assert package.user_message.content == message
    assert compose(talk, "m", "now", message).constraints.token_budget.limit == 8192


def test_only_the_sum_of_a_slot_is_rounded_up(brain: Brain) -> None:
    """Each piece was, which took fifty tokens of a package of a hundred pieces."""
    for number in range(80):
        brain.commit_turn(say("m", f"s{number}", f"Herd {number} of the zebras eats grass. 斑马吃草。"))
    package = compose(brain, "m", "now", "What do the zebras eat? 斑马吃什么？", token_limit=2048)
    budget = package.constraints.token_budget
    assert len(package.evidence) > 40
    assert 0 <= budget.used - count(render(package)) <= len(budget.slots)


odd = st.text(
    alphabet=st.sampled_from("aZ9_ .,!斑马\n\r\t\x0b\x1c\x00\x07\u2028\u202e<|>[]/INSTs😀é"), min_size=1, max_size=120
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(odd.filter(str.strip), min_size=1, max_size=6), odd.filter(str.strip), st.integers(30, 600))
def test_no_text_breaks_the_count(brain: Brain, texts: list[str], message: str, limit: int) -> None:
    parts = [
        Message(role=role, content=text) for role, text in zip(["user", "tool", "assistant"] * 2, texts, strict=False)
    ]
    brain.commit_turn(
        turn(
            "h",
            "s",
            messages=parts,
            preferences=[pref("x", texts[0])],
            tool_calls=[ToolCall(name="t", result=texts[-1])],
        )
    )
    if user_message_tokens(message) > limit:
        return
    for session in ("s", "other"):
        package = compose(brain, "h", session, message, token_limit=limit)
        budget = package.constraints.token_budget
        assert count(render(package)) <= budget.used <= limit
        assert package.user_message.content == message


def test_a_message_over_the_limit_is_refused_with_both_numbers(talk: Brain) -> None:
    message = "word " * 100
    needed = user_message_tokens(message)
    with pytest.raises(InvalidArgument) as failed:
        compose(talk, "m", "now", message, token_limit=needed - 1)
    assert failed.value.field == "token_limit"
    assert failed.value.value == str(needed - 1)
    assert str(needed) in failed.value.limit
    package = compose(talk, "m", "now", message, token_limit=needed)
    assert dict(package.constraints.token_budget.slots) == {"user_message": needed}


def test_tight_room_goes_by_priority(talk: Brain) -> None:
    whole = compose(talk, "m", "now", "tell me about the zebra", token_limit=100_000)
    slots = whole.constraints.token_budget.slots
    message, pinned = slots["user_message"], slots["system_blocks"]
    package = compose(talk, "m", "now", "tell me about the zebra", token_limit=message + pinned)
    assert 0 < len(package.system_blocks) < len(whole.system_blocks)
    assert package.system_blocks == whole.system_blocks[: len(package.system_blocks)], "the best first"
    package = compose(talk, "m", "now", "tell me about the zebra", token_limit=max(message + pinned + 200, 3 * pinned))
    assert package.system_blocks == whole.system_blocks
    assert package.evidence
    assert {piece.group for piece in package.evidence[:1]} == {"top"}
    assert {piece.id for piece in package.evidence} <= {one.id for one in whole.evidence}, "the best still"
    assert any(one.reason == "budget" for one in package.debug.dropped)


def test_evidence_stands_by_score_within_its_bounds(talk: Brain) -> None:
    package = compose(talk, "m", "elsewhere", "tell me about zebra stripes")
    assert 0 < len(package.evidence) <= 12
    uris = [piece.source_uri for piece in package.evidence]
    assert max(map(uris.count, uris)) <= 2
    assert all(len(piece.snippet) <= 800 for piece in package.evidence)
    top = [piece.score for piece in package.evidence if piece.group == "top"]
    assert top == sorted(top, reverse=True)


def test_pinned_blocks_come_first_and_are_not_repeated(talk: Brain) -> None:
    package = compose(talk, "m", "elsewhere", "what tone and language do I prefer for the zebra goal?")
    assert [block.type for block in package.system_blocks] == ["goals", "preferences", "preferences"]
    assert any("short answers" in block.text for block in package.system_blocks)
    assert not any(block.text.startswith("[") for block in package.system_blocks)
    for block in package.system_blocks:
        assert block.source.turn_id
        assert block.source.memory_item_id
    items = {block.source.memory_item_id for block in package.system_blocks}
    assert not items & {piece.ref.memory_item_id for piece in package.evidence}
    repeated = [one for one in package.debug.dropped if one.detail == "stands in system_blocks"]
    assert repeated
    assert {one.reason for one in repeated} == {"duplicate"}


def test_pinned_blocks_keep_their_own_limit(folder: Path) -> None:
    with open_brain(folder) as brain:
        for number in range(60):
            brain.commit_turn(turn("m", "s", preferences=[pref(f"zebra {number}", "a rather long wish " * 5)]))
        package = compose(brain, "m", "s", "zebra")
        check(package)
        assert 0 < package.constraints.token_budget.slots["system_blocks"] <= 800
        assert len(package.system_blocks) < 60
        assert package.evidence, "what is not pinned may still be found"
        small = compose(brain, "m", "s", "zebra", token_limit=500)
        check(small)
        assert small.constraints.token_budget.slot_limits["system_blocks"] == 200
        assert 0 < small.constraints.token_budget.slots["system_blocks"] <= 200
        assert small.evidence, "a small context is not all rules"
    with open_brain(folder, policies={"composition": {"system_blocks_max_tokens": 0}}) as brain:
        package = compose(brain, "m", "s", "zebra")
        assert not package.system_blocks


def test_what_was_inferred_is_found_and_not_pinned(folder: Path) -> None:
    said = [pref("zebra crossing", "always in italics"), pref("zebra stripes", "never in bold", confirmed=False)]
    with open_brain(folder) as brain:
        brain.commit_turn(turn("m", "s", preferences=said))
        package = compose(brain, "m", "s", "How do I write about the zebra?")
        assert ["always in italics" in block.text for block in package.system_blocks] == [True]
        assert ["never in bold" in one.snippet for one in package.evidence] == [True]
    with open_brain(folder, policies={"composition": {"pinned_min_confidence": 0.6}}) as brain:
        assert len(compose(brain, "m", "s", "xyzzy?").system_blocks) == 2


def test_recent_turns_are_the_newest_without_holes(talk: Brain) -> None:
    package = compose(talk, "m", "now", "and now?")
    said = [one.content for one in package.recent_turns]
    expected = [text for n in range(2, 10) for text in (f"recent question {n}?", f"recent answer {n} 还有中文。")]
    assert said == expected, "the eight newest turns, oldest first"
    for limit in LIMITS[2:]:
        some = [one.content for one in compose(talk, "m", "now", "xyzzy?", token_limit=limit).recent_turns]
        assert some == expected[len(expected) - len(some) :]
    assert not compose(talk, "m", "a new session", "and now?").recent_turns


def test_a_message_too_long_for_recent_turns_is_evidence(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The zebra report says this. " * 600, "noted"))
    brain.commit_turn(say("m", "s", "go on", "sure"))
    package = compose(brain, "m", "s", "what does the zebra report say?")
    check(package)
    assert [one.content for one in package.recent_turns] == ["noted", "go on", "sure"]
    assert any("zebra report" in piece.snippet for piece in package.evidence), "it is in one place or the other"
    assert package.constraints.token_budget.slots["recent_turns"] <= 2000


def test_the_newest_message_alone_too_long_leaves_the_slot_out(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "short"))
    brain.commit_turn(say("m", "s", "The zebra report says this. " * 600))
    package = compose(brain, "m", "s", "zebra report?")
    check(package)
    assert not package.recent_turns


def test_a_long_tool_result_is_referenced_and_stays_findable(brain: Brain) -> None:
    long = "The zebra weighs three hundred kilograms. " * 20
    parts = [
        Message(role="user", content="ask"),
        Message(role="tool", content=long),
        Message(role="tool", content="short result"),
    ]
    brain.commit_turn(turn("m", "s", messages=parts))
    brain.commit_turn(turn("m", "s", tool_calls=[ToolCall(name="scale", result="zebra: 301 kg")]))
    package = compose(brain, "m", "s", "how much does the zebra weigh?")
    check(package)
    reference = package.recent_turns[1].content
    assert len(reference) < len(long) / 2, "and an excerpt"
    assert str(len(long)) in reference
    assert "smartbrain://m/s/t1" in reference
    assert package.recent_turns[2].content == "short result"
    shown = " ".join(piece.snippet for piece in package.evidence)
    assert "three hundred" in shown, "what stands as a reference only is not shown yet"
    assert [one.content for one in package.recent_turns if one.speaker == "scale"] == ["zebra: 301 kg"]
    assert "301 kg" not in shown, "what stands there whole is no evidence"


def test_a_plan_of_the_caller_is_carried_out_and_echoed(talk: Brain) -> None:
    asked = plan("zebra", mode="exact", filters=PlanFilters(session_ids=["old1"]))
    asked.request_id = "mine"
    asked.budget.top_k = 3
    package = compose(talk, "m", "now", "unrelated words", plan=asked)
    check(package)
    assert 0 < len(package.evidence) <= 3
    assert {piece.ref.session_id for piece in package.evidence} == {"old1"}
    assert {piece.mode for piece in package.evidence} == {"exact"}
    assert {piece.provenance.request_id for piece in package.evidence} == {"mine"}
    assert "mine" in package.debug.trace_ids
    stored = talk.get_context(GetContextRequest(memory_id="m", context_id=package.context_id))
    assert stored.plan.queries[0].weight == 1.0
    assert (stored.plan.budget.top_k, stored.plan.budget.candidate_k, stored.plan.ranking.fusion.method) == (
        3,
        200,
        "rrf",
    )
    assert retrieve(talk, "m", stored.plan).plan == stored.plan
    assert package.debug.planner.reason == "plan given by the caller"


def test_what_the_composer_cannot_use_is_named(talk: Brain) -> None:
    asked = plan("zebra")
    asked.queries[0].mode = "exact"
    asked.queries[0].hints.append("entity:x")
    request: dict[str, Any] = {"plan": asked, "agent_state": {"task": "x"}}
    ignored = " ".join(compose(talk, "m", "now", "zebra", **request).debug.ignored)
    assert "queries[0].hints" in ignored
    assert "agent_state" in ignored


def bare(package: ContextPackage) -> bytes:
    """Return a package without what names this call and this moment."""
    copy = ContextPackage()
    copy.CopyFrom(package)
    for name in ("context_id", "created_at"):
        copy.ClearField(name)
    copy.debug.ClearField("trace_ids")
    copy.debug.ClearField("timings_ms")
    for piece in copy.evidence:
        piece.ClearField("provenance")
    return copy.SerializeToString(deterministic=True)


def test_the_same_request_gives_the_same_package_also_after_reopening(folder: Path) -> None:
    messages = ["tell me about zebra stripes", "斑马喜欢吃什么？", "recent"]
    with open_brain(folder) as brain:
        fill(brain)
        first = [bare(compose(brain, "m", "now", message)) for message in messages]
        assert [bare(compose(brain, "m", "now", message)) for message in messages] == first
        assert next(iter(brain.rebuild_index("m"))).done == 1
        assert [bare(compose(brain, "m", "now", message)) for message in messages] == first
    with open_brain(folder) as brain:
        assert [bare(compose(brain, "m", "now", message)) for message in messages] == first


def test_get_context_gives_what_was_answered(talk: Brain) -> None:
    request = ComposeContextRequest(memory_id="m", session_id="now", user_message="zebra?", token_limit=600)
    answer = talk.compose_context(request)
    stored = talk.get_context(GetContextRequest(memory_id="m", context_id=answer.context.context_id))
    assert stored.request == request
    assert stored.context == answer.context
    assert stored.revision == answer.revision
    assert stored.plan.queries[0].text == "zebra?"
    with pytest.raises(NotFound, match="keeps no context 'other'"):
        talk.get_context(GetContextRequest(memory_id="m", context_id="other"))
    talk.commit_turn(say("m2", "s", "x"))
    with pytest.raises(NotFound):
        talk.get_context(GetContextRequest(memory_id="m2", context_id=answer.context.context_id))


def test_what_is_kept_and_told_follows_the_policy(folder: Path) -> None:
    def opened(**observability: bool | int) -> Brain:
        return open_brain(folder, policies={"observability": observability})

    with opened(store_contexts=False) as brain:
        fill(brain)
        package = compose(brain, "m", "now", "zebra")
        with pytest.raises(NotFound) as failed:
            brain.get_context(GetContextRequest(memory_id="m", context_id=package.context_id))
        assert "store_contexts" in failed.value.hint
    with opened(store_plans=False, contexts_kept=1) as brain:
        first = compose(brain, "m", "now", "zebra")
        stored = brain.get_context(GetContextRequest(memory_id="m", context_id=first.context_id))
        assert not stored.HasField("plan")
        second = compose(brain, "m", "now", "zebra")
        brain._contexts.flush()
        assert brain.get_context(GetContextRequest(memory_id="m", context_id=second.context_id)).context == second
        with pytest.raises(NotFound):
            brain.get_context(GetContextRequest(memory_id="m", context_id=first.context_id))
        assert first.debug.timings_ms["total"] > 0
    with opened(trace=False) as brain:
        package = compose(brain, "m", "now", "zebra")
        assert not package.debug.dropped
        assert not package.debug.timings_ms
        assert package.debug.why_selected
        assert any("trace is off" in line for line in package.debug.ignored)


def test_composing_moves_no_revision_and_min_revision_is_held(talk: Brain) -> None:
    answer = talk.compose_context(ComposeContextRequest(memory_id="m", session_id="now", user_message="zebra"))
    assert (
        talk.compose_context(
            ComposeContextRequest(memory_id="m", session_id="now", user_message="x", min_revision=answer.revision)
        ).revision
        == answer.revision
    )
    with pytest.raises(FailedPrecondition) as failed:
        compose(talk, "m", "now", "zebra", min_revision=answer.revision + 1)
    assert (failed.value.field, failed.value.limit) == ("min_revision", str(answer.revision))


def test_many_threads_compose_and_commit_one_memory(talk: Brain) -> None:
    def work(number: int) -> None:
        if number % 3 == 0:
            talk.commit_turn(say("m", "now", f"zebra thread {number}"))
        package = compose(talk, "m", "now", "zebra stripes", token_limit=1000)
        check(package)
        assert talk.get_context(GetContextRequest(memory_id="m", context_id=package.context_id)).context == package

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(60), timeout=120))


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"memory_id": ""}, "memory_id"),
        ({"session_id": ""}, "session_id"),
        ({"user_message": " "}, "user_message"),
        ({"token_limit": -1}, "token_limit"),
        ({"token_limit": 1 << 30}, "token_limit"),
        ({"min_revision": -1}, "min_revision"),
        ({"agent_state": {"task_kind": "hard"}}, "agent_state.task_kind"),
    ],
)
def test_a_bad_request_is_refused_by_field(talk: Brain, fields: dict[str, Any], field: str) -> None:
    usual = {"memory_id": "m", "session_id": "now", "user_message": "x"}
    with pytest.raises(InvalidArgument) as failed:
        talk.compose_context(ComposeContextRequest(**{**usual, **fields}))
    assert failed.value.field == field
