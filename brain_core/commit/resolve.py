"""What becomes of a draft under a key that may be taken: the conflict policies.

Nothing here writes: a `Ledger` collects what changes, and reads through it, so that two drafts of one turn under one
key meet each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import ConflictDecision, RetentionVerdict
from smartbrain.v1.event_pb2 import Retraction, Turn
from smartbrain.v1.item_pb2 import (
    ITEM_SOURCE_INFERENCE,
    ITEM_SOURCE_USER,
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_RETRACTED,
    ITEM_STATUS_SUPERSEDED,
    ItemStatus,
    MemoryItem,
)

from brain_core.commit.learn import Draft

ReadItem = Callable[[str, str], MemoryItem | None]
"""Gives the newest version of (type, key), or None."""


@dataclass(slots=True)
class Ledger:
    """What a turn changes about items.

    written: new or refreshed versions by (type, key), the last one standing. ended: versions that are no longer
    current, with the status they end in. fresh: keys of those in `written` that need a chunk of their own.
    """

    written: dict[tuple[str, str], MemoryItem] = field(default_factory=dict)
    ended: list[MemoryItem] = field(default_factory=list)
    fresh: dict[tuple[str, str], MemoryItem] = field(default_factory=dict)
    verdicts: list[RetentionVerdict] = field(default_factory=list)
    conflicts: list[ConflictDecision] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the drafts come from: the turn, and ids for new items."""

    memory_id: str
    turn: Turn
    new_id: Callable[[], str]

    @property
    def now(self) -> Timestamp:
        """When the turn was committed."""
        return self.turn.committed_at


def retract(ledger: Ledger, read: ReadItem, origin: Origin, retraction: Retraction, number: int) -> None:
    """End the item that the user denies; one that is not active is reported."""
    slot = (retraction.type, retraction.key)
    current = ledger.written.get(slot) or read(*slot)
    decision = ConflictDecision(type=retraction.type, key=retraction.key, policy="retraction")
    if current is None or current.status != ITEM_STATUS_ACTIVE:
        decision.decision = "not_found"
        decision.reason = "no active item has this key"
        ledger.conflicts.append(decision)
        return
    retracted = _next_version(current, origin, ITEM_STATUS_RETRACTED)
    _end(ledger, slot, current, ITEM_STATUS_RETRACTED)
    ledger.written[slot] = retracted
    decision.decision = "retracted"
    decision.reason = retraction.reason or "denied by the user"
    decision.old_version, decision.new_version = current.version, retracted.version
    ledger.conflicts.append(decision)
    ledger.verdicts.append(
        RetentionVerdict(
            path=f"retractions[{number}]", type=slot[0], key=slot[1], verdict="written", reason=decision.reason
        )
    )


def resolve(ledger: Ledger, read: ReadItem, origin: Origin, draft: Draft) -> None:
    """Enter a draft under its key: as new, as a refreshed or a newer version, or not at all."""
    slot = (draft.kind.type, draft.key)
    verdict = RetentionVerdict(path=draft.path, type=slot[0], key=slot[1], verdict="written", reason=draft.reason)
    ledger.verdicts.append(verdict)
    current = ledger.written.get(slot) or read(*slot)
    if current is None or current.status != ITEM_STATUS_ACTIVE:
        if current is not None and slot in ledger.written:
            ledger.ended.append(current)  # denied in this very turn: the denial stays a version of its own
        item = _new_item(draft, origin, {**draft.kind.defaults, **draft.given}, current)
        ledger.written[slot] = ledger.fresh[slot] = item
        return
    old = json_format.MessageToDict(current.value)
    new = _merged(draft, old)
    decision = ConflictDecision(
        type=slot[0], key=slot[1], policy=draft.kind.policy, old_version=current.version, new_version=current.version
    )
    ledger.conflicts.append(decision)
    if new == old:
        decision.decision, decision.reason = "refreshed", "same value again"
        ledger.written[slot] = _refreshed(current, draft, origin)
    elif draft.source == ITEM_SOURCE_INFERENCE and current.source == ITEM_SOURCE_USER:
        decision.decision, decision.reason = "kept", "an inference does not replace what the user said"
        verdict.verdict, verdict.reason = "event_only", decision.reason
    else:
        item = _new_item(draft, origin, new, current)
        _end(ledger, slot, current, ITEM_STATUS_SUPERSEDED)
        ledger.written[slot] = ledger.fresh[slot] = item
        decision.new_version = item.version
        decision.decision = {"overwrite": "superseded", "versioned": "versioned", "accumulate": "merged"}[
            draft.kind.policy
        ]
        decision.reason = "changed: " + ", ".join(
            name for name in sorted({*old, *new}) if old.get(name) != new.get(name)
        )


def _merged(draft: Draft, old: dict[str, Any]) -> dict[str, Any]:
    """Return the new value: what the draft leaves out stays, accumulating fields grow."""
    merged = {**old, **draft.given}
    if draft.kind.policy == "accumulate":
        for name, value in draft.given.items():
            if isinstance(value, list):
                merged[name] = [*old.get(name, []), *(each for each in value if each not in old.get(name, []))]
            elif isinstance(value, dict):
                merged[name] = {**old.get(name, {}), **value}
    return merged


def _new_item(draft: Draft, origin: Origin, value: dict[str, Any], current: MemoryItem | None) -> MemoryItem:
    turn = origin.turn
    item = MemoryItem(
        id=current.id if current else origin.new_id(),
        memory_id=origin.memory_id,
        session_id=turn.session_id,
        type=draft.kind.type,
        key=draft.key,
        uri=draft.kind.uri(value),
        layer=draft.kind.layer(value),
        category=draft.kind.category,
        text=draft.kind.text(value),
        confidence=draft.confidence,
        status=ITEM_STATUS_ACTIVE,
        priority=draft.kind.priority(value),
        source=draft.source,
        source_turn_id=turn.turn_id,
        source_message_id=turn.events.messages[0].message_id if turn.events.messages else "",
        created_at=current.created_at if current else origin.now,
        updated_at=origin.now,
        version=current.version + 1 if current else 1,
    )
    item.value.update(value)
    return item


def _next_version(current: MemoryItem, origin: Origin, status: ItemStatus.ValueType) -> MemoryItem:
    item = MemoryItem()
    item.CopyFrom(current)
    item.version += 1
    item.status = status
    item.updated_at.CopyFrom(origin.now)
    item.source_turn_id = origin.turn.turn_id
    return item


def _refreshed(current: MemoryItem, draft: Draft, origin: Origin) -> MemoryItem:
    item = MemoryItem()
    item.CopyFrom(current)
    item.updated_at.CopyFrom(origin.now)
    if draft.confidence >= current.confidence:
        item.confidence, item.source = draft.confidence, draft.source
    return item


def _end(ledger: Ledger, slot: tuple[str, str], current: MemoryItem, status: ItemStatus.ValueType) -> None:
    ended = MemoryItem()
    ended.CopyFrom(current)
    ended.status = status
    ledger.ended.append(ended)
    ledger.fresh.pop(slot, None)
