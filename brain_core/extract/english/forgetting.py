"""Requests to forget: "forget my address", "please delete my phone number from your memory"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.denials import deny
from brain_core.extract.english.slots import FILLERS
from brain_core.extract.english.target import Target, targets
from brain_core.extract.english.vocabulary import kin_of, pattern
from brain_core.extract.known import words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.words import terms

_CALLED = {
    "home": "address home live lives where",
    "employer": "employer job work workplace company where",
    "work": "job work employer where",
    "role": "job work role profession occupation",
    "birthday": "birthday birth date born age",
    "phone_number": "phone number mobile telephone",
    "email": "email e-mail mail address",
    "marital_status": "marriage married marital status",
    "language": "language languages speak",
}
"""By what else a fact of the profile may be called."""
_OF_SLOTS = {
    "medicine": "medicine medicines medication medications pills meds drugs tablets take",
    "health": "health condition conditions illness",
    "allergy": "allergy allergies allergic",
    "pet": "pet pets",
    "kin": "family",
}
_OF_TYPES = {
    "goals": "goal",
    "preferences": "preference",
    "decisions": "decision",
    "tasks": "task reminder",
    "events": "event",
}
_SAYS_NO_MORE = FILLERS | frozenset(
    terms(
        "my mine our i we me am is are was have has had the a an to of in on at for with by from as called named name "
        "names number details information info data fact facts part bit stuff saved note notes mention mentioned like "
        "likes love hate prefer use email mail address date diet"
    )
)
"""Terms that name nothing beside one that does; alone they may."""


def _forget(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read which known items and facts are to be forgotten: all that the request names, and nothing where it is vague.

    From a list, a letter or a file the user wants something taken out of there.
    """
    asked = next(text for text in match.groups() if text).strip()
    what = _TOLD.sub("", asked)
    if _ELSEWHERE.search(what) or not (_OWN.match(what) or what != asked) or (match["a"] and _goes_on(scene)):
        return
    wanted = set(terms(what.replace("'s", ""))) - _SPEAKERS
    known = list(targets(scene))
    called = [told for told in known if _is_called(told, wanted)]
    about = {_root(told) for told in called if _EVERYTHING.match(asked)} - {""}
    for told in known:
        if told in called or _root(told) in about:
            yield from deny(told, scene)


def _goes_on(scene: Scene) -> bool:
    """Return whether the sentence says what to do instead: "forget my car, I'll walk" is of now."""
    clause = scene.clause
    after = clause.sentence[clause.sentence.find(clause.text) + len(clause.text) :]
    return not _OVER.fullmatch(after)


def _root(told: Target) -> str:
    """Return of whom a fact is, empty for those that are of nobody but the user."""
    kin = told.fact is not None and told.slot.name in {"kin", "pet"}
    return str(told.fact["k"]).partition("_")[0] if told.fact is not None and kin else ""


def _is_called(told: Target, wanted: set[str]) -> bool:
    names, said = _names(told), words_of(told.said)
    naming = wanted - _SAYS_NO_MORE or wanted
    if told.slot.name in {"kin", "pet"} and not naming & (names | told.value):
        return False
    return bool(naming) and naming <= names | said and bool(wanted & (names | told.value))


def _names(told: Target) -> frozenset[str]:
    """Return the terms by which a fact may be called without its value."""
    k = "" if told.fact is None else str(told.fact["k"])
    sort = _OF_TYPES.get(told.item.type, "")
    called = f"{k.replace('_', ' ')} {_CALLED.get(k, '')} {_OF_SLOTS.get(told.slot.name, '')} {sort}"
    if told.slot.name in {"kin", "pet"}:
        called += " " + " ".join(word for word in _WORD.findall(told.said) if kin_of(word) == k.partition("_")[0])
    return frozenset(terms(called))


_WORD = pattern(r"[a-z]+")
_SPEAKERS = frozenset(terms("my our the i we me that about"))
_EVERYTHING = pattern(r"(?:everything|anything|all) about")
_OVER = pattern(r"\W*(?:please|pls|thanks|thank you|ok|okay|now)?\W*")
_TOLD = pattern(
    r"^(?:about |the fact |everything about |anything about |all about |what (?:i|you know|you have|"
    r"you've got) (?:said |"
    r"told you |saved |stored )?(?:about |on )|(?:that )?i(?: ever| have|'ve)?(?: ever)? (?:told you|said|mentioned) "
    r"(?:you )?(?:that |about )?)*(?:that (?=i\b|we\b|my\b|our\b))?"
)
_OWN = pattern(r"(?:my|our|mine|i|i'm|i've|we|where i|where we|what i|how old i)\b")
_ELSEWHERE = pattern(
    r"\b(?:from|off|on|in|to) (?:the|this|that|my|our|a) (?:list|letter|form|e-?mail|mail|text|draft|document|doc|file|"
    r"table|message|page|cv|resume|signature|invoice|spreadsheet|calendar|contract|report|post|site|website)\b"
)
ASKING = r"(?:(?:please|pls|kindly|now|so|ok|and|can you|could you|would you|you can|i'd like you to|i want you to) )*"
"""Before the verb of a request, in a pattern."""
ERASE = "(?:delete|remove|erase|wipe|clear|purge|scrub|drop)"
_YOURS = r"(?:from|in|out of) (?:(?:your|the|my) )?(?:memory|memories|records?|notes|files|database|storage|head|mind)"
RULES = (
    Rule("forget", "", "forget delete remove erase wipe clear purge scrub drop remember remembering store storing keep",
        pattern(
            rf"^{ASKING}(?:forget (?P<a>(?!to\b|it\b|that$|this\b)(?!that (?:last|one|task|reminder|"
            rf"note)\b).{{3,120}}?)"
            rf"(?: {_YOURS})?(?: please| now| then)*$|"
            rf"{ERASE} (?P<b>.{{3,100}}?) {_YOURS}\b(?: please)?|"
            r"(?:stop (?:remembering|storing|keeping)|(?:don't|don’t|do not) (?:remember|store|save)) "
            r"(?P<c>(?:my|that i|where i) .{2,100}?)(?: any ?more| any longer| please)*$|"
            r"i (?:don't|don’t|do not) want you to (?:remember|know|store|keep|save) (?P<d>(?:my|that i|where i) "
            r".{2,100}?)(?: any ?more| any longer| please)*$)"),
        _forget, insists=True, vital=True),
)  # fmt: skip
