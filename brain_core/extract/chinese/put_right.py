"""How Chinese puts right what was just told: 更正一下，4万5；哦不，二楼；打错字了，叫安娅；刚才说的Kafka当我没说."""

from __future__ import annotations

from brain_core.extract.chinese.dates import first_day
from brain_core.extract.righting import Opened, Openings, Righting, Slip
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_MARKS = r"[\s,，.。!！:：;；…~～—-]*"
_OPENS = Expression(
    r"(?:[哦噢啊呃额嗯唉哎诶欸咦靠晕]+|哎[呀哟]|等等|等[一]?下|等会儿?|慢着|且慢|天[哪呐啊]|其实|好吧|算了|对了|那个|不不+|不(?=[\s,，。!！])|"
    rf"哈哈+|话说|还有|另外)(?![是要用想在]){_MARKS}"
)
_DOUBT = Expression(r"等|慢着|且慢|不|算了")
_NOW = r"(?:刚才?|刚刚|刚又|之前|前面|上面|上一?[条句]|方才|那会儿?)"
_SORRY = (
    r"(?:抱歉|对不起|对不住|不好意思|sorry|我的[错锅]|怪我|手[滑误抖快]了?|口误了?|笔误|嘴[瓢快]了?|脑子[^,，。]{1,6}|眼[花瘸]了?|"
    r"输入法[^,，。]{0,8}|语音识别[^,，。]{0,8}|自动(?:纠正|联想)[^,，。]{0,6})(?:啊|哈|了|呀)?"
)
_ERR = (
    r"(?:打|写|说|讲|记|弄|搞|看|听|数|算|念|输|填|翻)(?:的)?(?:错|岔|混|反|漏|串|快)(?:了|啦|字|行)*"
    r"(?:一?[个位行]字?)?"
)
_RECORD = (
    r"(?:合同|单子|日历|通知|邮件|记录|文档|发票|账单|说明书?|牌子|公告|短信|票|证|表|档案|聊天记录|收据|官网|网站|系统|后台|请柬|邀请函|病历|化验单|快递单|"
    r"订单|课表|名片|地图|群公告|条款|菜单|价目表|包装|标签)"
)
_CHECKED = (
    rf"(?:我)?(?:刚才?|之前|前面|上面|上一?[条句]|方才|那会儿?|再|又|重新)*(?:(?:查|数|问|核对|确认|量|称|翻)(?:了|过)?(?:一?[下遍次]|清楚|半天)?了?|"
    rf"(?:查|看|翻|核对|对)(?:了|过)(?:一?[下遍眼次])?(?:那|这)?[张份个]?{_RECORD})"
)
_LOOKED_UP = Expression(rf"{_CHECKED}(?=[,，。:：])")
_REGRETS = Expression(rf"(?i:{_SORRY}){_MARKS}")
_TOLD_WRONG = Expression(
    rf"(?:(?P<about>[^,，。我你不他她谁哪什怎字这那]{{1,6}}?)?(?:是)?(?:我)?(?:{_NOW})?(?:的|是)?(?:我)?(?:老是?|总是?|又)?(?:{_ERR})(?:了|啦|啊|"
    r"呀|哈)?|"
    r"(?:更正|纠正|订正|勘误|改正|修正|补正)(?:一?下)?|不对(?:不对)?|(?:那|这|上面|刚才)?[条句个]?错了|准确(?:地|来|点)?说|确切(?:地|来)?说|"
    r"(?:我)?(?:重新|重)说(?:一?[下遍])?|换个说法|(?:正确的?|实际上?|其实)?应该(?=是|叫|在|为)|(?:跟你)?(?:开|说)?(?:个)?(?:玩笑|笑)(?:的|呢|啦|话)?|逗你(?:的|"
    r"玩)|"
    rf"{_CHECKED}(?=[,，。:：])){_MARKS}"
)
_FRAME = Expression(
    r"(?:(?:它|那|这|他|她|我们?|咱们?|人家|正确的?|名字|日期|时间|地址|号码)?(?:确实|其实|应该|该|才|就|得|要)*(?:是|叫做?|姓|为|在|写作?|写的是|念)|还是|改[成为]|换成)"
    r"(?!不)[:：]?"
)
_PART = r"[^,，。;；!！?？]{1,16}?"
_NOT_BUT = Expression(
    rf"(?:是|叫|在|姓)?不(?:是|叫|在|姓)(?P<old>{_PART})[,，;；\s]*(?:而?是|是|叫|在|姓|应该是)(?P<new>{_PART})(?=$|[,，。;；!！])"
)
_BUT_NOT = Expression(
    rf"(?P<new>{_PART})(?:[,，]\s*(?:而)?不(?:是|叫|姓)(?P<old>{_PART})|(?<![是可要都也就还并才又我你他她们])不(?:是|叫|"
    rf"姓)(?P<old2>[^,，。;；!！?？吗嘛吧是]{{1,6}}))"
    r"(?=$|[,，。;；!！])"
)
_SAID_MEANT = Expression(
    rf"(?:我(?:{_NOW})?把?|{_NOW}把?|把)(?P<new>(?![^,，]*[都别不])[^,，。;；!！?？]{{1,12}}?)(?:给)?(?:打|写|说|讲|记|看|听|念|"
    rf"输)成(?:了)?(?P<old>{_PART})(?:了|啦)?(?=$|[,，。;；!！])"
)
_MEANT = Expression(
    rf"(?:我)?(?:本来|其实)?(?:是)?(?:想|要)(?:说|打|写)(?:的)?(?:是)?(?P<new>{_PART})(?:[,，]|$)(?:.*?成(?:了)?(?P<old>{_PART})(?:了|"
    r"啦)?$)?"
)
_BREAK = Expression(r"[,，;；。(（]|——|\s-\s")
_AFTER = Expression(
    rf"^{_MARKS}(?:(?:我|是我)?(?:{_NOW})?(?:老是?|总是?|又)?(?:{_ERR})|(?i:{_SORRY})|{_CHECKED}|"
    rf"[^,，。]{{0,4}}{_RECORD}(?:上|里)?(?:写着|写的|是|显示)|"
    r"把[^,，。]{1,8}(?:忘|漏|落)了|忘了?[^,，。]{0,6}[了算])"
)
_CLEFT = Expression(
    r"(?:不是我[,，\s]*)?是(?P<who>(?:我|咱)(?:家)?[^,，。是的]{1,5}?)(?=[在才对吃用有要会去做得])(?P<rest>[在才]?[^,，。]{2,30})"
)
_ANOTHERS = Expression(
    r"我没(?:有)?(?P<rest>[^,，。]{2,20})[,，\s]*(?:那)?是(?P<who>(?:我|咱)(?:家)?[^,，。是的]{1,5})$"
)
_SORT = r"(?:那|这)?(?:[件个条]|回)?(?:事儿?|决定|安排|计划|任务|提醒|想法|方案|说法|目标|偏好|会|预约)"
_NULLED = (
    r"(?:就)?(?:都)?(?:当我没[说讲提]过?|别当真|不(?:用|必)当真|作废|不算(?:数|了)|不作数|忽略(?:掉)?|无视|别(?:记|存)了?|不(?:用|要)记了?|"
    r"(?:忘|删|去|抹|划|清)(?:掉|了|除)|收回|撤回|取消记录)(?:吧|了|啦|哈|就行|就好|好了)*"
)
_TAKES_BACK = tuple(
    Expression(rf"(?:请|麻烦|你|帮我|能不能|可以|就|都)*{form}(?:[,，。;；!！].{{0,40}})?$")
    for form in (
        rf"(?:我)?(?:{_NOW})?(?:我)?(?:说|讲|提|告诉你)(?:过)?的?(?:关于)?(?P<about>[^,，。的我]{{1,14}}?)(?:的)?(?:{_SORT})?{_NULLED}",
        rf"(?:把|关于)?(?:我)?(?:{_NOW}(?:我)?(?:说|讲|提)?的?)?(?P<about>[^,，。的我刚上前]{{1,14}}?)(?:的)?{_SORT}{_NULLED}",
        rf"(?:忽略|无视|忘掉|忘了|删掉|收回|撤回)(?:我)?(?:{_NOW})?(?:我)?(?:说|讲|"
        rf"提)(?:过)?的?(?:关于)?(?P<about>[^,，。的我]{{1,14}}?)(?:的)?(?:{_SORT}|话|部分)?(?:吧|了|啦)*",
        rf"(?P<about>)(?:把)?(?:我)?(?:{_NOW})(?:我)?(?:说|讲|提|打|发)?的?(?:那|这)?(?:[句条个段件])?(?:话|消息|事|内容)?{_NULLED}",
        rf"(?P<about>)(?:把)?(?:那|这)(?:[句条个段件])(?:话|消息|事)?{_NULLED}",
        r"(?P<about>)当我没[说讲]过?(?:吧|哈|啊)?",
    )
)
_GOES_ON = Expression(r"^[\s,，]*(?:直接|先|帮我|给我|咱们?聊|说说|换个|继续|来)")
_CUE = Expression(
    r"错|不对|更正|纠正|订正|勘误|改正|修正|口误|笔误|手[滑误抖]|嘴[瓢快]|抱歉|对不[起住]|不好意思|(?i:sorry)|我的锅|怪我|混|漏|反了|应该[是叫在为]|不[是叫姓在]|"
    r"等[等下一会]|且慢|慢着|^[哦噢啊呃哎诶]|其实|准确|确切|玩笑|逗你|[再又刚][^,，。]{0,3}[查看数问核确翻量称对]|查了|核对|确认|成了?|本来|想[说打写]|没[说讲]|当真|作废|不算|忽略|无视|"
    r"骗你|当没|别[管记存]|忘[掉了]|删[掉了除]|收回|撤回|划掉|抹掉|去掉|^删|[,，。\s]删|算了|写着|显示|眼花|输入法|改[成为]|忘了|是我|^不|重新?说|换个说法"
)
_LEFT = Expression(r"[?？]|[吗嘛]|是不是|不是说|要是|如果|假如|除非|等到|万一|“")
"""What asks, supposes or quotes."""
_LONGEST = 60
"""Characters of a sentence that only puts right what was told."""
_MOST = 14
"""Characters of what holds instead."""
_DENIES = Expression(r"[不没别无未]")
_STATES = Expression(
    r"^(?:我|你|他|她|它|咱|请|帮|能|可以|怎么|什么|为什么|谁|哪|好|行|对|没|可|谢|那|这|就|也|都|先|再|很|太|真)"
)


