"""Cutting Chinese sentences into clauses, and taking what was said from them as it was written."""

from __future__ import annotations

from collections.abc import Iterator

from brain_core.extract.chinese.spoken import as_mandarin
from brain_core.extract.language import Clause, Scene
from brain_core.text.expression import Expression

_CUT = Expression(
    r"[，,；;](?!\d{3}(?!\d))\s*|"
    r"(?<=[\u4e00-\u9fff]{4})"
    r"(?<![是叫在到去和跟与或的把被给对为于向从住选用吃喝爱欢买做说请记第])"
    r"[ \u3000]+(?=[\u4e00-\u9fff]{3})"
    r"(?!也|又|还有|和|跟|与|以及|及|或|并|一[只个条位]|尤其|特别是|包括|不要|不用|别)"
    r"(?![\u4e00-\u9fff]{1,6}[镇区县市省路街村楼号苑园道湾](?:$|[\s,，。]))"
)
"""Marks, and a space after a few characters and before some, where one types it for a comma: 我花生过敏 这个能吃吗."""
# What says nothing alone but how to take what follows: it stays with the next clause.
_LEAD = Expression(
    r"\s*+(?:(?:好的?|行|嗯+|哦|噢|对了?|对哦|啊|诶|哎|喂|那个|那|顺便|顺带|另外|还有|其实|不过|但是?|而且|所以|然后|"
    r"首先|最后|总之|"
    r"你|您|请|麻烦|拜托|帮我|帮忙|给我|要|一定|务必|得|先|再|也|"
    r"记住|记得|记一下|记下来?|记着(?:点儿?)?|记好|牢记|存一下|备忘|别忘了?|注意(?:一下|了)?|说一下|说明一下|"
    r"交代一下|补充一下|"
    r"补充一点|(?:给|跟)你交个底|(?:给|跟|和)你(?:说|讲|交代|报备|通报|同步)(?:一?[个件声下嘴句])?(?:事儿?)?|"
    r"有(?:个|件)事儿?|说个事儿?|提醒(?:你|一下)+|跟你说|告诉你|更正一下|更正|纠正一下|纠正|说错了?|我说错了|"
    r"搞错了|记错了|写错了|不对|"
    r"不是|忘了说|"
    r"忘记说|先说好|说好了|今后|以后|往后|从现在起|从现在开始|从今天起|从今以后|日后|抱歉|不好意思|没错|是的|"
    r"刚才|哈|呀|啊|吧|哦|了|下|一下|的话|点儿)\s*+)++$"
)
_ASKED = Expression(
    r"\s*+(?:你|您|请|麻烦|拜托|对了|哦|好|那|帮我|给我|[,，\s])*+"
    r"(?:记住|记一下|记下来?|记着|记好|牢记|记一笔|备忘|别忘了|帮我记|你要记得)(?!了?[吗么没])"
)
_DATE_ONLY = Expression(
    r"\s*(?:[0-9年月号日周星期礼拜一二三四五六七八九十两点半天上下这本个昨今明后大前晚早去底初末]|上午|下午|中午|晚上|春节|国庆|"
    r"之后|以后|起){2,14}$"
)
_CONTRAST = Expression(r"不是[^，,；;]{1,30}$|[换改变]了$|(?:说|打|记|写|搞|弄|看)错了?(?:字了?)?$|不对$")
_SENTENCE_END = Expression(r"[。！？!?\n]")
_REQUEST = Expression(
    r"(?:[，,；;]\s*|(?<=[\u4e00-\u9fff]{4})[ \u3000]+)(?:那|那么|所以|顺便|先|再)*(?:帮我|帮忙|帮|麻烦|请|你(?:帮|"
    r"看|说|觉得|能|可以|来|给|先)|给我|"
    r"能不能|可以吗|可不可以|怎么|如何|谢谢|多谢|辛苦|哈哈|"
    r"有(?:什么|没有|啥)|要不要|是不是|好吗|行吗|对吧|什么|咋|想问|问一下|推荐|列|写个|起草)"
)
_EDGES = " \t　，,。；;：:！!~～…、.🙏😂"
_TAIL = Expression(
    r"(?:[啊哦喔呢吧哈啦嘛呀哟咯噢欸诶呗哒]|谢谢|多谢|哈哈+|～|~|\s|[。！!？?，,；;…、\U0001f300-\U0001faff])+$"
)
_LONGEST_VALUE = 200


def each(characters: str) -> str:
    """Return characters as the cues of a rule."""
    return " ".join(dict.fromkeys(characters))


def clauses(sentence: str, start: int) -> Iterator[Clause]:
    """Yield the clauses of a sentence, folded and in Mandarin; leads and contrasts (不是…,是…) stay with what follows them."""
    folded = as_mandarin(sentence)
    asked = _ASKED.match(folded) is not None
    place = 0
    for cut in _CUT.finditer(folded):
        piece = folded[place : cut.start()]
        if _LEAD.match(piece) or _DATE_ONLY.match(piece) or _CONTRAST.search(piece):
            continue
        if piece.strip():
            yield Clause(piece, start + place, folded, asked=asked)
        place = cut.end()
    if folded[place:].strip():
        yield Clause(folded[place:], start + place, folded, asked=asked)


def written(scene: Scene, start: int, stop: int) -> str:
    """Return characters [start, stop) of the clause as they were written, without marks and particles at the ends."""
    place = scene.clause.start
    return tidy(scene.message[place + start : place + stop])


