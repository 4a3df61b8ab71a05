"""What tool calls and refs tell: files, URLs and repositories, and the state of a task that a tool reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf import json_format
from smartbrain.v1.event_pb2 import Ref, ToolCall, Turn
from smartbrain.v1.item_pb2 import ITEM_SOURCE_TOOL, ITEM_SOURCE_USER

from brain_core.extract.entities import of_uri, structural
from brain_core.extract.known import Known
from brain_core.extract.reported import reported_tasks
from brain_core.kinds.draft import Draft
from brain_core.kinds.registry import KINDS
from brain_core.policy import Confidence

_MOST_ARGUMENTS = 20
_LONGEST_ARGUMENT = 2000


def read_tools(turn: Turn, known: Known, confidence: Confidence) -> Iterator[Draft]:
    """Yield what the tool calls of a turn tell; only calls that went well."""
    for number, call in enumerate(turn.events.tool_calls):
        if call.status not in {"", "ok"}:
            continue
        path = f"tool_calls[{number}]"
        for value in _named(call):
            yield _draft(path, "entities", value, confidence, "named in a tool call")
        for task in reported_tasks(call, known):
            yield _draft(path, "tasks", task, confidence, "reported by a tool")


def read_refs(turn: Turn, confidence: Confidence) -> Iterator[Draft]:
    """Yield an entity for each ref of a turn."""
    for number, ref in enumerate(turn.events.refs):
        yield Draft(
            path=f"refs[{number}]",
            kind=KINDS["entities"],
            given=_of_ref(ref),
            confidence=max(confidence.user_asserted, confidence.tool_derived),
            source=ITEM_SOURCE_USER,
            reason="a ref of the turn",
            rule="ref",
        )


def _of_ref(ref: Ref) -> dict[str, Any]:
    value: dict[str, Any] = {"kind": "other", "canonical": ref.uri} if ref.ref_type == "artifact" else of_uri(ref.uri)
    if ref.ref_type == "file" and value["kind"] == "url":
        value["kind"] = "file"
    meta = json_format.MessageToDict(ref.meta)
    title = meta.get("title") or meta.get("name")
    if isinstance(title, str) and title.strip() and title != ref.uri:
        value["aliases"] = [*value.get("aliases", []), title.strip()[:200]]
    return value


def _named(call: ToolCall) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for argument in list(call.args.fields.values())[:_MOST_ARGUMENTS]:
        for _, _, value in structural(argument.string_value[:_LONGEST_ARGUMENT]):
            if value["canonical"] not in seen:
                seen.add(value["canonical"])
                yield value


def _draft(path: str, item_type: str, value: dict[str, Any], confidence: Confidence, reason: str) -> Draft:
    return Draft(
        path=path,
        kind=KINDS[item_type],
        given=value,
        confidence=confidence.tool_derived,
        source=ITEM_SOURCE_TOOL,
        reason=reason,
        rule="tool_call",
    )
