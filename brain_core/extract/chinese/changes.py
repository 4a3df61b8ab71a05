"""What is known and no longer holds, or holds in another way, told in Chinese in whatever words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.alike import DOING_NOW
from brain_core.extract.chinese.clauses import each, rest_of_sentence, written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.forgetting import is_request
from brain_core.extract.chinese.jobs import JOBS
from brain_core.extract.chinese.lists import is_to_do
from brain_core.extract.chinese.recall import (
    content_words,
    fact_spoken_of,
    newest,
    own,
    profile_fact,
    spoken_of,
    told,
)
from brain_core.extract.chinese.target import is_changed, of_one_day, of_the_user, whose
from brain_core.extract.chinese.vocabulary import RELATIVE, content_slug
from brain_core.extract.known import FIELDS, denial, known_facts, on_day, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.replaced import with_value
from brain_core.extract.vital import is_vital, is_vital_item
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_POINTING = Expression(
    r"当我没说|[那这刚上之前][^,，]{0,4}[条句个项点件](?=$|[,，。!！了吧就也都已早别不算忘删忽取作收撤划抹清]|要求|规[矩则]|习惯|计划|"
    r"安排|事|话|约定|设定|偏好|条件|记[录忆]|信息|指令|说法|内容|任务|目标|决定|提醒|闹钟|推送|通知)[^,，]{0,6}|刚才(?:说|那)|之前(?:说|那|让你)|前面(?:说|那)|"
    r"上[面次](?:说|那)|"
    r"我(?:说|讲)的|那(?:规矩|要求|习惯|计划|安排|事|茬|话)"
)


def _taken_back(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    clause, sentence = scene.clause.text, scene.clause.sentence
    if is_to_do(clause):
        return
    if is_request(clause) or _FORGOTTEN.search(clause) or (_LEFT_ALONE.match(match[0]) and _ONCE.search(sentence)):
        return
    for words in (clause, sentence, scene.before):
        item = spoken_of(scene, words)
        fact = fact_spoken_of(scene, words) if item is None else None
        vital = is_vital_item(item) if item is not None else fact is not None and is_vital(*fact)
        if vital and not is_vital("", words) and not _POINTING.search(clause):
            return  # whose it is was named, and not what
        if _CALLED_OFF.match(match[0]) and _is_something_else(clause[: match.start()], item, fact):
            return
        one = _ONE_OF_SEVERAL.search(clause[: match.start()]) if _CALLED_OFF.match(match[0]) else None
        if item is not None:
            yield from [Found(denial(item), type=item.type, denies=True)] if one is None else _without(item, one)
            return
        if fact is not None:
            yield profile_fact(*fact, denies=True)
            return
    if _POINTING.search(clause) and (last := newest(scene)) is not None:
        yield Found(denial(last), type=last.type, denies=True)


_A_WEEKDAY = Expression(r"(?:周|星期|礼拜)[一二三四五六日天末]")
_ONE_OF_SEVERAL = Expression(
    r"(?P<once>[这下本])?个?(?:周|星期|礼拜)(?P<day>[一二三四五六日天末])(?:的)?(?:那|这)?[节次场堂天班晚]?(?=[^,，]{0,3}$)"
)
"""The day that is called off of what is on several: 游泳课周五那节取消了."""


_SEVERAL = 2


def _without(item: MemoryItem, one: re.Match[str]) -> Iterable[Found]:
    """Yield what is on several days of the week without one of them; nothing where it is off just once."""
    value, field = value_of(item), FIELDS[item.type]
    if len(_A_WEEKDAY.findall(told(item))) < _SEVERAL:
        yield Found(denial(item), type=item.type, denies=True)
        return
    left = re.sub(rf"[、和跟与及]?(?:周|星期|礼拜){one['day']}(?![0-9])", "", str(value[field]), count=1)
    if not one["once"] and left != value[field]:
        yield Found({**own(value), field: left}, type=item.type)


def _is_something_else(head: str, item: MemoryItem | None, fact: tuple[str, str] | None) -> bool:
    """Return whether what is called off is a matter of somebody or something known, and not that: 小雨的聚会取消了."""
    known = content_words(told(item) if item is not None else "".join(fact or ()))
    matter = head.rpartition("的")[2]
    if fact is not None:
        return not content_words(head) <= known or _SOMEBODY.search(f"{fact[0]} {fact[1]}") is not None
    return matter != head and bool(content_words(matter)) and content_words(matter).isdisjoint(known)


_CALLED_OFF = Expression(r"取消|撤|泡汤|黄了|免了|拉倒|作罢")
"""What becomes of meetings, flights and parties, and not of whoever or whatever they are with."""
_SOMEBODY = Expression(rf"^(?:name|partner|wife|husband|cat|dog|pet|home|employer|friend)|{RELATIVE}|朋友|同[事学]")

_FORGOTTEN = Expression(
    r"(?:我|[他她])(?!说|讲|提)[^,，]{0,12}忘(?:掉|了|记)|(?:想|恨不得|巴不得|恨不能|要是能)[^,，你您]{0,6}忘(?:掉|了|记)"
)
"""What slipped somebody's mind, or should: nothing that is to be forgotten here."""

