"""What is kept is whole, says of whom it tells, and is pinned as the user's own only where it is."""

from __future__ import annotations

import pytest
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import Brain
from tests.building import active, fresh, say


def held(brain: Brain, *texts: str) -> list[MemoryItem]:
    """Return what is active after these turns."""
    memory = fresh()
    for text in texts:
        brain.commit_turn(say(memory, "s", text))
    return active(brain, memory)


def told(brain: Brain, *texts: str) -> list[str]:
    return sorted(one.text.partition("\n")[2] for one in held(brain, *texts))


OF_ANOTHER = [
    "我们有个女儿叫豆豆，五岁，对牛奶过敏。",
    "早！我叫小满，住在杭州，老公叫 Tom，是英国人，我们有个女儿叫豆豆，五岁，对牛奶过敏。",
    "我有个儿子在北京上学，对花生过敏",
    "我养了一只猫，三岁，对鸡肉过敏",
    "我有个女儿，五岁，乳糖不耐受",
    "老公叫 Tom，是英国人，对花生过敏",
]


@pytest.mark.parametrize("said", OF_ANOTHER)
def test_what_is_told_of_somebody_brought_in_is_not_the_users(brain: Brain, said: str) -> None:
    found = held(brain, said)
    assert not [one for one in found if one.type == "preferences"]
    [fact] = [one for one in found if one.type == "knowledge"]
    assert fact.priority <= 2  # vital, so it stands in every context
    assert any(who in fact.text for who in ("女儿", "儿子", "猫", "老公"))


OWN = [
    "我叫小满，对牛奶过敏",
    "我今年30岁，和老公住在杭州，对牛奶过敏",
    "我有个女儿，我自己对牛奶过敏",
    "我有哮喘，对牛奶过敏",
    "女儿刚上小学。我换了工作，对牛奶过敏",
    "我家有只狗，不过我对牛奶过敏",
]


@pytest.mark.parametrize("said", OWN)
def test_what_the_user_tells_of_himself_stays_the_users(brain: Brain, said: str) -> None:
    assert "用户对牛奶过敏" in told(brain, said)


def test_the_limits_of_an_allergy_are_told_with_it(brain: Brain) -> None:
    said = "豆豆医生说牛奶过敏好转了，可以吃烤过的奶制品，比如蛋糕，但还是不能喝鲜奶"
    assert told(brain, said) == [f"Fact: {said}"]
    assert told(brain, "我老公对海鲜过敏，我爱吃海鲜") == ["Fact: 我老公对海鲜过敏", "用户爱吃海鲜"]


@pytest.mark.parametrize(
    "said",
    ["阿芳说想把拿铁涨到30，我觉得先不涨", "阿芳想把拿铁涨到30", "小李打算今年考上研究生", "我女儿想考上清华"],
)
def test_the_will_of_another_is_no_goal_of_the_users(brain: Brain, said: str) -> None:
    assert not [one for one in held(brain, said) if one.type == "goals" and one.confidence >= 0.7]


@pytest.mark.parametrize("said", ["我想三年内攒够首付", "老实说，我想明年开一家咖啡店", "我和老公打算明年买房"])
def test_the_users_own_will_is_a_goal(brain: Brain, said: str) -> None:
    assert [one for one in held(brain, said) if one.type == "goals"]


@pytest.mark.parametrize(
    ("said", "done", "order"),
    [
        (
            "Please answer me briefly from now on, and the export to CSV should be done by the end of March.",
            "CSV export works now, I tested it with 40 tastings.",
            "The user prefers (writing) answer length: Please answer me briefly from now on",
        ),
        (
            "Please keep replies short, and the report must be finished by Monday",
            "The report is finished, I sent it to Kim",
            "The user prefers (writing) answer length: Please keep replies short",
        ),
    ],
)
def test_a_standing_order_takes_in_no_task_and_does_not_end_with_it(
    brain: Brain, said: str, done: str, order: str
) -> None:
    assert order in told(brain, said, done)


