"""One message, read by rules: what it wants, where and when to look, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from brain_core.compose.planner.ahead import ahead
from brain_core.compose.planner.chinese import CHINESE
from brain_core.compose.planner.chinese_spoken import as_written
from brain_core.compose.planner.english import ENGLISH
from brain_core.compose.planner.intent import intent_of
from brain_core.compose.planner.limits_nothing import limits_nothing
from brain_core.compose.planner.named_documents import named_document
from brain_core.compose.planner.pointing import pointed_at
from brain_core.compose.planner.scope import named_place
from brain_core.compose.planner.tells import Period, Said, TaskState, Tells, heard, may_hold, without
from brain_core.extract.language import MASK
from brain_core.text.language import language
from brain_core.text.script import fold
from brain_core.text.sifted import Sifted

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？\n]*")
_CHINESE_LINE = re.compile(
    r"(?im)^(?!.*\b(?:the|is|are|what|how|do|does|did|i|my|me|to|of|in|say|says|mean|means|it|please|translate)\b)"
    r".*(?:[的了是吗怎什我请帮这不么把]|比较|对比|了解一?下)"
)
"""A line of Chinese among names and logs in Latin letters."""

_UNWANTED = "says not to"
_SHORT = 200
"""Code points of a message up to which a word like "tasks" says what is asked for; beyond it only occurs."""

_ASKED_IN = {
    "entities": frozenset(("qa",)),
    "profile": frozenset(("qa",)),
    "events": frozenset(("qa", "summarize")),
    "knowledge": frozenset(("qa", "summarize")),
    "decisions": frozenset(("qa", "summarize", "debug", "research")),
    "goals": frozenset(("qa", "summarize", "debug", "research")),
    "tasks": frozenset(("qa", "summarize", "continue_task")),
}
"""Intents in which the words of a type of memory item ask for it: "who" in a fault or a search is nobody told of."""
_ASKS_BACK = frozenset(("qa", "summarize", "research", "other"))
"""Intents of messages that may ask for what was told."""

_TITLE = re.compile(r"(?:Yesterday|Today|Tonight|Last|This|Recently|Lately|Spring|Summer|Autumn|Fall|Winter)\b")
_OWN = re.compile(r"\b(?:i|i've|we|we've|you|my|our)\b|[我咱你]")
_BETWEEN_US = re.compile(
    r"\b(?:i|i'm|i've|i'd|me|my|mine|we|we've|(?<!\ba )(?<!\bthe )us|our|ours|you|your|mum|mom|dad|gran|nan|"
    r"grandma|grandad)\b|[我咱俺你您]|不记得|记不[得清住起]|想不起"
)
_ASKING = re.compile(
    r"\b(?:(?:how|what|where|when|which \w+) (?:do|can|could|should|would|must) (?:i|we|you)"
    r"|(?:can|could|would|will) you|(?:do|did) you know|(?:tell|show|help|give|remind) (?:me|us)|to me|i wonder"
    r"|i (?:want|need|would like) to know|(?:should|can|could|may) (?:i|we)|let me know)\b"
    r"|帮我|帮忙|告诉我|给我|请你|请您|你能|你知道|您知道|(?<![跟和给同与向])你说|我想知道|我该|我要怎么|我怎么|我应该"
)
_OF_THE_WORLD = "a question that is neither about you nor about what was said"
_OF_A_FAULT = "asks what is wrong, which documents may tell"
_TOLD_BEFORE = re.compile(
    r"\b(?:you|we|i)(?:'d|'ve| had| have| just)* (?:told|said|gave|mentioned|suggested|advised|agreed|decided|fixed|"
    r"solved|sorted|tried|did)\b|\b(?:last time|remember|before)\b|"
    r"上次|上回|那[次回]|之前|以前|[跟和同][你您]|(?:说|讲|提|聊|念叨)过|[你您].{0,4}(?:说|讲|让|叫|告诉|教)"
)
"""Of a fault: whether what was said of it earlier may be meant."""
_OF_PLANS = "asks what is planned"
_GIVEN = re.compile(
    r"\b(?:i|we)(?:'ve| have|'d)? (?:\w+ )?(?:sent|saved|shared|uploaded|fed|gave|given|dropped|bookmarked|stored|kept|"
    r"pasted|forwarded|posted|attached|added|clipped|collected|noted|showed|passed)\b|"
    r"[我咱俺][^，。]{0,12}[存收丢扔攒传发囤贴转记]|[存丢扔攒囤贴收]的|[传发转丢扔存](?:过|了)?给你|\bupload\b"
)
"""What the user has handed in: a search of it may be held to a time."""
FEW_DAYS = 3
"""Days of a time, a weekend or a day, that comes again before long."""
_WORD_LEFT = re.compile(rf"[\w{MASK}]")
_URL = re.compile(r"https?://[^\s，。；）)<>\"]+|file://\S+")


class Recent(NamedTuple):
    """What went before in the session. texts: of messages, refs: addresses given there; both oldest first."""

    texts: Sequence[str] = ()
    refs: Sequence[str] = ()


class Reading(NamedTuple):
    """What a message asks for.

    why: of the intent; why_resources: of the decision on documents. place: name of what to look in. session: whether in
    this session. refers_to: address that it points at. follows: whether it says too little without what went before.
    ahead: days to come that it asks for; both may be asked for by what may lie on either side. plans: whether it asks
    what is planned in them. time_alone: whether it asks what there was in the period, or is in those days, whatever it
    is about. tasks: in which state they are asked for. asked_for: what of its words names a document, "the README", a
    place or an address. scattered: what of its words asks for many of a sort, which were told one by one.
    """

    intent: str
    why: str
    resources: bool
    why_resources: str
    period: Period | None = None
    place: str = ""
    session: bool = False
    types: tuple[str, ...] = ()
    refers_to: str = ""
    follows: bool = False
    time_alone: bool = False
    tasks: TaskState = ""
    ahead: Period | None = None
    plans: bool = False
    asked_for: str = ""
    scattered: str = ""

    @property
    def may_want_documents(self) -> bool:
        """Whether nothing asks for documents, and nothing says not to look in them."""
        return not self.resources and not self.why_resources.startswith(_UNWANTED)

    def looking_ahead(self, today: date) -> Reading:
        """Return it with a time that a language model set after today as days to come: nothing was said in it yet."""
        if self.period is None or self.period.start <= today:
            return self
        return self._replace(period=None, ahead=self.period)


def read(message: str, today: date, recent: Callable[[], Recent]) -> Reading:
    """Read a message. today: the day that "yesterday" is counted from. recent: asked for only where it matters."""
    said, tells = listened(message)
    intent, why = intent_of(said, tells)
    if intent == "other":
        intent, why = _wants_to_learn(said, tells) or (intent, why)
    scattered = _scattered(said, tells, intent)
    if intent == "other":
        return Reading(intent, why, False, "small talk needs no documents", scattered=scattered)
    place = named_place(said, tells) or named_document(said, tells)
    session = tells.session.find(said) is not None
    tasks = _tasks_asked_for(said, tells)
    refers_to, noun = _pointed(said, tells, recent)
    period = _period(said, tells, intent, today)
    asked_for = _asked_for(said, tells, intent, place, refers_to, noun)
    resources, why_resources = _resources(said, tells, intent, asked_for)
    if session and not asked_for[0] and intent != "research":
        resources, why_resources = False, "asks for what was said in this session"
    coming = ahead(said, tells.coming, intent, today)
    if coming is not None and coming.plans and why_resources == _OF_THE_WORLD:
        resources, why_resources = False, _OF_PLANS
    of_the_world = why_resources == _OF_THE_WORLD and not _BETWEEN_US.search(said.plain)
    if coming is not None and of_the_world and not coming.ours:
        if period is not None and coming.is_of(period) and _may_lie_ahead(said, tells, period, coming.period, today):
            period = None
        coming = None  # the weather of next month is no plan
    if coming is not None and period is not None and coming.surely and coming.is_of(period):
        period = None
    if resources and intent == "qa" and why_resources == _OF_THE_WORLD and period and period.start < today:
        if period.stop > today + timedelta(days=1) and not tells.coming.over.search(said.plain):
            period = None  # when the clocks change this year was not told this year
        else:
            resources, why_resources = False, "asks of what was at that time"
    return Reading(
        intent,
        why,
        resources,
        why_resources,
        period,
        place,
        session,
        _types(said, tells, intent),
        refers_to,
        tells.follows.find(said) is not None,
        period is not None and _time_alone(said, tells, period)
        if coming is None
        else _time_alone(said, tells, coming.period, tells.coming.plans),
        tasks,
        coming.period if coming is not None else None,
        coming is not None and coming.plans,
        asked_for[0],
        "" if session or tasks or asked_for[0] else scattered,
    )


def listened(message: str) -> tuple[Said, Tells]:
    """Return a message as rules see it, and the language whose rules they are."""
    chinese = not message.isascii() and _chinese(message)
    tells = CHINESE if chinese else ENGLISH
    return heard(message, tells, _folded if chinese else _lower), tells


def _chinese(message: str) -> bool:
    found = language(message)
    return found == "zh" or (
        found == "en" and any(_CHINESE_LINE.search(end) for end in (message[:_SHORT], message[-_SHORT:]))
    )


def _folded(text: str) -> str:
    return _lower(as_written(fold(text)))


def _lower(text: str) -> str:
    lower = text.lower().replace("’", "'")
    return lower if len(lower) == len(text) else text


def _pointed(said: Said, tells: Tells, recent: Callable[[], Recent]) -> tuple[str, str]:
    """Return (the address pointed at, the noun it is named by), empty where there is none."""
    match = tells.pointer.find(said)
    if match is None:
        return "", ""
    noun, before = match[0], recent()
    return pointed_at(noun, said.plain, before.refs, before.texts), noun


def _resources(said: Said, tells: Tells, intent: str, asked_for: tuple[str, str]) -> tuple[bool, str]:
    if asked_for[0]:
        return True, asked_for[1]
    unwanted = tells.unwanted.find(said)
    if unwanted is not None:
        return False, f"{_UNWANTED}: {unwanted[0].strip(' ,.，。:')[:60]!r}"
    return _asked_of_the_world(said, tells, intent)


def _asked_for(said: Said, tells: Tells, intent: str, place: str, refers_to: str, noun: str) -> tuple[str, str]:
    """Return what names a document in the message's own words, and that it does; both empty where nothing does."""
    if place:
        return place, f"a place is named: {place}"
    url = _URL.search(said.text)
    if url:
        return url[0], f"an address is given: {url[0]}"
    documents = tells.manuals if intent == "continue_task" else tells.documents
    unwanted = tells.unwanted.find(said)
    if unwanted is not None and not documents.find(without(said, unwanted)):
        return "", ""
    if refers_to:
        return refers_to, f"{noun!r} is {refers_to}"
    named = documents.words(said)
    return named, f"names a document: {named[:60]!r}" if named else ""


