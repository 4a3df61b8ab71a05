"""In which order memory answers: who spoke, in which language, how long, and with no word in common."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.event_pb2 import Message

from brain_core import Brain
from tests.building import compose, found, open_brain, plan, retrieve, turn

_FILLER = (
    "We talked about the weather in the mountains.",
    "The train to the coast was late again.",
    "I am reading a long novel about sailors.",
    "Dinner was soup with bread and some cheese.",
    "会议改到下周三下午三点。",
    "周末去公园散步，天气很好。",
    "新的键盘打字很舒服。",
    "孩子们在学校画画。",
)


def tell(brain: Brain, session: str, *said: tuple[str, str]) -> None:
    """Commit a turn of messages: (speaker, text) of each."""
    messages = [
        Message(role="assistant" if speaker == "assistant" else "user", speaker=speaker, content=text)
        for speaker, text in said
    ]
    brain.commit_turn(turn("m", session, messages=messages))


def fill(brain: Brain) -> None:
    """Say much that answers no question of these tests."""
    for number in range(40):
        tell(brain, f"filler{number}", ("Zoe", f"{_FILLER[number % len(_FILLER)]} ({number})"), ("assistant", "I see."))


@pytest.mark.parametrize("named", ["Caroline", "Melanie"])
def test_a_named_speaker_wins_over_another_with_the_same_words(brain: Brain, named: str) -> None:
    for number, speaker in enumerate(("Melanie", "Caroline", "Melanie", "Caroline")):
        other = "Melanie" if speaker == "Caroline" else "Caroline"
        tell(brain, f"s{number}", (speaker, f"{other}, I painted a sunrise over the lake, number {number}."))
    fill(brain)
    pack = retrieve(brain, "m", plan(f"When did {named} paint the sunrise?"))
    assert [one.metadata.speaker for one in pack.evidences[:2]] == [named, named]
    assert compose(brain, "m", "now", f"When did {named} paint the sunrise?").evidence[0].title.startswith(named)


def test_a_chinese_name_names_its_speaker(brain: Brain) -> None:
    for number, speaker in enumerate(("小红", "小明", "小红", "小明")):
        tell(brain, f"s{number}", (speaker, f"我周末去爬山了，第{number}次。"))
    fill(brain)
    pack = retrieve(brain, "m", plan("小明周末去爬山了吗？"))
    assert [one.metadata.speaker for one in pack.evidences[:2]] == ["小明", "小明"]


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("My sister moved to Berlin in March.", "我的姐姐搬到哪里了？"),
        ("The doctor said that I am allergic to peanuts.", "医生说我对什么过敏？"),
        ("我的妹妹三月搬到了柏林。", "Where did my sister move to?"),
        ("医生说我对花生过敏。", "Which food am I allergic to?"),
    ],
)
def test_a_question_finds_memory_in_the_other_language(brain: Brain, answer: str, question: str) -> None:
    fill(brain)
    tell(brain, "told", ("Ann", answer))
    fill(brain)
    assert answer in found(brain, "m", question)[:3]
    assert any(answer in piece.snippet for piece in compose(brain, "m", "now", question).evidence[:4])


def test_a_long_assistant_text_does_not_drown_what_the_user_said(brain: Brain) -> None:
    fact = "My dog is called Rex."
    lecture = (
        "Choosing a dog is a matter of patience. A young dog needs three meals a day, long walks and much sleep, and "
        "an older one will be glad of a quiet corner. Speak to it calmly, reward what it does well, and let it meet "
        "other animals early. Breeders, shelters and friends may all know of a dog that waits for a home; what it is "
        "called matters less than how it is treated, and most get used to whatever they are called within weeks. "
    )
    tell(brain, "lecture", ("Ann", "Tell me about pets."), ("assistant", lecture))
    tell(brain, "fact", ("Ann", fact), ("assistant", "Nice!"))
    fill(brain)
    assert found(brain, "m", "What is my dog called?")[0] == fact
    assert fact in compose(brain, "m", "now", "What is my dog called?").evidence[0].snippet


def test_without_a_known_word_meaning_ranks(folder: Path) -> None:
    with open_brain(folder, policies={"retrieval": {"alike": {"weight": 0.0}}}) as brain:
        meaning_ranks(brain, fts_rank=0)


def test_words_of_like_meaning_count_as_words(brain: Brain) -> None:
    meaning_ranks(brain, fts_rank=1)


def meaning_ranks(brain: Brain, *, fts_rank: int) -> None:
    tell(brain, "told", ("Ann", "The physician prescribed pills against the headache."))
    fill(brain)
    question = "medicine doctors migraine"
    assert not found(brain, "m", question, mode="exact")
    pack = retrieve(brain, "m", plan(question))
    assert pack.evidences[0].snippet == "The physician prescribed pills against the headache."
    assert pack.evidences[0].signals.fts_rank == fts_rank
    assert pack.evidences[0].signals.vector_rank == 1
    first, then = compose(brain, "m", "now", question).evidence[:2]
    assert "physician" in first.snippet
    assert first.score > then.score


def test_without_a_known_word_or_meaning_an_answer_is_still_given(brain: Brain) -> None:
    fill(brain)
    package = compose(brain, "m", "now", "xqzzt blorptang")
    assert package.user_message.content == "xqzzt blorptang"


def test_the_session_of_a_topic_helps_its_short_lines(brain: Brain) -> None:
    tell(brain, "dentist", ("Ann", "The dentist appointment worries me."), ("assistant", "When is it?"))
    tell(brain, "dentist", ("Ann", "Friday at nine."), ("assistant", "Good luck at the dentist."))
    tell(brain, "bakery", ("Ann", "The bakery opens early."), ("assistant", "When?"))
    tell(brain, "bakery", ("Ann", "Friday at nine."), ("assistant", "Enjoy the bread of the bakery."))
    fill(brain)
    for topic in ("dentist", "bakery"):
        order = [
            one.ref.session_id
            for one in retrieve(brain, "m", plan(f"When on Friday was the {topic}?")).evidences
            if one.snippet.startswith("Friday")
        ]
        assert order == [topic], f"of two copies that in the talk of the {topic}"
