"""What the user asks in Chinese to have forgotten, 忘掉我的住址, which ends what it names and tells nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain_core.extract.chinese.recall import content_words, profile_fact, told
from brain_core.extract.chinese.script import fold
from brain_core.extract.chinese.vocabulary import RELATIVES
from brain_core.extract.known import denial, known_facts
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

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
    rf"^(?:(?:关于|有关)?我(?:们)?(?:之前|刚才|上次|以前)?(?:说|讲|提|告诉你)(?:过|了)?的?|(?:关于|有关)?我的?|{_MINE})+|的(?=[^的]{{0,3}}$)"
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
    words = _what(match)
    if not words:
        return
    found = list(_called(scene, words)) or list(_told_as(scene, words))
    yield from found


def _called(scene: Scene, words: str) -> Iterator[Found]:
    """Yield the denial of what is called by the words: 住址, 手机号."""
    names = {k for k, called in _NAMES.items() if re.fullmatch(called, words)}
    for k, v in known_facts(scene.known):
        about = len(words) > 1 and words in fold(v) and not names
        told_by_name = names and len(words) > 1 and fold(v).removeprefix("我的").startswith(words)
        if k in names or about or told_by_name:
            yield profile_fact(k, v, denies=True)
    for item in scene.known.active("knowledge"):
        if names and fold(told(item)).removeprefix("我的").startswith(words):
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
)
"""Before all others. It insists, since what asks to forget is skipped by all that tell; no judge passes it over."""
