"""Mode associative: which words are added, at what weight, and that they are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.event_pb2 import Entity
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.plan_pb2 import PlanFilters, PlanQuery, RetrievalPlan

from brain_core import Brain
from tests.building import compose, open_brain, plan, retrieve, say, turn

TOLD_ONLY: dict[str, Any] = {"retention": {"learn_from": []}}
ENGLISH = [
    "The harbour ferry was cancelled by the storm",
    "Storm warnings closed the harbour",
    "A storm broke the greenhouse window",
    "Gardeners grow tomatoes indoors",
    "The committee approved a budget",
]
CHINESE = ["渡轮因台风停航", "台风让港口关闭", "台风吹坏了温室", "园丁种番茄", "委员会批准了预算"]


def tell(brain: Brain, texts: list[str]) -> None:
    for number, text in enumerate(texts):
        brain.commit_turn(say("m", f"s{number}", text))


def lists_only(text: str, mode: str = "associative") -> RetrievalPlan:
    """Return a plan whose order is that of the list by words alone."""
    asked = plan(text, mode=mode)
    asked.ranking.rerank.enabled = False
    for name in ("exact", "semantic"):
        asked.ranking.fusion.weights[name] = 0
    return asked


def terms(pack: EvidencePack) -> dict[str, float]:
    """Return what mode associative added, and with which weight."""
    return {one.term: one.weight for one in pack.explain.expansions if one.source != "alike"}


@pytest.mark.parametrize(
    ("texts", "query", "added", "further"),
    [(ENGLISH, "ferry", "storm", ENGLISH[2]), (CHINESE, "渡轮", "台风", CHINESE[2])],
)
def test_words_of_the_first_hits_find_what_the_query_does_not_say(
    folder: Path, texts: list[str], query: str, added: str, further: str
) -> None:
    with open_brain(folder, policies={**TOLD_ONLY, "retrieval": {"association": {"texts": 1}}}) as brain:
        tell(brain, texts)
        assert [one.snippet for one in retrieve(brain, "m", lists_only(query, "exact")).evidences] == texts[:1]
        asked = lists_only(query)
        asked.ranking.fusion.method = "weighted_sum"
        pack = retrieve(brain, "m", asked)
        assert 0 < terms(pack)[added] < 1
        assert max(terms(pack).values()) == pytest.approx(brain.policy.policies.retrieval.association.weight)
        assert {one.source for one in pack.explain.expansions} - {"alike"} == {"feedback"}
        found = {one.snippet: one.provenance.relation for one in pack.evidences}
        assert next(iter(found)) == texts[0], "what has the query's own words stays first"
        assert added in found[further]
        assert found[further].endswith("added to the query")
        assert list(pack.explain.ignored_fields) == list(pack.warnings) == []
        assert pack.stats.by_mode["associative"].candidates > pack.stats.by_mode["exact"].candidates


@pytest.mark.parametrize(("query", "alias"), [("what does 林梅 say", "mei"), ("what about Mei?", "林梅")])
def test_other_names_of_what_is_named_are_added(folder: Path, query: str, alias: str) -> None:
    with open_brain(folder, policies=TOLD_ONLY) as brain:
        tell(brain, ["Mei likes blue", "林梅喜欢蓝色", *ENGLISH])
        mei = Entity(kind="person", canonical="Mei", aliases=["林梅"], remember=True)
        brain.commit_turn(turn("m", "e", entities=[mei]))
        pack = retrieve(brain, "m", plan(query, mode="associative"))
        weight = brain.policy.policies.retrieval.association.alias_weight
        assert {one.weight for one in pack.explain.expansions if one.source == "alias"} == {weight}
        assert alias in {one.term for one in pack.explain.expansions if one.source == "alias"}
        package = compose(brain, "m", "new", "and?", plan=plan(query, mode="associative"))
        assert list(package.debug.planner.expansions) == list(pack.explain.expansions)


def test_what_is_added_is_bounded_by_the_policy(folder: Path) -> None:
    bounds = {"texts": 2, "terms": 3, "weight": 0.25}
    with open_brain(folder, policies={"retrieval": {"association": bounds}}) as brain:
        tell(brain, ENGLISH)
        found = terms(retrieve(brain, "m", plan("ferry", mode="associative")))
        assert len(found) == 3
        assert max(found.values()) == pytest.approx(0.25)
        assert "ferri" not in found, "a word of the query is not added to it"


def test_without_terms_it_is_hybrid(folder: Path) -> None:
    with open_brain(folder, policies={"retrieval": {"association": {"terms": 0}}}) as brain:
        tell(brain, ENGLISH)
        both = [retrieve(brain, "m", plan("harbour storm", mode=mode)) for mode in ("associative", "hybrid")]
        assert [one.id for one in both[0].evidences] == [one.id for one in both[1].evidences]
        assert [one.signals.rerank_score for one in both[0].evidences] == [
            one.signals.rerank_score for one in both[1].evidences
        ]
        assert not terms(both[0])


def test_filters_hold_for_what_is_read_and_for_what_is_found(folder: Path) -> None:
    with open_brain(folder, policies=TOLD_ONLY) as brain:
        tell(brain, ENGLISH)
        asked = RetrievalPlan(
            queries=[
                PlanQuery(text="ferry", mode="associative", filters=PlanFilters(session_ids=["s3", "s4"])),
                PlanQuery(text="window", mode="exact"),
            ]
        )
        asked.budget.per_mode_k.associative = 1
        pack = retrieve(brain, "m", asked)
        of_first = [one for one in pack.evidences if one.provenance.query_index == 0]
        assert len(of_first) == 1
        assert of_first[0].ref.session_id in {"s3", "s4"}
        assert "storm" not in terms(pack), "what the filter leaves out is not read"
        assert {one.query_index for one in pack.explain.expansions} == {0}


def test_the_same_question_is_expanded_the_same_way(folder: Path) -> None:
    with open_brain(folder) as brain:
        tell(brain, ENGLISH + CHINESE)
        first, second = (retrieve(brain, "m", plan("台风 storm", mode="associative")) for _ in range(2))
        assert list(first.explain.expansions) == list(second.explain.expansions)
        assert [one.id for one in first.evidences] == [one.id for one in second.evidences]
        assert terms(first)


def test_a_question_without_any_hit_is_not_expanded(folder: Path) -> None:
    with open_brain(folder) as brain:
        tell(brain, ENGLISH)
        pack = retrieve(brain, "m", plan("\u2060", mode="associative"))
        assert not pack.evidences
        assert not pack.explain.expansions
