"""What stands in every context of a memory: pinned items, and the rules of the server's policy."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import BlockSource, ContextDebug, ContextPackage, SystemBlock
from smartbrain.v1.evidence_pb2 import Dropped
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from brain_core.compose.draft import Draft
from brain_core.compose.drops import name_dropped
from brain_core.compose.slots import Room, SlotCounter
from brain_core.index.chunks import ChunkTable
from brain_core.index.derive import shown_text
from brain_core.policy import Composition
from brain_core.store.core import blocks_in
from brain_core.store.v1.records_pb2 import ChunkRecord

_BLOCK_TYPES = {
    "identity": "core_profile",
    "profile": "core_profile",
    "preferences": "preferences",
    "goals": "goals",
    "patches": "patches",
}


_OVER = "over system_blocks_max_tokens, system_blocks_share or token_limit"
_REMEMBERED = 16  # records of memories


class Block(NamedTuple):
    """A pinned item as contexts carry it. id: of its evidence. is_whole: whether all of it is sure enough.

    ends_us: from when on it no longer holds, Unix microseconds, 0 for good. shown: a ContextPackage with nothing but
    the block, serialised. left: a ContextDebug that names it as dropped for want of room, serialised.
    """

    id: str
    text: str
    is_whole: bool
    ends_us: int
    shown: bytes
    left: bytes


class Pinned(NamedTuple):
    """Blocks, best priority first, then oldest. texts: of each. whole: ids of those that stand whole.

    first_end_us: the first time that one of them ends, 0 if none does. shown: of all, as of a block.
    """

    blocks: tuple[Block, ...]
    texts: tuple[str, ...]
    whole: frozenset[str]
    first_end_us: int
    shown: bytes


def pinned_of(blocks: Iterable[Block]) -> Pinned:
    """Return blocks with what each compose asks of them."""
    those = tuple(blocks)
    return Pinned(
        those,
        tuple([block.text for block in those]),
        frozenset([block.id for block in those if block.is_whole]),
        min((block.ends_us for block in those if block.ends_us > 0), default=0),
        b"".join([block.shown for block in those]),
    )


def pinned_in(record: bytes, policy: Composition) -> Pinned | None:
    """Return the blocks of a stored record of core_memory, kept by its bytes: it comes back until an item is written.

    None if it was made for another priority than the policy's.
    """
    return _pinned_in(record, policy.pinned_max_priority, policy.pinned_min_confidence)


@lru_cache(maxsize=_REMEMBERED)
def _pinned_in(record: bytes, max_priority: int, min_confidence: float) -> Pinned | None:
    chunks = blocks_in(record, max_priority)
    return None if chunks is None else pinned_of(sure(chunks, min_confidence))


def forget_pinned() -> None:
    """Let go of all that is remembered."""
    _pinned_in.cache_clear()


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


def sure(core: Iterable[ChunkRecord], min_confidence: float) -> list[Block]:
    """Return the blocks that are sure enough to stand in every context; the others are found as other items are."""
    least = np.float32(min_confidence)
    return [_block(chunk, least) for chunk in core if np.float32(chunk.confidence) >= least]


def _block(chunk: ChunkRecord, least: np.float32) -> Block:
    """least: confidence from which what is said of an item stands in every context."""
    evidence = chunk.evidence
    is_whole = not chunk.sure_text or bool(np.float32(chunk.least_confidence) >= least)
    text = shown_text(evidence) if is_whole else chunk.sure_text.split("\n", 1)[-1]
    source = BlockSource(turn_id=evidence.ref.turn_id, memory_item_id=evidence.ref.memory_item_id)
    shown = SystemBlock(
        type=_BLOCK_TYPES.get(chunk.item_type, "other"),
        text=text,
        updated_at=evidence.metadata.created_at,
        source=source,
    )
    left = Dropped(id=evidence.id, reason="budget", detail=_OVER)
    return Block(
        evidence.id,
        text,
        is_whole,
        chunk.ends_us,
        ContextPackage(system_blocks=[shown]).SerializeToString(),
        ContextDebug(dropped=[left]).SerializeToString(),
    )


def pin(draft: Draft, pinned: Pinned, counter: SlotCounter, room: Room, policy: Composition) -> None:
    """Add the pinned blocks that fit, best priority first; name the others."""
    if not pinned.blocks:
        return
    costs, together = counter.system_blocks(pinned.texts)
    most = most_of_blocks(policy, room.limit)
    if room.take_all("system_blocks", together, most):
        draft.system_blocks = pinned.shown
        return
    kept = room.take("system_blocks", costs, slot_limit=most)
    draft.system_blocks = b"".join([block.shown for block in compress(pinned.blocks, kept)])
    left = [block for block, fits in zip(pinned.blocks, kept, strict=True) if not fits]
    draft.drop_serialised([block.id for block in left], b"".join([block.left for block in left]))
    draft.count_dropped("system_blocks", "budget", len(left))


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
