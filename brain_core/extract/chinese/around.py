"""Whom the user has around them, and what they are, do or have, plainly told in Chinese: 房东姓李, 我表妹在杭州开店."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each
from brain_core.extract.chinese.details import with_details
from brain_core.extract.chinese.facts import NUMBER, facts, goes_on_of_another
from brain_core.extract.chinese.jobs import JOBS
from brain_core.extract.chinese.people import RELATIVE_TOLD, one_of, relative_fact
from brain_core.extract.chinese.vocabulary import RELATIVES, content_slug
from brain_core.extract.known import known_facts, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_OWN_KIN = "|".join(sorted("|".join(RELATIVES.values()).split("|"), key=len, reverse=True))
_KIN = (
    r"[表堂]?[哥姐弟妹][哥姐弟妹]?|大[姨姑伯舅]|[小二三][姨姑叔舅](?!子)|[叔姑姨舅伯婶][叔姑姨舅伯婶妈父]?(?!子)|干[爸妈爹娘]|嫂子|[姐妹]夫|弟[媳妹]|"
    r"[小大]舅子|小姨子|侄[子女]|外甥女?|孙[子女]|前[夫妻]|前?[男女]朋?友|继[父母]|公公|婆婆|岳[父母]"
)
_OTHERS = (
    r"领导|老板|上司|主管|经理|总监|组长|同事|室友|舍友|同桌|房东|邻居|班主任|辅导员|导师|老师|师傅|教练|医生|牙医|保姆|月嫂|钟点工|保安|管家|"
    r"中介|闺蜜|发小|朋友|同学|徒弟|学生|客户|搭档|合伙人|律师"
)
_WHOSE = (
    r"(?P<mine>我们?|咱们?|俺|本人)?的?(?:家|班|组|公司|单位|部门|小区|学校|宿舍|店里?)?的?"
    r"(?:(?P<of>孩子|儿子|女儿|娃|老[公婆]|[爸妈]妈?)家?的?)?(?:新来?的?|现在的?|以前的?|直属|大|小|[\u4e00-\u9fff]{1,3}(?=老师|教练|医生))?"
)
_CALLED = r"(?P<called>[小老阿][\u4e00-\u9fff]|[A-Z][a-zA-Z]{1,12})?"
_ADVERBS = (
    r"(?:现在|目前|今年|以前|之前|退休前|一直|也|都|刚|已经|就|才|还|上个?月|去年|前年|前几年|早就|人|平时|"
    r"[0-9一二三四五六七八九十两几]+年前)*"
)
_PETS = r"(?:猫|狗|犬|金毛|泰迪|柯基|柴犬|哈士奇|边牧|鸟|鹦鹉|鱼|兔子?|乌龟|仓鼠|鸡|鸭|羊|牛|猪|蜂|鸽子)"
_BODY = r"(?:耳朵|眼睛|眼神|腿脚|腿|腰|膝盖|记性|听力|视力|血压|血糖|心脏|胃|肺|颈椎)"
_AT_HAND = (
    r"(?:等|睡|玩|看|吃|喝|哭|吵|打|洗|做饭|收拾|聊|逛|排队|忙|楼下|楼上|门口|厨房|客厅|外面|路上|车上|旁边|一起|"
    r"家(?!里(?:带|养)))"
)
_LASTING = (
    rf"(?:是?属[鼠牛虎兔龙蛇马羊猴鸡狗猪](?:的)?|比我[大小]了?{NUMBER}(?:岁|个?月|轮)|"
    rf"是(?:个|一?[个名位])?(?:(?:做|搞|学|教|开|卖|跑|干)[^,，]{{1,10}}的|[^,，]{{2,8}}[上里]的|从[^,，]{{2,10}}(?:过来|来|调来|调|毕业)的|"
    rf"(?![^,，]{{0,3}}[好坏实人])[\u4e00-\u9fff]{{2,4}}人|[^,，]{{0,8}}(?:{JOBS}))|"
    rf"在(?![^,，]{{0,6}}{_AT_HAND})[^,，]{{1,12}}?(?:工作|上班|当|做|卖|开|教|读|念|上学|上大学|留学|种|带|干|跑|打工|摆摊|服役|定居|生活|养老)(?![^,，]*了)[^,，]{{0,10}}|"
    r"在(?:部队|国企|央企|外企|体制内|国外|老家|乡下|农村|[^,，]{0,6}(?:公司|集团|厂|局|研究所|事务所|研究院|出版社|铁路|电网))|"
    r"(?:开|经营|承包)(?:了|着)?(?:一?[家个间])?[^,，]{1,8}(?:店|馆|厂|公司|铺|诊所|农家乐|超市)|开(?:出租|货车|网约车|公交|大巴|滴滴|挖掘机)车?的?|"
    rf"养(?:了|着)?(?:{NUMBER}?[只条头匹])?[^,，]{{0,4}}{_PETS}[^,，]{{0,8}}|种(?:了|着)?{NUMBER}亩[^,，]{{0,6}}|(?:当|做)[^,，]{{0,6}}{JOBS}|教[^,，]{{1,6}}的|"
    r"(?:今年)?(?:[0-9]{1,3}|[二三四五六七八九]?十[一二三四五六七八九]?|[二三四五六七八九]十)(?:岁|了)(?:半|多|了)?|"
    r"(?:住|定居)(?:在|到)?[^,，]{2,12}|"
    rf"{_BODY}[^,，]{{0,2}}(?:背|聋|花|不好|不太好|不行|不便|高|低|差|有问题)了?|"
    r"(?:装|放|搭|做|动|换|切)(?:了|过)[^,，]{0,6}(?:支架|起搏器|搭桥|手术|关节|白内障|阑尾|假牙|助听器)[^,，]{0,4}|"
    r"(?:有|得了|得过|查出|确诊)了?[^,，]{0,6}(?:病|高血压|糖尿病|炎|症|瘤|癌|结石|结节|心脏病|痛风|哮喘)|"
    r"(?:考上|考进|读|上|念|毕业于|保研到)(?:了|的)?[^,，]{0,14}(?:大学|中学|小学|高中|初中|学院|幼儿园|年级|研究生|博士|硕士|专业|系|大)|在?读[研博])"
)
_NOT_LASTING = Expression(
    r"今[天晚早]|昨|明[天早晚]|后天|刚才|觉得|认为|说|喜欢|最近|想|问|让|可能|好像|听说|如果|要是|[你您他她]|(?:的(?:话|时候|意见|问题))|不是|没有?|[吗呢么?？]\s*$"
)


def _named(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what somebody is called: 房东姓李, 我领导叫小普."""
    if match["mine"] is None and (_NOBODYS.search(match["who"]) or goes_on_of_another(scene)):
        return
    if RELATIVE_TOLD.search(scene.clause.text):
        return
    k = "" if match["of"] else one_of(match["who"])
    named = content_slug((match["of"] or "") + match["who"])
    held = any(name == k for name, _ in known_facts(scene.known))
    known = _known_as(match["who"], scene)
    if k and (held or (match["mine"] and not known)):
        told, span = with_details(scene, match.start("name" if match["name"] else "told"))
        yield Found(facts((k, told)).given, type="profile", span=span)
    else:
        yield _told_of(match, scene, known or named)


