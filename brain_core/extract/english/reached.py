"""Goals that were reached: "I finally ran the marathon" of the wish to run one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from brain_core.extract.dates import first_day
from brain_core.extract.english.slots import FILLERS
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import event, knowledge
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import value_of, words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.words import terms


def _reached(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what the user has done as the end of the goal to do it, and as an event."""
    said = match["verb"].lower()
    if supposed(scene) or not (match["who"] or said.endswith("ed") or said in _BASE):
        return
    goals = list(active_goals(scene))
    rest = _WHEN.sub("", match["rest"].partition(",")[0]).strip()
    named = frozenset(terms(_OWN.sub("", rest))) - _IDLE
    verb = next(iter(terms(_BASE.get(said, said))), "")
    if _MY_GOAL.fullmatch(rest):
        done = goals if len(goals) == 1 and verb in _ACHIEVED else []
    else:
        done = [goal for goal in goals if _is_done(goal, verb, named, rest)]
    if len(done) != 1:
        return
    yield end_of(done[0], scene)
    yield happening(scene)


def active_goals(scene: Scene) -> Iterator[dict[str, Any]]:
    """Yield the values of the goals that stand."""
    values = (value_of(item) for item in scene.known.active("goals"))
    return (value for value in values if value["status"] == "active")


def told_of(goal: dict[str, Any]) -> str:
    """Return what a goal is, in words."""
    return str(goal.get("description") or goal["name"].replace("_", " "))


def end_of(goal: dict[str, Any], scene: Scene) -> Found:
    """Return that a goal is reached, as a clause says."""
    fields = {name: part for name, part in goal.items() if isinstance(part, str)}
    return Found({**fields, "status": "reached"}, type="goals", span=(0, len(scene.clause.whole)))


def happening(scene: Scene) -> Found:
    """Return what a clause tells as an event of the day that it names, else of today."""
    text = scene.clause.whole
    day = first_day(text, scene.said, past=True)
    return Found(event(text, (day.day if day else scene.said).isoformat()), type="events", span=(0, len(text)))


def _is_done(goal: dict[str, Any], verb: str, named: frozenset[str], rest: str) -> bool:
    """Return whether what was done is what a goal names: its verb or one of achieving, its numbers, no more."""
    told = told_of(goal)
    if not named or _WITHOUT_END.search(told):
        return False
    aim = frozenset(terms(told))
    numbers = {term for term in frozenset(terms(_HORIZON.sub("", told))) if term[0].isdigit()}
    if not (named <= aim and numbers <= named):
        return False
    saved = verb in _BOUGHT and bool(aim & _SAVING)
    return verb in aim or saved or (verb in _ACHIEVED and _CERTAIN.match(rest) is not None)


_BASE = {
    "ran": "run", "wrote": "write", "written": "write", "lost": "lose", "got": "get", "gotten": "get",
    "bought": "buy", "paid": "pay", "made": "make", "became": "become", "built": "build", "won": "win",
    "swam": "swim", "spoke": "speak", "went": "go", "gave": "give", "sold": "sell", "rode": "ride",
    "drove": "drive", "learnt": "learn", "did": "accomplish",
}  # fmt: skip
_ACHIEVED = frozenset(terms("finish complete reach achieve do accomplish nail hit manage run pass win ace make get"))
_BOUGHT = frozenset(terms("buy get"))
_SAVING = frozenset(terms("save saving"))
_IDLE = FILLERS | frozenset(terms("finally my the a an our it up first own all of"))
_WITHOUT_END = pattern(
    r"\b(?:more|less|fewer|better|every|each|daily|weekly|regularly|often|healthier|fitter|always|keep|stay)\b"
)
_CERTAIN = pattern(r"(?:my|our|the)\b")
_OWN = pattern(r"\b(?:my|our) (?:very )?(?:first|own)\b")
_MY_GOAL = pattern(r"(?:my|the|our|that) goal")
_HORIZON = pattern(r"\b(?:by|in|before|until|within) .*$|\b(?:19|20)\d\d\b")
_WHEN = pattern(
    r"[ ,]*\b(?:today|tonight|yesterday|finally|at last|in the end|this (?:week|month|year|morning|weekend|summer|"
    r"spring|winter|autumn|fall)|last (?:week|month|year|night|weekend|\w+day)|(?:on|in) (?-i:[A-Z])\w+|"
    r"on the first try|"
    r"after .*|with .*|in \d.*|by \w+ing .*|thanks to .*)$"
)


def _mastered(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what the user does by now as the end of the one goal to learn it."""
    if supposed(scene):
        return
    verb, said = set(terms(_BASE.get(match["verb"].lower(), match["verb"]))), words_of(match[0])
    learnt = ((goal, _LEARNT.match(told_of(goal))) for goal in active_goals(scene))
    done = [goal for goal, what in learnt if what and verb & set(terms(what["verb"])) and _matter(what["rest"]) <= said]
    if len(done) == 1:
        yield end_of(done[0], scene)
        yield Found(knowledge(scene.clause.whole), type="knowledge", span=(0, len(scene.clause.whole)))


def _matter(words: str) -> frozenset[str]:
    return frozenset(terms(_HORIZON.sub("", words))) - _IDLE


_LEARNT = pattern(r"^.*?\b(?:learn(?: how)? to|be able to|know how to) (?P<verb>[a-z]+)(?P<rest>.*)$")
RULES = (
    Rule("goal_mastered", "goals", "now days",
        pattern(r"^(?:i|we) (?:can |actually |really )*(?P<verb>(?!want|need|hope|plan|try|will|would|could)[a-z]+)\b"
                r"(?!.*\b(?:not|never|no|like)\b)(?:[^?]{0,100}?) (?:by now|now|these days)$"),
        _mastered),
    Rule("goal_reached", "goals",
        "ran run finished completed reached achieved passed got lost saved learned learnt read wrote published quit "
        "stopped did made bought paid won built swam climbed hiked became earned graduated sold cycled rode hit nailed "
        "written accomplished cleared moved started launched visited cut reduced doubled",
        pattern(
            r"^(?:finally |just )?(?P<who>(?:i|we)(?:['’]ve| have)?(?: just| finally| actually| already| now|"
            r" also| really|"
            r" successfully)* )?"
            r"(?P<verb>[a-z]+)(?P<rest> .{2,120})$"),
        _reached, vital=True),
)  # fmt: skip
