"""What holds only from a day to come: it leaves in force what holds until then, which its text says first.

One text tells both days, which reads right whatever the day, also to a model that does not know it; and there is one
active item, with one chunk, under a key as ever.
"""

from __future__ import annotations

from datetime import UTC
from typing import Any

from google.protobuf import json_format
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core.commit.ledger import Origin, day, next_version, put_text
from brain_core.commit.material import changed
from brain_core.index.derive import ends_us
from brain_core.kinds.draft import Draft
from brain_core.kinds.kind import Kind
from brain_core.zones import zone_or


def begins_later(item: MemoryItem, now_us: int) -> bool:
    """Return whether an item does not hold yet."""
    return item.valid_from.ToMicroseconds() > now_us


def keep_until(item: MemoryItem, before: MemoryItem, now_us: int) -> None:
    """Have an item that begins later say what holds until then, by the version before it."""
    from_us = item.valid_from.ToMicroseconds()
    held = [(one.value, one.until.ToMicroseconds()) for one in before.held_before]
    begins = [0, *(until_us for _, until_us in held)]
    if before.HasField("valid_from"):
        begins[-1] = before.valid_from.ToMicroseconds()
    held.append((before.value, ends_us(before) or from_us))
    for (value, until_us), begins_us in zip(held, begins, strict=True):
        if begins_us < from_us and until_us > now_us:
            item.held_before.add(value=value).until.FromMicroseconds(min(until_us, from_us))


def holds_until_then(draft: Draft, current: MemoryItem, now_us: int) -> str:
    """Return in words that a draft says what holds until an item begins; empty if it says something else."""
    if not begins_later(current, now_us) or (draft.valid_from_us or 0) > now_us:
        return ""
    for held in current.held_before:
        if held.until.ToMicroseconds() > now_us:
            value = json_format.MessageToDict(held.value)
            said = not changed(value, draft.kind.merge(value, draft.given), draft.kind.quiet)
            until = day(held.until, zone_or(current.timezone, UTC))
            return f"it holds until {until}, as is known; what begins then stands" if said else ""
    return ""


def without_plan(current: MemoryItem, kind: Kind, origin: Origin) -> MemoryItem | None:
    """Return the next version of an item that will not begin: what holds until then holds on. None if nothing does."""
    if not begins_later(current, origin.now.ToMicroseconds()) or not current.held_before:
        return None
    item = next_version(current, origin, ITEM_STATUS_ACTIVE)
    value: dict[str, Any] = json_format.MessageToDict(item.held_before.pop().value)
    item.value.Clear()
    item.value.update(value)
    item.ClearField("valid_from")
    item.ClearField("valid_to")
    put_text(item, kind, value)
    return item
