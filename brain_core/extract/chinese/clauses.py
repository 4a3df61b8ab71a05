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
    r"\s*(?:[0-9年月号日周星期礼拜一二三四五六七八九十两点半天上下这本个昨今明后大前晚早去底初末]|上午|下午|中午|春节|国庆|"
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
    r"(?:[啊哦喔呢吧哈啦嘛呀哟咯噢欸诶呗哒]|谢谢|多谢|～|~|\s|[。！!？?，,；;…、\U0001f300-\U0001faff])+$"
)
_LONGEST_VALUE = 200


def each(characters: str) -> str:
    """Return characters as the cues of a rule."""
    return " ".join(dict.fromkeys(characters))


def clauses(sentence: str, start: int) -> Iterator[Clause]:
    """Yield the clauses of a sentence, folded and in Mandarin; leads and contrasts (不是…,是…) stay with the next."""
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


def sentence_before(scene: Scene) -> str:
    """Return what was written in the sentence before that of the clause, if it is of the same message."""
    before = scene.message[max(scene.clause.start - 2 * _LONGEST_VALUE, 0) : scene.clause.start]
    parts = [part for part in _SENTENCE_END.split(before) if part.strip()]
    return tidy(parts[-1]) if parts else ""


def tidy(text: str) -> str:
    """Return a text without marks, white space and final particles at its ends."""
    return _TAIL.sub("", text.strip(_EDGES)).strip(_EDGES)[:_LONGEST_VALUE]
