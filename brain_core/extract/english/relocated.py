"""Where a thing is kept, runs or is done, told anew: "we moved the router to the study"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from brain_core.extract.english.brief import named_by
from brain_core.extract.english.replacing import replaced
from brain_core.extract.english.slots import FILLERS
from brain_core.extract.english.swaps import alike
from brain_core.extract.english.target import PEOPLE, Target, changeable, supposed
from brain_core.extract.english.values import clean
from brain_core.extract.english.vocabulary import FROM_NOW, kin_of, pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.replaced import with_its_price
from brain_core.extract.values import values
from brain_core.text.expression import group_of
from brain_core.text.words import terms

_REMEMBERED = 4096  # what is known, which is met by sentence after sentence


class _Placed(NamedTuple):
    """What is known to be somewhere. head: what stands before. lead: the word that leads to the place, empty if none.

    place: with that word, as it is written. whole: whether that is all that is told, under the name of the thing.
    """

    head: str
    lead: str
    place: str
    whole: bool = False


def _moved(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read where a thing is now that is known to be elsewhere; of two known things none is meant."""
    what = group_of(match, "what")
    new = clean(match["new"] or match.groupdict().get("new2") or "")
    yield from _placed_anew(what, (match["prep"] or "").lower(), new, scene)


def _placed_anew(what: str, prep: str, new: str, scene: Scene) -> Iterable[Found]:
    if supposed(scene) or _FOR_A_TIME.search(scene.clause.sentence) or _NO_THING.match(what):
        return
    if not PEOPLE.isdisjoint(terms(what)):
        return  # who moves does so in many ways
    held = [each for each in _held(scene) if _is_meant(each[1], what, new) and (not each[1].whole or prep in _TO)]
    if len(held) != 1:
        return
    target, placed = held[0]
    lead = _LEADS_AS.get(prep, prep) or placed.lead
    if new.lower() != _bare(placed).lower():
        old = with_its_price(target.said, placed.place)
        yield from replaced(target, old, f"{lead} {new}".strip() if placed.lead else new, scene)


def _is_meant(placed: _Placed, what: str, new: str) -> bool:
    """Return whether a known place is of what is named and may be left for a new one: times are for other rules."""
    names = named_by(what) or (_ALL.search if _ALL.fullmatch(what) else None)
    if names is None or not names(placed.head) or not _is_of(what, placed.head):
        return False
    return alike(_bare(placed).split()[-1], new) and not _on_the_clock(f"{placed.place} {new}")


