"""What is told plainly in Chinese is learned whole: who is around, what one has, figures, second halves, Cantonese."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from brain_core.extract.chinese.spoken import as_mandarin
from brain_core.extract.sentences import sentences
from brain_core.extract.weigh import Weighing
from brain_core.extract.worth import judged, likely, passages
from brain_core.text.script import fold
from tests.building import open_brain, say
from tests.extraction.reading import JUDGED


def told(folder: Path, *texts: str) -> str:
    """Return the texts of the active items after messages, each a turn of its own; entities left out."""
    with open_brain(folder) as brain:
        return held(brain, *texts)


def held(brain: Brain, *texts: str) -> str:
    for number, text in enumerate(texts):
        brain.commit_turn(say("m", "s", text, "好的。", at=number))
    listed = brain.list_items(ListItemsRequest(memory_id="m")).items
    return "\n".join(one.text.partition("\n")[2] for one in listed if one.type != "entities" and one.status == 1)


WHOLE = [
    ("房东姓李", ["姓李"]),
    ("我领导叫小普", ["boss: 小普"]),
    ("孩子同桌叫诗涵，两人老吵架", ["诗涵", "老吵架"]),
    ("我表妹在杭州做跨境电商", ["跨境电商"]),
    ("我哥在部队，驻地在漠河那边", ["部队", "漠河"]),
    ("我奶奶耳朵背，打电话要大声", ["耳朵背", "要大声"]),
    ("体检报告说我尿酸 520", ["尿酸 520"]),
    ("小舅子借了我三万块，说年底还", ["三万", "年底"]),
    ("舞蹈班学费一学期 3600", ["3600"]),
    ("我的工位在 5 楼靠窗", ["5 楼靠窗"]),
    ("我的吉他是雅马哈的", ["雅马哈"]),
    ("我下个学期选了李老师的微观经济学", ["微观经济学"]),
    ("快递寄到榆树路14号", ["榆树路14号"]),
    ("我负责华南区的渠道", ["华南区"]),
    ("我喝咖啡不加糖", ["不加糖"]),
    ("我妹妹怀孕了，预产期在十一月", ["怀孕", "十一月"]),
    ("我爸有高血压，每天吃一片络活喜", ["高血压", "络活喜"]),
    ("我在学吉他，每周三上课", ["吉他", "每周三"]),
    ("我左手有块疤", ["左手有块疤"]),
]


@pytest.mark.parametrize(("text", "parts"), WHOLE)
def test_it_is_learned_whole(tmp_path: Path, text: str, parts: list[str]) -> None:
    learned = told(tmp_path, text)
    assert [part for part in parts if part not in learned] == []


@pytest.mark.parametrize(
    "text",
    [
        "我是服了这个软件了",
        "我爸刚到家",
        "我住了一晚就退房了，太吵",
        "我爸叫我回家吃饭",
        "我在收拾东西",
        "尿酸 520 算高吗",
        "老师是对的",
        "我的选择是对的",
        "我老板是傻子",
        "我姐在帮我看",
        "工资什么时候发",
        "佢走咗",
        "我喺度等緊巴士",
    ],
)
def test_what_is_of_the_moment_asked_or_thought_teaches_nothing(tmp_path: Path, text: str) -> None:
    assert told(tmp_path, text) == ""


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("我係護士", "role: 護士"),
        ("我唔食牛肉", "唔食牛肉"),
        ("我住喺屯門", "home: 屯門"),
        ("我阿媽有糖尿病", "糖尿病"),
        ("我細佬喺日本讀書", "日本讀書"),
        ("我老細姓譚", "boss: 姓譚"),
    ],
)
def test_cantonese_is_read_as_mandarin_and_kept_as_it_was_written(tmp_path: Path, text: str, part: str) -> None:
    assert part in told(tmp_path, text)


@pytest.mark.parametrize(
    "text", ["我們的關係很好", "这个系数是 3", "返工的工程款", "识别结果", "食堂的饮料", "我的成日志"]
)
def test_mandarin_is_left_alone(text: str) -> None:
    assert as_mandarin(text) == fold(text)


@given(st.text() | st.text(alphabet="唔係喺嘅咗食飲返工識我佢個仔女今聽日下晝 ，。"))
def test_places_stay_places(text: str) -> None:
    assert len(as_mandarin(text)) == len(text)


def test_details_do_not_swallow_what_a_rule_reads(tmp_path: Path) -> None:
    learned = told(tmp_path, "我叫安娜，今年三十岁，住在宁波")
    assert [part for part in ("name: 安娜", "age: 三十岁", "home: 宁波") if part not in learned] == []


def test_what_begins_with_somebody_else_is_no_detail(tmp_path: Path) -> None:
    assert "豆豆" not in told(tmp_path, "我爸是中学老师，儿子豆豆病了，你看怎么办").partition("中学老师")[2]


def test_where_one_will_stay_is_no_home_and_belongs_to_the_journey(tmp_path: Path) -> None:
    learned = told(tmp_path, "下周三去杭州出差，住西湖边上那家亚朵")
    assert "亚朵" in learned
    assert "home:" not in learned


def test_a_name_told_anew_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    learned = told(tmp_path, "房东姓李", "现在的房东姓林")
    assert "林" in learned
    assert "李" not in learned


def test_what_a_relative_is_called_stays_when_more_is_told(tmp_path: Path) -> None:
    """What stands after the comma does not name the fact, or the next one of its sort would take its place."""
    learned = told(tmp_path, "我妹妹叫莉莉，今年二十岁", "我妹妹今年二十一岁了")
    assert "莉莉" in learned
    assert "二十一岁" in learned


def guessed(text: str, number: int, *, propose: float | None = None) -> list[str]:
    """Return the types guessed for a sentence where what is proposed must be a quarter likelier than it is."""
    spans = list(sentences(text))
    likelihood = likely(judged(passages(text, spans)))[number][0]
    policy = JUDGED.model_copy(update={"propose": likelihood * 1.25 if propose is None else propose})
    return [item_type for item_type, _ in Weighing(policy, text, spans).proposed(number)]


def test_a_short_message_of_one_sentence_is_guessed_sooner() -> None:
    assert guessed("我工资卡是建行的", 0) == ["profile"]
    assert guessed("你好。我工资卡是建行的。", 1) == []
    assert guessed("我工资卡是建行的", 0, propose=1.0) == []
