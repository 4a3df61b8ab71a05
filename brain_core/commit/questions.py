"""Which questions of the user nothing has answered yet, as far as the form of the messages tells.

A user's question is open until the assistant says something that neither asks back nor puts it off. Once the user asks
something else, only a message that speaks of it (half of its words) answers it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from smartbrain.v1.event_pb2 import Message, Turn

from brain_core.commit.lines import without_secrets
from brain_core.extract.language import MASK
from brain_core.extract.masks import masked, masks
from brain_core.extract.pasted import LONGEST_MESSAGE
from brain_core.extract.sentences import sentences
from brain_core.extract.unkept import kept
from brain_core.store.v1.records_pb2 import SummaryLine
from brain_core.summary import QUESTIONS
from brain_core.text.language import has_han
from brain_core.text.words import terms

_LONGEST_QUESTION = 300
_MOST_PER_MESSAGE = 3
_LEAST_WORDS = 3
_LEAST_HAN = 4
_READ_OF_ANSWER = 2000
_FIRST_SENTENCES = 4  # in which an answer asks back or puts off
_LONGEST_DEFERRAL = 300

_ASKS = re.compile(r"[?？]$|吗[。.!！~…]*$")
_SMALL_TALK = re.compile(
    r"^(?:hi|hello|hey)?\W*(?:how are (?:you|things)|how(?:'|’)?s (?:it going|everything)|what(?:'|’)?s up)\b"
    r"|^(?:你好|您好)?\W*(?:你|您)?(?:好吗|在吗|吃了吗|最近怎么样|最近好吗)",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"^(?:sure|of course|certainly|(?:good|great) question|happy to help|thanks?|thank you|ok(?:ay)?|got it|hi|hello"
    r"|好的|好|当然|没问题|明白了?|谢谢|收到|可以)(?:[ ,，][^.?!。？！]{0,20})?[.!。！]*$",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^(?:you(?:'|’)re (?:very )?welcome|no problem|my pleasure|any ?time|不客气|不用谢|没关系)\b", re.IGNORECASE
)
_DEFERS = re.compile(
    r"\b(?:not (?:sure|certain)|do(?:n['’]t| not) (?:know|have)|no idea|let me (?:check|look|find|see|think|get back)"
    r"|(?:I['’]ll|I will|we['’]ll|we will) (?:check|look|find|get back|let you know|follow up|investigate|ask)"
    r"|get back to you|can(?:['’]t|not) (?:say|tell|answer)|unclear|to be (?:decided|determined|confirmed)|TBD)\b"
    r"|不确定|不太?清楚|不知道|我(?:去|来|先|再|会)?(?:查|看|确认|问|核实)(?:一下|下|看)|稍后|回头|晚点|待定|待确认"
    r"|还没(?:定|有结论|确定)|以后再",
    re.IGNORECASE,
)
_ANSWERS_AFTER_ALL = re.compile(r"\b(?:but|however)\b|但|不过|可是", re.IGNORECASE)


def open_questions(asked: Iterable[SummaryLine], turns: Iterable[Turn]) -> list[SummaryLine]:
    """Return the questions that are open after some turns, oldest first. asked: those open before them."""
    pending = list(asked)
    for turn in turns:
        for _, message in kept(turn.events.messages):
            if message.role == "user":
                pending = _after_user(pending, turn, message)
            elif message.role == "assistant" and _is_answer(message.content):
                pending = _unanswered(pending, message.content)
    return pending


def _after_user(pending: list[SummaryLine], turn: Turn, message: Message) -> list[SummaryLine]:
    texts = list(dict.fromkeys(_questions(message.content)))[-_MOST_PER_MESSAGE:]
    if not texts:
        return pending
    kept = [line for line in pending if line.text not in texts]
    for line in kept:
        line.awaiting = False
    asked = (
        SummaryLine(
            section=QUESTIONS,
            text=text,
            time_us=message.created_at.ToMicroseconds(),
            turn_id=turn.turn_id,
            message_id=message.message_id,
            awaiting=True,
        )
        for text in texts
    )
    return [*kept, *asked]


def _questions(text: str) -> Iterator[str]:
    """Yield the questions that stand in a message in its writer's own words, each on one line."""
    if len(text) > LONGEST_MESSAGE or not ("?" in text or "？" in text or "吗" in text):
        return
    text = without_secrets(text)
    own = masked(text, masks(text))
    for start, stop in sentences(own):
        sentence = own[start:stop]
        if stop - start <= _LONGEST_QUESTION and MASK not in sentence[-2:] and _is_question(sentence):
            yield " ".join(text[start:stop].split())


def _is_question(sentence: str) -> bool:
    if not _ASKS.search(sentence) or _SMALL_TALK.search(sentence):
        return False
    if has_han(sentence):
        return sum(each.isalnum() for each in sentence) >= _LEAST_HAN
    return len(sentence.split()) >= _LEAST_WORDS


def _is_answer(text: str) -> bool:
    """Return whether an assistant's message neither asks back nor puts off nor is a mere courtesy."""
    head = text[:_READ_OF_ANSWER]
    said = [head[start:stop] for start, stop in islice(sentences(head), _FIRST_SENTENCES)]
    while len(said) > 1 and _COURTESY.match(said[0]):
        said.pop(0)
    if not said:
        return True
    if said[0].endswith(("?", "？")) or _POLITE.match(said[0]):
        return False
    puts_off = len(text) <= _LONGEST_DEFERRAL and any(map(_DEFERS.search, said[:2]))
    return not puts_off or _ANSWERS_AFTER_ALL.search(head) is not None


def _unanswered(pending: list[SummaryLine], answer: str) -> list[SummaryLine]:
    waiting = [line for line in pending if not line.awaiting]
    if not waiting:
        return []
    words = set(terms(answer[:_READ_OF_ANSWER]))
    return [line for line in waiting if 2 * len(words.intersection(wanted := set(terms(line.text)))) < len(wanted)]
