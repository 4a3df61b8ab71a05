"""What rules on the user's person share: forms of names and places, and how facts are built."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.dates import first_day
from brain_core.extract.english.values import event, profile
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


def any_group(k: str) -> Build:
    """Return what reads the one group of the pattern that stands for the value."""

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        value = next(text for text in match.groups() if text)
        yield Found(profile((k, value), since=since_when(scene)))

    return build


def one_fact(k: str, group: str = "value") -> Build:
    """Return what reads a group of the pattern as the fact k."""

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        yield Found(profile((k, match[group]), since=since_when(scene)))

    return build


NOT_NAMES = frozenset(
    [
        "same",
        "ditto",
        "likewise",
        "over",
        "out",
        "nothing",
        "everything",
        "nobody",
        "everyone",
        "a",
        "an",
        "the",
        "not",
        "so",
        "very",
        "really",
        "just",
        "in",
        "on",
        "at",
        "from",
        "with",
        "back",
        "here",
        "sorry",
        "sure",
        "ok",
        "okay",
        "done",
        "fine",
        "good",
        "glad",
        "happy",
        "sad",
        "tired",
        "going",
        "trying",
        "looking",
        "working",
        "using",
        "still",
        "also",
        "always",
        "never",
        "now",
        "afraid",
        "american",
        "british",
        "german",
        "french",
        "spanish",
        "italian",
        "dutch",
        "chinese",
        "indian",
        "english",
        "irish",
        "scottish",
        "canadian",
        "australian",
        "european",
        "swedish",
        "danish",
        "norwegian",
        "polish",
        "russian",
        "turkish",
        "japanese",
        "korean",
        "mexican",
        "brazilian",
        "portuguese",
        "greek",
        "jewish",
        "muslim",
        "christian",
        "catholic",
        "buddhist",
        "hindu",
        "muslim",
        "vegan",
        "vegetarian",
        "capricorn",
        "aries",
        "taurus",
        "gemini",
        "leo",
        "virgo",
        "libra",
        "scorpio",
        "sagittarius",
        "aquarius",
        "pisces",
        "python",
        "java",
        "linux",
        "windows",
        "mac",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "what",
        "who",
        "how",
        "i",
        "i'm",
        "one",
        "your",
        "more",
    ]
)


def year_of(scene: Scene) -> str:
    """Return the year that a clause names, empty where it names none."""
    found = re.search(r"\b(?:in|since) (?:[A-Z][a-z]+ )?(?P<year>(?:19|20)\d\d)\b", scene.clause.text)
    return found["year"] if found is not None else ""


def event_of(scene: Scene) -> Iterable[Found]:
    """Yield the event of a change, where its day is named."""
    day = first_day(scene.clause.whole, scene.said, past=True)
    if day is not None:
        yield Found(event(scene.clause.whole, day.day.isoformat()), type="events")
