"""Chinese as households tell it over weeks: what is never to be given, who declines what, what is no work or home."""

from __future__ import annotations

import pytest

from brain_core import Brain
from tests.building import active, fresh, say

_DAYS_BETWEEN = 2 * 86_400
_AT = 1_700_000_000  # Tuesday 2023-11-14


def _held(brain: Brain, *texts: str) -> str:
    """Return what is active after these turns, each two days after the one before, an item a line, keys first."""
    memory = fresh()
    for number, text in enumerate(texts):
        brain.commit_turn(say(memory, f"s{number}", text, at=_AT + number * _DAYS_BETWEEN))
    return "\n".join(f"{item.key} {item.text}" for item in active(brain, memory))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("海鲜我不能碰，一吃就起疹子，上次聚餐差点进医院", "allergy_海鲜"),
        ("花生我吃不得，会休克", "allergy_花生"),
        ("磺胺類的藥我不能吃，會全身紅疹", "allergy_磺胺"),
        ("布洛芬我吃了胃疼", "intolerance_布洛芬"),
        ("我一喝牛奶就拉肚子", "intolerance_牛奶"),
        ("辣的我一点都不能沾", "diet_辣"),
        ("柚子我不能吃，和降压药冲突", "降压药"),
        ("医生不让我吃辣的", "diet_吃辣"),
        ("大夫让我戒酒", "diet_戒酒"),
        ("医生说我不能搬重东西", "health_不能搬重东西"),
        ("医生说我爸以后不能吃阿司匹林了，胃出血过", "knowledge:fact:father_"),
        ("海鲜我妈不能吃", "mother_diet_海鲜"),
        ("鸡蛋我儿子不能碰，会起疹子", "son_diet_鸡蛋"),
    ],
)
def test_what_must_not_be_had_is_kept_in_whatever_order_it_is_told(brain: Brain, text: str, kept: str) -> None:
    assert kept in _held(brain, text)


@pytest.mark.parametrize(
    "text",
    [
        "酒我不能喝，开车呢",
        "今天的蛋糕我不能吃，牙疼",
        "那家的火锅我吃了拉肚子",
        "昨天的外卖我吃了肚子疼",
        "海鲜我能不能吃？",
        "要是海鲜我不能吃就好了",
        "这个我不能吃",
        "他的手机我不能碰",
        "医生让我今天别喝水",
        "医生说我恢复得不错",
        "今天的饭我妈不能吃",
    ],
)
def test_what_is_not_had_for_once_is_no_diet(brain: Brain, text: str) -> None:
    held = _held(brain, text)
    assert not any(name in held for name in ("allergy_", "intolerance_", "diet_", "不能喝", "不能碰")), held


@pytest.mark.parametrize(
    "text",
    [
        "老王叫我去苏州干，一天给五百，我没答应",
        "表姐约我下周六去爬山，我推了",
        "领导让我接那个新项目，被我拒绝了",
        "中介劝我月底前把房子卖了，我不同意",
    ],
)
def test_what_the_user_declines_is_no_task_and_no_plan(brain: Brain, text: str) -> None:
    assert _held(brain, text) == ""


def test_what_somebody_asks_of_the_user_stays_a_task(brain: Brain) -> None:
    assert "tasks:" in _held(brain, "我老板让我周五前把报告写完")


@pytest.mark.parametrize("text", ["我徒弟小伟想单干，走了", "我前夫打算明年再婚", "我师姐想明年考上博士"])
def test_what_somebody_else_wants_is_no_goal_of_the_user(brain: Brain, text: str) -> None:
    assert "goals:" not in _held(brain, text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("我跑步四年了", "role: "),
        ("我画画五年了", "role: "),
        ("我带娃三年了", "role: "),
        ("现在住的房子合同到12月底", "home: "),
        ("天天跑身体吃不消", "preferences:"),
        ("国画班停了，老师生病，改成书法了", "健康"),
        ("我老婆怀孕了", "events:"),
        ("店租一年六万八，明年三月到期", "goals:"),
        ("我在市二院心内科做护士，三班倒，这周上夜班", "role: 护士，三班倒，这周"),
    ],
)
def test_a_sentence_is_kept_as_nothing_that_it_does_not_tell(brain: Brain, text: str, never: str) -> None:
    assert never not in _held(brain, text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("我开出租车十年了", "role: 开出租车"),
        ("我做会计八年了", "role: 做会计"),
        ("我是真受不了香菜", "香菜"),
        ("店租一年六万八，明年三月到期", "knowledge:fact:店租"),
        ("明年三月前还清房贷", "goals:"),
    ],
)
def test_what_is_told_by_like_words_stays(brain: Brain, text: str, kept: str) -> None:
    assert kept in _held(brain, text)
