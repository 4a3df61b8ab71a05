"""A task that is told to be done, by its verb or its thing alone, is done: words of its day are no part of its name."""

from __future__ import annotations

import pytest

from brain_core import Brain
from brain_core.extract.known import value_of
from brain_core.store import items
from tests.building import fresh, say


def statuses(brain: Brain, *texts: str) -> list[str]:
    """Return the statuses of the tasks after these turns."""
    memory = fresh()
    for number, text in enumerate(texts):
        brain.commit_turn(say(memory, f"s{number}", text))
    return [str(value_of(one)["status"]) for one in items.scan_items(brain._kv, memory) if one.type == "tasks"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("remind me to order a laptop for Lena this week", "laptop's ordered"),
        ("remind me to book the hotel in Porto for Ann this week", "Hotel's booked."),
        ("remind me to water the plants on the balcony tonight", "watered the plants"),
        ("别忘了给小李结工资，月底前，3800", "小李工资结了，人也走了"),
        ("提醒我给小李结工资", "工资结了"),
    ],
)
def test_what_was_to_be_done_is_done(brain: Brain, asked: str, told: str) -> None:
    assert statuses(brain, asked, told) == ["done"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("remind me to order a laptop for Lena this week", "the week was long, the order of the talks is fine"),
        ("remind me to book the hotel in Porto for Ann this week", "the flight to Porto was fine"),
        ("提醒我给小李结工资", "小李结了婚"),
    ],
)
def test_what_is_told_of_another_matter_leaves_it_open(brain: Brain, asked: str, told: str) -> None:
    assert statuses(brain, asked, told)[:1] == ["todo"]