def _known_as(who: str, scene: Scene) -> str:
    """Return the slug of the knowledge that says who somebody is of whom there is one: 房东是老柯."""
    says = re.compile(rf"(?:我们?)?(?:家|班|组)?的?{who}(?:现在|就)?[是叫姓]")
    values = (value_of(item) for item in scene.known.active("knowledge"))
    return next((str(each["slug"]) for each in values if says.match(fold(str(each.get("content", ""))))), "")


_NOBODYS = Expression(r"老师|医生|师傅|同学|学生|朋友|客户|律师")
"""Said without 我 they may be anybody's."""


def _told_of(match: re.Match[str], scene: Scene, named: str) -> Found:
    """Return what is told of somebody: of the nearest relatives as a fact of the user, else as knowledge so named."""
    if not match["of"] and re.fullmatch(_OWN_KIN, match["who"]):
        return relative_fact(match["who"], scene, 0)
    told, span = with_details(scene, 0)
    return Found({"kind": "fact", "slug": named, "content": told}, type="knowledge", span=span)


_BY_TITLE = Expression(rf"^是[\u4e00-\u9fff]{{1,2}}(?:{JOBS})$")
"""Who it is, and not what: 是潘医生."""
_SIDE = 6
"""Characters of what is told that name it."""


def _plainly(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if match["mine"] is None and (goes_on_of_another(scene) or not re.fullmatch(_OWN_KIN, match["who"])):
        return
    if _NOT_LASTING.search(text) or RELATIVE_TOLD.search(text) or _BY_TITLE.search(match["told"]):
        return
    named = content_slug((match["of"] or "") + match["who"] + (match["called"] or ""))
    yield _told_of(match, scene, f"{named}_{content_slug(match['told'])[:_SIDE]}")


_WHO = rf"^\s*{_WHOSE}(?P<who>{_OWN_KIN}|{_KIN}|{_OTHERS})"
AROUND: tuple[Rule, ...] = (
    Rule(
        "named_around", "", each("姓叫"),
        Expression(
            rf"{_WHO}(?:就|也|还|现在)*(?P<told>姓[\u4e00-\u9fff]{{1,2}}|(?:名字)?叫(?P<name>(?!做?[我你他她它大人车醒来去])[\u4e00-\u9fff]{{2,4}}|"
            r"[A-Z][A-Za-z]{1,12}))\s*$"
        ),
        _named, shares=True, vital=True,
    ),
    Rule(
        "told_around", "", each("属比是在开养种当做教岁了住背聋花好行便高低差题装放动换切有得查确考读上念毕"),
        Expression(rf"{_WHO}{_CALLED}家?{_ADVERBS}(?P<told>{_LASTING})\s*$"),
        _plainly, shares=True,
    ),
)  # fmt: skip
"""Both share the clause: it may tell the user's own as well."""
