"""What the user asks in Chinese to have forgotten, 忘掉我的住址, 忘了小白吧: it ends that, and tells nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain_core.extract.chinese.called import told_of
from brain_core.extract.chinese.recall import content_words, profile_fact, told
from brain_core.extract.chinese.vocabulary import RELATIVES
from brain_core.extract.known import denial, known_facts
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.taken_back import NOBODY_KNOWN, NOT_KNOWN, taken_back
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_ASKING = (
    r"^\s*(?:好的?|嗯|对了|那|算了|请|麻烦|拜托|帮我?|给我|替我|你|您|可以|可不可以|能不能|能|以后|现在|还是|先|就|也|都|再|全部|彻底|"
    r"从(?:你的?)?(?:记忆|记录|脑子|备忘)[里中]?|[,，、\s])*"
)
_OUT = r"(?:从(?:你的?)?(?:记忆|记录|脑子|备忘)[里中]?)?(?:全部|全都|彻底|都|也|给我|给)*"
_FORGET = r"忘(?:掉|记|了)"
_ERASE = r"(?:删(?:掉|除|了|去)|清(?:除|掉|了)|抹(?:掉|去|除)|移除|去掉)"
_UNLEARN = r"(?:别|不要|不用|不必|不许)(?:再)?(?:记(?:住|着|得|录)?|保存|存)"
_MINE = r"(?:(?:关于|有关)?我|那[个条件]|这[个条件]|刚才|之前|所有)"
FORGET = Expression(
    rf"{_ASKING}(?:把(?P<what>[^,，。!！]{{1,30}}?){_OUT}(?:{_FORGET}|{_ERASE})|"
    rf"(?:{_FORGET}|{_ERASE}|{_UNLEARN})(?P<what2>{_MINE}[^,，。!！]{{1,40}}))[^我]{{0,4}}$"
)
"""Asks to forget what is named as the user's; 忘了带伞 and 别忘了 ask nothing, and of work there is much to delete."""

_OPENS = Expression(
    r"^(?:(?:关于|有关)?我(?:们)?(?:之前|刚才|上次|以前)?(?:说|讲|提|告诉你)(?:过|了)?的?|(?:关于|有关)?我的?|那[个条件]|这[个条件]|刚才|之前|所有)+|的(?=[^的]{0,3}$)"
)
_CLOSES = Expression(
    r"(?:的?(?:那|这)(?:一)?(?:件|个|条)?)?(?:事(?:情|儿)?|信息|记录|资料|内容|话|要求|偏好|习惯|说法|相关)?(?:吧|了|啊|哈|好吗|好不好|可以吗)*$"
)
_NAMES = {
    "home": "(?:家庭)?(?:住址|地址)|住(?:在)?(?:哪里?|哪儿|的地方)|家在哪里?",
    "name": "名字|姓名|真名",
    "birthday": "生日|出生日期",
    "age": "年龄|年纪|岁数",
    "employer": "公司|单位|雇主|工作单位|在哪(?:里|儿)?(?:上班|工作)|工作",
    "workplace": "工作地点",
    "role": "职业|职位|工作",
    "phone_number": "手机号码?|电话号码?|电话|联系方式",
    "email": "邮箱|邮件地址",
    "origin": "老家|籍贯|家乡",
    "cat": "猫|宠物",
    "dog": "狗|宠物",
    "pet": "宠物",
    "car": "车",
    "phone": "手机|手机型号",
    "height": "身高",
    "weight": "体重",
    "income": "工资|收入|薪[水资]|月薪|年薪",
    "education": "学历|学校|专业",
    "marital_status": "婚姻状况|婚姻",
    **{k: f"(?:{words})(?:的名字)?" for k, words in RELATIVES.items()},
}
"""What the facts of a profile are called where they are named and not told."""


