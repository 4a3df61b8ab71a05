"""Items that no longer stand, where a plan asks for them: they stood in prompts as if they were current."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.render import render, render_label
from smartbrain.v1.context_pb2 import ContextEvidence, ContextPackage
from smartbrain.v1.event_pb2 import Retraction
from smartbrain.v1.item_pb2 import (
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_RETRACTED,
    ITEM_STATUS_SUPERSEDED,
    AsOf,
    ItemStatus,
)
from smartbrain.v1.plan_pb2 import PlanFilters, RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core import Brain
from brain_core.text.tokens import ApproxCounter
from tests.building import compose, open_brain, plan, pref, retrieve, turn

ALL = (ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED, ITEM_STATUS_RETRACTED)


def asking(statuses: tuple[ItemStatus.ValueType, ...] = ALL) -> RetrievalPlan:
    return plan("editor 编辑器 shell tone", filters=PlanFilters(types=["preferences"], statuses=statuses))


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """Give a memory in which an editor was replaced and a shell denied, and nothing is pinned."""
    folder: Path = tmp_path_factory.mktemp("statuses")
    with open_brain(folder, policies={"composition": {"pinned_max_priority": 0}}) as brain:
        for value in ("vim 编辑器", "emacs 编辑器"):
            brain.commit_turn(turn("m", "s", preferences=[pref("editor", value)]))
        brain.commit_turn(turn("m", "s", preferences=[pref("shell", "fish shell")]))
        denied = Retraction(type="preferences", key="pref:writing:shell", reason="no")
        brain.commit_turn(turn("m", "s", retractions=[denied]))
        yield brain


def statuses(package: ContextPackage) -> dict[str, ItemStatus.ValueType]:
    words = ("vim", "emacs", "fish")
    return {next(word for word in words if word in one.snippet): one.status for one in package.evidence}


def test_a_package_tells_the_status_in_field_and_label(changed: Brain) -> None:
    package = compose(changed, "m", "new", "which editor?", plan=asking())
    told = {"vim": ITEM_STATUS_SUPERSEDED, "emacs": ITEM_STATUS_ACTIVE, "fish": ITEM_STATUS_RETRACTED}
    assert statuses(package) == told
    labels = {next(iter(statuses(ContextPackage(evidence=[one])))): render_label(1, one) for one in package.evidence}
    assert labels["vim"].endswith(", superseded")
    assert labels["fish"].endswith(", retracted")
    assert labels["emacs"].endswith("-14")
    budget = package.constraints.token_budget
    assert ApproxCounter().count(render(package)) <= budget.used <= budget.limit


def test_a_pack_tells_it_too_and_as_of_that_of_then(changed: Brain) -> None:
    pack = retrieve(changed, "m", asking())
    assert sorted(one.status for one in pack.evidences) == sorted(ALL)
    [then] = changed.retrieve(RetrieveRequest(memory_id="m", plan=asking(), as_of=AsOf(revision=1))).pack.evidences
    assert then.status == ITEM_STATUS_ACTIVE


@pytest.mark.parametrize("limit", range(90, 190, 7))
def test_the_word_is_paid_for(changed: Brain, limit: int) -> None:
    package = compose(changed, "m", "new", "which editor?", plan=asking((ITEM_STATUS_SUPERSEDED,)), token_limit=limit)
    assert ApproxCounter().count(render(package)) <= package.constraints.token_budget.used <= limit


def test_a_status_that_a_client_does_not_know_is_left_out() -> None:
    assert render_label(1, ContextEvidence(title="tasks", status=99)) == "[E1] tasks"  # type: ignore[arg-type]
