"""What the user is allergic to, told, denied and put right in Chinese: each thing is an item of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.chinese.clauses import each, tidy, written
from brain_core.extract.chinese.vocabulary import NEAR_IN_ENGLISH, RELATIVE, content_slug
from brain_core.extract.chinese.whose import OF_ANOTHER, whose_is
from brain_core.extract.known import denial, find, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_KEY = "allergy_"
_AND = Expression(r"\s*(?:[、,，/]|以及|还有|或者?|[和与跟及])\s*")
_BY = Expression(r"^(?:一|每次)?(?:吃|喝|碰|闻|摸|接触|用|打)(?:到|了|完|着)?(?=.)")
_AROUND = Expression(r"^(?:对|是|有)|(?:等|之类的?|这些|那些|什么的|全|都)+$")
_NO_THING = Expression(
    r"^(?:皮肤|脸|鼻子|眼睛|身上|体质|容易|经常|老|总|最近|[今昨]天|[春夏秋冬]天|换季|季节|又|现在|可能|好像|应该|有点|严重|天生|"
    r"什么|啥|哪|无|没|不|暂无|未|谁|怎么|的|也|都|确实|真的?)"
)
_OVER = (
    r"(?:的(?:毛病|问题))?(?:已经|都|早就?|现在|终于|基本|完全|[,，])*(?:治?好了|没了|消失了|脱敏(?:成功)?了|痊愈了)"
)
_DEGREE = "严重|重度|轻度|轻微|中度|有点"


def things_of(words: str) -> list[str]:
    """Return the things that words list, none of them empty: 芒果和花生."""
    parts = [_AROUND.sub("", _BY.sub("", part.strip())) for part in _AND.split(words)]
    return parts if all(parts) else [words.strip()]


def _allergic(thing: str, value: str) -> Found:
    return Found({"scope": "other", "name": f"{_KEY}{content_slug(fold(thing))}", "value": value}, type="preferences")


def _each_of(listed: str, told: str, degree: str = "") -> Iterator[Found]:
    """Yield each thing that is listed; told: how one of them alone was told."""
    things = things_of(listed)
    for thing in things:
        if not _NO_THING.match(fold(thing)):
            yield _allergic(thing, told if len(things) == 1 else f"对{thing}{degree}过敏")


def _told(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    group = next(name for name in _THINGS if match[name])
    before = ""
    if _ONCE.search(scene.clause.text[: match.end()]) and _OUTGROWN.search(scene.clause.sentence):
        return
    if group == "plain" and not _ME_BEFORE.search(scene.clause.sentence.partition(scene.clause.text)[0]):
        return
    if group == "plain" and _SOMEBODY_FIRST.match(match["plain"]):
        whose = "another"
        if re.match("[他她它]", match["plain"]):
            before = f"{written(scene, -len(scene.clause.sentence.partition(scene.clause.text)[0]), 0)}，"
    elif group == "own":
        whose = "another" if re.match(OF_ANOTHER, match["own"]) else "user"
    elif match["who"]:
        whose = "another"
    else:
        whose, before = whose_is(scene, match.start())
    if whose == "another":
        named = content_slug(before + written(scene, 0, len(scene.clause.text)))
        told, span = _with_limits(scene)
        yield Found({"kind": "fact", "slug": named, "content": before + told}, type="knowledge", span=span)
    elif whose == "user":
        listed = written(scene, *match.span(group))
        told = f"对{listed}过敏" if group == "listed" else written(scene, match.start(), match.end())
        yield from _each_of(listed, told, match["degree"] or "")


_ONCE = Expression(r"小时候|以前|从前|曾经?|之前")
_OUTGROWN = Expression(
    r"(?:现在|后来|长大了?后?|如今)[^。！!]{0,6}(?:没事|好了|不过敏|不会了|能[吃喝]|可以[吃喝]|脱敏)"
)
"""What was so once is over: 小时候对鸡蛋过敏，现在没事了."""
_ME_BEFORE = Expression(r"我|俺|本人")
"""Of whom the sentence is, where 花粉过敏 names nobody."""
_SOMEBODY_FIRST = Expression(rf"(?:[他她它]们?|{RELATIVE}|\s*{NEAR_IN_ENGLISH})(?=.)")
_LIMITS = Expression(
    rf"(?:[,，;；]\s*(?:但|不过|只是|可是|然而|可以|能[吃喝用]|不能|不可以|只能|只要|还是|还不|仍|尤其|特别是|比如|例如|除了|除非|"
    rf"严重|轻微|少量|一[吃喝碰]|吃了?会|会)(?!我|你|您|{RELATIVE})[^,，;；。！!？?\n]*)+"
)
"""What may be had all the same, what still must not, how bad it is: without it a half is told for the whole."""


def _with_limits(scene: Scene) -> tuple[str, tuple[int, int]]:
    """Return the clause as it was written, with the limits of what it tells that follow it, and its span."""
    stop = len(scene.clause.text)
    limits = _LIMITS.match(scene.message, scene.clause.start + stop)
    if limits is not None:
        stop = limits.end() - scene.clause.start
    return written(scene, 0, stop), (0, stop)


_THINGS = ("own", "tested", "intolerant", "thing", "plain", "listed")
_TOLD = Rule(
    "preference_allergy", "preferences", "敏 耐 蚕",
    Expression(
        r"(?:我|本人)(?:是|有|也|还|从小|天生|一直|一(?=[吃喝碰闻]))*(?P<own>[^,，。对会不没就有是]{1,12}?)(?:就|会|都|严重|重度)*过敏"
        r"(?![吗性原源体药科季]|的话|反应)|"
        r"(?:查出来?|检查出来?|测出来?|验出来?|确诊|诊断[出为]?|医生说|皮试)(?:我|是|了|有)*(?P<tested>[^,，。对会不没就有是我]{1,12}?)过敏"
        r"(?![吗性原源体药科季]|的话|反应)|"
        rf"(?P<intolerant>(?:乳糖|麸质|酒精|咖啡因|果糖)不耐受?|蚕豆病)|(?P<who>(?:{RELATIVE})(?:也|从小|天生)?)?"
        rf"对(?P<thing>[^对]{{1,16}}?)(?<!不)(?<!不会)(?P<degree>{_DEGREE})?(?:也|都|会|就|很|特别)*(?:{_DEGREE})?过敏"
        rf"(?!{_OVER})|"
        rf"^\s*(?P<plain>[^,，。对会不没就有是我的]{{1,10}}?)(?P<degree2>{_DEGREE})?(?:也|都|会|就|很|特别)*过敏\s*$|"
        r"^\s*(?:我的?)?(?:食物|药物|已知)?过敏(?:原|源|史|物)?(?:的(?:东西|食物|药))?\s*(?:有|是|包括|[:：])\s*(?P<listed>[^,，。!！]{1,40})$"
    ),
    _told, vital=True,
)  # fmt: skip


def _known(scene: Scene, thing: str) -> MemoryItem | None:
    """Return the allergy that is known by a thing's name, alone or among others."""
    key = f"{_KEY}{content_slug(fold(thing))}"
    held = [item for item in scene.known.active("preferences") if _KEY in item.key]
    exact = (item for item in held if str(value_of(item)["name"]) == key)
    found = next(exact, None) or find(scene.known, "preferences", f"{thing}过敏", 0.6)
    return found if found is not None and _KEY in found.key else None


