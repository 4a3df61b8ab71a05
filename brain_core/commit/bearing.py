"""Do the words of a message bear out what a model makes of them? Field by field; what they do not say is named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from brain_core.commit.turned import turned
from brain_core.extract.chinese.dates import days as chinese_days
from brain_core.extract.dates import days as english_days
from brain_core.extract.hits import language_of
from brain_core.extract.language import Language, Scene
from brain_core.extract.whose import OF_THE_USER, is_over, told_of
from brain_core.kinds.kind import Kind
from brain_core.text.expression import Expression
from brain_core.text.script import fold
from brain_core.text.words import terms

_SHARE = 0.8
"""Share of the words of what is claimed that must stand in the words it is read in."""

_CLAIMS: Mapping[str, tuple[str, str]] = {
    "preferences": ("value", "name"),
    "goals": ("description", "name"),
    "tasks": ("title", "task_id"),
    "decisions": ("decision", "topic"),
    "events": ("title", "title"),
    "entities": ("canonical", "canonical"),
    "knowledge": ("content", "slug"),
}
"""The field that says what an item says, and the one that stands for it where it is not given."""

_BESIDE = ("notes", "rationale", "impact")
"""Texts beside the claim, that may stand anywhere in the message."""

_DAYS = ("due", "made_at")
"""Days without which an item is as true."""

_OUTSET = {"todo", "active"}
"""States of what is merely told."""

_LASTING = {"profile", "preferences", "goals", "knowledge"}
"""Types of what holds, and not of what happens."""

_REACHED = Expression(r"\b(?:reach|achiev|accomplish|manag|master|complet|finish)ed\b|\b(?:did|made) it\b|"
                      r"达成|实现了|做到了|完成|达到了|成功", re.IGNORECASE)  # fmt: skip

_NAMES_OF: Mapping[str, str] = {
    "name": "name nickname",
    "pet": "pet pets dog cat",
    "health": "health allergy allergies condition illness diet",
    "age": "age birthday birth",
    "language": "language languages",
    "education": "education school university degree major",
    "family": "family wife husband partner child children kids son daughter mother father brother sister spouse",
    "work": "work employer company role job occupation profession title position",
    "home": "home live city town residence location address place hometown",
    "body": "body height weight",
    "belongings": "belongings car bike phone laptop",
    "money": "money income salary budget",
    "habits": "habits habit routine hobby hobbies",
}
"""Names that a model gives to facts and their plain words, by what a sentence of such a fact is about."""
_AREA_OF = {name: area for area, names in _NAMES_OF.items() for name in names.split()}

_IS = r"(?:\b(?:i['’]?m|i am|call me)|我(?:是|叫|今年)|叫我)\s*(?:now |also |an? |the )?"
_SELF_TOLD = {"name", "work", "age"}
"""What one says one is: "I'm Anna", "I'm a plumber", 我是木匠."""


@dataclass(frozen=True, slots=True)
class Saying:
    """The words a model quotes. sentence: those they stand in. message: the whole text. said: its day.

    scenes: the clauses they stand in.
    """

    quote: str
    sentence: str
    message: str
    said: date
    scenes: Sequence[tuple[Language, Scene]]


@dataclass(frozen=True, slots=True)
class Borne:
    """What of a value its words bear out. against: why it is not as the speaker said it, empty if it is."""

    given: dict[str, Any]
    left_out: tuple[str, ...]
    against: str


def borne_out(saying: Saying, kind: Kind, given: Mapping[str, Any]) -> Borne:
    """Return a value without what may be left out of it and is said nowhere, and whether the rest is as was said."""
    kept = {name: part for name, each in given.items() if (part := _said(saying, name, each)) not in (None, [])}
    left_out = tuple(name for name in given if kept.get(name) != given[name])
    return Borne(kept, left_out, _against(saying, kind, kept))


def claims(kind: Kind, value: Mapping[str, Any]) -> list[str]:
    """Return the texts in which a value says what it says."""
    if kind.type == "profile":
        return [str(fact.get("v", "")) for fact in _facts(value)]
    said, instead = _CLAIMS[kind.type]
    return [str(value.get(said) or value.get(instead, ""))]


def _said(saying: Saying, name: str, value: object) -> object:
    """Return what of a field that may be left out is said in the message, None for nothing; other fields whole."""
    if name in _DAYS:
        return value if _names_day(saying, str(value)) else None
    holds = _stands if name == "aliases" else _holds if name in _BESIDE else None
    if holds is None:
        return value
    if isinstance(value, list):
        return [each for each in value if holds(saying.message, str(each))]
    return value if holds(saying.message, str(value)) else None


def _against(saying: Saying, kind: Kind, given: Mapping[str, Any]) -> str:
    claimed = claims(kind, given)
    if not claimed or not all(_holds(saying.quote, claim) for claim in claimed):
        return "the quote does not say so"
    claim = " ".join([*claimed, *_filed(given)])
    if not turned(saying.sentence) <= turned(claim):
        return "its sentence denies or ends something"
    who = told_of(saying.scenes, claim) if kind.type in OF_THE_USER else ""
    if who:
        return f"it is told of {who!r}"
    if kind.type in _LASTING and any(is_over(saying.sentence, each) for each in claimed):
        return "its sentence tells of what is over"
    return _against_field(saying, kind, given)


def _against_field(saying: Saying, kind: Kind, given: Mapping[str, Any]) -> str:
    if not _is_in_state(saying, str(given.get("status", ""))):
        return "status is not what its sentence says"
    if kind.type == "events" and "date" in given and not _names_day(saying, str(given["date"])):
        return "no words name its date"
    unnamed = [str(fact.get("k", "")) for fact in _facts(given) if not _is_named(saying.sentence, fact)]
    return f"nothing says that it is of {', '.join(map(repr, unnamed))}" if unnamed else ""


def _filed(given: Mapping[str, Any]) -> list[str]:
    """Return the words under which a value is filed: "no_sugar" says that sugar is not."""
    names = [given.get("name", ""), *(fact.get("k", "") for fact in _facts(given))]
    return [str(name).replace("_", " ") for name in names]


def _facts(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    facts = value.get("facts")
    return [fact for fact in facts if isinstance(fact, dict)] if isinstance(facts, list) else []


def _holds(text: str, claim: str) -> bool:
    claimed = set(terms(claim))
    return bool(claimed) and len(claimed & set(terms(text))) >= _SHARE * len(claimed)


def _stands(text: str, part: str) -> bool:
    """Return whether a text has a name, no part of a longer word in Latin letters."""
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(part)}(?![A-Za-z0-9])", text, re.IGNORECASE) is not None


def _names_day(saying: Saying, day: str) -> bool:
    return day == saying.said.isoformat() or any(each.isoformat() == day for each in _days(saying))


def _days(saying: Saying) -> Iterator[date]:
    """Yield the days that a message names, as of past and coming ones."""
    for past in (False, True):
        yield from (each.day for each in english_days(saying.message, saying.said, past))
        yield from (each.day for each in chinese_days(fold(saying.message), saying.said, past=past))


def _is_in_state(saying: Saying, status: str) -> bool:
    if not status or status in _OUTSET:
        return True
    if status == "dropped":
        return bool(turned(saying.sentence))
    if status == "reached" and _REACHED.search(fold(saying.sentence)):
        return True
    said = language_of(saying.sentence).status_in(saying.sentence)
    return said == ("done" if status == "reached" else status)


def _is_named(sentence: str, fact: Mapping[str, Any]) -> bool:
    """Return whether a sentence is about what a fact is named for: its words, or words of the same part of a life."""
    name = str(fact.get("k", ""))
    words = terms(name.replace("_", " "))
    area = next((area for word in name.casefold().split("_") if (area := _AREA_OF.get(word))), "")
    told = set(terms(sentence))
    if words and told.issuperset(words):
        return True
    if not area:
        return False
    value = re.escape(str(fact.get("v", "")))
    if area in _SELF_TOLD and re.search(rf"{_IS}{value}(?![A-Za-z0-9])", sentence, re.IGNORECASE):
        return True
    same = (terms(other) for other in _NAMES_OF[area].split())
    return any(told.issuperset(each) for each in same if each) or language_of(sentence).is_about(sentence, area)
