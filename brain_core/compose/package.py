"""From what was found to a ContextPackage inside its token limit, with a reason for every piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import (
    ContextEvidence,
    ContextPackage,
    RecentTurn,
    SystemBlock,
)
from smartbrain.v1.event_pb2 import Turn
from smartbrain.v1.evidence_pb2 import Dropped, Evidence
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE
from smartbrain.v1.plan_pb2 import PlanOutput

from brain_core.compose.evidence import snippet
from brain_core.compose.passages import Offer, Passage, Passages
from brain_core.compose.retrieve import Found
from brain_core.compose.search import allowed_by_any
from brain_core.compose.signals import SignalReader
from brain_core.compose.slots import Room, SlotCounter
from brain_core.compose.summary import SessionSummary, SummarySlot
from brain_core.errors import require
from brain_core.index.chunks import ChunkTable
from brain_core.index.derive import line, token_costs, turn_uri
from brain_core.policy import Composition
from brain_core.store.v1.records_pb2 import CHUNK_KIND_MESSAGE, ChunkRecord

_REACH = 200
"""Best ranked rows that may go in beside a hit."""

_BLOCK_TYPES = {
    "identity": "core_profile",
    "profile": "core_profile",
    "preferences": "preferences",
    "goals": "goals",
    "patches": "patches",
}


@dataclass(frozen=True, slots=True)
class Material:
    """All that may go into a package.

    most: most pieces of evidence. pinned: chunks of items, best priority first. turns: newest last. read: gives the
    records of rows. chunks: what is known of every row. counter: of tokens. summary: of the session, if it has one.
    """

    user_message: str
    most: int
    pinned: Sequence[ChunkRecord]
    turns: Sequence[Turn]
    found: Found
    chunks: ChunkTable
    read: Callable[[Sequence[int]], list[ChunkRecord]]
    counter: SlotCounter
    summary: SessionSummary | None = None


def check_fits(user_message: str, token_limit: int, counter: SlotCounter) -> None:
    """Raise InvalidArgument with both numbers if the user message alone is over the limit."""
    needed = counter.user_message(user_message)
    require(
        needed <= token_limit,
        "token_limit",
        token_limit,
        f"≥ {needed} tokens, which user_message needs",
        "is too small",
    )


def pinned_rows(chunks: ChunkTable, max_priority: int) -> list[int]:
    """Return the rows of active items that every context carries, best priority first, then oldest."""
    rows = chunks.items()
    priorities = chunks.column("priority")[rows]
    pinned = (chunks.column("status")[rows] == ITEM_STATUS_ACTIVE) & (priorities <= max_priority)
    return [int(row) for row in rows[pinned][np.argsort(priorities[pinned], kind="stable")]]


def assemble(package: ContextPackage, memory_id: str, material: Material, limit: int, policy: Composition) -> set[str]:
    """Fill the slots of a package in the order of priority of policies §4.2, and say why.

    system_blocks, then top evidence, the working summary, recent turns, long-tail evidence; each only as far as tokens
    are left.
    Evidence stands by score in the end. Returns the ids of all chunks that stand in it, alone or merged.
    """
    counter = material.counter
    room = Room(limit, counter.headings)
    package.user_message.role = "user"
    package.user_message.content = material.user_message
    room.slots["user_message"] = counter.user_message(material.user_message)
    _pin(package, material, room, policy)
    recent = _recent_uris(material, memory_id)
    candidates = _candidates(package, recent, material, policy)
    passages = _passages(material, candidates)
    floor = policy.top_evidence_min_share * max((offer.score for offer in candidates.offers.values()), default=0.0)
    away = _fill(passages, candidates.top(floor), candidates.offers, room, "top")
    shown = _add_summary_and_recent(package, memory_id, material, room, policy)
    missing = _not_shown(package, material, candidates, shown)
    offers = {row: offer for row, offer in candidates.offers.items() if offer.id not in away} | missing
    away |= _fill(passages, candidates.rest(list(missing)), offers, room, "long_tail")
    _widen(material, recent, passages, room)
    stands = _write(package, material, passages)
    # What was turned away may have joined a piece later.
    _drop(package, [(each, reason) for each, reason in away.items() if each not in stands], "budget")
    _constraints(package, counter.counter.name, room, policy)
    return stands


def _pin(package: ContextPackage, material: Material, room: Room, policy: Composition) -> None:
    blocks = [_system_block(chunk) for chunk in material.pinned]
    tokens = [material.counter.system_block(block) for block in blocks]
    kept = room.take("system_blocks", tokens, slot_limit=policy.system_blocks_max_tokens)
    for chunk, block, fits in zip(material.pinned, blocks, kept, strict=True):
        if fits:
            package.system_blocks.append(block)
        else:
            _drop(package, [(chunk.evidence.id, "over system_blocks_max_tokens or token_limit")], "budget")


def _system_block(chunk: ChunkRecord) -> SystemBlock:
    text = chunk.evidence.snippet.split("\n", 1)[-1]
    block = SystemBlock(type=_BLOCK_TYPES.get(chunk.item_type, "other"), text=text)
    block.updated_at.CopyFrom(chunk.evidence.metadata.created_at)
    block.source.turn_id = chunk.evidence.ref.turn_id
    block.source.memory_item_id = chunk.evidence.ref.memory_item_id
    return block


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The ranking as far as it may go in. offers, repeats: kept rows, the latter of messages among the recent turns.

    rows, scores: all that rank, in the order in which room is given to them. recent: whether a row is a message of the
    recent turns.
    """

    rows: NDArray[np.int32]
    scores: NDArray[np.float64]
    recent: NDArray[np.bool_]
    offers: dict[int, Offer]
    repeats: dict[int, Offer]

    def top(self, floor: float) -> NDArray[np.int32]:
        """Return the rows that score at least the floor, without recent messages."""
        return self.rows[(self.scores >= floor) & ~self.recent]

    def rest(self, missing: Sequence[int]) -> NDArray[np.int32]:
        """Return all rows; of recent messages those that are missing."""
        return self.rows[~self.recent | np.isin(self.rows, missing)]


