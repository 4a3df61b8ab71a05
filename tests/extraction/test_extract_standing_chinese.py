"""What of Chinese talk can be kept as it stands: whom it tells of, what happens, and not what only answers another."""

from __future__ import annotations

from datetime import date

import pytest

from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.standing import stands_alone
from brain_core.extract.language import Clause, Scene
from brain_core.kinds.draft import Draft
from tests.extraction.reading import SAID, Held, drafts, item


def _kept(sentence: str, item_type: str) -> bool:
    return stands_alone(Scene(Clause(sentence, 0, sentence), SAID.date(), Held(), sentence), item_type)


def _rules(text: str) -> set[str]:
    return {each.rule for each in drafts(text)}


def _facts(drafted: list[Draft]) -> dict[str, str]:
    return {fact["k"]: fact["v"] for each in drafted for fact in each.given.get("facts", ())}


@pytest.mark.parametrize(
    ("sentence", "item_type"),
    [
        ("弄完了。", "decisions"),
        ("就三号到五号。", "events"),
        ("约到下周四上午九点。", "events"),
        ("他在苏州买了房子。", "knowledge"),
        ("全家都用这种。", "knowledge"),
        ("两箱：一箱苹果，一箱梨。", "knowledge"),
        ("寄了，顺丰的，明天到。", "tasks"),
        ("我老板想让我去广州。", "goals"),
        ("或者改成二十号晚上的火车。", "events"),
        ("我一个人出门逛了逛。", "profile"),
        ("王大夫还说别喝浓茶。", "preferences"),
        ("打印机又报错，白折腾半天。", "knowledge"),
    ],
)
def test_what_says_nothing_alone_is_not_proposed(sentence: str, item_type: str) -> None:
    assert not _kept(sentence, item_type)


@pytest.mark.parametrize(
    ("sentence", "item_type"),
    [
        ("我妹妹的入学通知到了。", "events"),
        ("四月二号我陪爸爸去做胃镜。", "events"),
        ("仓库的钥匙在传达室老周那里。", "knowledge"),
        ("弃了弃了，我改主意报自行车队。", "decisions"),
        ("打算秋天前学会自由泳。", "goals"),
        ("周日前得把押金条寄给中介。", "tasks"),
        ("我平时只骑车上班。", "preferences"),
        ("我在自学吉他。", "profile"),
        ("我女儿今年高二，住校。", "profile"),
    ],
)
def test_what_can_be_read_alone_is_proposed(sentence: str, item_type: str) -> None:
    assert _kept(sentence, item_type)


@pytest.mark.parametrize("text", ["十一月去体检", "住在十一楼", "在阳光花园一号吃的饭", "三号仓在装修"])
def test_a_number_before_a_measure_or_in_a_name_is_no_feast_and_no_day(text: str) -> None:
    day = first_day(text, date(2026, 3, 18))
    assert day is None or not day.exact


@pytest.mark.parametrize(("text", "day"), [("十一回老家", "2026-10-01"), ("一号去报到", "2026-04-01")])
def test_the_feast_and_the_day_of_the_month_still_are(text: str, day: str) -> None:
    found = first_day(text, date(2026, 3, 18))
    assert found is not None and found.day.isoformat() == day


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("看了三个: 一个大的, 一个小的, 一个带阳台的", "task_several"),
        ("下一件: 外套, 领子, 袖子", "task_several"),
        ("那颗牙是八年前在老家补的", "task_deadline"),
        ("我先记着，回头再说", "remember_that"),
        ("谢谢提醒，我记下了", "remember_that"),
        ("我妈叫她小赵", "profile_relative"),
        ("她家里有只猫叫团团", "profile_pet"),
        ("我坐在这边，挨着林老师。", "profile_trade"),
        ("底线我定9000吧", "preference_absolute"),
        ("日期写的5月6日", "preference_directed"),
        ("你别老给它喂零食", "preference_direction"),
        ("医生让换粮，只吃鱼肉的罐头", "preference_refusal"),
        ("我家的狗从来不咬人", "preference_only"),
        ("我选2，便宜些", "decision_made"),
        ("行李我带着，听你的了", "decision_made"),
        ("她家定的是木地板", "decision_made"),
        ("我老板是天津人", "entity_in_charge"),
        ("我妹妹在外地，在医院当护士", "profile_employer"),
        ("我男朋友叫陈默，在银行做柜员", "profile_employer"),
        ("或者改21号晚上的航班", "event_dated"),
        ("两年内不想搬家", "event_dated"),
    ],
)
def test_it_is_not_read_by_that_rule(text: str, rule: str) -> None:
    assert rule not in _rules(text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("今天三件: 交水费、取快递、给花换盆", "task_several"),
        ("护照下周五到期", "task_deadline"),
        ("车库密码是 4471，帮我记一下", "remember_that"),
        ("我妈叫周玉兰", "profile_relative"),
        ("家里养了一只猫叫团团", "profile_pet"),
        ("我是高中物理老师", "profile_being"),
        ("只喝热水", "preference_refusal"),
        ("我坚决不网购生鲜", "preference_only"),
        ("我们选 B，靠湖那家，定了", "decision_made"),
        ("我老板是赵宏伟", "entity_in_charge"),
        ("我在银行做柜员", "profile_employer"),
    ],
)
def test_it_still_is_read_by_that_rule(text: str, rule: str) -> None:
    assert rule in _rules(text)


def test_a_day_alone_is_told_with_what_stands_before_it_in_the_sentence() -> None:
    titles = [each.given["title"] for each in drafts("表妹的通知来了，23号入职") if each.kind.type == "events"]
    assert titles == ["表妹的通知来了，23号入职"]


def test_a_bare_day_is_of_the_month_that_it_is_moved_from() -> None:
    held = item("events", date="2026-05-12", title="5月12号培训", slug="培训")
    dates = [each.given.get("date") for each in drafts("培训从5月12号改到20号", held) if not each.denies]
    assert dates == ["2026-05-20"]


def test_words_that_tell_nothing_put_nothing_right() -> None:
    held = item("knowledge", kind="fact", slug="报税", content="报税时要带身份证")
    assert not [each for each in drafts("我不在时是老马看店", held) if each.rule == "correction_contrast"]


def test_what_one_is_asked_to_remember_of_this_stands_before_it() -> None:
    [kept] = [each for each in drafts("东门的钥匙有两把。这个记一下，下月再配。") if each.rule == "remember_that"]
    assert kept.given["content"] == "东门的钥匙有两把"


@pytest.mark.parametrize(("text", "k"), [("老家在湖南。", "origin"), ("你好，今天是我的生日", "birthday")])
def test_a_fact_told_at_once_is_the_users(text: str, k: str) -> None:
    assert k in _facts(drafts(text))
