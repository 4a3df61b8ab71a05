"""What is told beside something of its sort leaves that as it is: tasks, facts, rules and decisions about others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core import Brain
from brain_core.store import items
from tests.building import open_brain, say

_MEMORIES = map("m{}".format, itertools.count())


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(Path(tmp_path_factory.mktemp("siblings"))) as opened:
        yield opened


def held(brain: Brain, *texts: str) -> list[MemoryItem]:
    """Return the active items after these turns, without entities and what is in doubt."""
    memory = next(_MEMORIES)
    for hour, text in enumerate(texts):
        brain.commit_turn(say(memory, "s", text, at=3600 * hour))
    found = (one for one in items.scan_items(brain._kv, memory) if one.type != "entities")
    return [one for one in found if one.status == ITEM_STATUS_ACTIVE and not one.HasField("doubted_at")]


def text_of(item: MemoryItem, field: str) -> str:
    return item.value.fields[field].string_value


TASKS = [
    ("todo: fix PROJ-1187", "todo: fix PROJ-1192"),
    ("TODO: pay invoice 2041", "TODO: pay invoice 2042"),
    ("todo: bump eslint in web", "todo: bump eslint in api", "todo: bump eslint in mobile"),
    ("todo: migrate orders to the new schema", "todo: migrate invoices to the new schema"),
    ("todo: deploy v1.2 to prod", "todo: deploy v1.3 to staging"),
    ("todo: fix the login", "todo: remove the old login page", "todo: drop the login table"),
    ("we need to fix ticket 5512 before release", "we need to fix ticket 5513 before release"),
    ("待办：发 v1.2 到预发", "待办：发 v1.3 到预发"),
    ("待办：删掉 moment", "待办：删掉 lodash"),
    ("待办：修登录", "待办：删掉旧的登录页"),
    ("待办：修登录", "提醒我明天删掉旧的登录页"),
    ("待办：办健身卡", "待办：取消健身卡"),
]


@pytest.mark.parametrize("texts", TASKS)
def test_a_task_that_is_told_ends_no_other(brain: Brain, texts: tuple[str, ...]) -> None:
    assert [one.type for one in held(brain, *texts)] == ["tasks"] * len(texts)


FORMS = (
    "task: fix bug {} in module k",
    "todo: PROJ-{} add the field to the export",
    "TODO: review PR {}",
    "todo: deploy v{}.0 to prod",
    "待办：修 bug {}",
    "待办：发 v{} 到预发",
    "待办：付掉发票 {}",
)


@settings(max_examples=25, deadline=None)
@given(form=st.sampled_from(FORMS), numbers=st.sets(st.integers(100, 9999), min_size=2, max_size=8))
def test_as_many_tasks_are_held_as_were_told_one_a_turn(brain: Brain, form: str, numbers: set[int]) -> None:
    assert len(held(brain, *(form.format(number) for number in sorted(numbers)))) == len(numbers)


@pytest.mark.parametrize(
    ("texts", "done"),
    [
        (("todo: pay invoice 2041", "todo: pay invoice 2042", "paid invoice 2041"), "2041"),
        (("待办：修 bug 1000", "待办：修 bug 1001", "bug 1000 修好了"), "1000"),
    ],
)
def test_what_is_done_is_the_task_of_that_number(brain: Brain, texts: tuple[str, ...], done: str) -> None:
    found = held(brain, *texts)
    finished = [text_of(one, "title") for one in found if text_of(one, "status") == "done"]
    assert len(found) == len(finished) + 1
    assert done in str(finished)


def test_paying_another_invoice_leaves_a_task_to_be_done(brain: Brain) -> None:
    [task] = held(brain, "todo: pay invoice 2041", "paid invoice 2042")
    assert text_of(task, "status") != "done"


@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (("todo: call the plumber", "no need to call the plumber any more"), 0),
        (("待办：修登录", "删掉修登录这个任务"), 0),
        (("待办：修登录", "修登录不用了"), 0),
        (("待办：订去罗马的机票", "取消订去罗马的机票"), 0),
        (("todo: book flights to Rome", "todo: book flights to Lisbon instead of Rome"), 1),
    ],
)
def test_a_task_that_is_said_to_be_off_still_ends(brain: Brain, texts: tuple[str, ...], left: int) -> None:
    assert len([one for one in held(brain, *texts) if one.type == "tasks"]) == left


def test_a_task_to_change_something_changes_nothing_yet(brain: Brain) -> None:
    found = held(brain, "登录服务的端口是 8080", "待办：把登录服务的端口改成 8081")
    assert sorted(one.type for one in found) == ["knowledge", "tasks"]


def test_what_happened_stays_whatever_happens_next(brain: Brain) -> None:
    assert len(held(brain, "11月3日支付服务宕机了", "11月9日搜索服务宕机了")) == 2