def _candidates(
    package: ContextPackage, recent_uris: NDArray[np.int32], material: Material, policy: Composition
) -> _Candidates:
    ranking, chunks = material.found.ranking, material.chunks
    pinned = {chunk.evidence.id for chunk in material.pinned} - {dropped.id for dropped in package.debug.dropped}
    reach = max(_REACH, max(material.found.selection.kept, default=0) + 1)
    rows = ranking.rows[:reach]
    said = chunks.column("kind")[rows] == CHUNK_KIND_MESSAGE
    recent = said & np.isin(chunks.column("uri")[rows], recent_uris)
    scores = ranking.scores[:reach]
    order = np.argsort(-scores * chunks.column("tokens")[rows] ** -policy.tokens_exponent, kind="stable")
    found = _Candidates(rows[order], scores[order], recent[order], {}, {})
    kept = material.found.selection.kept
    for place, row, score in zip(kept, rows[kept].tolist(), scores[kept].tolist(), strict=True):
        offer = Offer(place, row, chunks.ids[row], min(score, 1.0))
        if offer.id in pinned:
            _drop(package, [(offer.id, "stands in system_blocks")], "duplicate")
        elif offer.score < policy.score_floor:
            _drop(package, [(offer.id, f"score {offer.score:.3f} under {policy.score_floor}")], "below_threshold")
        else:
            (found.repeats if recent[place] else found.offers)[row] = offer
    return found


def _passages(material: Material, candidates: _Candidates) -> Passages:
    output = material.found.asked.plan.output
    tokens = material.chunks.column("tokens")
    longest = output.max_snippet_chars if output.include_snippets and output.snippet_policy != "l0" else 0
    offered = [*candidates.offers, *candidates.repeats]
    if longest < int(material.chunks.column("chars")[offered].max(initial=0)):
        tokens = tokens.copy()  # some texts are cut, and cost less than whole
        tokens[offered] = [
            token_costs(_shown(output, chunk.evidence), material.counter.counter)[0] for chunk in material.read(offered)
        ]
    return Passages(material.chunks, material.most, longest, tokens)


def _shown(output: PlanOutput, evidence: Evidence) -> Evidence:
    return Evidence(title=evidence.title, source_uri=evidence.source_uri, snippet=snippet(output, evidence)[0])


def _fill(
    passages: Passages, rows: NDArray[np.int32], offers: Mapping[int, Offer], room: Room, group: str
) -> dict[str, str]:
    """Let passages grow as far as there is room; return why by the ids of the offers that were turned away."""
    taken, away = passages.fill(rows, offers, room.free("evidence"), group)
    room.spend("evidence", taken)
    return {offer.id: reason for offer, reason in away}


def _recent_uris(material: Material, memory_id: str) -> NDArray[np.int32]:
    """Return the ordinals of the addresses of the recent turns."""
    addresses = (turn_uri(memory_id, turn.session_id, turn.turn_id) for turn in material.turns)
    return material.chunks.names["uri"].find(addresses)


def _widen(material: Material, recent_uris: NDArray[np.int32], passages: Passages, room: Room) -> None:
    """Fill what room is left with what was said around the hits."""
    allowed = allowed_by_any(material.found.ranking.candidates)
    taken = passages.widen(room.free("evidence"), allowed, recent_uris)
    room.spend("evidence", taken)


def _not_shown(
    package: ContextPackage, material: Material, candidates: _Candidates, shown: set[tuple[str, str]]
) -> dict[int, Offer]:
    """Return the repeats of messages that recent_turns does not show whole; the others are dropped."""
    repeats = candidates.repeats
    missing = {}
    for (row, offer), chunk in zip(repeats.items(), material.read(list(repeats)), strict=True):
        if (chunk.evidence.ref.turn_id, chunk.evidence.ref.message_id) in shown:
            _drop(package, [(offer.id, "stands in recent_turns")], "duplicate")
        else:
            missing[row] = offer
    return missing