_OPENINGS = Openings(_TOLD_WRONG, _LOOKED_UP, _REGRETS, _OPENS, _DOUBT)


def _read(sentence: str) -> Slip | None:
    told = sentence.strip()
    text = fold(told)
    if any(_NOTHING_OF_IT.fullmatch(part.strip()) for part in _PARTS.split(text)):
        return Slip()
    if len(text) > _LONGEST or _LEFT.search(text) is not None:
        return None
    if _CUE.search(text) is None:
        return _bare(told)
    told = told.rstrip(" .。!！…~～")
    opened = _OPENINGS.of(told, text[: len(told)])
    taken = next((match for form in _TAKES_BACK if (match := form.match(opened.rest))), None)
    if taken is not None:
        goes_on = _GOES_ON.match(opened.rest[taken.end("about") :])
        return None if goes_on else Slip(about=opened.part(taken, "about"))
    return _of_another(opened) or _of_both(opened) or _instead(opened) or _bare(told)


def _of_another(opened: Opened) -> Slip | None:
    """Return what is so of another than was told: 不是我，是我爸在吃."""
    may_be = opened.doubts or opened.surely or opened.rest.startswith("不是")
    match = (_CLEFT.match(opened.rest) if may_be else None) or _ANOTHERS.match(opened.rest)
    if match is None:
        return None
    return Slip(about=opened.part(match, "rest"), states=opened.part(match, "who") + opened.part(match, "rest"))


