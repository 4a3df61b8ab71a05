"""What a turn says about the world: drafts of memory items, from what the caller already knows.

Each draft carries where it stands in the turn and how sure it is (policies §1.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message
from smartbrain.v1.event_pb2 import Preference, Turn
from smartbrain.v1.item_pb2 import ITEM_SOURCE_INFERENCE, ITEM_SOURCE_USER, ItemSource

from brain_core.kinds.registry import KINDS, Kind, slug
from brain_core.policy import Confidence

STRUCTURED = ("tasks", "decisions", "goals", "events", "preferences", "entities")
_NOT_FACTS = ("confirmed", "remember")


@dataclass(frozen=True, slots=True)
class Draft:
    """An item that may come to be. given: the fields the caller gave, without defaults."""

    path: str
    kind: Kind
    given: dict[str, Any]
    confidence: float
    source: ItemSource.ValueType
    reason: str

    @property
    def key(self) -> str:
        """The key it would have."""
        return self.kind.key({**self.kind.defaults, **self.given})


def drafts(turn: Turn, confidence: Confidence) -> Iterator[Draft]:
    """Yield a draft for each structured entry of a turn, in the order tasks, decisions, goals, events, ….

    Days that a decision or event leaves out are the turn's.
    """
    day = turn.committed_at.ToDatetime().date().isoformat()
    if turn.events.messages:
        day = turn.events.messages[0].created_at.ToDatetime().date().isoformat()
    for name in STRUCTURED:
        for number, entry in enumerate(getattr(turn.events, name)):
            sure = not isinstance(entry, Preference) or entry.confirmed
            yield Draft(
                path=f"{name}[{number}]",
                kind=KINDS[name],
                given=_facts(name, entry, day),
                confidence=confidence.user_asserted if sure else confidence.inferred,
                source=ITEM_SOURCE_USER if sure else ITEM_SOURCE_INFERENCE,
                reason="given by the caller" if sure else "given by the caller, not confirmed by the user",
            )


def _facts(name: str, entry: Message, day: str) -> dict[str, Any]:
    given = json_format.MessageToDict(entry, preserving_proto_field_name=True)
    facts = {field: value for field, value in given.items() if field not in _NOT_FACTS}
    if name == "decisions":
        facts.setdefault("made_at", day)
    if name == "events":
        facts.setdefault("date", day)
        facts["slug"] = slug(facts["title"]) or "event"
    return facts
