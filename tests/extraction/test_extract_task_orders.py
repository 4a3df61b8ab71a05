"""Orders to tasks by id or name change exactly the task that is named; where two fit, none, and explain says so."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from smartbrain.v1.event_pb2 import Task
from smartbrain.v1.item_pb2 import MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from brain_core.extract.known import value_of
from brain_core.extract.task_ids import SEVERAL
from tests.building import brain, say, turn
from tests.extraction.accepting import wrong

__all__ = ["brain"]


def _states(items: Sequence[MemoryItem]) -> dict[str, str]:
    return {item.key: str(value_of(item)["status"]) for item in items if item.type == "tasks"}


@pytest.mark.parametrize(("name", "most"), [("en_tasks", 0), ("zh_tasks", 1)])
def test_orders_that_were_seen_are_read_as_they_should_be(name: str, most: int) -> None:
    assert len(wrong(name, "seen")) <= most


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("close T3", "done"), ("start T3", "doing"), ("block T3 until Friday", "blocked"),
        ("把T3关了", "done"), ("T3 搞定", "done"), ("T3 先放一放", "blocked"),
    ],
)  # fmt: skip
def test_an_order_changes_the_task_that_it_names_and_no_other(brain: Brain, said: str, status: str) -> None:
    known = [Task(task_id="T3", title="Write the notes"), Task(task_id="T30", title="Write the other notes")]
    brain.commit_turn(turn("m", "s", tasks=known))
    answer = brain.commit_turn(say("m", "s", said))
    held = brain.list_items(ListItemsRequest(memory_id="m", types=["tasks"])).items
    assert [each.key for each in answer.items if each.type == "tasks"] == ["task:default:T3"]
    assert _states(held) == {"task:default:T3": status, "task:default:T30": "todo"}


@pytest.mark.parametrize("said", ["close T3", "T3 is done", "start T3", "把T3关了", "T3 搞定"])
def test_an_id_of_several_tasks_changes_none_and_explain_says_so(brain: Brain, said: str) -> None:
    known = [Task(task_id="T3", title="Write notes", project="a"), Task(task_id="T3", title="Buy bread", project="b")]
    brain.commit_turn(turn("m", "s", tasks=known))
    answer = brain.commit_turn(say("m", "s", said))
    assert not answer.items
    assert SEVERAL in [each.reason for each in answer.explain.retention]


def test_words_that_two_titles_share_close_neither(brain: Brain) -> None:
    known = [Task(task_id="T4", title="Fix the login page"), Task(task_id="T5", title="Fix the payment page")]
    brain.commit_turn(turn("m", "s", tasks=known))
    answer = brain.commit_turn(say("m", "s", "close the page ticket"))
    assert not answer.items
    assert SEVERAL in [each.reason for each in answer.explain.retention]
    done = brain.commit_turn(say("m", "s", "close the login ticket"))
    assert [each.key for each in done.items] == ["task:default:T4"]


def test_it_is_opened_again_where_it_was_told_last(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", tasks=[Task(task_id="T3", title="Write the notes")]))
    brain.commit_turn(say("m", "s", "T3 is done"))
    assert [each.key for each in brain.commit_turn(say("m", "s", "reopen it")).items] == ["task:default:T3"]
    assert not brain.commit_turn(say("m", "t", "reopen it")).items
