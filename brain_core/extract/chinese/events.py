"""Dated happenings told in Chinese, past and planned, and their moving to another day."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from brain_core.extract.bare_day import in_its_month, in_month_of
from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.dates import days, first_day, through
from brain_core.extract.chinese.recall import content_words, own, spoken_of, told
from brain_core.extract.chinese.tenses import (
    PAST,
    PUT_OFF_TO,
    REPEATS,
    called_off_day,
    day_now,
    is_beside,
    is_given_up,
    moved_day,
    said_day,
)
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.chinese.weekly import is_weekly
from brain_core.extract.dates import Day
from brain_core.extract.known import denial, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_LIFE = (
    r"出生|生了(?:个|一|对|双|女|儿|宝|二)|去世|过世|走了|离世|病逝|结婚|订婚|离婚|领证|办婚礼|婚礼|葬礼|求婚|怀孕|"
    r"搬家|搬进|搬到|搬去|入职|离职|辞职|升职|晋升|跳槽|被裁|裁员|退休|毕业|"
    r"考上|录取|考过|拿到.{0,8}(?:offer|证|驾照|学位|签证|录取)|手术|住院|出院|骨折|确诊|流产|车祸|买房|买了(?:房|车|"
    r"一?套.{0,4}房|新房)|提车|交房|过户|收房|开业|创业|成立|注册了?公司|上市|融资|签约|签了|签下|获奖|得了(?:奖|第|"
    r"冠)|拿了(?:第|冠|奖)|夺冠|"
    r"上线|发布|发版|宕机|故障|事故|被黑|泄露|回滚|迁移|割接|停机|交付|验收|开工|竣工|停水|停电|维护|分手|走丢|丢了|"
    r"丢失|拔了|验收|融了|中标|中奖|拿下|受伤|出事|当(?:了)?(?:爸|妈|爷|奶|外|姥)|大寿|入学|拆线|复工|结课|出版|发表|"
    r"开播|开张|倒闭|转正|调岗|出国|回国|领养|淹了|被淹|着火|停产|被接[收受]|被录|求的?婚|崴了|扭伤|打了石膏|竞标|"
    r"挂科|通过了|考过|拿到|改签|"
    r"领[的了]证|出嫁|嫁人|嫁给|娶|订亲|定亲|生娃|断奶|下葬|火化|动(?:了)?(?:个)?[大小]?手术|开刀|拆石膏|转院|"
    r"入伍|退伍|留学|换工作|摇[到中]|中签|上岸|"
    r"拿证|挂了|炸了|爆(?:管|胎|雷|仓|炸)|追尾|剐蹭|刮蹭|被骗|报警|断网|断电|停服|超卖|多发|误删|删库|丢(?:件|单|"
    r"数据)|封号|冻结|下架|停播|首播|杀青|"
    r"封顶|奠基|揭牌|挂牌|散伙|过审|立案|判决|接回家|绝育|被拒|退租|退房|搬离|离家|吵架|摔断|骨裂|烧了|翻车|泡水|"
    r"进水|跳闸|短路|被盗|被偷|被抢|漏水|着火|撞|摔"
)
_PLAN = (
    r"出差|旅行|旅游|度假|自驾|飞(?=[\u4e00-\u9fff])|航班|高铁|出发|启程|回国|回老家|回家(?=过年)|面试|笔试|考试|"
    r"高考|中考|考研|考(?=[\u4e00-\u9fffA-Z])|答辩|开题|开学|放假|报到|体检|复查|看牙|看医生|挂(?:了|号)|门诊|打疫苗|"
    r"扫墓|从.{1,8}回|要换|"
    r"打(?:预防|防疫)?针|"
    r"开会|会议|例会|周会|评审|评审会|汇报|述职|路演|发布会|培训|讲座|演讲|分享会|展会|团建|聚会|聚餐|同学会|家长会|"
    r"运动会|毕业典礼|典礼|年会|比赛|马拉松|演出|演唱会|音乐会|音乐节|首映|"
    r"婚礼|生日|满月|周岁|纪念日|相亲|搬家|入职|装修|验房|交房|签合同|签约|开庭|到期|上线|发布|发版|割接|停机|维护|"
    r"截止|搬|开业|手术|住院|预产期|约了|约好|预约|有(?:个|一个|一场|场)?.{0,8}(?:会|课|考|试|约|活动)|"
    r"去(?=.{2,10}(?:玩|旅|出差|开会|参加|看|见|办|爬|滑雪|露营|待|住))|要去|见客户|拜访|接机|送机|回来"
)
_TODAY = r"面试|笔试|考试|体检|答辩|比赛|开庭|演讲|开学|报到|典礼|发布会|评审|路演|述职|出发|复查|开会"
_EVERYDAY = Expression(
    r"^\s*(?:今天|昨天|昨晚|今晚|今早|刚才|前天)?我?(?:们)?.{0,4}(?:看了|吃了|读了|听了|做了|逛了|玩了|喝了|"
    r"买了(?!房|车|一套)|学了|写了|聊了|散步|睡|梦|开始(?:动手|着手)?(?:写|做|学|弄|准备|整理))|"
    r"[0-9一二三四五六七八九十两几]件[:：]|心情|天气|好(?:累|烦|开心|难过)|想?[和跟]你|聊聊|谈谈|有时|"
    r"聊(?:天|聊)|你(?:好|们)"
)
_FUTURE_ONLY = Expression(r"(?:将|要|会|准备|打算|计划|安排|定在|定于|预计|约|改(?:签|约|期)?到)")


_NAMED_DAY = Expression(
    r"(?:[0-9一二三四五六七八九十]+ ?月 ?[0-9一二三四五六七八九十]+|[上下这]个?(?:周|星期|"
    r"礼拜)(?=[^,，]{0,12}(?:通过|完成))|[上下这]个?(?:周|星期|礼拜)[一二三四五六日天]|"
    r"(?<![0-9])[0-3]?[0-9] ?[号日])[^,，]*?(?:了|要去?|有|是|开|办|做|见|签|走|到|去|拿|过|参加|上门)"
)


def _event(title: str, about: str, day: str, until: date | None = None) -> Found:
    given = {"date": day, "title": title, "slug": content_slug(about)}
    return Found(given if until is None else {**given, "until": until.isoformat()})


def _dated(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    text = scene.clause.text
    if not (re.search(rf"{_LIFE}|{_PLAN}", text) or (_NAMED_DAY.search(text) and re.search(r"[我咱]", text))) or (
        _EVERYDAY.search(text) and not re.search(_LIFE, text)
    ):
        return
    if REPEATS.search(text) or re.search(
        r"^\s*(?:每|一到|逢)|[这那][个次场回][^,，]{1,6}$|生日(?:其实|应该|实际上?)?(?:是|在|[:：]?\s*(?=[0-9一二三四五六七八九十]))|每(?:周|天|年|月|个|逢|次)|记得吗|不(?:上线|发布|去|参加)|没(?:有)?(?:去|"
        r"上线|参加)|争取|打算|目标|希望|最好|应该|或者|要么|不想|想(?:要|在)|(?:年|月|周|天|星期)(?:之|以)?内|不准|不许|禁止|不能|以后(?:都|不)|(?:要|得|"
        r"必须)?.{0,10}之?前(?:要|得|必须|务必)|什么时候|几月",
        text,
    ):
        return
    if (
        re.search(r"今[天晚早日]|(?<!周)[昨明后][天晚]", text) and not re.search(rf"{_LIFE}|{_TODAY}|{_PLAN}", text)
    ) or (re.search(r"今[天晚早日]", text) and not re.search(rf"{_LIFE}|{_TODAY}", text)):
        return
    past = bool(PAST.search(text)) and not _FUTURE_ONLY.search(text)
    day = moved_day(text, scene.said) or called_off_day(text, scene.said) or _first_day(text, scene, past)
    if day is None or (past and is_beside(text, day)):
        return
    now = day_now(scene.clause.sentence, scene.said) if is_given_up(text, day) else None
    if now is not None:
        yield from _put_otherwise(scene, text[: day.start] + text[day.stop :], now)
        return
    day = through(text, day)
    if past and PUT_OFF_TO.search(text[: day.start]):
        day = first_day(text, scene.said) or day
    named = _named_after(scene, past)
    nearer = named is not None and (not day.exact or named.day.weekday() == day.day.weekday() or _is_a_feast(text, day))
    if named is not None and nearer:
        day = replace(day, day=named.day, exact=True)
    about = text[: day.start] + text[day.stop :]
    when = day.day.isoformat() if day.exact or re.search(_LIFE, text) else ""
    if len(content_slug(about)) < 2 or not when:
        return
    yield _event(_title(scene, about), about, when, day.last)


def _first_day(text: str, scene: Scene, past: bool) -> Day | None:
    """Return the day of what somebody told, else the first one of a text."""
    told = said_day(text, scene.said)
    day = told[0] if told is not None else first_day(text, scene.said, past=past)
    return None if day is None else in_its_month(day, text, scene.said, fold(scene.told_before), days, first_day)


def _put_otherwise(scene: Scene, about: str, now: Day) -> Iterable[Found]:
    """Read what was meant for another day, to the end of the sentence that tells the day now."""
    sentence, text = scene.clause.sentence, scene.clause.text
    if len(content_slug(about)) >= 2:
        yield _event(written(scene, 0, len(sentence) - max(sentence.find(text), 0)), about, now.day.isoformat())


def _title(scene: Scene, about: str) -> str:
    """Return the clause, with what stands before it in the sentence where it does not say who or what: 二号飞."""
    place = scene.clause.sentence.rfind(scene.clause.text) if len(content_slug(about)) < _SAYS_WHAT else 0
    return written(scene, -place, len(scene.clause.text))


_SAYS_WHAT = 4
"""Characters beside the day that say what happens, and to whom."""
_DATED = Rule(
    "event_dated", "events", each("拜五月号日天周期末底年前后昨明今节一旦午秋夕/-"),
    Expression(rf"{_LIFE}|{_PLAN}|{_NAMED_DAY.pattern}"), _dated, shares=True,
)  # fmt: skip


def _undated(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我结婚了 as of today; a clause with a day of its own is read by that, or was on no day that is known."""
    if first_day(scene.clause.text, scene.said) is not None:
        return
    named = _named_after(scene, past=True)
    yield _event(written(scene, 0, len(scene.clause.text)), match[0], (named.day if named else scene.said).isoformat())


