"""Where a thing is kept, with what or by whom it is done, told anew: 把路由器搬到书房了, 需求管理换成飞书项目了."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.chinese.brief import is_of
from brain_core.extract.chinese.clauses import each
from brain_core.extract.chinese.lists import is_to_do
from brain_core.extract.chinese.recall import told
from brain_core.extract.chinese.vocabulary import RELATIVE, content_slug
from brain_core.extract.known import Remembered, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.replaced import with_its_price, with_value
from brain_core.extract.values import values
from brain_core.extract.vital import is_vital_item
from brain_core.text.expression import Expression
from brain_core.text.script import fold

Told = tuple[MemoryItem, dict[str, Any] | None, str]
"""An item, a fact of it where it is a profile, and what that says, folded."""


def _changed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what holds now of the one thing known that a clause names."""
    said = match.groupdict()
    what, new = _BESIDES.sub("", said["what"].strip()), _TAIL.sub("", said["new"].strip())
    sentence = scene.clause.sentence
    if is_to_do(scene.clause.text) or _UNREAL.search(sentence) or _FOR_A_TIME.search(scene.clause.text):
        return
    if len(what) < _SHORTEST or not new or _NOTHING.search(new) or values(new) or _PRONOUN.search(what):
        return
    does = said.get("does") or ""
    if not does and _SOMEBODY.search(what):
        return
    held = [
        (item, fact, old)
        for item, fact, text in told_of(scene)
        if is_of(what, text) and (old := _value_in(text, what, does)) and old != new
    ]
    if len(held) == 1:
        item, fact, old = held[0]
        old = with_its_price(told(item) if fact is None else str(fact["v"]), old)
        yield from with_value(item, fact, old, scene.message[slice(*_place(match, scene, new))], content_slug)


