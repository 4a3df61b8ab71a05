"""Requests to forget and "scratch that": what they name ends, what they do not name stays, and a verdict says which."""

from __future__ import annotations

import pytest
from smartbrain.v1.event_pb2 import Message
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import Brain
from brain_core.extract.known import value_of
from tests.building import active, fresh, turn


def told(brain: Brain, memory: str, text: str) -> list[str]:
    """Commit a turn of one message, of the assistant after "bot> ", of a named user after "Ann> "; return reasons."""
    speaker, mark, said = text.partition("> ")
    role = "assistant" if mark and speaker == "bot" else "user"
    named = speaker if mark and role == "user" else ""
    message = Message(role=role, speaker=named, content=said if mark else text)
    answer = brain.commit_turn(turn(memory, "s", messages=[message]))
    return [verdict.reason for verdict in answer.explain.retention]


def held(brain: Brain, memory: str) -> set[str]:
    """Return what is believed: facts of the profile one by one."""
    return {piece for one in active(brain, memory, "entities") for piece in _pieces(one)}


def _pieces(item: MemoryItem) -> list[str]:
    if item.type == "profile":
        return [str(fact["v"]) for fact in value_of(item)["facts"]]
    return [item.text.partition("\n")[2]]


ENGLISH = (
    "I like coffee. I'm vegetarian. I'm allergic to nuts. I live in Berlin. I work as a nurse. My dog is called Rex."
)
CHINESE = "我喜欢爵士乐。我不吃香菜。我对花生过敏。我住在杭州。我养了一只猫叫小白。"


@pytest.mark.parametrize(
    ("before", "said", "gone", "left"),
    [
        (ENGLISH, "Forget everything you know about my job.", {"nurse"}, {"Berlin", "vegetarian", "nuts", "Rex"}),
        (ENGLISH, "Delete what you know about my diet", {"vegetarian"}, {"nuts", "coffee"}),
        (ENGLISH, "Please forget all the information you have about my health.", {"nuts"}, {"vegetarian", "coffee"}),
        (ENGLISH, "Forget Rex", {"Rex"}, {"Berlin", "coffee"}),
        ("My dog Rex is allergic to beef. I like tea.", "Forget everything about Rex.", {"beef"}, set()),
        ("My sister Mei can't eat peanuts.", "Please forget Mei.", {"peanuts"}, set()),
        (CHINESE, "忘掉我的饮食习惯", {"香菜"}, {"花生", "爵士乐"}),
        (CHINESE, "忘掉我的健康状况", {"花生"}, {"香菜", "爵士乐"}),
        (CHINESE, "忘了小白吧", {"小白"}, {"杭州", "香菜"}),
    ],
)
def test_a_matter_or_somebody_that_is_named_is_forgotten(
    brain: Brain, before: str, said: str, gone: set[str], left: set[str]
) -> None:
    memory = fresh()
    told(brain, memory, before)
    assert all(word in str(held(brain, memory)) for word in gone | left)
    told(brain, memory, said)
    assert not any(word in str(held(brain, memory)) for word in gone)
    assert all(word in str(held(brain, memory)) for word in left)


CANOES = "My canoe is called Daisy|We keep our canoe at the lake house|I live in Berlin|My kayak is called Ida"
ZH_CANOES = "我的独木舟叫小蓝|我们的独木舟放在湖边小屋|我住在杭州"


@pytest.mark.parametrize(
    ("before", "said", "gone", "left"),
    [
        (CANOES, "Forget what I said about the canoe, we sold it", {"Daisy", "lake"}, {"Berlin", "Ida"}),
        (CANOES, "Forget everything I told you about our canoe because we gave it away.", {"Daisy", "lake"}, {"Ida"}),
        (CANOES, "Please forget what I said about the kayak - we no longer have it.", {"Ida"}, {"Daisy", "lake"}),
        ("My car is a blue Volvo|I live in Berlin", "forget about my car, I sold it last week", {"Volvo"}, {"Berlin"}),
        (
            "I like Italian food|I live in Berlin",
            "Forget what I said about Italian food, I was wrong",
            {"Ital"},
            {"Berlin"},
        ),
        (ZH_CANOES, "忘掉我说的独木舟，已经卖了", {"小蓝", "湖边"}, {"杭州"}),
        (ZH_CANOES, "把我说过的独木舟的事都忘掉吧，我们卖掉了", {"小蓝", "湖边"}, {"杭州"}),
        (ZH_CANOES, "忘掉关于独木舟的一切，卖了", {"小蓝", "湖边"}, {"杭州"}),
    ],
)
def test_what_is_no_more_is_forgotten_though_the_sentence_says_why(
    brain: Brain, before: str, said: str, gone: set[str], left: set[str]
) -> None:
    memory = fresh()
    for message in before.split("|"):
        told(brain, memory, message)
    assert all(word in str(held(brain, memory)) for word in gone | left)
    told(brain, memory, said)
    assert not any(word in str(held(brain, memory)) for word in gone)
    assert all(word in str(held(brain, memory)) for word in left)


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (ENGLISH, "Forget everything about me."),
        (ENGLISH, "Please delete everything you know about me"),
        (ENGLISH, "Delete all my personal data."),
        (CHINESE, "把关于我的都忘掉"),
        (CHINESE, "删除我的所有信息"),
    ],
)
def test_all_that_is_about_the_user_is_forgotten(brain: Brain, before: str, said: str) -> None:
    memory = fresh()
    told(brain, memory, "The server runs on port 8080.")
    told(brain, memory, before)
    told(brain, memory, said)
    assert held(brain, memory) == {"Fact: The server runs on port 8080"}


