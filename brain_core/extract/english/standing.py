"""Whether an English text says something by itself, so that it can be kept as it stands."""

from __future__ import annotations

import re

from brain_core.extract.english.clauses import skip_leads
from brain_core.extract.language import Scene
from brain_core.text.expression import Expression

_WORD = Expression(r"[a-z][a-z'’-]+")
_EMPTY = frozenset(
    (  # noqa: SIM905
        "a an the my our your his her their its i we you he she they it me us him them this that these those who which "
        "is are was were be been being am do does did done have has had will would can could may might must should to "
        "of in on at by for with from into about as and or but so if then than too very really just please also still "
        "only all any some no not yes ok okay there here up out down over again now today tomorrow yesterday tonight "
        "last next first second third week weeks weekend month months year years day days hour hours minute minutes "
        "monday tuesday wednesday thursday friday saturday sunday january february march april june july august "
        "september october november december jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat "
        "sun morning afternoon evening night noon midnight same one two three four five six seven eight nine ten "
        "eleven twelve plus minus get got gets getting go went going come came comes it's i'm i've i'll we're we've "
        "we'll he's she's they're that's there's don't didn't isn't wasn't won't can't"
    ).split()
)
_NOTHING_NAMED = Expression(
    r"(?:(?:just|finally|already|also|all|only|so|and|but) )*(?:\w{3,}(?:ed|ing)|starts?|begins?|ends?|leaves?|"
    r"arrives?|got|had|did|made|took|saw|lost|won|bought|sold|wrote|met|left|chose|picked|does|makes)"
    r"(?: (?:it|that|this|them|her|him|one|those|these)\b(?! \w+ (?:is|are|was|were)\b)|\W*$)|which\b|who\b",
    re.IGNORECASE,
)
"""Begins with a verb and no subject, of nothing or of what was named before: "passed", "booked her", "which is …"."""
_ONE_WORD_OF_IT = Expression(r"\b(?:it|that|them|this|those)\W*$", re.IGNORECASE)


_ORDER_OF_IT = Expression(
    r"(?:(?:just|please|so|then|let['’]?s|and) )*(?:get|push|move|put|lock|sort|fix|make|add|keep|set|send|book|finish|"
    r"do|change|check|cancel|schedule|update|remove|take|use|leave|drop|save|mark|log|post|print|share|pick|finali[sz]e|"
    r"throw|shift|swap|clean|wrap|handle|deal with|look at|go over|work on)(?: (?:up|out|off|back|down|in|to|on))? "
    r"(?:it|this|these|them|those|that)(?: one)?\b(?P<rest>[^,;.]*)",
    re.IGNORECASE,
)
"""An order whose object was named before: "push that one to Sunday", "sort this out"."""
_OF_A_TIME = frozenset({"events", "tasks", "decisions"})


def stands_alone(scene: Scene, item_type: str) -> bool:
    """Return whether a sentence that no rule reads can be kept as it stands."""
    text = scene.clause.text
    text = text[skip_leads(text, 0) :]
    return says_something(text) and not (item_type in _OF_A_TIME and is_order_of_it(text))


def is_order_of_it(text: str) -> bool:
    """Return whether a text is an order that names nothing itself: "get those booked"."""
    order = _ORDER_OF_IT.match(text)
    return order is not None and all(word.endswith("ed") or word in _DONE for word in naming_words(order["rest"]))


_DONE = frozenset({"done", "ready", "right", "set", "better", "too", "soon", "first", "asap"})


def says_something(text: str) -> bool:
    """Return whether a text names what it tells of, besides days, numbers and what was named before it."""
    if _NOTHING_NAMED.match(text) is not None:
        return False
    words = naming_words(text)
    return len(words) > 1 or (len(words) == 1 and _ONE_WORD_OF_IT.search(text) is None)


def naming_words(text: str) -> list[str]:
    """Return the words of a text that name something: no pronouns, days, numbers, nor those of grammar."""
    return [word for word in _WORD.findall(text.lower().replace("’", "'")) if word not in _EMPTY]
