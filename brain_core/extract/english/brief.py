"""What is known and is told otherwise in few words: "rent went up to 3400", "its september now not june"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from brain_core.extract.brief import OF_THE_CLOCK, Change, brief_rules
from brain_core.extract.dates import first_day
from brain_core.extract.english.slots import FILLERS
from brain_core.extract.english.target import supposed
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import words_of
from brain_core.extract.language import MASK, Scene
from brain_core.extract.values import value_is
from brain_core.text.expression import Expression
from brain_core.text.words import terms

_LEAD = (
    r"(?:(?:(?P<right>wait|no|nope|sorry|sry|oops|actually|correction|i meant|my bad)|ok(?:ay)?|so|and|but|well|oh|ah|"
    r"hey|hm+|ugh+|argh|wow|damn|btw|fyi|update|heads up|good news|bad news|lol|yeah|yep|right|now|also|turns out|"
    r"just|then|today|yesterday|(?:(?:we|they|i)(?:['’]ve| have)? )?(?:agreed|decided|settled)(?: with "
    r"[\w-]+(?: [\w-]+)?)?"
    r"(?: that|,|:)|(?:(?:the|my|our) [\w-]+|they|he|she|ops|hr) (?:just )?(?:said|says|told (?:me|us)|wrote|"
    r"emailed|texted|"
    r"announced)(?: that)?)[,:.! ]+){0,8}"
)
_UP, _DOWN = "rose|risen|raised|increased|climbed|jumped|upped", "dropped|fell|fallen|lowered|cut|reduced|decreased"
_CHANGED = (
    rf"{_UP}|{_DOWN}|went|gone|moved|shifted|changed|switched|pushed|bumped|put|postponed|rescheduled|delayed|"
    r"brought|slipped|extended|set"
)
_NOW = "raise|increase|lower|cut|reduce|move|shift|change|switch|push|bump|set"
_V = r"\S+(?: \S+){0,2}?"
_TO = (
    r"(?P<way> (?:all the way )?(?:up|down|back|forward|out))?(?: again)?(?: from (?P<from>\S+(?: \S+)?))?"
    rf" to (?P<new>{_V})"
)
_TAIL = (
    r"(?P<tail>(?:,? (?:now|then|instead|again|please|pls|today|yesterday|already|actually|lol|tho|though|"
    r"(?:a|per) (?:month|year|week|day)|from (?:next|this) (?:week|month|year)|this (?:week|month|year)|"
    r"(?:at the )?same (?:time|place|hour)|from now on)\b)*)"
    r"(?:,? (?:not|instead of|rather than) (?P<old>\S+(?: \S+)?))?(?P<tail2> (?:anymore|any more|now))?[.! )]*$"
)
_SO = r"(?:['’]?s|['’]?re|['’]?m| is| are| am)"
_WHAT = r"(?:(?:the|my|our|that) )?(?P<what>[a-z][\w'’ &/-]{1,40}?)"
_WHO = r"(?:they|we|i|he|she|(?:(?:the|my|our) )?[a-z]+)(?:['’]ve| have| has)?(?: just| now| finally| also| had to)*"
_MOVED = rf"(?:(?P<verb>{_CHANGED})|(?=up |down |back ))"
_POINTING = tuple(
    Expression(rf"^{_LEAD}{form}{_TAIL}", re.IGNORECASE)
    for form in (
        rf"(?:(?:it|that|this)(?:{_SO}| was| has| got)? )?(?:just |now |been |got |also )*{_MOVED}{_TO}",
        rf"{_WHO} (?P<verb>{_CHANGED}) (?:it|that|this|us){_TO}",
        rf"(?:let['’]?s |please |pls )*(?P<made>make|call) (?:it|that) (?P<new>{_V})",
        rf"(?:back|up|down) to (?P<new>{_V})",
        rf"(?:(?:it|that|they|we|i|this){_SO} )(?P<now>now )?(?:at |on |in |actually )?(?P<new>{_V})",
        rf"(?P<right2>i meant|i mean|should be|it should be) (?P<new>{_V})",
        rf"(?P<new>{_V})",
    )
)
_NAMING = tuple(
    Expression(rf"^{_LEAD}{form}{_TAIL}", re.IGNORECASE)
    for form in (
        rf"{_WHAT}(?:{_SO}| was| were| has| have| got| gets| been| just| now| also)* {_MOVED}{_TO}",
        rf"{_WHAT}(?:{_SO}(?: only)?| costs?| starts?| begins?| ends?| leaves?|"
        rf" (?:can (?:now )?only )?(?:come|meet|run)s?)?(?P<now> now)?(?: at| on| in)? "
        rf"(?!(?:is|are|was|were) )(?P<new>{_V})",
        rf"(?:they|we|i|(?-i:[A-Z][a-z]+))(?:['’]ve| have|['’]s| has)?(?: just| also| finally| had to)* "
        rf"(?P<verb>{_CHANGED}) {_WHAT}{_TO}",
        rf"(?:let['’]?s |please |pls )*(?P<verb>{_NOW}) {_WHAT}{_TO}",
        rf"(?P<verb>switched|moved|changed) {_WHAT}{_TO}",
        rf"(?:let['’]?s |please |pls )*(?P<made>make) {_WHAT} (?P<new>{_V})",
        rf"(?:i|we)(?:['’]ve| have|['’]re| are)?(?: just| finally| now)* (?P<made2>hit|reached|passed|crossed|"
        rf"up to|down to) "
        rf"(?P<new>{_V}) {_WHAT}",
        rf"{_WHAT}(?: has| just)* (?P<made3>turned) (?P<new>{_V})",
    )
)
_FRAMED = (
    (
        Expression(
            rf"^{_LEAD}(?:i|we|they)(?:['’]ve| have)?(?: now)?(?: got| have)? (?:time )?(?P<made>till|"
            rf"until) (?P<new>{_V}){_TAIL}",
            re.IGNORECASE,
        ),
        pattern(r"\b(?:deadline|due)\b"),
    ),
    (
        Expression(
            rf"^(?:[^:]{{2,40}}: )?{_LEAD}(?:it|that|this)(?:['’]ll| will| is going to|['’]s going to) "
            rf"(?P<made>be) "
            rf"(?P<new>{_V}) (?:a|per) month(?: from \w+)?{_TAIL}",
            re.IGNORECASE,
        ),
        pattern(r"\d (?:a|per|each|every) month\b|\bmonthly\b"),
    ),
)
"""What is told without its name, and how that of which it is reads: until when there is time, what a month costs."""
_ONCE = pattern(r"\b(?:today|this (?:week|month))\b")
_PARTS = Expression(r"[,;] | [-–—] | but (?=\w)")
_POINTS = pattern(r"(?:it|its|it['’]s|that|this|they|we|i|he|she|you|there|what|who|which)(?:['’]\w+)?\b")
_ANOTHERS = pattern(r"\b(?:his|her|their|your|someone|somebody|everyone|people|other|another|next|last)\b")
_OWNED = Expression(
    r"(\w+)['’]s\b|\b(?:my|our) (\w*(?:sister|brother|mother|father|mum|mom|dad|wife|husband|son|daughter|"
    r"friend|boss|partner|roommate|flatmate|neighbou?r|cousin|aunt|uncle)s?)\b|\b(his|her|their)\b"
)
_BEFORE_A_NAME = Expression(r"\b(?:[Mm]y|[Oo]ur) [a-z]+ (?=([A-Z]\w+))")
_UNREAL = pattern(
    r"\?|\b(?:might|may (?:go|be)|maybe|perhaps|could|would|should we|probably|expect|rumou?r|last (?:year|month|week)|"
    r"used to|pretend|imagine|for example|if)\b|n['’]t\b|\b(?:never|wont|didnt|dont|isnt|wasnt)\b"
)
_SAYS_NOTHING = frozenset(terms("price cost fee time date day amount total number start"))


def _changes(scene: Scene) -> Iterator[Change]:
    """Yield what the parts of a clause say that changed, and to what."""
    text = scene.clause.text
    if _UNREAL.search(scene.clause.sentence) or MASK in text:
        return
    for form, named in _FRAMED:
        match = form.match(text)
        change = None if match is None else _read(match, partial(_is_said, named))
        if change is not None:
            yield change
            return
    if supposed(scene):
        return
    pointed, before = None, scene.before
    for part in _PARTS.split(text):
        went, before = _went(before), part
        change = next((found for form in _POINTING if (found := _read(form.match(part), None, went)) is not None), None)
        if change is not None:
            pointed = change
            continue
        for form in _NAMING:
            match = form.match(part)
            names = match and named_by(match["what"])
            change = _read(match, names) if names else None
            if change is not None:
                yield change
                break
    if pointed is not None:
        yield pointed


Went = tuple[Callable[[str], bool], int]
"""Whether a text is of what went up or down, and `Change.way`."""


def _went(before: str) -> Went | None:
    """Return what the words before a value say went up or down: "rent went up on the first, it's 1150 now"."""
    match = _WENT.match(before)
    names = match and named_by(match["what"] or match["what2"])
    if match is None or not names or _UNREAL.search(before):
        return None
    way = (match["way"] or match["way2"] or "").strip().lower()
    return names, 1 if way == "up" else -1 if way == "down" else 0


_WENT = pattern(
    rf"^{_LEAD}(?:(?:(?:they|we|i|he|she|(?:my |the )?(?:landlord|boss|council|bank))(?:['’]ve| have|['’]s|"
    rf" has)?(?: just| had to)* )?"
    rf"(?:put|raised|upped|increased|cut|dropped|lowered|changed) {_WHAT}(?P<way> up| down)?|"
    rf"{_WHAT.replace('what', 'what2')}(?:['’]s| is| are| has| have| just| now| been)* (?:gone|went|going|goes|put|"
    rf"changed|increased)"
    r"(?P<way2> up| down)?)(?: again| a bit| a lot| too)*(?: (?:on|in|from|last|this|since|at) [\w ]{2,30})?$"
)


def _read(match: re.Match[str] | None, names: Callable[[str], bool] | None, went: Went | None = None) -> Change | None:
    """Return what a match says, None where no value stands in it or nothing says that it is another than before.

    went: what is said to have changed before it, whose value that is then.
    """
    if match is None:
        return None
    said = match.groupdict()
    new, old = value_is(said["new"]), value_is(said.get("from") or said["old"] or "")
    verb, way = (said.get("verb") or "").lower(), (said.get("way") or "").split()
    now = "now" in f"{said['tail']}{said['tail2'] or ''} {said.get('now') or ''}" or re.match(r"(?i)now\b", match[0])
    says_so = (
        verb
        or way
        or said.get("made")
        or said.get("made2")
        or said.get("made3")
        or old
        or said["right"]
        or said.get("right2")
        or went
        or " to " in match[0]
    )
    if new is None or not (says_so or (now and (names is not None or new.kind not in OF_THE_CLOCK))):
        return None
    ups = verb and (re.fullmatch(_UP, verb) or (way[-1:] == ["up"]))
    downs = verb and (re.fullmatch(_DOWN, verb) or (way[-1:] == ["down"]))
    once = _ONCE.search(said["tail"]) is not None
    if went is not None:
        return Change(new, went[0], old, went[1], once)
    return Change(new, names, old, 0 if "back" in way else 1 if ups else -1 if downs else 0, once)


def _is_said(named: Expression, said: str) -> bool:
    return named.search(said) is not None


def named_by(what: str) -> partial[bool] | None:
    """Return what tells whether a text is of what is named, None where nothing is."""
    wanted = frozenset(terms(what)) - FILLERS - _SAYS_NOTHING
    if not wanted or _POINTS.match(what) or _ANOTHERS.search(what):
        return None
    return partial(_is_of, wanted)


def _is_of(wanted: frozenset[str], said: str) -> bool:
    """Return whether a text has all the words by which a thing is named, and is of nobody whom they do not name."""
    said_of = _BEFORE_A_NAME.sub(lambda found: "" if found[1].lower() in wanted else found[0], said)
    owners = {word for found in _OWNED.findall(said_of) for owner in found for word in terms(owner)}
    return wanted <= words_of(said) and owners <= wanted


_CUES = (
    "to now till until hit reached passed crossed turned be make not its it's wait no sorry sry actually "
    + f"{_CHANGED} {_NOW}".replace("|", " ")
)
_WITH_A_VALUE = pattern(
    r"\d|\b(?:noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tues?|wed|thurs?|fri|"
    r"jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)\b"
)
RULES = brief_rules(_CUES, _WITH_A_VALUE, _changes, first_day)
