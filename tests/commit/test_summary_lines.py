"""What stands in a summary, in English and Chinese, and what never does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from smartbrain.v1.event_pb2 import (
    Decision,
    Entity,
    Goal,
    ItemDraft,
    Message,
    Preference,
    Ref,
    Retraction,
    Task,
    ToolCall,
)

from brain_core import Brain
from brain_core.text.tokens import ApproxCounter
from tests.building import open_brain, say, second, turn

NOW = {"decisions": [Decision(topic="stop", decision="here")]}
"""A turn that asks for a summary."""


def summed_up(brain: Brain, session: str = "s", **parts: Any) -> dict[str, list[str]]:  # noqa: ANN401
    """Commit a turn that asks for a summary; return the lines of each section, less what that turn adds by itself."""
    summary = brain.commit_turn(turn("m", session, **{**NOW, **parts})).summary
    assert summary.triggered
    found: dict[str, list[str]] = {}
    for line in summary.text.split("\n"):
        if line.startswith("## "):
            found[line[3:]] = []
        else:
            found[list(found)[-1]].append(line.removeprefix("- "))
    found = {title: [line for line in lines if line != "stop: here"] for title, lines in found.items()}
    return {title: lines for title, lines in found.items() if lines}


def test_five_sections_in_order(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "Where shall we host the demo?"))
    found = summed_up(
        brain,
        goals=[Goal(project="SmartBrain", name="local runtime", description="one process")],
        decisions=[Decision(project="SmartBrain", topic="storage", decision="RocksDB"), *NOW["decisions"]],
        tasks=[Task(project="SmartBrain", task_id="mvp", title="build the MVP", status="doing", due="2026-03-01")],
        refs=[Ref(ref_type="url", uri="https://rocksdb.org")],
    )
    assert list(found) == ["Goals", "Decisions", "Tasks", "Key References", "Open Questions"]
    assert found == {
        "Goals": ["local runtime: one process (SmartBrain)"],
        "Decisions": ["storage: RocksDB (SmartBrain)"],
        "Tasks": ["[doing] build the MVP (SmartBrain; due 2026-03-01)"],
        "Key References": ["url https://rocksdb.org"],
        "Open Questions": ["Where shall we host the demo?"],
    }


def test_five_sections_in_chinese(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "演示放在哪台服务器上？"))
    found = summed_up(
        brain,
        goals=[Goal(project="智脑", name="本地运行", description="不依赖云")],
        decisions=[Decision(project="智脑", topic="存储", decision="用 RocksDB"), *NOW["decisions"]],
        tasks=[Task(project="智脑", task_id="mvp", title="写出第一版", status="blocked")],
        entities=[Entity(kind="person", canonical="美惠", aliases=["小美"], remember=True)],
    )
    assert found == {
        "Goals": ["本地运行: 不依赖云 (智脑)"],
        "Decisions": ["存储: 用 RocksDB (智脑)"],
        "Tasks": ["[blocked] 写出第一版 (智脑)"],
        "Key References": ["person 美惠 (小美)"],
        "Open Questions": ["演示放在哪台服务器上？"],
    }


def test_what_was_summed_up_before_stays(brain: Brain) -> None:
    summed_up(brain, goals=[Goal(name="learn Go")], refs=[Ref(ref_type="file", uri="a.go")])
    brain.commit_turn(turn("m", "s", goals=[Goal(name="read more")], refs=[Ref(ref_type="file", uri="b.go")]))
    found = summed_up(brain, decisions=[Decision(topic="stop", decision="there")])
    assert found["Goals"] == ["read more", "learn Go"], "newest first"
    assert found["Key References"] == ["file b.go", "file a.go"]


def test_items_of_the_sessions_project_count_and_those_of_other_sessions_do_not(brain: Brain) -> None:
    brain.commit_turn(turn("m", "monday", goals=[Goal(project="zoo", name="open in May"), Goal(name="sleep")]))
    brain.commit_turn(turn("m", "monday", tasks=[Task(project="zoological", task_id="other")]))
    found = summed_up(brain, "tuesday", tasks=[Task(project="zoo", task_id="buy a zebra")])
    assert found == {"Goals": ["open in May (zoo)"], "Tasks": ["[todo] buy a zebra (zoo)"]}


def test_open_tasks_come_before_those_that_are_done(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", tasks=[Task(task_id="first")]))
    found = summed_up(brain, tasks=[Task(task_id="second", status="done")])
    assert found["Tasks"] == ["[todo] first", "[done] second"]


def test_what_no_longer_holds_is_never_in_it(brain: Brain) -> None:
    brain.commit_turn(
        turn(
            "m",
            "s",
            goals=[Goal(name="lighthouse"), Goal(name="windmill"), Goal(name="reached one", status="reached")],
            decisions=[Decision(topic="db", decision="Cassandra")],
            tasks=[Task(task_id="t", title="old title")],
            entities=[Entity(kind="person", canonical="Zoe", remember=True)],
        )
    )
    found = summed_up(
        brain,
        decisions=[Decision(topic="db", decision="RocksDB"), *NOW["decisions"]],
        tasks=[Task(task_id="t", title="new title")],
        goals=[Goal(name="windmill", status="dropped")],
        retractions=[
            Retraction(type="goals", key="goal:default:lighthouse"),
            Retraction(type="entities", key="entity:person:Zoe"),
        ],
    )
    assert found == {"Decisions": ["db: RocksDB"], "Tasks": ["[todo] new title"]}


def test_a_retraction_from_another_session_is_left_out_of_the_next_version(brain: Brain) -> None:
    assert summed_up(brain, goals=[Goal(name="lighthouse")])["Goals"] == ["lighthouse"]
    denied = [Retraction(type="goals", key="goal:default:lighthouse")]
    brain.commit_turn(turn("m", "another", retractions=denied))
    assert "Goals" not in summed_up(brain, decisions=[Decision(topic="stop", decision="there")])


def test_what_is_over_by_the_clock_is_left_out(brain: Brain) -> None:
    def goal(name: str, expires_at: float, valid_to: float) -> ItemDraft:
        draft = ItemDraft(type="goals", expires_at=second(expires_at), valid_to=second(valid_to))
        draft.value.update({"name": name})
        return draft

    given = [goal("expired", -60, 6000), goal("over", 6000, -60), goal("not yet", 6000, 6000)]
    assert summed_up(brain, items=given)["Goals"] == ["not yet"]


def test_preferences_have_no_place_in_it(brain: Brain) -> None:
    found = summed_up(brain, preferences=[Preference(name="tone", value="curt", confirmed=True)])
    assert found == {}


def test_a_short_tool_result_is_a_line_and_a_long_one_is_only_counted(brain: Brain) -> None:
    long = "the first line\n" + "needle in the output\n" * 200
    calls = [
        ToolCall(name="scale", result="zebra:\n 301 kg"),
        ToolCall(name="log", result=long),
        ToolCall(name="api", result='{"needle": 1}'),
        ToolCall(name="deploy", status="error", result="no such host"),
        ToolCall(name="quiet"),
    ]
    found = summed_up(brain, tool_calls=calls)
    assert sorted(found["Key References"]) == [
        "api: 13 characters",
        "deploy (error): no such host",
        f"log: {len(long.strip())} characters",
        "quiet",
        "scale: zebra: 301 kg",
    ]


def test_refs_have_their_titles_and_stand_once(brain: Brain) -> None:
    ref = json_format.ParseDict({"ref_type": "file", "uri": "docs/a.md", "meta": {"title": "How it works"}}, Ref())
    brain.commit_turn(turn("m", "s", refs=[ref]))
    entities = [Entity(kind="file", canonical="docs/a.md"), Entity(kind="repo", canonical="me/it", aliases=["it"])]
    found = summed_up(brain, refs=[ref], entities=[*entities])
    assert found["Key References"] == ["file docs/a.md — How it works", "repo me/it (it)"]


def test_secrets_are_not_repeated(brain: Brain) -> None:
    key = "ghp_" + "a1B2c3D4e5" * 4
    brain.commit_turn(say("m", "s", f"Is {key} the right token for the mirror?"))
    found = summed_up(brain, tool_calls=[ToolCall(name="env", result=f"GITHUB={key}")])
    assert found == {
        "Key References": ["env: GITHUB=[secret]"],
        "Open Questions": ["Is [secret] the right token for the mirror?"],
    }


@pytest.mark.parametrize("word", ["pasted words ", "粘贴的一大段文字"])
def test_lines_sections_and_the_whole_are_bounded(folder: Path, word: str) -> None:
    long = f"START {word * 500}"
    with open_brain(folder, policies={"consolidation": {"lines_per_section": 5, "line_chars": 60}}) as brain:
        for number in range(30):
            brain.commit_turn(
                turn(
                    "m",
                    "s",
                    messages=[Message(role="user", content=f"What about number {number} of {word}?\n{long}")],
                    goals=[Goal(name=f"goal {number}", description=long)],
                    tasks=[Task(task_id=f"task {number}", title=long)],
                    decisions=[Decision(topic=f"topic {number}", decision=long)],
                    refs=[Ref(ref_type="url", uri=f"https://example.org/{number}/" + "x" * 400)],
                    tool_calls=[ToolCall(name="t", result=long)],
                )
            )
        found = summed_up(brain)
    assert list(found) == ["Goals", "Decisions", "Tasks", "Key References", "Open Questions"]
    assert all(len(lines) <= 5 for lines in found.values())
    assert all(len(line) <= 60 for lines in found.values() for line in lines)
    assert found["Goals"][0].startswith("goal 29: START")
    assert found["Goals"][0].endswith("…")


@pytest.mark.parametrize("most", [20, 60, 200, 600])
def test_the_text_keeps_its_tokens(folder: Path, most: int) -> None:
    with open_brain(folder, policies={"composition": {"summary_max_tokens": most}}) as brain:
        for number in range(10):
            answer = brain.commit_turn(
                turn(
                    "m",
                    "s",
                    goals=[Goal(name=f"目标 {number}", description="一步一步来 " * 5)],
                    decisions=[Decision(topic=f"topic {number}", decision="as it is " * 10)],
                    tasks=[Task(task_id=f"task {number}")],
                )
            )
    text = answer.summary.text
    assert ApproxCounter().count(text) <= most
    assert "[todo] task 9" in text
    assert most == 20 or "## Goals" in text, "the first of each section go in before the second of any"
