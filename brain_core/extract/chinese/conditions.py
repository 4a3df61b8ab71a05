"""What is to be done whenever the user does something: 以后我贴日志，只说根因; what a word of theirs is to mean."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, tidy, written
from brain_core.extract.chinese.knowledge import told_from
from brain_core.extract.chinese.vocabulary import content_slug, scope_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.scopes import joined, scope_in
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def _whenever(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read both halves together, what the user does and what is to follow: either alone says nothing, or too much."""
    message = fold(scene.message)
    then = _THEN.match(message, scene.clause.start + match.end())
    if then is None or _NO_ORDER.search(then[0]) or _NO_ORDER_TO_YOU.search(scene.clause.text):
        return
    stop = then.end() - scene.clause.start
    more = _MORE.match(message, then.end())
    if more is not None:
        stop = more.end() - scene.clause.start
    value = tidy(written(scene, 0, stop))
    words = fold(value)
    name = joined(content_slug(match["when"]), [scope_in(words)])
    yield Found({"scope": scope_of(words), "name": name, "value": value}, span=(0, stop))


_VERB = (
    r"(?:直接|把|只|先|别|不要|不用|不必|帮我|按|照|用|给我?|记得|务必|一律|默认|统一|翻|改|回|答|列|标|写|总结|分析|检查|跑|查|算|说|讲|指出|提醒|"
    r"当作?|打开|生成|输出|附|加|挑|找|读|念|润色|校对|点评|打分)"
)
_THEN = Expression(
    rf"(?:[,，]\s*|\s*)(?:(?:你|请|麻烦|您)(?:就|都|要|也|再|帮我|得|给我){{0,3}}(?!吃|喝|看看吧|知道|觉得|也|们|是|还|说过)|(?:就|都|请|那就)?(?={_VERB}))"
    rf"{_VERB}(?![了过])[^,，。!！?？;；\n]{{1,30}}"
)
_MORE = Expression(
    r"[,，]\s*(?:别|不要|不用|不必|只|先|再|然后|也|并|顺便|最后|不许)(?!了)[^,，。!！?？;；\n我他她]{1,24}(?=[,，。!！;；\n]|$)"
)
_NO_ORDER = Expression(r"(?<![帮给跟替对让叫和诉])我|[他她它]|被|了$|[吗呢么?？]|怎么|什么时候|你(?:请|吃|喝)")
_NO_ORDER_TO_YOU = Expression(r"[他她它]们?|老板|领导|同[事学]|朋友|客户|老[公婆]|[爸妈]|孩子|儿子|女儿")


def _means(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    if _NOT_MEANT.search(scene.clause.sentence) is None:
        yield told_from(scene, 0)


_NOT_MEANT = Expression(r"[?？]|[吗么呢]\s*$|什么|不是(?:指|说)|当时|那天|那次|上次|刚才|开玩笑|[他她]")
_LEAD = r"^(?:对了|另外|还有|记住|记一下|嗯|好|那|你|请|注意|[,，\s])*"
_WORD = r"[“\"「『\ufffc][^,，]{1,16}?[”\"」』\ufffc]"

CONDITIONS: tuple[Rule, ...] = (
    Rule(
        "word_meant", "knowledge", each("指是思代等"),
        Expression(
            rf"{_LEAD}(?:以后|今后|往后|平时|一般)?我(?:要是|如果|再|一|平时|一般)?(?:说|讲|喊|提到?|写)(?:的)?\s*{_WORD}(?:的时候|时)?(?:就|那就|一般|其实|都)?"
            r"(?:是指|指的?(?:就)?是|就是(?!说你|了|觉得|真|想|随)|是(?=让|要|叫)|(?:的)?意思(?:就)?是|代表|等于)[^,，]{2,}"
        ),
        _means, shares=True, vital=True,
    ),
    Rule(
        "preference_on_condition", "preferences", each("后次回要凡旦"),
        Expression(
            rf"{_LEAD}(?:以后|今后|往后|从今往后|从现在起|日后|下次|每次|每回|只要|凡是|但凡|一旦)(?:都|只要|每次|凡是|如果|要是|一旦|当){{0,2}}"
            r"我(?:们)?(?:一|再|要是|如果|只要|每次|跟你|给你|把){0,2}"
            rf"(?P<when>(?:贴|发|丢|扔|甩|问|说|写|提|传|上传|让你|叫你|拿|抛|粘|喊|转|截)(?!现)[^,，]{{0,20}}?)(?:给你|过来|上来|出来|的话|的时候|时){{0,2}}(?=[,，]|$|你|就|请)"
        ),
        _whenever, insists=True, vital=True,
    ),
)  # fmt: skip
"""Vital: read however little the judge thinks of such a sentence, of which each half alone says little."""
