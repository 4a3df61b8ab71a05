"""What the user asks not to remember teaches nothing and is not found again; it stays in its session and in the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import ListTurnsRequest

from brain_core.extract.unkept import REASON, is_unkept
from tests.building import compose, found, open_brain, say
from tests.extraction.updates import all_items
from tests.models.chat_endpoint import chat_endpoint
from tests.models.learning import open_reading, until_status

UNKEPT = [
    "wifi password is on the fridge, don't store it",
    "My PIN hint is grandma's year, don't save that",
    "I had an abortion in March, please don't remember this",
    "Between us, I'm leaving the company in May, don't note that",
    "Off the record: I applied at Siemens",
    "don't store this: my neighbour is an alcoholic",
    "I failed the exam - don't write that down please",
    "You don't need to remember this, but I had pasta for lunch",
    "Keep this out of your memory: I owe Tom 4,000",
    "I'm pregnant, don't store that anywhere ok?",
    "我下个月要离职，别记下来",
    "密码提示是外婆的生日，不要存",
    "这个别记：我在看心理医生",
    "我在跟老板的妹妹谈恋爱，你别往外说，也别记",
    "這件事別記：我失業了",
    "不要把这个记下来，我借了小王五万",
    "我离婚了，不用记住",
    "My therapy sessions are on Mondays, don't save that",
    "I told the server he was rude. Please don't remember this.",
]
KEPT = [
    "I don't remember this",
    "Don't remember that.",
    "Sorry, don't remember that, what was his name?",
    "The session id comes from the header, don't store it",
    "Don't store passwords in the database",
    "don't record the meeting, Ana hates it",
    "Remember this: I hate mushrooms",
    "Don't forget that I'm vegan",
    "don't keep it in the fridge",
    "why don't you remember this?",
    "don't write that down in the spec, it's still open",
    "I'd rather you don't save it as PDF",
    "别忘记带伞",
    "不要记仇，他道歉了",
    "别记错了，是周三",
    "钱别存了，拿去还房贷",
    "不要记在我账上",
    "不用记了",
]


@pytest.mark.parametrize("message", UNKEPT)
def test_it_teaches_nothing_and_is_not_found(tmp_path: Path, message: str) -> None:
    with open_brain(tmp_path) as brain:
        answer = brain.commit_turn(say("m", "s", message))
        assert [(each.verdict, each.reason) for each in answer.explain.retention] == [("event_only", REASON)]
        assert list(all_items(brain, "m")) == []
        brain.commit_turn(say("m", "s", "The barn is red."))
        assert message not in found(brain, "m", message)
        assert "The barn is red." in found(brain, "m", "What colour is the barn?")


@pytest.mark.parametrize("message", KEPT)
def test_other_words_ask_nothing_of_the_kind(message: str) -> None:
    assert not is_unkept(message)


def test_it_stays_in_its_session_and_in_the_log(tmp_path: Path) -> None:
    secret = "I'm leaving the company in May, please don't remember this"
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", secret, "Understood."))
        assert any(secret in one.content for one in compose(brain, "m", "s", "Go on.").recent_turns)
        other = compose(brain, "m", "another", "When do I leave the company?")
        assert "May" not in str(other.evidence)
        turns = brain.list_turns(ListTurnsRequest(memory_id="m", session_id="s")).turns
        assert turns[0].events.messages[0].content == secret


def test_it_is_not_found_after_the_index_is_made_anew(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "I owe Tom 4,000, don't save that", "Fine."))
    for index in (tmp_path / "index").rglob("*"):
        if index.is_file():
            index.unlink()
    with open_brain(tmp_path) as brain:
        assert not any("Tom" in text for text in found(brain, "m", "What do I owe Tom?"))


@pytest.mark.parametrize(
    ("secret", "answer", "next_", "question"),
    [
        ("I owe Tom 4,000, don't save that", "Right, 4,000 to Tom.", "Paint the barn red.", "What do I owe Tom?"),
        ("别记这个：我欠小王四千块", "好的，欠小王四千块我不记。", "把谷仓漆成红色。", "我欠小王多少钱？"),
    ],
)
def test_nor_is_an_answer_that_says_it_again(
    tmp_path: Path, secret: str, answer: str, next_: str, question: str
) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", secret, answer, next_, "Red it is. 红色。"))
        texts = found(brain, "m", question)
        assert secret not in texts
        assert answer not in texts
        assert next_ in found(brain, "m", next_)
        assert any("Red it is" in text for text in found(brain, "m", "Red 红色"))
        assert list(next(brain.verify("m")).problems) == []
        session = compose(brain, "m", "s", "Go on.").recent_turns
        assert [one.content for one in session][:2] == [secret, answer]


def test_no_model_is_shown_it(tmp_path: Path) -> None:
    with chat_endpoint() as chat:
        with open_reading(tmp_path, chat, summarize=False) as brain:
            brain.commit_turn(say("m", "s", "I owe Tom 4,000, don't save that", "I forget what you owe Tom."))
            brain.commit_turn(say("m", "s", "We decided to paint the barn red.", "Good."))
            until_status(brain)
        sent = json.dumps(chat.behaviour.requests, ensure_ascii=False)
    assert "paint the barn red" in sent
    assert "Tom" not in sent


@pytest.mark.parametrize(
    ("told", "request_"),
    [("I'm moving to Bristol in May", "Don't save that."), ("我五月搬去宁波", "这个不要记")],
)
def test_said_afterwards_it_takes_back_what_was_told_just_before(tmp_path: Path, told: str, request_: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told))
        assert list(all_items(brain, "m"))
        brain.commit_turn(say("m", "s", request_))
        assert list(all_items(brain, "m")) == []


def test_a_question_in_one_script_finds_what_was_said_in_the_other(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "體檢說腎臟有點問題"))
        brain.commit_turn(say("m", "s", "谷仓是红色的"))
        assert found(brain, "m", "肾脏", mode="exact") == ["體檢說腎臟有點問題"]
        assert found(brain, "m", "「穀倉」", mode="exact") == ["谷仓是红色的"]
