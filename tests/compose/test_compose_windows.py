"""What is shown of a text that is too long: the best window in policy auto, and no more than max_snippet_chars ever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.render import render
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core import Brain
from brain_core.text.tokens import ApproxCounter
from tests.building import compose, open_brain, plan, retrieve, say

EN = "We saw two castles, and they were old. " * 8 + "The lighthouse keeper lent us his spare key. " + "It rained. " * 9
ZH = "我们看了两座很老的城堡，它们很漂亮。" * 8 + "灯塔管理员借给我们备用钥匙。" + "后来下雨了。" * 9


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    folder: Path = tmp_path_factory.mktemp("windows")
    with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
        brain.commit_turn(say("m", "a", EN))
        brain.commit_turn(say("m", "b", ZH))
        yield brain


def asking(text: str, policy: str = "", longest: int = 120, mode: str = "hybrid") -> RetrievalPlan:
    asked = plan(text, mode=mode)
    asked.output.snippet_policy, asked.output.max_snippet_chars = policy, longest
    return asked


@pytest.mark.parametrize(
    ("text", "mode", "wanted"),
    [
        ("who lent the spare key?", "hybrid", "spare key"),
        ("who lent the spare key?", "semantic", "spare key"),
        ("谁借的备用钥匙？", "hybrid", "备用钥匙"),
        ("钥匙在谁那里？", "hybrid", "spare key"),
    ],
)
def test_the_best_window_is_shown(told: Brain, text: str, mode: str, wanted: str) -> None:
    asked = asking(text, mode=mode)
    shown = [one.snippet for one in retrieve(told, "m", asked).evidences]
    package = compose(told, "m", "new", text, plan=asked)
    assert sorted(one.snippet for one in package.evidence) == sorted(shown)
    assert any(wanted in one for one in shown)
    assert all(len(one) <= 120 and one.endswith("…") for one in shown)
    budget = package.constraints.token_budget
    assert ApproxCounter().count(render(package)) <= budget.used <= budget.limit


@pytest.mark.parametrize("longest", [1, 7, 40])
@pytest.mark.parametrize("policy", ["l0", "l1", "l2", "auto"])
def test_no_policy_shows_more_than_is_wanted(told: Brain, policy: str, longest: int) -> None:
    asked = asking("castles 城堡", policy, longest)
    package = compose(told, "m", "new", "castles?", plan=asked)
    shown = sorted(one.snippet for one in retrieve(told, "m", asked).evidences)
    assert sorted(one.snippet for one in package.evidence) == shown
    assert len(shown) == 2
    assert max(map(len, shown)) <= longest
    budget = package.constraints.token_budget
    assert ApproxCounter().count(render(package)) <= budget.used <= budget.limit
