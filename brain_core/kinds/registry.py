"""The type registry. Adding a type is adding a row."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from smartbrain.v1.item_pb2 import LAYER_EPISODIC, LAYER_LONGTERM, LAYER_WORKING, Layer

from brain_core.errors import require

Value = Mapping[str, Any]
Policy = Literal["overwrite", "versioned", "accumulate"]

SCOPES = ("writing", "coding", "tools", "ui", "other")
TASK_STATUSES = ("todo", "doing", "done", "blocked")
GOAL_STATUSES = ("active", "reached", "dropped")
ENTITY_KINDS = ("person", "org", "repo", "file", "url", "topic", "other")


@dataclass(frozen=True, slots=True)
class Kind:
    """One sort of memory.

    parts: fields of the value that make the key, after the prefix. defaults: of missing fields. words: closed
    vocabularies of fields. render: the readable body of the text. uri: where it stands in the URI space.
    """

    type: str
    prefix: str
    parts: tuple[str, ...]
    policy: Policy
    layer: Callable[[Value], Layer.ValueType]
    category: str
    priority: Callable[[Value], int]
    required: tuple[str, ...]
    defaults: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]
    render: Callable[[Value], str]
    uri: Callable[[Value], str]

    def key(self, value: Value) -> str:
        """Return the key of a value."""
        return ":".join([self.prefix, *(key_part(str(value[part])) for part in self.parts)])

    def text(self, value: Value) -> str:
        """Return the readable form: `[type:key]`, then the body (types §7)."""
        return f"[{self.type}:{self.key(value)}]\n{self.render(value)}"


def key_part(text: str) -> str:
    """Return a text as it stands in a key: NFKC, white space to single underscores, no colons."""
    return re.sub(r"\s+", "_", unicodedata.normalize("NFKC", text).strip()).replace(":", "_")


def slug(text: str, longest: int = 80) -> str:
    """Return a title as a readable part of a key: letters and digits of any script, joined by underscores."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())
    return "_".join(words)[:longest].strip("_")


def _path(*parts: object) -> str:
    return "/".join(quote(str(part), safe="") for part in parts)


def _lines(*lines: str) -> str:
    return "\n".join(line for line in lines if line)


def _labelled(label: str, value: object) -> str:
    return f"{label}: {value}" if value else ""


def _preference(value: Value) -> str:
    return f"The user prefers ({value['scope']}) {value['name']}: {value['value']}"


def _goal(value: Value) -> str:
    return _lines(f"Goal of {value['project']}: {value['name']} ({value['status']})", str(value.get("description", "")))


def _task(value: Value) -> str:
    return _lines(
        f"Task of {value['project']}: {value.get('title') or value['task_id']}",
        _labelled("Status", value["status"]),
        _labelled("Due", value.get("due")),
        _labelled("Notes", "; ".join(value.get("notes", ()))),
    )


def _decision(value: Value) -> str:
    return _lines(
        f"Decision of {value['project']} on {value['topic']}: {value['decision']}",
        _labelled("Because", value.get("rationale")),
        _labelled("Made at", value.get("made_at")),
    )


def _event(value: Value) -> str:
    return _lines(f"{value['date']}: {value['title']} ({value['scope']})", _labelled("Impact", value.get("impact")))


def _entity(value: Value) -> str:
    attributes = value.get("attrs", {})
    return _lines(
        f"{value['kind']}: {value['canonical']}",
        _labelled("Also called", ", ".join(value.get("aliases", ()))),
        *(f"{name}: {attributes[name]}" for name in sorted(attributes)),
    )


_PROJECT = {"project": "default"}

KINDS: dict[str, Kind] = {
    kind.type: kind
    for kind in (
        Kind(
            type="preferences", prefix="pref", parts=("scope", "name"), policy="overwrite",
            layer=lambda _: LAYER_LONGTERM, category="preference", priority=lambda _: 2,
            required=("name", "value"), defaults={"scope": "other"}, words={"scope": SCOPES},
            render=_preference, uri=lambda v: f"user://preferences/{_path(v['scope'], v['name'])}",
        ),
        Kind(
            type="goals", prefix="goal", parts=("project", "name"), policy="overwrite",
            layer=lambda _: LAYER_LONGTERM, category="goal",
            priority=lambda v: 2 if v["status"] == "active" else 6,
            required=("name",), defaults={**_PROJECT, "status": "active"}, words={"status": GOAL_STATUSES},
            render=_goal, uri=lambda v: f"project://{_path(v['project'])}/goals/{_path(v['name'])}",
        ),
        Kind(
            type="tasks", prefix="task", parts=("project", "task_id"), policy="overwrite",
            layer=lambda v: LAYER_EPISODIC if v["status"] == "done" else LAYER_WORKING, category="state",
            priority=lambda _: 4,
            required=("task_id",), defaults={**_PROJECT, "status": "todo"}, words={"status": TASK_STATUSES},
            render=_task, uri=lambda v: f"task://todos/{_path(v['project'], v['task_id'])}",
        ),
        Kind(
            type="decisions", prefix="decision", parts=("project", "topic"), policy="versioned",
            layer=lambda _: LAYER_EPISODIC, category="decision", priority=lambda _: 3,
            required=("topic", "decision"), defaults=_PROJECT, words={},
            render=_decision, uri=lambda v: f"project://{_path(v['project'])}/decisions/{_path(v['topic'])}",
        ),
        Kind(
            type="events", prefix="event", parts=("scope", "date", "slug"), policy="versioned",
            layer=lambda _: LAYER_EPISODIC, category="event", priority=lambda _: 5,
            required=("title",), defaults={"scope": "default"}, words={},
            render=_event, uri=lambda v: f"task://session_log/{_path(v['scope'], v['date'], v['slug'])}",
        ),
        Kind(
            type="entities", prefix="entity", parts=("kind", "canonical"), policy="accumulate",
            layer=lambda _: LAYER_LONGTERM, category="entity", priority=lambda _: 5,
            required=("canonical",), defaults={"kind": "other"}, words={"kind": ENTITY_KINDS},
            render=_entity, uri=lambda v: f"project://entities/{_path(v['kind'], v['canonical'])}",
        ),
    )
}  # fmt: skip


def kind_of(item_type: str, field: str) -> Kind:
    """Return the row of a type; raise InvalidArgument that names the field."""
    require(item_type in KINDS, field, item_type, " | ".join(KINDS), "unknown type")
    return KINDS[item_type]