def _named_after(scene: Scene, past: bool) -> Day | None:
    """Return the day that the next part of a sentence names, and nothing else: 我搬家了，八月十二号搬的."""
    sentence, text = scene.clause.sentence, scene.clause.text
    following = _FOLLOWING.match(sentence, max(sentence.find(text), 0) + len(text))
    if following is None:
        return None
    day = first_day(following["part"], scene.said, past=past)
    if day is None or not day.exact:
        return None
    beside = following["part"][: day.start] + following["part"][day.stop :]
    return day if _BESIDE_A_DAY.fullmatch(beside) else None


def _is_a_feast(text: str, day: Day) -> bool:
    return _FEAST.search(text[day.start : day.stop]) is not None


_FEAST = Expression(r"节|元旦|除夕|圣诞|中秋|端午|清明|国庆|五一|十一|元宵|七夕")
"""A day by whose name the days around it are meant: 圣诞节回来，12月23号到."""


_FOLLOWING = Expression(r"[,，]\s*(?P<part>[^,，;；。.!！?？\n]+)")
_BESIDE_A_DAY = Expression(
    r"\s*(?:就?[是在]|定在)?(?:[上下中]午|早上|晚上|凌晨|傍晚|左右|[0-9一二三四五六七八九十两:：点半分钟])*(?:[\u4e00-\u9fff]{1,2}的)?(?:就?到|出发|动身)?[吧了啊呢]?\s*"
)
"""What may stand beside a day that is said of the part before: the hour, and its verb once more (搬的)."""