def _of_both(opened: Opened) -> Slip | None:
    """Return what holds, and what does not, of a sentence that names both."""
    forms = [_SAID_MEANT, *([_MEANT] if opened.doubts or opened.surely else []), _NOT_BUT]
    match = next((match for form in forms if (match := form.match(opened.rest))), None)
    if match is None:
        return None
    return _slip(opened.part(match, "new"), opened.part(match, "old") if match["old"] else "", opened.about)


def _bare(told: str) -> Slip | None:
    """Return a few characters that stand alone, before a break if anything follows."""
    stop = _BREAK_OF_BARE.search(told)
    new = _ENDS.sub("", (told if stop is None else told[: stop.start()]).strip("* "))
    frame = _FRAME.match(new)
    new = new if frame is None else new[frame.end() :]
    if not new or len(new) > _MOST_BARE or _STATES.match(new) or _REPLIES.match(new) or _DENIES.search(new):
        return None
    if new.endswith(_CHANGED):
        return None
    half = len(new) // 2
    return Slip(new[:half] if new[:half] == new[half:] else new, surely=False, bare=True)


_CHANGED = ("改", "换", "变", "定")
"""How a few characters end that say that something is another now, and not what: 名字改了."""
_MOST_BARE = 8
_BREAK_OF_BARE = Expression(
    r"[,，;；。!！(（]|——|(?<=[\u3400-\u9fff])\s(?=[\u3400-\u9fff])|[^\x00-\u024f\u3000-\u303f\u3400-\u9fff\uff00-\uffef…、*]"
)
_ENDS = Expression(r"(?:[啦哈呀哦噢呢吧啊了~～]|\s*lol|\s*hh++)+$")
_REPLIES = Expression(
    r"(?:好|行|可以|对|是的?|嗯|哦|啊|哈|谢|知道|明白|收到|了解|厉害|真|太|当然|加油|晚安|早|再见|拜拜|OK|ok|继续|就|还行|随便|都|也|一样|同意|确实|"
    r"麻烦|辛苦|没|不|[在有去来吃喝看做想会能要用买写说讲问给让被把从到和跟与或记存收查找走跑住叫改换还只又才刚正]|为什么|怎么|然后|所以|但|因为|等|先|再|快|赶紧)"
)
_PARTS = Expression(r"[,，。;；!！\s]+")
_NOTHING_OF_IT = Expression(
    r"(?:(?:这|那)(?:个|件|条)?(?:事儿?)?)?(?:你)?(?:就)?当(?:我)?没(?:[提说讲]过?|这回?事|听[见过])(?:吧|哈|行不行|好不好|好吗)?|(?:麻烦|请|你)*忘(?:掉|"
    r"了)(?:它|吧|哈)*|(?:先)?别记(?:了|别记)*(?:了|哈|啊)?|"
    r"(?:这|那)?[个条]?(?:就|也)?(?:别|不要|不用)(?:记|存|保存)(?:下来|住)?(?:了|哈|啊)?|删(?:了|掉|了吧|掉吧)?|(?:撤回|撤销|取消)(?:吧|了)?|"
    r"(?:骗|逗|唬)你(?:的|玩)(?:啦|呢|哈|的)*|(?:那|这)?(?:个|条|句)?(?:作废|不算)(?:了|吧|哈)?"
)


