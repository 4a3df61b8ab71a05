"""What lives told in Chinese have shown, played against the library: what was lost, ended wrongly or left standing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from brain_core import Brain
from tests.building import active, fresh, open_brain, say


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(Path(tmp_path_factory.mktemp("lives"))) as opened:
        yield opened


def left(brain: Brain, *messages: str) -> str:
    """Return what is held, a line each, after messages of one session."""
    memory = fresh()
    for message in messages:
        brain.commit_turn(say(memory, "s", message, "好的。"))
    held = (item.text.partition("\n")[2].replace("\n", " / ") for item in active(brain, memory, "entities"))
    return "\n".join(held)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我不碰百合，花粉过敏，打喷嚏打到停不下来", "花粉过敏"),
        ("我喜欢原木风，讨厌那种欧式大吊灯", "用户讨厌那种欧式大吊灯"),
        ("我受不了香菜，也不爱吃芹菜", "用户不爱吃芹菜"),
        ("钢琴体验课一节168，太贵了", "一节168"),
        ("玫瑰进价一扎38，卖68", "进价一扎38"),
        ("宁肯多花半天坐高铁，我也不上飞机，起落那会儿心脏受不住", "宁肯多花半天坐高铁，我也不上飞机"),
        ("要三件东西：花泥、丝带、包装纸，周四前补货", "花泥、丝带、包装纸"),
    ],
)
def test_what_stands_beside_the_first_clause_is_learned(brain: Brain, text: str, told: str) -> None:
    assert told in left(brain, text)


@pytest.mark.parametrize(
    "text",
    [
        "要讲三件事：预算、排期、招人",
        "我看惯了床号，按病种排我得来回找。",
        "这门体验课一节100吗？",
        "从这会儿起你是小卖部阿姨，我是八岁的小学生，我攒够五毛啦，卖我一个泡泡糖",
        "我家猫最近打喷嚏，花粉过敏",
    ],
)
def test_nothing_of_the_user_is_made_of_these(brain: Brain, text: str) -> None:
    held = left(brain, text)
    assert "Task" not in held
    assert "age" not in held
    assert "用户的过敏" not in held


def test_why_one_would_rather_is_no_liking(brain: Brain) -> None:
    assert "心脏" not in left(brain, "宁肯多花半天坐高铁，我也不上飞机，起落那会儿心脏受不住")


def test_what_is_on_two_weekdays_is_on_no_one_day(brain: Brain) -> None:
    held = left(brain, "辰辰周三周五有游泳课，下午四点半")
    assert "周三周五有游泳课" in held
    assert "2026" not in held


def test_one_weekday_of_two_is_called_off(brain: Brain) -> None:
    held = left(brain, "辰辰周三周五有游泳课，下午四点半", "游泳课周五那节取消了，只剩周三")
    assert "辰辰周三有游泳课" in held


def test_what_is_off_just_once_stays(brain: Brain) -> None:
    assert "周三周五" in left(brain, "辰辰周三周五有游泳课，下午四点半", "游泳课这周五那节取消了")


def test_what_is_called_off_whole_ends(brain: Brain) -> None:
    assert "游泳课" not in left(brain, "辰辰周三周五有游泳课，下午四点半", "游泳课取消了")


def test_what_fell_through_ends(brain: Brain) -> None:
    assert left(brain, "创意园的办公室在谈，月租三万", "创意园的事先放一放，没谈拢") == ""


def test_what_is_put_off_is_in_doubt(brain: Brain) -> None:
    held = left(brain, "我打算明年在大理开个民宿", "大理民宿的事先搁着吧，钱不够")
    assert "Perhaps no longer so" in held


@pytest.mark.parametrize("said", ["新区的地没谈拢", "要是创意园没谈拢呢", "创意园会不会谈崩"])
def test_nothing_else_falls_through(brain: Brain, said: str) -> None:
    assert "创意园的办公室在谈" in left(brain, "创意园的办公室在谈，月租三万", said)


def test_what_is_agreed_is_not_done(brain: Brain) -> None:
    held = left(brain, "茶叶包装12月10号交，绘本封面12月18号交", "绘本封面跟编辑商量好了")
    assert "done" not in held


def test_what_is_put_off_by_agreement_has_the_new_day(brain: Brain) -> None:
    held = left(brain, "茶叶包装12月10号交，绘本封面12月18号交", "绘本封面跟编辑商量好了，延到12月25号")
    assert "绘本封面12月25号交" in held
    assert "茶叶包装12月10号交" in held


def test_one_of_the_things_to_buy_is_bought(brain: Brain) -> None:
    held = left(brain, "要三件东西：花泥、丝带、包装纸，周四前补货", "花泥婷婷已经买了")
    assert "丝带、包装纸" in held
    assert "花泥" not in held
    assert "done" not in held


def test_what_waits_is_no_task_at_hand(brain: Brain) -> None:
    assert "blocked" in left(brain, "我下周还得订窗帘", "窗帘先不管，等硬装完再说")


def test_a_thing_is_changed_that_begins_with_its_name(brain: Brain) -> None:
    held = left(
        brain, "地板选了圣象的强化地板，一平128", "家里有只柯基，叫土豆，地板要耐刮", "地板改用实木复合了，一平260"
    )
    assert "土豆" in held
    assert "圣象" not in held
    assert "实木复合" in held


def test_a_call_is_no_change(brain: Brain) -> None:
    held = left(
        brain,
        "小赵下个月要离职去字节，他那块支付回调由我接",
        "支付回调用 Kafka 还是 RocketMQ 我们讨论了半天，最后定了 RocketMQ",
    )
    assert "由我接" in held


def test_who_comes_instead_is_called_by_name(brain: Brain) -> None:
    held = left(brain, "设计师叫Kelly，设计费8000", "Kelly跑路去新加坡了，换了个设计师叫阿文")
    assert "设计师叫阿文" in held
    assert "Kelly" not in held


def test_how_often_is_agreed_anew(brain: Brain) -> None:
    held = left(brain, "我每天去接孩子", "我跟他说好只周末去")
    assert "只周末去接孩子" in held
    assert "每天" not in held


def test_a_reminder_is_no_name_and_ends_when_it_is_switched_off(brain: Brain) -> None:
    asked = "帮我盯着，每天早上七点叫我背四十个单词"
    assert "address" not in left(brain, asked)
    assert "单词" not in left(brain, asked, "七点那个提醒永久关掉")


@pytest.mark.parametrize(
    ("messages", "holds", "over"),
    [
        (("我對蝦敏感，食完成身痕",), "蝦敏感", "perhaps"),
        (("我住喺沙田", "搬咗去元朗喇"), "元朗", "沙田"),
        (("我用緊三星電話", "換咗iPhone喇"), "iPhone", "三星"),
        (("記得提我交水費",), "交水費", "done"),
        (("記得提我交水費", "水費交咗喇"), "done", "todo"),
    ],
)
def test_cantonese_is_read_as_it_is_spoken(brain: Brain, messages: tuple[str, ...], holds: str, over: str) -> None:
    held = left(brain, *messages)
    assert holds in held
    assert over not in held


def test_a_reaction_in_cantonese_is_an_allergy(brain: Brain) -> None:
    memory = fresh()
    brain.commit_turn(say(memory, "s", "我對蝦敏感，食完成身痕", "好的。"))
    (allergy,) = active(brain, memory, "entities")
    assert "allergy" in allergy.key


@pytest.mark.parametrize("said", ["她对声音敏感", "楼下喇叭很响", "时间很紧张"])
def test_mandarin_is_left_as_it_is(brain: Brain, said: str) -> None:
    assert "过敏" not in left(brain, said)