_EVERYTHING = Expression(
    r"(?:所有|一切|全部)?(?:关于|有关)?(?:我|我们)(?:自己|个人)?(?:的)?"
    r"(?:一切|所有|全部|事情?|情况|信息|个人信息|资料|数据|隐私|记忆|记录|东西|的|都|全)*"
)
_ABOUT_ME = Expression(r"^(?:所有|一切|全部)?(?:关于|有关)我|(?:一切|所有|全部|信息|资料|数据|隐私|记忆)")
_OF_FOOD = Expression(r"吃|素|荤|忌口|口味|清真|diet")
_OF_HEALTH = Expression(r"过敏|不耐受|糖尿病|哮喘|癫痫|高血压|怀孕|孕妇|胰岛素|药|病")
_MATTERS = (
    (Expression(r"饮食|吃的?(?:东西|喜好)?|口味|忌口|吃什么|膳食"), ("preferences",), _OF_FOOD),
    (Expression(r"健康(?:状况|情况)?|身体(?:状况|情况)?|病史|病情"), ("preferences", "knowledge"), _OF_HEALTH),
)
"""What is kept under no name of its own: how the matter is called, of which types it is, and what tells of it."""


def _of_everything(match: re.Match[str], scene: Scene) -> Iterator[Found]:
    """Yield the denial of all that is about the user: not of what everybody shares, nor of what is of work."""
    words = (match["what"] or match["what2"]).strip()
    if not (_EVERYTHING.fullmatch(words) and _ABOUT_ME.search(words)):
        return
    own = scene.known if scene.own is None else scene.own
    for name in ("preferences", "goals", "events"):
        yield from (Found(denial(item), type=name, denies=True) for item in own.active(name))
    for item in own.active("knowledge"):
        if "我" in told(item):
            yield Found(denial(item), type="knowledge", denies=True)
    yield from (profile_fact(k, v, denies=True) for k, v in known_facts(own))


def _of_matter(scene: Scene, words: str) -> Iterator[Found]:
    """Yield the denial of what is kept of a matter: 饮食习惯."""
    for called, types, telling in _MATTERS:
        if not called.fullmatch(words):
            continue
        for name in types:
            for item in scene.known.active(name):
                allergy = telling is not _OF_HEALTH and "过敏" in told(item)
                if telling.search(f"{item.key} {told(item)}") and not allergy:
                    yield Found(denial(item), type=name, denies=True)
        for k, v in known_facts(scene.known):
            if telling is _OF_HEALTH and k.startswith(("health", "medicine", "allergy")):
                yield profile_fact(k, v, denies=True)


