"""A task that is done is history: it leads no package about something else, and its closing message tells it."""

from __future__ import annotations

import pytest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Task

from brain_core import Brain
from tests.building import brain, compose, plan, retrieve, say, turn

__all__ = ["brain"]

LIVES = pytest.mark.parametrize(
    ("task", "closed", "other", "question", "asked"),
    [
        (
            "Please remind me to email the photographer",
            "Emailed the photographer, his name is Owen Pike and he wants 200 for the product photos.",
            "Fair was great, sold 83 candles and took 960 pounds.",
            "What does the photographer charge?",
            "Which tasks are done?",
        ),
        (
            "提醒我订市集要用的货车。",
            "货车订好了，周五下午去取，押金五百。",
            "市集很成功，卖了83个蜡烛，收了六千块。",
            "货车什么时候要还？",
            "哪些任务完成了？",
        ),
    ],
)


def tasks(package: ContextPackage) -> list[str]:
    return [piece.snippet for piece in package.evidence if "Status: done" in piece.snippet]


@LIVES
def test_the_message_that_closed_it_says_it(
    brain: Brain, task: str, closed: str, other: str, question: str, asked: str
) -> None:
    """The task ranked first, before the message that has the answer."""
    del asked
    for number, text in enumerate((task, other, closed)):
        brain.commit_turn(say("m", f"s{number}", text))
    package = compose(brain, "m", "new", question, token_limit=4000)
    assert any(closed in piece.snippet for piece in package.evidence)
    assert tasks(package) == []
    assert [one.reason for one in package.debug.dropped if "which says it" in one.detail] == ["duplicate"]


@LIVES
def test_where_its_tasks_are_asked_for_it_leads(
    brain: Brain, task: str, closed: str, other: str, question: str, asked: str
) -> None:
    del question
    for number, text in enumerate((task, other, closed)):
        brain.commit_turn(say("m", f"s{number}", text))
    first = compose(brain, "m", "new", asked, token_limit=4000).evidence[0]
    assert "Status: done" in first.snippet or closed in first.snippet


@pytest.mark.parametrize(
    ("task", "closed", "question"),
    [
        ("Remind me to pay the rent.", "Paid it this morning.", "What about the rent?"),
        ("待办：浇蕨类", "做完了，真累", "蕨类怎么样了？"),
    ],
)
def test_a_message_that_does_not_say_which_is_not_enough(brain: Brain, task: str, closed: str, question: str) -> None:
    brain.commit_turn(say("m", "s", task))
    brain.commit_turn(say("m", "s", closed))
    assert tasks(compose(brain, "m", "new", question, token_limit=4000))


@pytest.mark.parametrize("title", ["Paint the garden shed", "粉刷花园棚子"])
def test_a_done_one_ranks_behind_an_open_one(brain: Brain, title: str) -> None:
    """A score counts half from when the task is done, and whole again when it is opened anew."""

    def score(status: str) -> float:
        given = Task(project="home", task_id="shed", title=title, status=status)
        brain.commit_turn(turn("m", "s", tasks=[given]))
        return retrieve(brain, "m", plan(title)).evidences[0].signals.rerank_score

    scores = [score(status) for status in ("todo", "done", "doing")]
    assert scores[1] < 0.6 * scores[0]
    assert scores[2] > 0.9 * scores[0]
