"""What was owed and is paid, and what was to come and does not: 押金拿回来了, 我退赛了, 女儿来不了了."""

from __future__ import annotations

import re
from collections.abc import Iterable

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.chinese.clauses import each, rest_of_sentence, written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.moves import due_of, is_of_others
from brain_core.extract.chinese.recall import content_words, spoken_of, told
from brain_core.extract.chinese.target import of_one_day
from brain_core.extract.chinese.vocabulary import RELATIVE, content_slug
from brain_core.extract.known import denial, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def _paid(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read that a debt is paid: the only one that is known, or the only one of whom or of what is named."""
    sentence = _NOTHING_SHORT.sub("", scene.clause.sentence)
    if _NOT_PAID.search(sentence):
        return
    clause = scene.clause.text
    held = [item for kind in ("tasks", "knowledge", "events") for item in scene.known.active(kind) if _is_a_debt(item)]
    source = _FROM_ELSEWHERE.search(sentence)
    held = [item for item in held if not is_of_others(clause, told(item)) and (not source or source[0] in told(item))]
    named = [item for item in held if content_words(clause) & content_words(told(item))]
    met = named or held
    if len(met) != 1:
        return
    item = met[0]
    if item.type != "tasks":
        yield Found(denial(item), type=item.type, denies=True)
    else:
        value = value_of(item)
        yield Found({**denial(item), "title": value["title"], "status": "done", **due_of(value)}, type="tasks")


def _is_a_debt(item: MemoryItem) -> bool:
    return _OWED.search(fold(told(item))) is not None and value_of(item).get("status") != "done"


_OWED = Expression(r"欠(?!费|缺|揍)|借(?:了|给|走)|尾款|没(?:给|还|结|付)[^,，]{0,4}(?:钱|款|账)")
_NOT_PAID = Expression(
    r"没|还[差剩欠]|一半|一部分|部分|只|先|才|答应|[下后明]个?[周天月年]|会|要是|如果|假如|准备|打算|应该|说(?:好|是|要)|快|[吗么?？]\s*$|又|再"
)
_NOTHING_SHORT = Expression(r"一分(?:钱)?(?:都|也)?[没不]少")
_FROM_ELSEWHERE = Expression(r"工资|奖金|报销|退税|保险|理赔|稿费|红包|公积金|分红|年终")
"""Money that comes and is nobody's debt, where no debt is called so."""
_MONEY = (
    r"(?:[尾货工余欠借定退]?款|[^,，]{0,4}钱|[^,，]{1,3}费|押金|定金|订金|欠[债账的]|账|房租|工资|借的|抚养费|"
    r"[0-9一二两三四五六七八九十]+[万千百块][0-9一二三四五六七八九十百千]*块?)"
)
_BACK = (
    r"(?:给|还|结|付|打|转|退|拿|要|收|补|汇|讨)(?:清|完|齐|掉|到|回来?|过来|上|给我们?|我们?){0,3}了|"
    r"[到入][账帐]了|两清了|结清了?|还清了?"
)


def _withdraws(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我退赛了 of the race that is to come, named or the only one."""
    clause = scene.clause.text
    if _UNSURE.search(clause) or _PERHAPS.search(scene.clause.sentence) or _SOMEBODY.search(clause[: match.start()]):
        return
    to_come = [item for item in scene.known.active("events") if _is_to_come(item, scene)]
    kind = _TICKETS if "票" in match[0] else _RACES
    fitting = [item for item in to_come if kind.search(fold(told(item)))]
    one = spoken_of(scene, clause[: match.start()], ("events",))
    if one is not None and one in to_come:
        fitting = [one]
    if len({item.source_message_id for item in fitting}) == 1:
        told_with = fitting[0].source_message_id
        yield from (
            Found(denial(item), type="events", denies=True) for item in to_come if item.source_message_id == told_with
        )


def _is_to_come(item: MemoryItem, scene: Scene) -> bool:
    value = value_of(item)
    return str(value.get("until") or value.get("date", "")) >= scene.said.isoformat()


_RACES = Expression(r"马拉松|[半全]马|越野|铁三|比赛|[^比]赛|选拔")
_TICKETS = Expression(r"票|飞|航班|演唱会|演出|高铁|火车")
_SOMEBODY = Expression(
    rf"{RELATIVE}|[他她]|[小老阿](?!区|家|板)[\u4e00-\u9fff](?![了被])|同[事学]|朋友|室友|邻居|客户|老板|队友|跑友|别人|有人"
)
_UNSURE = Expression(
    r"如果|要是|假如|万一|可能|也许|说不定|想|打算|考虑|差点|没|不(?:会|想|能|用)|别|[吗么?？]\s*$|要不要|是不是"
)


def _comes_not(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that who was to come does not, and the day on which they come instead, if one is told."""
    clause, who = scene.clause.text, match["who"]
    if who is None:
        begins = _BEGINS_WITH.match(scene.before) if scene.before in scene.clause.sentence else None
        who = None if begins is None else begins["who"]
    if who is None or of_one_day(clause) or _PERHAPS.search(scene.clause.sentence):
        return
    to_come = [item for item in scene.known.active("events") if _is_to_come(item, scene)]
    met = [item for item in to_come if who in fold(told(item)) and _COMES.search(fold(told(item)))]
    if len(met) != 1:
        return
    yield Found(denial(met[0]), type="events", denies=True)
    content, span = rest_of_sentence(scene, 0)
    day = first_day(fold(content)[len(written(scene, 0, len(clause))) :], scene.said)
    if day is not None and day.exact and day.day > scene.said:
        slug = content_slug(fold(told(met[0])))
        yield Found({"date": day.day.isoformat(), "title": content, "slug": slug}, type="events", span=span)


_COMES = Expression(r"来|回|到|过年")
_PERHAPS = Expression(r"如果|要是|假如|万一|可能|也许|说不定|怕|担心|会不会|[吗么?？]\s*$|要不要|是不是|饭")

_WHO = (
    rf"(?P<who>{RELATIVE}|婆婆|公公|岳[父母]|丈母娘|[哥姐弟妹]|[小老阿][\u4e00-\u9fff]|师傅|客户|朋友|同学|亲家|房东)"
)
_BEGINS_WITH = Expression(rf"^(?:对了|唉|哎|结果|[,，\s])*(?:我们?家?的?)?{_WHO}")

SETTLED: tuple[Rule, ...] = (
    Rule(
        "debt_paid", "tasks", each("给还结付打转退拿要收补汇讨账帐清"),
        Expression(rf"{_MONEY}[^,，没不]{{0,12}}?(?:{_BACK})|(?:{_BACK})[^,，没不]{{0,4}}{_MONEY}|把[^,，没不]{{0,8}}{_MONEY}[^,，没不]{{0,6}}(?:{_BACK})"),
        _paid, insists=True, vital=True,
    ),
    Rule(
        "withdrawn", "events", each("退弃"),
        Expression(r"退(?:了)?(?:赛|报名|票|机票|车票|门票)|弃[赛权]|(?:报名|名额|[机车门]?票)(?:已经|都|也|给|我){0,3}(?:退|转(?:让|出|给[^,，]{1,8}))(?:掉)?了"),
        _withdraws, insists=True, vital=True,
    ),
    Rule(
        "comes_not", "events", each("来回"),
        Expression(
            rf"^(?:(?:我们?家?的?)?{_WHO}(?:他们|她们|一家|那边|又|还是|突然|临时|也|说|打电话|跟我|今年|这次|恐怕){{0,5}}|(?:又|就|还是|说|今年|这次|也){{0,3}})"
            r"(?:(?:来|回来|过来|回|到)不了|(?:不|没法|不能)(?:来|回来|过来|回|回去|回家)(?=了|$))(?:了|啦)?[。.!！~～\s]*$"
        ),
        _comes_not, insists=True, vital=True,
    ),
)  # fmt: skip
"""Before what becomes of tasks and events in other words. They insist: they only end what is known."""
