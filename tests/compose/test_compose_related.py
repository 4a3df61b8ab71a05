"""Mode relational: what hangs together with what a query names, in English and Chinese, and how it says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.event_pb2 import Decision, Entity, ItemDraft, Message, Ref, Task
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.item_pb2 import ITEM_STATUS_SUPERSEDED, ItemLink
from smartbrain.v1.plan_pb2 import PlanFilters, PlanQuery, RetrievalPlan

from brain_core import Brain
from tests.building import compose, open_brain, plan, retrieve, turn

TOLD_ONLY: dict[str, Any] = {"policies": {"retention": {"learn_from": []}}}


def said(*texts: str) -> list[Message]:
    return [Message(role="user", content=text) for text in texts]


@pytest.fixture
def office(folder: Path) -> Iterator[Brain]:
    """Give a memory that learns nothing by itself, so that every relation in it is one of those below."""
    with open_brain(folder, **TOLD_ONLY) as brain:
        mei = Entity(kind="person", canonical="Mei Lin", aliases=["ML", "林梅"], remember=True)
        brain.commit_turn(turn("m", "one", messages=said("The printer is broken again"), entities=[mei]))
        brain.commit_turn(
            turn("m", "two", messages=said("Mei Lin likes blue", "and round corners", "nobody likes rain"))
        )
        brain.commit_turn(turn("m", "three", messages=said("林梅说预算是五万元")))
        brain.commit_turn(turn("m", "four", messages=said("Lin bought tea", "Meiling went home")))
        brain.commit_turn(
            turn(
                "m",
                "five",
                messages=said("banners it is"),
                refs=[Ref(ref_type="url", uri="https://acme.example/plan.pdf")],
                tasks=[Task(project="alpha", task_id="T-12", title="print banners")],
            )
        )
        brain.commit_turn(turn("m", "six", tasks=[Task(project="alpha", task_id="T-12", title="print flags")]))
        brain.commit_turn(turn("m", "seven", tasks=[Task(project="alpha", task_id="T-13", title="order ink")]))
        brain.commit_turn(turn("m", "eight", decisions=[Decision(project="海棠", topic="颜色", decision="蓝色")]))
        brain.commit_turn(turn("m", "nine", messages=said("https://acme.example/plan.pdf is out of date")))
        yield brain


def related(brain: Brain, text: str, **filters: object) -> dict[str, str]:
    """Return how each text that a relational query finds is related, best first."""
    asked = plan(text, mode="relational", filters=PlanFilters(**filters))  # type: ignore[arg-type]
    return relations(retrieve(brain, "m", asked))


def relations(pack: EvidencePack) -> dict[str, str]:
    return {one.snippet.split("\n", 1)[-1].split("\n")[0]: one.provenance.relation for one in pack.evidences}


ENTITY = "person: Mei Lin"
OF_MEI = {
    ENTITY: "goes by",
    "Mei Lin likes blue": "mentions",
    "林梅说预算是五万元": "mentions",
    "and round corners": "same turn as",
    "nobody likes rain": "same turn as",
    "The printer is broken again": "same turn as",
}


@pytest.mark.parametrize("text", ["What does Mei Lin want?", "mei lin's wishes", "林梅想要什么", "ask ML", "ＭＬ"])
def test_any_name_of_an_entity_leads_to_what_mentions_it_and_stands_beside_that(office: Brain, text: str) -> None:
    found = related(office, text)
    assert found.keys() == OF_MEI.keys()
    for snippet, words in OF_MEI.items():
        assert found[snippet].startswith(words), found
    assert next(iter(found)) in {ENTITY, "Mei Lin likes blue", "林梅说预算是五万元"}


def test_a_path_is_told_in_words(office: Brain) -> None:
    found = related(office, "Mei Lin")
    assert found["Mei Lin likes blue"] == "mentions Mei Lin"
    assert found["and round corners"] == "same turn as t2:t2.0, which mentions Mei Lin"
    package = compose(office, "m", "new", "and now?", plan=plan("Mei Lin", mode="relational"))
    reasons = {one.id: one.reason for one in package.debug.why_selected}
    assert "mentions Mei Lin" in reasons["t2:t2.0"]
    assert {one.mode for one in package.evidence} == {"relational"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how far is T-12?", {"Task of alpha: print flags", "Task of alpha: order ink", "banners it is"}),
        ("task://todos/alpha/T-12", {"Task of alpha: print flags", "Task of alpha: order ink", "banners it is"}),
        ("project alpha", {"Task of alpha: print flags", "Task of alpha: order ink", "banners it is"}),
        (
            "plan.pdf",
            {"https://acme.example/plan.pdf", "https://acme.example/plan.pdf is out of date", "banners it is"},
        ),
        ("海棠怎么样了", {"Decision of 海棠 on 颜色: 蓝色"}),
        ("acme.example/plan.pdf?", {"https://acme.example/plan.pdf", "banners it is"}),
    ],
)
def test_tasks_projects_and_addresses_are_found_by_name(office: Brain, text: str, expected: set[str]) -> None:
    assert expected <= related(office, text).keys()


@pytest.mark.parametrize("text", ["Lin", "Mei", "Meiling", "the weather", "天气"])
def test_what_names_nothing_known_finds_nothing_and_says_so(office: Brain, text: str) -> None:
    pack = retrieve(office, "m", plan(text, mode="relational"))
    assert not pack.evidences
    assert [one for one in pack.warnings if one.startswith("queries[0]: it names no entity")]
    assert pack.stats.by_mode["relational"].candidates == 0
    assert list(pack.explain.ignored_fields) == []
    package = compose(office, "m", "new", "hello", plan=plan(text, mode="relational"))
    assert [one for one in package.debug.ignored if "it names no entity" in one]


def test_an_address_that_only_texts_have_is_found_too(office: Brain) -> None:
    office.commit_turn(turn("m", "ten", messages=said("see https://other.example/x for it")))
    assert related(office, "what about https://other.example/x ?") == {
        "see https://other.example/x for it": "mentions https://other.example/x"
    }


def test_the_longer_name_counts(office: Brain) -> None:
    park = Entity(kind="other", canonical="Mei Lin Park", remember=True)
    office.commit_turn(turn("m", "ten", entities=[park]))
    assert next(iter(related(office, "Where is Mei Lin Park?"))) == "other: Mei Lin Park"
    assert "Mei Lin likes blue" not in related(office, "Where is Mei Lin Park?")


def test_what_is_related_to_two_names_comes_first(office: Brain) -> None:
    office.commit_turn(turn("m", "ten", messages=said("Mei Lin is in alpha", "no news")))
    asked = plan("Mei Lin and alpha", mode="relational")
    asked.ranking.rerank.enabled = False
    first = retrieve(office, "m", asked).evidences[0]
    assert first.snippet == "Mei Lin is in alpha"
    assert first.provenance.relation == "mentions Mei Lin; mentions alpha"


def test_links_and_evidence_lead_from_item_to_item_and_back(folder: Path) -> None:
    with open_brain(folder, **TOLD_ONLY) as brain:
        brain.commit_turn(turn("m", "s", entities=[Entity(kind="org", canonical="Acme", remember=True)]))
        pack = retrieve(brain, "m", plan("Acme", mode="relational"))
        acme = pack.evidences[0].ref.memory_item_id
        note = ItemDraft(
            type="knowledge",
            links=[ItemLink(relation="about", item_id=acme)],
            evidence_refs=["https://news.example/1"],
        )
        note.value.update({"content": "they pay late"})
        brain.commit_turn(turn("m", "t", items=[note]))
        brain.commit_turn(turn("m", "u", refs=[Ref(ref_type="url", uri="https://news.example/1")]))
        found = related(brain, "Acme")
        assert found["Fact: they pay late"] == f"links to {acme}:1, which goes by Acme"
        assert "same address as" in found["https://news.example/1"]
        from_address = related(brain, "https://news.example/1")
        assert from_address["Fact: they pay late"] == "goes by https://news.example/1"
        assert from_address["org: Acme"].startswith("linked from")
        [evidence] = [one for one in retrieve(brain, "m", plan("pay late")).evidences if one.links]
        assert [link.item_id for link in evidence.links] == [acme]
        assert list(evidence.evidence_refs) == ["https://news.example/1"]


def test_versions_are_a_chain_where_the_filter_lets_them(office: Brain) -> None:
    superseded = related(office, "T-13", statuses=[ITEM_STATUS_SUPERSEDED])
    assert superseded.keys() == {"Task of alpha: print banners"}
    assert superseded["Task of alpha: print banners"].startswith("same project as")


def test_filters_quotas_and_weights_hold(office: Brain) -> None:
    assert related(office, "Mei Lin", session_ids=["three"]).keys() == {"林梅说预算是五万元"}
    asked = RetrievalPlan(
        queries=[
            PlanQuery(text="Mei Lin", mode="relational", filters=PlanFilters(session_ids=["two"])),
            PlanQuery(text="printer", mode="exact"),
        ]
    )
    asked.budget.per_mode_k.relational = 2
    pack = retrieve(office, "m", asked)
    of_first = [one for one in pack.evidences if one.provenance.query_index == 0]
    assert len(of_first) == 2
    assert {one.ref.session_id for one in of_first} == {"two"}
    assert pack.stats.by_mode["relational"].candidates == 3
    assert pack.stats.by_mode["relational"].returned == 2
    assert {one.provenance.relation == "" for one in pack.evidences if one.provenance.query_index == 1} == {True}


def test_a_weight_of_zero_takes_the_relational_list_out_of_the_fusion(office: Brain) -> None:
    asked = RetrievalPlan(queries=[PlanQuery(text="Mei Lin", mode="relational"), PlanQuery(text="tea", mode="exact")])
    asked.ranking.rerank.enabled = False
    for weight, first in ((1.0, ENTITY), (0.0, "Lin bought tea")):
        asked.ranking.fusion.weights["relational"] = weight
        pack = retrieve(office, "m", asked)
        assert list(pack.explain.ignored_fields) == []
        assert next(iter(relations(pack))) == first


def test_relations_are_the_same_after_a_restart_and_a_rebuild(office: Brain, folder: Path) -> None:
    asked = plan("林梅 T-12", mode="relational")
    asked.budget.per_mode_k.relational = 30  # all that are related, whatever their order
    before = list(retrieve(office, "m", asked).evidences)
    list(office.rebuild_index("m"))
    again = list(retrieve(office, "m", asked).evidences)
    office.commit_turn(turn("m", "ten", messages=said("ML again")))
    grown = relations(retrieve(office, "m", asked))
    assert grown["ML again"] == "mentions 林梅"
    for one in (*before, *again):
        one.provenance.ClearField("retrieved_at")
        one.signals.ClearField("recency_score")
    assert before == again
    office.close()
    with open_brain(folder, **TOLD_ONLY) as reopened:
        assert relations(retrieve(reopened, "m", asked)) == grown
