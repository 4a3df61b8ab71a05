"""Facts of a profile, and the words they are told in."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.aspects import told_as
from brain_core.extract.chinese.brought_in import tells_of_one_brought_in
from brain_core.extract.chinese.clauses import tidy, written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.vocabulary import NEAR_IN_ENGLISH
from brain_core.extract.language import Build, Found, Scene
from brain_core.text.expression import Expression

NUMBER = "[0-9零一二三四五六七八九十百两几]+"
"""Numerals in a pattern."""
SELF = "我|俺|本人|鄙人|在下"
ME = rf"(?<![让给跟问劝逼叫怪猜和像你说])(?:{SELF})"
"""The user as one who acts, in a pattern."""


def told_on(scene: Scene) -> bool:
    """Return whether a clause without a subject goes on telling of the user: 我叫安娜,今年三十岁."""
    head = scene.clause.sentence.partition(scene.clause.text)[0]
    return _INTRODUCING.match(head) is not None and _ANYBODY_ELSE.search(head) is None


def goes_on_of_another(scene: Scene) -> bool:
    """Return whether a clause without a subject goes on telling of somebody else: 我妹在外地,在医院当护士."""
    head = scene.clause.sentence.partition(scene.clause.text)[0]
    before = head or scene.before
    named = list(_ANYBODY_ELSE.finditer(before))
    return tells_of_one_brought_in(before) or (bool(named) and "我" not in before[named[-1].end() :])


_INTRODUCING = Expression(
    r"\W*(?:(?:大家|你|您)好|哈喽|嗨)?\W*(?:我|俺|本人)(?:叫|是|姓|今年|现在|目前|住|在|来自|有|做)"
)
_ANYBODY_ELSE = Expression(
    rf"{NEAR_IN_ENGLISH}|[他她它妈爸爷奶哥姐弟妹舅姨姑叔伯嫂]|老[公婆板]|儿子|女儿|孩子|朋友|同[事学]|邻居|领导|老师们|[猫狗]|房东|室友|未婚[夫妻]|"
    r"对象|^[^我咱俺叫姓]{1,8}[姓叫]"
)


def facts(*entries: tuple[str, str], since: str = "") -> Found:
    """Return facts (k, v) of the user as a profile."""
    listed = [{"k": told_as(k, v), "v": v} for k, v in entries]
    if since:
        listed[0]["since"] = since
    return Found({"subject": "user", "facts": listed})


def taken(match: re.Match[str]) -> str:
    """Return which of the groups v, v2, v3, … took part: the value of whichever branch of the pattern matched."""
    return next(name for name in match.re.groupindex if name[0] == "v" and match[name] is not None)


def fact_value(match: re.Match[str], scene: Scene, name: str) -> str:
    """Return what a group holds as it was written, without marks at its ends."""
    return tidy(written(scene, match.start(name), match.end(name)))


def is_to_come(scene: Scene, stop: int) -> bool:
    """Return whether what a clause tells up to `stop` is of a time to come: 明年转行政, 下个月去做站长."""
    head = scene.clause.sentence[: max(scene.clause.sentence.find(scene.clause.text), 0) + stop]
    return _TO_COME.search(head) is not None


_TO_COME = Expression(
    r"明年|后年|[下明后]个?(?:周|星期|礼拜|月|学期|学年|季度)|[年春]节?后(?!来)|开春|过完年|将来|以后(?!就|都)"
)


def since_of(scene: Scene) -> str:
    """Return since when a clause says that something holds: a year, month or day; empty if it does not."""
    found = re.search(
        r"([12][0-9]{3})年?(?:[0-9]{1,2}月)?(?:起|开始|以来|至今|到现在|就)|(?:从|自)([12][0-9]{3})年?",
        scene.clause.text,
    )
    if found:
        return str(found[1] or found[2])
    day = (
        first_day(scene.clause.text, scene.said, past=True)
        if re.search(r"[从自].{1,12}(?:起|开始)|入职|以来", scene.clause.text)
        else None
    )
    if day is None:
        return ""
    return day.day.isoformat() if day.exact else day.day.isoformat()[:7]


def one_fact(k: str, refuse: str = r"$^") -> Build:
    """Return what reads a fact `k` from the group v; refuse: what in it shows that it is none."""
    refused = Expression(refuse)

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        value = fact_value(match, scene, taken(match))
        if value and not refused.search(match[taken(match)]):
            yield facts((k, value), since=since_of(scene))

    return build