def test_one_of_several_has_only_what_is_theirs_forgotten(brain: Brain) -> None:
    memory = fresh()
    for text in ("Ann> I live in Berlin.", "Tom> I live in Oslo.", "Ann> We decided to use Redis for the cache."):
        told(brain, memory, text)
    told(brain, memory, "Tom> Forget everything about me.")
    assert "Oslo" not in str(held(brain, memory))
    assert "Berlin" in str(held(brain, memory))
    assert "Redis" in str(held(brain, memory))


@pytest.mark.parametrize(
    ("before", "said", "why"),
    [
        (ENGLISH, "Forget Bella.", "nobody is known by the name"),
        (ENGLISH, "Forget Python.", "nobody is known by the name"),
        (ENGLISH, "Forget everything you know about my car.", "nothing is known of"),
        (CHINESE, "忘了大黄吧", "nobody is known by the name"),
        (CHINESE, "忘掉我的手机号", "nothing is known of"),
        ("I live in Berlin. Can you write me a poem?", "Scratch that.", "nothing was learned"),
    ],
)
def test_what_is_not_known_is_forgotten_in_words_alone(brain: Brain, before: str, said: str, why: str) -> None:
    memory = fresh()
    told(brain, memory, before)
    known = held(brain, memory)
    assert any(why in reason for reason in told(brain, memory, said))
    assert held(brain, memory) == known


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (ENGLISH, "Don't forget Rex."),
        (ENGLISH, "Don't forget everything about me!"),
        (ENGLISH, "Forget it."),
        (ENGLISH, "Forget my diet, I want cake."),
        (CANOES, "Forget my canoe, we take the kayak."),
        (CANOES, "Forget what I said about the canoe, I'll swim."),
        (CANOES, "Forget what I said about the canoe, we sell it if it rains."),
        (CANOES, "Forget what I said about my bike, we sold it."),
        (CANOES, "Don't forget what I said about the canoe, we sold it."),
        (CANOES, "I forgot what I said about the canoe, we sold it to somebody."),
        (ZH_CANOES, "别忘了我说的独木舟，已经卖了"),
        (ZH_CANOES, "我忘了独木舟的事，卖了"),
        (ZH_CANOES, "忘掉关于皮艇的一切，卖了"),
        (CHINESE, "别忘了小白"),
        (CHINESE, "我忘了小白"),
        (CHINESE, "忘了带伞"),
        (CHINESE, "别忘了我的饮食习惯"),
        ("I live in Berlin.", "Never mind."),
        ("I live in Berlin.", "That's wrong."),
        ("我住在杭州。", "算了"),
        ("我住在杭州。", "不对"),
        ("我住在杭州。", "这道题我说错了"),
    ],
)
def test_what_only_sounds_like_it_ends_nothing(brain: Brain, before: str, said: str) -> None:
    memory = fresh()
    for message in before.split("|"):
        told(brain, memory, message)
    known = held(brain, memory)
    assert known
    told(brain, memory, said)
    assert held(brain, memory) == known


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("I live in Berlin.", "Scratch that."),
        ("I live in Berlin.", "Never mind, that's wrong."),
        ("I live in Berlin.", "Oh wait, scratch that, I was wrong."),
        ("I'm allergic to nuts.", "I take that back."),
        ("Ann> I live in Berlin.", "Ann> Scratch that."),
        ("我住在杭州。", "不对，我说错了"),
        ("我对花生过敏。", "当我没说"),
        ("我住在杭州。", "刚才说的不算"),
    ],
)
def test_what_was_said_just_before_is_taken_back(brain: Brain, before: str, said: str) -> None:
    memory = fresh()
    told(brain, memory, "Ann> I like coffee." if ">" in before else "I like coffee.")
    earlier = held(brain, memory)
    told(brain, memory, before)
    assert held(brain, memory) > earlier
    told(brain, memory, said)
    assert held(brain, memory) == earlier


def test_of_one_message_the_sentence_before_is_taken_back(brain: Brain) -> None:
    memory = fresh()
    told(brain, memory, "I like tea. I live in Berlin. Scratch that.")
    assert "tea" in str(held(brain, memory))
    assert "Berlin" not in str(held(brain, memory))


@pytest.mark.parametrize(
    "between", ["bot> Great, Berlin! Shall I look for flats there?", "What's the weather like?", "Tom> I like tea."]
)
def test_what_stands_before_something_else_stays(brain: Brain, between: str) -> None:
    memory = fresh()
    for text in ("Ann> I live in Berlin.", between, "Ann> Scratch that."):
        told(brain, memory, text)
    assert "in Berlin" in held(brain, memory)


@pytest.mark.parametrize(
    ("said", "task"),
    [("别忘了交房租", "交房租"), ("别忘了明天给房东交房租", "给房东交房租"), ("千万别忘了去银行换卡", "去银行换卡")],
)
def test_a_reminder_is_a_task(brain: Brain, said: str, task: str) -> None:
    memory = fresh()
    told(brain, memory, said)
    assert [one for one in held(brain, memory) if one.startswith("Task:") and task in one]


def test_scratch_that_is_of_nothing_told_messages_ago(brain: Brain) -> None:
    memory = fresh()
    for text in ("Remind me to order 20 inner tubes", "Idris may move in spring", "scratch that, he's staying"):
        told(brain, memory, text)
    assert "tubes" in str(held(brain, memory))
