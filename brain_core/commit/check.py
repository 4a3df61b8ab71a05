"""Is this a turn that can be committed? Decided before any work starts."""

from __future__ import annotations

from google.protobuf import json_format
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, WaitLevel
from smartbrain.v1.event_pb2 import ItemDraft, TurnEvents
from smartbrain.v1.item_pb2 import ItemSource

from brain_core.check import (
    check_count,
    check_id,
    check_numbers,
    check_range,
    check_size,
    check_text,
    check_time,
    check_word,
)
from brain_core.commit.learn import STRUCTURED, facts
from brain_core.errors import AlreadyExists, require
from brain_core.kinds.kind import KEY_BYTES
from brain_core.kinds.registry import Kinds
from brain_core.policy import Limits
from brain_core.zones import check_zone

ROLES = ("user", "assistant", "system", "tool")
REF_TYPES = ("file", "url", "artifact")
TOOL_STATUSES = ("ok", "error", "cancelled")
RELATIONS = ("about", "depends_on", "derived_from", "contradicts", "supersedes", "see_also")
_URI_BYTES = 4096


def check_commit(request: CommitTurnRequest, limits: Limits, kinds: Kinds) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_id("session_id", request.session_id, limits.id_bytes)
    check_id("request_id", request.request_id, limits.id_bytes, required=False)
    check_word("wait_level", _level_name(request.wait_level), list(WaitLevel.keys()))
    check_zone("timezone", request.timezone)
    turn = request.turn
    parts = sum(len(value) for field, value in turn.ListFields() if field.is_repeated)
    require(parts > 0, "turn", "empty", "at least one message, tool call, ref or structured item", "has no events")
    _check_messages(turn, limits)
    _check_tools_and_refs(turn, limits)
    _check_structured(turn, limits, kinds)
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
        check_numbers(f"{path}.args", call.args)
        check_size(f"{path}.result", len(call.result.encode()), limits.message_bytes)
        check_word(f"{path}.status", call.status, TOOL_STATUSES)
    check_count("turn.refs", len(turn.refs), limits.events_per_turn)
    for number, ref in enumerate(turn.refs):
        path = f"turn.refs[{number}]"
        check_word(f"{path}.ref_type", ref.ref_type, REF_TYPES, required=True)
        check_id(f"{path}.uri", ref.uri, _URI_BYTES)
        check_size(f"{path}.meta", ref.meta.ByteSize(), limits.value_bytes)
        check_numbers(f"{path}.meta", ref.meta)


def _check_structured(turn: TurnEvents, limits: Limits, kinds: Kinds) -> None:
    for number, preference in enumerate(turn.preferences):
        # Here, for as JSON a number that is none is a text.
        check_range(f"turn.preferences[{number}].priority", preference.priority, 0, 1)
    for name in STRUCTURED:
        entries = getattr(turn, name)
        check_count(f"turn.{name}", len(entries), limits.events_per_turn)
        for number, entry in enumerate(entries):
            path = f"turn.{name}[{number}]"
            check_size(path, entry.ByteSize(), limits.value_bytes)
            kinds[name].check(path, facts(entry), limits.id_bytes)
    check_count("turn.items", len(turn.items), limits.events_per_turn)
    for number, draft in enumerate(turn.items):
        _check_item(f"turn.items[{number}]", draft, limits, kinds)
    check_count("turn.retractions", len(turn.retractions), limits.events_per_turn)
    for number, retraction in enumerate(turn.retractions):
        path = f"turn.retractions[{number}]"
        kinds.of(retraction.type, f"{path}.type")
        check_id(f"{path}.key", retraction.key, KEY_BYTES)
        check_size(f"{path}.reason", len(retraction.reason.encode()), limits.value_bytes)


def _check_item(path: str, draft: ItemDraft, limits: Limits, kinds: Kinds) -> None:
    kind = kinds.of(draft.type, f"{path}.type")
    check_size(path, draft.ByteSize(), limits.value_bytes)
    check_numbers(f"{path}.value", draft.value)
    kind.check(f"{path}.value", json_format.MessageToDict(draft.value), limits.id_bytes)
    known = draft.source in ItemSource.values()
    check_word(f"{path}.source", ItemSource.Name(draft.source) if known else str(draft.source), list(ItemSource.keys()))
    check_range(f"{path}.confidence", draft.confidence, 0, 1)
    check_range(f"{path}.priority", draft.priority, 0, 10)
    check_count(f"{path}.evidence_refs", len(draft.evidence_refs), limits.events_per_turn)
    for number, ref in enumerate(draft.evidence_refs):
        check_id(f"{path}.evidence_refs[{number}]", ref, _URI_BYTES)
    for name in ("valid_from", "valid_to", "expires_at"):
        check_time(f"{path}.{name}", getattr(draft, name))
    if draft.HasField("valid_from") and draft.HasField("valid_to"):
        ordered = draft.valid_from.ToMicroseconds() < draft.valid_to.ToMicroseconds()
        limit = f"after valid_from, {draft.valid_from.ToJsonString()}"
        require(ordered, f"{path}.valid_to", draft.valid_to.ToJsonString(), limit, "is too early")
    check_count(f"{path}.links", len(draft.links), limits.events_per_turn)
    for number, link in enumerate(draft.links):
        check_word(f"{path}.links[{number}].relation", link.relation, RELATIONS, required=True)
        check_id(f"{path}.links[{number}].item_id", link.item_id, limits.id_bytes)
