"""Whether people talk with each other in a memory, or one with an assistant.

Nobody tells a friend what to remember, and what friends say is found among the messages anyway; so of their talk only
what is surely of its type becomes an item (`WorthPolicy.between_people`). Callers know the roles user and assistant
alone: of two people one is logged as the assistant. That one is told by what no assistant says: a life of one's own.
"""

from __future__ import annotations

import re

from smartbrain.v1.event_pb2 import Message, Turn

from brain_core.store.v1.records_pb2 import SpaceRecord
from brain_core.text.expression import Expression
from brain_core.text.language import has_han

_ENOUGH = 2
"""Messages that tell of a life: agents of the own worlds wrote one among a hundred at most, friends one in ten."""

_SHORT = 400
"""Characters of a message between people; longer ones are drafts and answers, which speak in anybody's name."""

_ENGLISH = Expression(
    r"\b(?:my|our) (?:own )?(?:wife|husband|partner|mum|mom|mother|dad|father|parents?|family|kids?|children|son|"
    r"daughter|brother|sister|aunt|uncle|cousin|gran\w*|boss|job|house|home|flat|apartment|garden|kitchen|car|bike|dog|"
    r"cat|mates?|class|office|birthday|trip|knee|back|hair|neighbou?rs?|girlfriend|boyfriend|fianc\w+)\b|"
    r"\b(?:i|we)(?:['’]ve| have)? (?:just |also |finally |actually |never |once |already |recently |really )?"
    r"(?:been (?:to|at|in|on|up|out|there|home|busy|sick|ill)\b|went|gone|was (?:at|in|on|talking|out)\b|bought|"
    r"got (?:a|an|my|the|home|back|up)\b|took (?:a|my|the) (?!look)|met|ate|cooked|moved (?:to|in|out|house)\b|grew|"
    r"visited|won|joined|slept|walked|ran (?!into|the)|watched|spent|woke|cried)\b",
    re.IGNORECASE,
)
_CHINESE = Expression(
    r"(?<![叫给])我的?(?:妈|爸|老公|老婆|媳妇|老伴|儿子|女儿|闺女|孩子|弟|哥|姐|妹|奶奶|爷爷|外婆|外公|同事|老板|领导|"
    r"室友|邻居|对象|男朋友|女朋友|们?家|们公司|们单位|小时候|年轻)|"
    r"我(?:也|还|就|都|又|今天|昨天|昨晚|前天|上周|上礼拜|去年|刚|刚刚|刚才|正|在){0,4}"
    r"(?:去了|去过|买了|吃了|吃过|睡|哭|搬家|搬到|回家|到家|在家|上班|下班|加班|出差|请假|住)"
)


def note_who_answers(space: SpaceRecord, turn: Turn) -> None:
    """Count in the space the messages of a turn in which who answers tells of a life."""
    if space.own_lives < _ENOUGH:
        told = sum(map(_tells_of_own_life, turn.events.messages))
        space.own_lives = min(_ENOUGH, space.own_lives + told)


def between_people(space: SpaceRecord) -> bool:
    """Return whether who answers in a memory is a person."""
    return space.own_lives >= _ENOUGH


def _tells_of_own_life(message: Message) -> bool:
    if message.role != "assistant" or message.speaker.casefold() == message.role or len(message.content) > _SHORT:
        return False
    tells = _CHINESE if has_han(message.content) else _ENGLISH
    return tells.search(message.content) is not None
