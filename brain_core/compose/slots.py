"""Slots of a context and their tokens. Each piece is counted in the form that clients render."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from smartbrain.render import (
    HEADINGS,
    render_recent_turn,
    render_system_block,
)
from smartbrain.v1.context_pb2 import RecentTurn, SystemBlock

from brain_core.kernels.budget import fit
from brain_core.text.tokens import count

_UNLIMITED = 1 << 30
_REMEMBERED_CHARS = 2000
_HEADING_TOKENS = {slot: count(heading) for slot, heading in HEADINGS.items()}


class Room:
    """Tokens left under a limit, and what each slot has taken."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.slots: dict[str, int] = {}

    @property
    def used(self) -> int:
        """Tokens taken so far."""
        return sum(self.slots.values())

    def take(self, slot: str, tokens: Sequence[int], slot_limit: int = _UNLIMITED) -> list[bool]:
        """Take pieces of a slot in order while they fit; return which did.

        The slot's heading is paid with its first piece. slot_limit: tokens of the slot, heading included.
        """
        heading = 0 if slot in self.slots else _HEADING_TOKENS[slot]
        free = min(self.limit - self.used, slot_limit - self.slots.get(slot, 0)) - heading
        kept, used = fit(np.array(tokens, dtype=np.int64), free, len(tokens))
        if kept.any():
            self.slots[slot] = self.slots.get(slot, 0) + heading + used
        return [bool(one) for one in kept]


def user_message_tokens(text: str) -> int:
    """Return what a user message costs, its heading included."""
    return _HEADING_TOKENS["user_message"] + count(text)


def system_block_tokens(block: SystemBlock) -> int:
    """Return what a pinned block costs."""
    return count(render_system_block(block))


def recent_turn_tokens(turn: RecentTurn) -> int:
    """Return what a recent message costs."""
    text = render_recent_turn(turn)
    return _remembered_count(text) if len(text) <= _REMEMBERED_CHARS else count(text)


@lru_cache(maxsize=4096)
def _remembered_count(text: str) -> int:
    # A session's newest messages come back with each of its composes: counting them was 30 % of one.
    return count(text)
