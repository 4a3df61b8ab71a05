"""Tasks as somebody at work tells of them, each test named for a bug."""

from __future__ import annotations

import pytest
from smartbrain.v1.event_pb2 import Task

from brain_core import Brain
from brain_core.extract.known import value_of
from brain_core.store import items
from tests.building import active, say, turn


def told(brain: Brain, memory: str, *texts: str, session: str = "s") -> dict[str, str]:
    """Return the statuses of the tasks by title after these messages, each a turn."""
    for text in texts:
        brain.commit_turn(say(memory, session, text))
    tasks = [value_of(one) for one in active(brain, memory) if one.type == "tasks"]
    return {str(task["title"]): str(task["status"]) for task in tasks}


def learned(brain: Brain, memory: str) -> list[str]:
    """Return the types of what was learned besides entities."""
    return [one.type for one in items.scan_items(brain._kv, memory) if one.type != "entities"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("upgrade Django in the billing repo", "upgrade Django in the web repo"),
        ("email Bob about the contract", "email Carol about the contract"),
        ("fix the login endpoint", "fix the logout endpoint"),
        ("update the schema of the users table in the shop", "update the schema of the orders table in the shop"),
        ("deploy the new rate limiter service to staging", "deploy the new rate limiter service to production"),
        ("call the landlord", "email the landlord"),
    ],
)
def test_a_task_is_not_swallowed_by_one_that_is_about_another_thing(
    brain: Brain, memory: str, one: str, other: str
) -> None:
    assert told(brain, memory, f"Add a task: {one}", f"Add a task: {other}") == {one: "todo", other: "todo"}


def test_a_task_told_again_in_other_words_stays_one(brain: Brain, memory: str) -> None:
    texts = ("I need to submit the quarterly tax report", "I still need to finish the quarterly tax report by Friday")
    assert list(told(brain, memory, *texts)) == ["submit the quarterly tax report"]


BUG = "fix the login redirect bug"


@pytest.mark.parametrize(
    "again",
    [
        "The login redirect bug is not fixed after all",
        "Actually the login redirect bug isn't done",
        "Turns out the login redirect was never actually fixed.",
        "The login redirect bug came back, need to fix it again",
        "The login redirect has regressed",
        "Reopen the login redirect bug",
        "Please reopen the login redirect task.",
        "The login redirect is broken again.",
    ],
)
def test_what_is_not_done_after_all_is_open_again(brain: Brain, memory: str, again: str) -> None:
    assert told(brain, memory, f"Add a task: {BUG}", "The login redirect bug is fixed") == {BUG: "done"}
    assert told(brain, memory, again) == {BUG: "todo"}


@pytest.mark.parametrize("text", ["The login redirect bug is not fixed", "The login redirect isn't done yet"])
def test_an_open_task_that_is_not_done_stays_as_it_is(brain: Brain, memory: str, text: str) -> None:
    assert told(brain, memory, f"Add a task: {BUG}", text) == {BUG: "todo"}


@pytest.mark.parametrize(
    ("text", "bug", "upgrade"),
    [
        ("The login redirect is fixed but the Django upgrade is blocked.", "done", "blocked"),
        ("I finished the login redirect and started the Django upgrade.", "done", "doing"),
        ("I started the login redirect; the Django upgrade is done.", "doing", "done"),
        ("The login redirect and the Django upgrade are done.", "done", "done"),
        ("The Django upgrade is blocked while the login redirect is in progress", "doing", "blocked"),
    ],
)
def test_each_task_gets_the_state_that_is_said_of_it(
    brain: Brain, memory: str, text: str, bug: str, upgrade: str
) -> None:
    tasks = ("Add a task: fix the login redirect bug", "Add a task: do the Django upgrade")
    assert told(brain, memory, *tasks, text) == {BUG: bug, "do the Django upgrade": upgrade}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Mark PROJ-12 as done", "done"),
        ("Finished PROJ-12", "done"),
        ("PROJ-12 is done", "done"),
        ("proj-12 is blocked by infra", "blocked"),
        ("I'm working on PROJ-12", "doing"),
        ("The release is blocked by PROJ-12", "todo"),
        ("I will start the release once PROJ-12 is done", "todo"),
    ],
)
def test_a_task_is_found_by_its_id(brain: Brain, memory: str, text: str, status: str) -> None:
    brain.commit_turn(turn(memory, "s", tasks=[Task(project="web", task_id="PROJ-12", title="Add SSO login")]))
    assert told(brain, memory, text).get("Add SSO login") == status


def test_what_is_told_of_an_id_becomes_nothing_else(brain: Brain, memory: str) -> None:
    brain.commit_turn(turn(memory, "s", tasks=[Task(project="web", task_id="PROJ-12", title="Add SSO login")]))
    told(
        brain,
        memory,
        "PROJ-12 is blocked by infra",
        "Finished PROJ-12",
        "PROJ-12 is not done after all",
        "PROJ-12 is done",
    )
    assert learned(brain, memory) == ["tasks"]


def test_a_checklist_ticks_known_tasks_only(brain: Brain, memory: str) -> None:
    text = "- [x] Fix the login redirect bug\n- [x] Bake bread\n- [ ] Do the Django upgrade"
    assert told(brain, memory, f"Add a task: {BUG}", "Add a task: do the Django upgrade", text) == {
        BUG: "done",
        "do the Django upgrade": "todo",
    }


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Please close the login redirect task", {BUG: "done"}),
        ("Please drop the login redirect task", {}),
        ("Cancel the login redirect bug.", {}),
        ("Please cancel the gym membership task", {BUG: "todo"}),
    ],
)
def test_a_task_is_closed_or_given_up_by_an_order(brain: Brain, memory: str, text: str, left: dict[str, str]) -> None:
    assert told(brain, memory, f"Add a task: {BUG}", text).get(BUG) == left.get(BUG)


def test_a_task_is_moved_by_an_order_and_no_event_made_of_it(brain: Brain, memory: str) -> None:
    told(brain, memory, f"Add a task: {BUG}", "Move the login redirect bug to Friday")
    [item] = [one for one in items.scan_items(brain._kv, memory) if one.type != "entities"]
    assert (item.type, item.value["due"]) == ("tasks", "2023-11-17")


def test_it_is_no_task_of_another_session(brain: Brain, memory: str) -> None:
    assert told(brain, memory, f"Add a task: {BUG}") == {BUG: "todo"}
    assert told(brain, memory, "It's done", session="other") == {BUG: "todo"}
    assert told(brain, memory, "It's done") == {BUG: "done"}


def test_who_lives_somewhere_has_done_nothing(brain: Brain, memory: str) -> None:
    """The "live" of what is deployed was read in "I live in Leeds": the visit was done, and the home not learned."""
    assert told(brain, memory, "todo: visit Leeds", "I live in Leeds") == {"visit Leeds": "todo"}
    assert "profile" in learned(brain, memory)
    assert told(brain, memory, "todo: deploy the website", "the website is live")["deploy the website"] == "done"