_LEFT_ALONE = Expression(r"(?:别|不用|不必)(?:再)?(?:管|考虑|照|守|遵守|提|惦记)|忽略")
_ONCE = Expression(
    r"这[道份个顿次回趟桌款锅](?!要求|规[矩则]|习惯|计划|事|任务|目标|决定|设定|偏好|条件)|今[天晚早]|给[^我,，]{1,6}(?:做|吃|买|用|订|准备)的"
)
"""What is left alone just once, or for somebody else, still holds: 这道菜不用管我对坚果过敏."""

_TAKEN_BACK = Rule(
    "denial_taken_back", "preferences", each("废算罢说收忘删撤放免倒泡黄忽略消划抹玩吹逗清掉弃当没不过别戒分掰走"),
    Expression(
        r"作废|作罢|不算(?:数|了)|算了|不成立|不作数|当我没(?:说|提|讲)|我收回|收回(?:前面|之前|刚才|那|这)|"
        r"放弃了?(?!治)|"
        r"忽略(?:掉|它|那|之前|我|吧|刚)|免了|拉倒|泡汤|黄了|取消(?!订|关)|撤(?:了|回|销|掉)|删(?:了|掉|除|去)|"
        r"划掉|抹掉|"
        r"清掉|把那[^,，]{1,12}去掉(?:吧|$)|(?:掰|散|吹)了(?=[,，。!！]|$)|"
        r"别(?:再)?(?:记|管|提|惦记|当真)|不用(?:再)?(?:记|管|提|惦记|考虑|遵守|照)|不必(?:再)?(?:记|"
        r"管|照|守)|"
        r"(?<![别点儿都就给我不])忘(?:掉|了)(?=吧|它|这|那|就|$|[,，。!！]|.{1,12}(?:那|这|要求|规矩|事|话))|吹牛|逗你|开玩笑|骗你|瞎说|"
        r"(?:那|这)[^,，]{0,8}(?:不要了|不用了|没有了|过期了|失效了|不存在了|不管用了)|"
        r"(?:提醒|闹钟|推送|通知)(?:[^,，]{0,3})(?:关|停)(?:掉|了|闭)"
    ),
    _taken_back,
)  # fmt: skip

_GONE_BY = Expression(
    r"[?？吗]\s*$|怎么|要不要|能不能|如果|帮我(?:改|换|调)(?:一下|下)|"
    r"提议|[提想寻思虑]过(?:要|把)|没(?:有)?通过|(?:没|不)同意|[没未]动(?!静)|仅此一次|就这一次|只此一次|破例"
)
"""What only asks, or was thought of and not done, or is once."""


