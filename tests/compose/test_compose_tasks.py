"""Tasks in the state that a message asks for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.v1.event_pb2 import Message, Task

from brain_core import Brain
from tests.building import compose, open_brain, say, turn

OPEN = {
    "pump": ("Replace the pump of the cooling loop", "todo"),
    "labels": ("Print labels for the sample boxes", "todo"),
    "importer": ("Write the importer for old logs", "doing"),
    "login": ("Fix the login of the field app", "blocked"),
}
DONE = {
    "draft": "Draft the budget of atlas",
    "rooms": "Book rooms for the atlas week",
    "server": "Move atlas to the server",
    "tests": "Write tests for the atlas parser",
    "poster": "Design the poster",
    "survey": "Send the survey to everybody",
    "keys": "Order keys for the lab",
    "camera": "Mount the camera",
    "grant": "Submit the grant report",
}


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    folder: Path = tmp_path_factory.mktemp("tasks") / "brain"
    with open_brain(folder) as brain:
        for name, (title, status) in OPEN.items():
            brain.commit_turn(turn("m", f"s-{name}", tasks=[task(name, title, status)]))
        for name, title in DONE.items():
            brain.commit_turn(turn("m", f"s-{name}", tasks=[task(name, title, "done")]))
        brain.commit_turn(
            say("m", "talk", "The poster of atlas is blue and the harbour is closed on Monday.", "I see.")
        )
        brain.commit_turn(turn("m", "talk", messages=[Message(role="user", content="Anna likes the survey.")]))
        yield brain


def task(name: str, title: str, status: str) -> Task:
    return Task(project="atlas", task_id=name, title=title, status=status)


def states(brain: Brain, message: str) -> list[str]:
    """Return the states of the tasks that a context shows, best first."""
    snippets = [one.snippet for one in compose(brain, "m", "new", message).evidence]
    return [one.split("Status: ")[1].split("\n")[0] for one in snippets if "Status: " in one]


@pytest.mark.parametrize(
    "message",
    [
        "What's left to do in atlas?",
        "which tasks are not done yet?",
        "What tasks do I still have open?",
        "what do we still need to do for atlas?",
        "List my tasks",
        "What haven't I finished in atlas?",
        "还有哪些任务没完成？",
        "atlas 还剩什么没做？",
        "我的待办有哪些",
        "列一下未完成的任务",
    ],
)
def test_open_tasks_come_before_done_ones(planned: Brain, message: str) -> None:
    found = states(planned, message)
    assert "done" not in found[: len(OPEN)]
    assert sorted(found[: len(OPEN)]) == ["blocked", "doing", "todo", "todo"]


@pytest.mark.parametrize(
    "message", ["Which tasks are done?", "What have we finished in atlas? Which tasks?", "哪些任务完成了？"]
)
def test_done_ones_come_first_where_they_are_asked_for(planned: Brain, message: str) -> None:
    assert set(states(planned, message)[:6]) == {"done"}


@pytest.mark.parametrize("message", ["Which tasks are blocked?", "what is blocked in atlas", "哪些任务卡住了？"])
def test_blocked_ones_too(planned: Brain, message: str) -> None:
    assert states(planned, message)[0] == "blocked"


@pytest.mark.parametrize("message", ["Which colour has the poster of atlas?", "When is the harbour closed?"])
def test_what_asks_for_no_tasks_finds_what_was_said(planned: Brain, message: str) -> None:
    evidence = compose(planned, "m", "new", message).evidence
    assert any("poster of atlas is blue" in one.snippet for one in evidence[:2])
