"""Lists that were told over many sessions: each text is ranked for itself."""

from __future__ import annotations

import pytest
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, ComposeContextRequest, ComposeContextResponse
from smartbrain.v1.event_pb2 import Message, TurnEvents

from brain_core import Brain
from tests.building import plan, retrieve, say

LIMIT = {"en": 512, "zh": 360}
ADVICE = {
    "en": "Restaurants are best booked ahead. For the kitchen at home, buy good oil, salt and a pan that holds its "
    "heat, taste as you go, and let meat rest; a restaurant does nothing else. " * 3,
    "zh": "餐馆最好提前订位。在家做菜，买好油、好盐和一口厚锅，边做边尝，肉要醒一醒；餐馆也不过如此。" * 5,
}
TOLD = {
    "en": (
        "Had dinner at Luigi's, the gnocchi was lovely.",
        "We took Ruth to Bundobust.",
        "Lunch at Kumo, good ramen.",
        "Dad's party was at Archie's, burgers for all.",
        "Dinner at Noto, the crab noodles were unreal.",
    ),
    "zh": (
        "昨晚在老灶台吃的毛血旺。",
        "中午在竹里馆吃了素斋。",
        "在冯记串串吃到凌晨。",
        "去马家泡馍掰了半小时馍。",
        "妈妈生日在外婆家吃的。",
    ),
}
NAMES = {
    "en": ("Luigi's", "Bundobust", "Kumo", "Archie's", "Noto"),
    "zh": ("老灶台", "竹里馆", "冯记串串", "马家泡馍", "外婆家"),
}
QUESTION = {"en": "Which restaurants have we been to?", "zh": "我们去过哪些餐馆？"}


def tell(brain: Brain, language: str) -> None:
    for number, text in enumerate(TOLD[language]):
        for said in (Message(role="user", content=text), Message(role="assistant", content=ADVICE[language])):
            brain.commit_turn(
                CommitTurnRequest(memory_id="m", session_id=f"s{number}", turn=TurnEvents(messages=[said]))
            )


def ask(brain: Brain, question: str, limit: int = 512) -> ComposeContextResponse:
    return brain.compose_context(
        ComposeContextRequest(memory_id="m", session_id="now", user_message=question, token_limit=limit)
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_all_of_a_list_has_room_beside_what_an_assistant_said_at_length(brain: Brain, language: str) -> None:
    tell(brain, language)
    context = ask(brain, QUESTION[language], LIMIT[language]).context
    shown = "\n".join(one.snippet for one in context.evidence)
    assert [name for name in NAMES[language] if name not in shown] == []
    assert "told in many places" in context.debug.planner.reason


def test_what_the_assistant_said_is_still_found_where_it_is_asked_for(brain: Brain) -> None:
    tell(brain, "en")
    context = ask(brain, "What restaurants did you tell me about?").context
    assert "told in many places" not in context.debug.planner.reason
    assert any("booked ahead" in one.snippet for one in context.evidence)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_among_people_a_list_is_ranked_as_all_else(brain: Brain, language: str) -> None:
    for number, text in enumerate(TOLD[language]):
        brain.commit_turn(say("m", f"s{number}", text))
    context = ask(brain, QUESTION[language]).context
    assert "told in many places" not in context.debug.planner.reason


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_friend_who_is_logged_as_the_assistant_is_no_assistant(brain: Brain, language: str) -> None:
    for number, text in enumerate(TOLD[language]):
        for role in ("user", "assistant"):
            said = Message(role=role, speaker={"user": "Ann", "assistant": "Bo"}[role], content=f"{text} {role}")
            brain.commit_turn(
                CommitTurnRequest(memory_id="m", session_id=f"s{number}", turn=TurnEvents(messages=[said]))
            )
    context = ask(brain, QUESTION[language]).context
    assert "told in many places" not in context.debug.planner.reason


def test_a_caller_may_ask_for_it_and_hears_where_it_moves_nothing(brain: Brain) -> None:
    tell(brain, "en")
    asked = plan(QUESTION["en"])
    usual = [one.id for one in retrieve(brain, "m", asked).evidences]
    asked.ranking.scattered = True
    scattered = retrieve(brain, "m", asked)
    assert [one.id for one in scattered.evidences] != usual
    first = [one.snippet for one in scattered.evidences[: len(TOLD["en"])]]
    assert sorted(first) == sorted(TOLD["en"])
    asked.ranking.rerank.enabled = False
    assert "ranking.scattered: ranking.rerank is off" in retrieve(brain, "m", asked).explain.ignored_fields
