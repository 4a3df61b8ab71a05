"""Denials in whatever words: that something known is off, over, not so after all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain_core.extract.english.mentioned import content, mentioned, newest
from brain_core.extract.english.replacing import replaced
from brain_core.extract.english.target import Target, denied, supposed, targets, targets_in
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import value_of, words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.replaced import denied as denial_of
from brain_core.text.expression import Expression


def deny(target: Target, scene: Scene) -> Iterator[Found]:
    """Yield the denial of what is known; of a profile, of the fact."""
    yield denial_of(target.item, target.fact, (0, len(scene.clause.text)))


def _denied(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read that what is spoken of holds no more."""
    yield from _no_more(scene, frozenset())


def _off(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read that something does not happen: what is done or used, not what one is or owns."""
    yield from _no_more(scene, CALLED_OFF)


def _no_more(scene: Scene, slots: frozenset[str]) -> Iterator[Found]:
    """Yield the denial of what a clause names; of "that" and "it" that of the newest item."""
    text = scene.clause.text
    target = denied(scene, text, slots)
    if target is None and not content(text) and _POINTS.search(text) and len(text.split()) <= _SHORT:
        target = denied(scene, scene.clause.sentence, slots) or _newest(scene)
    if target is not None and target.item.type == "tasks" and _TO_CANCEL.match(target.said) and _CANCELLED.search(text):
        fields = {name: part for name, part in value_of(target.item).items() if isinstance(part, str)}
        yield Found({**fields, "status": "done"}, type="tasks", span=(0, len(text)))
    elif target is not None:
        yield from deny(target, scene)


_TO_CANCEL = pattern(r"(?:cancel|call off|scrap)\b")
_CANCELLED = pattern(r"\b(?:cancell?ed|called off|scrapped)\b")
"""What was to be cancelled is done then."""


def _newest(scene: Scene) -> Target | None:
    item = newest(scene)
    told = [] if item is None or supposed(scene) else list(targets_in(item))
    return told[0] if len(told) == 1 else None


def _given_up(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what the user has given up; what another has, is not the user's."""
    before = scene.clause.text[: match.start()]
    if not before.strip() or _BY_THE_USER.search(before):
        yield from _no_more(scene, GIVEN_UP)


_BY_THE_USER = pattern(r"\b(?:i|we|i'm|we're|i've|we've)\b")


def _negated(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read a negated statement as the denial of a known one, where the user takes something back."""
    text = scene.clause.text
    if not (_TAKES_BACK.search(scene.clause.sentence) or _TAKES_BACK.search(scene.before)):
        return
    target = denied(scene, text)
    if target is None or _NEGATIVE.search(target.said):
        return
    named = next((old for old in _endings(text) if old in target.said), "")
    if _LEADS_ON.search(named):
        return
    instead = _INSTEAD.fullmatch(scene.clause.whole[len(text) :])
    if named and instead is not None:
        yield from replaced(target, named, instead["new"], scene)
    else:
        yield from deny(target, scene)


def _eaten_again(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that the user eats again what a diet left out: of a vegetarian's that is meat or fish, of a vegan's eggs."""
    if supposed(scene):
        return
    what = match["what"] or match["what2"]
    for told in targets(scene, ("preferences",)):
        name = str(value_of(told.item).get("name", ""))
        left_out = name.startswith("diet_") and bool(words_of(what) & words_of(name.replace("_", " ")))
        is_meat = _MEATLESS.search(told.said) and _MEAT.search(what)
        if left_out or (name == "diet" and (is_meat or ("vegan" in told.said.lower() and _OF_ANIMALS.search(what)))):
            yield from deny(told, scene)


_MEATLESS = pattern(r"\b(?:vegetarian|vegan|plant[- ]based|no meat)\b")
_OF_ANIMALS = pattern(r"\b(?:eggs?|milk|cheese|dairy|butter|cream|honey|yog(?:h)?urt)\b")
_MEAT = pattern(r"\b(?:meat|chicken|beef|pork|fish|bacon|steak)\b")


def _endings(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[place:]) for place in range(len(words))]


_LEADS_ON = pattern(r"\b(?:to|of|in|on|at|with|for|from|by)$")
"""Ends what names nothing: "it's not kiwi he's allergic to"."""
_INSTEAD = pattern(r"[,;]? (?:but )?it['’]?s (?P<new>[\w'’.&-]+(?: [\w'’.&-]+){0,3})")
"""What is so instead of what was negated."""


def _not_needed(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read what need not be done, or may be forgotten: of a task most of its words are enough."""
    found = list(_no_more(scene, frozenset()))
    item = None if found else mentioned(scene, scene.clause.text, 0.5, ("tasks",))
    yield from found if item is None else deny(next(targets_in(item)), scene)


CALLED_OFF = frozenset({"doing", "use"})
GIVEN_UP = frozenset({"doing", "use", "taste", "medicine", "work"})
_SHORT = 9
_POINTS = Expression(
    r"\b(?:it|that|this|those|them|the (?:whole )?(?:thing|plan|idea|trip|meeting|event))\b", re.IGNORECASE
)
_TAKES_BACK = Expression(
    r"\b(?:actually|no|nope|wait|sorry|correction|turns? out|after all|changed? (?:my|our) minds?|any ?more|any "
    r"longer|"
    r"i was (?:wrong|mistaken|thinking of|joking|confused)|mixed up|misspoke|mistake|wrong|never said|in fact|"
    r"hold on)\b",
    re.IGNORECASE,
)
_NEGATIVE = Expression(r"\b(?:not|never|no|don't|doesn't|can't|won't|isn't|aren't|avoid|hate)\b", re.IGNORECASE)
_OFF = (
    r"(?:cancell?ed|called off|off(?= the table|$|[,.]| now| after all| again)|scrapped|dropped|"
    r"dead(?! to me\b)|shelved|axed|"
    r"binned|"
    r"abandoned|not happening|no more|history|moot|withdrawn|void|over(?=$|,| now)|out of the question|fell through|"
    r"fallen through|obsolete|outdated|out of date|sorted itself)"
)
RULES = (
    Rule("eaten_again", "preferences", "again back", pattern(
        r"^(?:i|we)(?:['’]m|['’]re|['’]ve| am| are| have)?(?: now| also| just)* (?:(?:started|begun|gone back to|"
        r"went back to|back to) )?(?:eat|drink|eating|drinking) (?P<what>[\w ,]{3,40}?) again(?: now)?(?:,.{2,100})?$|"
        r"^(?:i|we)(?:['’]m|['’]re|['’]ve| am| are| have)?(?: now| also| just)* (?:gone back to|went back to|back to) "
        r"(?:eating|drinking) (?P<what2>[\w ]{3,40}?)(?: now)?(?:,.{2,100})?$"),
        _eaten_again, vital=True),
    Rule("off", "",
        "cancelled canceled called off scrapped dropped dead shelved axed binned abandoned happening history moot "
        "withdrawn "
        "over fell fallen obsolete outdated sorted void",
        pattern(
            rf"^.{{2,120}}?(?:'s|’s|'re| is| are| was| were| has| have| got| been| being)(?: all| now| been| just|"
            rf" got| "
            rf"officially| basically| completely)* {_OFF}\b|^(?:they|we|i|the \w+)(?:'ve|’ve| have| has|'re)?(?: "
            rf"just| "
            r"finally| all)* (?:cancell?ed|called off|scrapped|shelved|axed|binned|abandoned|dropped) .{2,80}|"
            r"^.{2,80}? (?:fell|has fallen|have fallen) through\b"), _off),
    Rule("no_more", "", "more", pattern(r"^(?:so )?no more .{2,60}$"), _denied),
    Rule("no_need", "", "need needs bother point worry skip forget needn't leave", pattern(
        r"^(?:there's |there is |actually )?(?:no (?:more )?(?:need|point|reason)|(?:i|we|you) (?:don't|don’t|no "
        r"longer|won't|"
        r"needn't) (?:actually |really )?(?:need|have|bother|want)(?: to)?|(?:don't|don’t) (?:bother|worry|need)|"
        r"needn't) .{3,120}"
        r"(?:after all|any ?more|any longer|now)\b|^(?:there's |there is |actually )?no (?:more )?(?:need|point) "
        r"(?:for|to|in) "
        r".{3,120}|^(?:you can |please |we can |let's )*(?:skip|forget|drop|leave|scrap|bin|lose|ignore|disregard|"
        r"delete|remove|"
        r"erase|wipe|cancel|never ?mind) (?:about )?(?:the|my|our|what i|everything|that|all) .{2,120}"), _not_needed),
    Rule("given_up", "", "gave given giving backed pulled dropped against pursuing bailed quit through done", pattern(
        r"\b(?:gave|given|giving) (?:it |that |them |this |\w+ing )?up\b|\b(?:backed|pulled|dropped|bailed|bowed|"
        r"opted) out\b|"
        r"\bdecided against\b|\b(?:not|no longer) (?:pursuing|doing|chasing|going (?:for|after|through with)|"
        r"bothering)\b|"
        r"\bdone with (?!my\b|the\b|this\b|that\b)"), _given_up),
    Rule("any_more", "", "anymore more longer", pattern(
        r"(?:n['’]t|\b(?:not|no|never))\b.{0,100}\b(?:any ?more|any longer)\b|\bno longer\b"), _denied),
    Rule("negated", "", "don't not isn't aren't haven't never can't won't doesn't didn't hasn't wasn't no "
    "neither", pattern(
        r"^(?:actually,? |no,? )*(?:i|we|he|she|they|it|that|there|my .{2,30}?|our .{2,30}?|the .{2,40}?)(?:'m|’m|"
        r"'s|’s|'re|’re|'ve"
        r"| am| is| are| was| were| do| does| did| have| has| will| can)?(?: ?n't|n’t| not| never| "
        r"no)\b(?P<rest>.{2,120})"),
        _negated),
)  # fmt: skip
