"""The exchange that a message answers stands in a small package, however much else is found."""

from __future__ import annotations

import pytest
from smartbrain.v1.context_pb2 import ContextPackage

from brain_core import Brain
from tests.building import compose, say

QUESTION = "Draft a reply to Tom about the late delivery."
DRAFTS = "Draft A is short and says sorry. Draft B lists the causes and offers a refund. Which do you want to send?"
FRAGE = "帮我给老王写一封回信，说一下延期的事。"
ENTWURF = "方案甲比较短，直接道歉；方案乙列出原因，并提出退款。你想发哪一个？"
TALK = (
    ("How long should I boil the potatoes for the salad?", "About twenty minutes, then let them cool before you cut."),
    ("Please send the report on the harbour to Anna on Monday.", "I have it in the queue and it goes out at nine."),
    ("The bike shop says the gear cable has to be replaced.", "That should cost about thirty euros with the labour."),
    ("Why does the printer show a yellow light again?", "The drum is near its end, order a new one this week."),
    ("周末我们去爬山还是去看展？", "看天气预报，周六有雨，看展更合适一些。"),
)


@pytest.fixture
def talked(brain: Brain) -> Brain:
    """Give a brain with thirty turns about other things, and two sessions that end in a question."""
    for number in range(30):
        asked, answered = TALK[number % len(TALK)]
        brain.commit_turn(say("m", f"s{number // 5}", f"{asked} ({number})", f"{answered} That is note {number}."))
    brain.commit_turn(say("m", "today", QUESTION, DRAFTS))
    brain.commit_turn(say("m", "heute", FRAGE, ENTWURF))
    return brain


def said(package: ContextPackage) -> list[str]:
    return [one.content for one in package.recent_turns]


@pytest.mark.parametrize("message", ["B please", "yes", "why?", "the first one", "Make it friendlier", "send it"])
@pytest.mark.parametrize("limit", [512, 1000, 1500])
def test_the_question_that_is_answered_stands_in_a_small_package(talked: Brain, message: str, limit: int) -> None:
    assert said(compose(talked, "m", "today", message, token_limit=limit)) == [QUESTION, DRAFTS]


@pytest.mark.parametrize("message", ["乙吧", "好", "为什么？", "第一个", "再客气一点"])
def test_a_chinese_one_too(talked: Brain, message: str) -> None:
    assert said(compose(talked, "m", "heute", message, token_limit=700)) == [FRAGE, ENTWURF]


def test_it_stands_beside_evidence_that_answers(talked: Brain) -> None:
    package = compose(talked, "m", "today", "What did the bike shop say about the gear cable?", token_limit=512)
    assert said(package) == [QUESTION, DRAFTS]
    assert "gear cable" in package.evidence[0].snippet
    assert package.evidence[0].group == "top"


def test_a_long_exchange_leaves_room_for_evidence(brain: Brain) -> None:
    brain.commit_turn(say("m", "old", "The gear cable of the bike has to be replaced, says the shop."))
    brain.commit_turn(say("m", "today", "Tell me a story.", "Once upon a time there was a fox. " * 60))
    package = compose(brain, "m", "today", "What did the bike shop say of the gear cable?", token_limit=500)
    assert "gear cable" in package.evidence[0].snippet
    assert not said(package)


def test_what_hardly_fits_is_no_top_evidence(talked: Brain) -> None:
    package = compose(talked, "m", "today", "yes")
    assert package.evidence
    assert {one.group for one in package.evidence if one.score < 0.15} <= {"long_tail"}
