"""Of what sort a known fact is, and by which words a sentence speaks of that sort."""

from __future__ import annotations

from dataclasses import dataclass

from brain_core.extract.english.vocabulary import ANIMALS, PARTNER, pattern
from brain_core.text.words import terms


@dataclass(frozen=True, slots=True)
class Slot:
    """A sort of facts. words: terms that say it. said: whether one of them must be said besides the value."""

    name: str
    words: frozenset[str]
    said: bool = False


def _slot(name: str, words: str, *, said: bool = False) -> Slot:
    return Slot(name, frozenset(terms(words)), said)


FILLERS = frozenset(
    terms(
        "any more anymore longer no not never now actually really just finally also still even ever all after at "
        "doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't can't couldn't wouldn't shouldn't "
        "again though anyway instead back up off out over down thing things idea stuff whole entire complete "
        "completely "
        "officially basically totally cancel cancelled canceled scrapped dropped drop dead shelved axed binned bin "
        "abandoned happening history moot withdrawn void question fell fallen through obsolete outdated sorted point "
        "reason bother worry skip forget leave left give gave given giving pulled backed bailed bowed opted against "
        "decided pursuing pursue chasing doing done stop stopped quit ended end sold got get rid need needed said told "
        "about ago anything something everything either user i'm we're it's true valid current date will won't "
        "about so what please remind reminder let lets fact"
    )
)
"""Terms of denials and of talk, which name nothing."""

_HOME = _slot("home", "live living lived lives based reside resided home address moved move")
_BORN = _slot("birth", "born birth grew raised from origin originally come")
_WORK = _slot("work", "work working worked works job employed employer company role position")
_ALLERGY = _slot("allergy", "allergic allergy allergies intolerant intolerance", said=True)
_MEDICINE = _slot(
    "medicine", "take taking took takes need use using prescribed medicine medication pills tablets dose on"
)
_HEALTH = _slot("health", "suffer diagnosed diagnosis condition health")
_LANGUAGE = _slot("language", "speak speaking language languages fluent fluently")
_TASTE = _slot(
    "taste",
    "like likes love loves loved hate hates enjoy prefer prefers preferred favourite favorite fan into eat "
    "eating drink "
    "drinking listen listening watch watching want",
)
_USE = _slot("use", "use using used uses prefer prefers preferred want like favourite favorite go work mode")
_NAME = _slot("name", "name names named called call")
_KIN = _slot("kin", "name named called call")
_PET = _slot("pet", "own keep name named called call")
_DOING = _slot(
    "doing", "plan planning planned want go going do try trying need decide decided goal task keep use using"
)
_ENTITY = _slot("entity", "")
_BY_KEY = {
    "home": _HOME, "floor": _HOME, "birth": _BORN, "origin": _BORN, "employer": _WORK, "work": _WORK, "role": _WORK,
    "name": _NAME,
}  # fmt: skip
_BY_PREFIX = (("medicine", _MEDICINE), ("health", _HEALTH), ("language", _LANGUAGE))
_THINGS = frozenset(
    (  # noqa: SIM905
        "doctor gp dentist therapist physio vet boss manager supervisor landlord landlady teacher tutor coach trainer "
        "lawyer accountant barber hairdresser neighbor roommate flatmate best_friend gym bank school university "
        "insurer "
        "church club car bike motorbike van phone laptop computer camera tablet phone_number email e-mail username age "
        "birthday timezone time_zone pronouns shoe_size marital_status children siblings household"
    ).split()
)
"""Facts of the profile of which one has one at a time, as `person.py` and `profile.py` name them."""
OWNED = frozenset({"pet", "thing", "doing", "health"})
"""What one has: of it "I don't have … any more" is a denial."""

_OF_ALLERGY = pattern(r"\ballerg|\bintoleran")
_OF_USE = pattern(r"\b(?:use|using|uses|mode|theme|editor)\b")
_A_PET = pattern(rf"(?:pet|{'|'.join(ANIMALS)}|hens|chickens|bees)s?(?:_.*)?")
_A_RELATIVE = pattern(
    rf"(?:{PARTNER}|sons?|daughters?|child(?:ren)?|mother|father|"
    r"brothers?|sisters?|grandmother|grandfather|uncle|aunt|cousin|niece|nephew|twins?|parents|in_laws|step\w+|"
    r"toddler|baby|family|siblings|godson|goddaughter|ex|teenager)(?:_.*)?"
)


def slot_of(item_type: str, name: str, said: str) -> Slot:
    """Return the sort of a fact. name: its key in a profile, or that of a preference."""
    if item_type == "preferences":
        if _OF_ALLERGY.search(f"{name.replace('_', ' ')} {said}"):
            return _ALLERGY
        return _USE if _OF_USE.search(f"{name.replace('_', ' ')} {said}") else _TASTE
    if item_type != "profile":
        return _ENTITY if item_type == "entities" else _DOING
    return _of_profile(name, said)


def is_pet(k: str) -> bool:
    """Return whether a fact of the profile is of a pet."""
    return _A_PET.fullmatch(k) is not None


def _of_profile(k: str, said: str) -> Slot:
    for prefix, slot in _BY_PREFIX:
        if k.startswith(prefix):
            return slot
    if is_pet(k):
        return _PET
    if _A_RELATIVE.fullmatch(k):
        return Slot(_KIN.name, _KIN.words | set(terms(_of_whom(k, said))))
    if k in _THINGS:
        return _slot("thing", f"{k.replace('_', ' ')} own use using drive driving bank banking name called")
    return _BY_KEY.get(k, _DOING)


def _of_whom(k: str, said: str) -> str:
    """Return the words for a relative, which name nobody: most have one."""
    found = _WHOSE.search(said)
    return f"{k.replace('_', ' ')} {'' if found is None else found[1]}"


_WHOSE = pattern(r"\b(?:my|our|an?) (?:(?:older|younger|little|big|twin|eldest|oldest|youngest|new) )?(\w+)")