def _by_name(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 忘了小白吧 of somebody who is known by that name: all that is told of them."""
    name = match["name"] or match["name2"]
    found = list(told_of(scene, name))
    if not found and _ALL_OF.search(match[0]):
        found = list(_called(scene, name))
    if found or match["sure"]:
        yield from found or [Found({}, unmet=NOBODY_KNOWN)]


_ALL_OF = Expression(r"关于|有关|一切|所有")
_NAME = r"[\u4e00-\u9fff]{1,4}?|[A-Z][A-Za-z]{1,15}"
BY_NAME = Expression(
    rf"{_ASKING}(?:(?:{_FORGET}|把(?=[^,，]{{1,6}}{_FORGET}))(?:关于|有关)?(?P<name>{_NAME})(?:的(?:一切|事情?|所有(?:事情?)?))?"
    rf"(?:{_OUT}{_FORGET})?(?P<sure>吧|好了|算了)?|"
    rf"{_ERASE}(?:关于|有关)(?P<name2>{_NAME})的(?:一切|所有|全部)?(?:事情?|信息|记录|记忆|内容)?(?:吧)?)[。!！~～\s]*$"
)


def _taken_back(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read 不对，我说错了 of what was said just before."""
    if _TAKES_BACK.fullmatch(scene.clause.sentence) is not None:
        yield from taken_back(scene)


_TAKES_BACK = Expression(
    r"\s*(?:(?:不对|不是|等等|等下|哎|啊|哦|呃|抱歉|不好意思|对不起|算了)[啊呀哦,，。!！\s]*+)*"
    r"(?:(?:我)?(?:刚才?|刚刚)?(?:的)?(?:说|讲|记|写|打|弄|搞)错了?|(?:就)?当我(?:刚才?)?(?:没|没有)说过?|"
    r"(?:我)?(?:刚才?|刚刚|上一?句)(?:说的|的话|那句话?|那条|的)*(?:不算数?|作废|收回|撤回|不对|错了|是错的|忘了吧|忘掉吧?|别管|划掉)|"
    r"(?:我)?(?:收回|撤回|划掉|忽略)(?:我)?(?:刚才?|刚刚|上一?句|上面)(?:说的|的)?(?:那句)?(?:话)?)"
    r"(?:[吧了啊哈哦,，。!！~～\s]|抱歉|不好意思|我说错了|说错了|当我没说)*"
)


def is_request(clause: str) -> bool:
    """Return whether a folded clause asks to forget something."""
    return _what(FORGET.match(clause)) != ""


def _what(match: re.Match[str] | None) -> str:
    """Return what is to be forgotten without the words around it, empty for what is not known to be the user's."""
    if match is None:
        return ""
    words = match["what"] or match["what2"]
    if match["what2"] is None and not re.match(_MINE, words) and "记忆" not in match[0]:
        return ""
    return _CLOSES.sub("", _OPENS.sub("", words)).strip()


def _forgotten(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    everything = list(_of_everything(match, scene))
    words = _what(match)
    if everything or not words:
        yield from everything
        return
    found = list(_called(scene, words)) or list(_of_matter(scene, words)) or list(_told_as(scene, words))
    yield from found or [Found({}, unmet=NOT_KNOWN)]


_MY = Expression(r"^(?:我们?|咱们?|我家)的?")


def _called(scene: Scene, words: str) -> Iterator[Found]:
    """Yield the denial of what is called by the words: 住址, 手机号."""
    names = {k for k, called in _NAMES.items() if re.fullmatch(called, words)}
    for k, v in known_facts(scene.known):
        about = len(words) > 1 and words in fold(v) and not names
        told_by_name = names and len(words) > 1 and fold(v).removeprefix("我的").startswith(words)
        if k in names or about or told_by_name:
            yield profile_fact(k, v, denies=True)
    for item in scene.known.active("knowledge"):
        said = fold(told(item))
        if (said.removeprefix("我的") if names else _MY.sub("", said)).startswith(words) and (names or len(words) > 1):
            yield Found(denial(item), type="knowledge", denies=True)


def _told_as(scene: Scene, words: str) -> Iterator[Found]:
    """Yield the denial of the only thing that is told by nothing but the words: 我喜欢喝咖啡."""
    wanted = content_words(words)
    if not wanted:
        return
    items = [
        item
        for name in ("preferences", "knowledge", "goals", "decisions", "tasks", "events")
        for item in scene.known.active(name)
        if wanted <= content_words(told(item))
    ]
    if len(items) > 1:
        items = [item for item in items if content_words(told(item)) == wanted]
    if len(items) == 1:
        yield Found(denial(items[0]), type=items[0].type, denies=True)
    facts = [(k, v) for k, v in known_facts(scene.known) if wanted <= content_words(v)]
    if not items and len(facts) == 1:
        yield profile_fact(*facts[0], denies=True)


FORGETTING: tuple[Rule, ...] = (
    Rule("denial_forget", "profile", "忘 删 清 抹 移 记", FORGET, _forgotten, insists=True, vital=True),
    Rule("denial_by_name", "profile", "忘 删 清 抹 移", BY_NAME, _by_name, insists=True, vital=True),
    Rule("take_back", "", "错 没 收 撤 废 划 算 忘 忽 对 管", Expression(r"^"), _taken_back, insists=True, vital=True),
)
"""Before all others. It insists, since what asks to forget is skipped by all that tell; no judge passes it over."""
