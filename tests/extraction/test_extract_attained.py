"""A sentence that says a thing to be done, or to be so by now, opens no task and no goal; it ends the one it names."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from brain_core.extract.attained import is_attained
from brain_core.extract.known import value_of
from tests.building import open_brain, say

DAY = 86_400


def statuses(brain: Brain, *texts: str) -> dict[str, list[str]]:
    """Return the statuses of the tasks and goals that are there after messages a week apart."""
    for number, text in enumerate(texts):
        brain.commit_turn(say("m", f"s{number}", text, at=7 * DAY * number))
    found: dict[str, list[str]] = {}
    for item in brain.list_items(ListItemsRequest(memory_id="m")).items:
        if item.type in {"tasks", "goals"} and item.status == ITEM_STATUS_ACTIVE:
            found.setdefault(item.type, []).append(value_of(item)["status"])
    return found


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        (
            "todo for me: set up nightly backups to S3",
            "nightly backups run now, to s3://orchard-backups/ledger, kept 30 days",
            {"tasks": ["done"]},
        ),
        (
            "I need to set up the staging server by Friday",
            "the staging server is up and running",
            {"tasks": ["done"]},
        ),
        ("I need to install the new dishwasher", "the dishwasher works now", {"tasks": ["done"]}),
        ("I want to learn to swim.", "I swim 500 metres twice a week by now", {"goals": ["reached"]}),
        ("I want to learn to play the cello.", "I can play the cello now", {"goals": ["reached"]}),
        (
            "Mapleworks want invoices in French by October.",
            "French templates are done, Mapleworks' Claudine reviewed them",
            {"goals": ["active"]},
        ),
        ("I want to learn the guitar", "I play the guitar every evening now", {"goals": ["active"]}),
        ("待办：设置夜间备份", "夜间备份已经跑起来了，保留30天", {"tasks": ["done"]}),
        ("我要写部署文档", "部署文档已经写好了，放在wiki上", {"tasks": ["done"]}),
        ("我想学会游泳。", "我现在每周游两次，每次500米了", {"goals": ["active"]}),
    ],
)
def test_what_is_done_by_now_ends_what_it_names_and_opens_nothing(
    folder: Path, first: str, second: str, wanted: dict[str, list[str]]
) -> None:
    with open_brain(folder) as brain:
        assert statuses(brain, first, second) == wanted


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("todo: set up nightly backups", "nightly backups should run now"),
        ("todo: set up nightly backups", "nightly backups are not running yet"),
        ("todo: set up nightly backups", "weekly reports run now"),
        ("I have to book the tests.", "the nightly tests run now on CI"),
        ("I need to fix the tap.", "once the tap works now and then, call me"),
        ("I want to learn to swim.", "I can't swim now"),
        ("I want to learn to swim.", "I swim like a stone now"),
        ("I want to learn to play the cello.", "I play the piano now"),
        ("待办：设置夜间备份", "夜间备份还没跑起来"),
    ],
)
def test_what_is_not_done_leaves_what_it_names_as_it_is(folder: Path, first: str, second: str) -> None:
    with open_brain(folder) as brain:
        assert [each for found in statuses(brain, first, second).values() for each in found] in (["todo"], ["active"])


@pytest.mark.parametrize(
    "text",
    [
        "I want to run ten kilometres by now",
        "I'm learning Spanish now",
        "my goal is a half marathon now",
        "the report needs to be done by Friday",
        "we should have backups that run now",
        "we want to raise the budget to 1,200",
        "to finish the thesis",
        "我想学会游泳",
        "要把文档写完",
        "下周把报告写好",
    ],
)
def test_an_aim_is_not_attained(text: str) -> None:
    assert not is_attained(text)


def test_what_is_raised_now_is_no_goal() -> None:
    assert is_attained("we raise the budget to 1,200")
