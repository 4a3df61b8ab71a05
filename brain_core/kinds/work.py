"""What is to be done, was decided and happened: tasks, decisions, events, working."""

from __future__ import annotations

from smartbrain.v1.item_pb2 import LAYER_EPISODIC, LAYER_WORKING

from brain_core.kinds.kind import NO_PROJECT, Kind, Value, labelled, lines, listed, path, shown
from brain_core.kinds.plainly import is_named_by
from brain_core.kinds.shape import ANY, DAY, TEXT, TEXTS, word
from brain_core.kinds.subject import FIELDS, SPELLING, in_path, name_of, within
from brain_core.kinds.told_of import told_of

TASK_STATUSES = ("todo", "doing", "done", "blocked")
_ONE_DAY_S = 86_400


def _of_whom(value: Value, said: str) -> str:
    """Return what another said of themself as told of them; the owner's words stand."""
    name = name_of(value)
    return (name and told_of(said, name)) or said


def _task(value: Value) -> str:
    return lines(
        f"Task{within(value)}: {_of_whom(value, str(value.get('title') or value['task_id']))}",
        labelled("Status", value["status"]),
        labelled("Due", value.get("due")),
        listed("Notes", value.get("notes")),
    )


def _decision(value: Value) -> str:
    topic, decided = str(value["topic"]), str(value["decision"])
    on = "" if is_named_by(topic, decided) else f" on {topic}"
    return lines(
        f"Decision{within(value)}{on}: {_of_whom(value, decided)}",
        labelled("Because", value.get("rationale")),
        labelled("Made at", value.get("made_at")),
    )


def _event(value: Value) -> str:
    name, title = name_of(value), str(value["title"])
    told = (name and told_of(title, name)) or (f"{name}: {title}" if name else title)
    days = f"{value['date']} to {value['until']}" if value.get("until") else value["date"]
    scope = "" if value["scope"] == NO_PROJECT else f" ({value['scope']})"
    return lines(f"{days}: {told}{scope}", labelled("Impact", value.get("impact")))


def _working(value: Value) -> str:
    return f"Working memory of {value['task']}, {value['name']}: {shown(value['value'])}"


WORK = (
    Kind(
        type="tasks", prefix="task", parts=("project", "task_id"), policy="overwrite",
        fields={
            **FIELDS, "project": TEXT, "task_id": TEXT, "title": TEXT, "status": word(*TASK_STATUSES), "due": DAY,
            "notes": TEXTS,
        },
        required=("task_id",), defaults={"project": NO_PROJECT, "status": "todo"},
        layer=lambda v: LAYER_EPISODIC if v["status"] == "done" else LAYER_WORKING, category=lambda _: "state",
        priority=lambda _: 4,
        render=_task, uri=lambda v: f"task://todos/{path(*in_path(v), v['project'], v['task_id'])}",
        compared=("title",), quiet=SPELLING, of_somebody=True,
    ),
    Kind(
        type="decisions", prefix="decision", parts=("project", "topic"), policy="versioned",
        fields={**FIELDS, "project": TEXT, "topic": TEXT, "decision": TEXT, "rationale": TEXT, "made_at": DAY},
        required=("topic", "decision"), defaults={"project": NO_PROJECT},
        layer=lambda _: LAYER_EPISODIC, category=lambda _: "decision", priority=lambda _: 3,
        render=_decision, uri=lambda v: f"project://{path(v['project'])}/decisions/{path(*in_path(v), v['topic'])}",
        dated="made_at", quiet=("made_at", *SPELLING), compared=("topic", "decision"), asserts=True, of_somebody=True,
    ),
    Kind(
        type="events", prefix="event", parts=("scope", "date", "slug"), policy="versioned",
        fields={
            **FIELDS, "scope": TEXT, "date": DAY, "slug": TEXT, "title": TEXT, "impact": TEXT,
            "until": DAY,
        },
        required=("title",), defaults={"scope": NO_PROJECT}, slugged=("slug", "title"), dated="date", lasting="until",
        layer=lambda _: LAYER_EPISODIC, category=lambda _: "event", priority=lambda _: 5,
        render=_event, uri=lambda v: f"task://session_log/{path(*in_path(v), v['scope'], v['date'], v['slug'])}",
        compared=("date", "title"), quiet=SPELLING, of_somebody=True,
    ),
    Kind(
        type="working", prefix="working", parts=("task", "name"), policy="overwrite",
        fields={"task": TEXT, "name": TEXT, "value": ANY, "category": word("context", "state")},
        required=("name", "value"), defaults={"task": "default", "category": "state"},
        layer=lambda _: LAYER_WORKING, category=lambda v: str(v["category"]), priority=lambda _: 8,
        render=_working, uri=lambda v: f"task://current/{path(v['task'], v['name'])}",
        expires_after_s=_ONE_DAY_S,
    ),
)  # fmt: skip
"""Rows of what is under way or over."""
