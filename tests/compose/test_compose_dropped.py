"""Nothing vanishes without a word: what ended, what is cut, what is over a limit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Decision, Goal, Retraction, Task
from smartbrain.v1.evidence_pb2 import Evidence

from brain_core import Brain
from brain_core.compose.blocks import pinned_of, sure
from brain_core.compose.expiry import in_force
from brain_core.store.v1.records_pb2 import ChunkRecord
from tests.building import compose, open_brain, plan, pref, retrieve, say, second, turn
from tests.commit.drafting import draft, give


@pytest.fixture
def busy(folder: Path) -> Iterator[Brain]:
    """Give a session with a summary, pinned blocks and much that was said, in two languages."""
    with open_brain(folder, policies={"composition": {"evidence_max_items": 12}}) as brain:
        yield _filled(brain)


def _filled(brain: Brain) -> Brain:
    goals = [Goal(project="barn", name=f"goal {n} 目标", description="paint the barn red") for n in range(4)]
    brain.commit_turn(turn("m", "now", goals=goals, preferences=[pref("tone", "short"), pref("语言", "中文")]))
    for number in range(14):
        brain.commit_turn(
            say("m", "now", f"The barn roof, part {number}: who fixes it?", f"谷仓屋顶第{number}块要修。")
        )
    for number in range(10):
        brain.commit_turn(say("m", f"old{number}", f"The barn door number {number} is stuck.", "门卡住了。"))
    decisions = [Decision(topic=f"paint {n}", decision=f"colour {n}") for n in range(3)]
    brain.commit_turn(
        turn("m", "now", decisions=decisions, tasks=[Task(task_id="roof", title="fix the barn roof", status="doing")])
    )
    return brain


def accounted(package: ContextPackage) -> set[str]:
    names = {one.id.partition("#")[0] for one in package.debug.dropped} | {piece.id for piece in package.evidence}
    names |= {f"{ref.turn_id}:{ref.message_id}" for piece in package.evidence for ref in piece.merged}
    names |= {f"{one.turn_id}:{one.message_id}" for one in package.recent_turns}
    return names | {block.source.memory_item_id for block in package.system_blocks}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(40, 3000),
    st.sampled_from(["who fixes the barn roof?", "谷仓的门怎么了？", "what colour did we decide on?", "and now?"]),
    st.sampled_from(["now", "old3", "new"]),
)
def test_all_that_is_found_is_in_or_named(busy: Brain, limit: int, message: str, session: str) -> None:
    whole, package = (compose(busy, "m", session, message, token_limit=one) for one in (100_000, limit))
    asked = plan()
    asked.queries.extend(package.debug.planner.queries)
    asked.budget.top_k = 12
    asked.budget.diversity.by_source = 2
    found = [one.id for one in retrieve(busy, "m", asked).evidences]
    names = accounted(package)
    shown = [*found, *(piece.id for piece in whole.evidence)]
    assert [one for one in shown if one not in names and one.rpartition(":")[0] not in names] == []
    blocks = {block.source.memory_item_id for block in whole.system_blocks}
    assert blocks <= names | {one.rpartition(":")[0] for one in names}
    assert {f"{one.turn_id}:{one.message_id}" for one in whole.recent_turns} <= names
    lines = [sum(len(section.lines) for section in one.working_summary.sections) for one in (whole, package)]
    assert lines[0] - lines[1] <= sum(one.id.startswith("summary:") for one in package.debug.dropped)


@pytest.mark.parametrize("message", ["who fixes the barn roof?", "谷仓屋顶第几块要修？"])
def test_what_stands_beside_a_hit_is_not_named_as_left_out(folder: Path, message: str) -> None:
    with open_brain(folder, policies={"composition": {"evidence_items": 2, "evidence_max_items": 2}}) as brain:
        package = compose(_filled(brain), "m", "new", message, token_limit=100_000)
    stands = {f"{ref.turn_id}:{ref.message_id}" for piece in package.evidence for ref in piece.merged}
    named = {one.id for one in package.debug.dropped if one.detail.startswith("over ")}
    assert stands
    assert named
    assert stands.isdisjoint(named)


@pytest.mark.parametrize("message", ["who fixes the barn roof?", "谷仓屋顶第几块要修？"])
def test_a_message_that_recent_turns_and_the_selection_leave_out_is_named_once(folder: Path, message: str) -> None:
    few = {"evidence_items": 2, "evidence_max_items": 2, "recent_turns_max_tokens": 40}
    with open_brain(folder, policies={"composition": few}) as brain:
        package = compose(_filled(brain), "m", "now", message, token_limit=100_000)
    named = [one.id for one in package.debug.dropped if one.id != "*"]
    assert package.debug.dropped_counts["recent_turns/budget"]
    assert package.debug.dropped_counts["selection/budget"]
    assert len(named) == len(set(named))


@pytest.mark.parametrize("found", [True, False])
def test_a_pinned_item_that_ended_is_named_once(brain: Brain, found: bool) -> None:
    brain.commit_turn(say("m", "s", "The barn is red.", "谷仓是红色的。", at=0))
    value = {"scope": "writing", "name": "tone", "value": "long"}
    give(brain, draft("preferences", value, valid_to=second(90 * 86_400)))
    asked = plan("tone" if found else "barn 谷仓", mode="exact")
    (before,) = compose(brain, "m", "s", "x", plan=asked).system_blocks
    after = compose(brain, "m", "s", "x", plan=asked, now=second(91 * 86_400))
    assert not after.system_blocks
    named = [one for one in after.debug.dropped if one.id.startswith(before.source.memory_item_id)]
    assert [(one.reason, one.detail) for one in named] == [("below_threshold", "held until 2024-02-12")]


def test_of_many_that_ended_the_rest_is_counted() -> None:
    chunks = [ChunkRecord(evidence=Evidence(id=f"item{n}:1"), ends_us=n % 80) for n in range(160)]
    kept, dropped = in_force(pinned_of(sure(chunks, 0.0)), now_us=75)
    assert [block.id for block in kept.blocks] == [f"item{n}:1" for n in range(160) if not 0 < n % 80 <= 75]
    assert len(dropped) == 51
    assert (dropped[-1].id, dropped[-1].detail) == ("*", "100 more no longer hold")
    assert in_force(kept, now_us=75) == (kept, [])


def test_a_text_that_is_cut_is_said_to_be(folder: Path) -> None:
    with open_brain(folder) as brain:
        text = ("The barn report tells of the roof. " * 12).strip()
        brain.commit_turn(say("m", "old", text, "短。谷仓报告。"))
        asked = plan("barn report")
        asked.output.max_snippet_chars = 100
        package = compose(brain, "m", "new", "x", plan=asked)
        (cut,) = [one.id for one in package.evidence if one.snippet == f"{text[:69]}…"]
        (reason,) = [one.reason for one in package.debug.why_selected if one.id == cut]
        assert reason.endswith(f"; cut to 100 of {len(text)} characters")
        assert sum("cut to" in one.reason for one in package.debug.why_selected) == 1
        whole = compose(brain, "m", "new", "barn report?")
        assert not any("cut to" in one.reason for one in whole.debug.why_selected)


def test_a_summary_line_whose_item_ended_is_named(busy: Brain) -> None:
    def said(package: ContextPackage) -> list[str]:
        return [line for section in package.working_summary.sections for line in section.lines]

    before = compose(busy, "m", "now", "barn?", token_limit=100_000)
    gone = [line for line in said(before) if "goal 1" in line]
    assert gone
    busy.commit_turn(turn("m", "elsewhere", retractions=[Retraction(type="goals", key="goal:barn:goal_1_目标")]))
    after = compose(busy, "m", "now", "barn?", token_limit=100_000)
    assert said(after) == [line for line in said(before) if line not in gone]
    named = [one for one in after.debug.dropped if one.detail == "an item that it rests on no longer holds"]
    assert len(named) == len(gone)
    assert all(one.reason == "below_threshold" and one.id.startswith("summary:") for one in named)


@pytest.mark.parametrize("limit", [150, 400, 700, 1200])
@pytest.mark.parametrize("message", ["who fixes the barn roof?", "谷仓屋顶第几块要修？", "which door is stuck?"])
def test_what_has_no_room_in_two_places_is_named_once(busy: Brain, limit: int, message: str) -> None:
    """A message that recent_turns had no room for was named again as evidence, even where that stood in the package."""
    package = compose(busy, "m", "now", message, token_limit=limit)
    said = {f"{turn}:{turn}.{number}" for turn in (f"t{place}" for place in range(1, 60)) for number in (0, 1)}
    named = [one.id for one in package.debug.dropped if one.id in said]
    assert named
    assert len(named) == len(set(named))
    stands = {f"{ref.turn_id}:{ref.message_id}" for piece in package.evidence for ref in piece.merged}
    assert not stands.union(piece.id for piece in package.evidence).intersection(named)