def _denied(scene: Scene, listed: str, *, doubts: bool = False) -> Iterator[Found]:
    """Yield the denial of each thing that is listed; what was told along with it stays, under its own name."""
    for thing in things_of(listed):
        item = _known(scene, thing)
        if item is None:
            continue
        yield Found(denial(item), type="preferences", denies=True, doubts=doubts, weak=doubts)
        told = _TOLD.pattern.search(fold(str(value_of(item)["value"])))
        others = things_of(told["thing"]) if told is not None and told["thing"] else []
        if thing in others:
            yield from (_allergic(other, f"对{other}过敏") for other in others if other != thing)


def _no_longer(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    named = next((name for name in ("thing", "thing2", "thing3", "thing4") if match[name]), "")
    if named:
        if whose_is(scene, match.start())[0] == "user":
            yield from _denied(scene, written(scene, *match.span(named)), doubts=named == "thing3")
        return
    held = [item for item in scene.known.active("preferences") if _KEY in item.key]
    if len(held) == 1:
        yield Found(denial(held[0]), type="preferences", denies=True)


_NOT = r"(?:并|其实|根本|也|已经|现在|早就?|都|再也|又)*(?:不(?:会|再|是)?|没有?)"
_NO_LONGER = Rule(
    "denial_allergy", "preferences", each("敏"),
    Expression(
        rf"(?:对(?P<thing>[^,，。对]{{1,12}}?)|我){_NOT}过敏|{_NOT}对(?P<thing2>[^,，。对]{{1,12}}?)(?:也|都)?过敏(?![,，]\s*(?:而|其实|应该)*是)|"
        rf"(?:对)?(?P<thing3>[^,，。对我的]{{1,12}}?)(?:的)?过敏{_OVER}|"
        rf"(?:^|我)(?P<thing4>[^,，。对我]{{1,8}}?){_NOT}过敏了"
    ),
    _no_longer,
)  # fmt: skip


def _contrasted(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 不是对花生过敏，是对腰果过敏: the one is denied, and the other is told under a name of its own."""
    if match["bare"]:
        if "过敏" in scene.before and scene.before in scene.clause.sentence:
            yield from _denied(scene, written(scene, *match.span("bare")))
        return
    old, new = ("old", "new") if match["old"] else ("old2", "new2")
    if whose_is(scene, match.start())[0] == "user":
        yield from _denied(scene, written(scene, *match.span(old)))
        value = tidy(written(scene, *match.span(new)))
        yield from _each_of(value, f"对{value}过敏")


_CONTRASTED = Rule(
    "correction_allergy", "preferences", each("敏不"),
    Expression(
        r"不是对(?P<old>[^,，。对]{1,12}?)过敏[,，\s]*(?:而是|其实是|应该是|是)(?:我)?对(?P<new>[^,，。]{1,12}?)(?:也|都)?过敏|"
        r"过敏的(?:其实|应该|并)?不是(?P<old2>[^,，。]{1,12}?)[,，\s]*(?:而是|其实是|应该是|是)(?P<new2>[^,，。]{1,12}?)\s*$|"
        r"^\s*(?:而|并)?不是(?P<bare>[^,，。对是]{1,8})$"
    ),
    _contrasted, vital=True,
)  # fmt: skip

ALLERGIES: tuple[Rule, ...] = (_TOLD,)
"""What is told of them."""
ALLERGIES_CORRECTED: tuple[Rule, ...] = (_CONTRASTED, _NO_LONGER)
"""Before the corrections of anything else."""