_UNDATED = Rule(
    "event_life", "events", each("我们刚终总官"),
    Expression(r"^\s*(?:刚|终于|总算|官宣)[^,，。想]{0,4}(?:拿到.{0,8}(?:offer|驾照|签证|证)|离职|入职|毕业|领证|"
        r"考上|搬家|出院)|(?:我|我们|我家|我(?:女儿|儿子|老婆|妹妹|姐姐))(?:[^,，。想要会能如]{0,6})?(?:(?:刚|终于|"
        r"已经|正式|"
        r"总算)+[^,，。想]{0,4}(?:离职|辞职|入职|升职|被裁|毕业|结婚|订婚|离婚|领证|出院|搬家|退休|"
        r"拿到.{0,10}(?:offer|驾照|签证|证书)|考上.{2,10})|(?:结婚|订婚|离婚|领证|搬家|辞职|离职|被裁|"
        r"升职)了)"),
    _undated, shares=True,
)  # fmt: skip


def _moved(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if _NO_LONGER.match(text[: match.start("how")] or scene.before):
        return
    before, to = first_day(text[: match.start("how")], scene.said), text[match.start("to") :]
    day = first_day(to, scene.said)
    if day is not None and before is not None and before.exact:
        day = in_month_of(before.day, day, to, first_day, scene.said)
    what = (
        re.sub(r"^.*?(?:通知|消息|更正|纠正|说错了|不对|搞错了)[,，:：]?", "", text[: match.start("how")])
        or scene.before
    )
    if day is None or not day.exact or len(what.strip()) < 2 or REPEATS.search(to):
        return
    item = spoken_of(scene, what, ("events",))
    if item is None:
        other = spoken_of(scene, what, ("decisions", "knowledge", "preferences"))
        if other is not None and content_words(what) <= content_words(told(other)):
            if is_weekly(fold(told(other))):
                yield Found({**own(value_of(other)), "content": written(scene, 0, len(text))}, type=other.type)
                return
            yield Found(denial(other), type=other.type, denies=True)
            yield _event(written(scene, 0, len(text)), what, day.day.isoformat())
            return
        if scene.before and scene.before in scene.clause.sentence and not re.search(r"[?？我你]", scene.before):
            title = written(scene, -len(scene.before) - 1, len(text))
            yield _event(title, what, day.day.isoformat())
        return
    value = value_of(item)
    yield Found(denial(item), denies=True)
    same = spoken_of(scene, what, ("knowledge", "decisions"))
    if same is not None:
        yield Found(denial(same), type=same.type, denies=True)
    start = 0 if text[: match.start("how")].strip() else -len(scene.before) - 1
    yield _event(written(scene, start, len(text)), str(value.get("slug", what)), day.day.isoformat())


_NO_LONGER = Expression(r"[^,，]{0,6}(?:周|星期|礼拜)[一二三四五六日天][^,，]{0,2}不[^,，]{1,4}了[,，]?$")
"""Ends what comes every week, so that the new day is of every week: 周一不休了，改成周三休."""
_A_DAY = r"[上下这本]?个?(?:周|星期|礼拜)[一二三四五六日天]|[明后]天|[0-9一二三十]{1,3} ?[号月]"
_MOVED = Rule(
    "event_moved", "events", each("改推延提挪调换移顺变"),
    Expression(r"(?P<how>(?:改[签约期]?|推迟|延期|延后|提前|挪|调整|调|换|移|顺延|延|变|换)(?:时间|日期)?(?:到|至|成|在|"
        rf"为|(?<=[改挪])(?={_A_DAY})))(?P<to>.+)"), _moved,
)  # fmt: skip


def _cancelled(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    words = re.sub(
        r"取消了?|不去了|去不[成了]了?|不办了|黄了|泡汤了?|不参加了|不搞了|了|已经|被|也|的", "", scene.clause.text
    )
    if len(words.strip()) >= 2 and (item := spoken_of(scene, words, ("events",))) is not None:
        yield Found(denial(item), denies=True)


_CANCELLED = Rule(
    "event_cancelled", "events", each("取不黄泡"),
    Expression(r"取消|不去了|去不(?:成|了(?=了))|不办了|黄了|泡汤|不参加了|不搞了"),
    _cancelled,
)  # fmt: skip


def _announced(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read a date that stands in the clause before: 下周三上午,产品评审会."""
    day = first_day(match["when"], scene.said)
    if day is not None and day.exact and "每" not in match["when"]:
        yield _event(written(scene, 0, len(scene.clause.text)), match["what"], day.day.isoformat())


_ANNOUNCED = Rule(
    "event_announced", "events", each("在是定于"),
    Expression(r"(?P<what>[^,，。]{1,20}?(?:时间|日期|日子|[^,，]{1,6}会(?<![都就也还将总才不]会)|聚餐|考试|面试|"
        r"婚礼|手术|体检|航班|比赛|演出|答辩|评审|发布|上线|典礼|讲座|培训|开学|交房|预产期|纪念日|忌日))(?:就|已经|"
        r"也)?(?:是|在|定在|定于|安排在|约在|改在)(?P<when>[^,，。]{2,30})"),
    _announced,
)  # fmt: skip

MOVES: tuple[Rule, ...] = (_MOVED, _CANCELLED)
"""What becomes of events that are known."""
EVENTS: tuple[Rule, ...] = (_ANNOUNCED, _DATED, _UNDATED)
"""New events."""
