"""What the form of a message settles, spoken Chinese, and what a question asks for: each beside what only looks so."""

from __future__ import annotations

from datetime import date

import pytest

from brain_core.compose.planner.chinese import CHINESE
from brain_core.compose.planner.chinese_spoken import as_written
from brain_core.compose.planner.english import ENGLISH
from brain_core.compose.planner.read import Reading, Recent, listened, read
from brain_core.text.script import fold

TODAY = date(2026, 3, 18)  # a Wednesday

SETTLED = {
    "other": [
        "fyi the courier now calls at noon",
        "Heads up, Rosa is away until the ninth",
        "our new landlord is a Mr Okafor",
        "nvm, the key was in my coat",
        "hello there",
        "跟您说一声，周末我不在店里",
        "顺便说一声，下周停水",
        "备注：钥匙放门卫了",
        "发错了，不好意思",
        "在吗",
        "早晨呀",
    ],
    "qa": [
        "difference between sorbet and sherbet, short version",
        "normal iron level for a teenager pls",
        "18% of 950, then minus 20",
        "1200 / 16 =",
        "川菜和湘菜有什么区别",
        "血氧的正常值是多少",
        "前年我看过哪些话剧",
        "我跟你讲过车停在几楼没有",
        "I was wondering if you could tell me which plumber we used",
    ],
    "summarize": ["where are we with the allotment fence", "how far have we got with the quiz"],
    "debug": ["the sum came out negative, what did I break", "greenhouse still won't hold heat, what are we missing"],
}
OPEN = [
    "fyi the courier now calls at noon, can you change the note?",
    "our new boiler is leaking again, why",
    "never mind the intro, rewrite the ending",
    "good morning, draft the invite",
    "what's the difference between these two papers, with sources",
    "normal levels of lead in tap water, find studies",
    "跟您说一声，周末我不在，帮我改下排班",
    "在吗，帮我写个请假条",
    "这两篇论文的方法有什么区别",
    "我跟你讲过的都总结一下，车停几楼写没写清楚没有",
]


@pytest.mark.parametrize(("intent", "messages"), SETTLED.items())
def test_a_form_settles_the_intent(intent: str, messages: list[str]) -> None:
    assert {one: _settled(one) for one in messages} == dict.fromkeys(messages, intent)
    assert {one: _read(one).intent for one in messages} == dict.fromkeys(messages, intent)


def test_what_asks_for_more_is_weighed() -> None:
    assert {one: _settled(one) for one in OPEN} == dict.fromkeys(OPEN, "")


SPOKEN = [
    ("邊個有單車匙？", "哪位有单车匙？"),
    ("邊度有得買", "哪里有得买"),
    ("幾時還？幾多錢", "何时还？多少钱"),
    ("點解係咁嘅", "为何是这的"),
    ("我唔記得咗佢叫咩名", "我不记得了他叫啥名"),
    ("啥子時候關門", "什么时候关门"),
    ("這是什麼關係，怎麼點樣本", "这是什么关系，怎么点样本"),
    ("琴日佢講咗咩", "昨日他讲了啥"),
    ("左边个子高，一点解决", "左边个子高，一点解决"),
]


@pytest.mark.parametrize(("text", "written"), SPOKEN)
def test_spoken_chinese_is_read_as_it_is_written(text: str, written: str) -> None:
    found = as_written(fold(text))
    assert (found, len(found)) == (written, len(text))


@pytest.mark.parametrize("message", ["邊個借咗我本書", "幾多錢買嘅", "點樣煲先好飲", "佢叫咩名嚟㗎"])
def test_a_cantonese_question_is_a_question(message: str) -> None:
    assert _read(message).intent == "qa"


