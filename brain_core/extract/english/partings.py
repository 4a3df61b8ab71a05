"""Who is with the user no more: a couple that has parted, somebody who has died, a pet that was given away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from brain_core.extract.english.denials import deny
from brain_core.extract.english.jobs import long_ago
from brain_core.extract.english.others import A_PERSON
from brain_core.extract.english.several import name_in
from brain_core.extract.english.slots import is_pet
from brain_core.extract.english.target import Target, supposed, targets
from brain_core.extract.english.tenses import SOME_TIME_AGO, told_day
from brain_core.extract.english.values import clean, event, knowledge
from brain_core.extract.english.vocabulary import ANIMALS, PARTNER, kin_of, pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import group_of

_PARTNERS = ("wife", "husband", "partner", "girlfriend", "boyfriend", "fiance", "fiancee", "spouse")
_MARRIED = frozenset({"wife", "husband", "spouse"})
_COUPLE = pattern(r"\b(?:married|engaged)\b")
_LASTING = pattern(r".*_(?:name|birthday|birth)")


def _parted(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that the user and a partner have parted: all that is known of that partner ends, and of being a couple."""
    if supposed(scene) or long_ago(scene):
        return
    groups, facts = match.groupdict(), _facts(scene)
    if groups["both"] or groups["divorced"]:
        beside = scene.clause.sentence[: scene.clause.sentence.find(scene.clause.text)]
        who = _BESIDE.search(beside)
        if who is None and (groups["both"] or _JOINED.search(beside)):
            return
        groups |= {} if who is None else who.groupdict()
    name = next((text for key, text in groups.items() if key.startswith("name") and text), "")
    kin = next((text for key, text in groups.items() if key.startswith("kin") and text), "")
    roots = {root for root in _PARTNERS if (told := _of(root, facts)) and _is_meant(root, told, name, kin)}
    if groups["divorced"] and not (name or kin):
        roots &= _MARRIED
    if (name or not groups["divorced"]) and len(roots) != 1:
        return
    over = [told for root in roots for told in _of(root, facts)]
    over += [told for told in facts if _key(told) == "marital_status" and _COUPLE.search(told.said)]
    yield from _ending(over, scene)


def _is_meant(root: str, told: list[Target], name: str, kin: str) -> bool:
    if kin and kin_of(kin) != root:
        return False
    return not name or any(_names(each, name) for each in told)


