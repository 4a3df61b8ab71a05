"""The best hit, where there is no room for all of it: the part that answers, cut to what room there is."""

from __future__ import annotations

import numpy as np
import pytest
from smartbrain.render import render
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Message
from smartbrain.v1.plan_pb2 import PlanOutput, PlanQuery, RetrievalPlan

from brain_core import Brain
from brain_core.compose.candidates import Candidates
from brain_core.text.tokens import make_counter
from tests.building import compose, turn

LIMIT = 140
ENGLISH = (
    "".join(
        f"Hall {number} of the Lindqvist museum shows pottery of its own valley and its rivers. " for number in range(6)
    )
    + "The Lindqvist museum closes on the second Tuesday of each month. "
    + "".join(f"Room {number} upstairs holds maps and letters of travellers from the north. " for number in range(3))
)
CHINESE = (
    "".join(f"林氏博物馆第{number}展厅陈列着各个河谷出土的陶器和青铜器。" for number in range(6))
    + "林氏博物馆每月第二个星期二闭馆。"
    + "".join(f"楼上第{number}室存放着北方旅行者的地图和书信。" for number in range(4))
)
CASES = pytest.mark.parametrize(
    ("long", "short", "question", "answer"),
    [
        (ENGLISH, "Oslo has fine bakeries.", "When does the Lindqvist museum close?", "second Tuesday"),
        (CHINESE, "奥斯陆有不错的面包店。", "林氏博物馆什么时候闭馆？", "第二个星期二"),
    ],
)


def packed(
    brain: Brain, question: str, *texts: str, limit: int = LIMIT, output: PlanOutput | None = None
) -> ContextPackage:
    for text in texts:
        brain.commit_turn(turn("m", "s", messages=[Message(role="assistant", content=text)]))
    asked = RetrievalPlan(queries=[PlanQuery(text=question, mode="hybrid")], output=output) if output else None
    return compose(brain, "m", "new", question, plan=asked, token_limit=limit)


def reason_of(package: ContextPackage, evidence_id: str) -> str:
    return next(one.reason for one in package.debug.why_selected if one.id == evidence_id)


@CASES
def test_it_is_cut_to_where_it_answers(brain: Brain, long: str, short: str, question: str, answer: str) -> None:
    package = packed(brain, question, long, short)
    best = package.evidence[0]
    assert answer in best.snippet
    assert len(best.snippet) < len(long)
    assert f"of {len(long.strip())} characters" in reason_of(package, best.id)
    assert make_counter("approx").count(render(package)) <= package.constraints.token_budget.used <= LIMIT


@CASES
def test_with_room_enough_it_stands_whole(brain: Brain, long: str, short: str, question: str, answer: str) -> None:
    package = packed(
        brain, question, long, short, limit=4000, output=PlanOutput(include_snippets=True, max_snippet_chars=4000)
    )
    assert package.evidence[0].snippet.startswith(long.strip())
    assert "cut to" not in reason_of(package, package.evidence[0].id)
    assert answer in package.evidence[0].snippet


@CASES
def test_without_a_word_for_where_it_is_its_beginning(
    brain: Brain, long: str, short: str, question: str, answer: str
) -> None:
    output = PlanOutput(include_snippets=True, snippet_policy="l2", max_snippet_chars=4000)
    package = packed(brain, question, long, short, output=output)
    assert long.startswith(package.evidence[0].snippet.removesuffix("…"))
    assert answer not in package.evidence[0].snippet


@CASES
def test_where_a_few_words_would_be_left_it_is_named_as_dropped(
    brain: Brain, long: str, short: str, question: str, answer: str
) -> None:
    package = packed(brain, question, long, short, limit=63)
    assert answer not in render(package)
    assert any(one.id.startswith("t1") and one.reason == "budget" for one in package.debug.dropped)


def test_the_best_has_room_before_what_is_worth_more_a_token() -> None:
    """What cost less took the room first, and the best was dropped."""
    candidates = Candidates(
        np.array([1, 0, 2]),
        np.array([7, 4, 9], np.int32),
        np.array([0.6, 0.7, 0.5]),
        np.array([0.3, 0.2, 0.1]),
        np.zeros(3, bool),
        np.ones(3, np.uint8),
        0.0,
        frozenset(),
    )
    masks = np.zeros(10, np.uint64)
    masks[[7, 9]] = 1
    assert candidates.top(masks, 0, 0.0, 0.0, 0.0).order.rows.tolist() == [4, 7, 9]
    leading = candidates.top(masks, 1, 0.0, 0.0, 2.0)
    assert leading.order.rows.tolist() == [7, 9], "the best has no wanted word and does not score enough"
    assert leading.best == 4