def _instead(opened: Opened) -> Slip | None:
    """Return what holds instead of what was told before, where the sentence says so."""
    told, text = opened.told, opened.text
    frame = _FRAME.match(text, opened.place)
    place = opened.place if frame is None else frame.end()
    both = _BUT_NOT.match(text, place)
    if both is not None:
        old = "old" if both["old"] else "old2"
        slip = _slip(told[slice(*both.span("new"))], told[slice(*both.span(old))], opened.about)
        return None if slip is None or slip.whole else slip
    stop = _BREAK.search(text, place)
    end = len(text) if stop is None else stop.start()
    surely = opened.surely or _AFTER.match(text[end:]) is not None
    if not (surely or opened.doubts):
        return None
    return _slip(told[place:end], "", opened.about, surely=surely)


def _slip(new: str, old: str, about: str, *, surely: bool = True) -> Slip | None:
    new = new.strip().removesuffix("了").removesuffix("才对").strip()
    whole = len(new) > _MOST or _STATES.match(new) is not None
    if not new or (whole and (not surely or old or _DENIES.search(new))):
        return None
    return Slip(new, old.strip(), about, surely=surely, whole=whole)


_ERRED = Expression(
    r"错|搞混|弄混|记混|看混|不对|更正|纠正|看岔|记岔|[看记听说]串|漏[打写说]|[多少]打|写着|写的|显示|说的是|白纸黑字|[再又重]新?[量数称查看问听读]|翻[了出]|查了|核对|确认|"
    r"一看|老数|旧的?那|应该?[是为]|实际是|记性|眼神|眼花|说快了|手滑|输入法|抱歉|不好意思|对不起"
)
RIGHTING = Righting(_read, _ERRED, first_day)
