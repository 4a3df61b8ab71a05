"""Items, decisions and verdicts in one line each, for tests of what a commit makes of drafts."""

from __future__ import annotations

from typing import Any

from google.protobuf import json_format
from google.protobuf.struct_pb2 import Struct
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse, RetentionVerdict
from smartbrain.v1.event_pb2 import ItemDraft, Message
from smartbrain.v1.item_pb2 import ItemSource, MemoryItem

from brain_core import Brain
from brain_core.store import items
from tests.building import second, turn


def draft(item_type: str, value: dict[str, Any], *, source: str = "USER", **fields: Any) -> ItemDraft:  # noqa: ANN401
    """Return an item as a caller gives it. fields: further ones of ItemDraft."""
    held = Struct()
    held.update(value)
    return ItemDraft(type=item_type, value=held, source=ItemSource.Value(f"ITEM_SOURCE_{source}"), **fields)


def give(brain: Brain, *drafts: ItemDraft, at: float | None = None, **parts: Any) -> CommitTurnResponse:  # noqa: ANN401
    """Commit items. at: when they were said, seconds after FIRST_SECOND."""
    if at is not None:
        parts["messages"] = [Message(role="user", content="ok", created_at=second(at))]
    return brain.commit_turn(turn("m", "s", items=drafts, **parts))


def item_at(brain: Brain, item_type: str, key: str) -> MemoryItem:
    """Return the newest version of an item that there must be."""
    item = items.read_item(brain._kv, "m", item_type, key)
    assert item is not None, key
    return item


def value_at(brain: Brain, item_type: str, key: str) -> dict[str, Any]:
    """Return its value as plain data."""
    value: dict[str, Any] = json_format.MessageToDict(item_at(brain, item_type, key).value)
    return value


def decisions(answer: CommitTurnResponse) -> list[tuple[str, str]]:
    """Return (policy, decision) of each conflict."""
    return [(one.policy, one.decision) for one in answer.explain.conflicts]


def verdict_on(answer: CommitTurnResponse, path: str) -> RetentionVerdict:
    """Return the one verdict on a path."""
    [verdict] = [one for one in answer.explain.retention if one.path == path]
    return verdict
