"""Who someone is and how they like things: identity, profile, preferences, goals, skills."""

from __future__ import annotations

import re
from typing import Any

from smartbrain.v1.item_pb2 import LAYER_LONGTERM

from brain_core.kinds.kind import NO_PROJECT, OWNER, Kind, Value, labelled, lines, listed, path, shown, slug, told
from brain_core.kinds.merge import by_name, practised
from brain_core.kinds.plainly import HAN, is_named_by, plainly
from brain_core.kinds.shape import ANY, DAY, OBJECT, TEXT, TEXTS, Field, entries, number, word
from brain_core.kinds.subject import FIELDS, SPELLING, in_path, name_of, unasked, within
from brain_core.kinds.told_of import told_of

SCOPES = ("writing", "coding", "tools", "ui", "other")
GOAL_STATUSES = ("active", "reached", "dropped")


def _identity(value: Value) -> str:
    values = value.get("values")
    return lines(
        f"Identity of {value['subject']}: {value['name']}",
        labelled("Role", value.get("role")),
        told("Persona", value.get("persona")),
        listed("Goals", value.get("goals")),
        told("Values", values) if isinstance(values, dict) else listed("Values", values),
    )


def _profile(value: Value) -> str:
    name = "" if value["subject"] == OWNER else name_of(value)
    return lines(f"Profile of {name or 'the user'}", *(_fact(fact, name) for fact in value.get("facts", ())))


def _profile_uri(value: Value) -> str:
    return f"user://context/{path(*(value[part] for part in ('subject', 'part') if part in value))}"


def _fact(fact: dict[str, Any], who: str) -> str:
    times = [f"{name} {fact[name]}" for name in ("since", "until") if fact.get(name)]
    times += [f"until then {shown(fact['until_then'])}"] if fact.get("until_then") else []
    times += [f"perhaps no longer so since {fact['doubted']}"] if fact.get("doubted") else []
    times += ["guessed"] if fact.get("guessed") else []
    plain = plainly(str(fact["k"]), fact["v"], who) if isinstance(fact["v"], str) else ""
    shortly = plain or f"{str(fact['k']).replace('_', ' ')}: {_PLACED.sub('', shown(fact['v']))}"
    return shortly + (f" ({', '.join(times)})" if times else "")


_PLACED = re.compile(r"^(?:in|at) (?=[A-Z])")
"""How the value of a home or a place of work begins that was told with its verb."""


_INSTRUCTS = re.compile(r"(?:以后|请|也|就)*(?:别|不要|不许|不准)|(?:please )?(?:don['’]?t|do not|never|stop)\b", re.I)
"""How a preference begins that says what is not to be done, and nothing that is liked."""


def _preference(value: Value) -> str:
    name, said, who = value["name"], value["value"], name_of(value)
    plain = plainly(name, said, who)
    if plain:
        return plain
    if slug(said) == name and not _INSTRUCTS.match(said):
        return f"{who or '用户'}喜欢{said}" if HAN.search(said) else f"{who or 'The user'} likes {said}"
    if is_named_by(name, said):
        return f"Preference of {who or 'the user'}: {said}"
    return f"{who or 'The user'} prefers ({value['scope']}) {str(name).replace('_', ' ')}: {said}"


def _goal(value: Value) -> str:
    name, said = str(value["name"]), str(value.get("description", ""))
    told = told_of(said, name_of(value)) or said
    if told and is_named_by(name, said):
        return f"Goal{within(value)} ({value['status']}): {told}"
    return lines(f"Goal{within(value)}: {name} ({value['status']})", told)


def _skill(value: Value) -> str:
    return lines(
        f"Skill in {value['category']}: {value['name']}, proficiency {shown(value['proficiency'])} of 10",
        listed("Practice", value.get("practice", [])[-5:]),
    )


PERSONAL = (
    Kind(
        type="identity", prefix="identity", parts=("subject",), policy="overwrite",
        fields={"subject": TEXT, "name": TEXT, "role": TEXT, "persona": OBJECT, "goals": TEXTS, "values": ANY},
        required=("name",), defaults={"subject": "agent"},
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "identity", priority=lambda _: 0,
        render=_identity, uri=lambda v: f"system://identity/{path(v['subject'])}",
    ),
    Kind(
        type="profile", prefix="profile", parts=("subject",), policy="versioned",
        fields={
            **FIELDS,
            "facts": entries(
                ("k", "v"), k=Field("text", most=64), v=ANY, since=TEXT, until=TEXT, until_then=ANY, doubted=TEXT
            ),
            "denied": entries(("k", "v"), k=Field("text", most=64), v=ANY),
        },
        required=("facts",), defaults={"subject": OWNER},
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "profile",
        priority=lambda v: unasked(v, 3 if "part" in v else 1), render=_profile, uri=_profile_uri,
        merge=by_name, quiet=SPELLING, of_somebody=True, continued="part",
    ),
    Kind(
        type="preferences", prefix="pref", parts=("scope", "name"), policy="overwrite",
        fields={**FIELDS, "scope": word(*SCOPES), "name": TEXT, "value": TEXT, "priority": number(0, 1)},
        required=("name", "value"), defaults={"scope": "other"},
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "preference", priority=lambda v: unasked(v, 2),
        render=_preference, uri=lambda v: f"user://preferences/{path(*in_path(v), v['scope'], v['name'])}",
        compared=("name", "value"), asserts=True, quiet=SPELLING, of_somebody=True,
    ),
    Kind(
        type="goals", prefix="goal", parts=("project", "name"), policy="overwrite",
        fields={**FIELDS, "project": TEXT, "name": TEXT, "description": TEXT, "status": word(*GOAL_STATUSES)},
        required=("name",), defaults={"project": NO_PROJECT, "status": "active"},
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "goal",
        priority=lambda v: unasked(v, 2 if v["status"] == "active" else 6),
        render=_goal, uri=lambda v: f"project://{path(v['project'])}/goals/{path(*in_path(v), v['name'])}",
        compared=("name", "description"), quiet=SPELLING, of_somebody=True,
    ),
    Kind(
        type="skills", prefix="skill", parts=("category", "name"), policy="accumulate",
        fields={
            "category": TEXT, "name": TEXT, "proficiency": number(0, 10),
            "practice": entries((), date=DAY, minutes=number(0), proficiency=number(0, 10), note=TEXT),
        },
        required=("name",), defaults={"category": "general", "proficiency": 0},
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "skill", priority=lambda _: 4,
        render=_skill, uri=lambda v: f"user://standards/skills/{path(v['category'], v['name'])}", merge=practised,
        compared=("name",),
    ),
)  # fmt: skip
"""Rows of what is said of people and agents."""
