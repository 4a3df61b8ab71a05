"""Chinese: the days to come that a question names, and whether its words look ahead or back. Texts are folded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from brain_core.compose.planner.spans import SOON, calendar_span, joined, onwards, quarter, tail
from brain_core.compose.planner.tells import Coming, Period
from brain_core.compose.planner.times import CHINESE, chinese_days
from brain_core.extract.chinese.dates import number
from brain_core.extract.dates import Day

_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_UNIT = r"(?P<unit>天|日|个?星期|个?礼拜|周|个?月|年)"
_WHOLE = {"年": "year", "周": "week", "星期": "week", "礼拜": "week"}
_COUNT = r"(?P<count>\d{1,3}|[一二两三四五六七八九十半]{1,3}|几|俩|仨)"
_ON = CHINESE.expression(
    rf"(?:接下来|未来|今后|往后|之后|以后|后面|后续)(?:的)?(?:这)?(?:{_COUNT}{_UNIT})?(?:里|内|之内|以内)?"
)
_WITHIN = CHINESE.expression(rf"{_COUNT}{_UNIT}(?:之内|以内|内)(?!容)")
_A_WHILE = CHINESE.expression(r"[再]?过(?:(?P<days>[几两些]天)|(?P<while>一阵子?|阵子|段时间|一段时间|些日子))")
_LATELY = CHINESE.expression(r"最近|近期|近来|这[几两]天|这阵子?|这段时间")
_OPEN = CHINESE.expression(r"即将|快要|马上要|将要|将来")
_NEXT = CHINESE.expression(
    r"(?P<ups>下{1,3})(?P<one>一?个)?(?P<unit>星期|礼拜|周|月|季度)(?![一二三四五六日天末底初0-9]|旬)"
)
_HALF = CHINESE.expression(r"下半年|后半年")
_REST = CHINESE.expression(
    r"(?:这|本)(?P<one>个)?(?P<unit>周|星期|礼拜|月|年)(?:剩下|余下|后面|后半)[的]?(?:几天|时间|日子)?"
)
_BEFORE = re.compile(r"\s*(?:之前|以前|前(?![后一两几三那年天日晚半]))")
_JOINS = re.compile(r"(?:凌晨|清?早上?|上午|中午|下午|傍晚|晚上?)?\s*(?:[、,，]|或者?|还是|和|跟|与|到|至|[-~—–])\s*")
_AGO = re.compile(r"[上前昨去]|以前$|之前$|(?<!天)前$")
_MONTH_EDGE = re.compile(r"(?P<edge>[初底末])$")
_AFTER = re.compile(r"(?P<unit>天|日|周|星期|礼拜|月|年)半?(?:之后|以后|后)$")
_NO_DAY = re.compile(r"[线机电汽选馆桌柜站楼房门店厅仓]|地铁|公交|课时")
_NUMBERED = re.compile(r"[a-z0-9第]$")

_SURE = re.compile(
    r"^(?:[明后过再]|下(?!半)|大后|即将|快要|马上|将|接下来|未来|今后|往后)|[天周期拜月年]之?以?后$|剩|余"
)
_TOLD = re.compile(r"20\d\d|^[这本今]")
_LEAN = re.compile(
    r"^(?:最近|近期|近来|这[几两]天|这阵子?|这段时间|今[天晚早日]|[这本今]个?(?:周|星期|礼拜|月|年)|下半年)$"
)
_TO_COME = CHINESE.expression(
    r"[有没得]空|空不空|有(?:没有)?时间|没时间|安排(?!的)|日程|计划(?![书表的])|打算|预定|预约|[约订](?=[了的])|有约|"
    r"(?<![主需重只想])要(?![紧求点么素周星礼上昨前这那的]|不是|好的)|"
    r"[得该](?=[去交做带买还给到])|会不会|会来|能不能|准备(?![的好了])|到期|截止(?!到|目前|至今)|待办|提醒|"
    r"有(?:没有)?(?:什么|啥|哪些|别的|点)?(?:重要)?的?(?:事|活动|会(?!员)|课|考试|比赛|演出)|忙不忙|忙吗|"
    r"[来去]不[来去]|[来去在]吗|在(?:家|这儿?|这里|公司|办公室)[吗么]|在不在|"
    r"即将|快到|马上|将"
)
_OVER = CHINESE.expression(
    r"[了过](?![几两一些阵年节]|生日|段)|来着|当时|那[天次回趟顿场]|上次|上回|以前(?!要)|昨|上个?[周月星礼]|刚才|"
    r"[说记定排做列写给聊发存讲拟约订]的|去年|前天|(?<![跟和给同])[我你您](?:[跟和给同][我你您])?(?:说|讲|提|交代)要"
)
_PLANS = CHINESE.expression(
    r"安排|日程|计划|待办|到期|截止|有(?:没有)?(?:什么|啥|哪些)?(?:重要)?的?(?:事|活动)|"
    r"要(?=[做干交办去带完准买见接送还参签付来])|有空|谁.{0,3}来|任务"
)

_OURS = CHINESE.expression(
    r"的会(?![员计长])|聚餐|聚会|航班|飞机|火车|高铁|[上的]课|考试|比赛|演出|音乐会|生日|婚礼|面试|体检|对账|手术|"
    r"复查|约会|会议|饭局|"
    r"在(?:家|这儿?|这里|公司|办公室)?[吗么]|在不在"
)


def _named(text: str, said: date) -> Iterator[Period]:
    """Yield the days of a folded text that are not over on the day said, in the order they stand in."""
    found = sorted([*_phrases(text, said), *_days(text, said)], key=lambda one: (one.span[0], -one.span[1]))
    for one in joined(text, found, _JOINS):
        before = _BEFORE.match(text, one.span[1])
        if before is None:
            yield one
        else:
            stop = one.start if one.start > said else one.stop
            yield Period(said, stop, (one.span[0], before.end()))


def _phrases(text: str, said: date) -> Iterator[Period]:
    for match in _ON.finditer(text):
        if match["unit"]:
            yield onwards(said, _count(match["count"]), _unit(match["unit"]), match.span())
        elif match[0].startswith(("接下来", "未来", "今后", "往后")):
            yield Period.of_days(said, SOON, match.span())
    for match in _WITHIN.finditer(text):
        yield onwards(said, _count(match["count"]), _unit(match["unit"]), match.span())
    for match in _A_WHILE.finditer(text):
        yield Period.of_days(said + timedelta(days=1), 7 if match["days"] else SOON, match.span())
    for match in _LATELY.finditer(text):
        yield Period.of_days(said, 7 if match[0].endswith("天") else SOON // 2, match.span())
    for match in _OPEN.finditer(text):
        yield Period.of_days(said, SOON, match.span())
    for match in _NEXT.finditer(text):
        if match["unit"] == "季度":
            index = said.year * 4 + (said.month - 1) // 3 + len(match["ups"])
            yield quarter(index // 4, index % 4 + 1, match.span())
        else:
            yield calendar_span(said, _unit(match["unit"]), len(match["ups"]), match.span())
    for match in _HALF.finditer(text):
        yield tail(said, Period(date(said.year, 7, 1), date(said.year + 1, 1, 1), match.span()))
    for match in _REST.finditer(text):
        yield tail(said, calendar_span(said, _unit(match["unit"]), 0, match.span()))


def _unit(word: str) -> str:
    return _UNITS[word.removeprefix("个")]


def _count(word: str) -> int:
    return {"几": 7, "俩": 2, "仨": 3, "半": 1}.get(word) or max(1, number(word) or 3)


def _days(text: str, said: date) -> Iterator[Period]:
    for day in chinese_days(text, said):
        words, after = text[day.start : day.stop], text[day.stop : day.stop + 2]
        if words.endswith("号") and "月" not in words and (_NO_DAY.match(after) or _NUMBERED.search(text[: day.start])):
            continue
        period = _covered(day, words)
        if period.stop > said and not _AGO.match(words):
            yield tail(said, period)


def _covered(day: Day, words: str) -> Period:
    span = (day.start, day.stop)
    if words.endswith("末") and words[-2] in "周期拜":
        return Period.of_days(day.day, 2, span)
    if _MONTH_EDGE.search(words):
        return _edge(day, words, span)
    later = _AFTER.search(words)
    if later and _UNITS[later["unit"]] != "day":
        return calendar_span(day.day, _UNITS[later["unit"]], 0, span)
    if day.exact:
        return Period.of_days(day.day, 1, span)
    whole = next((unit for name, unit in _WHOLE.items() if words.endswith(name)), "month")
    return calendar_span(day.day, whole, 0, span)


def _edge(day: Day, words: str, span: tuple[int, int]) -> Period:
    """Return the first days of a month or the last ones of it or of a year."""
    if not day.exact:
        return Period.of_days(day.day.replace(day=1), 10, span)
    length = 14 if "年" in words else 7
    return Period(day.day - timedelta(days=length - 1), day.day + timedelta(days=1), span)


COMING = Coming(_named, _SURE, _TOLD, _TO_COME, _OVER, _PLANS, _LEAN, _OURS)
