"""What was meant takes the place of the part that it is like; a task is never the bare word, and keeps the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core.extract.known import value_of
from tests.building import open_brain, say


def titles(folder: Path, text: str) -> list[str]:
    """Return the titles of the tasks that one message leaves, in order."""
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", text, at=0))
        items = brain.list_items(ListItemsRequest(memory_id="m")).items
        return sorted(value_of(item)["title"] for item in items if item.type == "tasks")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("I have to call the plumber. I mean the electrician.", "call the electrician"),
        ("I must book the hotel. I mean the hostel in Porto.", "book the hostel in Porto"),
        ("I need to book the hotel for Rome. I mean the hostel.", "book the hostel for Rome"),
        ("I have to email Anna. I mean Hannah.", "email Hannah"),
        ("I need to call mum. wait, I mean the dentist.", "call the dentist"),
        ("I need to buy bread and milk. I mean oat milk.", "buy bread and oat milk"),
        ("我要给水管工打电话。我是说电工。", "给电工打电话"),
        ("我要买牛奶。我是说豆浆。", "买豆浆"),
        ("我要给妈妈打电话。不对，我是说爸爸。", "给爸爸打电话"),
    ],
)
def test_what_was_meant_takes_the_place_of_the_part_like_it(folder: Path, text: str, title: str) -> None:
    assert titles(folder, text) == [title]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("I need to renew the passport. I mean it, this time.", "renew the passport"),
        ("I need to buy bread. I mean, really.", "buy bread"),
        ("I need to buy bread and milk. I mean oats.", "buy bread and milk"),
        ("I need to call mum. I mean tomorrow.", "call mum"),
        ("I have to call the plumber. I mean the flat's a mess.", "call the plumber"),
        (
            "must pay the rest of the cottage by friday!! and book the vet for... wait we don't have a pet. "
            "i mean the dentist for Mila lol",
            "pay the rest of the cottage",
        ),
        ("我要给妈妈打电话。我是说真的。", "给妈妈打电话"),
        ("我要给妈妈打电话。我是说牛奶。", "给妈妈打电话"),
        ("我要给妈妈打电话。我是说明天。", "给妈妈打电话"),
    ],
)
def test_where_no_part_is_like_it_a_task_stays(folder: Path, text: str, title: str) -> None:
    assert titles(folder, text) == [title]
