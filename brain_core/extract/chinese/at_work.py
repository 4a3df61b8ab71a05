"""What changes in a project, in Chinese: who looks after a part of it now, and which version is out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.chinese.clauses import each
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.known import denial, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.replaced import with_value
from brain_core.extract.versions import VERSION, released
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def _released(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 今天发了 0.9.0 of the one release of which a lower version is known."""
    if _NOT_OUT.search(scene.clause.sentence) is None:
        yield from released(match["new"], lambda said: _OF_THE_RELEASE.match(fold(said)), scene)


def _looked_after(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 小林离职了，前端现在归阿杰 of what 小林 is known to look after; 现在 says it of whoever did."""
    gone = _GONE.search(scene.clause.sentence)
    if gone is not None or _NOW.search(match[0]):
        yield from _taken_over(match, "" if gone is None else gone["old"], scene, (0, len(scene.clause.text)))


def _gone(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read the same from who has gone: 阿琳调走了 itself tells who else no more than that."""
    start = scene.clause.sentence.find(scene.clause.text)
    after = _AFTER.match(scene.clause.sentence, start + len(scene.clause.text))
    found = None if after is None else _LOOKED_AFTER.search(after["said"])
    if found is not None and after is not None:
        yield from _taken_over(found, match["old"], scene, (0, after.end() - start))


def _taken_over(match: re.Match[str], gone: str, scene: Scene, span: tuple[int, int]) -> Iterator[Found]:
    number = "" if match["who"] else "2" if match["who2"] else "3"
    new, what = match[f"who{number}"], match[f"what{number}"].strip()
    if _UNREAL.search(scene.clause.sentence) or _NOBODY.search(new):
        return
    met = [
        (item, old)
        for item, old, part in _carers(scene)
        if old != new and (part.endswith(what) or what.endswith(part)) and gone in {"", old}
    ]
    for item, old in met:
        if item.type == "entities":
            yield Found(denial(item), type="entities", denies=True, span=span)
        else:
            yield from with_value(item, None, old, new, content_slug, span)
    if any(item.type == "entities" for item, _ in met):
        yield Found({"kind": "person", "canonical": new, "attrs": {"role": what}}, type="entities", span=span)


def _looks_after(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 网关由老赵维护 and 召回这块小顾负责 of somebody who is called like a colleague."""
    number = "" if match["who"] else "2"
    if _UNREAL.search(scene.clause.sentence) is None:
        attributes = {"role": match[f"what{number}"].strip()}
        yield Found({"kind": "person", "canonical": match[f"who{number}"], "attrs": attributes})


def _carers(scene: Scene) -> Iterator[tuple[MemoryItem, str, str]]:
    """Yield what is known of who looks after what: the item, the name and the part."""
    for item in scene.known.active("entities"):
        value = value_of(item)
        role = fold(str(value.get("attrs", {}).get("role", "")))
        if role and value.get("kind") == "person":
            yield item, str(value["canonical"]), role
    for item in scene.known.active("knowledge"):
        text = fold(str(value_of(item).get("content", "")))
        for found in _CARED_FOR.finditer(text) if item.source_message_id != scene.message_id else ():
            who = found["who"] or found["who2"] or found["who3"]
            yield item, who, found["what"] or found["what2"] or found["what3"] or ""


_NAME = r"(?:[小老阿大][一-鿿]{1,2}?|[一-鿿]{1,2}?(?:总|工|姐|哥|老师|经理)|[一-鿿]{2,3}?|[A-Z][A-Za-z]{1,14})"
_COLLEAGUE = r"(?:(?!老[板师人公婆家大爸妈]|小[组孩队区])[小老阿][一-鿿]|[A-Z][a-z]{1,14})"
_WHAT = r"(?:[A-Za-z][\w.-]*\s*)?[一-鿿A-Za-z]{1,10}?"
_DOES = r"(?:负责|维护|管|跟进|带|接手|对接|来做|在做|做)"
_SINCE = r"(?:现在|目前|以后|今后|之后|就|改|都|已经|暂时)*"
_CARED_FOR = Expression(
    rf"(?:^|[,，。\s])(?:我们?的?)?(?P<what>{_WHAT})\s*(?:现在|目前|一直|都)*(?:归|由|"
    rf"是)(?P<who>{_NAME})(?:在)?(?:{_DOES}(?:的)?)?(?=[,，。\s]|$)|"
    rf"(?:^|[,，。\s])(?P<who2>{_NAME})(?:现在|一直|主要)*(?:在)?(?:负责|维护|跟进|"
    rf"对接)(?P<what2>{_WHAT})(?:的)?(?=[,，。\s]|$)|"
    rf"(?:叫|是)\s*(?P<what3>[A-Za-z][\w.-]*)\s*[,，]\s*(?:由|归|"
    rf"是)(?P<who3>{_NAME})(?:在)?{_DOES}(?:的)?(?=[,，。\s]|$)"
)
_LEFT = r"(?:离职|辞职|走|休产假|调走|调去[^,，]{1,6}|转岗|退休|不做|不管|不负责)"
_GONE = Expression(
    r"(?:^|[,，。！!])(?:可惜|不过|因为|听说|上周|昨天|最近)*(?P<old>[一-鿿A-Za-z]{2,6}?)(?:已经|也|上周|上个?月|"
    r"昨天|要|去)*"
    rf"{_LEFT}了?(?=[,，。！!])"
)
_NOW = Expression(r"现在|以后|今后|改|已经|交给|移交|转给|换成|换")
_NOBODY = Expression(r"[他她它你您我]|谁|什么|哪|别人|大家|自己|新人|外包|甲方|公司")
_UNREAL = Expression(r"[?？吗]|如果|要是|假如|可能|也许|暂时|临时|这[周次两几]|今天(?!起)|顶班|先|没|想|打算|准备|建议")
_NOT_OUT = Expression(
    r"[?？吗]|没|测试环境|预发|灰度|内测|要是|如果|打算|计划|准备|[他她]们?|人家|对方|beta|alpha|rc", re.IGNORECASE
)
_OF_THE_RELEASE = Expression(
    r"(?:我|们|现在|目前|当前|线上|最新|正式|发布|稳定|生产|环境|的|版|本|号|是|在|为|到|跑的|用的|[\s:：])*v?\d",
    re.IGNORECASE,
)
"""A statement of nothing but the version that is out."""
_LOOKED_AFTER = Expression(
    rf"^\s*(?:所以|那|现在|以后|,|，|\s)*(?P<what>{_WHAT})\s*{_SINCE}(?:归|由|交给了?|移交给了?|转给了?|换成了?|"
    rf"换)(?P<who>{_NAME})(?:了|"
    rf"{_DOES}(?:的|了)?)?[\s。！!]*$|"
    rf"^\s*(?:所以|那|现在|,|，|\s)*(?P<what2>{_WHAT})\s*{_SINCE}是(?P<who2>{_NAME})(?:在)?{_DOES}(?:的|"
    rf"了)?[\s。！!]*$|"
    rf"^\s*(?:所以|那|现在|以后|,|，|\s)*(?P<who3>{_NAME})(?:现在|以后|已经|来)*(?:负责|接手|维护|跟进|"
    rf"对接)了?(?P<what3>{_WHAT})了?[\s。！!]*$"
)
_AFTER = Expression(r"\s*[,，]\s*(?P<said>[^,，。！!]+)")

AT_WORK: tuple[Rule, ...] = (
    Rule("release_out", "knowledge", each("发上布"), Expression(
        r"^\s*(?:我们|咱们|今[天早晚]|昨[天晚]|刚|上周|周[一二三四五六日]|终于|已经|总算|又|,|，|\s)*(?:发布?|"
        r"上线?|发版|推)了\s*"
        rf"(?:新?版本?|正式版)?\s*(?P<new>{VERSION})\s*(?:版本?)?[\s。！!]*$", re.IGNORECASE), _released, vital=True),
    Rule("looked_after_now", "entities", each("归由给是管责护进手"), _LOOKED_AFTER, _looked_after, vital=True),
    Rule("looks_after", "entities", each("负维管跟"), Expression(
        rf"^\s*(?:我们?的?)?(?P<what>{_WHAT})(?:这块|这边)?\s*(?:一直|都|目前)*(?:归|由)(?P<who>{_COLLEAGUE})(?:在)?"
        rf"(?:负责|维护|管|跟进)(?:的)?[\s。！!]*$|"
        rf"^\s*(?:我们?的?)?(?P<what2>(?![由归是都就也])(?!现在|以后){_WHAT})(?:这块|这边)?\s*"
        rf"(?P<who2>{_COLLEAGUE})(?:在)?(?:负责|维护|跟进)[\s。！!]*$"),
        _looks_after, shares=True, vital=True),
    Rule("gone_from_work", "entities", each("职走假岗休做管"), Expression(
        rf"^\s*(?:可惜|不过|因为|听说|上周|昨天|最近|,|，|\s)*(?P<old>{_NAME})(?:已经|也|上周|上个?月|昨天|要|"
        rf"去)*{_LEFT}了?\s*$"),
        _gone, vital=True),
)  # fmt: skip