def test_a_standing_order_keeps_what_belongs_to_it(brain: Brain) -> None:
    said = "Please always write tests first, and the tests must be fast"
    assert any("and the tests must be fast" in text for text in told(brain, said))


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("我开了家小咖啡店叫拾光，在成都玉林路", "开了家小咖啡店叫拾光，在成都玉林路"),
        ("我开了间书店", "开了间书店"),
        ("我开了一家面馆", "开了一家面馆"),
        ("我经营一家小超市", "经营一家小超市"),
    ],
)
def test_a_role_is_no_half_word(brain: Brain, said: str, role: str) -> None:
    assert told(brain, said) == [f"Profile of the user\nrole: {role}"]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("别忘了给小李结工资，月底前，3800", "Task: 给小李结工资，月底前，3800\nStatus: todo\nDue: {due}"),
        ("别忘了给妈妈打电话", "Task: 给妈妈打电话\nStatus: todo"),
        ("帮我记一下，明天交房租", "Task: 交房租\nStatus: todo\nDue: {due}"),
        (
            "TODO: ask Dana whether the gateway strips unknown headers.",
            "Task: ask Dana whether the gateway strips unknown headers\nStatus: todo",
        ),
    ],
)
def test_what_is_to_be_done_is_a_task(brain: Brain, said: str, text: str) -> None:
    [task] = held(brain, said)
    assert task.text.partition("\n")[2] == text.format(due=task.value["due"] if "{due}" in text else "")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("hmm wait, the staging Redis is tiny", "Fact: the staging Redis is tiny"),
        ("哦对了，营业时间改了，现在早7点半到晚10点", "Fact: 营业时间改了，现在早7点半到晚10点"),
        (
            "The connection pool of 10 was exhausted. We bumped it to 40 and capped retries at 3",
            "Fact: The connection pool of 10 was exhausted. We bumped it to 40 and capped retries at 3",
        ),
    ],
)
def test_a_fact_begins_with_what_it_tells_of(brain: Brain, said: str, text: str) -> None:
    assert told(brain, said) == [text]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("决定了，巴斯克的糖减两成", "Decision: 决定了，巴斯克的糖减两成\nMade at: {day}"),
        ("We decided to ship on Friday.", "Decision: We decided to ship on Friday\nMade at: {day}"),
        ("我想三年内攒够首付", "Goal (active): 用户想三年内攒够首付"),
    ],
)
def test_a_name_made_of_what_it_names_is_not_told_twice(brain: Brain, said: str, text: str) -> None:
    [found] = held(brain, said)
    assert found.text.partition("\n")[2] == text.format(day=found.value["made_at"] if "{day}" in text else "")


def test_a_name_that_says_more_is_told(brain: Brain) -> None:
    [found] = held(brain, "ok let's go with Postgres")
    assert "on database" in found.text


def test_a_summary_does_not_tell_such_a_name_twice(brain: Brain) -> None:
    answered = brain.commit_turn(say(fresh(), "s", "决定了，巴斯克的糖减两成"))
    assert answered.summary.text == "## Decisions\n- 决定了，巴斯克的糖减两成"


@pytest.mark.parametrize("said", ["Please answer me briefly from now on", "From now on be concise"])
def test_how_long_answers_are_has_one_value(brain: Brain, said: str) -> None:
    [order] = [one for one in held(brain, said, "From now on explain things at length") if one.type == "preferences"]
    assert (order.key, order.value["value"]) == ("pref:writing:answer_length", "From now on explain things at length")


@pytest.mark.parametrize(
    "said",
    [
        "I have a colleague allergic to nuts",
        "I have a roommate named Bo, allergic to cats",
        "My husband Tom, a nurse, is vegan",
        "My roommate Bo, 24, allergic to cats, loves dogs",
    ],
)
def test_what_is_told_of_somebody_between_commas_is_theirs(brain: Brain, said: str) -> None:
    [fact] = [one for one in held(brain, said) if one.type != "profile"]
    assert (fact.type, fact.text.partition("\n")[2]) == ("knowledge", f"Fact: {said}")
    assert fact.priority <= 2


def test_what_the_user_tells_of_himself_beside_another_is_his(brain: Brain) -> None:
    assert "The user is allergic to peanuts" in told(brain, "I have a son and I'm allergic to peanuts")
    assert "The user is vegan" in told(brain, "My husband cooks, I'm vegan")
