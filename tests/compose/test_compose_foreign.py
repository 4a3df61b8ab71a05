"""What other executors found, among what the memory found: one scale, one budget, one set of caps, nothing twice.

The executors here are programs in the same process, which is what a library's caller may hand in, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.render import render
from smartbrain.v1.admin_service_pb2 import ExecutorStatus
from smartbrain.v1.brain_service_pb2 import GetContextRequest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.evidence_pb2 import Evidence
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest, RetrieveResponse

from brain_core import Brain, load_policy
from brain_core.errors import PolicyError
from brain_core.text.tokens import ApproxCounter
from tests.building import compose, embedder, plan, retrieve, say, ticking
from tests.server.executor import evidence, packed

QUESTION = "When does the kitchen close? 厨房几点关门？"


class Direct:
    """An executor in this process, and its answers: they are there at once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: Sequence[Evidence] = ()

    def start(self, request: RetrieveRequest, due: float) -> Ready:  # noqa: ARG002  of the protocol
        return Ready(packed(request.plan, *self.found))

    def status(self) -> ExecutorStatus:
        return ExecutorStatus(name=self.name, state="ready")


class Ready:
    """An answer that is there."""

    def __init__(self, response: RetrieveResponse) -> None:
        self._response = response

    def result(self, timeout: float) -> RetrieveResponse:  # noqa: ARG002  of the protocol
        return self._response


@contextlib.contextmanager
def opened(folder: Path, *executors: Direct, **composition: Any) -> Iterator[Brain]:  # noqa: ANN401
    """Open a brain that asks executors. composition: changes to that section."""
    rows = [{"name": one.name, "target": "in:1", "when": "always", "top_k": 50} for one in executors]
    policies = {"composition": composition, "retention": {"learn_from": []}}
    changes: dict[str, Any] = {"resources": {"remote": rows}, "policies": policies}
    policy = load_policy({"store": {"durability": "process"}, **changes})
    with Brain.open(folder, policy, embedder(), ticking(), executors) as brain:
        if not any(brain.verify()):
            for number in range(8):
                text = f"On day {number} our kitchen closed at {number + 10} o'clock. 厨房{number + 10}点关门。"
                brain.commit_turn(say("m", f"s{number}", text, at=number))
        yield brain


def theirs(package: ContextPackage) -> list[str]:
    return [one.id for one in package.evidence if one.source == "resource"]


def dropped(package: ContextPackage) -> dict[str, tuple[str, str]]:
    return {one.id: (one.reason, one.detail) for one in package.debug.dropped if one.id.startswith("remote:")}


def unscored(number: int, text: str, **changes: Any) -> Evidence:  # noqa: ANN401
    """Return an evidence that has a rank only."""
    one = evidence(number, text, **changes)
    one.ClearField("signals")
    one.signals.fts_rank = number + 1
    return one


@pytest.fixture
def wiki() -> Direct:
    return Direct("wiki")


def test_a_given_score_is_kept_and_decides_the_place(folder: Path, wiki: Direct) -> None:
    with opened(folder, wiki) as brain:
        usual = compose(brain, "m", "s", QUESTION)
        scores = [one.score for one in usual.evidence]
        between = (scores[0] + scores[1]) / 2
        wiki.found = [evidence(1), evidence(2), evidence(3)]
        for one, score in zip(wiki.found, (scores[0] + 0.001, between, scores[0] * 0.1), strict=True):
            one.signals.rerank_score = score
        package = compose(brain, "m", "s", QUESTION)
    assert package.evidence[0].id == "remote:wiki:handbook:s1:0"
    assert [one.id for one in package.evidence if one.source == "memory"] == [one.id for one in usual.evidence]
    places = [one.id for one in package.evidence]
    assert places[2] == "remote:wiki:handbook:s2:0", "after the best of the memory's own, before the second"
    assert package.evidence[-1].id == "remote:wiki:handbook:s3:0"
    assert package.evidence[-1].group == "long_tail"
    assert {each.id: each.reason for each in package.debug.why_selected}["remote:wiki:handbook:s2:0"] == (
        f"top: remote wiki: score {between:.3f} (as it gave it)"
    )


