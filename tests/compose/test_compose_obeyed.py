"""A plan is obeyed to the letter: each of its fields changes the answer as asked, or is named as ignored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor
from smartbrain.v1.event_pb2 import Entity, Message, Ref
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.item_pb2 import ITEM_STATUS_SUPERSEDED, LAYER_LONGTERM
from smartbrain.v1.plan_pb2 import PlanFilters, RetrievalPlan

from brain_core import Brain
from tests.building import compose, open_brain, pref, retrieve, say, second, turn

Plan = dict[str, Any]

TWO = {"queries": [{"text": "zebra", "mode": "hybrid"}, {"text": "garden fence", "mode": "hybrid"}]}
LISTS_ONLY = {"rerank": {"enabled": False}}
WHEN = f"{second(2).ToJsonString()}"

FILTERS: dict[str, Any] = {
    "document_ids": ["none"],
    "source_type": ["memory_item"],
    "source_uri_prefix": "smartbrain://m/s1/",
    "language": "zh",
    "time_range.from": WHEN,
    "time_range.to": WHEN,
    "types": ["preferences"],
    "layers": [LAYER_LONGTERM],
    "statuses": [ITEM_STATUS_SUPERSEDED],
    "session_ids": ["s1"],
    "min_confidence": 0.95,
    "max_priority": 3,
    "days.from": "2023-11-16",
    "days.to": "2023-11-15",
}


def nested(path: str, value: object) -> Plan:
    """Return a value at a dotted path."""
    name, _, rest = path.partition(".")
    return {name: nested(rest, value) if rest else value}


IN_WORK_ELSEWHERE = {"tag_ids", "topic_ids"}

OBEYED: dict[str, tuple[Plan, Plan]] = {
    "queries.text": (TWO, {"queries": [{"text": "fence"}]}),
    "queries.mode": (TWO, {"queries": [{"text": "zebra", "mode": "exact"}, {"text": "garden fence", "mode": "exact"}]}),
    "queries.hints": (TWO, {"queries": [{"text": "zebra", "hints": ["copper"]}, {"text": "garden fence"}]}),
    "queries.weight": (TWO, {"queries": [{"text": "zebra", "weight": 0.1}, {"text": "garden fence"}]}),
    "budget.top_k": (TWO, {**TWO, "budget": {"top_k": 1}}),
    "budget.candidate_k": (
        {**TWO, "ranking": LISTS_ONLY},
        {**TWO, "ranking": LISTS_ONLY, "budget": {"candidate_k": 1}},
    ),
    **{
        f"budget.per_mode_k.{mode}": (
            {"queries": [{"text": "Zoe zebra", "mode": mode}]},
            {"queries": [{"text": "Zoe zebra", "mode": mode}], "budget": {"per_mode_k": {mode: 1}}},
        )
        for mode in ("exact", "semantic", "hybrid", "relational", "associative")
    },
    "budget.diversity.by_source": (TWO, {**TWO, "budget": {"diversity": {"by_source": 1}}}),
    "ranking.fusion.method": (
        {**TWO, "ranking": LISTS_ONLY},
        {**TWO, "ranking": {**LISTS_ONLY, "fusion": {"method": "weighted_sum"}}},
    ),
    "ranking.fusion.rrf_k": (
        {**TWO, "ranking": LISTS_ONLY},
        {**TWO, "ranking": {**LISTS_ONLY, "fusion": {"rrf_k": 1}}},
    ),
    "ranking.fusion.weights": (
        {**TWO, "ranking": LISTS_ONLY},
        {**TWO, "ranking": {**LISTS_ONLY, "fusion": {"weights": {"exact": 0}}}},
    ),
    "ranking.rerank.enabled": (TWO, {**TWO, "ranking": LISTS_ONLY}),
    "ranking.rerank.top_n": (TWO, {**TWO, "ranking": {"rerank": {"top_n": 1}}}),
    "ranking.scattered": (TWO, {**TWO, "ranking": {"scattered": True}}),
    "ranking.tie_breaker": (
        {"queries": [{"text": "copper", "mode": "exact"}], "ranking": LISTS_ONLY},
        {
            "queries": [{"text": "copper", "mode": "exact"}, {"text": "silver", "mode": "exact"}],
            "ranking": {**LISTS_ONLY, "tie_breaker": "recency"},
        },
    ),
    "output.include_snippets": (TWO, {**TWO, "output": {"include_snippets": False}}),
    "output.snippet_policy": (TWO, {**TWO, "output": {"snippet_policy": "l0"}}),
    "output.include_signals": (TWO, {**TWO, "output": {"include_signals": False}}),
    "output.include_provenance": (TWO, {**TWO, "output": {"include_provenance": False}}),
    "output.include_raw": (TWO, {**TWO, "output": {"include_raw": True}}),
    "output.max_snippet_chars": (TWO, {**TWO, "output": {"max_snippet_chars": 5}}),
    **{f"global_filters.{name}": (TWO, {**TWO, "global_filters": nested(name, FILTERS[name])}) for name in FILTERS},
}
"""Paths of fields: two plans that differ in it, and must differ in their answers."""

NAMED: dict[str, tuple[Plan, str]] = {
    "ranking.source_priority": (
        {**TWO, "ranking": {"source_priority": {"memory": 1}}},
        "ranking.source_priority: ranking.tie_breaker is none",
    ),
    "debug.trace": ({**TWO, "debug": {"trace": True}}, "debug.trace: nothing of a Retrieve is kept"),
}
ECHOED = {"version", "request_id", "purpose", "debug.notes", "debug.caller.app", "debug.caller.session_id"}
"""They change no result, and stand in the pack's plan; the purpose is debug.planner.intent of a package."""

