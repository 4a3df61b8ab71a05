"""One turn read by the rules, with nothing or a few items known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from smartbrain.v1.event_pb2 import Message, Turn, TurnEvents
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import load_policy
from brain_core.extract.claims import Claims
from brain_core.extract.read import read_turn
from brain_core.kinds.draft import Draft, Skip
from brain_core.kinds.registry import KINDS
from brain_core.policy import WorthPolicy

_RETENTION = load_policy().policies.retention
CONFIDENCE = _RETENTION.confidence
JUDGED = _RETENTION.worth
"""The judge as it comes."""
RULES_ALONE = WorthPolicy(
    look=0.0,
    keep=0.0,
    overrule=1.0,
    propose=1.0,
    guess=JUDGED.guess,
    between_people=0.0,
    doubt=1.0,
    revise=1.0,
)
SAID = datetime(2026, 3, 18, 9, 30)
"""A Wednesday."""


class Held:
    """A memory that holds a few items."""

    def __init__(self, *items: MemoryItem) -> None:
        self._items = items
        self.claims = Claims()

    def active(self, item_type: str) -> Sequence[MemoryItem]:
        return [item for item in self._items if item.type == item_type]


def item(item_type: str, **value: Any) -> MemoryItem:  # noqa: ANN401
    """Return an active item of a type."""
    kind = KINDS[item_type]
    whole = kind.complete(value)
    made = MemoryItem(type=item_type, key=kind.key(whole), text=kind.text(whole))
    made.value.update(whole)
    return made


def read(text: str, *known: MemoryItem, role: str = "user", worth: WorthPolicy = RULES_ALONE) -> list[Draft | Skip]:
    """Return what one message says, by the rules alone unless the judge is asked."""
    return read_events(TurnEvents(messages=[Message(role=role, content=text)]), *known, worth=worth)


def read_events(events: TurnEvents, *known: MemoryItem, worth: WorthPolicy = RULES_ALONE) -> list[Draft | Skip]:
    """Return what a turn says, all of it said on SAID."""
    for message in events.messages:
        message.created_at.FromDatetime(SAID)
    return list(read_turn(Turn(events=events), Held(*known), CONFIDENCE, worth))


def drafts(text: str, *known: MemoryItem) -> list[Draft]:
    """Return the drafts of one message of the user."""
    return [found for found in read(text, *known) if isinstance(found, Draft)]


def skips(text: str) -> list[str]:
    """Return the rules by which one message of the user was passed over."""
    return [found.rule for found in read(text) if isinstance(found, Skip)]