def test_without_a_score_a_text_is_looked_at_here(folder: Path, wiki: Direct) -> None:
    wiki.found = [
        unscored(0, "Bananas are yellow and grow in the tropics."),
        unscored(1, "The kitchen closes at half past seven."),
        unscored(2, "厨房七点半关门。"),
        unscored(3, "The kitchen closes at half past eight."),
    ]
    with opened(folder, wiki) as brain:
        package = compose(brain, "m", "s", QUESTION)
    score = {one.ref.section_id.rpartition(":")[2]: one.score for one in package.evidence if one.source == "resource"}
    assert 0 <= score["s0"] < 0.3 < score["s1"] <= 1
    assert score["s0"] < score["s2"]
    assert score["s3"] < score["s1"], "what it ranks lower counts for less"
    why = {each.id: each.reason for each in package.debug.why_selected}["remote:wiki:handbook:s1:0"]
    assert "as seen here: words " in why
    assert "rank 2 there" in why


@pytest.mark.parametrize("text", [
    "On day 3 our kitchen closed at 13 o'clock. 厨房13点关门。",
    "ON DAY 3 our  kitchen closed at 13 o'clock.\n厨房１３点关门。",
])  # fmt: skip
def test_what_the_memory_says_itself_is_not_said_twice(folder: Path, wiki: Direct, text: str) -> None:
    wiki.found = [evidence(1, text)]
    with opened(folder, wiki) as brain:
        package = compose(brain, "m", "s", QUESTION)
        pack = retrieve(brain, "m", plan(QUESTION))
    assert theirs(package) == []
    reason, detail = dropped(package)["remote:wiki:handbook:s1:0"]
    assert reason == "duplicate"
    assert detail.startswith("same text as t4:")
    assert ("remote:wiki:handbook:s1:0", "duplicate") in {(one.id, one.reason) for one in pack.explain.dropped}


def test_two_executors_do_not_say_the_same_twice(folder: Path) -> None:
    one, other = Direct("one"), Direct("other")
    place = {"document_id": "d", "section_id": "s"}
    one.found = [evidence(1, "It closes at six.", **place), evidence(2, "六点关门。")]
    other.found = [evidence(3, "It closes at six or so.", **place), evidence(4, "六点关门。"), evidence(5)]
    with opened(folder, one, other) as brain:
        package = compose(brain, "m", "s", QUESTION)
    assert theirs(package) == [
        f"remote:{each}:0" for each in ("one:handbook:s1", "one:handbook:s2", "other:handbook:s5")
    ]
    assert dropped(package) == {
        "remote:other:handbook:s3:0": ("duplicate", "same place as remote:one:handbook:s1:0"),
        "remote:other:handbook:s4:0": ("duplicate", "same text as remote:one:handbook:s2:0"),
    }


def test_caps_hold_across_all_who_found_something(folder: Path, wiki: Direct) -> None:
    same = {"source_uri": "https://wiki.example/kitchen"}
    wiki.found = [evidence(number, **same) for number in range(4)]
    wiki.found += [evidence(number, document_id="d") for number in range(10, 15)]
    with opened(folder, wiki) as brain:
        package = compose(brain, "m", "s", QUESTION)
    assert theirs(package) == [f"remote:wiki:handbook:s{number}:0" for number in (0, 1, 10, 11, 12)]
    assert dropped(package)["remote:wiki:handbook:s2:0"] == ("diversity", "over by_source of one source_uri")
    assert dropped(package)["remote:wiki:handbook:s13:0"] == ("diversity", "over by_document of one document")


