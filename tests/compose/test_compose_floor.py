"""Evidence that scores far less than the best is no answer to the same question."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.plan_pb2 import PlanFilters, PlanQuery, RetrievalPlan

from brain_core import Brain
from tests.building import brain, compose, open_brain, say, second

__all__ = ["brain"]

DAY = 86_400
MESSAGES = pytest.mark.parametrize(
    ("told", "other", "message"),
    [
        (
            "The kitchen is finished at last.",
            "I sing alto in the choir of Thornbury.",
            "What did I tell you last week?",
        ),
        ("厨房终于装修好了。", "我在合唱团唱女低音。", "上周我跟你说了什么？"),
    ],
)


@MESSAGES
def test_another_time_is_no_answer_where_a_time_is_asked_for(brain: Brain, told: str, other: str, message: str) -> None:
    """A piece of .002 stood beside one of .214."""
    brain.commit_turn(say("m", "old", other, at=-30 * DAY))
    brain.commit_turn(say("m", "lately", told, at=-7 * DAY))
    package = compose(brain, "m", "new", message, now=second(0), token_limit=4000)
    assert [piece.snippet for piece in package.evidence] == [told]
    left_out = [one for one in package.debug.dropped if one.detail.startswith("score 0.0")]
    assert {one.reason for one in left_out} == {"below_threshold"}
    assert package.debug.dropped_counts["evidence/below_threshold"] == len(left_out)


@MESSAGES
def test_where_that_time_has_nothing_the_rest_is_given(brain: Brain, told: str, other: str, message: str) -> None:
    brain.commit_turn(say("m", "old", other, at=-30 * DAY))
    brain.commit_turn(say("m", "older", told, at=-60 * DAY))
    package = compose(brain, "m", "new", message, now=second(0), token_limit=4000)
    assert {piece.snippet for piece in package.evidence} == {told, other}


@pytest.mark.parametrize(("share", "count"), [(0.05, 1), (0.0, 2)])
def test_the_share_is_the_policys(folder: Path, share: float, count: int) -> None:
    queries = [
        PlanQuery(text="kitchen finished", mode="hybrid", weight=1.0, filters=PlanFilters(session_ids=["a"])),
        PlanQuery(text="alto choir", mode="hybrid", weight=0.02, filters=PlanFilters(session_ids=["b"])),
    ]
    with open_brain(folder, policies={"composition": {"score_min_share": share}}) as brain:
        brain.commit_turn(say("m", "a", "The kitchen is finished at last."))
        brain.commit_turn(say("m", "b", "I sing alto in the choir of Thornbury."))
        package = compose(brain, "m", "new", "What is new?", plan=RetrievalPlan(queries=queries))
    assert len(package.evidence) == count
