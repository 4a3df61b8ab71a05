"""What is left out when time is short: in a fixed order, and never in silence.

The policy here counts in thousands of seconds what the built-in one counts in milliseconds, so that no slow machine
changes what there is time for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, GetContextRequest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core import Brain, load_policy
from tests.building import open_brain, plan, say

_SLOWER = 1_000_000
_DEADLINE = {"expansion_ms": 10.0 * _SLOWER, "depth_ms": 5.0 * _SLOWER, "semantic_ms": 2.0 * _SLOWER}

QUERIES, DEPTH, MEANING = "only queries[1] of 3", "4 candidates of 20", "the semantic part was left out"
WORDS = {QUERIES: "deadline_expansion", DEPTH: "deadline_depth", MEANING: "deadline_semantic"}
CASES: list[tuple[float | None, list[str]]] = [
    (None, []),
    (20.0, []),
    (6.0, [QUERIES]),
    (3.0, [QUERIES, DEPTH]),
    (1.0, [QUERIES, DEPTH, MEANING]),
    (0.0, [QUERIES, DEPTH, MEANING]),
    (-50.0, [QUERIES, DEPTH, MEANING]),
]
"""Slow milliseconds that are left, and what is said to be left out."""


def due(left: float | None) -> float | None:
    return None if left is None else time.perf_counter() + left * _SLOWER / 1000


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    """Give a brain of slow milliseconds that knows a dozen zebras."""
    deadline = {**_DEADLINE, "least_candidates": 4}
    with open_brain(folder, policies={"retrieval": {"deadline": deadline}}) as opened:
        for number in range(12):
            opened.commit_turn(say("m", f"s{number}", f"zebra number {number} eats grass", at=number))
        opened.commit_turn(say("m", "other", "a lion sleeps", at=20))
        yield opened


def asked() -> RetrievalPlan:
    """Return a plan of three queries, of which the second and third weigh most."""
    three = plan("a lion", "zebra grass", "zebra number")
    for query, weight in zip(three.queries, (0.5, 2.0, 2.0), strict=True):
        query.weight = weight
    three.budget.candidate_k = three.ranking.rerank.top_n = 20
    return three


def retrieve(brain: Brain, wanted: RetrievalPlan, left: float | None) -> EvidencePack:
    return brain.retrieve(RetrieveRequest(memory_id="m", plan=wanted), due=due(left)).pack


def compose(brain: Brain, left: float | None, wanted: RetrievalPlan | None = None) -> ContextPackage:
    request = ComposeContextRequest(memory_id="m", session_id="s", user_message="zebra grass", plan=wanted)
    return brain.compose_context(request, due=due(left)).context


def told(lines: list[str], expected: list[str]) -> None:
    """Demand that exactly these are said of the deadline, in this order."""
    said = [line for line in lines if line.startswith("deadline: ")]
    assert len(said) == len(expected)
    for line, part in zip(said, expected, strict=True):
        assert part in line
        assert "ms left" in line


def carried_out(done: RetrievalPlan, left_out: list[str]) -> None:
    """Demand that a plan says what was done of `asked`."""
    texts = [query.text for query in done.queries]
    assert texts == (["zebra grass"] if QUERIES in left_out else ["a lion", "zebra grass", "zebra number"])
    assert done.budget.candidate_k == (4 if DEPTH in left_out else 20)
    assert done.ranking.rerank.top_n == (4 if DEPTH in left_out else 20)


@pytest.mark.parametrize(("left", "expected"), CASES)
def test_retrieve_says_what_it_left_out(brain: Brain, left: float | None, expected: list[str]) -> None:
    pack = retrieve(brain, asked(), left)
    told(list(pack.warnings), expected)
    assert list(pack.degraded) == [WORDS[each] for each in expected]
    carried_out(pack.plan, expected)
    assert "zebra" in pack.evidences[0].snippet
    assert ("semantic" in pack.stats.by_mode) == (MEANING not in expected)
    assert any(one.signals.HasField("vector_rank") for one in pack.evidences) == (MEANING not in expected)
    assert pack.stats.by_mode["exact"].candidates == (4 if DEPTH in expected else 12 if QUERIES in expected else 13)
    for one in pack.evidences:
        assert one.provenance.query_text == pack.plan.queries[one.provenance.query_index].text


@pytest.mark.parametrize(("left", "expected"), CASES)
def test_a_context_says_what_it_left_out(brain: Brain, left: float | None, expected: list[str]) -> None:
    package = compose(brain, left, asked())
    told(list(package.debug.ignored), expected)
    assert list(package.debug.degraded) == [WORDS[each] for each in expected]
    assert package.evidence
    assert "zebra" in package.evidence[0].snippet
    stored = brain.get_context(GetContextRequest(memory_id="m", context_id=package.context_id))
    carried_out(stored.plan, expected)
    assert list(stored.plan.queries) == list(package.debug.planner.queries)


@pytest.mark.parametrize("left", [20.0, 6.0])
def test_with_time_for_all_of_it_nothing_changes(brain: Brain, left: float) -> None:
    package, usual = compose(brain, left), compose(brain, None)
    told(list(package.debug.ignored), [])
    assert [(one.id, one.score) for one in package.evidence] == [(one.id, one.score) for one in usual.evidence]


def test_what_a_plan_has_not_is_not_said_to_be_left_out(brain: Brain) -> None:
    words = plan("zebra", mode="exact")
    words.budget.candidate_k = 3
    words.ranking.rerank.top_n = 2
    pack = retrieve(brain, words, 0.0)
    told(list(pack.warnings), [])
    assert pack.evidences
    words.budget.candidate_k = 20
    pack = retrieve(brain, words, 0.0)
    told(list(pack.warnings), [DEPTH])
    assert (pack.plan.budget.candidate_k, pack.plan.ranking.rerank.top_n) == (4, 2), "less is never made more"


def test_a_question_of_meaning_alone_is_answered_with_nothing_in_time(brain: Brain) -> None:
    pack = retrieve(brain, plan("zebra", mode="semantic"), 0.0)
    assert list(pack.evidences) == []
    assert MEANING in pack.warnings[-1]


def test_what_was_carried_out_can_be_asked_again(brain: Brain) -> None:
    first = retrieve(brain, asked(), 3.0)
    again = retrieve(brain, first.plan, None)
    assert again.plan == first.plan
    assert [one.id for one in again.evidences] == [one.id for one in first.evidences]


def test_the_built_in_policy_gives_up_meaning_last() -> None:
    built_in = load_policy().policies.retrieval.deadline
    assert built_in.expansion_ms >= built_in.depth_ms >= built_in.semantic_ms > 0
