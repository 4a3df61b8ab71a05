"""What the user asks in Chinese to be remembered."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, rest_of_sentence, sentence_before, written
from brain_core.extract.chinese.knowledge import knowledge
from brain_core.extract.chinese.profile import PROFILE
from brain_core.extract.chinese.vocabulary import RELATIVE
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_ASK = (
    r"(?:记住|记一下|记下来?|记着(?:点儿?|点)?|记好|牢记|存一下|备忘(?:一下)?|别忘了?|不要忘(?:了|记)|记录一下|"
    r"记一笔|记一条|做个(?:笔记|备注)|留个备注|加个备注|备注|记个|帮我记|帮我存|请记得|你要记得|你得记得|留个备忘|"
    r"mark ?一下|[存建]个?档|替我记[着住下好]?|记(?:清楚|牢|到|进|上|死)|收进(?:你的?)?(?:小本本|记忆|备忘|脑子)|"
    r"小本本记|敲黑板|划重点|拿小本|留个底|"
    r"存进|写进(?:你的?)?(?:记忆|备忘|小本)|往脑子里|刻进|留意一下|烦请记|别给我忘)"
)
_ASIDE = Expression(r"[\s:,，。是说]*(?:一下|一件事|这个|哈|啊|哦|吧|了|的是|呀|[:,，。]|\s)*")


def _asked(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if re.search(
        r"记(?:住|下来?|着)?(?:了)?(?:吗|没|不住)|还记得|记不|没记|(?<![帮给替请])我(?:会|要|得|都|就|已经|自己|"
        r"也)?记(?:住|得|下|着)|不(?:用|必|要)记(?!错)|记得(?:你|我们|当时|小时候|那)",
        text,
    ):
        return
    if any(True for rule in PROFILE if (told := rule.pattern.search(text)) for _ in rule.build(told, scene)):
        return  # it is known already, under a name of its own
    aside = _ASIDE.match(text, match.end())
    start = aside.end() if aside else match.end()
    content, span = rest_of_sentence(scene, start)
    if not content and not text[: match.start()].strip():
        content, span = _next_sentence(scene)
    if len(content) < 3 or _TELLS_NOTHING.match(fold(content)):
        return
    yield Found(knowledge(content, text[start:].strip() or fold(content)).given, span=span)


_TELLS_NOTHING = Expression(
    r"[你您我]?(?:说的|的话)|[你您]的|"
    r"(?:我|俺|咱)[^,，。:：的是在叫有a-zA-Z0-9]{0,6}的[^,，。:：的是在叫有了没不要会能很快该过得a-zA-Z0-9]{1,6}$|"
    rf"(?:给|跟|和|向|陪|带|帮|替|接|送)[你您](?:的|家|{RELATIVE})|"
    r"(?:到时候?)?(?:再|要)?(?:提醒|告诉|通知|叫|喊|催)(?:一下|一声)?(?:我们?|咱们?|大家)(?:一下|一声|[哈啊哦吧了呀哟])*$"
)
"""Names what is the user's and tells nothing, 我的地址, reminds somebody of theirs, 给你妈打电话, or asks for it."""

_ASKED = Rule(
    "remember", "knowledge", each("记存备忘录笔档本板点底进意"),
    Expression(rf"(?:^|[,，。:：\s]|请|麻烦|帮我|帮个?忙|以后|你|您|给我|要|一定|务必|对了|哦){_ASK}"),
    _asked, insists=True,
)  # fmt: skip


def _next_sentence(scene: Scene) -> tuple[str, tuple[int, int]]:
    """Return what was written in the sentence after that of the clause, and its span: 划重点！工牌在三楼."""
    place = len(scene.clause.text)
    after = _MARKS.match(scene.message, scene.clause.start + place)
    return rest_of_sentence(scene, after.end() - scene.clause.start) if after else ("", (0, place))


_MARKS = Expression(r"[。！!.~～\s]+")


def _asked_after(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if re.search(
        r"[吗?？]|没记|记不|[他她]们?[都也就还]?记|你[都也总]+[替帮给]我记着|(?<![帮给替让跟和对])我(?:们)?(?:会|已经|都|就|自己|先|也|来|刚|得|要|可以?|,)*(?:记|存|收|写)|记得(?!住)",
        text,
    ):
        return
    head = re.sub(
        r"(?:这个|这[点条些件]|那个|以上|上面)?(?:做法|配方|事情?|信息|步骤|方法|号码?|内容|情况|规矩)?(?:你|您|"
        r"请|替我|得|务必|可|"
        r"帮我|麻烦|都|要|也|给我|一定)*$",
        "",
        text[: match.start()],
    ).strip()
    content = written(scene, 0, len(head)) if len(head) >= 4 else ""
    span: tuple[int, int] | None = None
    if not content and _POINTS_BACK.match(text):
        content = sentence_before(scene)
    if not content:
        content = _before_in_sentence(scene)
    if not content:
        back = re.search(r"做法|配方|步骤|方法|流程|信息|情况|以上|上面", text)
        content, span = ("", (0, 0)) if back else rest_of_sentence(scene, len(text))
        content, span = (content, span) if len(content) >= 4 else (sentence_before(scene), None)
    if len(content) >= 4:
        kind = "procedure" if re.search(r"做法|步骤|配方|流程|方法", text) else "fact"
        yield Found(knowledge(content, fold(head or content), kind).given, span=span)


_POINTS_BACK = Expression(r"\s*(?:这|那|以上|上面)")


def _before_in_sentence(scene: Scene) -> str:
    """Return the clauses of the sentence before this one."""
    place = scene.clause.sentence.rfind(scene.clause.text)
    return written(scene, -place, 0) if place > 3 else ""


_ASKED_AFTER = Rule(
    "remember_that", "knowledge", each("记存心数知道本档"),
    Expression(r"(?:记(?:住|一下|下来?|好|着)|存(?:一下|起来)|备忘一下|心里有(?:个)?数|你?知道(?:一下)?就(?:行|好)|"
        r"有(?:个)?印象就行|(?:收|记|写)进(?:你的?)?(?:小本本|记忆|备忘录?|脑子里?)|存(?:个)?档|心里有谱)(?:了|哈|"
        r"啊|哦|吧|就行|就好|呀|喔)*[。!！~～\s]*$"),
    _asked_after, insists=True,
)  # fmt: skip

REMEMBER: tuple[Rule, ...] = (_ASKED, _ASKED_AFTER)
"""Both insist: no skip rule holds them back."""
