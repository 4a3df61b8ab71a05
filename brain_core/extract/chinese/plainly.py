"""What is told in plain words in Chinese: reactions that are allergies, a new home, what must never be done."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from brain_core.extract.chinese.clauses import each, tidy, written
from brain_core.extract.chinese.facts import facts
from brain_core.extract.chinese.recall import profile_fact
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.chinese.whose import whose_is
from brain_core.extract.known import known_facts
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def _reacts(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what the user, or somebody named, reacts to, with what it does in the clause or the one after it."""
    thing = written(scene, *match.span("thing" if match["thing"] else "thing2"))
    if not thing or _NO_THING.match(fold(thing)) or _OVER.search(scene.clause.sentence):
        return
    whose = "user" if match["me"] else whose_is(scene, match.start())[0]
    told = written(scene, 0, len(scene.clause.text))
    if whose == "user":
        yield Found({"scope": "other", "name": f"allergy_{content_slug(fold(thing))}", "value": told})
    elif whose == "another":
        yield Found({"kind": "fact", "slug": content_slug(fold(told)), "content": told}, type="knowledge")


_NO_THING = Expression(
    r"^(?:饱|多|完|撑|太|得|到|东西|饭|早|午|晚|什么|啥|药$|辣|热|冰|凉|冷|火锅|不|没|苦|亏|惊|醋$|瘪)|^[^a-z\u4e00-\u9fff]"
)
_OVER = Expression(r"以前|小时候|曾经|现在(?:不会|没事|好了)|[吗么?？]\s*$|如果|要是|假如|不会(?:再)?(?:肿|痒|起)")
_EATS = r"(?:吃|喝|碰|闻|摸|接触|用|打)(?:到|了|上|过)?"
_BODY = r"(?:嘴唇?|嘴巴|脸|喉咙|嗓子|舌头|眼睛|眼皮|身上|全身|浑身|皮肤|手|脖子)"
_DOES = r"(?:肿|痒|发痒|起疹|起(?:红|皮|荨麻)?疹子?|起包|发红|出疹子?|长疹子?|喘不上气|呼吸困难|休克|发麻)"


def _lives(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 新房子在建设路,昨天搬完的: where the new home is, once one has moved there."""
    told = fold(scene.message)
    if _MOVED.search(told) and not _NOT_YET.search(told):
        yield facts(("home", written(scene, *match.span("v"))))


_MOVED = Expression(r"搬(?:完|好|进|过来|过去|来了?|家了)|住(?:进|下)|入住")
_NOT_YET = Expression(
    r"没搬|还没|没入住|要搬|准备搬|打算|计划|等[^,，。]{0,8}(?:搬|住|入住)|(?:下周|下个?月|明天|后天|明年|以后|到时候?)[^,，。]{0,8}(?:搬|住)|"
    r"[他她]们?[^,，。]{0,4}搬|(?:朋友|同事|邻居|爸妈?|妈|哥|姐|弟|妹)[^,，。]{0,6}搬"
)


def _forbidden(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if _AT_HAND.search(scene.clause.text):
        return
    told = written(scene, 0, len(scene.clause.text))
    yield Found(
        {
            "scope": "other",
            "name": content_slug(tidy(fold(written(scene, *match.span("what" if match["what"] else "what2"))))),
            "value": told,
        }
    )


_AT_HAND = Expression(
    r"今[天晚]|明[天早晚]|后天|昨天|这[次回]|待会|等下|等会|马上|现在|周[一二三四五六日末]|忘|误会|担心|迟到|告诉|[他她]|说|再[^,，]{1,6}了$|"
    r"^[^,，]{0,8}(?:妈|爸|老师|医生|老板|领导)"
)
_DEEDS = (
    r"(?:动|碰|改|修改|删|删除|清空|提交|推送|上传|覆盖|执行|运行|打印|记录|存|保存|合并|部署|发布|安装|升级|重启|推荐|建议|联系|"
    r"打电话|给我打电话|用|使用|加|写|发|泄露|暴露|硬编码|直接)"
)


def _leaves(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read 昨天提离职了: where one works is doubted, since one works on for a while."""
    for k, v in known_facts(scene.known):
        if k in {"employer", "workplace"}:
            yield replace(profile_fact(k, v, denies=True), doubts=True, weak=True)


PLAINLY: tuple[Rule, ...] = (
    Rule(
        "notice_given", "profile", each("离辞"),
        Expression(
            r"^\s*(?:我)?(?:已经|终于|刚|正式|[昨今前]天|上?(?:周|星期)[一二三四五六日天]?)*(?:我)?(?:已经)?"
            r"(?:(?:提|递|交)(?:交)?了?(?:离职|辞呈|辞职(?:信|报告|申请)?|离职(?:申请|报告))了?)\s*$"
        ),
        _leaves, shares=True, vital=True,
    ),
    Rule(
        "allergy_by_reaction", "preferences", each("吃喝碰闻摸触用打"),
        Expression(
            rf"(?P<me>(?:我|本人)(?:是|只要|每次|从小|也|真的|自己)*)?(?:一|只要|每次)(?:一)?{_EATS}(?P<thing>[^,，。就会]{{1,8}}?)[,，]?"
            rf"(?:就|会|都|我|的)*{_BODY}?(?:就|会|都|立刻|马上|直接|全|又|要)*{_DOES}|"
            rf"(?:我|本人)(?:只要|每次)?{_EATS}(?P<thing2>[^,，。就会]{{1,8}}?){_BODY}?(?:就|都)会?{_BODY}?(?:就|会|都)*{_DOES}"
        ),
        _reacts, vital=True,
    ),
    Rule(
        "new_home_is", "profile", each("新"),
        Expression(
            r"^\s*(?:我们?的?)?新(?:房子?|家|住处|租的房子?|公寓)(?:就|是)?在(?P<v>(?!装|看|找|建(?!\S{0,3}[路区街])|盖)[\u4e00-\u9fffA-Za-z0-9]{2,14}?)"
            r"(?:这边|那边|附近)?\s*$"
        ),
        _lives, shares=True, vital=True,
    ),
    Rule(
        "never_do", "preferences", each("千一绝永任务"),
        Expression(
            r"^\s*(?:请|你|以后|记住|务必|[,，])*(?:千万|一定|绝对|永远|任何时候都?)(?:不[要能可许准得]以?|别)(?:再|去|随便|乱)*"
            rf"(?P<what>(?:把[^,，]{{1,16}}?)?{_DEEDS}.{{1,60}})|"
            rf"^\s*(?:请|你|以后)*绝不[要能可许准]以?(?P<what2>(?:把[^,，]{{1,16}}?)?{_DEEDS}.{{1,60}})"
        ),
        _forbidden, vital=True,
    ),
)  # fmt: skip
