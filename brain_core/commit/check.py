"""Is this a turn that can be committed? Decided before any work starts."""

from __future__ import annotations

import re
from datetime import date

from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, WaitLevel
from smartbrain.v1.event_pb2 import TurnEvents

from brain_core.check import check_count, check_id, check_range, check_size, check_text, check_time, check_word
from brain_core.errors import AlreadyExists, require
from brain_core.kinds.registry import ENTITY_KINDS, GOAL_STATUSES, SCOPES, TASK_STATUSES, kind_of
from brain_core.policy import Limits

ROLES = ("user", "assistant", "system", "tool")
REF_TYPES = ("file", "url", "artifact")
TOOL_STATUSES = ("ok", "error", "cancelled")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_URI_BYTES = 4096


def check_commit(request: CommitTurnRequest, limits: Limits) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_id("session_id", request.session_id, limits.id_bytes)
    check_id("request_id", request.request_id, limits.id_bytes, required=False)
    check_word("wait_level", _level_name(request.wait_level), list(WaitLevel.keys()))
    turn = request.turn
    parts = sum(len(value) for field, value in turn.ListFields() if field.is_repeated)
    require(parts > 0, "turn", "empty", "at least one message, tool call, ref or structured item", "has no events")
    _check_messages(turn, limits)
    _check_tools_and_refs(turn, limits)
    _check_structured(turn, limits)
    check_size("turn", turn.ByteSize(), limits.request_bytes)


def _level_name(level: WaitLevel.ValueType) -> str:
    return WaitLevel.Name(level) if level in WaitLevel.values() else str(level)


def _check_messages(turn: TurnEvents, limits: Limits) -> None:
    check_count("turn.messages", len(turn.messages), limits.messages_per_turn)
    seen: set[str] = set()
    for number, message in enumerate(turn.messages):
        path = f"turn.messages[{number}]"
        check_word(f"{path}.role", message.role, ROLES, required=True)
        check_text(f"{path}.content", message.content, limits.message_bytes)
        check_id(f"{path}.message_id", message.message_id, limits.id_bytes, required=False)
        check_id(f"{path}.speaker", message.speaker, limits.id_bytes, required=False)
        check_time(f"{path}.created_at", message.created_at)
        if message.message_id in seen:
            raise AlreadyExists(
                f"{path}.message_id: {message.message_id!r} stands twice in this turn",
                field=f"{path}.message_id",
                value=message.message_id,
                limit="unique within its session",
            )
        if message.message_id:
            seen.add(message.message_id)


def _check_tools_and_refs(turn: TurnEvents, limits: Limits) -> None:
    check_count("turn.tool_calls", len(turn.tool_calls), limits.events_per_turn)
    for number, call in enumerate(turn.tool_calls):
        path = f"turn.tool_calls[{number}]"
        check_id(f"{path}.name", call.name, limits.id_bytes)
        check_size(f"{path}.args", call.args.ByteSize(), limits.value_bytes)
        check_size(f"{path}.result", len(call.result.encode()), limits.message_bytes)
        check_word(f"{path}.status", call.status, TOOL_STATUSES)
    check_count("turn.refs", len(turn.refs), limits.events_per_turn)
    for number, ref in enumerate(turn.refs):
        path = f"turn.refs[{number}]"
        check_word(f"{path}.ref_type", ref.ref_type, REF_TYPES, required=True)
        check_id(f"{path}.uri", ref.uri, _URI_BYTES)
        check_size(f"{path}.meta", ref.meta.ByteSize(), limits.value_bytes)


def _check_structured(turn: TurnEvents, limits: Limits) -> None:
    for name, words, days in (
        ("tasks", {"status": TASK_STATUSES}, ("due",)),
        ("decisions", {}, ("made_at",)),
        ("goals", {"status": GOAL_STATUSES}, ()),
        ("events", {}, ("date",)),
        ("preferences", {"scope": SCOPES}, ()),
        ("entities", {"kind": ENTITY_KINDS}, ()),
    ):
        entries = getattr(turn, name)
        check_count(f"turn.{name}", len(entries), limits.events_per_turn)
        kind = kind_of(name, "type")
        for number, entry in enumerate(entries):
            path = f"turn.{name}[{number}]"
            check_size(path, entry.ByteSize(), limits.value_bytes)
            for part in kind.required:
                check_text(f"{path}.{part}", getattr(entry, part), limits.value_bytes)
            for part in set(kind.parts) & set(entry.DESCRIPTOR.fields_by_name):
                given = getattr(entry, part)
                check_id(f"{path}.{part}", given, limits.id_bytes, required=False)
                require(not given or bool(given.strip()), f"{path}.{part}", given, "not blank", "is blank")
            for part, allowed in words.items():
                check_word(f"{path}.{part}", getattr(entry, part), allowed)
            for part in days:
                _check_day(f"{path}.{part}", getattr(entry, part))
    for number, preference in enumerate(turn.preferences):
        check_range(f"turn.preferences[{number}].priority", preference.priority, 0, 1)
    check_count("turn.retractions", len(turn.retractions), limits.events_per_turn)
    for number, retraction in enumerate(turn.retractions):
        path = f"turn.retractions[{number}]"
        kind_of(retraction.type, f"{path}.type")
        check_id(f"{path}.key", retraction.key, 16 * limits.id_bytes)
        check_size(f"{path}.reason", len(retraction.reason.encode()), limits.value_bytes)


def _check_day(field: str, value: str) -> None:
    require(not value or _is_day(value), field, value, "YYYY-MM-DD", "is not a day")


def _is_day(value: str) -> bool:
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return bool(_DAY.fullmatch(value))  # fromisoformat takes weeks and other forms too
