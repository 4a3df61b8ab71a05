"""Who follows whom in a role that one person has: "Marcus is my boss now" ends that Priya is the manager."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from brain_core.extract.english.target import supposed
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import known_facts, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import group_of

_ONE = {
    "boss": "boss", "manager": "boss", "line manager": "boss", "supervisor": "boss", "team lead": "boss",
    "landlord": "landlord", "landlady": "landlord", "gp": "doctor", "doctor": "doctor", "solicitor": "lawyer",
    **{role: role for role in (
        "accountant", "consultant", "dentist", "therapist", "physio", "coach", "trainer", "tutor", "vet", "lawyer",
        "midwife", "neurologist", "dermatologist", "oncologist", "surgeon", "psychologist", "counsellor",
        "optician", "dietitian", "social worker", "key worker", "mechanic", "plumber", "gardener", "barber",
        "hairdresser", "cleaner", "childminder", "nanny", "mentor", "psychiatrist", "cardiologist",
    )},
}  # fmt: skip
"""Roles of which one person has each, by what they are the same as."""


def _follows(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that whoever else had the role has it no more."""
    if supposed(scene):
        return
    role, who = group_of(match, "role").lower(), group_of(match, "name")
    over = list(_over(scene, lambda name, held: held == _ONE[role] and name != who))
    yield from over
    if over:
        given = {"subject": "user", "facts": [{"k": role.replace(" ", "_"), "v": who}]}
        yield Found(given, type="profile", span=(0, len(scene.clause.text)))


def _another(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read "changed accountants, it's Deepak now", whose name may stand behind the clause."""
    start = scene.clause.start
    told = _ANOTHER.match(scene.message, start)
    if told is not None:
        yield from (replace(found, span=(0, told.end() - start)) for found in _follows(told, scene))


def _reports(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "I report to Dan now" of whoever has been told to be the boss, under the name that was told."""
    known = {str(k).replace("_", " "): v for k, v in known_facts(scene.known)}
    role = next((k for k in known if _ONE.get(k) == "boss" and known[k] != match["name"]), "")
    if role and not supposed(scene):
        given = {"subject": "user", "facts": [{"k": role.replace(" ", "_"), "v": match["name"]}]}
        yield Found(given, type="profile", span=(0, len(scene.clause.text)))


def _left(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that somebody who has left has the role no more."""
    if not supposed(scene):
        yield from _over(scene, lambda name, held: name == match["name"] and held == "boss")


def _over(scene: Scene, is_over: Callable[[str, str], bool]) -> Iterator[Found]:
    """Yield the end of what is known of whom `is_over` names, by name and role: a fact, and the role of a person."""
    for item in scene.known.active("profile"):
        for fact in value_of(item).get("facts", ()):
            role = _ONE.get(str(fact["k"]).replace("_", " "), "")
            if role and is_over(str(fact["v"]), role):
                given: dict[str, Any] = {"subject": "user", "facts": [{"k": fact["k"], "v": fact["v"]}]}
                yield Found(given, type="profile", denies=True, span=(0, len(scene.clause.text)))
    for item in scene.known.active("entities"):
        value = value_of(item)
        held = _ROLE.fullmatch(str(value.get("attrs", {}).get("role", "")))
        role = "" if held is None else _ONE[held["role"].lower()]
        if held is not None and value.get("kind") == "person" and is_over(value["canonical"], role):
            former = {"role": f"former {held['role']}"}
            given = {"kind": "person", "canonical": value["canonical"], "attrs": former}
            yield Found(given, type="entities", span=(0, len(scene.clause.text)))


_NAMES = rf"(?:{'|'.join(sorted(_ONE, key=len, reverse=True))})"
_ROLE = pattern(rf"(?:(?:my|our|the|new|current) )*(?P<role>{_NAMES})(?: now)?")
_NAME = r"(?-i:(?:Dr\.? |Mrs?\.? |Ms\.? )?[A-Z][\w’'-]*\w(?: [A-Z][\w’'-]*\w)?)"
_IT_IS = r"(?:(?:it|he|she|that)(?:['’]?s| is)|called|named|now)"
_SOMEBODY = r"(?: (?:an?|this) (?:new |nice |lovely )?(?:guy|woman|lady|bloke|man|girl|one|person)(?: called| named)?)"
_ANOTHER = pattern(
    rf"(?:(?:i|we)(?:['’]ve| have)?(?: just| got| finally)* )?(?:(?:changed|switched|swapped) (?:my |our )?"
    rf"(?P<role>{_NAMES})s?|(?:(?:got|have) )?(?:an? |the |my |our )?new (?P<role2>{_NAMES})(?:['’]s| is)?|"
    rf"(?:my|our|the) (?P<role3>{_NAMES})(?:['’]s| is) now)(?:[ ,;:–—-]{{0,3}}(?:\band)?|[.!]{{1,3}}(?= (?:it|he|"
    rf"she)\b))(?: {_IT_IS})*"
    rf"{_SOMEBODY}? (?P<name>{_NAME})(?: (?:now|these days|instead))*(?=$|[,;.!\n])"
)
RULES = (
    Rule("another_in_role", "profile", "changed switched swapped new now", pattern(
        rf"\b(?:(?:changed|switched|swapped|new)\b.{{0,10}} (?:{_NAMES})s?|(?:{_NAMES})(?:['’]s| is) now)\b"),
        _another, vital=True),
    Rule("follows_in_role", "profile", "manager boss supervisor lead landlord landlady",
        pattern(
            rf"^(?:my (?:new |current )?(?P<role>{_NAMES})(?:['’]s| is)(?: now| called| named| currently)* "
            rf"(?P<name>{_NAME})|(?P<name2>{_NAME}) is (?:now )?my (?:new |current )?(?P<role2>{_NAMES}))"
            r"(?: now| these days| from now on)?$"),
        _follows, shares=True, vital=True),
    Rule("reports_to", "profile", "report reporting answer", pattern(
        rf"^(?:(?:so|and|but)[, ]+)?i(?:['’]m| am)?(?: now)? (?:report(?:ing)?|answer) (?:directly |straight )?to "
        rf"(?P<name>{_NAME})(?: (?:now|these days|from now on|directly|instead))*$"), _reports, vital=True),
    Rule("left_role", "profile", "left quit resigned retired",
        pattern(
            rf"^(?P<name>{_NAME})(?:['’]s| has)?(?: just| now)? (?:left (?:the (?:company|firm|team|job)|us|for good)|"
            r"quit|resigned|retired)\b(?!\?).{0,40}$"),
        _left, shares=True, vital=True),
)  # fmt: skip
