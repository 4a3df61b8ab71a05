"""What other people, and animals, must not be given, told in Chinese: 我妹妹小美不能吃花生, 小李不吃肉."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each
from brain_core.extract.chinese.details import with_details
from brain_core.extract.chinese.people import PETS
from brain_core.extract.chinese.target import of_one_day
from brain_core.extract.chinese.vocabulary import RELATIVE, content_slug, relative_of
from brain_core.extract.chinese.whose import last_named
from brain_core.extract.language import Build, Found, Rule, Scene
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

_LONGEST = 60
_NEAR = rf"{RELATIVE}|[表堂][哥姐弟妹]|[叔姑姨舅][叔姑姨舅妈父]?|侄[子女]|外甥女?|同事|同学|朋友|闺蜜|室友|邻居|{PETS}"
_ADVERBS = (
    r"(?>从小|天生|一直|一向|从来|向来|现在|平时|也|都|就|是|因为|真的?|完全|绝对|"
    r"一点|严格|医生说|[以今]后|从此|再也|的)*"
)
_NO_NAME = (
    r"(?!从小|天生|一[直向点]|从来|向来|现在|平时|因为|真的|完全|绝对|严格|医生|以前|之前|今[天晚年]|最近|昨天|刚刚|已经|可能|好像|应该|"
    r"[不没也都就是才吃喝有得患能可说想要会最很太])"
)
_TWICE = (
    "乐乐|豆豆|毛毛|贝贝|宝宝|果果|糖糖|琪琪|欢欢|朵朵|童童|妞妞|多多|圆圆|可可|妮妮|萌萌|佳佳|晨晨|轩轩|涵涵|萱萱|瑶瑶|洋洋|阳阳|"
    "浩浩|壮壮|丫丫|团团|球球|咪咪|点点"
)
"""Names of children and pets that say one character twice."""
_LEAD = (
    r"^(?:其实|对了|还有|另外|不过|但是?|而且|记住|记得|请|好的?|"
    r"(?:医生|大夫|医院)(?:说|叮嘱|交代|嘱咐|讲|强调|告诉我们?|提醒我们?)(?:了|过)?|[,，\s])*"
)
_NAMED = (
    rf"(?:我们?家?的?(?P<kin>{_NEAR})(?P<called>{_NO_NAME}[\u4e00-\u9fff]{{2,3}}?|[A-Z][a-z]+)?"
    rf"|(?P<name>{_TWICE}|(?:小(?![孩朋时麦米吃学区说姐猫狗鸟鸡鱼宝心]|伙伴)|老(?![人年外鼠虎师家百板是婆公])|阿(?![姨拉尔司]))[\u4e00-\u9fff]{{1,2}}?|"
    r"[A-Z][a-zA-Z]{1,12}))"
)
_WHO = _LEAD + _NAMED
_NOTHING = r"(?!饭|早[饭餐]|午|晚[饭餐]|东西|什么|[药这那亏醋软硬苦多太我你他她完下到够饱惯起得出吗呢素斋])"
_CONDITION = (
    r"(?:[12一二]型)?糖尿病|高血压|低血糖|哮喘|癫痫|心脏病|冠心病|痛风|胃溃疡|肾病|肝炎|甲亢|甲减|帕金森|阿尔茨海默|自闭症|抑郁症|"
    r"蚕豆病|乳糜泻|克罗恩病|红斑狼疮|癌症?"
)


def _of(sort: str) -> Build:
    """Return what reads what somebody else must not be given, named by who it is and by what: there may be more."""

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        text = scene.clause.text
        if of_one_day(text) or _PASSING.search(text):
            return
        who = match["name"] or f"{relative_of(match['kin'])}_{match['called'] or ''}"
        if not match["name"] and relative_of(match["kin"]) == "family":
            who = f"{match['kin']}_{match['called'] or ''}"
        named = slug(f"{who}_{sort}_{content_slug(match['what'])}", _LONGEST)
        content, span = with_details(scene, 0)
        yield Found({"kind": "fact", "slug": named, "content": content}, span=span)

    return build


_PASSING = Expression(r"最近|这[次几顿两]|[吗么?？]\s*$|如果|要是|假如|以前|之前|小时候|[他她它你]")


def _of_one_named(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what somebody must not be given of whom a clause before tells: 我老婆怀孕了，不能吃生鱼片."""
    who = last_named(scene)
    if who and not _PASSING.search(scene.clause.text):
        told, span = with_details(scene, 0)
        content = f"{who}，{told}"
        named = slug(f"{content_slug(who)}_diet_{content_slug(match['what'])}", _LONGEST)
        yield Found({"kind": "fact", "slug": named, "content": content}, span=span)


OTHERS: tuple[Rule, ...] = (
    Rule(
        "food_of_one_named", "knowledge", each("吃喝碰沾"),
        Expression(rf"^{_ADVERBS}不(?:能|可以?|准|许|让)(?:再)?(?:吃|喝|碰|沾)(?P<what>{_NOTHING}[^,，。！!了吗]{{1,12}}?)[。.!！~～\s]*$"),
        _of_one_named, vital=True,
    ),
    Rule(
        "food_of_another", "knowledge", each("吃喝碰沾忌"),
        Expression(
            rf"{_WHO}{_ADVERBS}(?:不(?:能|可以?|准|许|让|敢)?(?:再)?(?:吃|喝|碰|沾)|忌(?:口|吃)?)(?P<what>{_NOTHING}[^,，。！!了吗]{{1,12}}?)(?:了|啦)?[。.!！~～\s]*$"
        ),
        _of("diet"), vital=True,
    ),
    Rule(
        "food_first_of_another", "knowledge", each("吃喝碰沾"),
        Expression(
            rf"{_LEAD}(?P<what>(?![他她这那])[^,，我你他她的不]{{1,8}}?){_NAMED}{_ADVERBS}(?:不(?:能|可以|敢)(?:再)?[吃喝碰沾]|[吃喝碰沾]不得)(?:了|的)?[。.!！~～\s]*$"
        ),
        _of("diet"), vital=True,
    ),
    Rule(
        "diet_of_another", "knowledge", each("素斋清"),
        Expression(rf"{_WHO}{_ADVERBS}(?:只)?(?:吃|是)?(?P<what>(?:全|纯|长)?素食?(?:者|主义者)?|斋|清真(?:餐|菜|食品)?)(?:的)?[。.!！~～\s]*$"),
        _of("diet"), vital=True,
    ),
    Rule(
        "condition_of_another", "knowledge", each("病压喘糖痫风亢减炎症"),
        Expression(rf"{_WHO}{_ADVERBS}(?:有|得了?|患有?|患了|确诊了?|查出了?来?)(?:严重的?)?(?P<what>{_CONDITION})了?[。.!！~～\s]*$"),
        _of("health"), vital=True,
    ),
)  # fmt: skip
"""All vital, as those of the user's own: read however little the judge thinks of the sentence."""
