"""Of whom one may have several, each with a key of its own: children, siblings, pets, languages.

The first has the plain key ("brother", "dog"); another one, by its name or its place among them, one with that in it
("brother_jim", "sister_younger_lives"). A sentence that gives the only one another name renames it.
"""

from __future__ import annotations

from functools import lru_cache

from brain_core.extract.english.vocabulary import ANIMALS, NOT_NAMES, pattern
from brain_core.extract.known import Known, known_facts
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

_LONGEST = 64
_MANY = (
    "stepdaughter", "stepson", "goddaughter", "godson", "daughter", "son", "child", "brother", "sister", "uncle",
    "aunt", "cousin", "niece", "nephew", "grandmother", "grandfather", *ANIMALS,
)  # fmt: skip
_RELATIVE = r"(?:step|god)?(?:daughter|son)|child|brother|sister|uncle|aunt|cousin|niece|nephew"
_NAMED = Expression(
    r"\b(?i:called|named|names? (?:is|are))\s+([A-Z][\w’'-]*\w)|"
    rf"\b(?i:{_RELATIVE}|grand\w+|dog|cat|puppy|"
    r"kitten|parrot|rabbit|hamster|horse|pony|labrador|poodle|beagle|terrier),? ([A-Z][\w’'-]*[a-z])|"
    r"(?:['’]s|\bis) ([A-Z][\w’'-]*[a-z])(?=$|,| and\b)"
)
_FURTHER = pattern(r"\b(?:another|other|second|third|also|too|as well)\b|^(?:i|we)(?:['’]ve)? (?:have|got|also)\b")
_PLACE = pattern(
    r"\b(older|elder|eldest|oldest|younger|youngest|middle|little|big|other|another|second|third) (?:\w+[- ])?"
    rf"(?:{_RELATIVE}|dog|cat|rabbit|horse)\b"
)
_PLACES = {
    "elder": "older", "eldest": "oldest", "another": "other", "second": "other", "big": "older", "little": "younger",
}  # fmt: skip
_CHANGED = pattern(r"\b(?:now|renamed|from now on)\b")


def own(k: str, text: str, known: Known) -> str:
    """Return the key of a fact that a text tells under the name k: its own where that name is another's."""
    if k == "language":
        return _of_language(text, known)
    root = next((each for each in _MANY if k == each or k.startswith(f"{each}_")), "")
    facts = dict(known_facts(known)) if root else {}
    name, place, side = name_in(text), _place_in(text), k[len(root) :]
    for mark in (name, place):
        if mark and (marked := slug(f"{root}_{mark}{side}", _LONGEST)) in facts:
            return marked
    held = facts.get(k)
    if held is None or not _is_another(held, text, side):
        return k
    return slug(f"{root}_{name or place or 'other'}{side}", _LONGEST)


def _is_another(held: str, text: str, side: str) -> bool:
    """Return whether a text tells of another one than what is held under its plain key."""
    if _CHANGED.search(text) is not None:
        return False
    name, held_name, place, held_place = name_in(text), name_in(held), _place_in(text), _place_in(held)
    if name and held_name:
        apart = bool(place) and place != held_place
        return name != held_name and (apart or bool(side) or _FURTHER.search(text) is not None)
    if place == "other" or (place and held_place):
        return place != held_place
    return bool(place) and not name and bool(held_name)


@lru_cache(maxsize=1024)
def name_in(text: str) -> str:
    """Return the name of whom a text tells, empty where it names nobody."""
    found = _NAMED.search(text)
    name = "" if found is None else next(each for each in found.groups() if each)
    return "" if name.lower() in NOT_NAMES else name.removesuffix("'s").removesuffix("’s")


def _place_in(text: str) -> str:
    found = _PLACE.search(text)
    return "" if found is None else _PLACES.get(found[1].lower(), found[1].lower())


def _of_language(text: str, known: Known) -> str:
    """Return the key of languages that one speaks: that of those which are all named again, else one of their own."""
    told = _languages(text)
    held = {k: v for k, v in known_facts(known) if k == "language" or k.startswith("language_")}
    for k, v in held.items():
        if _languages(v) <= told or (_NATIVE.search(v) and _NATIVE.search(text)):
            return k
    return "language" if "language" not in held else slug(f"language_{min(told, default='other')}", _LONGEST)


def _languages(text: str) -> frozenset[str]:
    named = {word.capitalize() for word in _OF_SPEAKING.findall(text)}
    return frozenset(named | set(_CAPITALISED.findall(text)) - {"My", "I", "The"})


LANGUAGE = (
    r"(?:english|german|french|spanish|portuguese|italian|dutch|swedish|norwegian|danish|finnish|polish|czech|russian|"
    r"ukrainian|greek|turkish|arabic|hebrew|hindi|urdu|bengali|tamil|mandarin|cantonese|chinese|japanese|korean|"
    r"vietnamese|thai|welsh|irish|catalan|romanian|hungarian|swahili|farsi|persian|tagalog|indonesian|malay)"
)
_OF_SPEAKING = pattern(rf"\b{LANGUAGE}\b")
_CAPITALISED = Expression(r"\b[A-Z][a-z]+\b")
_NATIVE = pattern(r"\b(?:native|mother|first)\b")
