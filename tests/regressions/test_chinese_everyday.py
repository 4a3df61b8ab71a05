"""Chinese as people say it: what a sentence tells, ends and asks to be forgotten, one brain for all of them."""

from __future__ import annotations

from datetime import date

import pytest
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.secrets import find_secrets
from tests.building import fresh, say
from tests.extraction.updates import believed, pieces

_DAY = 86_400


def _held(brain: Brain, *texts: str) -> tuple[str, set[str]]:
    """Return the memory and what is held after these turns, each ten days after the one before."""
    memory = fresh()
    for number, text in enumerate(texts):
        brain.commit_turn(say(memory, f"s{number}", text, at=10 * _DAY * number))
    return memory, pieces(brain, memory)


def _told(brain: Brain, *texts: str) -> str:
    return "\n".join(sorted(_held(brain, *texts)[1]))


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (["我对芒果和花生都过敏"], {"芒果", "花生"}),
        (["我对虾、螃蟹和贝类过敏"], {"虾", "螃蟹", "贝类"}),
        (["过敏：花生、芒果"], {"花生", "芒果"}),
        (["我吃芒果过敏", "我对芒果过敏"], {"芒果"}),
        (["我有花粉过敏"], {"花粉"}),
        (["查出来青霉素过敏"], {"青霉素"}),
        (["我对和牛过敏"], {"和牛"}),
        (["我对芒果和花生都过敏", "我对芒果不过敏了"], {"花生"}),
        (["我对花生过敏", "我不是对花生过敏，是对腰果过敏"], {"腰果"}),
        (["我对花生过敏", "我过敏的不是花生，是核桃"], {"核桃"}),
        (["我对花生过敏", "我不对花生过敏"], set()),
        (["我对鸡蛋过敏", "复查了，鸡蛋不过敏了"], set()),
        (["过敏：无"], set()),
        (["我皮肤过敏了"], set()),
        (["我女儿查出来鸡蛋过敏"], set()),
    ],
)
def test_each_thing_one_is_allergic_to_is_an_item_of_its_own(brain: Brain, texts: list[str], named: set[str]) -> None:
    """A list was one item, which a denial of one thing retracted whole; another thing stood under the old one's key."""
    memory, _ = _held(brain, *texts)
    keys = [item.key for item in brain.list_items(ListItemsRequest(memory_id=memory, types=["preferences"])).items]
    assert {key.partition("allergy_")[2] for key in keys if "allergy_" in key} == named


@pytest.mark.parametrize(
    "said",
    [
        "我叫车去机场",
        "我叫了个代驾",
        "我叫保洁来家里打扫",
        "我家在装修",
        "我家在漏水",
        "不要记住我住在哪",
        "我是过来人",
    ],
)
def test_what_is_ordered_or_done_is_no_name_home_or_origin(brain: Brain, said: str) -> None:
    assert not [each for each in _held(brain, said)[1] if each.startswith(("name", "home:", "origin:"))]


