"""What a sentence denies, swaps or rewrites: that of which it says so, and of nothing else.

A word in common is no reason: "latex gloves are no longer used" says nothing of "I'm allergic to latex". A target is
hit where the sentence is about its holder, names its value, and has no words but its own and those of its slot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.english.mentioned import TYPES
from brain_core.extract.english.slots import FILLERS, OWNED, Slot, slot_of
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import FIELDS, Remembered, value_of, words_of
from brain_core.extract.language import Scene
from brain_core.extract.vital import is_vital_item
from brain_core.text.expression import Expression
from brain_core.text.words import terms


@dataclass(frozen=True, slots=True)
class Target:
    """Something that is known. fact: of a profile, which has many. said: what it says, without its key."""

    item: MemoryItem
    fact: dict[str, Any] | None
    said: str
    slot: Slot

    @property
    def words(self) -> frozenset[str]:
        """All terms that a sentence about it may have."""
        return words_of(self.said) | self.slot.words

    @property
    def value(self) -> frozenset[str]:
        """The terms by which it is named."""
        return words_of(self.said) - self.slot.words - FILLERS


def targets(scene: Scene, types: Iterable[str] = TYPES) -> Iterator[Target]:
    """Yield what is known of these types: a profile fact by fact."""
    for name in types:
        for item in scene.known.active(name):
            yield from targets_in(item)


def changeable(scene: Scene) -> Iterator[Target]:
    """Yield what was known before the message and may change by plain words: nothing that is vital.

    An item says what its text tells, and nothing of its name.
    """
    for target in targets(scene, ("profile", "knowledge", "preferences", "decisions")):
        new = target.fact is None and target.item.source_message_id == scene.message_id
        if new or is_vital_item(target.item, target.fact):
            continue
        value = value_of(target.item)
        yield target if target.fact is not None else replace(target, said=str(value.get(FIELDS[target.item.type], "")))


def targets_in(item: MemoryItem) -> Iterator[Target]:
    """Yield what an item says, a profile fact by fact."""
    return iter(_targets_of(item))


def _read_targets(item: MemoryItem) -> Iterator[Target]:
    value = value_of(item)
    if item.type == "profile":
        for fact in value.get("facts", ()):
            said = str(fact["v"])
            yield Target(item, fact, said, slot_of("profile", str(fact["k"]), said))
        return
    parts = [str(value[part]) for part in _SAID if value.get(part)]
    role = value.get("attrs", {}).get("role", "") if item.type == "entities" else ""
    said = " ".join([*parts, str(role)]).strip()
    yield Target(item, None, said, slot_of(item.type, str(value.get("name", "")), said))


_targets_of: Remembered[MemoryItem, tuple[Target, ...]] = Remembered(lambda item: tuple(_read_targets(item)))
_SAID = ("canonical", "value", "content", "decision", "topic", "description", "title")


def denied(
    scene: Scene, words: str, slots: frozenset[str] = frozenset(), types: Iterable[str] = TYPES
) -> Target | None:
    """Return what a passage says to be so no longer: what it names best of these slots, the newest of equals.

    slots: empty means all. Nothing where the passage only supposes or hopes so, or speaks of a time.
    """
    if supposed(scene):
        return None
    text = _spoken(words)
    passing = _FOR_NOW.search(text) is not None
    found = []
    for target in targets(scene, types):
        if (slots and target.slot.name not in slots) or (passing and target.item.type not in _DATED):
            continue
        named = _named(text, target)
        if named:
            found.append((named, target.item.updated_at.ToMicroseconds(), target))
    return max(found, key=lambda each: each[:2])[2] if found else None


def _named(text: str, target: Target) -> int:
    """Return how many words of a target's value a text names, 0 where it says anything besides."""
    wanted = set(terms(text)) - FILLERS
    named = wanted & target.value
    besides = wanted - target.words
    if target.item.type in _DATED:
        besides = {term for term in besides - _TIMES if not term[0].isdigit()}
    if not named or (
        besides and not (target.item.type in _PLANNED and len(named) > len(besides) and _loosely(text, besides))
    ):
        return 0
    if target.slot.said and wanted.isdisjoint(target.slot.words):
        return 0
    if _HAVING.search(text) and not (target.slot.name in OWNED or _HAD.search(target.said)):
        return 0
    return len(named) if about_holder(text, target) else 0


def _loosely(text: str, besides: frozenset[str] | set[str]) -> bool:
    """Return whether the words besides those of a plan name nobody."""
    return besides.isdisjoint(set(terms(" ".join(_A_NAME.findall(text)))) | PEOPLE)


_PLANNED = frozenset({"tasks", "events", "goals", "decisions"})
_A_NAME = Expression(r"(?<!^)\b[A-Z][\w-]*|^[A-Z][\w-]*['’]s\b")
_WHO = (
    "sister brother mum mom mother dad father wife husband partner girlfriend boyfriend son daughter kid child cousin "
    "aunt uncle niece nephew grandma grandpa friend roommate flatmate neighbour neighbor colleague coworker boss "
    "manager teammate"
)
PEOPLE = frozenset(terms(f"{_WHO} parents"))
"""Terms for whom one knows."""


