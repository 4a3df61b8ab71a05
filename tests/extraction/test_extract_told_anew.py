"""What is told anew amid other talk takes the place of what held: a move, a successor, another make, a version."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import open_brain, say
from tests.extraction.updates import believed

_DAY = 86_400
CHANGES = [
    ("The wifi router is in the hallway cupboard", "no signal so we moved the router to the study", "is in the study"),
    ("The spare key is under the blue pot", "I put the spare key in the garage", "is in the garage"),
    ("We host everything on Heroku, two dynos", "too dear. everything runs on Fly.io since the weekend", "on Fly.io"),
    ("Our tickets are in Jira", "tickets are in Linear since this sprint", "in Linear"),
    ("I write all my code in Vim", "switched to VS Code for coding", "in VS Code"),
    ("I bank with Barclays", "I switched to Monzo for my banking", "Monzo"),
    ("our CI is Travis", "CI moved over to GitHub Actions", "is GitHub Actions"),
    ("we rehearse on Wednesdays in Joe's garage", "we rehearse at the town hall from now on", "at the town hall"),
    ("the main branch is called master", "the main branch got renamed to trunk", "called trunk"),
    ("We decided to build the app in Flutter", "we're going with React Native for the app instead", "in React Native"),
    ("My son goes to Oakwood Primary", "My son started at Hillview School this week", "Hillview School"),
    ("My dentist is Dr. Patel", "Dr. Patel retired, so it's Dr. Meyer from now on", "Dr. Meyer"),
    ("my landlord is Mr. Kowalski, he wants cash", "Kowalski sold the house, new owner is a Mrs. Lind", "Mrs. Lind"),
    ("my gym is PureGym on the high street", "cancelled PureGym. I train at a hall called Boulderwelt", "Boulderwelt"),
    ("My manager is Priya", "there was a reorg. I report to Dan now, he's from the data side", "Dan"),
    ("I have a Pixel 6", "got an iPhone 15 from my brother, first time off Android", "an iPhone 15"),
    ("I drive a 2012 Honda Civic", "the Civic died yesterday, so I picked up a used Mazda 3", "a Mazda 3"),
    ("the deploy window is Tuesdays 14:00 to 16:00", "we agreed with ops that deploys are Thursdays now", "Thursdays"),
    ("The project's deadline is May 15", "they need it later, so we have till June 30", "June 30"),
    ("the rent is 820 a month", "letter from Lind: it'll be 910 a month from March", "910 a month"),
    ("My daughter Emma is 6 years old", "Emma turned 7 yesterday!", "7 years old"),
    ("our API has versions in the path, current version is v2", "shipped v3 of the API yesterday", "version is v3"),
    ("We're running Postgres 14 in production.", "Production was upgraded to Postgres 16.", "Postgres 16"),
    ("路由器放在走廊的柜子里", "楼上信号太差，我们把路由器搬到书房了", "放在书房"),
    ("我们的服务都跑在阿里云上，两台小机器", "账单实在太贵，周末把服务都迁到腾讯云了", "腾讯云"),
    ("我们用Jira管需求", "需求管理换成飞书项目了，昨晚我一个人导的数据", "用飞书项目管需求"),
    ("每周三在阿杰家车库排练", "邻居报警了，以后排练都在社区中心", "社区中心"),
    ("仓库主干叫master", "主干rename成trunk了，大家记得重新拉", "主干叫trunk"),
    ("我在备考雅思", "我改考托福了", "托福"),
    ("我的牙医是潘医生", "潘医生退休了，以后都找梅医生看，她的诊所在车站旁边", "梅医生"),
    ("我的领导是周敏", "公司又调整架构了，我现在向丁涛汇报", "丁涛"),
    ("我用的是小米13", "我哥给了我一台iPhone 15，头一回用苹果", "iPhone 15"),
    ("手机是小米13", "入手了vivo X200，旧的给我妈了", "vivo X200"),
    ("我坐7点12的地铁上班", "新时刻表真烦，现在改坐6点58那趟了", "6点58"),
    ("发布窗口是每周二下午两点到四点", "和运维商量好了，发布改周四了", "周四"),
    ("房租每月3200", "林姐来信说三月起房租涨到3600", "3600"),
    ("我们线上最新版本v1.8.2", "今早v1.9.0全量了", "v1.9.0"),
    ("数据库是MySQL 5.7", "DBA昨晚把库升到8.0了，没出幺蛾子", "8.0"),
    ("儿子在实验小学读书", "儿子转学到育才小学了", "育才小学"),
    ("我老婆在医院当护士", "我老婆现在开花店", "开花店"),
    ("我职位是高级工程师", "我升职了,现在是技术经理", "技术经理"),
    ("我吃素，十年了", "因为缺铁，听医生的最近开始吃鱼了", "开始吃鱼"),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "change", "now"), CHANGES)
def test_the_new_value_stands_in_the_place_of_the_old_one(folder: Path, fact: str, change: str, now: str) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "one", fact))
        before = {text for _, text in believed(brain, "m")}
        brain.commit_turn(say("m", "two", change, at=2 * _DAY))
        after = {text for kind, text in believed(brain, "m") if kind != "events"}
        assert before.isdisjoint(after), after
        assert any(now in text for text in after), after


OTHERS = [
    ("The router manual is in the drawer", "we moved the router to the study"),
    ("My sister's router is in the hall", "we moved the router to the study"),
    ("The wifi router is in the hallway cupboard", "we moved the router to the study for the party"),
    ("Our office is on Mill Street", "we were thinking about moving the office to the harbour but it's too expensive"),
    ("My doctor is Dr. Huang", "Dr. Huang is on holiday so a Dr. Weber filled in today"),
    ("I have a Pixel 6", "got an iPhone 15 for my brother"),
    ("I have a Pixel 6", "I got Pixel art lessons"),
    ("I drive a Skoda Octavia", "rented a Tesla for the weekend, wow that thing accelerates"),
    ("I work at Siemens in Munich", "first day in Lisbon, lovely weather"),
    ("I work at Siemens in Munich", "my son starts at Oakwood on Monday"),
    ("My son goes to Oakwood Primary", "My daughter started at Hillview School this week"),
    ("My daughter Emma is 6 years old", "Ben turned 7 yesterday!"),
    ("we're on Postgres 13 in production", "staging was upgraded to Postgres 16"),
    ("our kafka in production is 3.4", "the test cluster went to Kafka 3.7 this morning"),
    ("Production runs Debian 11", "uat has Debian 12 by now"),
    ("生产环境的Kafka是3.4", "预发升到Kafka 3.7了"),
    ("I play tennis on Mondays", "Gus couldn't make it so we played on Thursday this week"),
    ("My boss is Helen", "Helen's boss is Marcus now, the old VP left"),
    ("My phone is a Pixel 8", "my phone is in the kitchen now"),
    ("I keep my passport in the desk drawer", "took the passport with me to the bank, it's back in its place"),
    ("路由器放在走廊的柜子里", "我把钥匙放在书房了"),
    ("我们公司在磨坊路", "本来想把公司搬到港口那边，太贵了，作罢"),
    ("我的医生是黄大夫", "黄大夫休假，今天是魏大夫代看的，开的药一样"),
    ("我的老板是何莲", "何莲的上级换成马总了，原来的副总走了"),
    ("我弟弟在读大三", "弟弟又换头像了，真闲"),
    ("我的护照放在书桌抽屉里", "护照今天带去银行用了一下，已经放回去了"),
    ("女儿在实验小学读书", "儿子转学到育才小学了"),
    ("我职位是高级工程师", "同事升职了,现在是技术经理"),
    ("我每天吃2.5毫克", "昨天v3上线了"),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "other"), OTHERS)
def test_what_is_of_something_else_or_for_a_time_changes_nothing(folder: Path, fact: str, other: str) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "one", fact))
        before = set(believed(brain, "m"))
        assert before
        brain.commit_turn(say("m", "two", other, at=2 * _DAY))
        assert before <= set(believed(brain, "m"))


def test_a_new_job_begins_on_its_day(folder: Path) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "one", "I work at Siemens in Munich"))
        brain.commit_turn(say("m", "two", "I start at Bosch on Monday, handed in my notice", at=2 * _DAY))
        assert ("profile", "employer: Bosch (since 2023-11-20, until then Siemens)") in believed(brain, "m")


def test_a_change_is_read_in_a_sentence_that_begins_with_something_else(folder: Path) -> None:
    """A decision took the whole sentence, and what it changed stood beside it."""
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "one", "发布窗口是每周二下午两点到四点。"))
        brain.commit_turn(say("m", "one", "每次发布都要提工单"))
        brain.commit_turn(say("m", "two", "和运维商量好了，发布改周四了", at=2 * _DAY))
        held = believed(brain, "m")
        assert ("knowledge", "Fact: 发布窗口是每周四下午两点到四点") in held
        assert any(kind == "decisions" for kind, _ in held)


@pytest.mark.parametrize(
    ("event", "later"),
    [
        ("The dentist appointment is on 16 November 2023.", "the dentist appointment went fine, back on 28 November"),
        ("The team dinner is on 15 November 2023.", "the team dinner was great, new menu on 28 November"),
    ],
)
def test_what_has_happened_is_not_moved_to_another_day(folder: Path, event: str, later: str) -> None:
    """Any day in a sentence with "back" or "new" took the place of the event's."""
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "one", event))
        before = set(believed(brain, "m"))
        brain.commit_turn(say("m", "two", later, at=6 * _DAY))
        assert before <= set(believed(brain, "m"))
