"""Tasks that are joined by "and" are tasks of their own, which end one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core.extract.english.joined import joined
from brain_core.extract.known import value_of
from tests.building import open_brain, say


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("send the passports and hire a junior", ["send the passports", "hire a junior"]),
        ("call the bank and send the form", ["call the bank", "send the form"]),
        ("buy bread and call mum", ["buy bread", "call mum"]),
        (
            "remove the rabbitmq container, and set up nightly backups to S3",
            ["remove the rabbitmq container", "set up nightly backups to S3"],
        ),
        ("water the plants, feed the cat and then pay the rent", ["water the plants", "feed the cat", "pay the rent"]),
    ],
)
def test_parts_that_begin_with_a_verb_are_tasks(title: str, parts: list[str]) -> None:
    assert joined(title) == parts


@pytest.mark.parametrize(
    "title",
    [
        "buy bread and milk",
        "go and see the doctor",
        "wait and see",
        "try and fix the tap",
        "wash and dry the car",
        "print the form and send it",
        "call mum and tell her about the wedding",
        "review the design and test plan",
        "pay for bed and board",
        "buy paint, brushes and tape",
        "write the report and check list",
    ],
)
def test_one_task_stays_one(title: str) -> None:
    assert joined(title) == [title]


def statuses(folder: Path, *texts: str) -> dict[str, str]:
    """Return the statuses of tasks by their titles after messages a week apart."""
    with open_brain(folder) as brain:
        for number, text in enumerate(texts):
            brain.commit_turn(say("m", f"s{number}", text, at=7 * 86_400 * number))
        items = brain.list_items(ListItemsRequest(memory_id="m")).items
        values = [value_of(item) for item in items if item.type == "tasks"]
        return {value["title"]: f"{value['status']} {value.get('due', '')}".strip() for value in values}


def test_a_part_that_is_done_ends_that_part(folder: Path) -> None:
    told = statuses(folder, "I have to send the passports and hire a junior.", "The passports are sent.")
    assert told == {"send the passports": "done", "hire a junior": "todo"}


def test_a_day_is_that_of_its_part(folder: Path) -> None:
    told = statuses(folder, "I have to pay the rent by 24 November and call the bank.")
    assert told == {"pay the rent": "todo 2023-11-24", "call the bank": "todo"}


def test_what_was_meant_is_of_one_part(folder: Path) -> None:
    told = statuses(folder, "I need to buy bread and call mum. Actually no, I mean dad.")
    assert told == {"buy bread": "todo", "call dad": "todo"}
