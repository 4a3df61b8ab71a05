"""Goals that are done, told briefly: "we shipped on Friday", "runbook's done"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.brief import named_by
from brain_core.extract.english.reached import active_goals, end_of, happening, told_of
from brain_core.extract.english.target import supposed
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.versions import VERSION, released, upgraded


def _shipped(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read that what was to be shipped is out: the end of the only goal of that sort."""
    due = [goal for goal in active_goals(scene) if _A_RELEASE.search(told_of(goal))]
    if len(due) == 1 and not supposed(scene):
        yield end_of(due[0], scene)
        yield happening(scene)


def _finished(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "the runbook's done" as the end of the only goal to make one."""
    if supposed(scene):
        return
    named = words_of(match["what"])
    due = [
        goal
        for goal in active_goals(scene)
        if (aim := _TO_MAKE.search(told_of(goal))) and named <= words_of(aim["what"])
    ]
    if named and len(due) == 1:
        yield end_of(due[0], scene)


_A_RELEASE = pattern(r"\b(?:ship|launch|(?:first |next |beta |final |public )?release|go(?:ing)? live)\b")
_TO_MAKE = pattern(
    r"^(?:(?:we|i|our goal is to|my goal is to) )?(?:still )?(?:needs?|write|finish|deliver|complete|build|prepare|"
    r"draft|get) (?:an?|the|our|my) (?P<what>[\w -]{3,40}?)(?= (?:for|by|of|to|on|in|with|before|until|out|done)\b|,|$)"
)


def _out(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "shipped v3 of the API" of an API whose version is known to be v2."""
    names = named_by(match["what"] or match["what2"])
    if names is not None and not supposed(scene):
        yield from released(match["new"] or match["new2"], names, scene)


def _upgraded(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "prod is Postgres 16 now" where a lower version is known."""
    if not supposed(scene) and not _MAY_BE.search(scene.clause.sentence):
        yield from upgraded(match["product"], match["new"], scene.clause.text, scene)


_MAY_BE = pattern(
    r"\?|n['’]t\b|\b(?:should|could|would|want|plan\w*|might|maybe|need|try|trying|will|going to|next|until|"
    r"ready for)\b"
)
_WHEN = (
    r"(?:,? (?:today|yesterday|this (?:morning|week)|last (?:week|night|month|\w+day)|on \w+day(?:, the \d\w+)?|"
    r"finally|at last|on time|in the end|on the \d\w+|!))*"
)
RULES = (
    Rule("shipped", "goals", "shipped launched released live", pattern(
        r"^(?:and |finally |so )*we(?:['’]ve|['’]re| have| are)?(?: just| finally| actually)* "
        rf"(?:(?:shipped|launched|released)(?: it| the (?:thing|release))?|(?:went|gone|now|are|finally) live|"
        rf"(?<=re )live(?: now)?){_WHEN}$"),
        _shipped, vital=True),
    Rule("version_out", "knowledge", "shipped released launched published rolled deployed pushed out live went",
        pattern(
        r"^(?:(?:so|and|ok),? )*(?:(?:i|we)(?:['’]ve| have)?(?: just| finally)* )?(?:shipped|released|launched|"
        r"published|"
        rf"rolled out|deployed|pushed(?: out)?) (?P<new>{VERSION}) of (?:the|our|my) "
        r"(?P<what>[\w-]+(?: (?!yesterday|today|tonight|last|this|on|an?|just|finally|to|for|with)[\w-]+)?)\b"
        rf"(?! to (?:staging|test|dev))(?:[ ,].{{0,100}})?$|^(?:the |our )?(?P<new2>{VERSION}) of (?:the|our|my) "
        r"(?P<what2>[\w-]+(?: [\w-]+)?) (?:is|went)(?: finally| now)? (?:out|live)\b.{0,60}$"),
        _out, vital=True),
    Rule("upgraded", "knowledge", "upgraded updated bumped upgrade migrated moved now since on", pattern(
        r"^(?=.*\b(?:upgraded|updated|bumped|upgrade|migrated|moved|now|"
        r"since)\b).{0,80}?\b(?P<product>(?-i:[A-Z])[A-Za-z+#.-]*[A-Za-z+#]) "
        r"(?P<new>v?\d{1,4}(?:\.\d+){0,3})(?![\w.:%]*\d)(?! ?(?:am|pm|%|years?|days?|hours?|minutes?)\b).{0,80}$"),
        _upgraded, vital=True),
    Rule("made", "goals", "done finished ready written complete", pattern(
        r"^(?:the |our |my )?(?P<what>(?!it\b|that\b|this\b|all\b|i\b|we\b)[\w-]+(?: [\w-]+){0,2}?)(?:['’]s| is)"
        rf"(?: now| all| finally)* (?:done|finished|ready|written|complete){_WHEN}(?: now)?$"),
        _finished, shares=True, vital=True),
)  # fmt: skip
