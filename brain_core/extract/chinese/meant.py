"""A bare word in the place of the part of a task that it is like: 给水管工打电话 … 我是说电工."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, tidy, written
from brain_core.extract.chinese.vocabulary import RELATIVE
from brain_core.extract.known import value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def _meant(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我是说电工 as the like part of the one task of the session that was told last and has one."""
    new = tidy(written(scene, match.start("new"), match.end("new")))
    told = [item for item in scene.known.active("tasks") if item.session_id == scene.session]
    last = max((item.updated_at.ToMicroseconds() for item in told), default=0)
    fitting = []
    for item in told:
        title = str(value_of(item)["title"])
        parts = [part for part in _PART.finditer(fold(title)) if _is_person(part[0]) == _is_person(new)]
        if item.updated_at.ToMicroseconds() == last and len(parts) == 1 and parts[0][0] != fold(new):
            fitting.append((item, title[: parts[0].start()] + new + title[parts[0].end() :]))
    if len(fitting) == 1:
        item, title = fitting[0]
        fields = {name: part for name, part in value_of(item).items() if isinstance(part, str)}
        yield Found({**fields, "title": title}, type="tasks")


def _is_person(text: str) -> bool:
    return _PERSON.search(text) is not None


_PERSON = Expression(
    rf"{RELATIVE}|[小老阿][\u4e00-\u9fff]$|[工师生长员姐哥总]$|老板|领导|同事|朋友|中介|房东|物业|客户"
)
_PART = Expression(
    r"(?<=[给跟找帮向约替])[^,，。给跟]{1,6}?(?=打电话|打个|发|寄|送|说|谈|开会|聊|买|修|$)|"
    r"(?<=[买取订寄拿带接喂洗])(?![好完点一上下个了])[^,，。和跟、的给]{1,6}$"
)
"""Of a task: whom it is done with or for, what it is done to."""
MEANT = Rule(
    "correction_meant", "tasks", each("说指思"),
    Expression(
        r"^(?:(?:不对|不是|等等|等下|哎|啊|哦|呃|错了|说错了)[,，!！\s]*)*我(?:是说|说的是|指的是|的意思是)[,，:：\s]*"
        r"(?P<new>(?![你我他她它这那要想得不是把给去])[^,，。!！?？了吗呢]{1,6})[。.!！~\s]*$"
    ),
    _meant,
)  # fmt: skip
