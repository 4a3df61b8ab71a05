"""What a turn says about the world: drafts of memory items, first what the caller already knows, then what is read.

Each draft carries where it stands in the turn and how sure it is (policies §1.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import tzinfo
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.event_pb2 import Entity, ItemDraft, Preference, Turn
from smartbrain.v1.item_pb2 import (
    ITEM_SOURCE_ASSISTANT,
    ITEM_SOURCE_INFERENCE,
    ITEM_SOURCE_OBSERVATION,
    ITEM_SOURCE_TOOL,
    ITEM_SOURCE_UNSPECIFIED,
    ITEM_SOURCE_USER,
    ItemSource,
)

from brain_core.extract.frames import Earlier
from brain_core.extract.known import Known
from brain_core.extract.read import read_turn
from brain_core.extract.teller import TellerOf
from brain_core.kinds.draft import Draft, Skip
from brain_core.kinds.kind import Kind
from brain_core.kinds.registry import Kinds
from brain_core.policy import Confidence, Retention
from brain_core.zones import day_at

STRUCTURED = ("tasks", "decisions", "goals", "events", "preferences", "entities")
DECLARED = "declared"
"""Rule of an entity that the caller says the user asked to remember."""

_NOT_FACTS = ("confirmed", "remember")
GUESSES = frozenset({ITEM_SOURCE_ASSISTANT, ITEM_SOURCE_INFERENCE, ITEM_SOURCE_OBSERVATION})
"""Sources that tell no facts: what they say is inferred, until the user says it."""


def drafts(
    turn: Turn, known: Known, kinds: Kinds, retention: Retention, zone: tzinfo, teller_of: TellerOf, earlier: Earlier
) -> Iterator[Draft | Skip]:
    """Yield a draft for each structured entry of a turn, then what the parts that are learned from say.

    Structured entries come in the order tasks, decisions, goals, events, preferences, entities, items. Days that a
    decision or event leaves out are the turn's. known: what tools may report of. zone: in which it was said. teller_of:
    who says each message. earlier: what the user said in the session before the turn.
    """
    confidence = retention.confidence
    day = day_at(said_at(turn).ToMicroseconds(), zone).isoformat()
    for name in STRUCTURED:
        for number, entry in enumerate(getattr(turn.events, name)):
            sure = not isinstance(entry, Preference) or entry.confirmed
            yield Draft(
                path=f"{name}[{number}]",
                kind=kinds[name],
                given=_dated(kinds[name], facts(entry), day),
                confidence=confidence.user_asserted if sure else confidence.inferred,
                source=ITEM_SOURCE_USER if sure else ITEM_SOURCE_INFERENCE,
                reason="given by the caller" if sure else "given by the caller, not confirmed by the user",
                rule=DECLARED if isinstance(entry, Entity) and entry.remember else "",
            )
    for number, item in enumerate(turn.events.items):
        yield _given(item, f"items[{number}]", kinds[item.type], day, confidence)
    yield from read_turn(turn, known, confidence, retention.worth, retention.learn_from, zone, teller_of, earlier)


def said_at(turn: Turn) -> Timestamp:
    """Return when a turn's first message was said, else when the turn was committed."""
    return turn.events.messages[0].created_at if turn.events.messages else turn.committed_at


def said_in(turns: Iterable[Turn]) -> list[str]:
    """Return what the user said in turns."""
    return [message.content for turn in turns for message in turn.events.messages if message.role == "user"]


def facts(entry: Message) -> dict[str, Any]:
    """Return what a structured entry says, without what is said of the saying."""
    given = json_format.MessageToDict(entry, preserving_proto_field_name=True)
    return {field: value for field, value in given.items() if field not in _NOT_FACTS}


def confidence_of(source: ItemSource.ValueType, given: float | None, policy: Confidence) -> float:
    """Return how sure an item of a source is: what the caller says, as far as the source allows (policies §1.4)."""
    if source in GUESSES:
        return policy.inferred if given is None else min(given, policy.inferred)
    if source == ITEM_SOURCE_TOOL:
        return policy.tool_derived if given is None else max(given, policy.tool_derived)
    if source == ITEM_SOURCE_USER:
        return policy.user_asserted if given is None else max(given, policy.user_asserted)
    return policy.user_asserted if given is None else given


def _dated(kind: Kind, given: dict[str, Any], day: str) -> dict[str, Any]:
    return {kind.dated: day, **given} if kind.dated else given


def _given(item: ItemDraft, path: str, kind: Kind, day: str, confidence: Confidence) -> Draft:
    source = ITEM_SOURCE_USER if item.source == ITEM_SOURCE_UNSPECIFIED else item.source
    said = item.confidence if item.HasField("confidence") else kind.confidence
    return Draft(
        path=path,
        kind=kind,
        given=_dated(kind, json_format.MessageToDict(item.value), day),
        confidence=confidence_of(source, said, confidence),
        source=source,
        reason="given by the caller",
        valid_from_us=item.valid_from.ToMicroseconds() if item.HasField("valid_from") else None,
        valid_to_us=item.valid_to.ToMicroseconds() if item.HasField("valid_to") else None,
        expires_at_us=item.expires_at.ToMicroseconds() if item.HasField("expires_at") else None,
        priority=item.priority if item.HasField("priority") else None,
        disclosure=item.disclosure,
        evidence_refs=tuple(item.evidence_refs),
        links=tuple((link.relation, link.item_id) for link in item.links),
    )
