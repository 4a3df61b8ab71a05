"""Work that the user has left, told by pointing at it or by what it was: 早就不在那家公司了, 我不做护士了."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from brain_core.extract.chinese.clauses import each
from brain_core.extract.chinese.jobs import JOBS
from brain_core.extract.chinese.recall import profile_fact
from brain_core.extract.chinese.target import of_one_day, whose
from brain_core.extract.known import known_facts
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_WORK = ("employer", "workplace", "role")
_UNSURE = Expression(
    r"[?？吗]|如果|要是|假如|可能|也许|想|打算|准备|考虑|差点|没(?!干)|计划|希望|会不会|[下明后]个?[周天月年]|别|以前|当时|那时|[他她]"
)


def _left(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that the one work that is known is left: pointed at, or named by a word of it."""
    if not _is_told_of_the_user(match, scene):
        return
    named = next((match[name] for name in ("at", "at2") if match[name]), "")
    place = _POINTING.sub("", named)
    held = [(k, v) for k, v in known_facts(scene.known) if k in _WORK]
    if any(not place or place in fold(v) or fold(v) in place for _, v in held):
        yield from (profile_fact(k, v, denies=True) for k, v in held)


def _is_told_of_the_user(match: re.Match[str], scene: Scene) -> bool:
    clause = scene.clause.text
    head = clause[: match.start()] + (match.groupdict().get("who") or "")
    return not (of_one_day(clause) or _UNSURE.search(scene.clause.sentence) or whose(scene, head) == "another")


_POINTING = Expression(
    r"^(?:我|的|把){0,2}(?:(?:那|这|原来|之前|以前|上一?|现在)(?:的)?(?:那)?[家个份]?)?|"
    r"(?:的|[那这][个家份边里儿]?|公司|单位|东家|厂|店(?=那)|工作?|活儿?|班|儿|边|里){1,4}$"
)
"""What points at a place and does not name it: 原来那个单位, 奶茶店那个活."""


def _no_longer(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我不做护士了 of who is known as one: where they work is doubted, which the job told of."""
    if not _is_told_of_the_user(match, scene):
        return
    facts = [(k, v) for k, v in known_facts(scene.known) if k in _WORK]
    job = match["job"] or match["job2"]
    roles = [(k, v) for k, v in facts if k == "role" and job in fold(v)]
    if roles:
        yield from (profile_fact(k, v, denies=True) for k, v in roles)
        others = [(k, v) for k, v in facts if k != "role"]
        yield from (replace(profile_fact(k, v, denies=True), doubts=True, weak=True) for k, v in others)


_LONG_SINCE = (
    r"(?:早就?|已经|现在|也|都|就|去年|前年|上个?[月周]|年初|年底|月初|刚刚?|后来|最后|终于|正式|"
    r"[0-9]{1,2}月份?|今年){0,3}"
)
_THERE = (
    r"(?:(?:那|这|原来|之前|以前|上一?)(?:的)?(?:那)?[家个份]?"
    r"(?:公司|单位|东家|厂|店|医院|学校|工作|活儿?|班|儿|边|里))"
)

LEFT_WORK: tuple[Rule, ...] = (
    Rule(
        "work_left", "profile", each("在干做辞离走撤"),
        Expression(
            rf"^(?P<who>[^,，]{{0,4}}?){_LONG_SINCE}不在{_THERE}(?:那边)?(?:上班|工作|干|做|待|呆)?了(?![吗么])|"
            rf"^我?(?P<at>{_THERE}(?:那边)?|[^,，我他她不没在]{{2,10}}?(?:那边|那里|那儿|那家|(?:那个?|的)?(?:那[个份])?(?:工作?|活儿?|班)))我?{_LONG_SINCE}"
            r"(?:不(?:干|做)(?:下去)?了|辞(?:职|掉)?了|离职了|走人了|撤了|没(?:再|在)?(?:干|做)了)(?![吗么])|"
            rf"^我?{_LONG_SINCE}把(?P<at2>[^,，我他她]{{0,8}}?(?:工作|活儿?|班|那份工))(?:给)?辞(?:掉)?了(?![吗么])"
        ),
        _left, shares=True, insists=True, vital=True,
    ),
    Rule(
        "job_no_longer", "profile", each("做当干"),
        Expression(rf"^(?P<who>(?:我|俺|本人)?){_LONG_SINCE}不(?:再)?(?:做|当|干)(?P<job>[^,，了]{{0,6}}?{JOBS})(?:这行)?了(?![吗么])|"
            rf"^(?P<job2>[^,，了我他她]{{0,6}}?{JOBS})(?:这行)?(?:我|俺|本人){_LONG_SINCE}不(?:再)?(?:做|当|干)了(?![吗么])"),
        _no_longer, shares=True, vital=True,
    ),
)  # fmt: skip
"""Before the denials that want a name."""