def rest_of_sentence(scene: Scene, start: int) -> tuple[str, tuple[int, int]]:
    """Return what was written from a place in the clause to the end of its sentence, and its span.

    Questions and requests that follow are left out.
    """
    place = scene.clause.start + start
    end = _SENTENCE_END.search(scene.message, place, place + _LONGEST_VALUE)
    stop = end.start() if end else min(place + _LONGEST_VALUE, len(scene.message))
    first = max(place, scene.clause.start + len(scene.clause.text))
    asked = _REQUEST.search(scene.message, first, stop)
    if asked is None and end is not None and end[0] in "？?":
        comma = max(scene.message.rfind(mark, first, stop) for mark in ",，;；")
        stop = comma if comma >= 0 else stop
    stop = asked.start() if asked else stop
    return tidy(scene.message[place:stop]), (start, stop - scene.clause.start)


def with_details(scene: Scene, start: int, *, things: bool = False) -> tuple[str, tuple[int, int] | None]:
    """Return what was written from a place in the clause to its end and in the details after it, and its span.

    The span is None where no details follow. They are the next one or two parts of the sentence that have no subject of their own and tell where, how much, by
    what or who (…，住省立医院边上). things: whether a noun alone is one, too (…，东航).
    """
    sentence, text = scene.clause.sentence, scene.clause.text
    stop = end = max(sentence.find(text), 0) + len(text)
    for _ in range(_MOST_DETAILS):
        following = _FOLLOWING.match(sentence, end)
        part = following["part"] if following is not None else ""
        is_one = _DETAIL.match(part) is not None or (things and _THING.fullmatch(part) is not None)
        if following is None or not is_one or _NO_DETAIL.search(part):
            break
        end = following.end()
    told = written(scene, start, len(text) + end - stop)
    return told, (start, len(text) + end - stop) if end > stop else None


_MOST_DETAILS = 2
_FOLLOWING = Expression(r"[,，]\s*(?P<part>[^,，;；。.!！?？\n]{1,24})(?=[,，;；。.!！\n]|$)")
_AMOUNT = (
    r"[0-9一二三四五六七八九十百千万两半几][0-9一二三四五六七八九十百千万两半几.]*\s*(?:块钱?|元|[万千百kK]|片|粒|颗|支|毫克|mg|毫升|ml|字|页|楼|层|岁|"
    r"个[月半人]|[年天周次遍]|分钟|小时|人|公?斤|寸|米|平|折|点半?|分|座|车|排)"
)
_DETAIL = Expression(
    r"\s*(?:就|都|也|还|又|现在|目前|一般|平时|已经|主要|一个人|[上下中]午|早上|晚上|睡前|饭[前后]|[早晚]各?)*(?:"
    r"(?:住|坐(?!等)|在|去(?!不)|从|跟|和(?!平)|由|到|叫|姓|教|学|读|念|上(?![天个]|午|去|来|火|次)|做|当(?!然|时)|开(?!心|始)|卖|管|带(?!来)|属|比我|吃|服|打(?!算|扰)|"
    r"用(?!不)|戴|养|订|存|归|交|定[在了]|约[在了]|安排在|地址|地点|位于)[^,，]{1,20}$|"
    r"[每隔一两三][天周月年晚早次日][^,，]{0,3}(?:次|片|粒|回|针|遍|[0-9一二三四五六七八九十两半])[^,，]{0,8}$|"
    rf"(?:一共|总共|大约?|约|[每一](?:学期|[年月天次人]))?{_AMOUNT}(?!了)[\u4e00-\u9fff]{{0,3}}$|"
    r"(?:预产期|地[点址]|时间|驻地|座位|票价|[教老][练师]|电话|学费|房号|单位|公司|学校|专业|航班|车次|酒店|名字)(?:就|定)?[在是姓叫][^,，]{1,16}$|说[^,，]{0,6}[还来到给交][^,，]{0,6}$)"
)
_THING = Expression(
    r"\s*(?:(?:(?![要得去来买回走做办了的不没还再就都也已是有他她它])[\u4e00-\u9fff]){2,4}|[A-Za-z]{1,6}[0-9]{1,5})"
)
_NO_DETAIL = Expression(
    r"[我你您咱吗呢吧么?？]|什么|怎么|多少|几[点号]|哪|谁|推荐|帮|麻烦|谢|请|想|觉得|感觉|希望|可能|估计|好像|应该|不知道|死|烦|累|难受|难过|心疼|"
    r"担心|开心|高兴|激动|期待|紧张|可爱|真的?|太|好[^友几]|挺|很|哈|唉|呜|算了|加油|建议|注意|怕|忙|得[要去]|记得|别|不然|儿子|女儿|[爸妈爷奶哥姐弟妹]|要不|明天|后天|下周|今晚"
)


def sentence_before(scene: Scene) -> str:
    """Return what was written in the sentence before that of the clause, if it is of the same message."""
    before = scene.message[max(scene.clause.start - 2 * _LONGEST_VALUE, 0) : scene.clause.start]
    parts = [part for part in _SENTENCE_END.split(before) if part.strip()]
    return tidy(parts[-1]) if parts else ""


def tidy(text: str) -> str:
    """Return a text without marks, white space and final particles at its ends."""
    return _TAIL.sub("", text.strip(_EDGES)).strip(_EDGES)[:_LONGEST_VALUE]
