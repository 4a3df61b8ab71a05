"""A job that begins or ends, in plain words: "I started a new job at BMW", "I got laid off", "Siemens fired me"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from brain_core.extract.english.denials import deny
from brain_core.extract.english.facts import NAME, event_of, year_of
from brain_core.extract.english.target import Target, supposed, targets
from brain_core.extract.english.values import clean, profile
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import known_facts, words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression, group_of

EMPLOYED = frozenset({"employer", "work", "work_place", "work_hours"})
"""Names of what a job is, where and when; what one is by trade stays when a job ends."""


def _began(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read where the user works now; one joins clubs and sites too, so that needs a role."""
    if supposed(scene) or long_ago(scene):
        return
    role = match["role"] or match["rolej"]
    facts = [("employer", clean(match["org"] or match["orgj"])), *([("role", clean(role))] if role else [])]
    yield Found(profile(*facts, since=year_of(scene)), span=(0, len(scene.clause.text)))
    yield from event_of(scene)


def _ended(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that the user has no longer the job that is known; of a named employer, only that of this name."""
    if supposed(scene) or long_ago(scene):
        return
    groups = match.groupdict()
    org = next((text for name, text in groups.items() if name.startswith("org") and text), "")
    for target in _jobs(scene, org):
        for found in deny(target, scene):
            yield replace(found, doubts=True, weak=True) if groups.get("unsure") else found
    if _RETIRED.search(match[0]) and any(k == "role" for k, _ in known_facts(scene.known)):
        yield Found(profile(("role", "retired")), span=(0, len(scene.clause.text)))


_RETIRED = pattern(r"\bretired\b")


def _no_more(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that the user is no longer what he was by trade; who gives it up has perhaps left his employer, too."""
    if supposed(scene) or long_ago(scene):
        return
    named, doing = group_of(match, "role"), group_of(match, "doing")
    of_work = [told for told in targets(scene, ("profile",)) if told.fact is not None and told.slot.name == "work"]
    over = [told for told in of_work if told.fact is not None and told.fact["k"] == "role"]
    over = [told for told in over if _is_of_trade(told.said, named, doing)]
    for target in over:
        yield from deny(target, scene)
    for target in of_work if over and not match["still"] else ():
        if target not in over:
            yield from (replace(found, doubts=True, weak=True) for found in deny(target, scene))


def _is_of_trade(said: str, named: str, doing: str) -> bool:
    """Return whether a role is the one that is named, or that of what one does: "nursing" is a nurse's."""
    if named:
        return words_of(named) <= words_of(said)
    stem = doing.lower().removesuffix("ing")
    endings = {stem + ending for ending in ("", "e", "er", "or", "ist", stem[-1] + "er")}
    return not endings.isdisjoint(said.lower().replace(",", " ").split())


def _jobs(scene: Scene, org: str) -> Iterator[Target]:
    held = [told for told in targets(scene, ("profile",)) if told.fact is not None and told.fact["k"] in EMPLOYED]
    if not org or any(told.fact is not None and words_of(org) <= words_of(told.said) for told in held):
        yield from held


def long_ago(scene: Scene) -> bool:
    """Return whether a clause tells of a time before what is known now: another year, "when I was", "years ago"."""
    year = year_of(scene)
    return (year != "" and int(year) < scene.said.year) or _LONG_AGO.search(scene.clause.text) is not None


_LONG_AGO = pattern(
    r"\b(?:years? ago|when (?:i|we) (?:was|were)|back (?:in|then|when)|once|twice|in my (?:teens|twenties|thirties)|"
    r"as a (?:kid|child|student|teenager)|the first time)\b"
)
_I_HAVE = r"i(?:['’]ve| have)?(?: just| finally| also| recently| actually| now| officially| sadly| already)*"
_TIME = (
    r"(?: (?:today|yesterday|recently|last (?:week|month|year|summer|winter|spring|autumn|fall|night|\w+day)|"
    r"this (?:week|month|year|morning|summer|winter|spring|autumn|fall)|(?:in|on|since) (?-i:[A-Z])\w+|"
    r"(?:a|two|three|four|a few|some|\d+) (?:days|weeks?|months?) ago|after \w+ (?:years|months)|for good))?"
)
_WHEN = rf"{_TIME}(?:,? (?:to|because|since|so|and|but|as|due|over|without|with) .{{2,120}})?$"
_THE_JOB = r"my (?:current |day |full-time |office )?job"
_THEY = r"(?:they|my (?:company|boss|employer|work)|the company|work)"
_ORG = rf"(?-i:(?:the )?{NAME})"
_ANY_MORE = r"(?: any ?more| any longer)"
_AND_MORE = rf"(?:{_TIME},[^?]{{2,120}}$|{_WHEN})"


def _a_role(number: int) -> str:
    return rf"an? (?P<role{number}>[a-z][\w/ -]{{2,40}}?)"


RULES = (
    Rule("job_began", "profile", "joined job position role started hired work working", Expression(
        rf"^(?i:{_I_HAVE}) (?:joined (?P<orgj>{NAME}?) as (?:an?|the|their|its) (?P<rolej>[\w /-]{{3,60}}?)|"
        r"(?:(?:started|got|took|landed|accepted)(?: working| (?:a|my|the)(?: new)? (?:job|position|role))|"
        r"was hired|got hired|been hired|started(?= at )) (?:at|with|by|for) (?:the )?"
        rf"(?P<org>{NAME})(?: as (?:an?|the|their) (?P<role>[\w /-]{{3,60}}?))?)(?i:{_WHEN})"), _began, vital=True),
    Rule("job_ended", "profile",
        "quit left lost resigned fired sacked laid let redundant dismissed retired unemployed jobless job work last",
        pattern(
            rf"^(?:{_I_HAVE} (?:quit|left|lost|resigned from|walked out of) (?:{_THE_JOB}(?: (?:at|with) "
            rf"(?P<org>{_ORG}?))?|the company){_WHEN}|"
            rf"{_I_HAVE} (?:resigned|retired(?! to\b))(?: from (?P<orgr>{_ORG}?))?{_WHEN}|"
            rf"{_I_HAVE} (?:quit|resigned from|stopped working (?:at|for)) (?P<orgq>{_ORG}?){_WHEN}|"
            rf"{_I_HAVE} left (?P<orgl>{_ORG}?)(?P<unsure> (?:today|yesterday|on \w+|this \w+))?{_WHEN}|"
            rf"{_I_HAVE}(?: been| was| got)(?: just)? (?:laid off|fired|sacked|let go|made redundant|dismissed)"
            rf"(?: (?:by|from|at) (?:{_THE_JOB}|work|(?P<orgf>{_ORG}?)))?{_WHEN}|"
            rf"(?:{_THEY}|(?P<orgt>{_ORG}?))(?:['’]ve|['’]s| have| has)?(?: just)? (?:fired|sacked|"
            rf"dismissed) me{_WHEN}|"
            rf"(?:{_THEY}|(?P<orgm>{_ORG}?))(?:['’]ve|['’]s| have| has)?(?: just)? (?:laid me off|let me go|"
            rf"made me redundant){_WHEN}|"
            r"i(?:['’]m| am)(?: now| currently| officially| finally| happily)* (?:retired|unemployed|jobless|"
            rf"out of (?:work|a job)|between jobs)(?: now| again| at the moment| these days)*{_WHEN}|"
            rf"(?:today|yesterday|\w+day) was my (?:very )?last day (?:at|with) (?P<orgd>{_ORG}?){_WHEN})"),
        _ended, shares=True, vital=True),
    Rule("role_ended", "profile", "longer anymore more stopped quit gave given done left packed", pattern(
        rf"^(?:(?P<still>(?:i(?:['’]m| am) )?no longer {_a_role(1)}|"
        rf"i(?:['’]m| am) not {_a_role(2)}{_ANY_MORE}){_AND_MORE}|"
        rf"i no longer work as {_a_role(3)}{_AND_MORE}|i(?:['’]m| am) no longer working as {_a_role(4)}{_AND_MORE}|"
        rf"(?:i(?: don['’]?t| do not|['’]m not| am not)|not) work(?:ing)? as {_a_role(5)}{_ANY_MORE}{_AND_MORE}|"
        rf"(?:{_I_HAVE} |(?:just |finally )?)(?:stopped|quit|gave up|given up|left|packed in|done with) "
        rf"(?:(?:being|working as) {_a_role(6)}|(?P<doing>[a-z]{{3,14}}ing)(?: any ?more)?){_AND_MORE})"),
        _no_more, shares=True, vital=True),
)  # fmt: skip
