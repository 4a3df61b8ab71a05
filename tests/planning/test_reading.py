"""Rule by rule: what a message asks for, in English and Chinese, and what only looks like it."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.compose.planner.read import Reading, Recent, read

TODAY = date(2026, 3, 18)  # a Wednesday
REPO, PAPER = "https://github.com/acme/smart_rag", "https://arxiv.org/abs/2403.11872"


def reading(message: str, *refs: str, texts: tuple[str, ...] = (), today: date = TODAY) -> Reading:
    return read(message, today, lambda: Recent(texts, refs))


INTENTS = {
    "qa": [
        "what's our wifi password",
        "who is the landlord's agent again?",
        "我的生日是哪天来着",
        "咱们定的是哪天出发",
    ],
    "continue_task": ["add a section on pricing", "make it less formal", "把标题换成繁体", "语气再软和一点"],
    "debug": ["why does my code throw a NullPointerException?", "the app crashed twice", "接口一直返回500，怎么回事"],
    "summarize": ["tl;dr please", "Summarise last week's standups", "总结一下我们刚才聊的内容"],
    "research": ["compare the two with sources", "read up on creatine", "帮我对比这两款相机", "查些资料，附出处"],
    "other": ["thanks, that's all for today", "what a day", "no way, really??", "", "今天好累啊", "国庆快乐呀"],
}


@pytest.mark.parametrize(("intent", "messages"), INTENTS.items())
def test_the_intent_is_read(intent: str, messages: list[str]) -> None:
    assert {message: reading(message).intent for message in messages} == dict.fromkeys(messages, intent)


PERIODS = [
    ("what did I say yesterday?", "2026-03-17", "2026-03-18"),
    ("what did I say last week?", "2026-03-09", "2026-03-16"),
    ("what did I say over the past week?", "2026-03-11", "2026-03-19"),
    ("what did I say in the last 14 days?", "2026-03-04", "2026-03-19"),
    ("which roof did we choose in January?", "2026-01-01", "2026-02-01"),
    ("which roof did we choose in May?", "2025-05-01", "2025-06-01"),
    ("what did I log since 2 March?", "2026-03-02", "2026-03-19"),
    ("where did I park on Monday?", "2026-03-16", "2026-03-17"),
    ("where did I go last summer?", "2025-06-01", "2025-09-01"),
    ("sum up Q4 for me", "2025-10-01", "2026-01-01"),
    ("what did we agree between 2 March and 6 March?", "2026-03-02", "2026-03-07"),
    ("what have I been reading lately", "2026-02-16", "2026-03-19"),
    ("what did I do two days ago?", "2026-03-16", "2026-03-17"),
    ("what goals did I set last year?", "2025-01-01", "2026-01-01"),
    ("can you send Monday's list again", "2026-03-16", "2026-03-17"),
    ("Tuesdays homework, main thread?", "2026-03-17", "2026-03-18"),
    ("on the 12th I told you a number, which", "2026-03-12", "2026-03-13"),
    ("14/2 we had the pump looked at, by whom?", "2026-02-14", "2026-02-15"),
    ("February. What did I get done?", "2026-02-01", "2026-03-01"),
    ("what did we spend over Easter?", "2025-04-18", "2025-04-22"),
    ("Christmas Day, who did we have over?", "2025-12-25", "2025-12-26"),
    ("what have I told you since the weekend?", "2026-03-14", "2026-03-19"),
    ("who did I talk to this January?", "2026-01-01", "2026-02-01"),
    ("the bill for January is triple, why?", "2026-01-01", "2026-02-01"),
    ("look up whether the leaflets I sent on Monday are right, with sources", "2026-03-16", "2026-03-17"),
    ("这俩月我提过几次头疼", "2026-01-18", "2026-03-19"),
    ("前天开始一直咳嗽，我都跟你说过什么", "2026-03-16", "2026-03-19"),
    ("春节那几天住的哪家酒店", "2026-02-17", "2026-02-24"),
    ("十一月我记了几笔账", "2025-11-01", "2025-12-01"),
    ("夏天定的健身计划是什么", "2025-06-01", "2025-09-01"),
    ("3.10 家长会我记了什么", "2026-03-10", "2026-03-11"),
    ("我上个月存的那几篇文章，对比一下，附出处", "2026-02-01", "2026-03-01"),
    ("昨晚聊的那家店叫啥", "2026-03-17", "2026-03-18"),
    ("上周我们定了啥", "2026-03-09", "2026-03-16"),
    ("上上周我们定了啥", "2026-03-02", "2026-03-09"),
    ("上礼拜三医生怎么说的", "2026-03-11", "2026-03-12"),
    ("上个月我跑了几次步", "2026-02-01", "2026-03-01"),
    ("最近我都在看什么书", "2026-02-16", "2026-03-19"),
    ("过去两周我提到过几次头疼", "2026-03-04", "2026-03-19"),
    ("去年夏天去了哪里", "2025-06-01", "2025-09-01"),
    ("从3月2号到现在我记了几笔", "2026-03-02", "2026-03-19"),
    ("从上周五到这周一，群里都定了些什么", "2026-03-13", "2026-03-17"),
    ("我12号跟你说的那件事后来怎么样了", "2026-03-12", "2026-03-13"),
    ("去年我去过哪些城市", "2025-01-01", "2026-01-01"),
    ("一月份我们做了哪些决定", "2026-01-01", "2026-02-01"),
]


@pytest.mark.parametrize(("message", "start", "stop"), PERIODS)
def test_a_time_is_resolved_against_the_day(message: str, start: str, stop: str) -> None:
    period = reading(message).period
    assert period is not None
    assert (str(period.start), str(period.stop)) == (start, stop)


@pytest.mark.parametrize(
    "message",
    [
        "why does the last line fail?",
        "what is Napoleon's march on Moscow?",
        "may I ask who you are?",
        "compare Spring Boot and Quarkus",
        "is Monday.com any good?",
        "move the dentist to next Friday",
        "move the meeting to Friday",
        "play Yesterday by the Beatles?",
        "who won the 1969 world series?",
        "I'm tired today. What is our wifi password?",
        "what papers were published in 2024, with sources",
        "六月雪怎么养",
        "五月天有哪些歌",
        "离我最近的地铁站怎么走",
        "前天线是管什么的",
        "三号线停运了吗",
        "本周期的任务为什么被跳过",
        "把会议改到周五",
        "《四月物语》讲的是什么",
        "中秋月饼哪家好吃",
    ],
)
def test_what_only_looks_like_a_time_restricts_nothing(message: str) -> None:
    assert reading(message).period is None


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("In smart_rag, how is the index built?", "smart_rag"),
        ("In the repo tidepool, where is the retry logic?", "tidepool"),
        ("Summarise the file incident_0412.md", "incident_0412.md"),
        ("in notes/ideas.md what did I write about the loft", "notes/ideas.md"),
        ("在 smart_rag 里检索是怎么实现的", "smart_rag"),
        ("工资条.xlsx 里为什么一片 #N/A", "工资条.xlsx"),
        ("In real-time strategy games, who invented the minimap?", ""),
        ("In self-defence class, what was the hold called?", ""),
        ("How do I use node.js in production?", ""),
        ("rename it to final.pdf", ""),
        ("在家里办公怎么提高效率", ""),
        ("在中国申请专利要多久", ""),
    ],
)
def test_a_place_is_read_where_one_is_named(message: str, place: str) -> None:
    found = reading(message)
    assert found.place == place
    assert found.resources or not place


def test_this_conversation_is_a_scope() -> None:
    assert reading("summarise this conversation").session
    assert reading("总结一下我们刚才聊的内容").session
    assert not reading("刚才下雨了吗").session


@pytest.mark.parametrize(
    ("message", "types"),
    [
        ("what are my preferences for hotels?", ("preferences",)),
        ("which decisions did we make?", ("decisions",)),
        ("what's on my to-do list?", ("tasks",)),
        ("我的偏好是什么", ("preferences",)),
        ("做过哪些决定", ("decisions",)),
        ("how long is the Nile?", ()),
    ],
)
def test_types_of_items_are_read_where_they_are_named(message: str, types: tuple[str, ...]) -> None:
    assert reading(message).types == types


def test_what_is_pointed_at_is_of_the_sort_that_is_named() -> None:
    assert reading("does that repo run on Windows?", REPO, PAPER).refers_to == REPO
    assert reading("tl;dr of that paper", REPO, PAPER).refers_to == PAPER
    assert reading("那个仓库怎么安装", REPO, PAPER).refers_to == REPO
    assert reading("上次那个链接讲了什么", REPO, PAPER).refers_to == PAPER  # the newest
    assert reading("how do I take my coffee?", REPO).refers_to == ""
    assert reading("does that repo run on Windows?").refers_to == ""


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("look up the opening hours, with sources", True),
        ("what does the manual say about E14?", True),
        ("what does RFC 9110 say about caching?", True),
        ("read https://example.org/a for me?", True),
        ("说明书里怎么说", True),
        ("which port does the proxy listen on?", True),
        ("how do I configure the proxy?", True),
        ("代理默认监听哪个端口？", True),
        ("帮我看看代理的端口是多少？", True),
        ("how do I take my coffee?", False),
        ("which port did we agree on?", False),
        ("我们当时定的端口是多少？", False),
        ("thanks!", False),
        ("我的生日是哪天来着", False),
    ],
)
def test_documents_are_wanted_where_something_is_to_be_read(message: str, *, wanted: bool) -> None:
    found = reading(message)
    assert found.resources is wanted
    assert found.why_resources


def test_recent_turns_are_read_only_where_something_is_pointed_at() -> None:
    def recent() -> Recent:
        raise AssertionError("nobody points at anything")

    read("What is our wifi password?", TODAY, recent)
    read("我的生日是哪天", TODAY, recent)


@given(
    st.text(max_size=300) | st.text("昨前上个月周一二年去到从the last in since 0123456789.-/号日\n ", max_size=60),
    st.dates(),
)
@settings(max_examples=400, deadline=None)
def test_any_text_on_any_day_is_read(message: str, today: date) -> None:
    found = reading(message, REPO, PAPER, texts=(message,), today=today)
    assert found.why
    assert found.why_resources
    assert found.period is None or found.period.start < found.period.stop


def test_a_long_message_is_read_at_its_ends() -> None:
    pasted = "lorem ipsum since the last error in march\n" * 20_000
    assert reading(f"{pasted}\nSummarise this.").intent == "summarize"


def test_keywords_are_a_question_and_not_small_talk() -> None:
    for message in ("python walrus operator precedence", "melting point of lead", "高铁票改签规定", "护照有效期"):
        found = reading(message)
        assert (found.intent, found.resources) == ("qa", True), message


def test_the_reason_says_what_decided() -> None:
    assert reading("why does my code throw a NullPointerException?").why == "debug: 'why does my'"
    weighed = reading("kettle smells of burning plastic")
    assert weighed.intent == "debug"
    assert re.fullmatch(r"debug: reads like it \(0\.\d\d\)", weighed.why)


@pytest.mark.parametrize(("message", "place"), [
    ("src/hooks/useCart.ts: split out the coupon logic", "src/hooks/useCart.ts"),
    ("how deep is the housing according to kitchen-specs.xlsx", "kitchen-specs.xlsx"),
    ("chapter_drafts, does the plot hold up?", "chapter_drafts"),
    ("断网以后 mqtt-bridge 就不订阅了，怎么回事", "mqtt-bridge"),
    ("需求池 里哪些是客户反复喊的", "需求池"),
    ("is Node.js or Next.js better and/or faster", ""),
    ("是 e-mail 还是 follow-up 电话好", ""),
])  # fmt: skip
def test_a_name_that_can_only_be_a_files_is_a_place(message: str, place: str) -> None:
    assert reading(message).place == place
