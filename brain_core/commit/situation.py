"""Whether people talk with each other in a memory, or one with an assistant.

Nobody tells a friend what to remember, and what friends say is found among the messages anyway; so of their talk only
what is surely of its type becomes an item (`WorthPolicy.between_people`). Callers know the roles user and assistant
alone: of two people one is logged as the assistant. That one is known by what no assistant has, a life: "my knee" from
them, "your knee" from the other.
"""

from __future__ import annotations

import re

from smartbrain.v1.event_pb2 import Message, Turn

from brain_core.extract.masks import masked, masks
from brain_core.store.v1.records_pb2 import SpaceRecord
from brain_core.text.expression import Expression
from brain_core.text.language import has_han

_LATELY = 60
"""Turns for which a message that tells of a life counts: of friends in the own worlds it is one message in twelve, of
agents and their users next to none."""

_SHORT = 400
"""Characters of a message between people; longer ones are drafts and answers, which speak in anybody's name."""

_WHICH = r"(?:(?:own|old|new|left|right|little|older|younger|big|best|first) )?"
_BODY_AND_KIN = (
    r"wife|husband|mum|mom|mummy|mother|dad|father|parents|kids?|baby|son|daughter|brother|sister|aunt\w*|uncle|cousin|"
    r"nephew|niece|gran\w*|in-laws|girlfriend|boyfriend|fianc\w+|landlord|dogs?|cats?|puppy|knee|hip|leg|stomach"
)
_OF_A_LIFE = (
    rf"{_WHICH}(?:{_BODY_AND_KIN}|partner|family|child(?:ren)?|boss|colleagues?|job|flat|apartment|garden|kitchen|"
    r"bedroom|bed|car|van|bike|pets?|mates?|birthday|wedding|trip|holiday|back|foot|feet|hair|head|neighbou?rs?|school|"
    r"childhood|hometown|weekend|surgery|doctor)\b"
)
_PEOPLE = (
    r"妈|爸|老公|老婆|媳妇|老伴|儿子|女儿|闺女|孩子|弟弟|哥|姐|妹|奶奶|爷爷|外婆|外公|同事|老板|领导|室友|邻居|男朋友|"
    r"女朋友|男友|女友|们公司|们单位|小时候"
)
_OWN = {
    "en": Expression(
        rf"\bmy {_OF_A_LIFE}|"
        r"\b(?:i|we)(?:['’]ve)? (?:just |also |finally |actually |never |once |already |recently |really |even )?"
        r"(?:been (?:to|in|on|up|out|there|home|busy|sick|ill)\b|went (?!through|with|over|ahead|back)|"
        r"was (?:at|in|talking|out|so|only|going|there|up)\b|bought|met\b|ate|cooked|moved (?:to|in|out|house)\b|"
        r"grew up|visited|won\b|joined|slept|walked (?!you|through)|swam|watched|woke|cried|rang|drove|"
        r"burnt|laughed)\b|"
        r"\b(?:i|we) (?:just |also |finally |recently )?(?:tried|took (?!note|the liberty|a look)|made (?!a note|sure)|"
        r"started|signed up|adopted|felt|enjoyed)\b|\bi(?:['’]ve| have) (?:just |also |really )?been \w+ing\b|"
        r"\bi(?:['’]m| am) (?:(?:also|just|still|really|so|currently) )?(?:off|home|in bed|on the (?:train|bus|way)|"
        r"going to (?:the|my|see|visit|try|take)|planning (?:a|to|on)|learning|training|volunteering|moving|"
        r"working on (?:a|my)|taking|trying to|thinking (?:of|about)|nervous|exhausted|tired|proud of my|heading|"
        r"meeting)\b|"
        r"\bmy (?:own |new |first |last )?(?:passion|dreams?|hobb(?:y|ies)|students?|studio|paintings?|team|friends|"
        r"place|house|town|room|career|business|store|shop|class(?:es)?|exam|degree|thesis|band|guitar|piano|yard|phone|"
        r"laptop|camera|shoes|dress|breakfast|lunch|dinner)\b",
        re.IGNORECASE,
    ),
    "zh": Expression(
        rf"(?<![叫给帮])我的?(?:{_PEOPLE}|姥|舅|姨|叔|家(?!里?也有)|们组|年轻)|"
        r"我(?:也|还|就|都|又|自己|们)?(?:今天|昨天|昨晚|前天|上周|上礼拜|上个月|去年|今早|早上(?!好)|这几天|这两天|下礼拜|"
        r"下周|大学|高中)|"
        r"我(?:也|还|就|都|又|刚|刚刚|刚才|正|在|就是){0,3}(?:去了|去过|买了|吃了|吃过|睡|哭|搬家|搬到|回家|到家|在家|上班|"
        r"下班|加班|出差|请假|住在|住院|怀孕|结婚|离婚|失眠|感冒|"
        r"[买做看听学换搬找拿打收订约报吃喝洗写画拍丢忘]了)|我(?:这边|这儿|们这|爸妈)"
    ),
}
"""What who answers says of a life of their own."""

_OF_THE_OTHER = {
    "en": Expression(rf"\byour {_WHICH}(?:{_BODY_AND_KIN})\b", re.IGNORECASE),
    "zh": Expression(rf"你的?(?:{_PEOPLE}|胃|腿|腰)"),
}
"""What the other says of it; assistants are asked of their weekend, too, and told of their job."""


def note_situation(space: SpaceRecord, turn: Turn) -> None:
    """Note in a space whether its next turn tells of a life of who answers."""
    if any(map(_tells_of_a_life, turn.events.messages)):
        space.own_life_at = space.turns + 1


def between_people(space: SpaceRecord) -> bool:
    """Return whether who answers in a memory is a person, as far as its next turn and those just before it tell."""
    return space.own_life_at > 0 and space.turns + 1 - space.own_life_at < _LATELY


def _tells_of_a_life(message: Message) -> bool:
    """Return whether a message tells of a life of who answers, who has a name unless the user speaks of it."""
    if len(message.content) > _SHORT:
        return False
    own = message.role == "assistant" and message.speaker.casefold() != message.role
    tells = _OWN if own else _OF_THE_OTHER if message.role == "user" else None
    if tells is None:
        return False
    words = masked(message.content, masks(message.content))  # a draft in quotes speaks in another's name
    return tells["zh" if has_han(words) else "en"].search(words) is not None
