"""A known event told on another day in few words: "exam got pushed to the 15th", "it isn't Friday, it's Monday"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.bare_day import in_month_of
from brain_core.extract.dates import first_day
from brain_core.extract.english.brief import named_by
from brain_core.extract.english.changes import put_on
from brain_core.extract.english.denials import deny
from brain_core.extract.english.mentioned import newest
from brain_core.extract.english.target import denied, supposed, targets_in
from brain_core.extract.english.tenses import day_now
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import day_of, value_of, words_of
from brain_core.extract.language import Found, Rule, Scene


def _pushed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read to which day something is put that is named without an article, in the clause or behind it."""
    after = scene.clause.text[match.end("moved") :] or _AND_NOW.sub("", scene.clause.whole[match.end() :])
    target = denied(scene, match["what"], types=("events", "tasks"))
    if target is not None:
        yield from _on_the_day_of(after, target.item, scene)


def _negated(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read of two days the one that holds: "parents' evening isn't Tuesday it's Thursday"."""
    if supposed(scene):
        return
    text = scene.clause.whole
    day, names = day_now(text, scene.said), named_by(match["what"])
    meant = [newest(scene, ("events", "tasks"))] if _IT.fullmatch(match["what"]) else []
    if names is not None:
        meant = [item for item in scene.known.active("events") if names(str(value_of(item).get("title", "")))]
    meant = [item for item in meant if item is not None and _is_told(match["old"], item, scene)]
    if day is not None and len(meant) == 1 and meant[0] is not None:
        day = in_month_of(day_of(meant[0]), day, text, first_day)
        yield from put_on(meant[0], day.day.isoformat(), scene)


def _is_told(old: str, item: MemoryItem, scene: Scene) -> bool:
    """Return whether the day that does not hold is that of an item, as it was told then."""
    named, told = first_day(old, scene.said), day_of(item)
    if named is None or told is None:
        return False
    if any(letter.isdigit() for letter in old):
        return named.day.day == told.day
    return named.day.weekday() == told.weekday()


def _new_one(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "my blood test got cancelled, the new one is the 30th", which may be two sentences."""
    end = scene.clause.start + match.end()
    told = _NEW_ONE.match(scene.message, end)
    target = None if told is None else denied(scene, match["what"] or match["what2"], types=("events",))
    if told is not None and target is not None:
        span = (0, told.end() - scene.clause.start)
        yield from (replace(found, span=span) for found in _on_the_day_of(told["day"], target.item, scene))


def _called_off(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    target = denied(scene, match["what"], types=("events",))
    if target is not None:
        yield from deny(next(targets_in(target.item)), scene)


def _cannot_come(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that somebody who was to come does not: the only event to come that names who it is."""
    if supposed(scene):
        return
    who = words_of(match["who"])
    ahead = [item for item in scene.known.active("events") if (day := day_of(item)) is not None and day >= scene.said]
    meant = [item for item in ahead if who <= words_of(title := str(value_of(item)["title"])) and _COMES.search(title)]
    if who and len(meant) == 1:
        yield from deny(next(targets_in(meant[0])), scene)


def _on_the_day_of(text: str, item: MemoryItem, scene: Scene) -> Iterable[Found]:
    day = first_day(text, scene.said)
    if day is not None and day.exact and not supposed(scene):
        yield from put_on(item, in_month_of(day_of(item), day, text, first_day).day.isoformat(), scene)


_COMES = pattern(r"\b(?:visit\w*|com(?:e|es|ing)|stay\w*|due|arriv\w+|over|dinner|lunch|tea|round)\b")
_IT = pattern(r"it|that|this")
_AND_NOW = pattern(
    r"^[,;.!–— -]*(?:and |so |but )*(?:(?:it|that)(?:['’]?s| is)|now)?(?: now| on| for| at| going to be)*"
)
_NEW_ONE = pattern(
    r"[,;.!–— -]*(?:and |but |so )*(?:(?:the|my|our) )?new (?:one|date|slot|time|appointment|day)(?:['’]?s| is|:)?"
    r"(?: now| on| for)* (?P<day>[^.;!?]{3,60})"
)
_WHAT = r"(?P<what>(?!(?:i|we|they|he|she|you|please|let['’]?s)\b)[\w'’ -]{2,40}?)"
_OFF = r"(?:cancell?ed|called off|moved|postponed|scrapped)"
_IS = r"(?:['’]s| is| was| has| have| had| got| gets| been| being| just| now)*"
_A_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|the \d{1,2}(?:st|nd|rd|th)|"
    r"\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]{3,9}|"
    r"[a-z]{3,9} \d{1,2}(?:st|nd|rd|th)?|tomorrow|today)"
)
RULES = (
    Rule("pushed_to", "", "moved rescheduled rebooked pushed postponed shifted changed brought delayed put slipped",
        pattern(
            rf"^(?:(?:sorry|no|update|actually)[,:]? )*{_WHAT}{_IS} (?P<moved>moved|rescheduled|rebooked|"
            r"pushed(?: back| out)?|postponed|shifted|changed|brought forward|delayed|put back|slipped)"
            r"(?=$| (?:to|until|till|for) )"), _pushed, vital=True),
    Rule("not_that_day", "", "isn't isnt not wasn't wasnt", pattern(
        rf"^(?:(?:sorry|no|update|actually|oops)[,:]? )*{_WHAT}(?: is| was|['’]s)?(?:n['’]?t| not) (?:actually )?"
        rf"(?:on |for |this |next )*(?P<old>{_A_DAY})\b"), _negated, vital=True),
    Rule("new_one_is", "", "cancelled canceled called moved postponed scrapped off", pattern(
        rf"^(?:{_WHAT}{_IS} (?:{_OFF}|off)|(?:they|the \w+)(?:['’]ve| have|['’]s| has)?(?: just)? {_OFF} "
        rf"{_WHAT.replace('what', 'what2')})(?: on me| again| sadly)?(?=$|[,;.!–—-])"), _new_one, vital=True),
    Rule("cannot_come", "", "can't cant cannot isn't aren't not won't", pattern(
        r"^(?:(?:the |my |our )?(?P<who>(?!(?:i|we|you|it|that|this|he|she|they|nobody|everyone|which|who)\b)[\w'’-]+?"
        r"(?: [\w’'-]+)?)(?:['’]s)?) (?:(?:can['’]?t|cannot|won['’]?t) (?:make it|come|visit)|(?:(?:is|are)n['’]?t|"
        r"(?:is )?not) (?:coming|"
        r"visiting|going to make it))(?: to us| after all| any ?more| now| then| in the end)*(?=$|[,;.]| (?:because|"
        r"so|and|but)\b)"),
        _cannot_come, shares=True, vital=True),
    Rule("event_cancelled", "", "cancelled canceled", pattern(
        rf"^{_WHAT} (?:got )?(?:cancell?ed|called off)"
        rf"(?:,? (?:by|because|due|so|as|again|last|this|sorry)\b.{{0,80}})?$"),
        _called_off, vital=True),
)  # fmt: skip