def _revised(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    clause, sentence = scene.clause.text, scene.clause.sentence
    if (
        is_to_do(clause)
        or _GONE_BY.search(sentence)
        or _PASSING.search(clause)
        or _OF_OTHERS.match(clause)
        or _OF_OTHERS.match(sentence)
    ):
        return
    content, span = rest_of_sentence(scene, 0)
    item = spoken_of(scene, clause, least=0.3) or spoken_of(scene, sentence, least=0.3)
    if item is None or item.type == "tasks" or is_vital_item(item):
        return
    if item.type != "events" and (of_one_day(sentence) or not is_changed(match, scene, told(item))):
        return
    value = value_of(item)
    day = first_day(sentence, scene.said)
    kept = {**own(value), FIELDS[item.type]: content}
    if item.type == "events":
        if day is None or not day.exact:
            return
        kept = on_day("events", kept, day)
        if kept["date"] != value.get("date"):
            yield Found(denial(item), type="events", denies=True)
    name = _NAMING[item.type]
    old = set(_VALUES.findall(str(value[name]))) - set(_VALUES.findall(sentence))
    if item.type != "events" and (old or set(str(value[name])) - set(sentence.lower())):
        yield Found(denial(item), type=item.type, denies=True)
        kept[name] = content_slug(clause)
    yield Found(kept, type=item.type, span=span)


_PASSING = Expression(
    r"(?:今天|昨天|刚才|刚刚|昨晚|早上|上午|下午|过来|帮)[^,，]{0,6}(?:换|修|改|装)了?[个把条台盏块张扇]|"
    r"(?:现在|正)在[^,，]{1,8}" + DOING_NOW + r"|现在(?:正?在|正)开[^,，]{0,3}会"
)
"""What somebody does just now, or has done once."""
_OF_OTHERS = Expression(r"[^我咱]{0,6}(?:司机|邻居|同学|店员|服务员|网友|别人|人家|路人|隔壁)")
_VALUES = Expression(r"[0-9]+|周[一二三四五六日天]|[一二三四五六七八九十]+[点号月日]")
_NAMING = {"preferences": "name", "knowledge": "slug", "goals": "name", "decisions": "topic", "events": "slug"}
"""The field of each type that is its key: it stays unless the old value is a part of it."""


_REVISED = Rule(
    "correction_revised", "knowledge", each("改换变挪调搬升涨降延提推错记现往如今砍追缩不更"),
    Expression(
        r"(?:改|换|变|挪|调整?(?!用)|搬|移|升|涨|降|延|推迟|提前|顺延|缩|扩|增|减|砍|追加|往后推|往前提)(?:期|时间|日子|"
        r"地方|地点|成|为|到|至|回|用|去|了|在|写|叫|走|吃|喝)|"
        r"(?:说|记|写|搞|弄|看|打|讲|算)(?:错|岔|混|反|串)了?|更正|纠正|更新一下|(?:现在|如今|往后|以后|今后|"
        r"眼下)(?:都|就|统一|已经|全|得|要)?(?:是|在|用|叫|归|走|吃|喝|周|每|按)|"
        r"不是[^,，]{1,16}[,，]?\s*(?:是|而是|应该)"
    ),
    _revised,
)  # fmt: skip


def _settled_anew(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 搬家了,现在在丰台; 从美团离职了,现在在滴滴."""
    if scene.before not in scene.clause.sentence:
        return
    k = next((name for name, sign in _LEFT if _left_by_the_user(sign, scene.before)), "")
    if k:
        yield profile_fact(k, written(scene, *match.span("v")))


def _left_by_the_user(sign: Expression, told: str) -> bool:
    found = sign.search(told)
    return found is not None and of_the_user(told[: found.start()])


def _promoted(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我升职了,现在是技术经理 of who has told a role."""
    promoted = _PROMOTED.search(scene.before) if scene.before in scene.clause.sentence else None
    known = any(k == "role" for k, _ in known_facts(scene.known))
    if known and promoted is not None and of_the_user(scene.before[: promoted.start()]):
        yield profile_fact("role", written(scene, *match.span("v")))


_PROMOTED = Expression(r"升职|晋升|升了|转岗|调岗|转行")
_NEW_ROLE = Rule(
    "correction_role", "profile", each("是当做"),
    Expression(
        rf"^\s*(?:现在|如今|目前)(?:是|当|做)(?:个|一名|了)?(?P<v>[^,，。]{{0,8}}?{JOBS})(?:了|啦)?\s*$"
    ),
    _promoted,
    vital=True,
)  # fmt: skip

_LEFT = (
    ("home", Expression(r"搬|退租|换房|换了?(?:个)?(?:城市|地方)")),
    ("employer", Expression(r"离职|跳槽|辞|换工作|被裁|换了?(?:家|个)?(?:公司|单位|东家)|离开")),
)
_ANEW = Rule(
    "correction_anew", "profile", each("在去住到"),
    Expression(r"^\s*(?:现在|如今|目前|眼下|人)*(?:在|去了?|住在?|到了?|搬到了?)(?P<v>(?!家|这|那|找|看|想|等|"
               r"准备)[^,，。]{2,12}?)(?:了|上班|工作|住)?\s*$"),
    _settled_anew,
)  # fmt: skip


def _misspelt(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 打错字了,是张玮: the known fact that shares a character has the new value."""
    new = written(scene, *match.span("v"))
    for k, v in known_facts(scene.known):
        if v != new and len(v) <= len(new) + 2 and set(fold(v)) & set(match["v"]):
            yield profile_fact(k, new)
            return


_MISSPELT = Rule(
    "correction_misspelt", "profile", each("错对正"),
    Expression(r"(?:[打写记说搞念叫弄]错(?:了?字|名字)?了?|不对|更正|纠正)(?:一下)?[,，:：]\s*(?:应该|其实|"
               r"我)*(?:是|叫)(?P<v>[\u4e00-\u9fff]{1,4}岁?)(?=[,，。!！]|$)"),
    _misspelt,
)  # fmt: skip


def _swapped(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what is used from now on in the place of what is known to be: 不用 Redux 了，用 Zustand."""
    old, sentence = match["old"].strip(), scene.clause.sentence
    follows = _FROM_NOW.match(sentence, max(sentence.find(match[0]), 0) + len(match[0]))
    item = spoken_of(scene, scene.clause.text, least=0.3)
    if follows is None or item is None or item.type not in _NAMING or is_vital_item(item):
        return
    if old.lower() in str(value_of(item)[FIELDS[item.type]]).lower():
        span = (match.start(), follows.end("new") - max(sentence.find(scene.clause.text), 0))
        yield from with_value(item, None, old, follows["new"].strip(), content_slug, span)


_FROM_NOW = Expression(
    r"\s*+了?\s*+[,，]\s*+(?:我们?|咱们?|以后|直接|就|都|改成?|换成?)*(?:用|成)(?P<new>[^,，。;；!！?？]{1,20}?)"
    r"(?:了|吧)?(?=[,，。;；!！]|\s*$)"
)
_SWAPPED = Rule(
    "swapped", "knowledge", each("用"),
    Expression(r"^(?:我们?|咱们?|以后|现在|还是|决定|就)*不(?:再)?用(?P<old>[^,，。了]{2,20}?)(?=\s*了?\s*$)"),
    _swapped,
)  # fmt: skip


def _fell_through(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 创意园的事先放一放，没谈拢 of what is known: it is off where talks failed, and in doubt where it waits."""
    sentence = scene.clause.sentence
    head = scene.clause.text[: match.start()]
    if is_to_do(scene.clause.text) or _UNSETTLED.search(sentence) or whose(scene, head) == "another":
        return
    named = head if content_words(head) else scene.before if scene.before in sentence else ""
    item = spoken_of(scene, named, ("goals", "decisions", "events", "knowledge"), least=0.2) if named else None
    if item is None or is_vital_item(item) or item.source_message_id == scene.message_id:
        return
    if match["waits"] and _FAILED.search(sentence) is None:
        yield Found(denial(item), type=item.type, denies=True, doubts=True, weak=True)
    else:
        yield Found(denial(item), type=item.type, denies=True)


_UNSETTLED = Expression(
    r"[?？吗]|如果|要是|假如|万一|可能|也许|好像|差点|怕|担心|听说|是不是|会不会|这[次会儿]|今[天晚]"
)
_FAILED = Expression(
    r"没(?:有)?(?:谈|聊|商量)(?:拢|成|妥|下来)|谈(?:崩|黄|掰|吹)了?|没(?:有)?(?:批|通过|成)(?=$|[,，。!！了])|不了了之"
)
_FELL_THROUGH = Rule(
    "denial_fell_through", "knowledge", each("放谈聊商搁缓批通成之"),
    Expression(
        r"(?P<waits>(?:先|暂时|只好|只能|就)+(?:放一?放|搁(?:着|一?搁|置)|缓一?缓|不(?:考虑|急|谈|提))|(?:暂时)?搁置|暂缓|搁浅)(?:吧|了|着)*\s*$|"
        + _FAILED.pattern + r"(?:了|呢)*\s*$"
    ),
    _fell_through, vital=True,
)  # fmt: skip

SWAPS: tuple[Rule, ...] = (_SWAPPED,)
"""Before the denials: what takes the place of the old value is told in the next breath."""
CHANGES: tuple[Rule, ...] = (_ANEW, _NEW_ROLE, _MISSPELT, _FELL_THROUGH, _TAKEN_BACK, _REVISED)
"""After the corrections that say more, before all that may read the same words as something new."""
