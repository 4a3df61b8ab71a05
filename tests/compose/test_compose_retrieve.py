"""Retrieve: modes, phrases, fusion, ties, quotas, caps, and what it says about them."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.event_pb2 import Message
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan

from brain_core import Brain
from brain_core.errors import InvalidArgument, NotFound
from tests.building import embedder, found, open_brain, plan, pref, retrieve, say, second, turn


def alone(*texts: str, mode: str = "exact") -> RetrievalPlan:
    """Return a plan that takes the joined lists as they are, without neighbours."""
    asked = plan(*texts, mode=mode)
    asked.ranking.rerank.enabled = False
    return asked


def snippets(pack: EvidencePack) -> list[str]:
    return [evidence.snippet for evidence in pack.evidences]


def tell(brain: Brain, *texts: str) -> None:
    """Say each text in a session of its own, a second apart."""
    for number, text in enumerate(texts):
        brain.commit_turn(say("m", f"s{number}", text, at=number))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"black cat"', ["I saw a black cat", "A black cat and a dog"]),
        ('"cat black"', ["The cat, black as night"]),
        ('"black cat" dog', ["A black cat and a dog", "I saw a black cat"]),
        ('"black cat" "a dog"', ["A black cat and a dog"]),
        ('"cats dogs"', []),
        ('"cats are black"', []),
        ('"black cats and a dog"', ["A black cat and a dog"]),
        ('"!?" dog', ["A black cat and a dog", "black dogs chase a cat"]),
        ("“黑色的猫”", ["他养了一只黑色的猫"]),
        ("「猫黑色」", ["那只猫黑色的毛"]),
        ("“黑色的狗”", []),
        ('"用Python写"', ["他会用Python写代码吗？"]),
        ('"Python喜欢"', []),
        ('"写python"', ["我写Python"]),
        ('"ｐｙｔｈｏｎ写"', ["他会用Python写代码吗？"]),
    ],
)
@pytest.mark.parametrize("rerank", [True, False])
def test_a_quoted_part_must_match_as_a_phrase(folder: Path, query: str, expected: list[str], rerank: bool) -> None:
    texts = ["I saw a black cat", "The cat, black as night", "A black cat and a dog", "black dogs chase a cat"]
    texts += ["他养了一只黑色的猫", "那只猫黑色的毛", "他会用Python写代码吗？", "我写Python"]
    asked = plan(query, mode="exact")
    asked.ranking.rerank.enabled = rerank
    with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
        for number, text in enumerate(texts):
            brain.commit_turn(say("m", "one session", text, at=number))
        assert sorted(snippets(retrieve(brain, "m", asked))) == sorted(expected)


def test_a_phrase_binds_only_in_mode_exact(brain: Brain) -> None:
    tell(brain, "black and white cat")
    assert found(brain, "m", '"black cat"', mode="hybrid") == ["black and white cat"]
    assert found(brain, "m", '"black cat"', mode="exact") == []


def test_each_mode_looks_in_its_own_way(brain: Brain) -> None:
    tell(brain, "The automobile was repaired", "Her car broke down", "Soup is tasty", "xylophone")
    assert snippets(retrieve(brain, "m", alone("car"))) == ["Her car broke down"]
    semantic = retrieve(brain, "m", alone("car", mode="semantic"))
    assert semantic.evidences[0].snippet == "Her car broke down"
    assert "The automobile was repaired" in snippets(semantic)[:2]
    hybrid = retrieve(brain, "m", alone("car", mode="hybrid"))
    assert hybrid.evidences[0].signals.HasField("fts_rank")
    assert hybrid.evidences[0].signals.HasField("vector_rank")
    assert set(hybrid.stats.by_mode) == {"exact", "semantic"}
    assert {one.provenance.mode for one in hybrid.evidences} == {"hybrid"}
    for one in semantic.evidences:
        assert one.signals.HasField("vector_score")
        assert not one.signals.HasField("fts_score")


def test_signals_are_what_they_say(brain: Brain) -> None:
    tell(brain, "zebra zebra stripes", "a zebra", "nothing of it")
    pack = retrieve(brain, "m", plan("zebra"))
    for place, one in enumerate(pack.evidences):
        assert 0 <= one.signals.rerank_score <= 1
        if one.signals.HasField("vector_score"):
            vectors = embedder().embed(["zebra", f"user: {one.snippet}"])
            assert one.signals.vector_score == pytest.approx(float(vectors[0] @ vectors[1]), abs=2e-3)
        if place:
            assert one.signals.rerank_score <= pack.evidences[place - 1].signals.rerank_score
    ranks = sorted(one.signals.fts_rank for one in pack.evidences if one.signals.HasField("fts_rank"))
    assert ranks == [1, 2]
    assert pack.evidences[0].ref.session_id
    assert pack.stats.returned == len(pack.evidences)


def test_what_cannot_be_done_is_named(brain: Brain) -> None:
    tell(brain, "zebra")
    asked = RetrievalPlan(
        queries=[
            PlanQuery(text="zebra", mode="relational", hints=["entity:x"]),
            PlanQuery(text="zebra", mode="associative"),
        ],
    )
    pack = retrieve(brain, "m", asked)
    assert snippets(pack) == ["zebra"], "without what is not known"
    named = " ".join(pack.explain.ignored_fields)
    for path in ("queries[0].hints",):
        assert path in named
    assert len(pack.explain.ignored_fields) == 1


def test_a_query_the_embedder_knows_no_word_of_is_warned_about(brain: Brain) -> None:
    tell(brain, "zebra")
    pack = retrieve(brain, "m", plan("\u2060", mode="semantic"))
    assert snippets(pack) == []
    assert "queries[0]" in pack.warnings[0]


@pytest.mark.parametrize("method", ["rrf", "weighted_sum", "none"])
@pytest.mark.parametrize("rerank", [True, False])
def test_every_fusion_puts_the_best_first(brain: Brain, method: str, rerank: bool) -> None:
    tell(brain, "zebra stripes in the zoo", "the zoo has a zebra", "a horse ran", "soup")
    asked = plan("zebra stripes", "zebra stripes zoo")
    asked.ranking.fusion.method = method
    asked.ranking.rerank.enabled = rerank
    pack = retrieve(brain, "m", asked)
    assert pack.evidences[0].snippet == "zebra stripes in the zoo"
    assert pack.explain.fusion.method == method
    if not rerank:
        scores = [one.signals.rrf_score for one in pack.evidences]
        assert scores == sorted(scores, reverse=True)
        assert not any(one.signals.HasField("rerank_score") for one in pack.evidences)


def test_weights_move_the_order(brain: Brain) -> None:
    tell(brain, "alpha alpha alpha", "beta beta beta")
    for weights, first in (((1.0, 0.1), "alpha"), ((0.1, 1.0), "beta")):
        asked = alone("alpha", "beta")
        for query, weight in zip(asked.queries, weights, strict=True):
            query.weight = weight
        assert snippets(retrieve(brain, "m", asked))[0].startswith(first)


@pytest.mark.parametrize("method", ["rrf", "weighted_sum", "none"])
@pytest.mark.parametrize("rerank", [True, False])
def test_lists_without_weight_or_likeness_still_give_numbers(brain: Brain, method: str, rerank: bool) -> None:
    tell(brain, "zebra stripes", "soup is tasty", "the moon landing")
    asked = plan("banana republic taxation", mode="semantic")
    asked.ranking.fusion.method = method
    asked.ranking.rerank.enabled = rerank
    asked.ranking.rerank.top_n = 1
    for weight in (1.0, 0.0):
        asked.ranking.fusion.weights["semantic"] = weight
        pack = retrieve(brain, "m", asked)
        assert len(pack.evidences) == 3
        assert all(one.signals.rrf_score == one.signals.rrf_score for one in pack.evidences), "no NaN"
        if not rerank and weight:
            cosines = [one.signals.vector_score for one in pack.evidences]
            assert cosines == sorted(cosines, reverse=True)


def test_ties_are_broken_as_asked(brain: Brain) -> None:
    for word, at in (("alpha", 3), ("beta", 1), ("gamma", 2)):
        brain.commit_turn(say("m", word, word, at=at))
    asked = alone("gamma", "beta", "alpha")  # each is first in a list of its own, so all have the same joined score
    for tie_breaker, expected in (
        ("none", ["alpha", "beta", "gamma"]),
        ("", ["alpha", "beta", "gamma"]),
        ("recency", ["alpha", "gamma", "beta"]),
    ):
        asked.ranking.tie_breaker = tie_breaker
        pack = retrieve(brain, "m", asked)
        assert snippets(pack) == expected
        assert len({one.signals.rrf_score for one in pack.evidences}) == 1


def test_source_priority_breaks_ties_between_sources(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "alpha"))
    brain.commit_turn(turn("m", "s", preferences=[pref("beta", "x")]))
    asked = alone("alpha", "beta")
    asked.ranking.tie_breaker = "source_priority"
    for priority, expected in (
        ({"conversation": 1, "memory_item": 2}, ["conversation", "memory_item"]),
        ({"conversation": 2, "memory_item": 1}, ["memory_item", "conversation"]),
        ({"memory_item": 1}, ["memory_item", "conversation"]),
        ({"memory": 2, "memory_item": 1}, ["memory_item", "conversation"]),
        ({"memory": 1, "memory_item": 2}, ["conversation", "memory_item"]),
        ({}, ["conversation", "memory_item"]),
    ):
        asked.ranking.source_priority.clear()
        asked.ranking.source_priority.update(priority)
        assert [one.source_type for one in retrieve(brain, "m", asked).evidences] == expected


def test_quotas_and_top_k_bound_what_comes(brain: Brain) -> None:
    tell(brain, *(f"zebra number {number}" for number in range(40)))
    assert len(found(brain, "m", "zebra", mode="exact")) == 10
    assert len(found(brain, "m", "zebra", mode="semantic")) == 10
    assert len(found(brain, "m", "zebra", mode="hybrid")) == 30
    assert len(found(brain, "m", "zebra", mode="associative")) == 8
    asked = plan("zebra", "zebra number", mode="exact")
    asked.budget.per_mode_k.exact = 3
    pack = retrieve(brain, "m", asked)
    assert len(pack.evidences) <= 6
    for number in (0, 1):
        assert sum(one.provenance.query_index == number for one in pack.evidences) <= 3
    assert any("per_mode_k" in one.detail for one in pack.explain.dropped)
    asked.budget.per_mode_k.exact = 40
    asked.budget.top_k = 5
    pack = retrieve(brain, "m", asked)
    assert len(pack.evidences) == 5
    assert {one.reason for one in pack.explain.dropped} == {"budget"}
    asked.budget.candidate_k = 2
    asked.ranking.rerank.enabled = False
    assert len(retrieve(brain, "m", asked).evidences) == 2


def test_caps_and_copies_are_dropped_with_their_reason(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", messages=[Message(role="user", content=f"zebra {n}") for n in range(6)]))
    tell(brain, "Zebra  ONE", "zebra one", "zebra two")
    asked = alone("zebra")
    asked.budget.diversity.by_source = 2
    pack = retrieve(brain, "m", asked)
    reasons = sorted((one.reason, one.detail) for one in pack.explain.dropped)
    assert reasons.count(("diversity", "over by_source of one source_uri")) == 4
    assert reasons.count(("duplicate", "same text as better evidence")) == 1
    assert len(pack.evidences) == 4
    assert pack.explain.diversity.applied == 5
    assert pack.explain.diversity.limits.by_source == 2
    kept = {one.id for one in pack.evidences}
    assert not kept & {one.id for one in pack.explain.dropped}


def test_a_section_hit_by_two_queries_appears_once(brain: Brain) -> None:
    tell(brain, "zebra and lion")
    pack = retrieve(brain, "m", plan("zebra", "lion"))
    assert snippets(pack) == ["zebra and lion"]


def test_output_carries_what_was_asked(brain: Brain) -> None:
    tell(brain, "zebra " + "stripes " * 90)
    asked = plan("zebra")
    asked.output.max_snippet_chars = 20
    [one] = retrieve(brain, "m", asked).evidences
    assert one.snippet == "zebra stripes…"
    assert one.snippet.endswith("…")
    asked.output.include_raw = True
    [one] = retrieve(brain, "m", asked).evidences
    assert one.raw.debug_payload.startswith("zebra stripes")
    assert len(one.raw.debug_payload) > 700
    asked.output.include_snippets = asked.output.include_signals = asked.output.include_provenance = False
    [one] = retrieve(brain, "m", asked).evidences
    assert one.snippet == ""
    assert not one.HasField("signals")
    assert not one.HasField("provenance")
    asked.output.include_snippets = True
    asked.output.snippet_policy = "l0"
    [one] = retrieve(brain, "m", asked).evidences
    assert (one.snippet, one.snippet_policy) == (f"{one.title[:19]}…", "l0")


def test_the_plan_is_echoed_completed_and_can_be_asked_again(brain: Brain) -> None:
    tell(brain, "zebra")
    pack = retrieve(brain, "m", plan("zebra", mode=""))
    full = pack.plan
    assert (full.version, full.purpose, full.queries[0].mode, full.queries[0].weight) == ("0.1", "qa", "hybrid", 1.0)
    assert (full.budget.top_k, full.budget.candidate_k) == (30, 200)
    assert full.request_id == pack.request_id != ""
    assert (full.ranking.fusion.method, full.ranking.fusion.rrf_k) == ("rrf", 60)
    assert full.ranking.rerank.enabled
    again = retrieve(brain, "m", full)
    assert again.plan == full
    assert again.request_id == pack.request_id
    assert [one.id for one in again.evidences] == [one.id for one in pack.evidences]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda p: p.queries.pop(), "plan.queries"),
        (lambda p: p.queries.extend([PlanQuery(text="x")] * 16), "plan.queries"),
        (lambda p: setattr(p.queries[0], "text", " "), "plan.queries[0].text"),
        (lambda p: setattr(p.queries[0], "text", "x" * 10_001), "plan.queries[0].text"),
        (lambda p: setattr(p.queries[0], "mode", "fuzzy"), "plan.queries[0].mode"),
        (lambda p: setattr(p.queries[0], "weight", -1), "plan.queries[0].weight"),
        (lambda p: setattr(p.queries[0], "weight", float("nan")), "plan.queries[0].weight"),
        (lambda p: setattr(p, "version", "9"), "plan.version"),
        (lambda p: setattr(p, "purpose", "fun"), "plan.purpose"),
        (lambda p: setattr(p.budget, "top_k", -1), "plan.budget.top_k"),
        (lambda p: setattr(p.budget, "top_k", 1001), "plan.budget.top_k"),
        (lambda p: setattr(p.budget, "candidate_k", 10_001), "plan.budget.candidate_k"),
        (lambda p: setattr(p.budget.per_mode_k, "exact", -1), "plan.budget.per_mode_k.exact"),
        (lambda p: setattr(p.budget.diversity, "by_source", -1), "plan.budget.diversity.by_source"),
        (lambda p: setattr(p.ranking.fusion, "method", "best"), "plan.ranking.fusion.method"),
        (lambda p: setattr(p.ranking.fusion, "rrf_k", -1), "plan.ranking.fusion.rrf_k"),
        (lambda p: p.ranking.fusion.weights.update({"exact": -1.0}), "plan.ranking.fusion.weights[exact]"),
        (lambda p: setattr(p.ranking.rerank, "model", "gpt"), "plan.ranking.rerank.model"),
        (lambda p: setattr(p.ranking, "tie_breaker", "coin"), "plan.ranking.tie_breaker"),
        (lambda p: setattr(p.output, "snippet_policy", "l9"), "plan.output.snippet_policy"),
        (lambda p: p.global_filters.source_type.append("tape"), "plan.global_filters.source_type"),
        (lambda p: setattr(p.global_filters, "min_confidence", 1.5), "plan.global_filters.min_confidence"),
        (lambda p: setattr(p.global_filters, "max_priority", 11), "plan.global_filters.max_priority"),
        (lambda p: p.queries[0].filters.session_ids.extend(["s"] * 1001), "plan.queries[0].filters.session_ids"),
        (
            lambda p: (
                getattr(p.global_filters.time_range, "from").CopyFrom(second(5)),
                p.global_filters.time_range.to.CopyFrom(second(5)),
            ),
            "plan.global_filters.time_range",
        ),
    ],
)  # fmt: skip
def test_a_bad_plan_is_refused_by_field(brain: Brain, change: object, field: str) -> None:
    tell(brain, "zebra")
    asked = plan("zebra")
    change(asked)  # type: ignore[operator]
    with pytest.raises(InvalidArgument) as failed:
        retrieve(brain, "m", asked)
    assert failed.value.field == field
    assert failed.value.limit


def test_an_unknown_memory_is_not_found(brain: Brain) -> None:
    with pytest.raises(NotFound, match="no memory 'nobody'"):
        retrieve(brain, "nobody", plan("x"))