def test_the_best_of_all_have_the_places(folder: Path, wiki: Direct) -> None:
    wiki.found = [evidence(number) for number in range(30)]
    with opened(folder, wiki, evidence_max_items=5) as brain:
        package = compose(brain, "m", "s", QUESTION)
        wiki.found = [evidence(number) for number in range(2)]
        some = compose(brain, "m", "s", QUESTION)
        for one in wiki.found:
            one.signals.rerank_score = 0.001
        none = compose(brain, "m", "s", QUESTION)
    assert theirs(package) == [f"remote:wiki:handbook:s{number}:0" for number in range(5)]
    assert dropped(package)["remote:wiki:handbook:s5:0"][0] == "budget"
    assert len(dropped(package)) == 25, "each is named"
    assert package.debug.dropped_counts["evidence/budget"] == 25
    assert [one.source for one in some.evidence] == ["resource"] * 2 + ["memory"] * 3
    shares = some.constraints.diversity
    assert (shares.memory_evidence, shares.resource_evidence) == (3, 2)
    assert theirs(none) == []


def test_places_that_nothing_else_takes_go_to_them(folder: Path, wiki: Direct) -> None:
    """Of eight kept rows a filter leaves one, so that places are free however low a score is."""
    wiki.found = [evidence(number) for number in range(3)]
    for one in wiki.found:
        one.signals.rerank_score = 0.001
    wanted = plan(QUESTION)
    wanted.budget.top_k = 4
    wanted.global_filters.session_ids.append("s3")
    with opened(folder, wiki, score_min_share=0.0) as brain:
        package = compose(brain, "m", "s", QUESTION, plan=wanted)
    assert [one.source for one in package.evidence] == ["memory", "resource", "resource", "resource"]


def test_a_score_far_under_the_best_is_left_out(folder: Path, wiki: Direct) -> None:
    """One of .002 stood beside one of .2."""
    wiki.found = [evidence(1)]
    wiki.found[0].signals.rerank_score = 0.002
    with opened(folder, wiki) as brain:
        package = compose(brain, "m", "s", QUESTION)
        floor = 0.05 * package.evidence[0].score
    assert dropped(package) == {"remote:wiki:handbook:s1:0": ("below_threshold", f"score 0.002 under {floor:.3g}")}


def test_where_room_is_short_it_goes_by_worth_whoever_found_it(folder: Path, wiki: Direct) -> None:
    with opened(folder, wiki) as brain:
        best = compose(brain, "m", "s", QUESTION).evidence[0].score

        def sources(limit: int, score: float | None) -> list[str]:
            """Return whose evidence there is room for, with one of this score from elsewhere, or without any."""
            wiki.found = [] if score is None else [evidence(1)]
            for one in wiki.found:
                one.signals.rerank_score = score or 0.0
            return [one.source for one in compose(brain, "m", "s", QUESTION, token_limit=limit).evidence]

        # From this many tokens on there is room for either.
        limit = max(next(each for each in range(60, 999) if kind in sources(each, score))
                    for kind, score in (("memory", None), ("resource", 1.0)))  # fmt: skip
        assert sources(limit, best * 1.5) == ["resource"]
        assert sources(limit, best * 0.6) == ["memory"], "though it scores enough to be among the top"
        assert sources(limit, best * 0.1) == ["memory"]


def test_a_score_under_the_floor_is_left_out(folder: Path, wiki: Direct) -> None:
    wiki.found = [evidence(1)]
    wiki.found[0].signals.rerank_score = 0.2
    with opened(folder, wiki, score_floor=0.25) as brain:
        package = compose(brain, "m", "s", QUESTION)
    assert dropped(package) == {"remote:wiki:handbook:s1:0": ("below_threshold", "score 0.200 under 0.25")}


