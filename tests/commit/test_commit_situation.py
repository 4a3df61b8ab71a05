"""Where people talk with each other, only what is surely of its type is learned; with an assistant all as ever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.v1.event_pb2 import Message

from brain_core import Brain, load_policy
from tests.building import embedder, turn

KNEE = "Alive. Sulking. My left knee is runner's knee according to the internet."
FLAT = "哈哈我刚搬家，还没收拾完"
IN_PASSING = [
    "I have my own crying to do.",
    "I prefer the blue one for tonight.",
    "我就爱看他们俩吵架。",
]
"""What a friend says by the way, and what rules read as a preference."""
SURE = ["My college interview is on May 14th.", "I'm allergic to peanuts.", "Remember that the spare key is at Ann's."]
SURE_CHINESE = ["我对花生过敏。", "记住：备用钥匙在老王家。"]


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    with Brain.open(folder, load_policy({"store": {"durability": "process"}}), embedder()) as opened:
        yield opened


def said(brain: Brain, text: str, role: str = "user", speaker: str = "", memory: str = "m") -> dict[str, str]:
    """Commit one message; return the reasons of what was read in it, by verdict."""
    answer = brain.commit_turn(turn(memory, "s", messages=[Message(role=role, speaker=speaker, content=text)]))
    return {each.verdict: each.reason for each in answer.explain.retention if each.type != "event" or each.span.end}


@pytest.mark.parametrize("text", IN_PASSING)
@pytest.mark.parametrize("life", [KNEE, FLAT])
def test_what_a_friend_says_in_passing_is_not_learned_and_explain_says_why(brain: Brain, text: str, life: str) -> None:
    assert "written" in said(brain, text, memory="assistant")
    said(brain, life, "assistant", "Femi")
    verdicts = said(brain, text)
    assert "written" not in verdicts
    assert "between people" in verdicts["event_only"]


@pytest.mark.parametrize("text", SURE + SURE_CHINESE)
def test_what_is_sure_asked_for_or_vital_is_learned_of_friends_too(brain: Brain, text: str) -> None:
    said(brain, KNEE, "assistant", "Femi")
    assert "written" in said(brain, text)


@pytest.mark.parametrize(
    ("life", "role", "speaker"),
    [
        (KNEE, "assistant", ""),
        ("Noted: code before prose, brief explanations, no emojis.", "assistant", "Kestrel"),
        ('Here is the mail: "I cannot come, since my mother is visiting until then."', "assistant", "Moss"),
        (KNEE + " And so on." * 50, "assistant", "Femi"),
        ("My left knee hurts.", "user", "Kit"),
        ("Your job is to act as a tutor.", "user", ""),
        ("Hi! How was your weekend?", "user", ""),
        ("你好，你今天怎么样？", "user", ""),
        ("“我妈下周要来，我请假了。”这样写可以吗？", "assistant", "小助"),
    ],
)
def test_an_assistant_tells_of_no_life_of_its_own(brain: Brain, life: str, role: str, speaker: str) -> None:
    said(brain, life, role, speaker)
    assert "written" in said(brain, IN_PASSING[0])


@pytest.mark.parametrize("asked", ["How's your knee doing?", "你妈的手术怎么样了？"])
def test_who_is_asked_of_their_life_is_a_person(brain: Brain, asked: str) -> None:
    said(brain, asked)
    assert "written" not in said(brain, IN_PASSING[0])


def test_an_assistant_who_once_spoke_like_a_person_is_one_again_after_sixty_turns(brain: Brain) -> None:
    said(brain, KNEE, "assistant", "Femi")
    for _ in range(58):
        said(brain, "Good morning!")
    assert "written" not in said(brain, IN_PASSING[0])
    assert "written" in said(brain, IN_PASSING[0])


def test_it_can_be_switched_off(folder: Path) -> None:
    policy = {"store": {"durability": "process"}, "policies": {"retention": {"worth": {"between_people": 0}}}}
    with Brain.open(folder, load_policy(policy), embedder()) as brain:
        said(brain, KNEE, "assistant", "Femi")
        assert "written" in said(brain, IN_PASSING[0])
