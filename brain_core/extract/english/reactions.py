"""Allergies told by what they do: "kiwi makes my throat swell up", "I come out in a rash from penicillin"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.others import A_PERSON, ANYBODY, FOOD, NO_PERSON
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import clean, topic
from brain_core.extract.english.vocabulary import kin_of, pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression, group_of

_LONGEST = 60


def _own(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    what, text = _thing(match), scene.clause.text
    if not what or _OVER.search(text) or (supposed(scene) and not _WHEN_TAKEN.search(match[0])):
        return
    if match["what0"] and not _HARM.search(scene.clause.whole[match.end() :]):
        return
    told = clean(text[max(match.start("what"), 0) :])
    yield Found({"scope": "other", "name": f"allergy_{topic(what, 2)}", "value": told}, span=(0, len(text)))


def _of_another(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what somebody else reacts to as knowledge of this person."""
    groups = match.groupdict()
    kin, called = group_of(match, "kin"), group_of(match, "called")
    name = groups.get("name") or groups.get("name5") or groups.get("lower") or ""
    if groups.get("lower") and _CAPITAL.search(scene.message):
        return
    if name and (name.lower() in NO_PERSON or name.capitalize() in ANYBODY or _NO_NAME.fullmatch(name)):
        return
    what = _thing(match)
    if what and not supposed(scene) and not _OVER.search(scene.clause.text):
        who = slug(f"{kin_of(kin)} {called}".strip()) if kin else slug(name)
        text = scene.clause.text
        value = {"kind": "fact", "slug": slug(f"{who}_allergy_{topic(what, 2)}", _LONGEST), "content": clean(text)}
        yield Found(value, type="knowledge", span=(0, len(text)))


def _thing(match: re.Match[str]) -> str:
    """Return what is reacted to, empty where nothing that one eats, takes or touches is named."""
    what = group_of(match, "what")
    return "" if _NO_THING.match(what) else what


_NO_THING = pattern(
    r"(?:it|this|that|these|those|he|she|they|you|work|stress|nothing|something|everything|anything|which|what|who|"
    r"(?:the |my |this |that )?(?:thought|idea|sight|film|movie|song|music|news|story|joke|boss|job|meeting|"
    r"running|walk|gym|workout|exercise|crying|laughing|deadline|weather|cold|heat|code|bug|error|coughing|"
    r"shouting|singing|talking|embarrassment|nerves|anger)s?)\b|.*\b(?:of|about|when|thinking)\b"
)
_OVER = pattern(
    r"\b(?:used to|no longer|any ?more|never|not|doesn['’]t|don['’]t|didn['’]t|as a (?:kid|child)|like a|"
    r"metaphorically)\b|\?$"
)
_WHEN_TAKEN = pattern(r" if i ")
"""What happens each time, not what may be."""
_HARM = pattern(r"\b(?:hospital|a&e|shock|epi-?pen|swell|stop breathing|rash|hives|throat)\b")
_NO_NAME = pattern(r"i|we|you|he|she|they|it|that|this|people|dogs|cats|kids|one|some|most|many|then|now|\w+s")
_CAPITAL = Expression(r"(?<![A-Za-z])(?!I\b)[A-Z]")
_PART = r"(?:throat|lips?|mouth|tongue|face|eyes|airways?|gums)"
_SWELLS = r"(?:swell(?: up)?|itch(?:y)?|close(?: up)?|tingle|go numb|puff up|swollen|tighten)\b"
_RASH = r"(?:hives|an? (?:\w+ )?rash|anaphylaxis|an allergic reaction|welts)"
_WHAT = r"[a-z][\w -]{2,40}?"
_EATS = r"(?:eat|have|touch|drink|take|get|use|wear)"
_ANOTHER = A_PERSON.replace("<kin>", "<kin5>").replace("<called>", "<called5>")
RULES = (
    Rule("reacts_to", "preferences",
        "makes make gives give rash hives swells swell shock anaphylactic anaphylaxis react itches itch closes kill "
        "can't cannot",
        pattern(
            rf"^(?:[a-z][\w ]{{3,30}}, )?(?P<what>{_WHAT}) (?:always |just |really )?makes? my {_PART} {_SWELLS}|"
            rf"^(?P<what2>{_WHAT}) (?:always )?(?:gives? me|brings? me out in) {_RASH}|"
            rf"^i (?:always )?(?:come|break|came) out in {_RASH} (?:from|with|to|when(?:ever)? i {_EATS}|if i {_EATS}) "
            rf"(?P<what3>{_WHAT})$|"
            rf"^i (?:get|got) {_RASH} (?:from|when(?:ever)? i {_EATS}|if i {_EATS}) (?P<what4>{_WHAT})$|"
            rf"^i go into (?:anaphylactic )?shock (?:from|when(?:ever)? i {_EATS}|if i {_EATS}) (?P<what5>{_WHAT})$|"
            rf"^my {_PART} (?:swells?(?: up)?|itch(?:es)?|closes?(?: up)?) (?:from|when(?:ever)? i {_EATS}|if i "
            rf"{_EATS}) "
            rf"(?P<what6>{_WHAT})$|"
            rf"^i swell up (?:from|when(?:ever)? i {_EATS}|if i {_EATS}) (?P<what8>{_WHAT})$|"
            rf"^(?P<what9>{FOOD}) (?:could|would|will|nearly|almost) kill(?:ed)? me$|"
            rf"^(?:i )?(?:can['’]t|cannot) (?:do|have|eat|touch) (?P<what0>{FOOD})$|"
            rf"^i react (?:really |very )?(?:badly |strongly )?to (?P<what7>{FOOD})"), _own, vital=True),
    Rule("another_reacts_to", "knowledge", "reacts react gives rash hives breaks comes makes can't cannot swells",
        pattern(
            rf"^(?:(?-i:{A_PERSON})|(?P<name>(?-i:[A-Z][\w’'-]*\w))) reacts? (?:really |very )?(?:badly |strongly )?"
            rf"to (?P<what>{FOOD}).{{0,60}}$|"
            rf"^(?:(?-i:{_ANOTHER})|(?P<name5>(?-i:[A-Z][\w’'-]*\w))) (?:breaks|comes) out in {_RASH} (?:from|when "
            rf"(?:he|she) {_EATS}s?) (?P<what5>{_WHAT})$|"
            rf"^(?P<what2>{_WHAT}) (?:always )?(?:gives|give) (?:my|our) (?P<kin2>\w+) {_RASH}|"
            rf"^(?P<what3>{_WHAT}) makes? (?:my|our) (?P<kin3>\w+)['’]s {_PART} {_SWELLS}|"
            rf"^(?P<lower>(?-i:[a-z]{{3,12}})) (?:can['’]t|cannot) (?:have|eat|touch|drink) (?P<what4>{FOOD})$"),
        _of_another, vital=True),
)  # fmt: skip