@settings(max_examples=40, deadline=None)
@given(
    limit=st.integers(40, 900),
    sizes=st.lists(st.tuples(st.integers(1, 800), st.floats(0, 1), st.sampled_from("aé厨\n")), max_size=20),
)
def test_the_token_limit_counts_them(tmp_path_factory: pytest.TempPathFactory, limit: int, sizes: list[Any]) -> None:
    wiki = Direct("wiki")
    for number, (size, score, letter) in enumerate(sizes):
        one = evidence(number, f"{number} " + letter * (size - 1))
        one.snippet = one.snippet[:800]
        one.signals.rerank_score = score
        wiki.found = [*wiki.found, one]
    with opened(tmp_path_factory.mktemp("tokens"), wiki) as brain:
        package = compose(brain, "m", "s", "kitchen?", token_limit=limit)
        stored = brain.get_context(GetContextRequest(memory_id="m", context_id=package.context_id)).context
    budget = package.constraints.token_budget
    assert ApproxCounter().count(render(package)) <= budget.used <= limit
    assert len(package.evidence) <= max(12, limit // 24)  # policies.composition: evidence_items, evidence_item_tokens
    assert stored == package
    assert len({one.id for one in package.evidence}) == len(package.evidence)
    named = {*theirs(package), *dropped(package)}
    assert named == {f"remote:wiki:{one.id}" for one in wiki.found}, "each stands or is said not to"
    assert [why.id for why in package.debug.why_selected] == [one.id for one in package.evidence]


def test_a_pack_has_as_many_in_all_as_its_plan_asks_for(folder: Path, wiki: Direct) -> None:
    wiki.found = [unscored(0, "The kitchen closes at half past seven. 厨房七点半关门。"), *map(evidence, range(1, 4))]
    wanted = plan(QUESTION)
    wanted.budget.top_k = 6
    with opened(folder, wiki) as brain:
        pack = retrieve(brain, "m", wanted)
    scores = [one.signals.rerank_score for one in pack.evidences]
    assert len(scores) == pack.stats.returned == 6
    assert scores == sorted(scores, reverse=True)
    assert all(one.signals.HasField("rerank_score") for one in pack.evidences)
    assert [one.id for one in pack.evidences][:3] == [f"remote:wiki:handbook:s{number}:0" for number in (1, 2, 3)]
    assert any(one.id.startswith("t") and one.reason == "budget" for one in pack.explain.dropped)


@pytest.mark.parametrize("name", ["snippets", "signals", "provenance"])
def test_a_plan_that_wants_less_gets_less_of_them_too(folder: Path, wiki: Direct, name: str) -> None:
    wiki.found = [evidence(1)]
    wanted = RetrievalPlan(queries=plan(QUESTION).queries)
    setattr(wanted.output, f"include_{name}", False)
    with opened(folder, wiki) as brain:
        pack = retrieve(brain, "m", wanted)
        package = compose(brain, "m", "s", QUESTION, plan=wanted)
    found = next(one for one in pack.evidences if one.id.startswith("remote:"))
    placed = next(one for one in package.evidence if one.source == "resource")
    assert (found.snippet == placed.snippet == "") is (name == "snippets")
    assert (found.HasField("signals") or placed.HasField("signals")) is (name != "signals")
    assert (found.HasField("provenance"), placed.mode != "") == ((name != "provenance"),) * 2


def test_an_executor_that_no_row_names_is_refused(folder: Path) -> None:
    with pytest.raises(PolicyError, match=r"'stray' has no row in resources\.remote"):
        Brain.open(folder, load_policy(), embedder(), ticking(), [Direct("stray")])
    Brain.open(folder, load_policy(), embedder(), ticking()).close()


def test_an_answer_that_is_too_large_is_rejected_whole(folder: Path) -> None:
    wiki = Direct("wiki")
    wiki.found = [evidence(number, title="厨" * 8000) for number in range(50)]  # 24 kB each
    with opened(folder, wiki) as brain:
        package = compose(brain, "m", "s", QUESTION)
        wiki.found = wiki.found[:40]
        fewer = compose(brain, "m", "s", QUESTION)
    assert not theirs(package)
    assert any(words.startswith("remote wiki: its pack was rejected: answer: ") for words in package.debug.ignored)
    assert not any("rejected" in words for words in fewer.debug.ignored)


def test_what_another_brain_is_given_steers_no_terminal(folder: Path, wiki: Direct) -> None:
    with opened(folder, wiki) as brain:
        said = "The \x1b[31mstove\x07 is\nred. 炉子\x9b是红的。"
        brain.commit_turn(say("m", "s9", said))
        request = RetrieveRequest(memory_id="m", plan=plan("stove 炉子", mode="exact"))
        [ours], [theirs_] = (brain.retrieve(request, asked_by=name).pack.evidences for name in ("", "home"))
    assert ours.snippet == said
    assert theirs_.snippet == "The [31mstove is\nred. 炉子是红的。"
