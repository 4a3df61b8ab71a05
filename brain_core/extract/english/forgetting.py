"""Requests to forget: "forget my address", "delete what you know about my diet", "forget Rex", and "scratch that"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.called import is_a_name, of_name
from brain_core.extract.english.denials import deny
from brain_core.extract.english.slots import FILLERS
from brain_core.extract.english.target import Target, of_the_user, targets
from brain_core.extract.english.vocabulary import kin_of, pattern
from brain_core.extract.known import value_of, words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.taken_back import NOBODY_KNOWN, NOT_KNOWN, taken_back
from brain_core.text.words import terms

_KNOWN_OF = (
    r"(?:everything|anything|all|what(?:ever)?|(?:all )?(?:the |any |my )?(?:information|info|data|details|facts|"
    r"memories|notes))(?: that)?(?: (?:you(?:['’]ve| have)? (?:know|have|got|remember|saved|stored|learn(?:ed|t)|kept|"
    r"noted)|i(?:['’]ve| have)? (?:ever )?(?:told you|said)))? (?:about|on|of)"
)
"""What a request calls all that is known of something, in a pattern."""
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
_MATTERS = {"medicine": "health medical", "allergy": "health medical", "health": "medical", "taste": "taste tastes"}
_DIET = "diet food eating eat meals nutrition habits"
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
    asked, what = _named(match)
    if _ELSEWHERE.search(what) or (match["a"] and _goes_on(scene)):
        return
    if (what != asked and _ALL_OF_ONE.fullmatch(what)) or _ALL_DATA.fullmatch(what):
        yield from (found for told in targets(scene) if _is_of_the_speaker(told, scene) for found in deny(told, scene))
        return
    about = list(of_name(what, scene))
    if not about and (_OWN.match(what) or what != asked):
        about = _of_matter(what, asked, scene)
    for told in about:
        yield from deny(told, scene)


def _of_matter(what: str, asked: str, scene: Scene) -> list[Target]:
    """Return what is known of the user's under a name: their address, their job, all about their wife."""
    matter = _MATTER_OF.search(asked) is not None
    wanted = set(terms(what.replace("'s", ""))) - _SPEAKERS
    known = list(targets(scene))
    called = [told for told in known if _is_called(told, wanted, matter=matter)]
    about = {_root(told) for told in called if matter} - {""}
    return [told for told in known if told in called or _root(told) in about]


def _named(match: re.Match[str]) -> tuple[str, str]:
    """Return what a request names as it stands, and without the words that lead to it."""
    asked = _FOR_IT_IS_GONE.sub("", next(text for text in match.groups() if text).strip())
    return asked, _TOLD.sub("", asked)


def _is_of_the_speaker(told: Target, scene: Scene) -> bool:
    """Return whether something is about who speaks: not what everybody shares, nor what is told of a project."""
    own = scene.known if scene.own is None else scene.own
    if told.item.type == "entities" or not any(told.item is item for item in own.active(told.item.type)):
        return False
    if told.item.type in _OF_ONE:
        return True
    return told.item.type != "decisions" and of_the_user(told.said)


