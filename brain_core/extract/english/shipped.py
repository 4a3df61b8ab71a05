"""Goals that are done, told briefly: "we shipped on Friday", "runbook's done"; and what a doctor changed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.brief import named_by
from brain_core.extract.english.medicines import MEDICINES
from brain_core.extract.english.reached import active_goals, end_of, happening, told_of
from brain_core.extract.english.replacing import replaced
from brain_core.extract.english.target import supposed, targets
from brain_core.extract.english.values import profile
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


def _dose(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "she upped it to 1000" after a medicine was told of in this session, or where its name is said."""
    if supposed(scene):
        return
    what, new = match["what"] or match["what2"], match["new"] or match["new2"]
    held = [told for told in targets(scene, ("profile",)) if told.slot.name == "medicine" and told.fact is not None]
    named = [told for told in held if words_of(what) & words_of(told.said)]
    if not named and len(held) == 1 and _IT.fullmatch(what) and held[0].item.session_id == scene.session:
        named = held
    if len(named) == 1 and len(amounts := _AMOUNT.findall(named[0].said)) == 1:
        yield from replaced(named[0], amounts[0], new, scene)
    elif not named and (medicine := next((word for word in what.lower().split() if word in _MEDICINES), "")):
        yield Found(profile((f"medicine_{medicine}", scene.clause.text)), span=(0, len(scene.clause.text)))


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
_MEDICINES = frozenset(MEDICINES.split())
_IT = pattern(r"it|the dose|that|the dosage")
_SPELLED = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|twenty[- ]five|thirty|forty|fifty|"
    r"sixty|seventy[- ]five|eighty|a hundred|two hundred|half an?)"
)
_UNIT = r"(?:mg|mcg|units?|milligrams?|micrograms?|tablets?|pills?|drops?|puffs?)"
_DOSED = r"(?:upped|raised|increased|lowered|reduced|cut|bumped|doubled|halved|dropped|brought|put)"
_AMOUNT = pattern(rf"\b\d+(?:[.,]\d+)?\b|\b{_SPELLED}(?= {_UNIT}\b)")
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
    Rule("dose", "profile", "upped raised increased lowered reduced cut doubled halved dropped bumped put", pattern(
        r"^(?:my (?:dose of )?(?P<what2>[a-z]+)(?: dose)?(?:['’]s| is| was| has been| got)(?: just| now| been)? "
        rf"{_DOSED}(?: back)?(?: up| down)? to (?P<new2>\d+(?:[.,]\d+)?|{_SPELLED}(?= {_UNIT}\b))|"
        r"(?:he|she|they|we|i|dr\.? (?-i:[A-Z])[\w'’-]+|(?:my|the) (?:doctor|gp|consultant|psychiatrist|cardiologist|"
        r"endocrinologist|specialist|nurse|vet))(?:['’]s| has| have|"
        rf"['’]ve)?(?: just)? {_DOSED} (?P<what>(?:my |the )?(?:dose of |dosage of )?"
        r"[a-z]+)(?: dose)?(?: back)?(?: up| down)? to "
        rf"(?P<new>\d+(?:[.,]\d+)?|{_SPELLED}(?= {_UNIT}\b)))(?: ?{_UNIT})?"
        r"(?: (?:a|per) day| daily| now)?(?:,? (?:from|as of|since|starting) .{2,40})?$"),
        _dose, vital=True),
)  # fmt: skip