def _asked_of_the_world(said: Said, tells: Tells, intent: str) -> tuple[bool, str]:
    subject = _subject(said, tells)
    own = subject is not None and _is_between_us(without(said, subject))
    if intent == "research" and not own:
        return True, "asks to look things up"
    if intent in ("qa", "debug") and not _is_between_us(said):
        return True, _OF_THE_WORLD
    if intent == "debug" and not _TOLD_BEFORE.search(said.plain):
        return True, _OF_A_FAULT
    if subject is not None and not own:
        return True, f"asks to learn about something: {subject[0].strip()[:60]!r}"
    return False, "what was said before is enough"


def _is_between_us(said: Said) -> bool:
    return _BETWEEN_US.search(_ASKING.sub(" ", said.plain)) is not None


def _subject(said: Said, tells: Tells) -> re.Match[str] | None:
    return tells.subject.find(said) if len(said.plain) <= _SHORT else None


def _wants_to_learn(said: Said, tells: Tells) -> tuple[str, str] | None:
    """Return (intent, why) of a comparison or an overview: it is no small talk, however short it is."""
    subject = _subject(said, tells)
    if subject is None:
        return None
    intent = "qa" if _is_between_us(without(said, subject)) else "research"
    return intent, f"{intent}: {subject[0].strip()[:60]!r}"


