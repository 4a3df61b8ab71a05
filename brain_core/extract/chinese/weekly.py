"""What holds every week, told in Chinese by a bare weekday: 周五下午不发版, 周一上午开站会. It is on no date."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, rest_of_sentence
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_ONCE = Expression(
    r"[这下上本]个?(?:周|星期|礼拜)|[了过吗么?？]|今[天晚早]|[昨明后]天|[0-9一二三四五六七八九十]+ ?[号日](?!常)|"
    r"取消|推迟|改[到成期]|请假|缺席|去不|不去|我(?!们)|因为|临时|暂停"
)
"""Says of one day what is on it."""

_WEEKDAY = (
    r"^\s*(?:请|注意|另外|还有|以后|记住|我们|咱们|团队|组里|项目组|,|，|\s)*(?:每个?)?(?:周|星期|礼拜)[一二三四五六日天末]"
    r"(?:[和到至、](?:周|星期|礼拜)?[一二三四五六日天末])?"
    r"(?:上午|下午|中午|晚上|早上|[0-9一二三四五六七八九十]+(?:[:：][0-9]{2}|点半?)|以?后|之后)*"
)
_WORK = (
    r"(?:发版|发布|上线|部署|提测|割接|变更|合并?(?:代码|分支|主干)|合 ?(?:PR|MR)|merge|deploy|release|"
    r"动(?:线上|数据库|生产)|排会|安排会议?|约会议)"
)


def _not_then(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read 周五下午不发版: a rule for all weeks."""
    text = scene.clause.text
    if not _ONCE.search(text):
        content, span = rest_of_sentence(scene, 0)
        yield Found({"scope": "coding", "name": content_slug(text), "value": content}, span=span)


_NOT_THEN = Rule(
    "preference_weekday", "preferences", each("周期拜"),
    Expression(
        rf"{_WEEKDAY}(?:一律|都|我们|统统|绝对)*(?:不(?!准|许|得)(?:要|能|可以|允许)?|别|勿)(?:再)?[^,，]{{0,6}}?{_WORK}[^,，]{{0,4}}$|"
        rf"^[^,，]{{0,6}}(?:不要?|别|不能)在(?:周|星期|礼拜)[一二三四五六日天末](?:上午|下午|晚上)?{_WORK}",
        re.IGNORECASE,
    ),
    _not_then, insists=True,
)  # fmt: skip


def _held_then(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 周一上午开站会: meetings of such a name are held each week, and it names them whatever the day."""
    if not _is_once(scene.clause.text):
        content, span = rest_of_sentence(scene, 0)
        yield Found({"kind": "fact", "slug": content_slug(match["what"]), "content": content}, span=span)


def is_weekly(folded: str) -> bool:
    """Return whether a folded text tells what is held each week."""
    return not _is_once(folded) and any(rule.pattern.search(folded) for rule in (_HELD_THEN, _IS_THEN))


def _is_once(folded: str) -> bool:
    """Return whether a text tells of one day; what is moved from now on is moved for all weeks: 例会以后改到周四了."""
    return _ONCE.search(_MOVED.sub("", folded) if _FOR_GOOD.search(folded) else folded) is not None


_FOR_GOOD = Expression(r"以后|今后|往后|从[^,，]{1,4}(?:开始|起)")
_MOVED = Expression(r"改[到成]|了$|[下本这]个?(?:周|月|星期|礼拜)(?=开始|起)")


_HELD_THEN = Rule(
    "knowledge_weekday", "knowledge", each("周期拜"),
    Expression(
        rf"{_WEEKDAY}(?:固定|一般|通常|都|是|有|要|会|开|我们)*"
        r"(?P<what>[一-鿿]{0,4}(?:站会|例会|周会|早会|晨会|复盘会|值班|大扫除)|[发交写]周报)[^,，]{0,4}$"
    ),
    _held_then, insists=True,
)  # fmt: skip

_IS_THEN = Rule(
    "knowledge_on_weekday", "knowledge", each("周期拜"),
    Expression(
        r"^\s*(?:请|注意|另外|还有|记住|我们|咱们|团队|组里|部门|的|,|，|\s)*(?P<what>[一-鿿]{0,4}(?:站会|例会|周会|早会|晨会|复盘会))"
        r"(?:固定|一般|通常|都|是|就|时间|以后|今后|往后|现在|从[^,，]{1,4}(?:开始|起)|改|换|挪|调|定|放|在|到|成|为){0,8}"
        r"(?:每个?)?(?:周|星期|礼拜)[一二三四五六日天](?:[和、](?:周|星期|礼拜)?[一二三四五六日天])?"
        r"(?:上午|下午|中午|晚上|早上|[0-9一二三四五六七八九十]+(?:[:：][0-9]{2}|点半?)|开)*了?$"
    ),
    _held_then, insists=True,
)  # fmt: skip
"""The same told of the meeting: 例会在周二, 周会以后改到周四上午. 改到周四 alone may be of one week."""

WEEKLY: tuple[Rule, ...] = (_NOT_THEN, _HELD_THEN, _IS_THEN)
"""Before the rules that give a day to what they read. They insist, since it is no event for the judge."""
