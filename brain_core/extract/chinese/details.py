"""What stands after a comma and goes on with what was read before it: 住西湖边上, 一天两次, 教数学的.

A rule reads one clause. What follows in the sentence without a subject of its own belongs to it, and would be lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from brain_core.extract.chinese.clauses import written
from brain_core.extract.chinese.jobs import JOBS
from brain_core.extract.language import Clause, Found, Rule, Scene
from brain_core.text.expression import Expression


def with_details(scene: Scene, start: int) -> tuple[str, tuple[int, int] | None]:
    """Return what was written from a place in the clause to its end and in the details after it, and its span.

    The span is None where no details follow. They are the next one or two parts of the sentence: of a short message
    any that begin with nobody else and ask, wish and feel nothing; of a longer one those that tell where, how much, by
    what or who.
    """
    sentence, text = scene.clause.sentence, scene.clause.text
    stop = end = max(sentence.find(text), 0) + len(text)
    is_short = len(scene.message) <= _A_SHORT_MESSAGE
    for _ in range(_MOST_DETAILS):
        following = _FOLLOWING.match(sentence, end)
        part = "" if following is None else following["part"]
        if following is None or _NO_DETAIL.search(part) or _SOMEBODY_ELSE.match(part):
            break
        if not is_short and _DETAIL.match(following["part"]) is None:
            break
        end = following.end()
    told = written(scene, start, len(text) + end - stop)
    return told, (start, len(text) + end - stop) if end > stop else None


def told_whole(rule: Rule, rules: Sequence[Rule]) -> Rule:
    """Return a rule whose values take in the details after the clause, where none of the rules reads anything there."""

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        for found in rule.build(match, scene):
            yield from _whole(found, scene, rules)

    return replace(rule, build=build)


def _whole(found: Found, scene: Scene, rules: Sequence[Rule]) -> Iterable[Found]:
    """Yield a value with its details, unless it is to be a word alone: 龙华 of 我搬到龙华了，跟人合租."""
    length = len(scene.clause.text)
    listed: Sequence[dict[str, str]] = found.given.get("facts") or []
    name = next((each for each in ("title", "content") if each in found.given), "")
    value = str(listed[0]["v"]) if len(listed) == 1 else str(found.given.get(name, ""))
    reaches_beyond = found.span is not None and found.span[1] > length
    clause = written(scene, 0, length)
    is_all = bool(value) and clause.rstrip("了的").endswith(value.rstrip("了的"))
    if found.denies or found.doubts or reaches_beyond or not is_all:
        yield found
        return
    whole, span = with_details(scene, 0)
    if str(found.given.get("date", "")) > scene.said.isoformat():  # where one will stay is no home
        rules = [rule for rule in rules if rule.type != "profile"]
    if span is None or _are_read(scene, length, span[1], rules) or (listed and listed[0]["k"] in _EXACT):
        yield found
    else:
        told = whole[clause.rfind(value.rstrip("了的")) :]
        given = {"facts": [{**listed[0], "v": told}]} if listed else {name: told}
        yield replace(found, given={**found.given, **given}, span=span)


def _are_read(scene: Scene, start: int, stop: int, rules: Sequence[Rule]) -> bool:
    """Return whether one of the rules reads something in the details, from `start` to `stop` of the clause on."""
    place = max(scene.clause.sentence.find(scene.clause.text), 0)
    for part in _PARTS.finditer(scene.clause.sentence, place + start, place + stop):
        clause = Clause(part[0], scene.clause.start + part.start() - place, scene.clause.sentence)
        beside = replace(scene, clause=clause, before=scene.clause.text)
        characters = set(part[0])
        for rule in rules:
            match = rule.pattern.search(part[0]) if characters & rule.cue_set else None
            if match is not None and any(True for _ in rule.build(match, beside)):
                return True
    return False


_PARTS = Expression(r"[^,，\s][^,，]*")
_EXACT = frozenset(
    (
        "name",
        "surname",
        "home",
        "workplace",
        "employer",
        "age",
        "origin",
        "floor",
        "birthday",
        "anniversary",
        "blood_type",
        "language",
    )
)
"""Facts whose value is a word, and stays one."""
_A_SHORT_MESSAGE = 40  # characters
_MOST_DETAILS = 2
_FOLLOWING = Expression(r"[,，]\s*(?P<part>(?:[^,，;；。.!！?？\n]|\.(?=\s?[A-Za-z0-9])){1,24})(?=[,，;；。.!！\n]|$)")
_SOMEBODY_ELSE = Expression(rf"(?:我的?)?(?:牙医|{JOBS})(?:是|叫|姓)")
"""Says who somebody else is: 医生是安大夫，牙医是吴大夫."""
_AMOUNT = (
    r"[0-9一二三四五六七八九十百千万两半几][0-9一二三四五六七八九十百千万两半几.]*\s*(?:块钱?|元|[万千百kK]|片|粒|颗|支|毫克|mg|毫升|ml|字|页|楼|层|岁|"
    r"个[月半人]|[年天周次遍]|分钟|小时|人|公?斤|寸|米|平|折|点半?|分|座|车|排)"
)
_DETAIL = Expression(
    r"\s*(?:就|都|也|还|又|现在|目前|一般|平时|已经|主要|一个人|[上下中]午|早上|晚上|睡前|饭[前后]|[早晚]各?)*(?:"
    r"(?:住|坐(?!等)|在|去(?!不)|从|跟|和(?!平)|由|到|叫|姓|教|学|读|念|上(?![天个]|午|去|来|火|次)|做|当(?!然|时)|开(?!心|始)|卖|管|带(?!来)|属|比我|吃|服|打(?!算|扰)|"
    r"用(?!不)|戴|养|订|存|归|交|定[在了]|约[在了]|安排在|地址|地点|位于)[^,，]{1,20}$|"
    r"[每隔一两三][天周月年晚早次日][^,，]{0,3}(?:次|片|粒|回|针|遍|[0-9一二三四五六七八九十两半])[^,，]{0,8}$|"
    rf"(?:一共|总共|大约?|约|[每一](?:学期|[年月天次人]))?{_AMOUNT}(?!了)[\u4e00-\u9fff]{{0,3}}$|"
    r"(?:预产期|地[点址]|时间|驻地|座位|票价|[教老][练师]|电话|学费|房号|单位|公司|学校|专业|航班|车次|酒店|名字)(?:就|定)?[在是姓叫][^,，]{1,16}$|说[^,，]{0,6}[还来到给交][^,，]{0,6}$)"
)
_NO_DETAIL = Expression(
    r"(?<![比归跟和])我|(?:交|移交|转|让)给|[你您咱他她它吗呢吧么?？]|过敏|忌口|什么|怎么|多少|几[点号]|哪|谁|推荐|帮|麻烦|谢|请|想|觉得|感觉|希望|可能|估计|好像|应该|不知道|死|烦|累|难受|难过|心疼|"
    r"担心|开心|高兴|激动|期待|紧张|可爱|真的?|太|好[^友几]|挺|很|哈|唉|呜|算了|加油|建议|注意|怕|忙|得[要去]|记得|别|不然|儿子|女儿|[爸妈爷奶哥姐弟妹]|要不|明天|后天|下周|今晚|"
    r"这[周几两]|本周|这个?(?:星期|礼拜)"
)
