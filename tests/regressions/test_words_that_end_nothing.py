"""Reminders, requests of one meal, texts to be deleted and plans with somebody end nothing that was told."""

from __future__ import annotations

import pytest
from smartbrain.render import render
from smartbrain.v1.event_pb2 import Message
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import Brain
from tests.building import active, compose, fresh, say, turn

TOLD = {
    "en": (
        "I like coffee. My wife's vegan. My son is allergic to milk. I'm allergic to nuts. My phone number is 5551234."
    ),
    "zh": "我老婆吃素。我儿子对牛奶过敏。我对坚果过敏。我的手机号是13800001111。我的地址是文三路100号。我喜欢爵士乐。",
}


def held(brain: Brain, memory: str) -> dict[str, MemoryItem]:
    return {one.key: one for one in active(brain, memory, "entities")}


def values(brain: Brain, language: str, *texts: str) -> dict[str, str]:
    """Return what is held after these turns, of a memory that was told what TOLD says."""
    memory = fresh()
    for number, text in enumerate((TOLD[language], *texts)):
        brain.commit_turn(say(memory, f"s{number}", text))
    return {key: one.text.partition("\n")[2] for key, one in held(brain, memory).items()}


NOTHING = [
    ("en", "Delete the file with my phone number."),
    ("en", "Remove the row containing my phone number."),
    ("en", "Delete that photo of my wife."),
    ("en", "Forget the present for my wife."),
    ("en", "Never mind the dinner with my son."),
    ("en", "Never mind my son's homework."),
    ("en", "Don't forget my wife's birthday."),
    ("en", "Remember our son's name."),
    ("en", "Don't forget to call your mum!"),
    ("en", "Don't forget to water your plants."),
    ("en", "We live in different cities."),
    ("zh", "别忘了我的地址。"),
    ("zh", "记住我的手机号。"),
    ("zh", "请牢记我们的约定。"),
    ("zh", "别忘了给你妈打电话。"),
    ("zh", "这道菜不用管我对坚果过敏，是给朋友做的。"),
    ("zh", "这顿饭别管我对坚果过敏，客人吃的。"),
    ("zh", "要是能忘掉我的手机号就好了。"),
    ("zh", "给老婆的礼物算了。"),
    ("zh", "儿子的作业别管了。"),
    ("zh", "不用管我老婆了。"),
    ("zh", "你对花生过敏吧，小王？"),
]


@pytest.mark.parametrize(("language", "text"), NOTHING)
def test_it_ends_and_tells_nothing(brain: Brain, language: str, text: str) -> None:
    assert values(brain, language, text) == values(brain, language)


@pytest.mark.parametrize(
    ("language", "text", "gone"),
    [
        ("en", "Delete my phone number.", "5551234"),
        ("en", "Forget that my son is allergic to milk.", "milk"),
        ("en", "Forget what I said about coffee.", "coffee"),
        ("zh", "忘掉我的地址。", "文三路"),
        ("zh", "我对坚果过敏这条作废。", "坚果"),
        ("zh", "忽略我之前说的喜欢爵士乐。", "爵士乐"),
    ],
)
def test_what_is_named_to_be_forgotten_still_is(brain: Brain, language: str, text: str, gone: str) -> None:
    assert gone in str(values(brain, language))
    assert gone not in str(values(brain, language, text))


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en", "Remember my locker is number 12.", "Fact: my locker is number 12"),
        ("en", "Don't forget to call the bank.", "Task: call the bank"),
        ("en", "I live in Trinidad and Tobago and work from home.", "home: Trinidad and Tobago"),
        ("en", "I'm lactose intolerant and so is my daughter.", "The user is lactose intolerant"),
        ("en", "I'm allergic to shellfish, so no sushi for me.", "The user is allergic to shellfish"),
        ("en", "I can't eat gluten, remember.", "The user cannot eat gluten"),
        ("zh", "记住我的工号是A123。", "Fact: 我的工号是A123"),
        ("zh", "记住我不吃香菜。", "用户不吃香菜"),
    ],
)
def test_what_is_told_beside_is_kept_in_plain_words(brain: Brain, language: str, text: str, told: str) -> None:
    assert told in [line for each in values(brain, language, text).values() for line in each.splitlines()]


def test_what_others_tell_of_theirs_is_in_no_context_unasked(brain: Brain) -> None:
    memory = fresh()
    for speaker, text in [
        ("Ann", "My sister is allergic to bees."),
        ("Tom", "My wife is allergic to shellfish."),
        ("小李", "我儿子对芒果过敏。"),
    ]:
        brain.commit_turn(turn(memory, "s", messages=[Message(role="user", speaker=speaker, content=text)]))
    always = render(compose(brain, memory, "t", "Hello!")).partition("# Evidence")[0]
    assert "bees" in always
    assert "shellfish" not in always
    assert "芒果" not in always
    assert "shellfish" in render(compose(brain, memory, "t", "What is Tom's wife allergic to?"))


def test_what_is_vital_is_only_doubted_by_a_word_that_takes_back_something_else(brain: Brain) -> None:
    memory = fresh()
    brain.commit_turn(say(memory, "s0", "I'm allergic to nuts."))
    brain.commit_turn(say(memory, "s0", "Scratch that, my son is here."))
    assert [one.HasField("doubted_at") for one in held(brain, memory).values() if "nuts" in one.text] == [True]
    brain.commit_turn(say(memory, "s0", "Scratch that, I'm not allergic to nuts."))
    assert not any("is allergic to nuts" in one.text for one in held(brain, memory).values())