def _does_otherwise(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我改考托福了 of the one thing known that one does by that verb: 我在备考雅思."""
    does, new = match["does"], _TAIL.sub("", match["new"].strip())
    if (
        _UNREAL.search(scene.clause.sentence)
        or _FOR_A_TIME.search(scene.clause.sentence)
        or values(new)
        or _NOTHING.search(new)
    ):
        return
    at = re.compile(rf"{does}(?P<v>[^,，。;；的了]{{1,8}}?)(?=$|[,，。;；]|的|上[班学]|了)")
    held = [
        (item, fact, found["v"])
        for item, fact, text in told_of(scene)
        if (found := at.search(text)) is not None and not _OF_OTHERS.search(text) and not values(found["v"])
    ]
    if len(held) == 1 and held[0][2] != new:
        item, fact, old = held[0]
        yield from with_value(item, fact, old, scene.message[slice(*_place(match, scene, new))], content_slug)


def _at_another(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 儿子转学到育才小学了 of whom another school is known."""
    who, new = match["who"], scene.message[slice(*_place(match, scene, match["new"]))]
    held = [
        (item, fact, found["v"])
        for item, fact, text in told_of(scene)
        if who in text and (found := _AT_SCHOOL.search(text)) is not None
    ]
    if len(held) == 1 and held[0][2] != match["new"] and not _UNREAL.search(scene.clause.sentence):
        item, fact, old = held[0]
        yield from with_value(item, fact, old, new, content_slug)


_SCHOOL = r"[^,，。在到去了]{1,8}(?:小学|中学|学校|幼儿园|大学|附中|附小|高中|初中|学院|实验|[一二三四五六七八九十]中)"
_AT_SCHOOL = Expression(rf"(?:在|上|读)(?P<v>{_SCHOOL})")
_OF_OTHERS = Expression(rf"{RELATIVE}|[他她它]|同事|朋友|室友|邻居|老板|领导")


def _place(match: re.Match[str], scene: Scene, new: str) -> tuple[int, int]:
    start = scene.clause.start + match.start("new") + match["new"].find(new)
    return start, start + len(new)


def told_of(scene: Scene) -> Iterator[Told]:
    """Yield what was known before the message and may change by plain words: nothing that is vital."""
    yield from chain.from_iterable(map(_facts_told, scene.known.active("profile")))
    for name in ("knowledge", "preferences", "decisions"):
        for item in scene.known.active(name):
            if not is_vital_item(item) and item.source_message_id != scene.message_id:
                yield item, None, fold(told(item))


def _facts_that_may_change(profile: MemoryItem) -> tuple[Told, ...]:
    facts = value_of(profile).get("facts", ())
    return tuple((profile, fact, fold(str(fact["v"]))) for fact in facts if not is_vital_item(profile, fact))


_facts_told: Remembered[MemoryItem, tuple[Told, ...]] = Remembered(_facts_that_may_change)


def _value_in(text: str, what: str, does: str) -> str:
    """Return where, with what or by whom a text says that a thing is or is done, empty where it does not say."""
    if does and does in text:
        by = re.search(rf"由(?:[^,，。由]{{1,8}}的)?([^,，。由]{{1,8}}?){re.escape(does)}", text)
        return "" if by is None or what not in text[: by.start()] else by[1]
    place = text.find(what)
    if place < 0:
        return ""
    after = _AFTER.match(text, place + len(what))
    if after is not None:
        return after["v"]
    before = _BEFORE.search(text[:place])
    return "" if before is None or values(before["v"]) else before["v"]


_SHORTEST = 2
_LEADS = (
    r"叫做?|名叫|放在|存在|存放在|跑在|部署在|托管在|挂在|装在|记在|写在|停在|摆在|建在|设在|定在|走|用的?是?|在|是"
)
_AFTER = Expression(
    rf"(?:都|也|还|全|一直|现在|目前|一般|平时|默认)*(?:{_LEADS})(?P<v>[^,，。;；]{{1,16}}?)(?:[上里]|来?[发做跑管写记])?(?=$|[,，。;；])"
)
_BEFORE = Expression(r"(?:用|在)(?P<v>[^,，。;；用在]{1,14}?)(?:里|上)?(?:来)?[管做写记存发收画跑跟学]?$")
_BESIDES = Expression(
    r"^(?:(?:我们?|咱们?|家里|公司|团队|现在|以后|今后|昨[天晚]|周末|上周|上个月|最近|刚|已经|后来|那个|这个|所有|全部|另外|还有|的)*)|"
    r"(?:管理|系统|工具|平台|工作|这块|那块|方面|的事|现在|以后|已经|也|都|全|全部|又|刚|就|的|,|，)+$"
)
_TAIL = Expression(r"^(?:了|我们?的)+|(?:里面?|上面?|那边|这边|了|啦|吧|[啊呀哦])+$")
_NOTHING = Expression(r"[他她它你您]|什么|哪|这[里儿边]|那[里儿边]|一下|别的|其他|怎么|^(?:新|下|明|后|回|过|去)")
_PRONOUN = Expression(r"^(?:它|他|她|这|那|你|您|我|自己|人|东西|自己的?)|[?？]")
_SOMEBODY = Expression(
    rf"^[小老阿][一-鿿]{{1,2}}$|^[一-鿿]{{1,3}}(?:[姐哥叔姨总爷奶姑婶伯嫂]|老师|医生|大夫|经理|师傅|阿姨|主任|教练|同学)$|{RELATIVE}|同事|朋友|室友|邻居"
)
"""Who moves or changes does so in many ways, and of a thing that is moved one place holds."""
_UNREAL = Expression(
    r"[?？吗呢]|如果|要是|假如|可能|也许|说不定|希望|打算|想(?!到)|考虑|建议|听说|据说|准备|计划|没|别|不想|能不能|本来|差点|作罢|梦"
)
_FOR_A_TIME = Expression(
    r"暂时|临时|先(?!生)|今天|明天|这[周次回天两几]|一会|待会|今晚|下周|下个?月|明年|回头|改天|还要|要(?=[把搬换])"
)
_TO = (
    r"(?:(?:换|改|变)(?:成|到|为|用|回|在|放|存|走)|(?:搬|挪|移)(?:到|去|至|回|进)|(?:迁移?|转移)(?:到|去|至|回)?|"
    r"(?:切换?|转|升级)(?:到|成|为|去)|(?:rename|改名|更名|重命名)(?:成|为|叫)?|改叫|更名)(?:在|到)?了?"
)
_NEW = r"(?P<new>[^,，。!！了]{1,16}?)(?P<done>办|发|做|跑|管|写|开|练|上|住)?"
_END = r"(?:了|啦|吧|去了|里了|[。!！~～\s])*$"
RELOCATED: tuple[Rule, ...] = (
    Rule(
        "relocated", "knowledge", each("把将"),
        Expression(
            r"(?:把|将)(?P<what>[^,，。把将]{1,12}?)(?:已经|都|全部?|也|从[^,，。从]{1,10}?){0,6}"
            r"(?:搬|挪|移|放|换|迁移?|转移?|切换?|改放|改存|挂)(?:到|去|在|进|回|至|成)了?" + _NEW + _END
        ),
        _changed, vital=True,
    ),
    Rule(
        "by_whom_now", "knowledge", each("由"),
        Expression(
            r"^(?:另外|还有|以后|今后|现在|从现在起|[,，\s])*(?P<what>[^,，。由]{2,10}?)(?:以后|今后|现在|都|就|也)*(?:改由|由|换成|归)"
            r"(?P<new>[^,，。]{1,10}?)(?P<does>签字|负责|审批|审核|管理?|维护|接送?|主持|跟进|拍板|写|做|发)" + _END
        ),
        _changed, vital=True,
    ),
    Rule(
        "at_another", "profile", each("转升考"),
        Expression(
            rf"^\s*(?:我们?家?的?)?(?P<who>{RELATIVE}|[一-鿿]{{2,3}}?)(?:已经|也|上周|这学期|下学期|今年|周[一二三四五六日]|刚)*"
            rf"(?:转学[到去]|转[到去]|升[入到]|考上了?|考[入到])了?(?P<new>{_SCHOOL})(?:上学|读书|念书)?(?:了|啦)?\s*$"
        ),
        _at_another, vital=True,
    ),
    Rule(
        "does_otherwise", "knowledge", each("改"),
        Expression(
            r"^\s*(?:所以|后来|最后|现在|以后|我们?|教练让我|医生让我|老师让我|老板让我|周末|早上|晚上|平时|最近|决定|,|，|\s)*改(?P<does>[打考学喝吃骑开练用看读跑穿抽养教卖做])"
            r"(?P<new>[^,，。!！了]{1,8}?)(?:了|啦)?(?:\s|$)"
        ),
        _does_otherwise, vital=True,
    ),
    Rule(
        "has_changed", "knowledge", each("换改搬挪移迁转切重更成"),
        Expression(
            r"^(?P<what>[^,，。把将]{2,12}?)(?:已经|都|全部?|也|现在|又|从[^,，。从]{1,10}?){0,6}" + _TO + _NEW + _END),
        _changed, vital=True,
    ),
    Rule(
        "there_now", "knowledge", each("现以今在用放"),
        Expression(
            r"^(?:(?:以后|今后|现在|从今以后)的?(?P<early>)|)(?P<what>[^,，。]{2,10}?)(?:(?:以后|今后|现在|从今以后)(?P<late>)|都|就|也|全)*"
            r"(?:放在?|存在?|用的?是?|跑在|在|走)" + _NEW + r"(?(early)|(?(late)|(?!)))" + _END
        ),
        _changed, vital=True,
    ),
)  # fmt: skip
"""Before the decisions, which take a change for a choice of its own."""