TYPES = [
    ("who approved the lift repair?", ("entities",)),
    ("which of my cousins did I say lives in Cork?", ("entities",)),
    ("whats the last name of our window cleaner, I told you", ("entities",)),
    ("what did the vet say about the drops, I passed it on", ("knowledge",)),
    ("how much was I aiming to put by this spring", ("goals",)),
    ("whats on my to do list for the fete", ("tasks",)),
    ("when is Nan's operation", ("events",)),
    ("what am I supposed to hand in on Monday", ("tasks",)),
    ("what did I hope to achieve with the shop", ("goals",)),
    ("what do I usually drink with fish", ("preferences",)),
    ("how tall am I", ("profile",)),
    ("what was the outcome of the vote", ("decisions",)),
    ("where did we end up eating on Sunday", ()),
    ("the build fails, who is calling that hook", ()),
    ("compare the two, and who is happy with which, with sources", ()),
    ("老张对什么过敏，我说过的", ("entities",)),
    ("大夫让我爸少吃什么来着，跟你说过", ("knowledge",)),
    ("我爸的复诊是几号", ("events",)),
    ("给销售组定的指标是多少来着", ("goals",)),
    ("跟房东谈出来的结论是什么", ("decisions",)),
    ("还有哪几件没办", ("tasks",)),
    ("修琴的那位怎么称呼", ("entities",)),
    ("我不喝哪些茶", ("preferences",)),
    ("我们哪年领的证", ("events",)),
    ("我是什么血型", ("profile",)),
    ("上次讨论的结果是什么", ("decisions",)),
    ("我三年里想做到什么", ("goals",)),
    ("护照放在哪里", ()),
    ("日志里谁在报错，服务一直 500", ()),
]


@pytest.mark.parametrize(("message", "types"), TYPES)
def test_the_types_a_question_asks_for_are_read(message: str, types: tuple[str, ...]) -> None:
    assert _read(message).types == types


@pytest.mark.parametrize(
    "message",
    [
        "my kettle was fine yesterday, now it trips the fuse. why?",
        "打印机昨天还好好的，今天一直报错",
        "水泵漏水，垫圈昨天刚换的，怎么回事",
        "when do the clocks go forward in Ireland this year",
        "合同到期要提前几个月说",
        "who runs payroll these days?",
    ],
)
def test_a_time_that_restricts_nothing_is_left(message: str) -> None:
    assert _read(message).period is None


@pytest.mark.parametrize(
    ("message", "start"),
    [
        ("what have I been humming these days", date(2026, 2, 16)),
        ("who called the Friday before last", date(2026, 3, 6)),
        ("how did I sleep between the 2nd and the 9th", date(2026, 3, 2)),
        ("what did I spend in January and February", date(2026, 1, 1)),
        ("尋日我話買咩", date(2026, 3, 17)),
        ("五一那几天我们去了哪", date(2025, 5, 1)),
        ("上上礼拜一块儿爬山的有谁", date(2026, 3, 2)),
        ("从周一起我记了几笔", date(2026, 3, 16)),
        ("the import I ran yesterday failed, why?", date(2026, 3, 17)),
        ("昨天跑的任务报错了，为什么", date(2026, 3, 17)),
        ("what got decided at the club this year", date(2026, 1, 1)),
    ],
)
def test_a_time_that_restricts_is_kept(message: str, start: date) -> None:
    period = _read(message).period
    assert period is not None
    assert period.start == start


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("which license does the tidewatch repo have?", "tidewatch"),
        ("what does the whole repo weigh?", ""),
        ("is port 8080 open? check edge-configs", "edge-configs"),
        ("check follow-up dates with the vet", ""),
        ("最多能借几本，看下借阅规则.pdf", "借阅规则.pdf"),
        ("看板.xlsx 里还差几项", "看板.xlsx"),
    ],
)
def test_a_place_is_named(message: str, place: str) -> None:
    assert _read(message).place == place


def test_a_country_is_not_us() -> None:
    assert _read("how many ounces in a us pint").resources
    assert not _read("how many ounces did the nurse hand to us").resources


def _read(message: str) -> Reading:
    return read(message, TODAY, Recent)


def _settled(message: str) -> str:
    said, tells = listened(message)
    assert tells in (ENGLISH, CHINESE)
    return next((one.intent for one in tells.sure if one.words(said)), "")