def _period(said: Said, tells: Tells, intent: str, today: date) -> Period | None:
    """Return the time that a message restricts itself to. What the world knows is looked up whenever it was written."""
    if intent == "research" and not _handed_in(said, tells):
        return None
    try:
        found = next((one for one in tells.periods(said.plain, today) if not _title(said.text, one)), None)
    except (ValueError, OverflowError):  # the calendar ends with the year 9999
        return None
    if found is not None and found.start == today and not _asked_around(said, tells, found):
        return None
    return None if found is not None and limits_nothing(said, found, intent) else found


def _may_lie_ahead(said: Said, tells: Tells, past: Period, coming: Period, today: date) -> bool:
    """Return whether one of its kind to come may be meant as well: breakfast at the weekend, the rent in March.

    Of months and seasons that is so if the one to come is nearer: in March the bill for January has come.
    """
    if coming.start < past.stop or tells.coming.over.search(said.plain):
        return False
    return (past.stop - past.start).days <= FEW_DAYS or coming.start - today < today - past.stop


def _types(said: Said, tells: Tells, intent: str) -> tuple[str, ...]:
    """Return the types of memory item that a message asks for."""
    if len(said.plain) > _SHORT or not may_hold(said, tells.of_items):
        return ()
    return tuple(name for name, one in tells.types if intent in _ASKED_IN.get(name, (intent,)) and one.find(said))


