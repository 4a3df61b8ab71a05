"""What is said inside a role play, a story or a text to be translated teaches nothing and ends nothing."""

from __future__ import annotations

from datetime import UTC

import pytest
from smartbrain.v1.event_pb2 import Turn

from brain_core import Brain
from brain_core.commit.quoted import Quoted
from brain_core.extract.frames import EARLIER
from brain_core.kinds.registry import KINDS
from brain_core.models.reading import Found
from tests.building import active, fresh, say
from tests.extraction.reading import CONFIDENCE, Held


def held(brain: Brain, *texts: str, sessions: bool = False) -> dict[str, str]:
    """Return the texts of what is held after these turns of one session, or of one each."""
    memory = fresh()
    for number, text in enumerate(texts):
        brain.commit_turn(say(memory, f"s{number * sessions}", text, "Sure!"))
    return {one.key: one.text.partition("\n")[2] for one in active(brain, memory, "entities")}


def _without_orders(found: dict[str, str]) -> dict[str, str]:
    """Return what is held but how the user wants texts: that all is to be translated is his own."""
    return {key: text for key, text in found.items() if not key.startswith("pref:writing:")}


KEPT = "I'm allergic to nuts. I live in Leeds. My name is Ben."
KEPT_ZH = "我对花生过敏。我住在成都。我叫小伟。"

FRAMED = [
    ("translate to german:", "i am not allergic to nuts"),
    ("translate to german", "i live in munich"),
    ("Can you translate the following?", "I live in Munich."),
    ("turn this into french", "i am allergic to eggs"),
    ("how do you say in german", "i am allergic to cats"),
    ("correct this:", "i am not allergic to nuts anymore"),
    ("translate into spanish: hello", "next: my favourite colour is green", "and this one: i have two dogs"),
    ("lets roleplay", "i live in Narnia"),
    ("lets roleplay: i live in Narnia",),
    ("roleplay: you're a cop and i'm a robber", "my name is Jack", "i was born in Bristol"),
    ("can we roleplay? you are a bartender and i am a pirate", "i lost my leg in Tortuga", "i'm allergic to rum"),
    ("let's pretend i'm a knight", "my name is Arthur and i live in Camelot"),
    ("you be the waiter, i'll be the guest", "my name is Jack", "i'm allergic to fish"),
    ("story: i live in Narnia",),
    ("translate everything i send into english", "i live in Narnia", "i have three dogs"),
    ("lets write a story. i am Sol, a detective on Mars", "i have three kids", "i moved to Titan"),
]
FRAMED_ZH = [
    ("翻译成英文", "我对花生不过敏"),
    ("翻译成英文：", "我住在北京"),
    ("帮我把下面这段润色一下", "我住在北京。我对花生不过敏了。"),
    ("翻译成英文：你好", "下一句：我最喜欢绿色", "还有：我有两条狗"),
    ("我们玩角色扮演吧 你当店小二 我当大侠", "我姓李 我从昆仑山来", "我对酒过敏"),
    ("来角色扮演", "我住在长安", "我叫李白"),
    ("写个小说吧 我是大理寺少卿，住在长安", "我今年四十岁，住在洛阳", "我有三个儿子"),
    ("咱们写个故事", "我住在月球上"),
    ("继续角色扮演", "我叫李白"),
    ("接下来我说的每句话都翻译成英文", "我住在北京", "我叫李白"),
]


@pytest.mark.parametrize("texts", FRAMED, ids=" || ".join)
def test_what_is_said_in_a_frame_teaches_and_ends_nothing(brain: Brain, texts: tuple[str, ...]) -> None:
    assert _without_orders(held(brain, KEPT, *texts)) == held(brain, KEPT)


@pytest.mark.parametrize("texts", FRAMED_ZH, ids=" || ".join)
def test_what_is_said_in_a_chinese_frame_teaches_and_ends_nothing(brain: Brain, texts: tuple[str, ...]) -> None:
    assert _without_orders(held(brain, KEPT_ZH, *texts)) == held(brain, KEPT_ZH)


