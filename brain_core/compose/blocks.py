"""What stands in every context of a memory: pinned items, and the rules of the server's policy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from brain_core.compose.draft import Draft
from brain_core.compose.drops import name_dropped
from brain_core.compose.slots import Room, SlotCounter
from brain_core.index.chunks import ChunkTable
from brain_core.index.derive import shown_text
from brain_core.policy import Composition
from brain_core.store.v1.records_pb2 import ChunkRecord

_BLOCK_TYPES = {
    "identity": "core_profile",
    "profile": "core_profile",
    "preferences": "preferences",
    "goals": "goals",
    "patches": "patches",
}


def pinned_rows(chunks: ChunkTable, status: NDArray[np.uint8], max_priority: int) -> list[int]:
    """Return the rows of active items that every context carries, best priority first, then oldest.

    status: uint8[n], that each row has or had.
    """
    rows = chunks.items()
    if not len(rows):
        return []
    priorities = chunks.column("priority")[rows]
    pinned = (status[rows] == ITEM_STATUS_ACTIVE) & (priorities <= max_priority)
    return [int(row) for row in rows[pinned][np.argsort(priorities[pinned], kind="stable")]]


def sure(core: Sequence[ChunkRecord], min_confidence: float) -> list[ChunkRecord]:
    """Return the blocks that are sure enough to stand in every context; the others are found as other items are."""
    if not core:
        return []
    confidences = np.array([chunk.confidence for chunk in core], dtype=np.float32)
    return [*compress(core, (confidences >= np.float32(min_confidence)).tolist())]


def is_whole(chunk: ChunkRecord, min_confidence: float) -> bool:
    """Return whether all of an item is sure enough to stand in every context."""
    return not chunk.sure_text or bool(np.float32(chunk.least_confidence) >= np.float32(min_confidence))


def _sure_text(chunk: ChunkRecord, min_confidence: float) -> str:
    whole = is_whole(chunk, min_confidence)
    return shown_text(chunk.evidence) if whole else chunk.sure_text.split("\n", 1)[-1]


def pin(draft: Draft, pinned: Sequence[ChunkRecord], counter: SlotCounter, room: Room, policy: Composition) -> None:
    """Add the pinned blocks that fit, best priority first; name the others."""
    if not pinned:
        return
    texts = [_sure_text(chunk, policy.pinned_min_confidence) for chunk in pinned]
    costs = [counter.system_block(text) for text in texts]
    kept = room.take("system_blocks", costs, slot_limit=most_of_blocks(policy, room.limit))
    left, over = list[tuple[str, str]](), "over system_blocks_max_tokens, system_blocks_share or token_limit"
    for chunk, text, fits in zip(pinned, texts, kept, strict=True):
        if fits:
            evidence = chunk.evidence
            block = draft.package.system_blocks.add(type=_BLOCK_TYPES.get(chunk.item_type, "other"), text=text)
            block.updated_at.CopyFrom(evidence.metadata.created_at)
            block.source.turn_id, block.source.memory_item_id = evidence.ref.turn_id, evidence.ref.memory_item_id
        else:
            left.append((chunk.evidence.id, over))
    name_dropped(draft, left, "budget", "system_blocks")


def most_of_blocks(policy: Composition, limit: int) -> int:
    """Return the most tokens of pinned blocks in a package of so many."""
    return min(policy.system_blocks_max_tokens, int(limit * policy.system_blocks_share))


_ROOM_FOR = ("safety_rules", "tooling_rules", "format_rules", "other")
"""Types of rules as they are given room; the last are left out first."""


def add_rules(draft: Draft, counter: SlotCounter, room: Room, policy: Composition) -> None:
    """Add the policy's rules that fit, in its order; name the others.

    Room goes to them by type (`_ROOM_FOR`) and in a type by the policy's order; a shorter one may fit where one before
    it did not.
    """
    rules = policy.developer_blocks
    order = sorted(range(len(rules)), key=lambda number: _ROOM_FOR.index(rules[number].type))
    kept = room.take("developer_blocks", [counter.developer_block(rules[number].text) for number in order])
    fitting = frozenset(compress(order, kept))
    for number, rule in enumerate(rules):
        if number in fitting:
            draft.package.developer_blocks.add(type=rule.type, text=rule.text)
        else:
            name_dropped(draft, [(f"developer_blocks[{number}]", "over token_limit")], "budget", "developer_blocks")
