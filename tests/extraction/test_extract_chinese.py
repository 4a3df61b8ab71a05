"""Chinese rules, case by case: what each sentence writes, and what near misses do not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.extract.chinese import CHINESE
from brain_core.extract.chinese.clauses import clauses
from brain_core.kinds.draft import Draft, Skip
from brain_core.text.script import fold
from tests.extraction.chinese_conversation import Conversation

# sentence, rule, type, fields of the value
WRITES = [
    ("以后回答问题都用列表的形式给我", "preference_direction", "preferences", {"scope": "writing", "name": "format"}),
    ("能不能以后都用中文回答?", "preference_request", "preferences", {"scope": "writing", "name": "language"}),
    ("請一律用繁體中文回答我", "preference_request", "preferences", {"name": "language",
     "value": "一律用繁體中文回答我"}),
    ("缩进我喜欢用两个空格", "preference_liking", "preferences", {"scope": "coding", "name": "indentation"}),
    ("我不吃香菜", "preference_liking", "preferences", {"scope": "other", "name": "香菜", "value": "我不吃香菜"}),
    ("编辑器我就认 Neovim", "preference_liking", "preferences", {"scope": "tools", "name": "editor"}),
    ("我对青霉素过敏", "preference_allergy", "preferences", {"name": "allergy_青霉素"}),
    ("我一吃芒果就过敏", "preference_allergy", "preferences", {"name": "allergy_芒果"}),
    ("酒店一晚预算别超过两千", "preference_limit", "preferences", {"scope": "other", "name": "酒店一晚预算"}),
    ("周五下午四点以后不准发布", "preference_constraint", "preferences", {}),
    ("讲技术的时候用大白话", "preference_whenever", "preferences", {"scope": "writing", "name": "tone"}),
    ("周末不要给我安排工作", "preference_refusal", "preferences", {}),
    ("代码注释请统一写英文注释", "preference_style", "preferences", {"scope": "coding", "name": "comments"}),
    ("叫我老周就行", "preference_address", "preferences", {"scope": "other", "name": "address"}),
    ("先说好写 Python 的规矩:变量名一律 snake_case", "preference_rulebook", "preferences", {"scope": "coding",
     "name": "naming"}),
    ("我们决定用 Postgres", "decision_made", "decisions", {"topic": "database", "decision": "我们决定用 Postgres"}),
    ("我们选 B,大理沙溪那条,定了", "decision_made", "decisions", {"decision": "我们选 B,大理沙溪那条,定了"}),
    ("服务间通信就用 gRPC 吧", "decision_settled", "decisions", {}),
    ("我们今年的目标是把流失率压到 3% 以下", "goal_named", "goals", {}),
    ("我想两年之内考到 N1", "goal_horizon", "goals", {}),
    ("我一直想开一家自己的咖啡店", "goal_dream", "goals", {}),
    ("下周一前要把发票寄给财务", "task_deadline", "tasks", {"due": "2026-03-23", "status": "todo",
     "title": "发票寄给财务"}),
    ("TODO:把 cron job 都迁到 Airflow,6 月 30 号前搞定", "task_listed", "tasks", {"due": "2026-06-30"}),
    ("提醒我周三下午三点去看牙医", "task_listed", "tasks", {}),
    ("帮我把换护照加到清单里", "task_on_list", "tasks", {"title": "换护照"}),
    ("周末要去宜家把那个书架退了", "task_to_do", "tasks", {"due": "2026-03-21"}),
    ("数据迁移卡在权限审批这一步", "task_blocked", "tasks", {"status": "blocked"}),
    ("登录页的 bug 我正在修", "task_underway", "tasks", {"status": "doing"}),
    ("昨天我们的小程序正式上线了", "event_dated", "events", {"date": "2026-03-17"}),
    ("下周三我要去深圳出差", "event_dated", "events", {"date": "2026-03-25"}),
    ("論文答辯定在 5 月 22 日", "event_announced", "events", {"date": "2026-05-22"}),
    ("staging 的端口是 5433", "knowledge_attribute", "knowledge", {"kind": "fact", "slug": "staging端口"}),
    ("我们的发布流程是先灰度再全量", "knowledge_attribute", "knowledge", {}),
    ("注意:审计日志要保留三年", "knowledge_told", "knowledge", {"content": "审计日志要保留三年"}),
    ("公司 VPN 要先装证书才能连", "knowledge_procedure", "knowledge", {"kind": "procedure"}),
    ("数据库里的时间都是 UTC", "knowledge_ours", "knowledge", {}),
    ("main 分支不能直接 push", "knowledge_rule", "knowledge", {}),
    ("上传测试失败的那个工单归我", "task_mine", "tasks", {"status": "todo"}),
    ("记住小区门禁码是 2580", "remember", "knowledge", {"content": "小区门禁码是 2580"}),
    ("幫我記一下,阿嬤的降血壓藥是早上飯後吃", "remember", "knowledge", {"content": "阿嬤的降血壓藥是早上飯後吃"}),
    ("大火三分钟一面,出锅静置五分钟。这个做法记下来", "remember_that", "knowledge", {"kind": "procedure"}),
    ("林悦是我们的法务顾问", "entity_introduced", "entities", {"kind": "person", "canonical": "林悦"}),
    ("顺达物流是我们华东的承运商", "entity_introduced", "entities", {"kind": "org", "canonical": "顺达物流"}),
]  # fmt: skip


def drafts(text: str) -> list[Draft]:
    return [each for each in Conversation().say(text) if isinstance(each, Draft)]


@pytest.mark.parametrize(("text", "rule", "item_type", "fields"), WRITES, ids=[case[0] for case in WRITES])
def test_a_statement_is_written(text: str, rule: str, item_type: str, fields: dict[str, str]) -> None:
    found = [each for each in drafts(text) if each.rule == rule]
    assert found, [each.rule for each in drafts(text)]
    assert found[0].kind.type == item_type
    assert {name: found[0].given.get(name) for name in fields} == fields


@pytest.mark.parametrize(
    ("text", "k", "v"),
    [
        ("大家好，我叫王磊", "name", "王磊"),
        ("你好，我是陈阳。", "name", "陈阳"),
        ("我今年32岁", "age", "32岁"),
        ("我是90后", "age", "90后"),
        ("我的生日是11月3日", "birthday", "11月3日"),
        ("我是一名护士", "role", "护士"),
        ("去年转行做数据分析", "role", "数据分析"),
        ("我在台積電當工程師", "role", "工程師"),
        ("我在小米上班", "employer", "小米"),
        ("我从 2019 年起就在字节了", "employer", "字节"),
        ("我住新竹", "home", "新竹"),
        ("我刚从北京搬到上海", "home", "上海"),
        ("我老家是湖南的", "origin", "湖南"),
        ("我会说粤语和英语", "language", "粤语和英语"),
        ("我目前单身", "marital_status", "单身"),
        ("我有两个孩子", "children", "两个孩子"),
        ("家里养了一只金毛", "dog", "一只金毛"),
        ("我女儿叫朵朵", "daughter", "女儿叫朵朵"),
        ("我是左撇子", "handedness", "左撇子"),
        ("我是处女座", "zodiac", "处女座"),
    ],
)
def test_a_fact_about_the_user_is_written(text: str, k: str, v: str) -> None:
    facts = {fact["k"]: fact["v"] for each in drafts(text) for fact in each.given.get("facts", ())}
    assert facts.get(k) == v


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("要不要以后都用 Kafka？", "question"),
        ("我是不是对花生过敏？", "question"),
        ("如果我们决定用 Kafka 呢", "hypothetical"),
        ("假设我对花生过敏", "hypothetical"),
        ("我可能下周三去北京出差", "uncertain"),
        ("听说我们决定用 Java", "reported"),
        ("呵呵，我最喜欢堵车了", "sarcasm"),
        ("我可太喜欢周一了", "sarcasm"),
        ("比如我对花生过敏", "example"),
        ("剧情是这样：我们决定逃走", "fiction"),
        ("这次我们决定用英文写", "one_off"),
        ("翻译一下：我决定明天出发", "pasted"),
        ("我们决定用 A 方案，你觉得呢", "proposal"),
    ],
)
def test_a_near_miss_is_passed_over_with_a_reason(text: str, rule: str) -> None:
    read = Conversation().say(text)
    assert [each.rule for each in read] == [rule]
    assert isinstance(read[0], Skip)
    assert read[0].reason


@pytest.mark.parametrize(
    "text",
    [
        "今天天气真好", "我好累啊", "我觉得这个方案不错", "我很喜欢你的建议", "不要担心，我没事", "别开玩笑了",
        "我朋友喜欢吃辣", "他们决定取消比赛",
        "你叫什么名字？", "你还记得我叫什么吗", "先帮我查一下明天的天气", "把上面的表格改成三列", "我得冷静一下",
        "我会努力的", "今晚吃火锅吧", "你总是帮助我",
        "那我明天再来找你聊", "还没决定用哪个数据库", "算了，不说了", "今天我去了公园散步",
    ],
)  # fmt: skip
def test_small_talk_writes_nothing(text: str) -> None:
    assert drafts(text) == []


@pytest.mark.parametrize(
    ("first", "then", "status", "due"),
    [
        ("我要写一份竞品分析", "竞品分析写完了", "done", ""),
        ("还要给孩子报名夏令营", "夏令营报上了", "done", ""),
        ("数据清洗脚本这周要写完", "已经开始写清洗脚本了", "doing", ""),
        ("我得把阳台的灯修一下", "灯的事先放放,等配件到货", "blocked", ""),
        ("周四之前要把测试报告给老板", "报告延到下周二了", "todo", "2026-03-24"),
    ],
)
def test_a_task_moves_under_its_own_key(first: str, then: str, status: str, due: str) -> None:
    talk = Conversation()
    talk.say(first)
    talk.say(then)
    (task,) = talk.active("tasks")
    assert task.value["status"] == status
    assert not due or task.value["due"] == due


def test_a_status_without_a_task_writes_nothing() -> None:
    assert drafts("搞定了") == []
    assert drafts("报告写完了") == []


@pytest.mark.parametrize(
    ("first", "then", "item_type", "new", "old"),
    [
        ("我叫李明", "不是李明,是黎明", "profile", "黎明", "李明"),
        ("我住在朝阳区", "上个月搬家了,现在住通州", "profile", "通州", "朝阳"),
        ("记一下 staging 数据库端口 5433", "纠正一下,staging 数据库的端口应该是 5434", "knowledge", "5434", "5433"),
        ("记住我的工位是 A12", "工位换了,现在是 B07", "knowledge", "B07", "A12"),
        ("项目评审是这周四下午", "评审改到这周五上午了", "events", "周五", "周四"),
        ("以后用英文回我", "还是用中文吧", "preferences", "中文", "英文"),
    ],
)
def test_a_correction_replaces_what_is_known(first: str, then: str, item_type: str, new: str, old: str) -> None:
    talk = Conversation()
    talk.say(first)
    talk.say(then)
    assert new in talk.texts(item_type)
    assert old not in talk.texts(item_type)


@pytest.mark.parametrize(
    ("first", "then", "item_type"),
    [
        ("我养了一只柯基", "我自己没养狗,别记成我的了", "profile"),
        ("我女朋友叫小雨", "我们分手了", "profile"),
        ("我对虾过敏", "其实我对虾不过敏", "preferences"),
        ("我打算今年考研", "考研我放弃了", "goals"),
        ("请记住:我周三在家办公", "周三那条已经不成立了,删了吧", "knowledge"),
        ("我要准备周五的面试", "面试取消了,不用准备了", "tasks"),
    ],
)
def test_a_denial_ends_what_is_known(first: str, then: str, item_type: str) -> None:
    talk = Conversation()
    talk.say(first)
    assert talk.active(item_type)
    talk.say(then)
    assert not talk.active(item_type)


def test_traditional_words_have_the_keys_of_simplified_ones_and_keep_their_script() -> None:
    (simple,), (traditional,) = drafts("我讨厌开会"), drafts("我討厭開會")
    assert simple.key == traditional.key
    assert traditional.given["value"] == "我討厭開會"


def test_the_same_port_in_other_words_has_the_same_key() -> None:
    assert drafts("staging 的端口是 5433")[0].key == drafts("staging 端口改成 5434")[0].key


_WORDS = st.sampled_from(
    [*"我你他不是了在的要去吗呢有把给得", "，", "。", "？", "：", " ", "\n", "记住", "以后", "决定", "喜欢", "过敏",
    "3月5日", "下周三", "2月30号", "之前",
     "如果", "Postgres", "「", "」", "生日", "叫", "住在", "完成了", "取消", "改成", "\ufffc", "😀", "𠮷",
     "今天是我的生日", "英语六级", "学的是", "9999年12月31日", "一百年后"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(_WORDS, max_size=40).map("".join), st.text(max_size=40))
def test_nothing_raises_and_spans_lie_inside(text: str, noise: str) -> None:
    talk = Conversation()
    talk.say("我要写一份竞品分析，3月20号之前。我叫李明，我喜欢喝茶")
    said = text + noise
    for each in talk.say(said):
        assert each.span is None or 0 <= each.span[0] <= each.span[1] <= len(said)


@given(st.text(max_size=80))
def test_folding_keeps_every_place(text: str) -> None:
    assert len(fold(text)) == len(text)


@given(st.lists(_WORDS, max_size=30).map("".join))
def test_clauses_stand_where_they_say(text: str) -> None:
    for clause in clauses(text, 7):
        assert fold(text)[clause.start - 7 :].startswith(clause.text)


def test_every_rule_has_a_name_of_its_own() -> None:
    names = [rule.name for rule in CHINESE.rules]
    assert len(names) == len(set(names))
    assert all(rule.cue_set for rule in CHINESE.rules)
