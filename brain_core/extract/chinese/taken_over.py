"""Who or what comes in the place of one that is over: 潘医生退休了，以后都找梅医生看; 我现在向丁涛汇报."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.facts import facts
from brain_core.extract.chinese.makes import MAKES, kind_of
from brain_core.extract.chinese.recall import own, profile_fact
from brain_core.extract.chinese.relocated import told_of
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.known import known_facts, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.replaced import with_value
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def _follows(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read whom one has now, or where one goes, after whom or what the sentence has said to be over."""
    before = scene.clause.sentence.partition(scene.clause.text)[0] + scene.clause.text[: match.start("by")]
    new = written(scene, *match.span("new"))
    if _UNREAL.search(scene.clause.sentence) or not new or _NOBODY.search(new):
        return
    over = [found["old"] for found in _OVER.finditer(before)]
    held = [(item, fact, old) for item, fact, text in told_of(scene) for old in over if _names(old, text)]
    if len(held) == 1 and held[0][2] != new:
        item, fact, old = held[0]
        yield from with_value(item, fact, old, new, content_slug)


def _names(old: str, text: str) -> bool:
    return (
        len(old) > 1
        and re.search(rf"{re.escape(old)}(?:$|[^一-鿿]|医生|老师|教练|[在那帮给来的，,])", text) is not None
    )


_OVER = Expression(
    r"(?:^|[,，。！!])(?:可惜|不过|因为|听说|原来的|上周|昨天|最近|今天)*(?P<old>[一-鿿A-Za-z]{2,6}?)(?:已经|也|上[周个]月?|昨天|要|去)*"
    r"(?:退休|离职|辞职|辞|走|休产假|休长假|调走|调去[^,，]{1,6}|搬走|去世|不干|不做|不带|关门|关|倒闭|跑路(?:去[^,，了]{1,6})?|停业|卖|"
    r"人太多|太贵|太远|弃|退|退卡|取消|把[^,，]{1,6}卖)(?:掉)?了?(?=[,，。！!]|太多|退卡|现在|以后)"
)
_NOBODY = Expression(r"[他她它你您]|谁|什么|哪|别人|别的|其他|新的|^(?:自己|我|另|再|一下)")
_UNREAL = Expression(r"[?？吗]|如果|要是|假如|可能|也许|暂时|临时|这[周次两几]|今天(?!起)|代看|顶班|先(?!生)|梦|没|想")
_BY = r"(?P<by>)(?:找|由|跟着?|换成了?|换|改找|改跟|改去|改用|是|叫|联系|去|在|用)"


