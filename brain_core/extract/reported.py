"""The states of known tasks that a tool reports: each read where its task stands, on one line or in one JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from smartbrain.v1.event_pb2 import ToolCall

from brain_core.extract.known import Known, value_of
from brain_core.text.expression import Expression

_LONGEST_RESULT = 2000
"""Characters of a result in which the state of a task is looked for: what reports one is short."""

_REPORTS = Expression(r"\b(?:task|ticket|issue|todo|to-do|item|story)s?\b|任务|待办|工单", re.IGNORECASE)
_STATES = (
    (
        "done",
        re.compile(r"\b(?:done|completed?|closed|finished|resolved|merged)\b|完成|已关闭|已合并|已解决", re.IGNORECASE),
    ),
    ("blocked", re.compile(r"\b(?:blocked|on hold)\b|阻塞|受阻|卡住", re.IGNORECASE)),
    ("doing", re.compile(r"\b(?:in[ _-]progress|started|doing)\b|进行中|已开始", re.IGNORECASE)),
    ("todo", re.compile(r"\b(?:to-?do|to do|backlog|re-?opened)\b|重新打开|待处理", re.IGNORECASE)),
    ("open", re.compile(r"\bOPEN\b|(?i:\b(?:status|state|is|now|remains|back)\b\W{0,3}\bopen)\b|已打开")),
)
"""Open is what is not done, whichever of the other states it has."""
_NOT_NOW = re.compile(
    r"\b(?:not|cannot|can't|failed|error|no such|must|should|shall|needs?|require[sd]?|when|once|before|after|until|"
    r"till|if|unless|depends|dependency|prerequisite|ready to|to be|will|would|parent|duplicates?)\b|"
    r"未|没有|失败|不存在|需要|必须|之前|之后|以后|才能|如果|依赖|前置",
    re.IGNORECASE,
)
"""What is denied, demanded or a condition is no state."""
_FORMER = re.compile(
    r"\b(?:from|was|previously|formerly)[: ]+[\"']?(?:to[ -]?do|open|doing|in progress|done|blocked|closed|backlog)\b|"
    r"从[^，。\n]{1,8}?(?=变|改|移|到)",
    re.IGNORECASE,
)
_PASSAGES = re.compile(r"(?:[^\n.;。；]|[.;](?=\S))+")
_ID = re.compile(r"(?<![\w-])(?:[A-Z][A-Z0-9]{0,9}-\d{1,7}|#\d{1,7})(?![\w-])")
_STATE_FIELDS = frozenset({"status", "state", "stage", "column", "状态"})
_NAME_FIELDS = frozenset(
    {"id", "key", "task_id", "taskid", "issue", "ticket", "identifier", "number", "title", "name", "summary"}
)
_OBJECT = re.compile(r"\b(?:by|on|with|for) (?:the )?(?:task |issue |ticket )?['\"]?$|[被等由]", re.IGNORECASE)
"""Stands before a task of which something else depends."""
_DEEPEST = 8
_SHORTEST_NAME = 4


def reported_tasks(call: ToolCall, known: Known) -> Iterator[dict[str, Any]]:
    """Yield the known tasks that a tool's result says have changed, in their new states."""
    result = call.result
    if len(result) > _LONGEST_RESULT or not (_REPORTS.search(result) or _REPORTS.search(call.name)):
        return
    tasks = [value_of(item) for item in known.active("tasks")]
    for number, state in _states(result, tasks).items():
        task = tasks[number]
        status = _status(state, str(task.get("status", "")))
        if status:
            kept = ("project", "task_id", "title", "due")
            yield {**{name: task[name] for name in kept if name in task}, "status": status}


def _status(state: str, before: str) -> str:
    """Return the status that a reported state gives to a task, empty where it is what it was."""
    status = state if state != "open" else "todo" if before == "done" else before
    return status if status != before else ""


def _states(result: str, tasks: list[dict[str, Any]]) -> dict[int, str]:
    """Return the states that a result reports, by the number of the task; the last of several is the newest."""
    try:
        parsed = json.loads(result)
    except (ValueError, RecursionError):
        parsed = None
    found = _in_objects(parsed, tasks) if isinstance(parsed, dict | list) else _in_passages(result, tasks)
    return dict(found)


def _in_objects(value: object, tasks: list[dict[str, Any]], depth: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the task and state of each JSON object that has both as fields of its own."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for part in value:
            yield from _in_objects(part, tasks, depth + 1)
    if not isinstance(value, dict):
        return
    own = dict(_own_fields(value))
    names = {str(part).casefold() for name, part in own.items() if name.rpartition(".")[2] in _NAME_FIELDS}
    state = next((_state(str(part), tool=True) for name, part in own.items() if _STATE_FIELDS & {*name.split(".")}), "")
    for number, task in enumerate(tasks):
        if state and not names.isdisjoint(name.casefold() for name in _names(task)):
            yield number, state
    for part in value.values():
        yield from _in_objects(part, tasks, depth + 1)


def _own_fields(value: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, object]]:
    """Yield the words and numbers of an object and of its parts, by dotted names; a part that has an id is apart."""
    for name, part in value.items():
        where = f"{path}{name.casefold()}"
        if isinstance(part, Mapping):
            is_apart = name.casefold() not in _STATE_FIELDS and any(each in part for each in ("id", "key", "task_id"))
            if not is_apart and where.count(".") < _DEEPEST:
                yield from _own_fields(part, f"{where}.")
        elif isinstance(part, str | int) and not isinstance(part, bool):
            yield where, part


def _in_passages(result: str, tasks: list[dict[str, Any]]) -> Iterator[tuple[int, str]]:
    """Yield the task and state of each line or sentence that speaks of one task and gives it one state."""
    for passage in _PASSAGES.findall(result):
        named = [(place, number) for number, task in enumerate(tasks) if (place := _place(task, passage)) is not None]
        if not named:
            continue
        (start, _), number = min(named, key=lambda each: (each[0][0], -each[0][1]))
        another = _ID.search(passage, 0, start) or _OBJECT.search(passage[:start])
        state = "" if another else _state(_without(passage, tasks[number]))
        if state:
            yield number, state


def _without(passage: str, task: dict[str, Any]) -> str:
    """Return a passage without the names of a task, which may have the words of a state."""
    for name in _names(task):
        passage = re.sub(re.escape(name), " ", passage, flags=re.IGNORECASE)
    return passage


def _state(words: str, *, tool: bool = False) -> str:
    """Return the one state that words tell, empty for none and for several. tool: they are the value of a field."""
    if _NOT_NOW.search(words) and not tool:
        return ""
    words = _FORMER.sub(" ", words)
    if tool and words.strip().casefold() == "open":
        return "open"
    told = {name for name, pattern in _STATES if pattern.search(words)}
    if len(told) > 1:
        told -= {"open"}
    return told.pop() if len(told) == 1 else ""


def _place(task: dict[str, Any], text: str) -> tuple[int, int] | None:
    """Return where a text names a task first."""
    folded = text.casefold()
    matches = (re.search(rf"(?<!\w){re.escape(name.casefold())}(?![\w-])", folded) for name in _names(task))
    return min((match.span() for match in matches if match is not None), default=None)


def _names(task: dict[str, Any]) -> list[str]:
    names = (str(task.get("title", "")), str(task["task_id"]))
    return [name for name in names if len(name) >= _SHORTEST_NAME]
