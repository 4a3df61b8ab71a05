"""What is put off or brought forward by so much, or left for now: 发布会推迟一周, 体检往后挪两天, 分店先不开了."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.dates import first_day, number
from brain_core.extract.chinese.recall import spoken_of, told
from brain_core.extract.known import DATED, denial, last_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.put_off import STATED, By, Telling, put_off
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def _title(item: MemoryItem, scene: Scene) -> str:  # noqa: ARG001
    return written(scene, 0, len(scene.clause.text))


def _on(day: date) -> str:
    return f"{day.month}月{day.day}号"


_TELLING = Telling(first_day, _title, _on)


def _by_so_much(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read by how much something known is later or earlier."""
    item = _known(match["what"], scene)
    if item is not None and _SUPPOSED.search(scene.clause.sentence) is None:
        yield from put_off(item, _by(match), scene, _TELLING)


def _without_a_day(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that something known is put off to no day that is told."""
    item = _known(match["what"], scene)
    other_day = first_day(scene.clause.sentence, scene.said) is not None
    if item is not None and not other_day and _SUPPOSED.search(scene.clause.sentence) is None:
        yield from put_off(item, None, scene, _TELLING)


def _shelved(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that what was meant to be done is left for now: 分店先不开了 doubts 我们想开分店."""
    item = spoken_of(scene, match["what"], ("goals", *STATED))
    if item is None or match["verb"] not in fold(told(item)) or _SUPPOSED_TO.search(match["what"]) is not None:
        return
    yield Found(denial(item), type=item.type, denies=True, doubts=True, weak=True, span=(0, len(scene.clause.text)))


def _known(what: str, scene: Scene) -> MemoryItem | None:
    """Return what is known by these words, an event or task rather than a statement; without words what "it" is."""
    if not what:
        return last_of(scene.known, (*DATED, *STATED), scene.session)
    return spoken_of(scene, what, tuple(DATED)) or spoken_of(scene, what, STATED)


def _by(match: re.Match[str]) -> By | None:
    """Return by how much, None where that is not told for sure."""
    count = 0 if match["count"] in _OR_SO else number(match["count"])
    if not count:
        return None
    size = -count if _EARLIER.search(match["how"]) else count
    unit = match["unit"]
    if unit in "月年":
        return By(months=size * (12 if unit == "年" else 1))
    return By(days=size * (1 if unit in "天日" else 7))


_OR_SO = frozenset({"两三", "三四"})
_EARLIER = Expression(r"早|前")
_SUPPOSED = Expression(
    r"如果|要是|万一|假如|可能|也许|或许|说不定|估计|应该会|想(?!起)|打算|建议|希望|最好|能不能|可不可以|能否|会不会|要不要|是不是|吗|[?？]|"
    r"原来|原本|本来|之前|以前|去年|上次|不(?:会|能|可以|想|用|必|许|得|准)|别|没有?"
)
_SUPPOSED_TO = Expression(r"如果|要是|万一|假如|是不是|要不要|[今明昨后][天晚早]|[早晚]上|中午|这[次回顿周]|下周|周末")
_LEADS = (
    r"^(?:(?:对了|另外|还有|刚才?|通知(?:说|下来)?+|说是?|听说|公司|老板|客户|医院|学校|他们|那边|因为[^,，]*[,，])"
    r"[,，:：]?)*"
)
_WHAT = r"(?:把|将)?(?P<what>[^,，。;；]{0,20}?)(?:又|再|被|得|要|会|给|都|就|只好|不得不|已经|统一|临时|整体|可以)*"
_HOW = (
    r"(?P<how>推迟|延迟|延后|延期|推后|顺延|后延|(?:往|向)后(?:推|挪|延|拖|移|调|顺)|[改推延]晚|提前|提早|改早|"
    r"(?:往|向)前(?:提|挪|移|调|赶))"
)
PUT_OFF: tuple[Rule, ...] = (
    Rule("put_off_by", "", each("推延顺往向晚提早"), Expression(
        rf"{_LEADS}{_WHAT}{_HOW}(?:了|个)?(?P<count>[一二两三四五六七八九十半几多]|[0-9]{{1,3}}|两三|三四|好几|若干)个?"
        r"(?P<unit>天|日(?!游)|周(?![一二三四五六日末])|星期(?![一二三四五六日天])|礼拜(?![一二三四五六日天])|月|年)(?!的时间表)"),
        _by_so_much, vital=True),
    Rule("put_off", "", each("推延"), Expression(
        rf"{_LEADS}{_WHAT}(?:推迟|延期|延后)(?:举行|进行|召开|上线|发布|开始)?(?:了|啦)?(?=$|[,，。!！])"),
        _without_a_day, insists=True, vital=True),
    Rule("shelved", "", each("先暂"), Expression(
        r"^(?:那|对了|算了|所以|[,，\s]){0,3}(?P<what>[^,，。;；]{1,12}?)(?:我们?|咱们?|就|也|还是|决定|打算){0,3}"
        r"(?:先|暂时|暂且|暂)(?:都|就)?不(?P<verb>[\u4e00-\u9fff])[^,，。;；吗呢]{0,4}了(?=$|[,，。!！])"),
        _shelved, vital=True),
)  # fmt: skip