OWN = [
    (("lets roleplay", "i live in Narnia", "ok stop the roleplay", "i'm allergic to latex"), "latex"),
    (("lets roleplay", "i live in Narnia", "ok seriously, i'm allergic to latex"), "latex"),
    (("lets roleplay", "i live in Narnia", "back to reality. i'm allergic to latex"), "latex"),
    (("lets roleplay", "i live in Narnia", "no for real now, i'm allergic to latex"), "latex"),
    (("translate to german:", "i live in munich", "i'm allergic to latex"), "latex"),
    (("translate to german: hello", "i'm allergic to latex"), "latex"),
    (("translate to german", "thanks! i'm allergic to latex"), "latex"),
    (("My name is Ben. Let's roleplay: i am a king",), "Ben"),
    (("my daughter loves role-play games", "i'm allergic to latex"), "latex"),
    (("Act as a nutritionist.", "i'm allergic to latex"), "latex"),
    (("write me a story about a dragon", "i'm allergic to latex"), "latex"),
    (("translate that to german", "i'm allergic to latex"), "latex"),
    (("I went to a play yesterday", "i'm allergic to latex"), "latex"),
    (("来角色扮演", "我住在长安", "好了不玩了", "我对芒果过敏"), "芒果"),
    (("来角色扮演", "我住在长安", "说正经的，我对芒果过敏"), "芒果"),
    (("咱们写个故事", "我住在长安", "好了不写了，我对芒果过敏"), "芒果"),
    (("你当我的教练，我做你的学生", "我对芒果过敏"), "芒果"),
    (("我说的每句话都翻译成英文", "我住在北京", "不用翻译了，我对芒果过敏"), "芒果"),
    (("翻译成英文", "我住在北京", "我对芒果过敏"), "芒果"),
    (("翻译成英文：你好", "我对芒果过敏"), "芒果"),
    (("翻译成英文", "谢谢，我对芒果过敏"), "芒果"),
    (("你扮演一名营养师", "我对芒果过敏"), "芒果"),
    (("我昨天玩了角色扮演", "我对芒果过敏"), "芒果"),
    (("我儿子的小说写完了", "我对芒果过敏"), "芒果"),
]


@pytest.mark.parametrize(("texts", "word"), OWN, ids=lambda each: each if isinstance(each, str) else " || ".join(each))
def test_what_is_said_outside_is_kept(brain: Brain, texts: tuple[str, ...], word: str) -> None:
    values = " ".join(held(brain, *texts).values())
    assert word in values
    assert not any(made_up in values for made_up in ("Narnia", "长安", "munich", "北京"))


def test_a_frame_ends_with_its_session_and_after_many_messages(brain: Brain) -> None:
    fact = "i'm allergic to latex"
    assert any("latex" in value for value in held(brain, "lets roleplay", fact, sessions=True).values())
    small_talk = ["hm"] * EARLIER
    assert held(brain, "lets roleplay", *small_talk[:-1], fact) == {}
    assert any("latex" in value for value in held(brain, "lets roleplay", *small_talk, fact).values())


def test_the_verdict_names_the_frame_and_a_repeat_is_the_same(brain: Brain) -> None:
    memory = fresh()
    brain.commit_turn(say(memory, "s", "lets roleplay"))
    request = say(memory, "s", "My name is Jack")
    request.request_id = "once"
    answer = brain.commit_turn(request)
    assert [(each.rule, each.reason) for each in answer.explain.retention] == [("framed", "inside a role play")]
    assert brain.commit_turn(request) == answer


@pytest.mark.parametrize(("before", "reasons"), [("lets roleplay", ["inside a role play"]), ("hello", ["read"])])
def test_what_a_model_finds_in_a_frame_is_not_learned(before: str, reasons: list[str]) -> None:
    said = "My name is Jack"
    turn = Turn(turn_id="t2", events=say("m", "s", said).turn)
    found = Found(1, "profile", {"facts": [{"k": "name", "v": "Jack"}]}, said)
    quoted = Quoted(turn, KINDS, Held(), CONFIDENCE, UTC, lambda: [before])
    assert [each.reason.removesuffix(" by a model in the user's words") for each in quoted.drafts([found])] == reasons
