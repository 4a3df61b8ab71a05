"""What a turn changes about items, gathered before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Any

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import ConflictDecision, RetentionVerdict
from smartbrain.v1.event_pb2 import Message, Turn
from smartbrain.v1.item_pb2 import (
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_DEPRECATED,
    HeldBefore,
    ItemLink,
    ItemStatus,
    MemoryItem,
    TextSpan,
)

from brain_core.addresses import address_part
from brain_core.commit.learn import said_at
from brain_core.commit.sources import guessed_facts
from brain_core.index.derive import turn_uri
from brain_core.kinds.draft import Draft
from brain_core.kinds.kind import Kind
from brain_core.zones import day_at, zone_or

HOLDS = (ITEM_STATUS_ACTIVE, ITEM_STATUS_DEPRECATED)
"""Statuses of items that a new value or a denial ends."""

Slot = tuple[str, str]
"""Type and key."""


@dataclass(slots=True)
class Ledger:
    """What a turn changes about items.

    written: new or refreshed versions by (type, key), the last one standing. ended: versions that are no longer
    current, with the status they end in. fresh: those of `written` that need a chunk of their own. denied: ids of items
    that were denied, by where that was said and their type, so that what is said instead can name them.
    """

    written: dict[Slot, MemoryItem] = field(default_factory=dict)
    ended: list[MemoryItem] = field(default_factory=list)
    fresh: dict[Slot, MemoryItem] = field(default_factory=dict)
    verdicts: list[RetentionVerdict] = field(default_factory=list)
    conflicts: list[ConflictDecision] = field(default_factory=list)
    denied: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def enter(self, slot: Slot, item: MemoryItem) -> None:
        """Make an item the newest of its key, with a chunk of its own."""
        self.written[slot] = self.fresh[slot] = item

    def end(
        self, slot: Slot, current: MemoryItem, status: ItemStatus.ValueType, valid_to_us: int | None = None
    ) -> None:
        """End the version that was current; valid_to_us: until when it held, if that is known."""
        ended = MemoryItem()
        ended.CopyFrom(current)
        ended.status = status
        if valid_to_us is not None and not ended.HasField("valid_to"):
            ended.valid_to.FromMicroseconds(valid_to_us)
        self.ended.append(ended)
        self.fresh.pop(slot, None)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where drafts come from: the turn, and ids for new items. zone: in which it was said.

    read: the turn as it was committed, where that was long before what is learned from it now.
    """

    memory_id: str
    turn: Turn
    new_id: Callable[[], str]
    zone: tzinfo = UTC
    read: Turn | None = None

    @property
    def now(self) -> Timestamp:
        """When what is learned is committed."""
        return self.turn.committed_at

    @property
    def said_in(self) -> Turn:
        """The turn as it was committed."""
        return self.read or self.turn

    def message(self, path: str) -> Message | None:
        """Return the message at a path, the first one for what stands in none."""
        messages = self.turn.events.messages
        place = int(path[len("messages[") : -1]) if path.startswith("messages[") else 0
        return messages[place] if messages else None

    def said(self, path: str) -> Timestamp:
        """Return when what stands at a path was said."""
        message = self.message(path)
        return message.created_at if message is not None else said_at(self.turn)


def new_item(draft: Draft, origin: Origin, value: dict[str, Any], current: MemoryItem | None) -> MemoryItem:
    """Return the item that a draft becomes under its key: version 1, or the next one after `current`."""
    turn, kind = origin.turn, draft.kind
    message = origin.message(draft.path)
    item = MemoryItem(
        id=current.id if current else origin.new_id(),
        memory_id=origin.memory_id,
        session_id=turn.session_id,
        type=kind.type,
        key=kind.key(value),
        uri=kind.uri(value),
        layer=kind.layer(value),
        category=kind.category(value),
        confidence=draft.confidence,
        status=ITEM_STATUS_ACTIVE,
        priority=_priority(draft, value, current),
        disclosure=draft.disclosure or (current.disclosure if current else ""),
        source=draft.source,
        source_turn_id=turn.turn_id,
        source_message_id=draft.message_id or (message.message_id if message is not None else ""),
        evidence_refs=[*draft.evidence_refs, *_referred(draft, origin)],
        created_at=current.created_at if current else origin.now,
        updated_at=origin.now,
        said_at=origin.said(draft.path),
        version=current.version + 1 if current else 1,
        revision=turn.revision,
        links=[ItemLink(relation=relation, item_id=item_id) for relation, item_id in draft.links],
        timezone=turn.timezone or ("" if origin.zone is UTC else str(origin.zone)),
    )
    item.value.update(value)
    if draft.span is not None:
        item.source_span.CopyFrom(TextSpan(start=draft.span[0], end=draft.span[1]))
    _set_times(item, draft, origin)
    put_text(item, kind, value)
    return item


