"""Whether a Chinese sentence that no rule reads can be kept as it stands, and as what.

What is kept is read alone later on: it must name whom or what it tells of, and tell what its type is about. A judge of
sentences hears that something is told, and neither whose it is nor what 就二号到六号 answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from brain_core.extract.chinese.aspects import RELATIVE_FIRST, area_of
from brain_core.extract.chinese.brought_in import tells_of_one_brought_in
from brain_core.extract.chinese.dates import days
from brain_core.extract.chinese.spoken import as_mandarin
from brain_core.extract.chinese.tenses import event_day
from brain_core.extract.chinese.vocabulary import CALLED, content_slug
from brain_core.extract.language import Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_SAYS_SOMETHING = 4
"""Content characters of a sentence that can be understood alone."""

_OPENING = Expression(
    r"(?:(?:你|您|大家)好|哈喽|嗨|嗯|哦|噢|啊|哎|诶|哈|好|行|是|对了?|没错|另外|还有|其实|不过|而且|但|"
    r"可|所以|因为|然后|说正经|顺便(?:说|提)?(?:一[下句])?|说实话|话说|换个事|那个|[的呀呢吧嘛,，、:：!！~ ])+"
)
"""What a sentence begins with before it tells something."""

_ABOUT_WHAT = Expression(
    r"(?:[他她它]|[让被]你|我们?选 ?[0-9A-Za-z一二三四五](?:[,，]|$)|"
    r"这(?!边|儿|里|周|个?月|两天|几天|辈子|学期)|那(?!边|儿|里|天|年|会儿)|此|"
    r"人家|对方|"
    r"(?:就|都|也|才|又|再|已经?|还|只|或者|要么|要不|最后|结果|原来|终于|总算|没|不是|千万|随便|反正|差不多|大概|"
    r"刚刚?|今天刚|昨天刚|去年就)(?![\u4e00-\u9fff]{0,3}我)|"
    r"[0-9零一二三四五六七八九十百千万两半.]+[\u4e00-\u9fff]?(?:[,，:：]|$)|"
    r"[^我咱俺,，]{1,3} ?[0-9零一二三四五六七八九十百千万两半.]+[万块元]?(?:[,，]|$))"
)
"""How a sentence begins that says nothing without what stands before it: 他…, 就二号到六号, 木架260."""

_MUST_NOT = Expression(r"不[行能准许得]|过敏|忌|禁")
"""What somebody must not have or do is kept, though only 他 says who it is."""

_DONE_TO_WHAT = Expression(
    r"[^我咱俺,，]{1,3}(?:了|过|好了?|完了?|掉了?|成了?|上了?|到了?|的)(?=[,，!！。:：]|$)|"
    r"[^我咱俺,，老小阿](?:了|成了|到了|好了|完了|出了)|(?:骑|坐|走路|开车|打车)"
)
"""A verb without a subject first: 签了, 发成了…. Of oneself one tells so: 送快递的."""

_POINTING = Expression(r"(?:这|那)[个种样么些]$")
"""What a sentence speaks of in its end, where that was named before it."""

_NEXT_STEP = Expression(
    r"(?:那|就|还是|我们?|咱们?)*(?:先[^,，]*吧(?:[,，]|$)|(?:继续|开始吧|进入|来看|接着|下一(?:步|个|项|部分)))"
)
"""What is to be done next, or for now: 先按19号吧, 下一步做前端."""

_TROUBLE = Expression(
    r"怪事|报错(?!(?:信息|提示|日志)?(?:都|全部?|一律|统一|统统|默认|自动)[^,，了]{0,4}(?:进|走|发|报|打|记|写|存|推|送|转|汇|收|归|落))|"
    r"[A-Z][a-z]+Error|崩了|出(?:了个?)?bug|吵起来|打起来",
    re.IGNORECASE,
)
"""What is the matter just now: no fact for later. Where all errors go is one: 报错统一进日志平台."""

_OURS = Expression(r"我|咱|俺|本人")
_OTHERS_FIRST = Expression(
    r"(?:我们?家?|咱们?)?的?(?:同事|同学|朋友|闺蜜|哥们|邻居|老板|领导|老师|学生|客户|室友|"
    r"房东|表[哥弟姐妹]|堂[哥弟姐妹]|[叔姑姨舅]|[猫狗]|徒弟|师[父傅兄弟姐妹]|学[长姐弟妹]|下属|合伙人|搭档|队友|前[夫妻任])|[\u4e00-\u9fff]{0,3}(?:医生|大夫|[总哥姐])(?:还|也|都|刚|又)?(?:说|让|改)"
)

_FRIENDS_FIRST = Expression(r"(?:我们?家?|咱们?)?的?(?:同事|同学|朋友|闺蜜|哥们|邻居)")
_NAMED_FIRST = Expression(
    r"(?:[^,，A-Z]{1,12}[,，上里时]|[\u4e00-\u9fff]{1,4}[带给让陪])?[A-Z][a-z]+(?![A-Za-z0-9_.+-])"
)
_RELATIVES_FIRST = Expression(RELATIVE_FIRST)
"""A profile has a place for what is told of these."""

_TELLS = {
    "decisions": Expression(
        r"决定|定(?:了|在|下|好|为|的)|选|改主意|拍板|敲定|弃|放弃|推掉|换成|改[用成走去为]|毙|砍掉|不值|"
        r"不[^,，]{1,10}了|不[追要上去买用做再]|最后|最终|交给|签|订了|报了|换|going with|decid|就[^,，]{2,}吧",
    ),
    "tasks": Expression(
        r"得(?!到|了|意|很)|要(?!是|不|么|命|价)|该|需要|务必|记得|别忘|待办|之?前[^,，]|欠|催|截止|还没(?!得到|有|想)|取(?!消)|[写做弄改看]到|在(?:写|准备|做|弄|改|赶)|"
        r"正(?:写|看|做|改)|完|搞定|划[掉走]|把[^,，]{2,}(?:转|交|发|寄|取|还|送|退)|按[^,，]{2,}[抄写填]"
    ),
    "preferences": Expression(
        r"喜欢|爱|讨厌|烦|受不了|习惯|偏|倾向|感兴趣|热衷|宁|怕|嫌|最想|一直想|不(?:吃|喝|用|看|坐|碰|要|想|必)|别|少|只|"
        r"常|一般|平时|我[^,，]{0,6}[用吃喝看听穿坐]|先|放|按|用|每[天周月次]|从来|总是|一律|统一|尽量|给我|跟我|对我|以后"
    ),
}
"""Without which a sentence is hardly of its type."""


_WHEN = Expression(
    r"[0-9一二三四五六七八九十]+[:：点][0-9一二三四五六七八九十半]*分?|[早晚上中下]午|早上|晚上|约(?:到|在|了)?|定(?:在|到|了)?|改(?:到|在)|到|时间|日期"
)
_SAYS_WHAT = 2
"""Characters beside days and hours that say what happens."""


def stands_alone(scene: Scene, item_type: str) -> bool:
    """Return whether a sentence tells something that can be kept as an item of a type."""
    folded = as_mandarin(scene.clause.text)
    opening = _OPENING.match(folded)
    told = (folded[opening.end() :] if opening else folded).rstrip(" 。!！~～")
    if len(content_slug(told)) < _SAYS_SOMETHING or _POINTING.search(told):
        return False
    if _ABOUT_WHAT.match(told) and not _MUST_NOT.search(told):
        return False
    if _DONE_TO_WHAT.match(told) and item_type != "profile" and not (item_type == "decisions" and _OURS.search(told)):
        return False
    if any(item_type in types and begins.match(told) for types, begins in _NOT_KEPT):
        return False
    return _TELLING[item_type](scene, told)


def tells_of_another(scene: Scene) -> bool:
    """Return whether a sentence is about somebody named in letters that tell it from other words, or brought in."""
    text = scene.clause.text
    if _NAMED_FIRST.match(text) is not None and _OURS.search(text) is None:
        return True
    return tells_of_one_brought_in(fold(text))


def _is_an_event(scene: Scene, told: str) -> bool:
    """Return whether something happens on a day that is named, or has happened to the user."""
    day, past = event_day(told, scene.said, fold(scene.told_before))
    if day is None:
        return _OURS.search(told) is not None
    if _OR.search(told):
        return False
    about = told
    for each in reversed(list(days(told, scene.said))):
        about = about[: each.start] + about[each.stop :]
    return (day.exact or not past) and len(_WORD.findall(_WHEN.sub("", about))) >= _SAYS_WHAT


_OR = Expression(r"或者|要么")
_WORD = Expression(r"[\u4e00-\u9fffA-Za-z]")


def _is_of_the_user(_scene: Scene, told: str) -> bool:
    if CALLED.search(told) is not None or _OF_THE_MOMENT.search(told) is not None or ILLNESS_OF_ANOTHER.search(told):
        return False
    return bool(area_of(told)) or (_OURS.match(told) is not None and not _ONCE.search(told))


ILLNESS_OF_ANOTHER = Expression(
    r"(?<!我是)(?:老师|同[事学]|朋友|医生|老板|领导|教练|师傅|邻居|室友|房东|保姆|阿姨|客户)[^,，我]{0,4}(?:生?病|住院|手术|骨折|怀孕|阳了)"
)
_OF_THE_MOMENT = Expression(
    r"^[^,，]{0,6}(?:刚(?![满上升])(?:刚|才)?|正(?:要|准备)?|马上|这就|还没)[^,，]{0,3}(?:到|来|走|进|出|回|睡|醒|吃|起床|下班|下车|打完|看完|说完)|"
    r"^[^,，]{0,6}(?<![现住])在(?:度)?(?:等|收拾|排队|做饭|睡觉|吃饭|开会|洗澡|路上|打扫|堵车|加班|忙)|[叫让喊催]我(?:回|去|来|吃|起|问|赶|快)|"
    r"我(?:真|也)?是(?:服|醉|无语|真|说|没想到)|(?:住|睡|坐|等|待)了[一半两几][会晚宿]"
)
"""What somebody does just now, or did once."""
_ONCE = Expression(r"一个人|回来|出去|出门|[走去吃喝看逛]了|到(?:明|后|下)|刚|今天|昨|在等|堵")
"""What somebody does once or just now."""


def _is_to_come(words: Expression) -> Callable[[Scene, str], bool]:
    return lambda _scene, told: words.search(told) is not None or not _OVER.search(told)


_OVER = Expression(r"了|过(?!年|节|去|来|户|敏)|已经|[^目别]的$|预算|价|块钱")

_TELLING: Mapping[str, Callable[[Scene, str], bool]] = {
    "preferences": lambda _scene, told: (
        not _TROUBLE.search(told) and (_OURS.match(told) is not None or _TELLS["preferences"].search(told) is not None)
    ),
    "decisions": lambda _scene, told: _OURS.search(told) is not None or _TELLS["decisions"].search(told) is not None,
    "goals": lambda _scene, _told: True,
    "tasks": _is_to_come(_TELLS["tasks"]),
    "events": _is_an_event,
    "profile": _is_of_the_user,
    "knowledge": lambda _scene, told: not _TROUBLE.search(told),
}
_OF_THE_USER = ("preferences", "goals", "decisions")
_NOT_KEPT = (
    (("decisions", "events", "tasks"), _NEXT_STEP),
    (_OF_THE_USER, _OTHERS_FIRST),
    (_OF_THE_USER, _RELATIVES_FIRST),
    (("profile",), _FRIENDS_FIRST),
)
"""Types, and how a sentence begins that is kept as none of them."""
