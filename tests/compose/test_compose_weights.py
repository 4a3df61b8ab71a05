"""Weights of queries and of lists."""

from __future__ import annotations

import pytest
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan

from brain_core import Brain
from tests.building import plan, retrieve, say

TEXTS = ("the lighthouse is white", "the harbour is old and grey", "the ferry leaves at nine")


@pytest.fixture
def told(brain: Brain) -> Brain:
    for number, text in enumerate(TEXTS):
        brain.commit_turn(say("m", f"s{number}", text))
    return brain


def scores(brain: Brain, *weights: float) -> list[float]:
    texts = ("white lighthouse", "grey harbour")
    queries = [PlanQuery(text=text, weight=weight) for text, weight in zip(texts, weights, strict=False)]
    pack = retrieve(brain, "m", RetrievalPlan(queries=queries))
    return [round(one.signals.rerank_score, 6) for one in pack.evidences]


@pytest.mark.parametrize("weight", [0.2, 3.0, 1000.0])
def test_the_weight_of_a_single_query_moves_no_score(told: Brain, weight: float) -> None:
    assert scores(told, weight) == scores(told, 1.0)


def test_weights_count_beside_each_other(told: Brain) -> None:
    assert scores(told, 4.0, 2.0) == scores(told, 1.0, 0.5)
    assert max(scores(told, 50.0, 50.0)) <= 1.0
    assert len(set(scores(told, 1000.0, 500.0))) > 1, "a great weight does not make all scores 1"


def test_what_of_the_fusion_moves_nothing_is_named(told: Brain) -> None:
    asked = plan("lighthouse")
    asked.ranking.fusion.method, asked.ranking.fusion.rrf_k = "weighted_sum", 10
    asked.ranking.fusion.weights["exact"] = 3
    named = [one.split(":")[0] for one in retrieve(told, "m", asked).explain.ignored_fields]
    assert named == ["ranking.fusion.method", "ranking.fusion.rrf_k", "ranking.fusion.weights[exact]"]
    asked.ranking.rerank.enabled = False
    assert not retrieve(told, "m", asked).explain.ignored_fields


@pytest.mark.parametrize("rerank", [True, False])
def test_lists_of_weight_0_bring_nothing(told: Brain, rerank: bool) -> None:
    asked = plan("how white")  # only one text has a word of it
    asked.ranking.rerank.enabled = rerank
    assert len(retrieve(told, "m", asked).evidences) == len(TEXTS)
    asked.ranking.fusion.weights["semantic"] = 0
    pack = retrieve(told, "m", asked)
    assert [one.snippet for one in pack.evidences] == [TEXTS[0]]
    assert list(pack.stats.by_mode) == ["exact"]
    assert not pack.explain.ignored_fields