@pytest.mark.parametrize(
    ("texts", "piece"),
    [
        (["我叫李雷来自北京"], "name: 李雷"),
        (["我叫安娜今年三十岁"], "name: 安娜"),
        (["我叫林小雨", "我改名叫林雨了"], "name: 林雨"),
        (["我叫林小雨", "我改名了，现在叫林雨"], "name: 林雨"),
        (["我是衡阳人"], "origin: 衡阳"),
        (["我是项目负责人"], "role: 项目负责人"),
        (["我搬到滨江住了"], "home: 滨江"),
        (["我住在杭州", "刚搬到深圳南山"], "home: 深圳南山"),
        (["我住在杭州", "我们搬到滨江了"], "home: 滨江"),
        (["我住在杭州", "表妹结婚了，搬到滨江了"], "home: 杭州"),
        (["我住在杭州", "公司搬到滨江了"], "home: 杭州"),
        (["我住在杭州", "下个月搬到上海"], "home: 杭州"),
        (["我的手机是iPhone 13", "我现在用的是小米14"], "phone: 小米14"),
        (["我的手机是iPhone 13", "iPhone 15出了"], "phone: iPhone 13"),
        (["我的手机是iPhone 13", "手机号改成13900003333了"], "phone: iPhone 13"),
        (["我的手机号是13811112222", "手机号换成13900003333了"], "phone_number: 13900003333"),
        (["我的车是特斯拉", "换车了，现在开比亚迪"], "car: 比亚迪"),
        (["我的车是特斯拉", "我朋友换了辆小鹏"], "car: 特斯拉"),
        (["我在腾讯工作", "我在美团做运营了"], "employer: 美团"),
        (["我生日是3月5号"], "birthday: 3月5号"),
        (["我弟弟叫小明", "我弟结婚了"], "younger_brother: 弟弟叫小明"),
        (["我女儿叫朵朵", "我小女儿叫果果"], "daughter: 女儿叫朵朵"),
        (["我养了一只猫叫咪咪", "邻居家的猫死了"], "cat: 一只猫叫咪咪"),
    ],
)
def test_what_holds_in_the_end(brain: Brain, texts: list[str], piece: str) -> None:
    assert piece in _held(brain, *texts)[1]


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("我女朋友叫小雅", "我跟小雅掰了"),
        ("我男朋友叫阿杰", "分手了"),
        ("我养了一只狗叫旺财", "旺财去世了"),
        ("我养了一只猫叫大福", "大福上个礼拜走了，老死的"),
        ("我今年的目标是跑完马拉松", "终于跑完了马拉松"),
        ("我住在杭州", "忘掉我的住址"),
        ("我的手机号是13811112222", "把我的手机号删掉"),
        ("我喜欢喝咖啡", "请忘记我喜欢喝咖啡这件事"),
        ("我每天早上跑步", "忘了我说的跑步那件事"),
        ("我叫林雨", "删除我的名字"),
    ],
)
def test_what_is_over_reached_or_to_be_forgotten_is_no_longer_held(brain: Brain, fact: str, later: str) -> None:
    memory, before = _held(brain, fact)
    assert before
    brain.commit_turn(say(memory, "later", later, at=10 * _DAY))
    after = pieces(brain, memory)
    assert not before & after
    assert len(after) <= len(before)


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("我的手机号是13811112222", "我把手机号忘了"),
        ("我住在杭州", "我忘了带钥匙"),
        ("我住在杭州", "别忘了我住在杭州"),
        ("我们决定用Redis做缓存", "把Redis的缓存清除"),
        ("我们决定用MySQL做数据库", "我们不换数据库了"),
        ("我的目标是跑完马拉松", "马拉松还没跑完"),
        ("我男朋友叫阿杰", "我跟同事分开了"),
        ("我养了一只猫叫咪咪", "咪咪可爱死了"),
    ],
)
def test_what_only_sounds_like_an_end_ends_nothing(brain: Brain, fact: str, later: str) -> None:
    memory = _held(brain, fact)[0]
    before = set(believed(brain, memory))
    brain.commit_turn(say(memory, "later", later, at=10 * _DAY))
    assert before <= set(believed(brain, memory))


@pytest.mark.parametrize(
    "said",
    [
        "写个小说开头：我叫陆离，住在长安城，对桃花过敏",
        "小明：我叫小明\n小红：我对猫过敏",
        "模拟面试官问我：我叫Tom，今年25岁，在腾讯工作",
        "以下是我朋友的情况：我今年35岁，住在广州",
        "下面是同事的自我介绍：大家好，我叫张伟，我是设计师",
        "解释一下这个病例：患者女，45岁，对青霉素过敏",
        "英语作文：My name is Li Hua, I live in London.",
        "简历：\n姓名：王五\n住址：上海",
    ],
)
def test_made_up_and_other_people_are_not_the_user(brain: Brain, said: str) -> None:
    assert not _held(brain, said)[1]


@pytest.mark.parametrize(
    ("said", "piece"),
    [
        ("自我介绍一下：我叫陈晨，我住在成都", "name: 陈晨"),
        ("以下是我的情况：我今年35岁，住在广州", "home: 广州"),
        ("注意：我对花生过敏", "对花生过敏"),
        ("我：我对花生过敏\n小红：我对猫过敏", "对花生过敏"),
    ],
)
def test_the_users_own_words_after_a_colon_are_read(brain: Brain, said: str, piece: str) -> None:
    told = _told(brain, said)
    assert piece in told
    assert "猫" not in told


def test_a_list_of_tasks_in_lines_is_read_line_by_line(brain: Brain) -> None:
    told = _told(brain, "待办：\n- 交房租\n- [x] 买菜\n2. 给妈妈买药")
    assert "交房租" in told
    assert "给妈妈买药" in told
    assert "买菜" not in told


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("下个月的今天", "2026-06-16"),
        ("去年年底", "2025-12-31"),
        ("7月中旬", "2026-07-11"),
        ("下旬", "2026-05-21"),
        ("八月初三", ""),
        ("农历的八月十五", ""),
        ("8月初", "2026-08-01"),
    ],
)
def test_days_by_thirds_of_a_month_and_by_another_calendar(said: str, day: str) -> None:
    found = first_day(said, date(2026, 5, 16))
    assert (found.day.isoformat() if found else "") == day


@pytest.mark.parametrize("said", ["两天前我把车卖了", "三天前我把简历发了"])
def test_what_was_done_days_ago_is_no_task(brain: Brain, said: str) -> None:
    assert "Status: todo" not in _told(brain, said)


@pytest.mark.parametrize(
    "said", ["密码换成1Password管理", "密码换成SHA256了", "密码改成每90天换一次", "密码锁换成C268了"]
)
def test_talk_about_passwords_is_no_password(said: str) -> None:
    assert not find_secrets(said)
    assert find_secrets("密码换成 Xk9#mm22 了")
