"""working_summary in a package: what still holds, as far as there is room, never what was denied."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.render import render, render_messages
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Decision, Goal, Message, Retraction, Task, ToolCall

from brain_core import Brain
from brain_core.compose.slots import SlotCounter
from brain_core.text.tokens import ApproxCounter
from tests.building import compose, open_brain, say, turn

count, weigh = ApproxCounter().count, ApproxCounter().weigh


def lines(package: ContextPackage) -> dict[str, list[str]]:
    return {section.title: list(section.lines) for section in package.working_summary.sections}


def project(brain: Brain, turns_after: int = 0) -> None:
    """Commit a turn that is summed up, then some that say nothing."""
    brain.commit_turn(
        turn(
            "m",
            "s",
            messages=[Message(role="user", content="Which colour shall the lighthouse have?")],
            goals=[Goal(project="coast", name="build a lighthouse", description="before winter")],
            decisions=[Decision(project="coast", topic="stone", decision="granite")],
            tasks=[Task(project="coast", task_id="dig", title="dig the pit", status="doing")],
            tool_calls=[ToolCall(name="survey", result="NEEDLE in a long output\n" * 200)],
        )
    )
    for _ in range(turns_after):
        brain.commit_turn(say("m", "s", "hm", "which one do you mean?"))


def test_the_stored_summary_is_in_the_package(brain: Brain) -> None:
    project(brain, turns_after=9)
    package = compose(brain, "m", "s", "and now?")
    assert lines(package) == {
        "Goals": ["build a lighthouse: before winter (coast)"],
        "Decisions": ["stone: granite (coast)"],
        "Tasks": ["[doing] dig the pit (coast)"],
        "Key References": ["survey: 4799 characters"],
        "Open Questions": ["Which colour shall the lighthouse have?"],
    }
    summary = package.working_summary
    assert (summary.summary_version, summary.source_turn_from, summary.source_turn_to) == (1, "t1", "t1")
    assert summary.generated_at.seconds > 0
    assert "## Decisions\n- stone: granite (coast)" in render(package)
    assert any("# Summary so far" in message["content"] for message in render_messages(package))


def test_it_is_the_sessions_own(brain: Brain) -> None:
    brain.commit_turn(say("m", "quiet", "hm", "yes"))
    project(brain)
    assert not compose(brain, "m", "quiet", "and now?").HasField("working_summary")
    assert not compose(brain, "m", "a new one", "and now?").HasField("working_summary")


def test_it_counts_as_it_is_rendered_and_keeps_its_limit(folder: Path) -> None:
    grown = []
    for most in (10, 45, 60, 80, 600):
        with open_brain(folder, policies={"composition": {"summary_max_tokens": most}}) as brain:
            if most == 10:
                project(brain)
            package = compose(brain, "m", "s", "and now?")
            budget = package.constraints.token_budget
            assert budget.slots["working_summary"] <= most
            assert budget.used == sum(budget.slots.values())
            assert count(render(package)) <= budget.used
            shown = sum(map(len, lines(package).values()))
            left_out = [one for one in package.debug.dropped if one.id.startswith("summary:")]
            assert shown + len(left_out) == 5
            grown.append(shown)
            for one in left_out:
                assert (one.reason, one.detail) in {
                    ("budget", "over summary_max_tokens or token_limit"),
                    ("duplicate", "stands in recent_turns"),
                }
    assert grown == sorted(grown)
    assert (grown[0], grown[-1]) == (0, 4), "the question stands in recent_turns"


def test_each_line_costs_what_its_form_costs() -> None:
    title, line = SlotCounter(ApproxCounter()).summary_line("Goals", "learn Go")
    assert (title, line) == (weigh("## Goals"), weigh("- learn Go"))


def test_top_evidence_comes_before_it_and_recent_turns_after(folder: Path) -> None:
    with open_brain(folder, policies={"composition": {"last_exchange_share": 0, "newest_turns_share": 0}}) as brain:
        for number in range(6):
            brain.commit_turn(say("m", "old", f"The lighthouse of granite is {number} metres high and white.", "I see"))
        project(brain, turns_after=9)
        seen = []
        for limit in range(60, 700, 10):
            slots = compose(brain, "m", "s", "How high is the lighthouse of granite?", token_limit=limit).constraints
            seen.append({name for name, tokens in slots.token_budget.slots.items() if tokens} - {"user_message"})
    assert {"system_blocks", "evidence"} in seen, "the summary waits for top evidence"
    assert {"system_blocks", "evidence", "working_summary"} in seen, "and recent turns wait for the summary"


def test_what_recent_turns_say_is_not_said_twice(brain: Brain) -> None:
    project(brain, turns_after=3)
    package = compose(brain, "m", "s", "and now?")
    assert any(one.content.startswith("Which colour") for one in package.recent_turns)
    assert "Open Questions" not in lines(package)
    assert lines(package)["Decisions"] == ["stone: granite (coast)"], "no message says it"
    assert [one.detail for one in package.debug.dropped if one.id.startswith("summary:")] == ["stands in recent_turns"]


def test_a_question_that_recent_turns_had_no_room_for_is_in_the_summary(folder: Path) -> None:
    with open_brain(folder, policies={"composition": {"recent_turns_max_tokens": 60}}) as brain:
        project(brain, turns_after=4)
        package = compose(brain, "m", "s", "and now?")
    assert not any(one.content.startswith("Which colour") for one in package.recent_turns)
    assert lines(package)["Open Questions"] == ["Which colour shall the lighthouse have?"]


@pytest.mark.parametrize("where", ["s", "another session"])
def test_what_is_retracted_after_the_summary_is_gone_at_once(brain: Brain, where: str) -> None:
    project(brain, turns_after=2)
    assert "granite" in str(lines(compose(brain, "m", "s", "and now?")))
    denied = [Retraction(type="decisions", key="decision:coast:stone", reason="no stone at all")]
    brain.commit_turn(turn("m", where, retractions=denied))
    package = compose(brain, "m", "s", "and now?")
    assert "granite" not in render(package)
    assert lines(package)["Tasks"] == ["[doing] dig the pit (coast)"], "the rest stays"


def test_what_is_superseded_after_the_summary_is_gone_at_once(folder: Path) -> None:
    with open_brain(folder) as brain:
        project(brain, turns_after=2)
        newer = [Decision(project="coast", topic="stone", decision="basalt")]
        brain.commit_turn(turn("m", "another session", decisions=newer))
        assert "Decisions" not in lines(compose(brain, "m", "s", "and now?"))
        brain.commit_turn(turn("m", "s", decisions=[Decision(project="coast", topic="roof", decision="slate")]))
        assert lines(compose(brain, "m", "s", "and now?"))["Decisions"] == [
            "roof: slate (coast)",
            "stone: basalt (coast)",
        ]


def test_long_tool_output_is_never_in_it(brain: Brain) -> None:
    project(brain)
    assert "NEEDLE" not in str(lines(compose(brain, "m", "s", "and now?")))


def test_it_is_the_same_after_a_restart_and_a_rebuild(folder: Path) -> None:
    with open_brain(folder) as brain:
        project(brain, turns_after=9)
        brain.commit_turn(turn("m", "b", retractions=[Retraction(type="decisions", key="decision:coast:stone")]))
        first = compose(brain, "m", "s", "and now?").working_summary
        assert first.sections
        list(brain.rebuild_index("m"))
        assert compose(brain, "m", "s", "and now?").working_summary == first
    with open_brain(folder) as brain:
        assert compose(brain, "m", "s", "and now?").working_summary == first
