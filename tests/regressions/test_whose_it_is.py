"""What is somebody else's, called off, passed on or only for today ends nothing of the user's, and a clause is one."""

from __future__ import annotations

import pytest

from brain_core import Brain
from tests.building import active, fresh, say


def held(brain: Brain, *texts: str) -> list[str]:
    """Return the texts of what is held after these turns, events left out."""
    memory = fresh()
    for text in texts:
        brain.commit_turn(say(memory, "s", text))
    return sorted(one.text.partition("\n")[2] for one in active(brain, memory, "entities", "events"))


ENDS_NOTHING = [
    ("我女朋友叫小雨", "小雨的生日聚会取消了"),
    ("我老公叫阿杰", "阿杰的航班取消了"),
    ("我有条狗叫大福", "大福的疫苗取消了"),
    ("我女朋友叫小雨", "跟小雨的晚饭取消了"),
    ("我住在杭州", "杭州的会取消了"),
    ("我养了一只猫", "楼上那家把猫送人了"),
    ("我养了一只狗", "我妈把狗送人了"),
    ("我养了一只猫", "我室友把她的猫送人了"),
    ("我养了一只猫", "邻居的猫送人了"),
    ("我养了一只猫", "沙发送人了"),
    ("我住在建设路", "我妈十二月三号来成都，住我这，住到开业后"),
    ("我住在建设路", "朋友在我家住到月底"),
    ("我要写周报", "小李周报交了"),
    ("我要交季度报告", "隔壁组季度报告交了"),
    ("i need to call the dentist", "called the dentist for mum"),
    ("I live in Leeds", "FW: The office is closed on 24 December. We moved to Main St 12."),
    ("i work from home in Leeds", "im working from london today lol"),
    ("i work from the office in Leeds", "i'm working from home today"),
    ("i work from home", "im working from the airport today, delayed"),
]


@pytest.mark.parametrize(("told", "then"), ENDS_NOTHING)
def test_what_is_not_of_the_user_ends_nothing(brain: Brain, told: str, then: str) -> None:
    assert held(brain, told)
    assert held(brain, told, then) == held(brain, told)


ENDS = [
    ("我养了一只猫", "猫送人了", "一只猫"),
    ("我养了一只猫", "上周我把猫送人了", "一只猫"),
    ("我女朋友叫小雨", "我和小雨分手了", "女朋友"),
    ("我每周三参加读书会", "读书会取消了", "Status: todo"),
    ("我要写周报", "周报交了", "Status: todo"),
    ("我要写周报", "我周报交了", "Status: todo"),
    ("我要上线小程序", "小程序上线了", "Status: todo"),
    ("我要买老婆的生日礼物", "老婆的生日礼物买好了", "Status: todo"),
    ("i need to call the dentist", "called the dentist", "Status: todo"),
    ("i need to call the dentist for mum", "called the dentist for mum", "Status: todo"),
    ("i need to book the flights", "booked the flights for mum and me", "Status: todo"),
    ("i need to buy a cake", "bought the cake for my sister", "Status: todo"),
    ("I live in Leeds", "We moved to Main St 12 in York.", "Leeds"),
]


@pytest.mark.parametrize(("told", "then", "gone"), ENDS)
def test_what_is_of_the_user_ends(brain: Brain, told: str, then: str, gone: str) -> None:
    assert gone not in " ".join(held(brain, told, then))


KEPT = [
    ("我青霉素过敏啊 医生开药的时候差点忘了说", "用户青霉素过敏"),
    ("我花生过敏 差点没命", "用户花生过敏"),
    ("我花生过敏 这个能吃吗", "用户花生过敏"),
    ("我有哮喘 可能你忘了", "用户的健康：哮喘"),
    ("我是糖尿病 能喝豆浆吗", "用户的健康：糖尿病"),
    ("我在上海做会计 怎么报税", "role: 会计"),
    ("我叫张伟 今年三十岁 住在成都 在银行上班", "home: 成都"),
    ("我住在上海浦东新区 张江镇", "home: 上海浦东新区 张江镇"),
    ("im allergic to latex, maybe i told you already", "The user is allergic to latex"),
    ("i have asthma what mask should i get", "The user has asthma"),
    ("i live in berlin and honestly the rents are insane so yeah help", "home: in berlin"),
    ("i work in berlin as an accountant how do i file taxes", "role: accountant"),
    ("im allergic to shellfish what can i order at a thai place", "The user is allergic to shellfish"),
    ("我妈高血压，每天吃半片氨氯地平", "Fact: 我妈高血压，每天吃半片氨氯地平"),
    ("我爸糖尿病，每天打胰岛素", "Fact: 我爸糖尿病，每天打胰岛素"),
    ("我高血压，每天吃半片氨氯地平", "用户的用药：每天吃半片氨氯地平"),
    ("我妈不管我，我高血压，每天吃半片氨氯地平", "用户的用药：每天吃半片氨氯地平"),
    ("i work at Lidl at the moment", "employer: Lidl at the moment"),
    ("【重要】我对花生过敏", "用户对花生过敏"),
]


@pytest.mark.parametrize(("text", "value"), KEPT)
def test_a_value_is_of_its_own_clause(brain: Brain, text: str, value: str) -> None:
    lines = [line for one in held(brain, text) for line in one.split("\n")]
    assert value in lines


NOTHING = [
    "【通知】本小区将于11月28日停水",
    "Team update: we decided to move the launch to Feb 3. Please prepare your slides. - Jo",
    "通知：下周一停电，请各位提前备水",
    "@所有人 今晚八点开会 收到请回复1",
    "FW: The office is closed on 24 December. We moved to Main St 12.",
    "Dear all, we decided to close the kitchen on Fridays. Kind regards, Ann",
    "我可能对花生过敏",
    "maybe i'm allergic to latex",
    "手术做完了，十八号做的",
]


@pytest.mark.parametrize("text", NOTHING)
def test_notices_and_guesses_teach_nothing_of_the_user(brain: Brain, text: str) -> None:
    assert held(brain, text) == []


def test_what_the_user_tells_of_a_team_is_learned(brain: Brain) -> None:
    assert "Feb 3" in " ".join(held(brain, "Team update: we decided to move the launch to Feb 3."))
