"""Who says a message, as rules see it: what of the memory is theirs to speak of, and whose what they tell is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from smartbrain.v1.event_pb2 import Message, Turn

from brain_core.extract.known import Known
from brain_core.extract.sentences import sentences
from brain_core.extract.vital import is_vital
from brain_core.kinds.draft import Draft
from brain_core.text.expression import Expression


class Before(NamedTuple):
    """What stands before a message in its session, and the id of its turn."""

    message: Message
    turn_id: str


class Teller(Protocol):
    """Who says a message."""

    @property
    def with_people(self) -> bool:
        """Whether who answers them is a person, not an assistant."""

    @property
    def known(self) -> Known:
        """What of the memory is theirs to speak of: their own, and what was told for all who talk."""

    @property
    def own(self) -> Known:
        """What of the memory is their own: guesses change nothing else."""

    @property
    def points_in(self) -> str:
        """The session in which "it" may be what they have told; empty where another has told something since."""

    def just_before(self, message: Message) -> Message | None:
        """Return what stands before a message of theirs, in its turn or its session, where they have said that too."""

    def answered(self, message: Message) -> Before | None:
        """Return what stands before a message of theirs, where the assistant has said it."""

    def told(self, draft: Draft) -> Draft:
        """Return a draft that was read in the message as one of whom it is about."""


TellerOf = Callable[[Message], Teller]
SaidBefore = Callable[[Message], Before | None]
"""Returns what stands before a message in its session, whoever said it."""


def before_in(turn: Turn, message: Message) -> Before | None:
    """Return what stands before a message in its turn."""
    said = list(turn.events.messages)
    place = next((number for number, one in enumerate(said) if one is message or _is_same(one, message)), 0)
    return Before(said[place - 1], turn.turn_id) if place else None


def _is_same(one: Message, other: Message) -> bool:
    return bool(one.message_id) and one.message_id == other.message_id


def by_the_same(before: Before | None, message: Message) -> Message | None:
    """Return what stands before a message, where the same speaker said it."""
    last = None if before is None else before.message
    return last if last is not None and (last.role, last.speaker) == (message.role, message.speaker) else None


def by_the_assistant(before: Before | None) -> Before | None:
    """Return what stands before a message, where the assistant said it."""
    return before if before is not None and before.message.role == "assistant" else None


class Owner:
    """The one whose memory it is, where nobody else speaks: all that is known is theirs."""

    def __init__(self, known: Known, session: str, said_before: SaidBefore, *, with_people: bool = False) -> None:
        self.known = self.own = known
        self.with_people = with_people
        self.points_in = session
        self._said_before = said_before

    def just_before(self, message: Message) -> Message | None:
        """Return what stands before a message, where the owner said that too."""
        return by_the_same(self._said_before(message), message)

    def answered(self, message: Message) -> Before | None:
        """Return what stands before a message, where the assistant said it."""
        return by_the_assistant(self._said_before(message))

    def told(self, draft: Draft) -> Draft:
        """Return the draft."""
        return draft


_FIRST_PERSON = Expression(
    r"(?<![\w'’])(?:(?P<all>[Ww]e|WE|us|[Oo]urs?|[Oo]urselves|[Ll]et['’]?s|[Ll]et us)|"
    r"[Ii]|[Mm](?:e|y|ine|yself))(?!\w)|"
    r"(?P<together>我们|我們|咱们?|咱們|大家)|我|俺|本人"
)
"""English, then Chinese: those who talk together, or who speaks alone. US is a country."""


def is_told_together(text: str, start: int) -> bool:
    """Return whether the sentence at a place of a message is told for all who talk: "we decided …", 「我们…」.

    It is where it speaks of them before it speaks of the one who says it.
    """
    sentence = next((text[first:past] for first, past in sentences(text) if first <= start < past), text[start:])
    match = _FIRST_PERSON.search(sentence)
    return match is not None and match.lastgroup is not None


_SHARED_WORK = Expression(
    r"^(?:(?:i|we) )?(?:(?:have|need|got) to |must |should |will )?"
    r"(?:fix|merge|deploy|ship|release|review|refactor|implement|migrate|upgrade|"
    r"patch|debug|revert|roll back|rebase|benchmark|profile|monitor|test)(?:e?d|ing|s)? (?!my\b|me\b)|"
    r"(?:修复|修一?下?|修好|部署|上线|合并|发布|重构|实现|迁移|升级|回滚|调试|排查|评审|测试)[^,，]{0,8}?"
    r"(?:bug|BUG|缺陷|问题|接口|服务|页面|模块|功能|代码|分支|版本|数据库|脚本|系统|漏洞|流程|PR)",
    re.IGNORECASE,
)
"""Names work on a thing that all who talk share: that may be done by another than who has taken it on."""
_OF_A_THING = Expression(
    r"^(?:the|our) (?!kids?\b|child|bab(?:y|ies)\b|dog\b|cat\b|family\b|wife\b|husband\b)"
    r"(?!.*\b(?:i|i['’]\w+|me|my|mine)\b)[a-z]|"
    r"^(?:[我咱]们的?)?(?:[A-Za-z\u4e00-\u9fff]{0,4})"
    r"(?:服务器|服务|系统|网站|[后前]端|接口|数据库|端口|代码|仓库|项目|会议室|办公室|域名|版本|分支|环境)"
    r"(?!.*我(?!们))",
    re.IGNORECASE,
)


def is_shared_work(title: str) -> bool:
    """Return whether a task is work on a thing, 修登录bug, that another may finish: no errand of one's own."""
    return _SHARED_WORK.search(title) is not None


def is_of_a_thing(content: str) -> bool:
    """Return whether what is known tells of a thing that all who talk share: "The server runs on 8080"."""
    return _OF_A_THING.search(content) is not None and not is_vital("", content)