def _unmet(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Say that nothing is known of what is asked to be forgotten, where that is surely asked of the memory."""
    asked, what = _named(match)
    if _ELSEWHERE.search(what) or (match["a"] and _goes_on(scene)):
        return
    if what != asked or is_a_name(what) or _ALL_DATA.fullmatch(what):
        yield Found({}, unmet=NOBODY_KNOWN if is_a_name(what) else NOT_KNOWN, span=(0, len(scene.clause.text)))


def _scratched(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read "Scratch that." of what was said just before."""
    if _SCRATCH.fullmatch(scene.clause.sentence.strip()) is not None:
        yield from taken_back(scene)


def _goes_on(scene: Scene) -> bool:
    """Return whether the sentence says what to do instead: "forget my car, I'll walk" is of now; not ", we sold it"."""
    clause = scene.clause
    after = clause.sentence[clause.sentence.find(clause.text) + len(clause.text) :]
    return not (_OVER.fullmatch(after) or _IS_GONE.fullmatch(after))


def _root(told: Target) -> str:
    """Return of whom a fact is, empty for those that are of nobody but the user."""
    kin = told.fact is not None and told.slot.name in {"kin", "pet"}
    return str(told.fact["k"]).partition("_")[0] if told.fact is not None and kin else ""


def _is_called(told: Target, wanted: set[str], *, matter: bool) -> bool:
    """Return whether something is called by terms. matter: whether they may name what it is about, as a diet."""
    names, said = _names(told), words_of(told.said)
    names = names | _matters(told) if matter else names
    naming = wanted - _SAYS_NO_MORE or wanted
    if told.slot.name in {"kin", "pet"} and not naming & (names | told.value):
        return False
    return bool(naming) and naming <= names | said and bool(wanted & (names | told.value))


def _matters(told: Target) -> frozenset[str]:
    """Return the terms of the matter that a fact is of."""
    name = str(value_of(told.item).get("name", "")) if told.item.type == "preferences" else ""
    eats = name.startswith("diet") or (told.slot.name == "taste" and _EATS.search(told.said) is not None)
    return frozenset(terms(f"{_MATTERS.get(told.slot.name, '')} {_DIET if eats else ''}"))


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
_EATS = pattern(r"\b(?:eat|eats|eating|vegan|vegetarian|pescatarian|kosher|halal|coeliac|celiac|[\w-]+[- ]free)\b")
_ALL_OF_ONE = pattern(r"me|myself|us|ourselves")
_ALL_DATA = pattern(r"all (?:of )?(?:my|our) (?:personal |private )?(?:data|information|info|details|memories)")
_OF_ONE = frozenset({"profile", "preferences", "goals", "events"})
"""Types of what is about who has told it."""
_MATTER_OF = pattern(rf"{_KNOWN_OF}\b")
_OVER = pattern(r"\W*(?:please|pls|thanks|thank you|ok|okay|now)?\W*")
_GONE = (
    r"(?:(?:i|we|they|he|she|someone|somebody)(?:['’]ve|['’]s| have| has)?(?: just| since| now| finally| already)? "
    r"(?:sold|returned|scrapped|binned|donated|ditched|lost|cancel?led|stole|gave|got rid of|threw|traded) "
    r"(?:it|them|that|him|her|both|of)\b(?: (?:all|both|out|away|off|back|in|to (?!the\b)[\w’']+(?: [\w’']+)?))?|"
    r"(?:it|that|this|they|those|he|she)(?:['’](?:s|re|ve)| is| are| was| were| has| have)?(?: all| both| just| now)? "
    r"(?:gone|sold|dead|wrong|outdated|out of date|obsolete|a mistake|a joke|been (?:sold|stolen|scrapped|cancel?led)|"
    r"(?:no longer|not) (?:so|true|right|correct|the case|valid|ours|mine))|"
    r"(?:it|that|this|they|those) (?:is|are|was|were)n['’]t (?:so|true|right|correct|the case|valid|ours|mine)|"
    r"(?:i|we) (?:do not|don['’]t) (?:have|own|need|use) (?:it|them|that|one) any ?more|"
    r"(?:i|we) no longer (?:have|own|need|use) (?:it|them|that|one)|"
    r"(?:i|we)(?: was| were|['’]ve been| have been)? (?:wrong|mistaken|misspoke|made (?:it|that) up))"
    r"(?: any ?more)?(?: (?:yesterday|today|recently|already|(?:last|this) \w+|(?:\w+ ){1,3}ago|"
    r"(?:in|on|since) (?-i:[A-Z])\w+))?"
)
"""Says of what is named before that it is no more, or never was so, in a pattern: "we sold it last week"."""
_SINCE = r"(?:because|since|as|cause|cos|for)"
_IS_GONE = pattern(rf"[\s,;:.–—-]+(?:(?:{_SINCE}|and) )?{_GONE}(?:(?:,| (?:to|and|so)\b).*|[\s.!]*)")
_FOR_IT_IS_GONE = pattern(rf",? {_SINCE} {_GONE}[\s.!]*$")
_TOLD = pattern(
    rf"^(?:{_KNOWN_OF} |about |the fact |what (?:i (?:saved |stored )?|"
    r"you have (?:said |told you )|(?:you know|you've got) (?:said |told you |saved |stored ))(?:about |on )|"
    r"(?:that )?i(?: have|'ve)?(?: ever)? (?:told you|said|mentioned) (?:you )?"
    r"(?:that |about )?+)*(?:that (?=i\b|we\b|my\b|our\b))?"
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
_CUES = "forget delete remove erase wipe clear purge scrub drop remember remembering store storing keep"
_ASKED = pattern(
    rf"^{ASKING}(?:forget (?P<a>(?!to\b|it\b|that$|this\b)(?!that (?:last|one|task|reminder|"
    rf"note)\b).{{3,120}}?)"
    rf"(?: {_YOURS})?(?: please| now| then)*$|"
    rf"{ERASE} (?P<b>.{{3,100}}?) {_YOURS}\b(?: please)?|"
    rf"{ERASE} (?P<e>{_KNOWN_OF} (?:me|us|my|our|where i|how|(?-i:[A-Z])).{{0,100}}?|"
    r"all (?:of )?(?:my|our) (?:personal |private )?(?:data|information|info|details|memories))"
    r"(?: please| now)*$|"
    r"(?:stop (?:remembering|storing|keeping)|(?:don't|don’t|do not) (?:remember|store|save)) "
    r"(?P<c>(?:my|that i|where i) .{2,100}?)(?: any ?more| any longer| please)*$|"
    r"i (?:don't|don’t|do not) want you to (?:remember|know|store|keep|save) (?P<d>(?:my|that i|where i) "
    r".{2,100}?)(?: any ?more| any longer| please)*$)"
)
_SCRATCH = pattern(
    r"(?:(?:oh|no|wait|sorry|oops|hmm?|actually|hang on|hold on|please|ok|well)[,.! ]+)*(?:"
    r"(?:scratch|strike|disregard|ignore|forget|undo) (?:that|what i (?:just )?said|my last (?:message|sentence))|"
    r"i take (?:that|it|what i said) back|"
    r"(?:don['’]?t|do not) (?:save|store|remember|record|note|keep) (?:that|this|it|what i (?:just )?said)|"
    r"(?:(?:(?:never ?mind|scratch that|my (?:bad|mistake)|i was wrong)[,.!;—– -]+)+(?:i was wrong|i misspoke|"
    r"that(?:['’]s| is| was) (?:wrong|not (?:right|true|correct)|incorrect|a mistake)))|"
    r"i (?:misspoke|said that wrong|was wrong(?: about that)?)|that was (?:wrong|a mistake)(?: of mine)?)"
    r"(?:[,.! ]+(?:please|sorry|thanks|i was wrong|i misspoke|my (?:bad|mistake)|that(?:['’]s| was) wrong))*[.!… ]*"
)
RULES = (
    Rule("forget", "", _CUES, _ASKED, _forget, insists=True, vital=True),
    Rule("take_back", "", "scratch strike disregard ignore forget undo take back nevermind never mistake bad wrong "
        "save store remember record note keep "
        "misspoke said", pattern(r"^"), _scratched, insists=True, vital=True),
)  # fmt: skip
UNMET = (Rule("forget", "", _CUES, _ASKED, _unmet, insists=True, vital=True),)
"""After all others, of which one may know better what is meant."""