ELSEWHERE = {
    "ranking.rerank.model": "one ranker is known, any other is InvalidArgument",
    "budget.diversity.by_document": "texts of a session are no document",
    "budget.diversity.by_section": "texts of a session are no section",
    "resource_retrieval.enabled": "named while there are no documents: tests/planning",
    "resource_retrieval.reason": "echoed",
}


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """Give a memory in which every filter leaves something out."""
    with open_brain(Path(tmp_path_factory.mktemp("zoo"))) as brain:
        brain.commit_turn(say("m", "s1", "a zebra in the garden", "the zebra eats the garden fence", at=0))
        brain.commit_turn(say("m", "s1", "zebra zebra zebra stripes", "the fence is green", at=1))
        brain.commit_turn(say("m", "s2", "花园里有一匹斑马 zebra", "the garden needs water", at=3))
        brain.commit_turn(turn("m", "s2", preferences=[pref("zebra", "striped")]))
        brain.commit_turn(turn("m", "s2", preferences=[pref("zebra", "plain garden", confirmed=True)]))
        zoe = Entity(kind="person", canonical="Zoe", aliases=["佐伊"], remember=True)
        brain.commit_turn(turn("m", "s3", messages=[Message(role="user", content="Zoe has a zebra")], entities=[zoe]))
        brain.commit_turn(turn("m", "s3", refs=[Ref(ref_type="url", uri="https://zoo.example/zebra")]))
        brain.commit_turn(say("m", "s4", "copper", at=100))
        brain.commit_turn(say("m", "s5", "silver", at=200))
        yield brain


def asking(**fields: Any) -> RetrievalPlan:  # noqa: ANN401
    """Return a plan of fields as JSON has them."""
    return RetrievalPlan(**fields)


def leaves(message: Descriptor, path: str = "") -> Iterator[str]:
    """Yield the paths of a message's fields down to those that are no message of ours."""
    for field in message.fields:
        here = f"{path}{field.name}"
        inner = field.message_type
        if inner is not None and inner.full_name.startswith("smartbrain.") and not inner.GetOptions().map_entry:
            yield from leaves(inner, f"{here}.")
        else:
            yield here


def answered(brain: Brain, fields: Plan) -> EvidencePack:
    return retrieve(brain, "m", asking(**parsed(fields)))


def parsed(fields: Plan) -> Plan:
    """Return fields with times, which only JSON has as texts, as messages."""
    copy = dict(fields)
    span = copy.get("global_filters", {}).get("time_range")
    if span:
        filters = PlanFilters()
        for end in span:
            getattr(filters.time_range, end).FromJsonString(span[end])
        copy["global_filters"] = filters
    return copy


def shown(pack: EvidencePack) -> list[bytes]:
    """Return the evidences without what every answer has anew."""
    found = []
    for one in pack.evidences:
        one.provenance.ClearField("retrieved_at")
        found.append(one.SerializeToString(deterministic=True))
    return found


def test_every_field_of_a_plan_is_accounted_for() -> None:
    known = OBEYED.keys() | NAMED.keys() | ECHOED | ELSEWHERE.keys()
    known |= {f"global_filters.{name}" for name in IN_WORK_ELSEWHERE}
    # Filters of a query are looked at by the test below, each beside the global ones.
    known |= {f"queries.filters.{name}" for name in (*FILTERS, *IN_WORK_ELSEWHERE)}
    assert set(leaves(RetrievalPlan.DESCRIPTOR)) == known


@pytest.mark.parametrize("path", OBEYED)
def test_a_field_changes_the_answer(zoo: Brain, path: str) -> None:
    before, after = (answered(zoo, fields) for fields in OBEYED[path])
    assert before.evidences
    assert shown(before) != shown(after)
    assert list(after.explain.ignored_fields) == []