def _referred(draft: Draft, origin: Origin) -> Iterator[str]:
    """Yield the address of the passage of another message that a draft takes up: …/turn#message:start-stop."""
    if draft.refers_to is not None:
        turn_id, message_id, (start, stop) = draft.refers_to
        turn = turn_uri(origin.memory_id, origin.turn.session_id, turn_id)
        yield f"{turn}#{address_part(message_id)}:{start}-{stop}"


def turns_referred_to(item: MemoryItem) -> set[str]:
    """Return the ids of the turns of its session whose words an item takes up."""
    session = turn_uri(item.memory_id, item.session_id, "")
    refs = (ref.removeprefix(session).partition("#") for ref in item.evidence_refs if ref.startswith(session))
    return {turn_id for turn_id, mark, _ in refs if mark}


def _priority(draft: Draft, value: dict[str, Any], current: MemoryItem | None) -> int:
    """Return the priority that a caller gives or gave an item, else that of its type.

    What an item has that its type would not give its value was given by a caller.
    """
    by_type = draft.kind.priority(value)
    if draft.priority is not None or current is None:
        return by_type if draft.priority is None else draft.priority
    given = current.priority != draft.kind.priority(json_format.MessageToDict(current.value))
    return current.priority if given else by_type


def put_text(item: MemoryItem, kind: Kind, value: dict[str, Any]) -> None:
    """Give an item its text: what its kind makes of the value, then what is known of when that holds.

    What holds until it begins comes first. Facts that are only guessed are marked, and left out of the text that every
    context may carry.
    """
    guessed, ends = guessed_facts(item), validity_lines(item)
    item.ClearField("sure_text")
    if guessed:
        sure = [fact for fact in value["facts"] if fact["k"] not in guessed]
        item.sure_text = "\n".join([kind.text({**value, "facts": sure}), *ends])
        marked = [{**fact, "guessed": True} if fact["k"] in guessed else fact for fact in value["facts"]]
        value = {**value, "facts": marked}
    name, body = kind.text(value).split("\n", 1)
    zone = zone_or(item.timezone, UTC)
    before = [f"Until {day(held.until, zone)}: {_one_line(kind, held)}" for held in item.held_before]
    item.text = "\n".join([name, *before, body, *ends])


def _one_line(kind: Kind, held: HeldBefore) -> str:
    return "; ".join(kind.render(json_format.MessageToDict(held.value)).split("\n"))


def _set_times(item: MemoryItem, draft: Draft, origin: Origin) -> None:
    if draft.valid_from_us is not None:
        item.valid_from.FromMicroseconds(draft.valid_from_us)
    if draft.valid_to_us is not None:
        item.valid_to.FromMicroseconds(draft.valid_to_us)
    expires_us = expiry_us(draft, origin)
    if expires_us is not None:
        item.expires_at.FromMicroseconds(expires_us)


def expiry_us(draft: Draft, origin: Origin) -> int | None:
    """Return when an item is to be forgotten: as the draft says, else as its type does."""
    if draft.expires_at_us is not None or draft.kind.expires_after_s is None:
        return draft.expires_at_us
    return origin.now.ToMicroseconds() + draft.kind.expires_after_s * 1_000_000


def validity_lines(item: MemoryItem) -> list[str]:
    """Return the lines that say from and until when an item holds, and since when that is in doubt."""
    zone = zone_or(item.timezone, UTC)
    begins = [f"Valid from: {day(item.valid_from, zone)}"] if item.HasField("valid_from") else []
    ends = [f"Valid until: {day(item.valid_to, zone)}"] if item.HasField("valid_to") else []
    doubted = [f"Perhaps no longer so since: {day(item.doubted_at, zone)}"] if item.HasField("doubted_at") else []
    return begins + ends + doubted


def day(at: Timestamp, zone: tzinfo) -> str:
    """Return the day that it was in a zone."""
    return day_at(at.ToMicroseconds(), zone).isoformat()


def next_version(current: MemoryItem, origin: Origin, status: ItemStatus.ValueType) -> MemoryItem:
    """Return the next version of an item, which differs in status alone."""
    item = MemoryItem()
    item.CopyFrom(current)
    item.version += 1
    item.status = status
    item.updated_at.CopyFrom(origin.now)
    item.source_turn_id = origin.turn.turn_id
    item.revision = origin.turn.revision
    return item
