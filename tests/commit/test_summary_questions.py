"""Open questions: what the user asked and nothing has answered, in English and Chinese."""

from __future__ import annotations

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.event_pb2 import Message, Turn, TurnEvents

from brain_core.commit.questions import open_questions


def turns(*said: str) -> list[Turn]:
    """Return a turn per text; `a: …` is the assistant's, all else the user's."""
    found = []
    for number, text in enumerate(said):
        role, content = ("assistant", text[3:]) if text.startswith("a: ") else ("user", text)
        message = Message(role=role, content=content, message_id=f"m{number}", created_at=Timestamp(seconds=number))
        found.append(Turn(turn_id=f"t{number}", events=TurnEvents(messages=[message])))
    return found


def left(*said: str) -> list[str]:
    return [line.text for line in open_questions([], turns(*said))]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the train leave?", "a: At 7:40 from platform 3."),
        ("Can you book it for me?", "a: Sure."),
        ("How tall is it?", "a: I'm not sure, but the page says 300 metres."),
        ("How tall is it?", "a: It is 300 metres. Would you like to know more?"),
        ("Is it open on Mondays?", "a: Great question! Yes, until six."),
        ("火车几点开？", "a: 七点四十，三号站台。"),
        ("这个能用中文吗", "a: 可以。"),
        ("塔有多高？", "a: 三百米。还想知道什么吗？"),
    ],
)
def test_an_answer_closes_a_question(question: str, answer: str) -> None:
    assert left(question) == [question]
    assert left(question, answer) == []


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("When does the train leave?", "a: Which train do you mean?"),
        ("When does the train leave?", "a: Sure. From which station?"),
        ("When does the train leave?", "a: Let me check and get back to you."),
        ("When does the train leave?", "a: I don't know yet."),
        ("When does the train leave?", "a: Good question, I’ll look into it."),
        ("火车几点开？", "a: 您说的是哪一趟？"),
        ("火车几点开？", "a: 好的，我查一下，稍后告诉您。"),
        ("这个能退款吗", "a: 目前还不清楚，待确认。"),
    ],
)
def test_asking_back_or_putting_off_does_not(question: str, reply: str) -> None:
    assert left(question, reply) == [question]


@pytest.mark.parametrize(
    "text",
    [
        "I wonder how that works.",
        "How are you?",
        "Right?",
        "Oh really?",
        "Nice. Ok?",
        "你好吗？",
        "在吗？",
        "对吧？",
        "我知道他为什么来。",
        "see https://example.org/?q=1 for that",
    ],
)
def test_what_is_no_question_to_be_answered(text: str) -> None:
    assert left(text) == []


def test_only_the_question_of_a_message_is_kept() -> None:
    text = "We moved to Lisbon last year. Which school is near the river? Thanks for your help."
    assert left(text) == ["Which school is near the river?"]
    assert left("我们去年搬到了里斯本。河边有哪些学校？谢谢。") == ["河边有哪些学校？"]


def test_a_clarified_question_is_answered_in_the_end() -> None:
    assert left("When does the train leave?", "a: Which one?", "The one to Porto.", "a: At 7:40.") == []


def test_what_was_put_off_stays_open_when_something_else_is_answered() -> None:
    talk = ["When does the train leave?", "a: Let me check.", "And where do we sleep?", "a: In the old mill."]
    assert left(*talk) == ["When does the train leave?"]
    assert left(*talk, "a: By the way, the train leaves at 7:40.") == []
    assert left(*talk, "a: The weather will be fine.") == ["When does the train leave?"]
    assert left("火车几点开？", "a: 我查一下。", "住在哪里？", "a: 住在老磨坊。", "a: 火车七点四十开。") == []


def test_thanks_and_courtesies_answer_nothing() -> None:
    assert left("When does the train leave?", "a: Let me check.", "Thanks!", "a: You're welcome!") == [
        "When does the train leave?"
    ]


def test_a_question_asked_again_stands_once_with_the_later_message() -> None:
    found = open_questions([], turns("What now then?", "Hello there.", "What now then?"))
    assert [(line.text, line.turn_id, line.message_id) for line in found] == [("What now then?", "t2", "m2")]


def test_questions_of_earlier_windows_are_closed_by_later_turns() -> None:
    early = open_questions([], turns("When does the train leave?", "a: Let me check."))
    assert open_questions(early, turns("a: At 7:40.")) == []
    assert len(open_questions(early, turns("ok", "a: One moment, let me look."))) == 1


def test_assistants_questions_and_pasted_text_are_not_the_users() -> None:
    assert left("a: Shall I go on with it?") == []
    assert left("Who wrote all of this? " * 1000) == []


def test_long_messages_cost_little() -> None:
    assert left("? " * 9000 + "x" * 1000) == []
    assert left("what is this? ", "a: " + "no. " * 100_000) == []
