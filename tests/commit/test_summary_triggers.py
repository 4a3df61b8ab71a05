"""When a session's working summary is made anew, which turns it covers, and that it stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.brain_service_pb2 import CommitSummary
from smartbrain.v1.event_pb2 import Decision, Goal, Ref, Task, ToolCall

from brain_core import Brain
from brain_core.store import keys, summaries
from brain_core.store.v1.records_pb2 import SummaryRecord
from tests.building import compose, open_brain, say, turn


def told(brain: Brain, session: str = "s", **parts: Any) -> CommitSummary:  # noqa: ANN401
    """Commit a turn and return what it means for the summary."""
    return brain.commit_turn(turn("m", session, **parts)).summary


def chat(brain: Brain, turns: int, session: str = "s") -> list[CommitSummary]:
    """Commit turns that ask for no summary of their own."""
    return [brain.commit_turn(say("m", session, "hm", "yes")).summary for _ in range(turns)]


def kept(brain: Brain, session: str = "s") -> SummaryRecord | None:
    return summaries.read_newest(brain._kv, "m", session)


def test_turns_make_a_summary_and_are_counted_from_the_last_one(brain: Brain) -> None:
    first = chat(brain, 12)
    assert [one.triggered for one in first] == [False] * 11 + [True]
    assert first[-1].reason == "12 turns since the last summary"
    assert first[4].reason.startswith("5 of 12 turns")
    assert [one.summary_version for one in first] == [0] * 11 + [1]
    second = chat(brain, 12)
    assert [one.summary_version for one in second] == [1] * 11 + [2]
    assert not any(one.triggered for one in chat(brain, 11, "another session"))


def test_the_number_of_turns_is_the_policys(folder: Path) -> None:
    with open_brain(folder, policies={"retention": {"summarize_after_turns": 3}}) as brain:
        assert [one.triggered for one in chat(brain, 6)] == [False, False, True] * 2


@pytest.mark.parametrize("text", ["walking along the river " * 40, "沿着河边慢慢走路" * 30], ids=["en", "zh"])
def test_seventy_percent_of_the_token_limit_make_a_summary(folder: Path, text: str) -> None:
    with open_brain(folder, policies={"composition": {"token_limit": 1000}}) as brain:
        made = [brain.commit_turn(say("m", "s", text)).summary for _ in range(4)]
    assert [one.triggered for one in made] == [False, False, True, False], "about 240 tokens each, of 700"
    assert "tokens since the last summary" in made[2].reason


def test_tool_results_press_too(folder: Path) -> None:
    policies = {"composition": {"token_limit": 100}, "consolidation": {"major_result_chars": 100_000}}
    with open_brain(folder, policies=policies) as brain:
        assert told(brain, tool_calls=[ToolCall(name="t", result="word " * 100)]).triggered


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"decisions": [Decision(topic="db", decision="RocksDB")]}, "decision made: decision:default:db"),
        ({"tasks": [Task(task_id="port", status="done")]}, "task done: task:default:port"),
        ({"tool_calls": [ToolCall(name="run", result="x" * 2000)]}, "major tool result: run gave 2000 characters"),
        ({"refs": [Ref(ref_type="artifact", uri="out/a.pdf")]}, "major tool result: an artifact was made"),
    ],
)
def test_a_stage_event_makes_a_summary_at_once(brain: Brain, parts: dict[str, Any], reason: str) -> None:
    assert not chat(brain, 1)[0].triggered
    made = told(brain, **parts)
    assert (made.triggered, made.reason, made.summary_version) == (True, reason, 1)


@pytest.mark.parametrize(
    "parts",
    [
        {"tasks": [Task(task_id="port", status="doing")]},
        {"goals": [Goal(name="learn")]},
        {"tool_calls": [ToolCall(name="run", result="x" * 1999)]},
        {"refs": [Ref(ref_type="file", uri="a.py")]},
    ],
)
def test_what_is_no_stage_event_waits(brain: Brain, parts: dict[str, Any]) -> None:
    assert not told(brain, **parts).triggered


def test_the_same_decision_again_is_no_stage_event(brain: Brain) -> None:
    decided: dict[str, Any] = {"decisions": [Decision(topic="db", decision="RocksDB", made_at="2024-01-01")]}
    assert told(brain, **decided).triggered
    assert not told(brain, **decided).triggered


def test_an_item_that_the_summary_names_and_that_changes_makes_a_new_one(brain: Brain) -> None:
    told(brain, tasks=[Task(task_id="port", title="port it")])
    told(brain, decisions=[Decision(topic="db", decision="RocksDB")])
    made = told(brain, tasks=[Task(task_id="port", title="port it", status="doing")])
    assert made.reason == "an item that it names has changed"
    assert "[doing] port it" in made.text
    assert "[todo]" not in made.text


def test_versions_cover_the_session_from_its_first_turn(brain: Brain) -> None:
    chat(brain, 3)
    chat(brain, 1, "other")
    told(brain, decisions=[Decision(topic="db", decision="RocksDB")])
    first = kept(brain)
    chat(brain, 2)
    told(brain, decisions=[Decision(topic="ui", decision="none")])
    second = kept(brain)
    assert first is not None
    assert second is not None
    assert (first.version, first.turn_from, first.turn_to) == (1, "t1", "t5")
    assert (second.version, second.turn_from, second.turn_to) == (2, "t1", "t8")
    assert second.generated_at_us > first.generated_at_us > 0
    assert summaries.read_version(brain._kv, "m", "s", 1) == first, "older versions are kept"
    assert kept(brain, "other") is None


def test_as_many_versions_are_kept_as_the_policy_says(folder: Path) -> None:
    with open_brain(folder, policies={"consolidation": {"versions_kept": 3}}) as brain:
        for number in range(7):
            told(brain, decisions=[Decision(topic="db", decision=f"number {number}")])
        held = [version for version in range(1, 9) if summaries.read_version(brain._kv, "m", "s", version)]
    assert held == [5, 6, 7]


def test_a_repeated_request_makes_no_second_summary(brain: Brain) -> None:
    request = turn("m", "s", request_id="once", decisions=[Decision(topic="db", decision="RocksDB")])
    first = brain.commit_turn(request)
    assert brain.commit_turn(request) == first
    assert first.summary.triggered
    record = kept(brain)
    assert record is not None
    assert record.version == 1


def test_validate_only_makes_none(brain: Brain) -> None:
    request = turn("m", "s", decisions=[Decision(topic="db", decision="RocksDB")])
    request.validate_only = True
    assert not brain.commit_turn(request).summary.triggered
    assert list(brain._kv.scan(keys.memory("m"), b"")) == []


def test_no_room_for_summaries_makes_none(folder: Path) -> None:
    with open_brain(folder, policies={"composition": {"summary_max_tokens": 0}}) as brain:
        made = told(brain, decisions=[Decision(topic="db", decision="RocksDB")])
        assert (made.triggered, made.reason) == (False, "policies.composition.summary_max_tokens is 0")
        assert not compose(brain, "m", "s", "db?").HasField("working_summary")


def test_two_brains_make_the_same_bytes(folder: Path) -> None:
    def run(name: str) -> list[tuple[bytes, bytes]]:
        with open_brain(folder / name) as brain:
            chat(brain, 5)
            told(brain, goals=[Goal(project="zoo", name=name) for name in "gfedcba"])
            told(brain, tasks=[Task(project="zoo", task_id=f"任务{n}", status="done") for n in range(9)])
            chat(brain, 12)
            return list(brain._kv.scan(keys.memory("m"), keys.SUMMARIES))

    first = run("a")
    assert len(first) >= 2
    assert run("b") == first


def test_counting_goes_on_after_a_restart(folder: Path) -> None:
    with open_brain(folder) as brain:
        told(brain, goals=[Goal(name="learn Go")])
        chat(brain, 6)
    with open_brain(folder) as brain:
        made = chat(brain, 5)
        assert [one.triggered for one in made] == [False] * 4 + [True]
        assert "learn Go" in made[-1].text
    with open_brain(folder) as brain:
        record = kept(brain)
        assert record is not None
        assert record.version == 1
        assert compose(brain, "m", "s", "and now?").working_summary.summary_version == 1
