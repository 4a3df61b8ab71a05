"""What is known and is told otherwise in few words: 涨到三千五了, 改到九月了, 健身卡现在108了."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from brain_core.extract.brief import OF_THE_CLOCK, Change, brief_rules
from brain_core.extract.chinese.clauses import each
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.lists import is_to_do
from brain_core.extract.chinese.vocabulary import RELATIVE
from brain_core.extract.language import MASK, Scene
from brain_core.extract.values import WHEN, value_is, values
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_LEAD = (
    r"(?:(?P<right>不对|不是(?=[,，、\s])|[说记搞打写弄]错了?|更正|纠正)|哦|啊|嗯|哎|唉|诶|那个|对了|更新|刚|刚才|后来|最后|结果|又|已经|(?P<now>现在|如今)|"
    r"[^,，0-9说]{1,8}?(?:来信|来电话|打电话来?|发消息|发邮件|通知我们?|告诉我们?|刚刚?)说|从?(?:下个?月|[0-9一二三四五六七八九十]{1,3}月份?)(?:起|开始)|"
    r"其实|今天|昨天|通知|(?:老板|房东|公司|学校|医院|银行|他们|客服)(?:说|让|把它)?|可以|我们?|咱们?|给|把?它|这个|都|就|也|只好|决定|统一|直接|全|再|[,，、\s]){0,8}"
)
_UP, _DOWN = r"涨价?|上涨|升|上调|加|提高|增加?", r"降价?|下降|下调|减少?|跌|砍|缩减?"
_CHANGED = rf"{_UP}|{_DOWN}|调整?|改|换|挪|移|搬|推迟|延期?|延后|提前|顺延|推|变|bump"
_TO = rf"(?P<verb>{_CHANGED}) ?(?P<to>回到|回|到|成|为|至|到了|在)了? ?"
_END = r"(?:那[趟班]|了|啦|吧|哈|哦|啊|呀|(?<=[一二三四五六日天])[上来去](?=了?$)|[。.!！~～\s])*"
_NOT = r"(?:[,，]?(?:而?不是|不再是)(?P<old>[^,，了]{1,10}?))?"
_V = r"(?P<new>[^,，]{1,12}?)"
_WHAT = r"(?P<what>[^,，]{1,16}?)"
_FROM_NOW = r"(?:现在|如今|以后|今后|从此)?"
_FORMS = tuple(
    Expression(form)
    for form in (
        rf"^{_LEAD}(?:从(?P<from>[^,，]{{1,10}}?))?{_TO}{_V}{_NOT}{_END}$",
        rf"^{_LEAD}(?:应该)?(?:是|要|得|有)?{_V}{_NOT}{_END}$",
        rf"^{_LEAD}(?:把)?{_WHAT}(?:已经|又|刚|也|都|被|再|现在|如今|以后|今后|统一|从[^,，从]{{1,8}}?(?:起|开始)|从(?P<from>[^,，从]{{1,10}}?)){{0,6}}{_TO}{_V}{_NOT}{_END}$",
        rf"^{_LEAD}{_WHAT}(?:{_FROM_NOW}(?P<verb>改)|(?P<now2>现在|如今)(?:是|要|得|有)?){_V}{_NOT}{_END}$",
        rf"^{_LEAD}(?P<verb>改|换)(?P<what>[坐乘搭赶]){_V}{_END}$",
        rf"^{_LEAD}{_TO}{_V}(?P<what>[^0-9,，了]{{1,6}}?){_END}$",
        rf"^{_LEAD}{_V}(?P<what>[^0-9,，了]{{1,6}}?){_END}$",
        rf"^{_LEAD}(?P<what>[^0-9,，了]{{1,4}}?){_V}{_END}$",
    )
)
_UNREAL = Expression(
    r"[?？吗呢么]|如果|要是|假如|假装|可能|也许|大概会|说不定|希望|打算|想|考虑|建议|听说|据说|平均|去年|上个?月|以前|曾经|没|别|"
    r"不会|不能|不用|不想|会不会|能不能|比如|例如|新闻"
)
_BESIDES = Expression(r"^(?:我们?|咱们?|的|那个|这个|每个?月|每天|一个月)+|(?:的|每个?月|每天|一个月|时间|价格|费用)+$")
_OTHERS = Expression(rf"[他她你您]|{RELATIVE}|朋友|同事|同学|邻居|隔壁|室友|小[\u4e00-\u9fff](?=的)|别人|人家|闺蜜")


def _changes(scene: Scene) -> Iterator[Change]:
    """Yield what a clause says that changed, and to what."""
    text = fold(scene.clause.text).lower().strip()
    if is_to_do(text) or _UNREAL.search(fold(scene.clause.sentence)) or MASK in text:
        return
    monthly = _MONTHLY.match(text) if _ROSE.search(fold(scene.clause.sentence)) else None
    new = None if monthly is None else value_is(monthly["new"])
    if new is not None:
        yield Change(new, _is_monthly)
        return
    for form in _FORMS:
        match = form.match(text)
        change = _read(match) if match is not None else None
        if change is not None:
            yield change
            return


_MONTHLY = Expression(rf"^{_LEAD}(?:一个月|每个?月|月租)(?:要|是)?{_V}{_END}$")
_ROSE = Expression(r"[涨降]|上调|下调|加价|便宜了|贵了")


def _is_monthly(said: str) -> bool:
    return re.search(r"一个月|每个?月|月租|/月", said) is not None


def _read(match: re.Match[str]) -> Change | None:
    """Return what a match says, None where no value stands in it or nothing says that it is another than before."""
    said = match.groupdict()
    new, old = value_is(said["new"]), next(iter(values(said.get("from") or said.get("old") or "")), None)
    verb, now = said.get("verb") or "", said["now"] or said.get("now2")
    by_now = now and (said.get("what") or (new is not None and new.kind not in OF_THE_CLOCK))
    if new is None or not (verb or by_now or old or said["right"]):
        return None
    names = None
    if said.get("what") is not None:
        what = _BESIDES.sub("", said["what"].strip())
        if _OTHERS.search(what):
            return None
        names = partial(_told_of if new.kind in WHEN else is_of, what) if what else None
    way = 1 if re.fullmatch(_UP, verb) else -1 if re.fullmatch(_DOWN, verb) else 0
    return Change(new, names, old, 0 if said.get("to", "") in {"回", "回到"} else way)


def is_of(what: str, said: str) -> bool:
    """Return whether a text has all the words by which a thing is named, and is of nobody whom they do not name."""
    return set(_OTHERS.findall(fold(said).lower())) <= set(_OTHERS.findall(what)) and _told_of(what, said)


def _told_of(what: str, said: str) -> bool:
    """Return the same of a text of whomever: when a child has lessons is put off without the child's name."""
    text = fold(said).lower()
    pieces = [piece for piece in re.split(r"[的\s]+", what) if piece]
    return all(piece in text or (len(piece) > 2 and _pairs(piece) <= _pairs(text)) for piece in pieces)


def _pairs(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(len(text) - 1)}


_CUES = each("涨升加提增降减跌砍缩调改换挪移搬推延变b现如是错对月")
_ANY = Expression(r"[0-9一二三四五六七八九十两]")
BRIEF = brief_rules(_CUES, _ANY, _changes, first_day)
"""Before the other corrections, which want a name or take a sentence as a whole."""
