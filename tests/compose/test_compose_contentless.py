"""What says nothing by itself is no evidence: it stands beside what it answers, or not at all."""

from __future__ import annotations

import pytest
from smartbrain.v1.context_pb2 import ContextPackage

from brain_core import Brain
from tests.building import brain, compose, plan, retrieve, say

__all__ = ["brain"]

OFFERS = pytest.mark.parametrize(
    ("offer", "yes", "answer", "question", "last"),
    [
        (
            ("My back hurts again.", "Do you want some stretches for your back?"),
            "yes go ahead",
            "Cat and cow, child's pose, knees to chest, ten breaths each.",
            "Which stretches did you give me for my back?",
            "thanks a lot",
        ),
        (
            ("我腰又疼了。", "要不要几个护腰的拉伸动作？"),
            "好的，李老师。",
            "猫牛式、婴儿式、抱膝，各做十次呼吸。",
            "护腰的拉伸动作有哪些？",
            "谢谢！",
        ),
    ],
)


def lines(package: ContextPackage) -> list[list[str]]:
    """Return what stands in each piece, line by line, without who said it."""
    return [[line.rpartition(": ")[2] for line in piece.snippet.split("\n")] for piece in package.evidence]


def reasons(package: ContextPackage) -> dict[str, str]:
    return {one.id: f"{one.reason}: {one.detail}" for one in package.debug.dropped}


@OFFERS
def test_alone_it_is_left_out_by_name(
    brain: Brain, offer: tuple[str, str], yes: str, answer: str, question: str, last: str
) -> None:
    """「好的，周老板。」 and "yes go ahead" filled what room was left, as pieces of their own."""
    brain.commit_turn(say("m", "s", *offer, answer))
    brain.commit_turn(say("m", "other", yes))
    brain.commit_turn(say("m", "third", last))
    package = compose(brain, "m", "new", question, token_limit=4000)
    assert [yes] not in lines(package)
    assert [last] not in lines(package)
    assert list(reasons(package).values()) == ["below_threshold: says nothing by itself"] * 2
    assert package.debug.dropped_counts["evidence/below_threshold"] == 2


@OFFERS
def test_beside_what_it_answers_it_stands(
    brain: Brain, offer: tuple[str, str], yes: str, answer: str, question: str, last: str
) -> None:
    brain.commit_turn(say("m", "s", *offer, yes, answer, last))
    package = compose(brain, "m", "new", question, token_limit=4000)
    assert [*offer, yes, answer, last] in lines(package)
    assert not reasons(package)


@OFFERS
def test_an_answer_stands_beside_its_question_past_it(
    brain: Brain, offer: tuple[str, str], yes: str, answer: str, question: str, last: str
) -> None:
    """The message before the answer was "yes go ahead", which has no word of the question."""
    for number, between in enumerate((yes, f"{last} 1975")):
        session = [*offer, between, answer]
        brain.commit_turn(say(f"m{number}", "s", *session))
        brain.commit_turn(say(f"m{number}", "t", "The kettle is blue. 水壶是蓝色的。"))
    scores = [
        next(
            one.signals.rerank_score
            for one in retrieve(brain, memory, plan(question)).evidences
            if one.snippet == answer
        )
        for memory in ("m0", "m1")
    ]
    assert scores[0] > scores[1], "what says something stands between"


def test_words_that_are_quoted_are_found(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The blue paint it is.", "Shall I order it?", "yes go ahead", "Ordered."))
    package = compose(brain, "m", "new", 'Where did I say "yes go ahead"?')
    assert any("yes go ahead" in piece for piece in lines(package))


def test_what_recent_turns_show_is_not_named_as_silent(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The blue paint it is.", "Shall I order it?", "yes go ahead", "Ordered."))
    package = compose(brain, "m", "s", "Which paint?")
    assert [one.content for one in package.recent_turns][-2:] == ["yes go ahead", "Ordered."]
    assert "says nothing" not in str(reasons(package))
