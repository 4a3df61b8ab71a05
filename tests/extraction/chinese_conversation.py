"""A user who talks Chinese, and what is remembered of it: drafts entered by key, without a store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from google.protobuf import json_format
from smartbrain.v1.event_pb2 import Message, Turn, TurnEvents
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import load_policy
from brain_core.extract.claims import Claims
from brain_core.extract.read import read_turn
from brain_core.kinds.draft import Draft, Skip
from tests.extraction.reading import RULES_ALONE

SAID = date(2026, 3, 18)
"""A Wednesday."""
CONFIDENCE = load_policy().policies.retention.confidence


class Conversation:
    """What is ACTIVE after each thing said, as `Known` sees it."""

    def __init__(self) -> None:
        self.items: dict[tuple[str, str], MemoryItem] = {}
        self.claims = Claims()

    def active(self, item_type: str) -> Sequence[MemoryItem]:
        return [item for (each, _), item in reversed(self.items.items()) if each == item_type]

    def say(self, text: str) -> list[Draft | Skip]:
        message = Message(role="user", content=text)
        message.created_at.FromDatetime(datetime(SAID.year, SAID.month, SAID.day, 9))
        read = list(read_turn(Turn(events=TurnEvents(messages=[message])), self, CONFIDENCE, RULES_ALONE))
        for draft in read:
            if isinstance(draft, Draft):
                self._enter(draft)
        return read

    def texts(self, item_type: str) -> str:
        return "\n".join(item.text for item in self.active(item_type))

    def _enter(self, draft: Draft) -> None:
        slot = (draft.kind.type, draft.key)
        value = draft.kind.complete(draft.given)
        old = json_format.MessageToDict(self.items[slot].value) if slot in self.items else {}
        if draft.denies:
            denied = {fact["k"] for fact in draft.given.get("facts", ())}
            left = [fact for fact in old.get("facts", ()) if fact["k"] not in denied]
            self.items.pop(slot, None)
            if left:
                self._put(draft, slot, {**old, "facts": left})
            return
        if "facts" in value:
            facts = {fact["k"]: fact for fact in (*old.get("facts", ()), *value["facts"])}
            value = {**value, "facts": list(facts.values())}
        self._put(draft, slot, value)

    def _put(self, draft: Draft, slot: tuple[str, str], value: dict[str, Any]) -> None:
        self.items.pop(slot, None)
        self.items[slot] = MemoryItem(type=slot[0], key=slot[1], text=draft.kind.text(value))
        self.items[slot].value.update(value)
