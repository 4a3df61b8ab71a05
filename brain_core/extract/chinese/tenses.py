"""Whether the day that a Chinese text names is over or to come, and which day of two is meant. Texts are folded."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from brain_core.extract.bare_day import in_its_month, in_month_of
from brain_core.extract.chinese.dates import days, first_day, through
from brain_core.extract.dates import Day, day_left
from brain_core.text.expression import Expression

PAST = Expression(
    r"了|过(?!年|节|去|来|户|敏)|刚|已经|曾|昨|前天|上(?:个|周|月|星期|礼拜)|去年|前年|当时|那天|"
    r"[做拔动结摔买签领丢拆修开办生拍出]的(?=$|[,，。;；]|手术|刀|牙|婚|证|票|车|线|院|会)|"
    r"[\u4e00-\u9fff]完(?![全整善美毕成]|[^,，]*(?:就|再|后|才|要|得|会))"
)
"""Says that something is over."""


def event_day(told: str, said: date, before: str = "") -> tuple[Day | None, bool]:
    """Return the day that a folded sentence names, and whether it is told of that day as of one that is over.

    before: the message up to it. Not exact where something past was before or after the day.
    """
    moved = moved_day(told, said) or day_now(told, said)
    if moved is not None:
        return moved, False
    what = said_day(told, said)
    if what is not None:
        return what
    named = first_day(told, said)
    if named is None:
        return None, PAST.search(told) is not None
    beginning = _COMMA.split(told[: named.start])[-1]
    rest = _COMMA.split(told[named.stop :])[0]
    of_the_day = told if rest.startswith("才") else beginning + told[named.start : named.stop] + rest
    past = PAST.search(of_the_day) is not None and PUT_OFF_TO.search(told[: named.start]) is None
    day = through(told, in_its_month(first_day(told, said, past=past) or named, told, said, before, days, first_day))
    return replace(day, exact=day.exact and not (past and is_beside(told, day))), past


_COMMA = Expression(r"[,，;；]")


def said_day(text: str, said: date) -> tuple[Day, bool] | None:
    """Return the day of what somebody told, and whether it is over: 昨天宣布10月5号搬家. None where that has no day."""
    verb = _REPORTS.search(text)
    if verb is None:
        return None
    what = text[verb.end() :]
    past = PAST.search(what) is not None
    day = first_day(what, said, past=past)
    if day is None or not day.exact or len(_CHARACTER.findall(what[: day.start] + what[day.stop :])) < _SAYS_WHAT:
        return None
    day = through(what, day)
    return replace(day, start=verb.end() + day.start, stop=verb.end() + day.stop), past


_REPORTS = Expression(
    r"(?:告诉|通知|宣布|得知|听说|确认|透露|(?<![小据])说)[了过]?(?:咱们|大家|[我你他她]们?)?[,，:：]?"
)
_CHARACTER = Expression(r"[\u4e00-\u9fffA-Za-z]")
_SAYS_WHAT = 2
"""Characters beside a day that say what happens."""


REPEATS = Expression(
    r"每(?:[个逢隔])?(?:[天日周月年季晚早次]|星期|礼拜)|隔[周天月年]|(?<![这下上本个])(?:周|星期|礼拜)[一二三四五六日天末]"
    r"[^,，]{0,8}(?:一般|通常|平时|经常|总是?|习惯|都会?[去回来在要睡吃打上])(?![^,，]*了)|"
    r"(?<![这下上本个期])(?:周|星期|礼拜)[一二三四五六日天末](?:[、和跟与及]?(?:周|星期|礼拜)[一二三四五六日天末]|[、和]?[一二三四五六日天](?![点号个月年]))+"
    r"(?!放假|调休|连休|请假|停)(?![^,，]*(?:了|还是|或|要么|出差|面试|考试|比赛))"
)
"""What happens again and again is on no one day: 每月15号, 周日我们都回家, 周三周五有游泳课."""


SOME_TIME_AGO = Expression(
    r"最近|近来|近期|前一?[阵段]|前些[天日年]|前几[天日周年]|[几多]年前|早年|那天|那时|那年|以前|从前|曾|小时候|当年|有一?[次天回]|过去"
    r"|一直|这些年|这[几两][天年周个]"
)
"""Says that something has been, on a day that nobody can tell."""


def is_beside(text: str, day: Day) -> bool:
    """Return whether something was before or after a day: 春节前, 三号以后."""
    return _BESIDE.match(text, day.stop) is not None


_BESIDE = Expression(r"节?(?:[之以]?[前后](?![天年])|前后)")
_PUT_OFF = (
    r"(?:改签|改期|改约|改|推迟|推|延期|延后|延|提前|挪|调整|调|换|移|顺延|变更|变)"
    r"(?:时间|日期|约)?(?:到|至|成|为|在)了?"
)
_FROM_TO = Expression(
    rf"(?P<begins>)(?:从|由|自|原定|原来|本来)(?:是|的|定在)?(?P<old>[^,，;；。]{{2,12}}?){_PUT_OFF}(?P<new>[^;；。]+)"
)
_OF_TO = Expression(rf"(?P<old>[^,，;；。]{{2,8}}?)的[^,，;；。]{{1,12}}?(?P<begins>){_PUT_OFF}(?P<new>[^,，;；。]+)")
"""周五的牙医改到下周二."""


def moved_day(text: str, said: date) -> Day | None:
    """Return the day to which a text moves something from another, the span of both: 从五月一号推迟到六月六号.

    Of 周五的牙医改到下周二 the span begins with the move.

    None where it names no two days, or the move is long over: 去年从五月改到六月.
    """
    match = _FROM_TO.search(text) or _OF_TO.search(text)
    if match is None or _LONG_AGO.search(text):
        return None
    old, new = first_day(match["old"], said), first_day(match["new"], said)
    if old is None or new is None or new.start > 0:
        return None
    new = in_month_of(old.day if old.exact else None, new, match["new"], first_day, said)
    return replace(new, start=match.start("begins"), stop=match.start("new") + new.stop)


def day_now(text: str, said: date) -> Day | None:
    """Return the day that holds of two, of which the other was meant before: 原定三号，结果十号才考.

    None where a text names no day that was given up, or no other.
    """
    left = day_left(text, days(text, said), _gives_up)
    return left and in_its_month(left, text, said, "", days, first_day)


def is_given_up(text: str, day: Day) -> bool:
    """Return whether the first day of a text is called one that was meant before: 原定三号."""
    return _gives_up(text[: day.start], text[day.stop :])


def _gives_up(before: str, behind: str) -> bool:
    return _GIVEN_UP.search(before) is not None or _MISSED.match(behind) is not None


_GIVEN_UP = Expression(r"(?:原定|原本|本来|原来|原计划|原先|起初|本该|本应|原该)[^,，;；。\d]{0,8}$")
_MISSED = Expression(
    r"[^,，;；。]{0,6}?(?:[来去到回赶]不(?:了|来|成|上)|没(?:空|来|时间|去成|赶上|到)|走不开|不行|不方便|没法|来不及)"
    r"[^,，;；。]{0,2}(?=$|[,，;；])"
)
"""Behind a day on which a thing was to be and is not: 10号来不了，17号来."""
_LONG_AGO = Expression(r"[去前]年|上个?(?:月|周|星期|礼拜)|昨天|前天|当[时年]|那时")
_CALLED_OFF = Expression(r"取消|退(?:掉|了)|推迟|延期|改期|不办了|不去了|黄了|泡汤")


def called_off_day(text: str, said: date) -> Day | None:
    """Return the day of what is called off, over or to come, whichever is near: 取消了十二月二十号的旅行."""
    ahead, over = (first_day(text, said, past=past) for past in (False, True))
    if ahead is None or over is None or _CALLED_OFF.search(text) is None:
        return None
    return min((over, ahead), key=lambda one: abs(one.day - said))


PUT_OFF_TO = Expression(r"(?:[推延挪调改移]|推迟|延[期后迟]|顺延|提前|改期|调整|往[前后][推挪调])到\s*$")
"""Before the day to which something is put off, which lies ahead though with 了: 改到周四了."""
