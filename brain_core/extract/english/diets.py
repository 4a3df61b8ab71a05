"""A diet that is another now ("veggie, not vegan"), and what is left out for the harm it does ("no nuts, it hurts")."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.others import FOOD
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import clean, preference, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import group_of


def _another(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read which diet the user keeps instead of the known one."""
    new, old = group_of(match, "new"), group_of(match, "old")
    before = scene.clause.text[: match.start()]
    if supposed(scene) or _OF_ANOTHER.search(before) or _THEY.search(before) or _same(new) == _same(old):
        return
    for item in scene.known.active("preferences"):
        value = value_of(item)
        if value.get("name") == "diet" and _same(old) in {_same(word) for word in _DIETS.findall(str(value["value"]))}:
            told = {"scope": "other", "name": "diet", "value": f"I'm {_same(new)}"}
            yield Found(told, span=(0, len(scene.clause.text)))


def _same(diet: str) -> str:
    return "vegetarian" if diet.lower() in {"veggie", "vegetarian", "veg"} else diet.lower()


def _without(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read food that is left out because it harms the user: all of it under the name of the first."""
    whole = clean(scene.clause.whole)
    if _HARMS.search(whole) and not (supposed(scene) or _OF_ANOTHER.search(whole)):
        name = f"diet_without_{topic(match['what'], 2)}"
        yield Found(preference(whole, whole, name=name), span=(0, len(scene.clause.whole)))


_DIET = r"(?:vegan|vegetarian|veggie|pescatarian|flexitarian)"
_DIETS = pattern(rf"\b{_DIET}\b")
_OF_ANOTHER = pattern(
    r"\b(?:he|she|his|her|him|my (?!gut|stomach|tummy|belly|bowels?|skin|crohn|ibs|reflux|guts|insides|head|"
    r"migraines?|consultant|doctor|gp|doc|dietitian|dietician|body|system|digestion)[a-z]+|(?-i:[A-Z])[a-z]+['’]s)\b"
)
_THEY = pattern(r"\b(?:they|their|them)\b")
_NOW = r"(?: (?:now|these days|instead))?"
_HARMS = pattern(
    r"\b(?:wrecks?|upsets?|hurts?|kills?|messes|triggers?|flares?|irritates?|inflames?|bloats?|can['’]?t (?:digest|"
    r"tolerate|handle|have)|bad for (?:me|my)|makes? me (?:ill|sick|bloated|itch|poorly)|set(?:s|ting)? (?:(?:me|my|"
    r"it) )?off|"
    r"(?:doctor|doc|gp|consultant|dietitian|dietician)(?:['’]s| has)? (?:says?|said|told|orders?))"
)
RULES = (
    Rule("another_diet", "preferences", "not more", pattern(
        rf"\b(?P<new>{_DIET}){_NOW},? (?:and |so |but )?(?:not|rather than|instead of|"
        rf"no longer) (?:an? )?(?P<old>{_DIET})\b|"
        rf"\b(?:not|no longer) (?:an? )?(?P<old2>{_DIET})(?: any ?more| any longer| now| these days)*[,.;–—-]* "
        rf"(?:just |but |only |more |i['’]?m |i am |now |a |an )+(?P<new2>{_DIET})\b"),
        _another, vital=True),
    Rule("no_food_it_harms", "preferences", "no", pattern(
        rf"^(?:so |and |also |oh )*no (?P<what>{FOOD}|seeds|popcorn|fibre|lentils|beans|spicy \w+)"
        rf"(?:(?:,| or| and|, and)? (?:no )?(?:{FOOD}|(?:energy|fizzy|soft) drinks|\w+))"
        rf"{{0,6}}(?: for me)?(?=[,;:(–—-]|$| because| since| as |"
        rf" cos )"),
        _without, vital=True),
)  # fmt: skip
