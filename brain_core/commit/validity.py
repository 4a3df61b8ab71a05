"""From and until when something holds: what is over does not replace what holds, and intervals that contradict."""

from __future__ import annotations

from datetime import tzinfo

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.commit.ledger import day
from brain_core.index.derive import ends_us
from brain_core.kinds.draft import Draft
from brain_core.zones import day_at


def only_past(draft: Draft, current: MemoryItem, now_us: int) -> bool:
    """Return whether a draft tells what is over while the current item still holds, or held longer."""
    if draft.valid_to_us is None or draft.valid_to_us > now_us:
        return False
    return not current.HasField("valid_to") or current.valid_to.ToMicroseconds() > draft.valid_to_us


def held_again(draft: Draft, current: MemoryItem, said_us: int, now_us: int) -> bool:
    """Return whether a draft tells what holds, of an item said before it that was over by then."""
    over = 0 < ends_us(current) <= said_us
    ends = [end for end in (draft.valid_to_us, draft.expires_at_us) if end is not None]
    return over and min(ends, default=now_us + 1) > now_us


def stated_interval_cut(draft: Draft, current: MemoryItem, zone: tzinfo) -> str:
    """Return in words how a draft contradicts the time that the current item was said to hold; empty if it does not.

    zone: in which the draft was said.
    """
    if not current.HasField("valid_to") or draft.valid_from_us is None:
        return ""
    if draft.valid_from_us >= current.valid_to.ToMicroseconds():
        return ""
    since = day_at(draft.valid_from_us, zone).isoformat()
    return f"was said to hold until {day(current.valid_to, zone)}; the new value holds from {since}"