def _another_now(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "I changed the insurance, it is Aviva now"; what changed may stand in the sentence before."""
    what = match.groupdict().get("what")
    if what is None:
        start = scene.clause.start
        before = _CHANGED.search(scene.message[max(start - _LOOKED_BACK, 0) : start])
        what = None if before is None else before["what"]
    if what is not None:
        yield from _placed_anew(what, match["prep"] or "", match["new"], scene)


_LOOKED_BACK = 80  # characters


def _at_another(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "my son started at Hillview School" of whom another school, or firm, is known."""
    if supposed(scene) or _FOR_A_TIME.search(scene.clause.sentence):
        return
    who = {kin_of(_SHORT_FOR.get(word, word)) for word in match["who"].lower().split() if word not in _OURS}
    held = []
    for target in changeable(scene):
        known = _GOES_TO.match(target.said)
        if known is not None and who <= {kin_of(word) for word in known["who"].lower().replace(",", "").split()}:
            held.append((target, known["at"]))
    if len(held) == 1 and match["new"] not in held[0][1]:
        yield from replaced(*held[0], match["new"], scene)


_OURS = frozenset({"my", "our"})
_SHORT_FOR = {"hubby": "husband", "lad": "son", "missus": "wife"}


def _held(scene: Scene) -> Iterator[tuple[Target, _Placed]]:
    for target in changeable(scene):
        if target.fact is not None and target.slot.name == "thing" and len(target.said.split()) <= _FEW:
            yield target, _Placed(str(target.fact["k"]).replace("_", " "), "", target.said, whole=True)
        yield from ((target, placed) for placed in _placed(target.said))


_FEW = 4
"""Words up to which a fact is the name of the thing it is of."""


@lru_cache(maxsize=_REMEMBERED)
def _placed(said: str) -> tuple[_Placed, ...]:
    used = _USED.match(said)
    if used is not None:
        return (_Placed(used["what"], "", used["value"]),)
    named = _CALLED.match(said) or _NAMED.match(said)
    if named is not None:
        return (_Placed(named["what"], "", named["value"]),)
    supplied = _SUPPLIED.match(said)
    first = () if supplied is None else (_Placed(supplied["what"], supplied["prep"], supplied["value"]),)
    return (
        *first,
        *(_Placed(said[: each.start()], each["prep"], each[0].strip()) for each in _PLACE.finditer(said)),
    )


def _is_of(what: str, head: str) -> bool:
    """Return whether what stands before a place ends with the thing that is named: no "router manual" is a router."""
    wanted = set(terms(what)) - FILLERS or set(terms(what))
    words = _DAYS.sub("", head).split()
    while words and _VERBS.fullmatch(words[-1]):
        words.pop()
    return bool(words) and not wanted.isdisjoint(terms(words[-1]))


def _bare(placed: _Placed) -> str:
    return re.sub(r"^(?:the|my|our|an?) ", "", placed.place[len(placed.lead) :].strip())


def _on_the_clock(text: str) -> bool:
    return any(value.kind in _CLOCK for value in values(text))


_TO = frozenset({"to", ""})
"""What leads to a new value, and to no place where one may just be."""
_CLOCK = frozenset({"hour", "weekday", "date", "month"})
_LEADS_AS = {"to": "", "over to": "", "into": "in", "onto": "on"}
"""How a place is told of which it is said that something was brought there; empty: as the old one was."""
_PREP = r"in|inside|on|at|under|behind|beside|next to|above|below|near|by|with|via|through"
_THING = r"[\w.#@&/+:-]+(?:['’][\w]+)?"
_PLACE = pattern(
    rf"\b(?P<prep>{_PREP}) (?:(?:the|my|our|an?) )?{_THING}(?: {_THING}){{0,3}}?"
    rf"(?=$|[,;.]| (?:and|but|so|because|since|which|where|for|as|now|these|{_PREP})\b)"
)
_USED = pattern(
    r"(?:i|we) (?:only |mostly |just )?use (?P<value>[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*)?) (?:for|to \w+) (?P<what>.+)$"
)
_NAMED = pattern(
    r"(?P<what>(?:the|our|my) [\w -]{2,40}?) (?:is|are) (?P<value>(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z])[\w.+#-]*)?)$"
)
_SUPPLIED = pattern(
    r"(?P<what>(?:the|our|my) [\w -]{2,40}?) (?:is|are|comes?|gets? delivered|(?:is|are) delivered) "
    r"(?P<value>(?P<prep>from) (?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z])[\w.+#-]*)?)"
)
_CHANGED = pattern(
    r"\b(?:changed|switched|swapped|replaced) (?:the|my|our) "
    r"(?P<what>[\w-]+(?: (?!because|as|so|again|too|also)[\w-]+)?)[^.!?]{0,20}[.!]\s*$"
)
_CALLED = pattern(
    rf"(?P<what>(?:the|our|my) [\w -]{{2,40}}?)(?:['’]s| is| are) (?:called|named|titled) (?P<value>{_THING}(?: "
    rf"{_THING}){{0,4}}?)"
    r"(?=$|[,;.])"
)
_VERBS = pattern(
    r"['’]s|is|are|was|were|be|been|has|have|lives?|stands?|sits?|runs?|go(?:es)?|hangs?|stays?|sleeps?|meets?|lies?|"
    r"happens?|gets?|out|up|all|still|currently|now|always|usually|mostly|over|kept|stored|hosted|parked|located|housed|"
    r"tracked|done|written|saved|managed|deployed|held|posted|stabled"
)
_DAYS = pattern(r"\b(?:on|every|at|from) (?:\w+days?|\d[\w:.]*)(?= |$)")
_ALL = pattern(r"everything|it all")
_NO_THING = pattern(
    r"(?:it|that|this|them|these|those|there|here|i|we|you|they|he|she|in|out|on|up|back|away|home|house)$"
)
_FOR_A_TIME = pattern(
    r"\?|\b(?:for (?:now|today|tonight|a (?:bit|while|sec\w*|minute|day|week|moment|few \w+)|the (?:day|night|weekend|"
    r"week|party|moment|time being|duration))|until|till|temporarily|meanwhile|might|maybe|could|would|should|want|"
    r"thinking|planning|plan to|going to|will|next (?:week|month|year)|tried|almost|nearly|put it back|n['’]t)\b"
)
_WHEN = (
    rf"(?:,? (?:{FROM_NOW}|yesterday|today|tonight|last \w+|this \w+|over the \w+|on \w+day|\w+ (?:days?|weeks?|"
    rf"months?) ago|"
    r"already|finally|instead|by the way|btw|for good|in the end|at last)){0,8}"
)
_WHY = r"(?:,? (?:because|so|as|since|and|but|cos) .{2,100}|, .{2,100})?$"
_WHAT = r"(?P<what>(?:(?:all|the|my|our|of|that) )*[\w'’-]+(?: [\w'’-]+){0,3}?)"
_NEW = r"(?P<new>(?:(?:the|my|our|an?) )?[\w.#@&/+:'’-]+(?: [\w.#@&/+:'’-]+){0,3}?)"
_NAME = r"(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z])[\w.+#-]*){0,2}"
_FIRST = (
    r"^(?:(?:so|and|but|anyway|also|then|yesterday|today|last \w+|this \w+|over the weekend|on \w+day|finally),? )*"
)
_HAVE = r"(?:['’]ve|['’]s| have| has|['’]re| are| is| was| were| got| been| just| finally| now| all| recently| also)*"
_MOVED = r"(?:moved|shifted|relocated|migrated|transferred|switched|ported|brought|carried|put|hung|stored|parked)"
_GOES_TO = pattern(
    rf"(?:my|our) (?P<who>[\w-]+(?:,? (?-i:[A-Z])\w+,?)?) (?:goes to|attends|is at|works (?:at|for)|studies at|"
    rf"teaches at|plays for) "
    rf"(?P<at>(?:the )?{_NAME}(?: (?:in|near|on) {_NAME})?)"
)
RULES = (
    Rule("at_another", "profile", "started joined switched transferred changed now", pattern(
        rf"{_FIRST}(?P<who>(?:(?:my|our) )?[\w-]+(?: (?-i:[A-Z])\w+)?)(?:['’]s| has)?(?: just| now| finally| "
        rf"recently)* "
        rf"(?:(?:started|begun|started (?:school|work|working))(?: at| with)|joined|(?:switched|transferred|"
        rf"changed) to|"
        rf"(?:goes to|works (?:at|for)|is at|studies at)(?=.*\bnow\b)) (?P<new>(?:the )?{_NAME}){_WHEN}{_WHY}"),
        _at_another, vital=True),
    Rule("relocated", "knowledge", "moved shifted relocated migrated transferred switched ported brought "
                                   "carried put hung "
         "stored parked", pattern(
        rf"{_FIRST}(?:(?:i|we|they){_HAVE} )?{_MOVED} {_WHAT}(?: over| back| up| down| out| across)* "
        rf"(?P<prep>over to|to|into|onto|{_PREP}) {_NEW}{_WHEN}{_WHY}"), _moved, vital=True),
    Rule("another_now", "knowledge", "changed switched swapped replaced", pattern(
        rf"{_FIRST}(?:(?:i|we){_HAVE} )?(?:changed|switched|swapped|replaced) (?:the|my|our) "
        r"(?P<what>[\w-]+(?: [\w-]+)?)(?: (?:also|too|again|as well))?(?:,| and|;| so)+ (?:now )?"
        r"(?:it|that|we|i)(?:['’](?:s|re|m)| is| are| am)(?: now)?(?: (?P<prep>with|at|on|from))? "
        rf"(?P<new>{_NAME}){_WHEN}{_WHY}"), _another_now, vital=True),
    Rule("so_it_is_now", "knowledge", "now", pattern(
        r"^(?:.{2,60}?,? (?:so|and|but) )?(?:it|that|we)(?:['’](?:s|re)| is| are)(?: (?P<prep>with|at|on|from))? "
        rf"(?P<new>{_NAME}) now{_WHY}"), _another_now, vital=True),
    Rule("is_called_now", "knowledge", "renamed rechristened rebranded called", pattern(
        rf"{_FIRST}(?:(?:(?:i|we|they){_HAVE} )?(?:renamed|rechristened|rebranded) {_WHAT}(?: to| as| into)?|"
        rf"(?P<what2>(?:(?:the|my|our) )?[\w-]+(?: [\w-]+){{0,2}}?){_HAVE} (?:renamed|rechristened|"
        rf"rebranded)(?: to| as| into)?|"
        rf"(?P<what3>(?:the|my|our) [\w-]+(?: [\w-]+){{0,2}}?)(?:['’]s| is) now called) (?P<prep>){_NEW}{_WHEN}{_WHY}"),
        _moved, vital=True),
    Rule("has_moved", "knowledge", "moved migrated relocated switched transferred", pattern(
        rf"{_FIRST}{_WHAT}{_HAVE} (?:moved|migrated|relocated|switched|transferred)(?: over| across)? "
        rf"(?P<prep>to|into|onto) {_NEW}{_WHEN}{_WHY}"), _moved, vital=True),
    Rule("switched_for", "knowledge", "switched moved migrated instead now all", pattern(
        rf"{_FIRST}(?:(?:i|we){_HAVE} )?(?:switched|moved|migrated)(?: over)? (?P<prep>to) {_NEW} for "
        rf"{_WHAT}{_WHEN}{_WHY}|"
        rf"{_FIRST}(?:(?:i|we)(?:['’]re|['’]ll|['’]m| are| will)? )(?:going with|go with|use|using|going for) "
        rf"(?P<new2>{_NAME}) for "
        rf"(?P<what2>(?:the|our|my) [\w-]+(?: [\w-]+)?)(?:,? (?:instead|now|after all))+{_WHY}"), _moved, vital=True),
    Rule("placed_now", "knowledge", "now since days nowadays on of lately instead", pattern(
        rf"{_FIRST}{_WHAT}(?:['’]s|['’]re| is| are| lives?| runs?| goes(?: out)?| go(?: out)?| happens?| sits?| "
        rf"stands?| "
        rf"stays?| sleeps?)(?: now| all| over| \w+ed)* (?P<prep>{_PREP}) {_NEW}(?:,? (?:{FROM_NOW})){{1,8}}{_WHY}"),
        _moved, vital=True),
    Rule("done_there_now", "knowledge", "now since days nowadays on of lately instead", pattern(
        rf"{_FIRST}(?:i|we)(?: now| all)? (?P<what>(?!am|are|have|had|was|were|live|work|go\b|get|"
        rf"got)[\w'’-]+(?: [\w'’-]+)"
        rf"{{0,3}}?) (?P<prep>{_PREP}) {_NEW}(?:,? (?:{FROM_NOW})){{1,8}}{_WHY}"), _moved, vital=True),
)  # fmt: skip
