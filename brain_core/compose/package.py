"""From what was found to a ContextPackage inside its token limit, with a reason for every piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from smartbrain.v1.context_pb2 import (
    ContextEvidence,
    ContextPackage,
    RecentTurn,
    SystemBlock,
    WhySelected,
)
from smartbrain.v1.event_pb2 import Turn
from smartbrain.v1.evidence_pb2 import Dropped, Evidence, EvidencePack
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from brain_core.compose.retrieve import Found
from brain_core.compose.slots import (
    Room,
    recent_turn_tokens,
    system_block_tokens,
    user_message_tokens,
)
from brain_core.errors import require
from brain_core.index.derive import rendered_tokens, turn_uri
from brain_core.index.memory_index import MemoryIndex
from brain_core.policy import Composition
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, ChunkRecord
from brain_core.text.tokens import COUNTER

_BLOCK_TYPES = {"preferences": "preferences", "goals": "goals"}


@dataclass(frozen=True, slots=True)
class Material:
    """All that may go into a package.

    most: most pieces of evidence. pinned: chunks of items, best priority first. turns: newest last.
    """

    user_message: str
    most: int
    pinned: Sequence[ChunkRecord]
    turns: Sequence[Turn]
    found: Found


def check_fits(user_message: str, token_limit: int) -> None:
    """Raise InvalidArgument with both numbers if the user message alone is over the limit."""
    needed = user_message_tokens(user_message)
    require(
        needed <= token_limit,
        "token_limit",
        token_limit,
        f"≥ {needed} tokens, which user_message needs",
        "is too small",
    )


def pinned_rows(index: MemoryIndex, max_priority: int) -> list[int]:
    """Return the rows of active items that every context carries, best priority first, then oldest."""
    column = index.chunks.column
    pinned = (
        (column("kind") == CHUNK_KIND_ITEM)
        & (column("status") == ITEM_STATUS_ACTIVE)
        & (column("priority") <= max_priority)
    )
    rows = np.flatnonzero(pinned)
    return [int(row) for row in rows[np.argsort(column("priority")[rows], kind="stable")]]


def assemble(package: ContextPackage, memory_id: str, material: Material, limit: int, policy: Composition) -> None:
    """Fill the slots of a package in the order of priority of policies §4.2, and say why.

    system_blocks, then top evidence, then recent turns, then long-tail evidence; each only as far as tokens are left.
    Evidence stands by score in the end.
    """
    room = Room(limit)
    package.user_message.role = "user"
    package.user_message.content = material.user_message
    room.slots["user_message"] = user_message_tokens(material.user_message)
    _pin(package, material, room, policy)
    offers, repeats = _offered(package, memory_id, material, policy)
    floor = policy.top_evidence_min_share * max((offer.evidence.score for offer in offers), default=0.0)
    top = [offer for offer in offers[: material.most] if offer.evidence.score >= floor]
    _add_evidence(package, top, "top", room)
    shown = _add_recent(package, memory_id, material, room, policy)
    tail = sorted(offers[len(top) :] + _not_shown(package, repeats, shown), key=lambda offer: -offer.evidence.score)
    free = material.most - len(package.evidence)
    _add_evidence(package, tail[:free], "long_tail", room)
    beyond = [offer.evidence.id for offer in tail[free:]]
    _drop(package, beyond, "budget", f"over {material.most} pieces of evidence")
    _constraints(package, room, policy)


@dataclass(frozen=True, slots=True)
class _Offer:
    evidence: ContextEvidence
    tokens: int
    reason: str


def _pin(package: ContextPackage, material: Material, room: Room, policy: Composition) -> None:
    blocks = [_system_block(chunk) for chunk in material.pinned]
    tokens = [system_block_tokens(block) for block in blocks]
    kept = room.take("system_blocks", tokens, slot_limit=policy.system_blocks_max_tokens)
    for chunk, block, fits in zip(material.pinned, blocks, kept, strict=True):
        if fits:
            package.system_blocks.append(block)
        else:
            _drop(package, [chunk.evidence.id], "budget", "over system_blocks_max_tokens or token_limit")


def _system_block(chunk: ChunkRecord) -> SystemBlock:
    text = chunk.evidence.snippet.split("\n", 1)[-1]
    block = SystemBlock(type=_BLOCK_TYPES.get(chunk.item_type, "other"), text=text)
    block.updated_at.CopyFrom(chunk.evidence.metadata.created_at)
    block.source.turn_id = chunk.evidence.ref.turn_id
    block.source.memory_item_id = chunk.evidence.ref.memory_item_id
    return block


def _offered(
    package: ContextPackage, memory_id: str, material: Material, policy: Composition
) -> tuple[list[_Offer], list[_Offer]]:
    """Return (evidence that may go in, evidence that recent_turns may hold already), each best first."""
    pinned = {chunk.evidence.id for chunk in material.pinned} - {dropped.id for dropped in package.debug.dropped}
    recent = {turn_uri(memory_id, turn.session_id, turn.turn_id) for turn in material.turns}
    offers: list[_Offer] = []
    repeats: list[_Offer] = []
    found = material.found
    for evidence, chunk, score in zip(found.pack.evidences, found.chunks, found.scores, strict=True):
        if evidence.id in pinned:
            _drop(package, [evidence.id], "duplicate", "stands in system_blocks")
        elif score < policy.score_floor:
            _drop(package, [evidence.id], "below_threshold", f"score {score:.3f} under {policy.score_floor}")
        else:
            offer = _offer(package, found.pack, evidence, chunk, score)
            (repeats if evidence.ref.message_id and evidence.source_uri in recent else offers).append(offer)
    return offers, repeats


def _not_shown(package: ContextPackage, repeats: Sequence[_Offer], shown: set[tuple[str, str]]) -> list[_Offer]:
    """Return the repeats of messages that recent_turns does not show whole; the others are dropped."""
    missing = []
    for offer in repeats:
        if (offer.evidence.ref.turn_id, offer.evidence.ref.message_id) in shown:
            _drop(package, [offer.evidence.id], "duplicate", "stands in recent_turns")
        else:
            missing.append(offer)
    return missing


def _offer(package: ContextPackage, pack: EvidencePack, evidence: Evidence, chunk: ChunkRecord, score: float) -> _Offer:
    piece = ContextEvidence(
        id=evidence.id,
        source="memory",
        source_uri=evidence.source_uri,
        title=evidence.title,
        snippet=evidence.snippet,
        mode=evidence.provenance.mode,
        score=score,
        signals=evidence.signals if evidence.HasField("signals") else None,
        ref=evidence.ref,
        created_at=evidence.metadata.created_at,
    )
    piece.provenance.request_id = pack.request_id
    piece.provenance.plan_version = pack.version
    piece.provenance.retrieved_at.CopyFrom(package.created_at)
    tokens = chunk.tokens if evidence.snippet == chunk.evidence.snippet else rendered_tokens(evidence)
    return _Offer(piece, tokens, _reason(evidence, score))


def _reason(evidence: Evidence, score: float) -> str:
    """Return in words why an evidence ranks where it does."""
    signals = evidence.signals
    parts = []
    if signals.HasField("fts_rank"):
        parts.append(f"words: rank {signals.fts_rank} (BM25 {signals.fts_score:.2f})")
    if signals.HasField("vector_rank"):
        parts.append(f"meaning: rank {signals.vector_rank} (cosine {signals.vector_score:.2f})")
    if not parts and evidence.HasField("signals"):
        parts.append("stands beside a hit in its session")
    return "; ".join([f"score {score:.3f}", *parts])


def _add_evidence(package: ContextPackage, offers: Sequence[_Offer], group: str, room: Room) -> None:
    kept = room.take("evidence", [offer.tokens for offer in offers])
    for offer, fits in zip(offers, kept, strict=True):
        if fits:
            offer.evidence.group = group
            package.evidence.append(offer.evidence)
            package.debug.why_selected.append(WhySelected(id=offer.evidence.id, reason=f"{group}: {offer.reason}"))
        else:
            _drop(package, [offer.evidence.id], "budget", f"{offer.tokens} tokens do not fit")


def _add_recent(
    package: ContextPackage, memory_id: str, material: Material, room: Room, policy: Composition
) -> set[tuple[str, str]]:
    """Add the newest messages that fit; return (turn_id, message_id) of those shown whole."""
    places = [(turn, number) for turn in material.turns for number in range(len(turn.events.messages))]
    newest_first: list[RecentTurn] = []
    whole: set[tuple[str, str]] = set()
    # From the newest back to the first that does not fit: a conversation with holes misleads.
    while places:
        turn, number = places[-1]
        message = _recent(memory_id, turn, number, policy)
        limit = policy.recent_turns_max_tokens
        if not room.take("recent_turns", [recent_turn_tokens(message)], slot_limit=limit)[0]:
            break
        newest_first.append(message)
        if message.content == turn.events.messages[number].content:
            whole.add((message.turn_id, message.message_id))
        places.pop()
    package.recent_turns.extend(reversed(newest_first))
    dropped = [f"{turn.turn_id}:{turn.events.messages[number].message_id}" for turn, number in places]
    _drop(package, dropped, "budget", "over recent_turns_max_tokens or token_limit")
    return whole


def _recent(memory_id: str, turn: Turn, number: int, policy: Composition) -> RecentTurn:
    message = turn.events.messages[number]
    content = message.content
    if message.role == "tool" and len(content) > policy.tool_result_max_chars:
        uri = turn_uri(memory_id, turn.session_id, turn.turn_id)
        content = f"(tool result of {len(content)} characters: {uri})"
    return RecentTurn(
        role=message.role,
        content=content,
        turn_id=turn.turn_id,
        message_id=message.message_id,
        speaker=message.speaker,
        created_at=message.created_at,
    )


def _drop(package: ContextPackage, ids: Sequence[str], reason: str, detail: str) -> None:
    package.debug.dropped.extend(Dropped(id=each, reason=reason, detail=detail) for each in ids)


def _constraints(package: ContextPackage, room: Room, policy: Composition) -> None:
    budget = package.constraints.token_budget
    budget.limit, budget.used, budget.counter = room.limit, room.used, COUNTER
    for slot, tokens in room.slots.items():
        budget.slots[slot] = tokens
    diversity = package.constraints.diversity
    diversity.by_document = policy.diversity.by_document
    diversity.by_source_uri = policy.diversity.by_source_uri
    diversity.memory_resource_ratio = policy.diversity.memory_resource_ratio
    package.constraints.truncation.max_snippet_chars = policy.max_snippet_chars
    package.constraints.truncation.recent_turns_max = policy.recent_turns_max
