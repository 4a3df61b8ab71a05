"""What rules on the user's person share: forms of names and places, and how facts are built."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.dates import first_day
from brain_core.extract.english.aspects import told_as
from brain_core.extract.english.several import own
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import event, profile
from brain_core.extract.known import known_facts
from brain_core.extract.language import Build, Found, Scene
from brain_core.text.expression import Expression

NAME = r"[A-Z][\w'’.-]*(?: (?:(?:de|van|von|der|da|di|del|bin|al|la) )*[A-Z][\w'’.-]*){0,3}"


PLACE = (
    r"(?:the )?[A-Z][\w'’.-]*(?:[ ,]+(?:(?:de|la|of|the|am|upon|an|der|area|north|south|east|west) )*[A-Z][\w'’."
    r"-]*){0,4}"
)


SINCE = Expression(
    r"\b(?:since|from) (?P<since>(?:[A-Z][a-z]+ )?(?:19|20)\d\d)|\bfor (?:the (?:last|past) )?(?P<years>\d{1,2}|"
    r"[a-z]+) years?",
    re.IGNORECASE,
)


I_AM = r"(?:i'm|i’m|im|i am)"


def since_when(scene: Scene) -> str:
    """Return the year since which a clause says that something holds, empty where it does not."""
    found = SINCE.search(scene.clause.text)
    if found is None:
        return ""
    if found["since"]:
        return found["since"].split()[-1]
    return str(scene.said.year - int(found["years"])) if found["years"].isdigit() else ""


def lives_there(told: str, scene: Scene) -> bool:
    """Return whether a passage of living somewhere tells where the user lives: not where he did, may, or is for now."""
    over = _LIVED.search(told) is not None and _HAS_LIVED.search(told) is None
    return not (over or supposed(scene) or _FOR_A_WHILE.search(scene.clause.text))


_LIVED = Expression(r"\blived\b", re.IGNORECASE)
_HAS_LIVED = Expression(r"(?:['’]ve|\bhave)\b.{0,30}\blived\b", re.IGNORECASE)
_FOR_A_WHILE = Expression(
    r"\b(?:this (?:week|weekend|month|summer|winter)|for (?:now|a (?:bit|while|few \w+)|the (?:moment|time being|week|"
    r"weekend|summer))|until|till|temporarily|tonight|today|at the time|back then)\b",
    re.IGNORECASE,
)


def may_employ(told: str, scene: Scene) -> bool:
    """Return whether somebody with whom the user has been may employ him: nobody known, nor beside another employer."""
    found = _WITH.search(told)
    if found is None:
        return _WITH_ANY.match(told) is None
    facts = list(known_facts(scene.known))
    known = any(found[1] in v.split() for k, v in facts if k != "employer")
    return not known and all(found[1] in v for k, v in facts if k == "employer")


_WITH_ANY = Expression(r"with\b", re.IGNORECASE)
_WITH = Expression(r"\bwith (?:the )?([A-Z][\w'’-]*)")
FOR_YEARS = Expression(
    r"\byears?\b|\bdecades?\b|\bsince (?:19|20)\d\d\b|\bsince i was\b|\bsince [a-z]+ (?:19|20)\d\d", re.IGNORECASE
)


def own_fact(k: str, text: str, scene: Scene) -> Found:
    """Return what a text tells under the name k, or under its own where one may have several and it is another."""
    return Found(profile((own(told_as(k, text), text, scene.known), text), since=since_when(scene)))


def any_group(k: str) -> Build:
    """Return what reads the one group of the pattern that stands for the value."""

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        yield own_fact(k, next(text for text in match.groups() if text), scene)

    return build


def one_fact(k: str, group: str = "value") -> Build:
    """Return what reads a group of the pattern as the fact k."""

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        yield own_fact(k, match[group], scene)

    return build


def year_of(scene: Scene) -> str:
    """Return the year that a clause names, empty where it names none."""
    found = re.search(r"\b(?:in|since) (?:[A-Z][a-z]+ )?(?P<year>(?:19|20)\d\d)\b", scene.clause.text)
    return found["year"] if found is not None else ""


def event_of(scene: Scene) -> Iterable[Found]:
    """Yield the event of a change, where its day is named."""
    day = first_day(scene.clause.whole, scene.said, past=True)
    if day is not None:
        yield Found(event(scene.clause.whole, day.day.isoformat()), type="events")