def _reports(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我现在向丁涛汇报 of whoever has been told to be the boss."""
    new = written(scene, *match.span(next(name for name in ("v", "v2", "v3") if match[name])))
    held = {k: v for k, v in known_facts(scene.known) if k in _BOSSES}
    if held and not _NOBODY.search(new):
        k = next(iter(held))
        yield profile_fact(k, new)


_BOSSES = frozenset({"boss", "manager", "leader"})


def _first_day(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 今天第一天到大疆报到: where one works, of who has told a job; a role that tells where ends with it."""
    held = {k: v for k, v in known_facts(scene.known) if k in {"employer", "role"}}
    org = written(scene, *match.span("v"))
    head = scene.clause.text[: match.start()]
    if (
        not held
        or _A_SCHOOL.search(org)
        or _OTHERS.search(f"{head}{scene.before}")
        or _UNREAL_JOB.search(scene.clause.sentence)
    ):
        return
    yield facts(("employer", org))
    if "employer" not in held and fold(org) not in fold(held["role"]):
        yield profile_fact("role", held["role"], denies=True)


_A_SCHOOL = Expression(r"学校|小学|中学|高中|大学|幼儿园|学院|班$|酒店|驾校|健身|营$")
_OTHERS = Expression(r"[他她]|儿子|女儿|闺女|孩子|老[公婆]|同事|朋友|[爸妈弟妹哥姐]|同学|室友")
_UNREAL_JOB = Expression(r"[?？吗]|如果|要是|假如|可能|面试|梦|去年|前年|当年|以前|[0-9一二三四五六七八九十]+年前")


def _got(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我哥给了我一台iPhone 15 of a phone or car that is known."""
    name = written(scene, *match.span("v"))
    kind = kind_of(fold(name))
    text = scene.clause.sentence
    anothers = not match[0].startswith(("给", "送")) and _OTHERS.search(scene.clause.text[: match.start()])
    if not kind or anothers or _BESIDES.search(text):
        return
    if kind in dict(known_facts(scene.known)):
        yield facts((kind, name))
        return
    held = [
        (item, fact, found[0])
        for item, fact, text in told_of(scene)
        if (found := _A_MAKE.search(text)) is not None and kind_of(found[0]) == kind and _OTHERS.search(text) is None
    ]
    if len(held) == 1:
        item, fact, old = held[0]
        yield from with_value(item, fact, old, name, content_slug)


_A_MAKE = Expression(rf"{MAKES}[A-Za-z0-9 +]{{0,12}}", re.IGNORECASE)


_BESIDES = Expression(
    r"[?？吗]|给(?!了?我)[^,，]{1,4}(?:买|换|订|入)|工作机|备用|备机|第二|再|也|租|借|公司配|模型|玩具|壳|想|打算|准备|如果"
)


def _eats_again(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 最近开始吃鱼了 of who has told to eat none: how one eats is told anew."""
    if _NOT_SO.search(scene.clause.text) or _OTHERS.search(f"{scene.before}{scene.clause.text[: match.start()]}"):
        return
    now = written(scene, match.start("told"), len(scene.clause.text))
    for item in scene.known.active("preferences"):
        value = value_of(item)
        if value.get("name") == "diet" and _MEATLESS.search(fold(str(value["value"]))):
            yield Found({**own(value), "value": now}, type="preferences")
            return
    for k, v in known_facts(scene.known):
        if _MEATLESS.search(fold(v)) and _OTHERS.search(fold(v)) is None:
            yield profile_fact(k, v, denies=True)
            yield Found({"scope": "other", "name": "diet", "value": now}, type="preferences")
            return


def _agreed_only(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我跟他说好只周末去 of the one thing that has been told to be done as often or on other days."""
    if _UNREAL_RULE.search(scene.clause.sentence):
        return
    held = [
        (item, fact, often[0])
        for item, fact, text in told_of(scene)
        if match["does"] in text and item.session_id == scene.session and (often := _OFTEN.search(text)) is not None
    ]
    new = written(scene, *match.span("new"))
    if len(held) == 1 and fold(new) not in held[0][2]:
        item, fact, old = held[0]
        yield from with_value(item, fact, old, f"只{new}", content_slug)


_WEEKDAYS = r"(?:周|星期|礼拜)[一二三四五六日天末](?:[、和跟]?(?:周|星期|礼拜)?[一二三四五六日天末])*"
_OFTEN = Expression(rf"(?:每[天日晚早周]|天天|隔天|工作日|平时|{_WEEKDAYS})(?:都|就)?")
_UNREAL_RULE = Expression(r"[?？吗]|如果|要是|假如|可能|也许|梦|没|以前|本来|原来")


_NOT_SO = Expression(r"不|没|如果|要是|想|打算|准备|[?？吗]|梦|今天|这[次顿]")
_MEATLESS = Expression(r"吃[全纯]?素|素食|纯素|吃斋|全素|vegan|vegetarian", re.IGNORECASE)
_MEAT = r"(?:鱼|肉|荤|海鲜|鸡|鸭|牛|羊|猪|虾|蟹)(?!蛋|奶)[一-鿿]{0,3}?"

TAKEN_OVER: tuple[Rule, ...] = (
    Rule(
        "reports_to", "profile", each("汇"),
        Expression(
            r"^\s*(?:所以|那|现在|以后|今后|[,，\s])*我(?:现在|以后|今后|改|就|都|直接)*(?:向|跟|给)(?P<v>[一-鿿A-Za-z]{2,6}?)汇报(?:了|工作)*\s*$|"
            r"^\s*(?:所以|那|[,，\s])*我(?:现在|以后|今后|改|就|都|直接)*汇报给(?P<v2>[一-鿿A-Za-z]{2,6}?)了?\s*$|"
            r"^\s*我的?汇报(?:线|对象)(?:现在|改成|换成|变成|就|是)+了?(?P<v3>[一-鿿A-Za-z]{2,6}?)了?\s*$"
        ),
        _reports, vital=True,
    ),
    Rule(
        "first_day_at", "profile", each("报入班"),
        Expression(
            r"^\s*(?:对了|终于|总算|[,，\s])*(?:我)?(?:今天|昨天|前天|周[一二三四五六日天]|上周[一二三四五]?|刚|正式|是|我)*"
            r"(?:第一天)?(?:到|去|在|来)(?P<v>[^,，。到去在来我]{2,12}?)(?:报到|入职)(?:了|啦)?\s*$"
        ),
        _first_day, vital=True,
    ),
    Rule(
        "got_one", "profile", each("给买入换提"),
        Expression(
            r"(?:给了?我|送了?我|(?:刚|昨天|前天|上周|今天|最近)?(?:入手|买|换|提|换成|换上|升级)(?:成|到)?了?)(?:一?[台部辆款个])?(?:二手|全新|新|的)*"
            rf"(?P<v>{MAKES}[^,，。!！给]{{0,14}}?)(?:了|啦)?\s*$",
            re.IGNORECASE,
        ),
        _got, shares=True, vital=True,
    ),
    Rule(
        "eats_again", "preferences", each("吃"),
        Expression(
            rf"(?P<told>(?:我)?(?:最近|现在|又|重新|已经|恢复|开始)*(?:开始|恢复|重新|又|现在|也)(?:能|可以|开始|也)*吃(?:点|一点)?(?:起)?{_MEAT})(?:来)?了\s*$"
        ),
        _eats_again, vital=True,
    ),
    Rule(
        "comes_after", "", each("找由跟换是叫用去在联"),
        Expression(
            r"^(?P<head>[^,，。]{0,8}?)(?:以后|今后|现在|改|就|都|全|只好|所以|直接|接下来|换成|改成)+" + _BY +
            r"(?:(?:一家|一个|一位)(?:[^,，]{0,6}?(?:叫))?)?(?P<new>[^,，。]{1,10}?)(?:看|练|带|教|接手|负责|管|弄|做|帮[^,，]{1,6}|签字|跟进|顶上|那边|家|上|买)?(?:了|吧)?\s*$"
        ),
        _follows, vital=True,
    ),
    Rule(
        "agreed_only", "", each("只改"),
        Expression(
            r"(?:说|讲|谈|约|商量)(?:好|定|妥)了?(?:以后|今后|现在|就|都)*(?:只|改成?|改为)(?:在|每)?"
            rf"(?P<new>{_WEEKDAYS}|工作日|隔天|每[天周])(?:才|再|都|就)?(?P<does>[去来上做吃喝开练跑接送看学用])[^,，]{{0,6}}?(?:了|吧)?\s*$"
        ),
        _agreed_only, vital=True,
    ),
    Rule(
        "successor_called", "", each("叫是"),
        Expression(
            r"^\s*(?:现在|后来|又|于是|就|新|重新|我们?|[,，\s])*(?P<by>)(?:换|找|请|聘|招|来)(?:了|来)?(?:一?[个位家])(?:新的?)?[^,，我他她]{0,6}?"
            r"(?:名字?叫|叫|是)(?P<new>[一-鿿]{2,4}|[A-Z][A-Za-z]{1,12})(?:的)?\s*$"
        ),
        _follows, vital=True,
    ),
)  # fmt: skip
"""Before the corrections and what may read the same words as something new."""