def _write(package: ContextPackage, material: Material, passages: Passages) -> set[str]:
    """Add the passages as evidence, with the reason for each; return the ids of their chunks."""
    signals = SignalReader(material.found.ranking)
    pieces = sorted(passages.all(), key=lambda piece: (piece.group != "top", -piece.hit.score))
    rows = [row for passage in pieces for row in passage.rows]
    chunks = dict(zip(rows, material.read(rows), strict=True))
    output = material.found.asked.plan.output
    for passage in pieces:
        piece = package.evidence.add()
        _tell(piece, material, passage, [chunks[row].evidence for row in passage.rows])
        if output.include_signals:
            signals.tell(passage.hit.place, piece.signals)
        package.debug.why_selected.add(id=piece.id, reason=_reason(piece))
    return {chunk.evidence.id for chunk in chunks.values()}


def _tell(piece: ContextEvidence, material: Material, passage: Passage, evidences: Sequence[Evidence]) -> None:
    """Fill in a piece of evidence. evidences: of the passage's rows."""
    asked, ranking = material.found.asked, material.found.ranking
    first, hit = evidences[0], evidences[passage.rows.index(passage.hit.row)]
    piece.id, piece.source, piece.group = passage.hit.id, "memory", passage.group
    piece.source_uri, piece.title = first.source_uri, first.title
    piece.snippet = "\n".join([snippet(asked.plan.output, first)[0], *(line(one) for one in evidences[1:])])
    piece.score = passage.hit.score
    piece.ref.CopyFrom(hit.ref)
    piece.created_at.CopyFrom(hit.metadata.created_at)
    if len(evidences) > 1:
        piece.merged.extend(one.ref for one in evidences)
    if asked.plan.output.include_provenance:
        piece.mode = asked.plan.queries[int(ranking.best_query[passage.hit.place])].mode
    piece.provenance.request_id = asked.plan.request_id
    piece.provenance.plan_version = asked.plan.version
    piece.provenance.retrieved_at.CopyFrom(asked.at)


def _reason(piece: ContextEvidence) -> str:
    """Return in words why an evidence ranks where it does."""
    signals = piece.signals
    parts = [f"{piece.group}: score {piece.score:.3f}"]
    if signals.HasField("fts_rank"):
        parts.append(f"words: rank {signals.fts_rank} (BM25 {signals.fts_score:.2f})")
    if signals.HasField("vector_rank"):
        parts.append(f"meaning: rank {signals.vector_rank} (cosine {signals.vector_score:.2f})")
    if len(parts) == 1 and piece.HasField("signals"):
        parts.append("stands beside a hit in its session")
    if piece.merged:
        parts.append(f"{len(piece.merged)} messages in a row that rank too")
    return "; ".join(parts)


def _add_summary_and_recent(
    package: ContextPackage, memory_id: str, material: Material, room: Room, policy: Composition
) -> set[tuple[str, str]]:
    """Add what the summary has beyond the recent turns, then these, then the rest of it; return as `_add_recent`."""
    if material.summary is None:
        return _add_recent(package, memory_id, material, room, policy)
    slot = SummarySlot(material.summary, material.turns, policy.summary_max_tokens)
    slot.fill(room, material.counter)
    shown = _add_recent(package, memory_id, material, room, policy)
    slot.fill_rest(shown, room, material.counter)
    slot.write(package)
    return shown


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
        if not room.take_one("recent_turns", material.counter.recent_turn(message), slot_limit=limit):
            break
        newest_first.append(message)
        if message.content == turn.events.messages[number].content:
            whole.add((message.turn_id, message.message_id))
        places.pop()
    package.recent_turns.extend(reversed(newest_first))
    dropped = [f"{turn.turn_id}:{turn.events.messages[number].message_id}" for turn, number in places]
    _drop(package, [(each, "over recent_turns_max_tokens or token_limit") for each in dropped], "budget")
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


def _drop(package: ContextPackage, dropped: Iterable[tuple[str, str]], reason: str) -> None:
    """Name pieces that did not go in: (id, detail) of each."""
    package.debug.dropped.extend(Dropped(id=each, reason=reason, detail=detail) for each, detail in dropped)


def _constraints(package: ContextPackage, counter: str, room: Room, policy: Composition) -> None:
    budget = package.constraints.token_budget
    budget.limit, budget.used, budget.counter = room.limit, room.used, counter
    for slot, tokens in room.slots.items():
        budget.slots[slot] = tokens
    diversity = package.constraints.diversity
    diversity.by_document = policy.diversity.by_document
    diversity.by_source_uri = policy.diversity.by_source_uri
    diversity.memory_resource_ratio = policy.diversity.memory_resource_ratio
    package.constraints.truncation.max_snippet_chars = policy.max_snippet_chars
    package.constraints.truncation.recent_turns_max = policy.recent_turns_max
