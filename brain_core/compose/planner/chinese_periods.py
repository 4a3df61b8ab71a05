"""Chinese: the periods that a message names, as far as they lie in the past. Texts are folded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from brain_core.compose.planner.chinese_ranges import ranges
from brain_core.compose.planner.spans import LIVED, calendar_span, month_span, quarter, rolling, season, through
from brain_core.compose.planner.tells import Period
from brain_core.compose.planner.times import CHINESE, chinese_days
from brain_core.extract.chinese.dates import days, number
from brain_core.extract.dates import Day

_HINT = CHINESE.expression(
    r"[昨今年月周号节近旬\d]|[天日]之?以?前|前[天几两些阵段晚儿]|上[个周月星礼半]|这[个周月星礼几两三俩仨些阵段程]|"
    r"星期|"
    r"礼拜|过去|"
    r"季度|以来|[元端中清国五圣双春六三][旦午秋明庆一诞十节八]|十一|跨年|过年|除夕|平安夜|[寒暑]假|不久|"
    r"几[天周年个]|上一|头[几两些]|过去的|20\d\d[-/]|[一二三四五六七八九十]日|元宵|[春夏秋冬]"
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
_HALVES = {"month": (15, "day"), "year": (6, "month")}
_COUNT = r"\d{1,3}|[一二两三四五六七八九十半]{1,3}|[几俩仨]"
_TWO_OR_THREE = {"俩": 2, "仨": 3}
_UNIT = r"(?P<unit>天|日|个?星期|个?礼拜|周|个?月|年|个?季度)"

_ROLLING = CHINESE.expression(
    rf"(?:(?:在)?(?:过去|最近|近|这|"
    rf"(?<![提期孕职考婚产院发术课赛饭睡学市行查打])前)(?:的)?(?:这)?)(?P<count>{_COUNT})(?:来)?{_UNIT}(?![前后会议级月]|"
    r"以前|之前)(?:以来|来|里|内|间)?"
)
_RECENT = CHINESE.expression(
    r"(?<![离距])(?:最近(?!的?[一那这上][次回趟]|的?(?:[一-鿿]{0,4}(?:店|站|院|超市|机场|路线|医院|酒店|地铁|出口|"
    r"邻居?)))|近期|"
    r"近来|近些天|近日|近段时间|近一段(?:时间)?|前一阵子?|前一段(?:时间|日子)?|前段日子|这一阵子?|这一段时间|"
    r"这段日子|前不久|"
    r"(?<!多)不久(?:之?前|以前)|头些[天日]|好[几些]天|这阵子|这阵儿|这段时间|前阵子|前段时间|前些天|前些日子|这些天|"
    r"这些日子|这程子)"
)
_DAY = CHINESE.expression(
    r"(?P<day>大前天|前天晚上|昨儿|昨晚|昨夜|前儿|前晚|今儿|今早|今晨|今晚|今日|今夜|今午|昨日|昨早|昨午|"
    r"昨天)(?![头条线])"
)
_DAYS = {"大": -3, "前": -2, "昨": -1, "今": 0}
_SPAN = CHINESE.expression(
    r"(?P<ups>大?上{1,3}|这|本)(?P<one>一?个|一)?(?P<unit>周末|星期|礼拜|周|月|"
    r"季度)(?P<day>[一二三四五六日天末](?![块直些共同家]))?(?![期球台亮饼子年])"
)
_YEAR = CHINESE.expression(
    r"(?P<year>[去前今]年|(?:19|20)\d\d ?年)(?![款版级届产式间终度底初代])(?P<half>[上下]半年)?|(?P<this>[上下]半年)"
)
_SEASON = CHINESE.expression(r"(?P<year>[去前今]年|(?:19|20)\d\d ?年)的?(?P<season>[春夏秋冬])(?:天|季|里|末|初)?")
_SOME_SEASON = CHINESE.expression(
    r"(?<![年个这上过每前后一])(?P<season>[春夏秋冬])[天季](?=那(?:几|会|阵|时|段|个)|"
    r"(?:的时候)?[定立说聊记买存拍写][了过]?的|"
    r"我[^，。]{0,8}[了过])"
)
_ELEVENTH = CHINESE.expression(r"(?<![年二三四五六七八九第月])十一月(?!份?[\d一二三四五六七八九十上中下初底末])")
"""十一 alone is the first of October."""
_POINTED = CHINESE.expression(r"^(?P<month>1[0-2]|[1-9])\.(?P<day>[12]\d|3[01]|0?[1-9]) (?=[一-鿿])(?![版元块折分度])")
_QUARTER = CHINESE.expression(
    r"(?:(?P<year>[去前今]年|20\d\d ?年)?的?(?:第?(?P<number>[一二三四1-4])季度|q(?P<q>[1-4])))"
)
_YEAR_EDGE = CHINESE.expression(r"(?P<year>[去前今]年|(?:19|20)\d\d ?年)(?:年|的年)?(?P<edge>[初底末尾])")
_BREAK = CHINESE.expression(r"(?P<year>[去前今]年|(?:19|20)\d\d ?年|这个?|上个)?的?(?P<which>[寒暑])假(?![作工班期安])")
_LAST_SEASON = CHINESE.expression(r"(?:上个?|这个?|刚过去的(?:这个|那个)?)(?P<season>[春夏秋冬])[天季]")
_TENTH = CHINESE.expression(
    r"(?P<month>(?:[去前今]年|(?:19|20)\d\d ?年)?(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月份?|上{1,2}个?月|"
    r"这个月|本月)的?"
    r"(?P<tenth>[上中下])旬"
)
_TENTHS = {"上": (1, 11), "中": (11, 21), "下": (21, 0)}
_YEAR_AGO = CHINESE.expression(r"(?P<year>[去前]年)的?(?:这个?时候|这会儿|同期|此时|这个月|本月)")
_SHORT_YEAR = CHINESE.expression(
    r"(?<![\d了过用满近有长约共超这前后第.])(?P<year>1[5-9]|2\d) ?年(?=[我你咱他她那春夏秋冬在去]|"
    r"$)(?:的?(?P<season>[春夏秋冬])[天季]?)?"
)
_ISO_MONTH = CHINESE.expression(r"(?<![\w./-])(?P<year>20\d\d)[-/](?P<month>0[1-9]|1[0-2])(?![\w./-])")
_SOME_AGO = CHINESE.expression(
    r"(?<![\d十百])(?:好)?几(?P<unit>天|日|周|个?星期|个?礼拜|个月|年)(?:之前|以前|前)|"
    r"(?P<days>[头前])[几两][天日](?=[^一-鿿]|[一-鿿])"
)
_DAYS_BEFORE = re.compile(
    r"(?:[^\W我你您他她咱们它是在的]之?|之)前(?:几|[一二两三四五六七]|\d{1,2})[天日周个]{1,2}(?:就|才|可|都)?"
    r"(?:要|得|该|应|必须|不能|不可|可以|能|最好|开始|停|禁|忌|空腹|别)"
)
"""How long before something: 手术前几天要停药."""
_NEW_YEAR_ON = CHINESE.expression(r"(?:从|自|打)(?:过完)?年后|(?<![一-鿿])年后(?:开工)?(?:到现在|至今|以来)")
_FEAST = re.compile(
    r"(?:[一二三五六七八]天)?(?:长假|小长假|假期|放假|期间|前后|(?:那|这)?(?:几天|阵子(?!是)|阵)|(?:那|这)(?:几天|"
    r"阵子?|段时间|会儿|一?周|时候)|"
    r"的?时候|时)"
)
_OURS = re.compile(r"[我咱俺你您们了过]|来着|那天")
"""What a question of the world on a feast lacks."""
_FEAST_DAYS = {"国庆": 7, "十一": 7, "春节": 7, "过年": 7, "五一": 5, "劳动节": 5}
_FEAST_NAME = re.compile(r"(国庆|春节|过年|五一|劳动节|元旦|清明|端午|中秋|(?<!双)十一)$")
_UP_TO = re.compile(r"到了$|(?:[周期拜][一二三四五六日天]|[号月年日天\d])到$")
_TOLD_OF = re.compile(r"份?(?:那(?:几天|会儿|阵子?|段时间|时候)|(?:假期|期间)?[我咱][^，。]{0,10}[了过])")
"""After a day that may lie ahead: something was done on it, so it was the last one."""
_DONE = re.compile(r"[了过]|来着")
_MOVED = re.compile(r"[^，。；]{0,12}?(?:改|挪|推|调|延|提前|换|移)(?:期|迟|后)?[到至成在]")
_RECALLED = re.compile(r"提醒(?:过|我?一?下[我]?[，,]|我[，,])|[你我][^，。]{0,8}提醒[了的]")
_SINCE = re.compile(r"(?:从|自从|自|打|打从)$")
_ON = re.compile(
    r"[^，。；？！,]{0,8}?(?:起|开始|以来|到现在|至今|到今天|到如今|之后|以后|往后|后)|"
    r"[^，。；？！,]{0,6}?(?:到|至)(?:现在|今|目前|今天|眼下)"
)
_ON_ALONE = ("开始", "过后", "之后", "以后")
_BEFORE = re.compile(r"\s*(?:之前|以前|前(?![后一两几三那年天日晚半]))")
_WITH_YEAR = re.compile(r"\d{4}|[去前今]年|上")
_JOINS = re.compile(r"\s*+(?:凌晨|清?早上?|早晨|上午|中午|下午|傍晚|晚上?|夜里|半夜|当天)?\s*+(?:到|至|[-~—–])+\s*")
_AIM = re.compile(
    r"(?:[挪改推延拖调换排定约订放移]到?[在到至成]?|(?:日|期|间|天)(?:先)?[写填设]|[填设标]|提前到|截止到?|到|等|"
    r"安排在?|预约|提醒我?)$"
)
_DUE = re.compile(
    r"(?:上午|下午|晚上|早上|中午)?(?:我们?|他|她|咱们?)?就?(?:要(?!紧)|得|打算|准备|想(?!起)|会)|"
    r"(?:之)?前(?:[要得交完给发]|必须|提醒|之前)|提醒我|截止|到期"
)
_NOT_MONTH = re.compile(r"[天雪花桂兰街书革流飞物晒球亮饼台老薪嫂租卡]|份额|度|结")
_NOT_DAY = re.compile(r"[线机电汽选馆桌柜站出楼房门店厅位文院仓]|地铁|公交|课时|元|块|人|个|套|班")
_NUMBERED = re.compile(r"[a-z0-9第]$")
_ELEVEN = re.compile(r"[点个月日块岁人分年天周层楼条张次]")
_NOT_YEAR = re.compile(r"[款版级届产式间度]")
_NOT_FEAST = re.compile(r"月饼|粽子?|汤圆|节?快乐|礼盒|晚会|档期?|上河图|联欢|不(?!是)[一-鿿]|膏|茶|价")
_NOT_RELATIVE = re.compile(r"[线空井桥台窗]|头条|路")


def periods(text: str, said: date) -> Iterator[Period]:
    """Yield the periods of a folded text that have begun by the day said, in the order they stand in."""
    if not _HINT.search(text):
        return
    found = sorted(
        [*_phrases(text, said), *_parts(text, said), *ranges(text, said), *_named_days(text, said)],
        key=lambda one: (one.span[0], -one.span[1]),
    )
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
        if _DAYS_BEFORE.match(text, max(0, match.start() - 1)):
            continue
        unit = _UNITS[match["unit"].removeprefix("个")]
        if match["count"] == "半" and unit in _HALVES:
            yield rolling(said, *_HALVES[unit], match.span())
            continue
        yield rolling(
            said,
            7
            if match["count"] == "几" and unit == "day"
            else _TWO_OR_THREE.get(match["count"]) or max(1, number(match["count"]) or 3),
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
        if match["this"] and match["this"][0] == "下" and said.month <= 3 and _DONE.search(text[match.end() :]):
            year -= 1
        if abs(said.year - year) > LIVED:
            continue
        half = (match["half"] or match["this"] or "")[:1]
        first, last = (7 if half == "下" else 1), (6 if half == "上" else 12)
        yield Period(date(year, first, 1), date(year + last // 12, last % 12 + 1, 1), match.span())


def _parts(text: str, said: date) -> Iterator[Period]:
    """Yield parts of months and years, breaks, seasons, and what lies some time back."""
    for match in _YEAR_EDGE.finditer(text):
        yield month_span(date(_year(match["year"], said), 1 if match["edge"] == "初" else 12, 1), match.span())
    for match in _TENTH.finditer(text):
        named = match["month"].replace("上月", "上个月")
        month = next((one.day for one in days(named, said, past=True)), None)
        if month is not None:
            shift = 1 - match["month"].count("上") if match["month"].startswith("上上") else 0
            whole, (first, stop) = calendar_span(month, "month", shift, match.span()), _TENTHS[match["tenth"]]
            end = whole.start.replace(day=stop) if stop else whole.stop
            yield Period(whole.start.replace(day=first), end, match.span())
    for match in _YEAR_AGO.finditer(text):
        yield month_span(date(_year(match["year"], said), said.month, 1), match.span())
    for match in _ISO_MONTH.finditer(text):
        yield month_span(date(int(match["year"]), int(match["month"]), 1), match.span())
    for match in _SHORT_YEAR.finditer(text):
        year = 2000 + int(match["year"])
        if match["season"]:
            yield season(year, _SEASONS[match["season"]], match.span())
        else:
            yield calendar_span(date(year, 1, 1), "year", 0, match.span())
    for match in _SOME_AGO.finditer(text):
        if _DAYS_BEFORE.match(text, max(0, match.start() - 1)):
            continue
        unit = "day" if match["days"] else _UNITS[match["unit"].removeprefix("个")]
        yield rolling(said, 7 if unit == "day" else 6, unit, match.span())
    for match in _BREAK.finditer(text):
        named = (match["year"] or "")[:1]
        months = (1, 3) if match["which"] == "寒" else (7, 9)
        year = said.year if named in ("", "这", "上") else _year(match["year"], said)
        year -= named in ("", "这", "上") and date(year, months[0], 1) > said
        yield Period(date(year, months[0], 1), date(year, months[1], 1), match.span())
    for match in _LAST_SEASON.finditer(text):
        name = _SEASONS[match["season"]]
        ran = season(said.year, name, match.span())
        ended = ran.stop <= said or (ran.start <= said and match[0][0] == "这")
        yield ran if ended else season(said.year - 1, name, match.span())
    yield from _unsaid_years(text, said)


def _unsaid_years(text: str, said: date) -> Iterator[Period]:
    """Yield the latest season, day or month of what is named without its year."""
    for match in _ELEVENTH.finditer(text):
        yield month_span(date(said.year - (said.month < 11), 11, 1), match.span())
    for match in _SOME_SEASON.finditer(text):
        name = _SEASONS[match["season"]]
        ran = season(said.year, name, match.span())
        yield ran if ran.start <= said else season(said.year - 1, name, match.span())
    for match in _POINTED.finditer(text):
        named = (int(match["month"]), int(match["day"]))
        yield from _of_month_day(named, said, match.span())
    for match in _NEW_YEAR_ON.finditer(text):
        feast = next((one.day for one in days("春节", said, past=True)), said)
        yield Period(feast, said + timedelta(days=1), match.span())


def _of_month_day(named: tuple[int, int], said: date, span: tuple[int, int]) -> Iterator[Period]:
    """Yield the latest day of that month and number, unless the month has none."""
    year = said.year - (named > (said.month, said.day))
    whole = month_span(date(year, named[0], 1), span)
    if named[1] <= (whole.stop - whole.start).days:
        yield Period.of_days(whole.start.replace(day=named[1]), 1, span)


def _calendar(match: re.Match[str], said: date, text: str) -> Iterator[Period]:
    unit, back = match["unit"], len(match["ups"]) if match["ups"][-1] == "上" else 0
    if match.start() and text[match.start() - 1] in "登马船车网线路晚早" and not match["one"]:
        return
    if unit == "月" and not match["one"] and match["ups"] == "这":
        return
    if unit == "周末" or match["day"]:
        back += unit == "周末" and not back and said.weekday() < 5 and _DONE.search(text, match.end()) is not None
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
    for named in chinese_days(text, said, past=True):
        day = _last_one(named, text, said)
        words, after = text[day.start : day.stop], text[day.stop : day.stop + 6]
        before = text[max(0, day.start - 8) : day.start]
        if day.day > said or _aimed(text, words, before, after, day.stop):
            continue
        feast = _FEAST_NAME.search(words)
        around = _FEAST.match(text, day.stop) if feast else None
        if feast and not _OURS.search(text) and not (around and "那" in around[0]):
            continue
        if feast and around:
            length = _FEAST_DAYS.get(feast[1], 3)
            yield Period.of_days(day.day, length, (day.start, around.end()))
        else:
            yield _whole(day, words)


def _last_one(day: Day, text: str, said: date) -> Day:
    """Return a day, or the same of the year before: where it lies ahead, names no year and something was done on it."""
    if day.day <= said or not _TOLD_OF.match(text, day.stop) or _WITH_YEAR.search(text[day.start : day.stop]):
        return day
    before = next(days(text[day.start : day.stop], date(said.year - 1, 12, 31), past=True), None)
    return replace(day, day=before.day) if before is not None and before.day < day.day else day


def _aimed(text: str, words: str, before: str, after: str, at: int) -> bool:
    """Return whether a day is not one on which something was said or done: aimed at, a name, a number."""
    return (
        (_AIM.search(before) is not None and not _UP_TO.search(before))
        or _DUE.match(after) is not None
        or ("提醒" in text and not _RECALLED.search(text))
        or (before.endswith("把") and _MOVED.match(text, at) is not None)
        or words.endswith(("内", "之后", "以后", "后"))
        or (words[0] in "周星礼" and before.endswith(("每", "逢", "隔")))
        or _names_something(words, before, after)
    )


def _names_something(words: str, before: str, after: str) -> bool:
    if words.endswith("月") and (_NOT_MONTH.match(after) or before.endswith(("第", "满", "共"))):
        return True
    if words.endswith("号") and "月" not in words and (_NOT_DAY.match(after) or _NUMBERED.search(before)):
        return True
    if words.endswith("一") and words != "十一" and after[:1] in tuple("块直些共同家"):
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
        if "半" in words:  # half a year ago is a month, half a month ago a week
            unit = {"year": "month", "month": "week"}.get(unit, unit)
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
            if _JOINS.fullmatch(text[one.span[1] : other.span[0]]):
                yield through(one, other, (one.span[0], other.span[1]))
                number_ += 2
                continue
        if _BEFORE.match(text, one.span[1]) and not _DUE.match(text[one.span[1] :]):
            yield from _before(text, one, said)
            number_ += 1
            continue
        since, on = _SINCE.search(text[: one.span[0]]), _ON.match(text[one.span[1] :])
        since_then = (since is not None and since[0] == "自从") or (
            on is not None
            and (since is not None or on[0].endswith(("以来", "起", "至今", "到现在")) or on[0] in _ON_ALONE)
        )
        yield Period(one.start, said + timedelta(days=1), one.span) if since_then else one
        number_ += 1


def _before(text: str, one: Period, said: date) -> Iterator[Period]:
    """Yield what lies before a time that has been; what is still to come this year leaves nothing out."""
    start, stop = one.span
    ahead = one.start.replace(year=said.year, day=min(one.start.day, 28)) >= said
    if not (one.start.year < said.year and ahead and not _WITH_YEAR.search(text[start:stop])):
        yield Period(date(said.year - LIVED, 1, 1), one.start, (start, stop))
