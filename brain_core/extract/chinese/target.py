"""What a Chinese clause that denies or changes something speaks of: whose it is, of what, and for how long.

Two characters in common say little: 杭州不下雨了 has them with 我住在杭州, 大伟不加班了 with 我老公叫大伟. What is
denied is what is known only if the denial names nothing else, by the verb of what is known, and for longer than a day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.chinese.recall import content_words, fact_spoken_of, spoken_of, told
from brain_core.extract.chinese.vocabulary import RELATIVE
from brain_core.extract.chinese.whose import OF_ANOTHER
from brain_core.extract.known import known_facts
from brain_core.extract.language import Scene
from brain_core.extract.vital import is_vital, is_vital_item
from brain_core.text.expression import Expression
from brain_core.text.script import fold

Whose = Literal["user", "unsaid", "another"]

_LEADS = (
    r"(?:其实|现在|目前|如今|眼下|已经|早已|早就|以后|今后|往后|从此|彻底|完全|真的|确实|最近|近来|后来|最后|终于|总算|反正|本来|"
    r"今年|去年|前年|上个?月|上周|前阵子|因为|所以|不过|但是?|而且|好吧|唉|哎|对了|另外|还有|顺便|说实话|那(?!个)|嗯|哦|刚|也|都|就|正式|"
    r"[,，、。!！\s])*"
)
_SELF = rf"(?:我|俺|本人|咱)(?!们|{OF_ANOTHER})"
_OURS = r"(?:我们|咱们)(?!的(?!项目|团队))"
_BEGINS = Expression(
    rf"{_LEADS}(?:(?P<user>{_SELF}|{_OURS})|(?P<other>(?:我|俺|咱)们?{OF_ANOTHER}|[他她它]|{RELATIVE}))?"
)
_FIRST_PERSON = Expression(rf"{_SELF}|{_OURS}")
_UNNAMED = Expression(rf"{_LEADS}(?:$|从|搬|换|跳槽|离职|离开|辞|被|退|升|调|转|改|卖|买|停|戒|不|没|再)")
"""How a clause goes on that names nobody: with what is done."""
_OTHERS = Expression(
    rf"{RELATIVE}|[他她它]|人家|别人|有人|大家|同[事学]|朋友|闺蜜|哥们|邻居|隔壁|室友|舍友|领导|老板|客户|房东|亲戚|"
    r"[表堂][哥姐弟妹]|[叔姑姨舅]|别的|其他"
)
"""Whom or what another than the user is called."""

_ONE_DAY = Expression(
    r"今[天晚早夜儿日]|明[天晚早日]|后天|昨[天晚日]|前天|[早晚]上(?=先|就)|中午|这[一两几]?[周天次回顿趟把局杯口]|这个?(?:周|星期|礼拜)|"
    r"本周|下周|周末(?=[^,，]{0,2}(?:不|没))|一会儿?|待会|等下|暂时|临时|先不|先别|刚才|改天|今年先|最近先"
)
"""What limits a clause to a day, a week or a time."""


def of_one_day(text: str) -> bool:
    """Return whether a clause tells of a day or a time, and not of what lasts."""
    return _ONE_DAY.search(text) is not None


def whose(scene: Scene, head: str) -> Whose:
    """Return who does what is told after `head`, the clause up to its verb, by that and by the clause before it."""
    if _FIRST_PERSON.search(head):
        return "user"
    if _OTHERS.search(head):
        return "another"
    before = scene.before if scene.before in scene.clause.sentence else ""
    begins = _BEGINS.match(before)
    if begins is not None and begins["user"]:
        return "user"
    return "another" if _OTHERS.search(before) else "unsaid"


def of_the_user(head: str) -> bool:
    """Return whether what is told after `head` is told of the user: nobody and nothing else stands there."""
    begins = _BEGINS.match(head)
    rest = head[begins.end() :] if begins is not None else head
    return (begins is None or not begins["other"]) and _UNNAMED.match(rest) is not None


_VERBS = (
    r"喜欢|爱好?|想念|吃|喝|用|看|玩|听|抽|穿|养|学|练|打|跑|去|做|读|写|住|在|考|买|坐|开|上|戴|追|参加|干|骑|游|跳|唱|弹|"
    r"画|炒|订|约|办|弄|搞|管|减|交|修|当|做|怕|讨厌|信|带|续|租|记|需要|要|叫"
)
_DENIAL = Expression(
    rf"^{_LEADS}(?P<topic>[^不没戒]*?)(?P<ever>(?:已经|早|现在|以后|今后|从此|彻底|完全|真的|[也都就再给可]|是){{0,8}})"
    r"(?P<no>不再|再也不|不(?:怎么|太|打算|准备)?|没(?:有)?(?:再|打算|说过(?:我)?|在)|戒掉?)"
    r"(?P<what>[^,，。!！]*?)(?P<over>了|啦)?[啊哦吧呀嘛哈\s。!！~～]*$"
)
_VERB = Expression(_VERBS)
_TASTES = Expression(r"喜欢|爱好?|吃|喝|看|玩|听|用|穿|抽")
_LIKED = Expression(r"喜欢|喜爱|爱|偏好|偏爱|最|迷|粉|首选|习惯")
_DISLIKED = Expression(r"讨厌|反感|厌恶|怕|烦|受不了")
_REFUSED = Expression(r"不|没|别|戒|忌|禁")
_EDGES = Expression(rf"^(?:{_LEADS})(?:{_SELF}|{_OURS}|我家|把|那个|的)*|(?:{_SELF}|{_OURS}|[也都早就已的再,，\s])+$")
_CALLED_OFF = Expression(r"去|用|需要|要|做|办|弄|搞|管|看")
"""What one does of a task, whatever it is, that one does no more."""
_VERBS_OF = {
    "home": "住在", "employer": "在上班工作", "role": "在上班工作", "cat": "养", "dog": "养", "pet": "养",
    "phone": "用", "car": "开", "laptop": "用", "gym": "去", "education": "在读上学",
}  # fmt: skip
"""The verbs by which one speaks of a fact, which its value does not have."""


_DIET = Expression(r"吃[素斋]|素食|纯素|清真|忌口")


_CANNOT = Expression(rf"(?:{_VERBS}|[连充修买订学睡走跟])$")
"""打不开, 修不好: what cannot be done."""
_NOT_YET = Expression(r"还没|没(?:来得及|能|空|时间|顾上)")
"""Says that something is still to come, and not that it is over."""
_SINCE = Expression(r"^[了过]?(?:好?[0-9一二三四五六七八九十两半几]+多?个?(?:天|周|星期|月|年)多?)?")


class Denied(NamedTuple):
    """What a clause says that is no longer done.

    whose: who does it no more. ours: whether we do. topic: what stands before the verb. what: the verb and what is
    after it. surely: whether it says that this is for good.
    """

    whose: Whose
    ours: bool
    topic: str
    what: str
    surely: bool

    def is_of(self, text: str, *, task: bool = False) -> bool:
        """Return whether the denial names what a text tells, and nothing else."""
        known = _close(text)
        if self.topic not in known or not self._same_people(known) or self.what == "叫":
            return False
        if _DISLIKED.search(known) and not _DISLIKED.search(self.what):
            return False
        if _REFUSED.search(known):
            return False
        if len(self.what) > 1 and self.what in known and _VERB.fullmatch(self.what) is None:
            return True
        thing = self._thing(known, task=task)
        return thing is not None and thing in known and bool(self.topic or thing)

    def names_a_diet(self, text: str) -> bool:
        """Return whether what is denied is word for word how a text tells of eating: 吃素."""
        return _DIET.match(self.what) is not None and self.what in _close(text)

    def _thing(self, known: str, *, task: bool) -> str | None:
        """Return what is left after the verbs, None where one is no verb of the text."""
        rest = self.what
        while (verb := _VERB.match(rest)) is not None:
            by_taste = _TASTES.fullmatch(verb[0]) and _LIKED.search(known)
            if not (verb[0] in known or by_taste or (task and _CALLED_OFF.fullmatch(verb[0]))):
                return None
            rest = rest[verb.end() :]
        return rest if rest != self.what or not rest else None

    def _same_people(self, known: str) -> bool:
        named = set(_OTHERS.findall(known))
        return not named or not named.isdisjoint(_OTHERS.findall(self.topic + self.what))


def denied(scene: Scene) -> Denied | None:
    """Return what the clause says that is no longer done, None if it denies nothing or only for a time."""
    clause = scene.clause.text
    found = _DENIAL.match(clause)
    if found is None or of_one_day(clause) or _NOT_YET.search(clause):
        return None
    surely = found["no"] in ("不再", "再也不", "戒", "戒掉") or any(word in clause for word in _FOR_GOOD)
    if not (found["over"] or surely or found["no"].startswith("没") or "打算" in found["no"]):
        return None
    topic, what = _EDGES.sub("", found["topic"]), _close(found["what"])
    if _CANNOT.search(topic):
        return None
    if found["no"].startswith("戒"):
        what = _SINCE.sub("", what)
        topic, what = topic or what, "" if not topic else what
    ours = "我们" in clause or "咱们" in clause
    return Denied(whose(scene, found["topic"]), ours, _close(topic), what, surely)


_FOR_GOOD = ("再也", "早就", "已经", "现在", "以后", "今后", "从此", "彻底")


def ended(scene: Scene, denied: Denied) -> Iterator[MemoryItem | tuple[str, str]]:
    """Yield the items, and the facts (k, v) of the user, that a denial is of; nothing that is vital.

    What one does alone is not ended by what we do no more: 我们不吃火锅了 is of an evening.
    """
    if denied.whose == "another" and not _OTHERS.search(denied.topic):
        return
    if not denied.topic and not denied.what:
        yield from _given_up_before(scene)
        return
    found = list(_named(scene, denied)) if denied.topic or not _ANY_VERB.fullmatch(denied.what) else []
    yield from found
    if not found and denied.whose != "another" and _ANY_VERB.fullmatch(denied.what):
        yield from _plan_of(scene)


def _named(scene: Scene, denied: Denied) -> Iterator[MemoryItem | tuple[str, str]]:
    """Yield what a denial names by nothing but the words of what is known."""
    for item_type in ("preferences", "goals", "tasks", "knowledge", "decisions"):
        for item in scene.known.active(item_type):
            text = told(item)
            alone = item_type in ("preferences", "knowledge") and _FIRST_PERSON.search(text) and "们" not in text
            lasts = (denied.ours and alone) or (is_vital_item(item) and not denied.names_a_diet(text))
            if not lasts and denied.is_of(text, task=item_type == "tasks"):
                yield item
    for k, v in known_facts(scene.known):
        if not is_vital(k, v) and denied.is_of(f"{_VERBS_OF.get(k, '')}{v}"):
            yield k, v


def _plan_of(scene: Scene) -> Iterator[MemoryItem]:
    """Yield the plan that a denial drops which has few words but its verb, by the clauses around it: 太远，不去了."""
    if of_one_day(scene.clause.sentence):
        return
    places = (scene.clause.text, scene.clause.sentence, scene.before)
    plans = (spoken_of(scene, words, ("goals", "tasks", "decisions", "events")) for words in places)
    yield from [plan for plan in plans if plan is not None][:1]


def _given_up_before(scene: Scene) -> Iterator[MemoryItem | tuple[str, str]]:
    """Yield the habit that 早戒了 is of, by the clauses around it."""
    for words in (scene.clause.sentence, scene.before):
        habit = spoken_of(scene, words, ("preferences", "knowledge"))
        fact = fact_spoken_of(scene, words) if habit is None else None
        if habit is not None and not is_vital_item(habit):
            yield habit
            return
        if fact is not None and not is_vital(*fact):
            yield fact
            return


_ANY_VERB = Expression(rf"(?>{_VERBS}|搬|结|报|折腾|碰|沾)*")


def is_changed(match: re.Match[str], scene: Scene, text: str) -> bool:
    """Return whether what a match of a word of change speaks of is what a text tells.

    What stands before the word names it, by nothing else than the text's own words; where nothing does, the verb after
    it is the text's: 我现在喝茶 changes 我喜欢喝咖啡, and neither 我现在在店里 nor 我换了双鞋 does.
    """
    known = _close(text)
    head = _close(_EDGES.sub("", scene.clause.text[: match.start()]))
    if _OTHERS.search(head) and not set(_OTHERS.findall(head)) & set(_OTHERS.findall(known)):
        return False
    if head:
        return content_words(head) <= content_words(known) if content_words(head) else head in known
    verb = _VERB.match(_AFTER_CHANGE.sub("", scene.clause.text[match.start() :]))
    return verb is not None and (
        verb[0] in known or (_TASTES.fullmatch(verb[0]) is not None and _LIKED.search(known) is not None)
    )


_AFTER_CHANGE = Expression(r"^(?:[改换变]成?|现在|如今|往后|以后|今后|眼下|都|就|统一|已经|全|得|要)+")


def _close(text: str) -> str:
    return "".join(fold(text).lower().split())
