"""What a ranking says of itself: signals that are numbers, and a word for everything that is left out."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter

import pytest
from google.protobuf.message import Message as Proto
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core import Brain
from tests.building import compose, plan, retrieve, say

_TEXTS = 80


@pytest.fixture
def zebras(brain: Brain) -> Brain:
    """Give a memory with a session of four lines, and many zebras in sessions of their own."""
    brain.commit_turn(say("m", "talk", "what about the zebra", "it sleeps", "in the shade", "all day", at=0))
    for number in range(_TEXTS):
        brain.commit_turn(say("m", f"s{number}", f"zebra number {number}", at=number))
    return brain


def numbers(message: Proto) -> list[float]:
    """Return every number that a message holds, however deep."""
    found: list[float] = []
    for field, value in message.ListFields():
        for one in value if field.is_repeated and not isinstance(value, str) else [value]:
            if isinstance(one, Proto):
                found += numbers(one)
            elif isinstance(one, int | float):
                found.append(one)
    return found


@pytest.mark.parametrize(
    ("mode", "method", "rerank", "weight"),
    [
        *itertools.product(
            ["exact", "semantic", "hybrid"], ["rrf", "weighted_sum", "none"], [True, False], [0.0, 1.0]
        )
    ],
)  # fmt: skip
def test_no_signal_is_ever_nan(zebras: Brain, mode: str, method: str, rerank: bool, weight: float) -> None:
    asked = plan("zebra sleeps", "\u2060", "the shade", mode=mode)
    asked.ranking.fusion.method = method
    asked.ranking.rerank.enabled = rerank
    asked.ranking.rerank.top_n = 3
    asked.ranking.fusion.weights.update({"exact": weight, "semantic": weight})
    pack = retrieve(zebras, "m", asked)
    assert pack.evidences
    for one in pack.evidences:
        assert not any(math.isnan(number) or math.isinf(number) for number in numbers(one.signals))
        signals = one.signals
        assert signals.HasField("fts_rank") == signals.HasField("fts_score")
        assert signals.HasField("vector_rank") == signals.HasField("vector_score")
        assert signals.HasField("rerank_score") == signals.HasField("recency_score")
        assert signals.HasField("rerank_score") or signals.HasField("rrf_score"), "it was ranked by something"
    package = compose(zebras, "m", "elsewhere", "zebra sleeps", plan=asked)
    assert not any(math.isnan(number) for piece in package.evidence for number in [piece.score, *numbers(piece)])


def test_what_was_given_nothing_has_no_signal_of_it(zebras: Brain) -> None:
    asked = plan("what about the zebra", mode="hybrid")
    asked.budget.candidate_k = 1
    pack = retrieve(zebras, "m", asked)
    by_text = {one.snippet: one.signals for one in pack.evidences}
    hit, beside = by_text["what about the zebra"], by_text["it sleeps"]
    assert (hit.fts_rank, hit.vector_rank) == (1, 1)
    assert hit.rrf_score == pytest.approx(2 / 61)
    assert hit.rerank_score > beside.rerank_score > 0
    for name in ("fts_rank", "vector_rank", "rrf_score"):
        assert not beside.HasField(name), "no list has what only stands beside a hit"
    asked = plan("zebra", mode="exact")
    asked.ranking.rerank.top_n = 1
    pack = retrieve(zebras, "m", asked)
    scored = [one.signals.HasField("rerank_score") for one in pack.evidences]
    assert scored[0]
    assert not any(scored[1:]), "the tail is not scored on features"
    assert all(one.signals.HasField("rrf_score") for one in pack.evidences)


def many(mode: str, quota: int, top_k: int) -> RetrievalPlan:
    asked = plan("zebra number", mode=mode)
    setattr(asked.budget.per_mode_k, mode, quota)
    asked.budget.top_k = top_k
    return asked


def unnamed(pack: EvidencePack) -> dict[str, int]:
    """Return how many are said to be dropped without their names, by the words for it."""
    lines = (one.detail.split(" ", 1) for one in pack.explain.dropped if one.id == "*")
    return {words: int(count) for count, words in lines}


_BELOW, _OVER_QUOTA = "more ranked below the short list", "more over per_mode_k of their query's mode"


@pytest.mark.parametrize(
    ("quota", "top_k", "named", "without_name"),
    [
        (1000, 1000, 0, {}),
        (1000, 70, 11, {}),
        (1000, 25, 50, {_BELOW: 6}),
        (1000, 10, 30, {_BELOW: 41}),
        (60, 10, 30, {_BELOW: 20, _OVER_QUOTA: 21}),
        (5, 10, 0, {_OVER_QUOTA: 76}),
    ],
)
def test_everything_that_is_left_out_is_named_or_counted(
    zebras: Brain, quota: int, top_k: int, named: int, without_name: dict[str, int]
) -> None:
    pack = retrieve(zebras, "m", many("exact", quota, top_k))
    assert pack.stats.candidates == _TEXTS + 1
    dropped = [one for one in pack.explain.dropped if one.id != "*"]
    assert len(dropped) == named
    assert {(one.reason, one.detail) for one in dropped} <= {("budget", f"over the {top_k} best")}
    assert unnamed(pack) == without_name
    assert len(pack.evidences) + named + sum(without_name.values()) == pack.stats.candidates
    reasons = {one.detail.split(" ", 1)[1]: one.reason for one in pack.explain.dropped if one.id == "*"}
    expected = {_BELOW: "budget", _OVER_QUOTA: "below_threshold"}
    assert reasons == {words: expected[words] for words in without_name}
    ids = [one.id for one in pack.evidences] + [one.id for one in dropped]
    assert len(set(ids)) == len(ids)


def test_a_copy_is_named_as_one_before_the_rest(zebras: Brain) -> None:
    zebras.commit_turn(say("m", "again", "Zebra  number 7", at=200))
    pack = retrieve(zebras, "m", many("exact", 1000, 1000))
    [dropped] = pack.explain.dropped
    assert (dropped.reason, dropped.detail) == ("duplicate", "same text as better evidence")
    assert re.fullmatch(r"t\d+:.+", dropped.id)
    assert pack.explain.diversity.applied == 1


def test_a_context_names_what_its_selection_dropped(zebras: Brain) -> None:
    package = compose(zebras, "m", "elsewhere", "zebra", plan=many("exact", 60, 3))
    counted = Counter((one.reason, one.id == "*") for one in package.debug.dropped)
    assert counted["below_threshold", True] == 1
    assert counted["budget", True] >= 1
    shown = {one.id for one in package.evidence}
    assert shown
    assert not shown & {one.id for one in package.debug.dropped}