def about_holder(text: str, target: Target) -> bool:
    """Return whether a passage's subject may be the one of whom the target tells."""
    said = target.said.casefold()
    other = _RELATIVE.search(target.said) if target.slot.name == "kin" else None
    who = _SOMEBODY_ELSE.match(text)
    if who is not None:
        last = who["who"].split()[-1].casefold()
        if last in {"he", "she", "they"}:
            return other is not None or (target.item.type != "preferences" and not _OF_THE_USER.search(said))
        return last in said
    return (
        other is None or _OF_THE_USER.match(text) is None or bool(words_of(" ".join(other.groups(""))) & words_of(text))
    )


def of_the_user(text: str) -> bool:
    """Return whether a text speaks of the user: I, my, we."""
    return _FIRST_PERSON.search(text) is not None


def supposed(scene: Scene) -> bool:
    """Return whether a clause is said of what may be, is wished, is still to come, or is not true."""
    clause = scene.clause
    before = clause.sentence[: max(clause.sentence.find(clause.text), 0)]
    return any(_SUPPOSED.search(text) is not None for text in (before, clause.text)) or (
        _TO_COME.search(clause.text) is not None
    )


def _spoken(text: str) -> str:
    """Return a passage from its subject on, without its reasons."""
    text = _OPENER.sub("", _REASON.sub("", text).replace("’", "'"))
    denying = [part for part in _PARTS.split(text) if _DENIES.search(part)]
    text = denying[0] if denying else text
    subject = _FROM_SUBJECT.search(text)
    return text if subject is None else subject["rest"]


_DATED = frozenset({"events", "tasks"})
_TIMES = frozenset(
    terms(
        "today tonight tomorrow week month morning evening afternoon monday tuesday wednesday thursday friday saturday "
        "sunday january february march april may june july august september october november december trip "
        "flight journey holiday vacation visit meeting appointment event date"
    )
)
"""What a sentence may call an event or a task, or its day."""
_REASON = Expression(r"\b(?:because|since|as|due to|thanks to)\b .*$", re.IGNORECASE)
_OPENER = pattern(
    r"^(?:(?:actually|well|no|oh|wait|sorry|so|and|but|good news|bad news|update|turns out|it turns out|in fact|"
    r"luckily|sadly|unfortunately|thankfully|also|by the way)\b[,:!. ]*(?:that )?)+"
)
_FROM_SUBJECT = pattern(
    r"^.*\b(?P<rest>(?:i|we)(?:['’](?:m|re|ve|ll|d))?(?: (?:am|are|do|have|will))?(?:n['’]t| not| no longer|"
    r" never)\b.*)$"
)
_PARTS = Expression(r", | so | but ")
_DENIES = pattern(
    r"n['’]t\b|\b(?:not|no longer|never|no|cancell?ed|off|scrapped|dropped|shelved|abandoned|dead|over|obsolete|"
    r"through|"
    r"decided against|gave|given|stopped|quit|done with)\b"
)
_FOR_NOW = pattern(
    r"\b(?:today|tonight|yet|right now|at the moment|for (?:now|the (?:day|night|moment|weekend))|"
    r"this (?:morning|afternoon|evening|week|weekend|month))\b"
)
_HAVING = pattern(r"\b(?:have|has|had|having|own|got|out of|no more)\b")
_HAD = pattern(r"\b(?:have|has|got|own|keep|there (?:is|are)|['’]ve)\b")
_OF_THE_USER = pattern(r"\b(?:i|i'm|i've|my|we|we're|our)\b")
_FIRST_PERSON = pattern(r"\b(?:i|me|my|mine|we|us|our|ours)\b")
_RELATIVE = Expression(
    r"\b(?i:my|our) (?:(?:older|younger|little|big|twin|eldest|oldest|youngest|new|late) )?(\w+)(?: ([A-Z]\w+))?"
    r"(?:.*\b(?:called|named) ([A-Z]\w+))?"
)
_SUPPOSED = pattern(
    r"\b(?:if|once|unless|(?<!delayed )(?<!postponed )(?<!pushed )(?<!back )(?<!off )(?:until|till)|whether|hope|"
    r"hoping|hopefully|wish|wishing|imagine|suppose|pretend|dream(?:ing|t)?|"
    r"as soon as|by the time|some ?day|one day|(?:not|\w+n['’]t) (?:quite |really |at all )?true|untrue|a lie|"
    r"when (?:i|we)(?:['’](?:m|re|ve)| am| are| do| don['’]t| no longer| can| have)|"
    r"(?:would|(?:i|it|that)['’]d) (?:be|have|love|feel|mean|make)|as if)\b"
)
_TO_COME = pattern(
    r"\b(?:in (?:an?|one|two|three|four|five|six|ten|\d+|some|a few|a couple of) (?:more )?(?:years?|months?|"
    r"weeks?|days?)(?: time)?|next (?:year|month|week|summer|spring|autumn|"
    r"fall|winter)|eventually|sooner or later)$"
)
_SOMEBODY_ELSE = Expression(
    r"(?:(?i:actually|no|well|and|but|so|sorry|now),? )*(?P<who>(?i:he|she|they|(?:my|his|her|"
    rf"our) (?:[a-z]+[- ])?(?:{'|'.join(_WHO.split())}|grandmother|grandfather|dog|cat))|"
    r"(?!(?:I|It|This|That|There|These|Those|We|You|What|Which|Nothing|Everything|"
    r"The|My|Our|No|Not)\b)[A-Z][a-z]+)(?:'s|’s|(?i: (?:is|are|was|isn't|isn’t|wasn't|do|don't|don’t|does|"
    r"doesn't|doesn’t|"
    r"did|didn't|has|hasn't|can|can't|won't|no longer|never|not|stopped|quit)))\b"
)
