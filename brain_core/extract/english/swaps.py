"""A new value in the place of an old one that the sentence names: "X, not Y", "from Y to X", "replaced Y with X"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.mentioned import TYPES, content
from brain_core.extract.english.replacing import replaced
from brain_core.extract.english.slots import FILLERS
from brain_core.extract.english.target import Target, about_holder, supposed, targets
from brain_core.extract.english.values import clean
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import last_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.words import terms


def _instead(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "I live in X, not Y": what leads to the new value must be what is known of the old one."""
    old, new = _NOW.sub("", clean(match["old"])), clean(match["new"])
    if content(old) and not supposed(scene):
        yield from _swapped(old, new, scene)


def _not_but(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "I'm not allergic to Y but to X": what leads to the old value leads to the new one."""
    led = _LED.match(match["old"])
    lead = "" if led is None else led[0]
    old = clean(match["old"][len(lead) :])
    new = clean(match["new"])
    bare = new[len(again[0]) :] if (again := _LED.match(new)) is not None else new
    if content(old) and not supposed(scene):
        yield from _swapped(old, f"{match['lead']}{lead}{bare}", scene)


def _swapped(old: str, new: str, scene: Scene) -> Iterable[Found]:
    for target in targets(scene):
        value = _value_for(target, old, new, scene) if _holds(target, old) else None
        if value is not None and value.lower() != old.lower():
            yield from replaced(target, old, value, scene)
            return


def _changed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "we switched from Y to X" of what is used or done so; of a home only "I moved"."""
    old, new = clean(match["old"]), clean(_ASIDE.sub("", match["new"]))
    if not content(old) or supposed(scene) or not _BARE.fullmatch(new) or old.lower() == new.lower():
        return
    what = match.groupdict().get("what") or ""
    ours = not re.match(r"they|our team", match[0], re.IGNORECASE)
    moved = re.search(r"\bmov(?:ed|ing)\b", match[0], re.IGNORECASE) is not None
    for target in targets(scene):
        fits = target.slot.name in (_MOVED if moved else _SWITCHED) and (ours or target.item.type != "profile")
        if fits and target.slot.name == "thing" and _A_THING.match(new) and _holds(target, _DETERMINER.sub("", old)):
            yield from replaced(target, target.said, new, scene)
            return
        named = _named(target, old)
        if fits and named and content(what) <= target.words and alike(named, new):
            yield from replaced(target, named, new, scene)
            return


def _changed_mind(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read "we changed our mind on Fly, going with Hetzner": Fly may be called Fly.io where it is known."""
    found = _MIND.match(scene.clause.whole)
    if found is None or supposed(scene):
        return
    old, new = clean(found["old"]), clean(found["new"])
    if not content(old) or not _BARE.fullmatch(new):
        return
    named = re.compile(rf"(?<!\w){re.escape(old)}(?:\.\w+)?(?!\w)", re.IGNORECASE)
    for target in targets(scene):
        known = named.search(target.said)
        if known is not None and target.slot.name in _SWITCHED and alike(known[0], new):
            yield from replaced(target, known[0], new, scene)
            return


_MIND = pattern(
    r"(?:.{0,30}\b)?changed (?:my|our) minds? (?:on|about) (?P<old>[^,;:]{2,40}?)(?:[,;:]| and| so| [-–—])+ "
    r"(?:(?:i|we|let)(?:['’](?:m|re|ll|s|d|ve))? )?(?:(?:am|are|will|now|would|have) )*(?:going (?:with|for)|go with|"
    r"went with|using|use|switching to|switch to|moving to|move to|prefer|chose|choosing) (?P<new>[^,;]{2,60})"
)
_DETERMINER = pattern(r"^(?:my|our|the|that|this)(?: old)? ")
_A_THING = pattern(r"an? ")


def _value_for(target: Target, old: str, new: str, scene: Scene) -> str | None:
    """Return the bare value that a statement gives a target, None where it is about something else."""
    lead, value = _parted(_NOW.sub("", new), target)
    if not _BARE.fullmatch(value) or not alike(old, value) or not about_holder(new, target):
        return None
    if set(terms(lead)) - FILLERS - _LEADING:
        return value
    if target.item.type not in {"profile", "preferences"} and _DO.fullmatch(lead):
        return value
    last = last_of(scene.known, TYPES, scene.session)
    return value if last is not None and last.key == target.item.key and _POINTS.fullmatch(lead) else None


def _parted(new: str, target: Target) -> tuple[str, str]:
    """Return the first words of a statement, as far as they are those of a target or name nothing, and the others."""
    allowed = target.words | FILLERS | _LEADING
    for word in _WORD.finditer(new):
        if not set(terms(word[0])) <= allowed:
            return new[: word.start()], new[word.start() :]
    return new, ""


def alike(old: str, new: str) -> bool:
    """Return whether one value may take the place of another: a number that of a number, a name that of a name."""
    if (_NUMBER.search(old) is None) != (_NUMBER.search(new) is None):
        return False
    return not old[:1].isupper() or any(letter.isupper() for letter in new)


def _named(target: Target, old: str) -> str:
    """Return what is named as a target has it, empty if it has not: "the Brooks" are its "Brooks Ghosts"."""
    if _holds(target, old):
        return old
    bare = _DETERMINER.sub("", old)
    found = re.search(rf"(?<!\w){re.escape(bare)}(?!\w)(?: [A-Z][\w-]*)*", target.said) if bare[:1].isupper() else None
    return "" if found is None else found[0]


def _holds(target: Target, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words.lower())}(?!\w)", target.said.lower()) is not None


_ASIDE = pattern(r",(?! ?(?:(?-i:[A-Z])|\d|and\b|or\b|then\b)).*$")
"""What is added behind a value: what one thinks of it, or why."""
_LED = pattern(
    r"^.*(?:\b(?:is|am|are|was|were|be|to|at|in|on|for|from|with|by|of|called|named|use|using)|['’](?:s|m|"
    r"re))\s+(?:an? |the )?"
)
_NOW = pattern(r"[ ,]+(?:now|these days|from now on|instead|please|after all|actually)$")
_BARE = pattern(
    r"(?!(?:i|we|he|she|they|it|you|let['’]?s|please|don['’]?t|that|this|there|the \w+ (?:one|"
    r"other))\b)(?:[^\s,;]+ ){0,4}[^\s,;]+"
)
_NUMBER = pattern(r"\d")
_WORD = pattern(r"\S+")
_LEADING = frozenset(terms("from by mean meant spelled spelt called name named should be read"))
"""What may lead to a value and says nothing of what it is of."""
_DO = pattern(r"(?:i|we)(?:['’](?:m|re|ll)| am| are)? (?:do|doing|have|having)(?: an?| the)? ")
_POINTS = pattern(
    r"(?:(?:no|actually|sorry|wait|oops|correction|i mean|i meant)[,:]? )*(?:(?:it|that|this|he|she|they|(?:his|"
    r"her|its|the) name)(?:['’](?:s|re)| is| are| was| should be)|"
    r"make (?:it|that)|i meant?|use)?(?: (?:in|at|on|called|spelled|spelt|read))?(?: the| an?)?\s*"
)
_MOVED = frozenset({"home", "doing", "use"})
_SWITCHED = frozenset({"work", "thing", "use", "doing", "medicine", "entity"})

RULES = (
    Rule("x_not_y", "", "not instead rather", pattern(
        r"^(?:[^:]{0,40}: )?(?P<new>.{1,100}?)(?:,? (?:instead of|rather than)|, (?:and )?not) (?P<old>(?!just|"
        r"only|sure|that|yet)[^,;]{1,60})$"), _instead),
    Rule("not_x_but_y", "", "not but", pattern(
        r"^(?P<lead>.{0,40}?)\b(?:not|isn't|wasn't) (?P<old>[^,;]{2,80}?),? but (?P<new>.{2,80})$"), _not_but),
    Rule("switched", "", "switched moved migrated changed replaced swapped switching moving",
         pattern(
             r"^(?:(?:i|we|i'm|we're|our team|they)(?:'ve|’ve| have| just| finally| recently| all| now| are)* |"
             r"(?:(?:just|finally|recently) )*(?=switched|moved|migrated|changed))"
             r"(?:switched|moved|migrated|changed|switching|moving|gone)(?: over| everything|(?P<what> [\w ]{2,30}))"
             r"? from (?P<old>[^,;]{2,60}?) to (?P<new>[^,;]{2,80})(?:, .{2,80})?$"), _changed),
    Rule("changed_mind", "", "mind minds", pattern(r"^.{0,30}\bchanged (?:my|our) minds?\b"), _changed_mind),
    Rule("renamed", "", "renamed", pattern(
        r"^(?:i|we|they)(?:'ve|’ve| have|'re)? ?(?:just |now )?renamed (?:it |the [\w ]{2,30} )?(?:from "
        r")?(?P<old>[^,;]{2,60}?) to (?P<new>[^,;]{2,60})$"), _changed),
    Rule("replaced", "", "replaced instead swapped traded exchanged ditched dropped dumped abandoned", pattern(
        r"^(?:(?:i|we)(?:'ve|’ve| have| just| finally)* )?(?:replaced|swapped|exchanged|ditched|dropped|dumped|"
        r"abandoned|traded(?: in)?) (?P<old>.{2,60}?) (?:with|for|in favou?r of|"
        r"by) (?P<new>.{2,80})$"), _changed),
)  # fmt: skip