@pytest.mark.parametrize("name", FILTERS)
def test_filters_of_a_query_are_the_same_as_those_of_the_plan_and_narrow_them(zoo: Brain, name: str) -> None:
    filters = parsed(OBEYED[f"global_filters.{name}"][1])["global_filters"]
    wide = asking(queries=TWO["queries"], global_filters=filters)
    narrow = asking(queries=[{**query, "filters": filters} for query in TWO["queries"]])
    assert [one.id for one in retrieve(zoo, "m", wide).evidences] == [
        one.id for one in retrieve(zoo, "m", narrow).evidences
    ]
    one_only = asking(queries=[{**TWO["queries"][0], "filters": filters}], global_filters={"session_ids": ["s2"]})
    both = {one.id for one in retrieve(zoo, "m", one_only).evidences}
    in_session = asking(queries=TWO["queries"][:1], global_filters={"session_ids": ["s2"]})
    if name != "statuses":  # without one, superseded versions are not looked at
        assert both <= {one.id for one in retrieve(zoo, "m", in_session).evidences}
    assert all(one.ref.session_id == "s2" for one in retrieve(zoo, "m", one_only).evidences)


@pytest.mark.parametrize("path", NAMED)
def test_a_field_that_cannot_be_obeyed_is_named(zoo: Brain, path: str) -> None:
    fields, words = NAMED[path]
    assert [one for one in answered(zoo, fields).explain.ignored_fields if one.startswith(words)]


def test_what_only_tells_is_echoed(zoo: Brain) -> None:
    told = {"notes": "n", "caller": {"app": "a", "session_id": "s"}}
    fields: Plan = {**TWO, "version": "0.1", "request_id": "r", "purpose": "debug", "debug": told}
    pack = answered(zoo, fields)
    asked = asking(**fields)
    assert (pack.plan.version, pack.plan.request_id, pack.plan.purpose) == ("0.1", "r", "debug")
    assert pack.plan.debug == asked.debug
    assert compose(zoo, "m", "new", "zebra", plan=asked).debug.planner.intent == "debug"


@pytest.mark.parametrize(
    ("priority", "named"),
    [
        ({"url": 1, "memory": 2}, []),
        ({"web": 1, "网页": 2}, ["ranking.source_priority[web]", "ranking.source_priority[网页]"]),
    ],
)
def test_a_source_that_is_none_is_named(zoo: Brain, priority: dict[str, int], named: list[str]) -> None:
    ranking = {"tie_breaker": "source_priority", "source_priority": priority}
    assert list(answered(zoo, {**TWO, "ranking": ranking}).explain.ignored_fields) == named


def test_a_package_keeps_the_order_of_the_ranking_among_equals(zoo: Brain) -> None:
    queries = [{"text": "copper", "mode": "exact"}, {"text": "silver", "mode": "exact"}]
    for tie_breaker, expected in (("none", ["copper", "silver"]), ("recency", ["silver", "copper"])):
        ranking = {"tie_breaker": tie_breaker, **LISTS_ONLY}
        asked = asking(queries=queries, ranking=ranking)
        assert [one.snippet for one in retrieve(zoo, "m", asked).evidences] == expected
        assert [one.snippet for one in compose(zoo, "m", "new", "metal", plan=asked).evidence] == expected


def test_a_package_says_the_bounds_of_the_plan_and_leaves_out_what_it_does_not_want(zoo: Brain) -> None:
    asked = asking(
        queries=[{"text": "zebra"}],
        budget={"diversity": {"by_document": 7, "by_source": 1}},
        output={"include_provenance": False, "max_snippet_chars": 40},
        debug={"trace": True},
    )
    package = compose(zoo, "m", "new", "zebra", plan=asked)
    diversity = package.constraints.diversity
    assert (diversity.by_document, diversity.by_source_uri) == (7, 1)
    assert package.constraints.truncation.max_snippet_chars == 40
    assert package.evidence
    assert not any(one.HasField("provenance") or one.mode for one in package.evidence)
    assert list(package.debug.ignored) == []


def test_a_trace_that_is_not_kept_is_named(folder: Path) -> None:
    with open_brain(folder, policies={"observability": {"store_contexts": False}}) as brain:
        brain.commit_turn(say("m", "s", "zebra"))
        asked = asking(queries=[{"text": "zebra"}], debug={"trace": True})
        ignored = list(compose(brain, "m", "new", "zebra", plan=asked).debug.ignored)
        assert ignored == ["debug.trace: policies.observability.store_contexts is off"]
