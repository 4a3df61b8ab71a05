"""Facts that tell of different sides of the same stand beside each other: the later one ends nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import open_brain, say
from tests.extraction.updates import pieces


@pytest.mark.parametrize(
    "facts",
    [
        ("I work as a nurse at St Mary's.", "I drive a Golf.", "I run three times a week."),
        ("We've got two kids, both boys.", "I have a sister in Perth.", "I live with my wife and two sons."),
        ("I have type 1 diabetes.", "I'm left-handed.", "My blood type is O negative."),
        ("My wife's name is Anna.", "My wife is a nurse.", "My wife lives in Oslo."),
        ("My sister lives in Leeds.", "My sister Amina is a vet."),
        ("I live in Portland.", "I live on the third floor."),
        ("Our app is hosted on Heroku.", "Our app is on version 2.4.1."),
        ("The retro is every second Friday.", "The retro is in room 204."),
        ("My phone number is 555-0142.", "I use an iPhone 12."),
        ("I'm learning Japanese.", "I'm learning Rust."),
        ("My name is Ana.", "I'm learning Portuguese."),
        ("我老婆叫小红。", "我老婆是护士。", "我老婆住在长沙。"),
        ("我有糖尿病。", "我近视400度。", "我是左撇子。"),
        ("我月薪税前12000。", "我房贷还欠80万。"),
        ("我的装修预算是15万。", "我每周买菜预算是300块。"),
        ("我住在杭州。", "我家在六楼。"),
        ("我手机号是13800001111。", "我手机是小米13。"),
        ("我用的是iPhone 13。", "我们用的是Python 3.10。"),
        ("我是高级工程师。", "我是爱奇艺年费会员。"),
        ("我叫安娜。", "我在学葡萄牙语。", "我在学日语。"),
    ],
)
def test_what_is_told_of_another_side_ends_nothing(facts: tuple[str, ...], folder: Path) -> None:
    with open_brain(folder) as brain:
        held: set[str] = set()
        for number, fact in enumerate(facts):
            brain.commit_turn(say("m", "s", fact, at=3600 * number))
            now = pieces(brain, "m")
            assert held <= now, fact
            held = now
        assert len(held) >= len(facts) - 1  # "I run three times a week" and the like need not be learned


@pytest.mark.parametrize(
    ("first", "second", "old", "new"),
    [
        ("My wife works at Shell.", "My wife works at Equinor now.", "Shell", "Equinor"),
        ("My daughter is 5.", "My daughter is 6 now.", "5", "6"),
        ("The retro is on Fridays.", "The retro is on Mondays now.", "Fridays", "Mondays"),
        ("Our app is on version 2.4.1.", "Our app is on version 2.5.0 now.", "2.4.1", "2.5.0"),
        ("我儿子在实验小学读书。", "我儿子在三中读初二。", "实验小学", "三中"),
        ("我的装修预算是15万。", "装修预算改成18万。", "15万", "18万"),
    ],
)
def test_what_is_told_of_the_same_side_takes_its_place(
    first: str, second: str, old: str, new: str, folder: Path
) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", first, at=0))
        brain.commit_turn(say("m", "s", second, at=86_400))
        held = " ".join(pieces(brain, "m"))
    assert new in held
    assert old not in held


@pytest.mark.parametrize(
    ("said", "told", "untold"),
    [
        (
            "我叫安娜，住在里斯本，在一家银行上班，今年三十岁，养了一只猫。",
            ("安娜", "里斯本", "银行", "三十岁", "猫"),
            (),
        ),
        ("我叫安娜，妹妹叫莉莉，今年二十岁。", ("安娜", "莉莉"), ("age",)),
        ("我同事来了，今年三十岁，养了两只狗。", (), ("age", "dog")),
    ],
)
def test_who_is_told_of_goes_on_till_somebody_else_is_named(
    said: str, told: tuple[str, ...], untold: tuple[str, ...], folder: Path
) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", said))
        held = " ".join(pieces(brain, "m"))
    assert [word for word in told if word not in held] == []
    assert [word for word in untold if f"{word}:" in held] == []
