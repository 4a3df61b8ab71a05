"""Chinese: the periods that a message names, as far as they lie in the past. Texts are folded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from brain_core.compose.planner.spans import calendar_span, month_span, quarter, rolling, season
from brain_core.compose.planner.tells import Period
from brain_core.extract.chinese.dates import days, number
from brain_core.extract.dates import Day

_LIVED = 15
"""Years: what lies further back is history, not memory."""

_HINT = re.compile(
    r"[昨今年月周号节近\d]|[天日]之?以?前|前[天几两些阵段晚儿]|上[个周月星礼半]|这[个周月星礼几两三些阵段程]|星期|礼拜|过去|"
    r"季度|以来|[元端中清国五圣双春六三][旦午秋明庆一诞十节八]|十一|跨年|过年|除夕|平安夜|[一二三四五六七八九十]日|元宵"
)
_UNITS = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "年": "year",
    "季度": "quarter",
}
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_YEARS = {"前": -2, "去": -1, "今": 0}
_COUNT = r"\d{1,3}|[一二两三四五六七八九十半]{1,3}|几"
_UNIT = r"(?P<unit>天|日|个?星期|个?礼拜|周|个?月|年|个?季度)"

_ROLLING = re.compile(
    rf"(?:(?:在)?(?:过去|最近|近|这|前)(?:的)?(?:这)?)(?P<count>{_COUNT})(?:来)?{_UNIT}(?![前后会议级月]|"
    r"以前|之前)(?:以来|来|里|内|间)?"
)
_RECENT = re.compile(
    r"(?<![离距])(?:最近(?!的?(?:[一-鿿]{0,4}(?:店|站|院|超市|机场|路线|医院|酒店|地铁|出口|邻居?)))|近期|"
    r"近来|近些天|近日|这阵子|这阵儿|这段时间|前阵子|前段时间|前些天|前些日子|这些天|这些日子|这程子)"
)
_DAY = re.compile(
    r"(?P<day>大前天|前天晚上|昨儿|昨晚|昨夜|前儿|前晚|今儿|今早|今晨|今晚|今日|今夜|今午|昨日|昨早|昨午|"
    r"昨天|当天)(?![头条线])"
)
_DAYS = {"大": -3, "前": -2, "昨": -1, "今": 0}
_SPAN = re.compile(
    r"(?P<ups>上{1,3}|这|本)(?P<one>个)?(?P<unit>周末|星期|礼拜|周|月|"
    r"季度)(?P<day>[一二三四五六日天末])?(?![期球台亮饼子年])"
)
_YEAR = re.compile(
    r"(?P<year>[去前今]年|(?:19|20)\d\d ?年)(?![款版级届产式间终度底初代])(?P<half>[上下]半年)?|(?P<this>[上下]半年)"
)
_SEASON = re.compile(r"(?P<year>[去前今]年|(?:19|20)\d\d ?年)的?(?P<season>[春夏秋冬])(?:天|季|里|末|初)?")
_QUARTER = re.compile(r"(?:(?P<year>[去前今]年|20\d\d ?年)?的?(?:第?(?P<number>[一二三四1-4])季度|q(?P<q>[1-4])))")
_SINCE = re.compile(r"(?:从|自从|自|打|打从)$")
_ON = re.compile(
    r"[^，。；？！,]{0,8}?(?:起|开始|以来|到现在|至今|到今天|到如今|之后|以后|往后|后)|"
    r"[^，。；？！,]{0,6}?(?:到|至)(?:现在|今|目前|今天|眼下)"
)
_JOINS = re.compile(r"\s*(?:到|至|[-~—–])+\s*")
_AIM = re.compile(r"(?:[挪改推延拖调换排定约订放移]到?[在到至成]?|提前到|截止到?|到|等|安排在?|预约|提醒我?)$")
_DUE = re.compile(
    r"(?:上午|下午|晚上|早上|中午)?(?:我们?|他|她|咱们?)?就?(?:要(?!紧)|得|打算|准备|想(?!起)|会)|"
    r"(?:之)?前(?:[要得交完给发]|必须|提醒|之前)|提醒我|截止|到期"
)
_NOT_MONTH = re.compile(r"[天雪花桂兰街书革流飞物晒球亮饼台老薪嫂租卡]|份额|度|结")
_NOT_DAY = re.compile(r"[线机电汽选馆桌柜站出楼房门店厅位文院仓]|地铁|公交|课时|元|块|人|个|套|班")
_NUMBERED = re.compile(r"[a-z0-9第]$")
_ELEVEN = re.compile(r"[点个月日块岁人分年天周层楼条张次]")
_NOT_YEAR = re.compile(r"[款版级届产式间度]")
_NOT_FEAST = re.compile(r"月饼|粽子?|汤圆|节?快乐|礼盒|晚会|档期?|上河图|联欢|不[一-鿿]|膏|茶|价")
_NOT_RELATIVE = re.compile(r"[线空井桥台窗]|头条|路")


def periods(text: str, said: date) -> Iterator[Period]:
    """Yield the periods of a folded text that have begun by the day said, in the order they stand in."""
    if not _HINT.search(text):
        return
    found = sorted([*_phrases(text, said), *_named_days(text, said)], key=lambda one: (one.span[0], -one.span[1]))
    kept: list[Period] = []
    stop = -1
    for one in found:
        if one.span[0] >= stop:
            kept.append(one)
            stop = one.span[1]
    yield from (one for one in _joined(text, kept, said) if one.start <= said)


def _year(word: str | None, said: date) -> int:
    if not word:
        return said.year
    return said.year + _YEARS[word[0]] if word[0] in _YEARS else int(word[:4])


def _phrases(text: str, said: date) -> Iterator[Period]:
    for match in _ROLLING.finditer(text):
        unit = _UNITS[match["unit"].removeprefix("个")]
        yield rolling(
            said,
            7 if match["count"] == "几" and unit == "day" else max(1, number(match["count"]) or 3),
            unit,
            match.span(),
        )
    for match in _RECENT.finditer(text):
        yield Period(said - timedelta(days=30), said + timedelta(days=1), match.span())
    for match in _DAY.finditer(text):
        yield Period.of_days(said + timedelta(days=_DAYS.get(match["day"][0], 0)), 1, match.span())
    for match in _SPAN.finditer(text):
        yield from _calendar(match, said, text)
    for match in _SEASON.finditer(text):
        yield season(_year(match["year"], said), _SEASONS[match["season"]], match.span())
    for match in _QUARTER.finditer(text):
        which = match["q"] or match["number"]
        yield quarter(_year(match["year"], said), int(which) if which.isdecimal() else number(which), match.span())
    for match in _YEAR.finditer(text):
        year = _year(match["year"], said)
        if abs(said.year - year) > _LIVED:
            continue
        half = (match["half"] or match["this"] or "")[:1]
        first, last = (7 if half == "下" else 1), (6 if half == "上" else 12)
        yield Period(date(year, first, 1), date(year + last // 12, last % 12 + 1, 1), match.span())


def _calendar(match: re.Match[str], said: date, text: str) -> Iterator[Period]:
    unit, back = match["unit"], len(match["ups"]) if match["ups"][0] == "上" else 0
    if match.start() and text[match.start() - 1] in "登马船车网线路晚早" and not match["one"]:
        return
    if unit == "月" and not match["one"] and match["ups"] == "这":
        return
    if unit == "周末" or match["day"]:
        monday = said - timedelta(days=said.weekday() + 7 * back)
        if unit == "周末" or match["day"] == "末":
            yield Period.of_days(monday + timedelta(days=5), 2, match.span())
        elif unit != "月":
            yield Period.of_days(
                monday + timedelta(days="一二三四五六日".find(match["day"].replace("天", "日"))), 1, match.span()
            )
    elif unit == "季度":
        index = said.year * 4 + (said.month - 1) // 3 - back
        yield quarter(index // 4, index % 4 + 1, match.span())
    else:
        yield calendar_span(said, _UNITS[unit], -back, match.span())


def _named_days(text: str, said: date) -> Iterator[Period]:
    for day in days(text, said, past=True):
        words, after = text[day.start : day.stop], text[day.stop : day.stop + 6]
        before = text[max(0, day.start - 8) : day.start]
        if day.day > said or _aimed(text, words, before, after):
            continue
        yield _whole(day, words)


def _aimed(text: str, words: str, before: str, after: str) -> bool:
    """Return whether a day is not one on which something was said or done: aimed at, a name, a number."""
    return (
        (_AIM.search(before) is not None and not before.endswith("到了"))
        or _DUE.match(after) is not None
        or ("提醒" in text and "提醒过" not in text)
        or words.endswith(("内", "之后", "以后", "后"))
        or (words[0] in "周星礼" and before.endswith(("每", "逢", "隔")))
        or _names_something(words, before, after)
    )


def _names_something(words: str, before: str, after: str) -> bool:
    if words.endswith("月") and (_NOT_MONTH.match(after) or before.endswith(("第", "满", "共"))):
        return True
    if words.endswith("号") and "月" not in words and (_NOT_DAY.match(after) or _NUMBERED.search(before)):
        return True
    if words.startswith("十一") and (_ELEVEN.match(after) or before.endswith(("第", "二", "三"))):
        return True
    return (
        _NOT_FEAST.match(after) is not None
        or (words == "周一" and after.startswith("围"))
        or (words.endswith(("天", "日")) and _NOT_RELATIVE.match(after) is not None)
        or (words.endswith("年") and _NOT_YEAR.match(after) is not None)
    )


def _whole(day: Day, words: str) -> Period:
    span = (day.start, day.stop)
    if words.endswith("末") and words[-2] in "周期拜":
        return Period.of_days(day.day, 2, span)
    ago = re.search(r"(天|日|周|星期|礼拜|月|年)半?(?:之前|以前|前)$", words)
    if ago:
        unit = _UNITS[ago[1]]
        return Period.of_days(day.day, 1, span) if unit == "day" else calendar_span(day.day, unit, 0, span)
    if day.exact and words[-1] not in "底末":
        return Period.of_days(day.day, 1, span)
    if words.endswith("年"):
        return calendar_span(day.day, "year", 0, span)
    if words.endswith(("周", "星期", "礼拜")):
        return calendar_span(day.day, "week", 0, span)
    return month_span(day.day, span)


def _joined(text: str, found: list[Period], said: date) -> Iterator[Period]:
    """Make ranges of what is joined (从…到…), and open ends of what something was since."""
    number_ = 0
    while number_ < len(found):
        one = found[number_]
        if number_ + 1 < len(found):
            other = found[number_ + 1]
            if _JOINS.fullmatch(text[one.span[1] : other.span[0]]) and one.start < other.stop:
                yield Period(one.start, other.stop, (one.span[0], other.span[1]))
                number_ += 2
                continue
        since, on = _SINCE.search(text[: one.span[0]]), _ON.match(text[one.span[1] :])
        since_then = on is not None and (since is not None or on[0].endswith(("以来", "起", "至今", "到现在")))
        yield Period(one.start, said + timedelta(days=1), one.span) if since_then else one
        number_ += 1