def _gone(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that somebody has died, or a pet was given away.

    Of a pet all ends, of a person what he or she did and was; who it was does not. A pet that is lost may come back.
    """
    if supposed(scene) or long_ago(scene):
        return
    groups = match.groupdict()
    name, sort = group_of(match, "name"), group_of(match, "sort")
    facts = [told for told in _facts(scene) if not name or _names(told, name)]
    facts = [told for told in facts if _ends_with(told, kin_of(sort) if sort else "")]
    if sort and not name and len({each for told in facts if (each := name_in(told.said))}) > 1:
        return
    pets_alone = bool(groups["given"] or groups["lost"])
    for found in _ending((told for told in facts if is_pet(_key(told)) or not pets_alone), scene):
        yield replace(found, doubts=True, weak=True) if groups["lost"] or _of_more(found, name) else found


def _bereaved(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read that somebody near to the user has died: today's news, unless it is told to be long ago."""
    text = scene.clause.whole
    if supposed(scene):
        return
    day = told_day(text, scene.said, past=True)
    if _COUNTED_BACK.search(text) or (day is None and SOME_TIME_AGO.search(text)):
        yield Found(knowledge(clean(text)), type="knowledge", span=(0, len(text)))
        return
    first, last = (scene.said, None) if day is None else (day.day, day.last)
    yield Found(event(text, first.isoformat(), last), span=(0, len(text)))


_COUNTED_BACK = pattern(r"\b(?:years?|months?|decades?) ago\b")
"""Names no day."""


def _of_more(found: Found, name: str) -> bool:
    """Return whether a fact tells of others besides, who are there still: "two dogs, Max and Rex"."""
    said = str(found.given["facts"][0]["v"])
    return bool(name) and _OTHERS.search(said.replace(name, "")) is not None


_OTHERS = pattern(r"\b(?:and|two|three|four|both|dogs|cats|rabbits|horses)\b")


def _ends_with(told: Target, sort: str) -> bool:
    """Return whether a fact is of a pet or relative of a sort, empty for any, and ends with its life."""
    k = _key(told)
    if sort and not (k == sort or k.startswith(f"{sort}_") or (k == "pet" and sort in told.said.lower())):
        return False
    if is_pet(k):
        return True
    return told.slot.name == "kin" and "_" in k and not _LASTING.fullmatch(k)


def _facts(scene: Scene) -> list[Target]:
    return [told for told in targets(scene, ("profile",)) if told.fact is not None]


def _key(told: Target) -> str:
    return "" if told.fact is None else str(told.fact["k"])


def _of(root: str, facts: list[Target]) -> list[Target]:
    return [told for told in facts if _key(told) == root or _key(told).startswith(f"{root}_")]


def _names(told: Target, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", told.said) is not None


def _ending(over: Iterable[Target], scene: Scene) -> Iterator[Found]:
    for told in over:
        yield from deny(told, scene)


_A_NAME = r"(?-i:(?!I\b|We\b|My\b|It\b|They\b|She\b|He\b|You\b|The\b|This\b|That\b)[A-Z][\w’'-]*[\w])"


def _who(number: int) -> str:
    return rf"(?:(?:my|our) (?P<kin{number}>{PARTNER})(?: (?P<named{number}>{_A_NAME}))?|(?P<name{number}>{_A_NAME}))"


_BESIDE = pattern(rf"(?:^|\b){_who(1)} and $")
"""Who stands beside "I": the clause begins after it."""
_JOINED = pattern(r"\band $")
_ADVERBS = r"(?: just| recently| finally| sadly| actually| now| officially| both| already)*"
_HAVE = rf"(?:['’]ve| have|['’]s| has|['’]re| are)?{_ADVERBS}"
_PARTING = (
    r"(?:broke up|broken up|split(?: up)?|separated|got divorced|divorced|got a divorce|no longer together|"
    r"(?:are not|aren['’]t|not) (?:together|a couple|married)(?: any ?more| any longer)|called it quits|"
    r"ended (?:things|our (?:relationship|marriage|engagement))|"
    r"broke off (?:our|the) engagement|parted ways)"
)
_TIME = (
    r"(?: (?:now|today|yesterday|recently|again|last \w+|this \w+|(?:in|on|over) (?:the )?\w+|"
    r"(?:an?|two|three|four|a few|some|\d+) (?:days?|weeks?|months?) ago))?"
)
_END = rf"{_TIME}(?:,? (?:because|so|and|but|after|since|at|from|of|due) .{{2,120}})?$"
_SORT = (
    rf"(?:{'|'.join(ANIMALS).replace('_', ' ')}|puppy|kitten|mother|mom|mum|father|dad|brother|sister|grandmother|"
    r"grandma|gran|nan|grandfather|grandpa|grandad|uncle|aunt|cousin|wife|husband|son|daughter)"
)


def _whom(number: int) -> str:
    adjectives = r"(?:(?:dear|beloved|old|poor|sweet|little|older|younger) )*"
    return (
        rf"(?:(?:my|our) {adjectives}(?P<sort{number}>{_SORT})(?: (?P<named{number}>{_A_NAME}))?|"
        rf"(?P<name{number}>{_A_NAME}))"
    )


RULES = (
    Rule("parted", "profile",
        "aren't not broke broken split separated divorced divorce together quits ended parted left dumped "
        "single", pattern(
            rf"^(?:(?:i|we)(?:['’]m| am|['’]re| are| got|['’]ve (?:got|been)){_ADVERBS} (?P<divorced>divorced)\b{_END}|"
            rf"(?P<both>i{_HAVE} {_PARTING}){_END}|"
            rf"i{_HAVE} (?:broken? up with|split(?: up)? (?:with|from)|separated from|divorced|dumped|"
            rf"ended things with|left) {_who(2)}{_TIME}$|"
            rf"{_who(3)}{_HAVE} (?:left me|dumped me|broke up with me|divorced me|ended things with me){_END}|"
            rf"we{_HAVE} (?:broke up|broken up|split up|separated|no longer together|"
            rf"(?:are not|aren['’]t|not) (?:together|a couple)(?: any ?more| any longer)){_TIME}$|"
            rf"i(?:['’]m| am){_ADVERBS} single (?:now|again)(?: now)?$)"),
        _parted, shares=True, vital=True),
    Rule("gone", "profile", "died passed put dead gone gave given rehomed sleep away lost", pattern(
        rf"^(?:{_whom(1)}{_HAVE} (?:died|passed away|passed(?: on)?(?=$|,| last| yesterday)|is dead|(?:was |"
        rf"had to be |got )?put (?:down|to sleep))"
        rf"{_END}|"
        rf"(?:we|i){_HAVE}(?: had to)? put {_whom(2)} (?:down|to sleep){_END}|"
        rf"(?P<lost>(?:we|i){_HAVE} lost {_whom(6)}){_END}|"
        rf"(?P<given>(?:we|i){_HAVE}(?: had to)? (?:(?:gave|give) (?:away|up) {_whom(3)}|rehomed? {_whom(4)}|"
        rf"(?:gave|give) {_whom(5)} (?:away|up(?: for adoption)?))){_END})"),
        _gone, shares=True, vital=True),
    Rule("bereaved", "events", "died passed", pattern(
        rf"^(?:(?:sadly|so|and|well|today|this morning),? )*(?-i:{A_PERSON})(?:['’]s| has| have)?"
        r"(?: just| sadly| recently| suddenly| actually)* (?:died|passed away|passed on)\b"
        r"(?! (?:laughing|inside|a little|of (?:laughter|shame|embarrassment|boredom))).{0,80}$"),
        _bereaved, vital=True),
)  # fmt: skip
