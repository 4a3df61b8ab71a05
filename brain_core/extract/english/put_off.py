"""What is put off or brought forward by so much: "the launch slipped a week", "they pushed it back two days"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.dates import MONTHS, first_day
from brain_core.extract.english.mentioned import newest
from brain_core.extract.english.replacing import undated
from brain_core.extract.english.target import denied, supposed
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import DATED, day_of, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.put_off import STATED, By, Telling, put_off
from brain_core.extract.weekdays import count_of


def _title(item: MemoryItem, scene: Scene) -> str:
    return undated(str(value_of(item)["title"]), scene)


def _written(day: date) -> str:
    return f"{MONTHS[day.month - 1].capitalize()} {day.day}"


_TELLING = Telling(first_day, _title, _written)


def _by_so_much(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read by how much something known is later or earlier."""
    item = _spoken_of(match, scene)
    if item is not None and first_day(scene.clause.text[match.end("unit") :], scene.said) is None:
        yield from put_off(item, _by(match), scene, _TELLING)


def _without_a_day(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that something known is put off to no day that is told; what is late today comes today."""
    item = _spoken_of(match, scene)
    if item is None or first_day(scene.clause.sentence, scene.said) is not None:
        return
    if day_of(item) != scene.said:
        yield from put_off(item, None, scene, _TELLING)


def _spoken_of(match: re.Match[str], scene: Scene) -> MemoryItem | None:
    """Return what is known by the words of a match: an event or task, else a statement that names it.

    None where it is only supposed; what follows the match, "no idea until when", says nothing of that.
    """
    told = replace(scene, clause=replace(scene.clause, text=match[0]))
    if _IT.fullmatch(match["what"]) is not None:
        return None if supposed(told) else newest(scene, (*DATED, *STATED))
    target = denied(told, match["what"], types=tuple(DATED)) or denied(told, match["what"], types=STATED)
    return None if target is None else target.item


def _by(match: re.Match[str]) -> By | None:
    """Return by how much, None where that or its direction is not told for sure."""
    how, towards, count = match["how"].lower(), (match["to"] or "").strip().lower(), match["count"].lower()
    if _VAGUE.match(count):
        return None
    if towards in {"forward", "ahead"} and not how.startswith(("brought", "bring")):
        return None
    if not towards and not _LATER.match(how):
        return None
    number = 1 if count == "another" else count_of(count)
    size = -number if towards in {"up", "forward", "ahead", "earlier"} else number
    unit = match["unit"].lower().rstrip("s")
    return By(months=size * _MONTHS_IN[unit]) if unit in _MONTHS_IN else By(days=size * _DAYS_IN[unit])


_DAYS_IN = {"day": 1, "week": 7, "fortnight": 14}
_MONTHS_IN = {"month": 1, "year": 12}
_IT = pattern(r"it|that|this|they|the (?:date|appointment|meeting|call|deadline|whole thing)")
_VAGUE = pattern(r"an? (?:few|couple)|several|some")
_LATER = pattern(r"slip|slid|postpon|delay|put")
_LEADS = (
    r"^(?:(?:actually|wait|no|correction|update|sorry|ok|okay|so|and|but|well|heads[- ]up|fyi|btw|bad news|good news|"
    r"turns out|looks like|apparently)[,:!]? )*"
)
_WHAT = r"(?P<what>(?!(?:we|i|they|he|she|you|let['’]?s|please)\b)[\w' ’-]{2,60}?)"
_TO = r"(?P<to> (?:back|out|off|down|forward|ahead|up))?"
_DONE = r"(?:['’]s|['’]ve| is| was| are| were| has| have| had| got| been| gets| just| now| had to)*"
_COUNT = r"\d{1,3}|an?(?: couple(?: of)?| few)?|one|two|three|four|five|six|seven|eight|nine|ten|twelve"
_SO_MUCH = (
    r"(?: by)?(?: (?:another|a further|about|around|roughly))? "
    rf"(?P<count>{_COUNT}|another|several|some) (?:more )?(?P<unit>days?|weeks?|fortnights?|months?|years?)\b"
    r"(?!['’]| (?:ago|before|after|from|in a row|earlier|later|prior|notice|(?:and|&) a half)\b)"
)
_WHO = r"(?:they|we|i|he|she|(?-i:[A-Z])\w+)(?:['’]ve|['’]s| have| has| had to| just)*"
_MOVED = r"moved|pushed|postponed|delayed|put|shifted|brought|bumped"
_PUT_OFF = r"(?:postponed|delayed|pushed back|put off)"
_FOR_GOOD = r"(?: indefinitely| until further notice| again)?(?=$|,)"
RULES = (
    Rule("put_off_by", "", "slipped slips slid moved moves pushed postponed delayed put shifted brought bumped",
        pattern(rf"{_LEADS}{_WHAT}{_DONE} (?P<how>slipped|slips|slid|moves|{_MOVED}){_TO}{_SO_MUCH}"),
        _by_so_much, vital=True),
    Rule("later_by", "", "later earlier", pattern(
        rf"{_LEADS}{_WHAT}(?P<how>['’]s| is| are| will be| starts| happens| comes)(?: now)? (?P<count>{_COUNT}) "
        r"(?P<unit>days?|weeks?|months?|years?)(?P<to> (?:later|earlier))"
        r"(?: than (?:planned|expected|we said|i said))?$"), _by_so_much, vital=True),
    Rule("we_put_off_by", "",
        "moved pushed postponed delayed put shifted brought bumped move push postpone delay bring shift bump", pattern(
            rf"{_LEADS}(?:{_WHO} |(?:the|my|our) [\w' -]{{2,40}}?(?= \w+ it\b) |(?:please |let['’]?s |can you )+)?"
            rf"(?P<how>{_MOVED}|move|push|postpone|delay|put|bring|shift|bump) {_WHAT}{_TO}{_SO_MUCH}"),
        _by_so_much, vital=True),
    Rule("put_off", "", "postponed delayed pushed put", pattern(
        rf"{_LEADS}{_WHAT}(?:['’]s|['’]ve| is| was| are| has| have| got| been| just| now)+ {_PUT_OFF}{_FOR_GOOD}"),
        _without_a_day, vital=True),
    Rule("we_put_off", "", "postponed delayed pushed put", pattern(
        rf"{_LEADS}{_WHO} {_PUT_OFF} {_WHAT}{_FOR_GOOD}"), _without_a_day, vital=True),
)  # fmt: skip