def _tasks_asked_for(said: Said, tells: Tells) -> TaskState:
    if len(said.plain) > _SHORT or not may_hold(said, tells.of_items):
        return ""
    return next((state for state, one in tells.task_states if one.find(said)), "")


def _scattered(said: Said, tells: Tells, intent: str) -> str:
    """Return what asks for many of a sort that were told one by one, or nothing."""
    return tells.scattered.words(said) if intent in _ASKS_BACK and len(said.plain) <= _SHORT else ""


def _time_alone(said: Said, tells: Tells, period: Period, plans: Sifted | None = None) -> bool:
    start, stop = period.span
    around = f"{said.plain[:start]} {said.plain[stop:]}"
    if plans is not None:
        around = plans.sub(" ", around)
    return len(around) <= _SHORT and not _WORD_LEFT.search(tells.frame.sub(" ", around))


def _handed_in(said: Said, tells: Tells) -> bool:
    if _GIVEN.search(said.plain):
        return True
    return tells.documents.find(said) is not None and _OWN.search(_ASKING.sub(" ", said.plain)) is not None


def _title(text: str, period: Period) -> bool:
    """Return whether what looks like a period is a name: Yesterday by the Beatles, Last Christmas."""
    start = period.span[0]
    words = text[start : period.span[1]]
    before = text[:start].rstrip()
    return bool(before) and before[-1] not in ".!?\n:;" and _TITLE.match(words) is not None and not text.isupper()


def _asked_around(said: Said, tells: Tells, period: Period) -> bool:
    """Return whether something is asked or wanted in the sentence of a period: "I'm tired today" restricts nothing."""
    for sentence in _SENTENCE.finditer(said.plain):
        if sentence.start() <= period.span[0] < sentence.end():
            alone = Said(sentence[0], sentence[0], frozenset(tells.words(sentence[0])))
            return any(one.words(alone) for one in tells.signs)
    return True
