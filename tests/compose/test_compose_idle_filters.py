"""Filters that cannot match are refused or named."""

from __future__ import annotations

import pytest
from smartbrain.v1.plan_pb2 import PlanFilters

from brain_core import Brain
from brain_core.errors import InvalidArgument
from tests.building import compose, found, plan, retrieve, say

BOTH = ("the lighthouse is white", "灯塔是白色的，很高。")


@pytest.fixture
def told(brain: Brain) -> Brain:
    for number, text in enumerate(BOTH):
        brain.commit_turn(say("m", f"s{number}", text))
    return brain


def test_a_type_that_no_item_has_is_refused(told: Brain) -> None:
    asked = plan("lighthouse", filters=PlanFilters(types=["preferencez"]))
    for ask in (lambda: retrieve(told, "m", asked), lambda: compose(told, "m", "s", "lighthouse", plan=asked)):
        with pytest.raises(InvalidArgument) as refused:
            ask()
        assert refused.value.field == "plan.global_filters.types[0]"
        assert refused.value.value == "preferencez"


@pytest.mark.parametrize(
    ("tag", "place"),
    [("EN", 0), ("en-US", 0), ("English", 0), ("zh-CN", 1), ("zh_Hans", 1), ("Chinese", 1), ("中文", 1)],
)
def test_a_language_is_read_as_a_tag_or_a_name(told: Brain, tag: str, place: int) -> None:
    assert found(told, "m", "lighthouse 灯塔", language=tag) == [BOTH[place]]


@pytest.mark.parametrize(
    "filters",
    [
        PlanFilters(session_ids=["nobody"]),
        PlanFilters(document_ids=["nothing"]),
        PlanFilters(language="fr"),
        PlanFilters(types=["tasks"]),
        PlanFilters(source_uri_prefix="https://nowhere"),
    ],
)
def test_a_filter_that_holds_for_nothing_is_named(told: Brain, filters: PlanFilters) -> None:
    asked = plan("lighthouse", filters=filters)
    name = filters.ListFields()[0][0].name.removesuffix("_prefix")
    [warning] = retrieve(told, "m", asked).warnings
    assert warning.startswith(f"filter {name}")
    assert warning in compose(told, "m", "s", "lighthouse", plan=asked).debug.ignored


def test_other_filters_are_not(told: Brain) -> None:
    assert not retrieve(told, "m", plan("lighthouse", filters=PlanFilters(session_ids=["s0", "nobody"]))).warnings
    assert not compose(told, "m", "new", "what did we say in this chat about tasks yesterday?").debug.ignored
