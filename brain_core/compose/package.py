"""From what was found to a ContextPackage inside its token limit, with a reason for every piece."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import ContextPackage, SystemBlock
from smartbrain.v1.event_pb2 import Turn
from smartbrain.v1.evidence_pb2 import Dropped, Evidence
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE
from smartbrain.v1.plan_pb2 import PlanOutput

from brain_core.compose.evidence import snippet
from brain_core.compose.passages import Offer, Passages
from brain_core.compose.retrieve import Found
from brain_core.compose.search import allowed_by_any
from brain_core.compose.slots import Room, SlotCounter
from brain_core.compose.summary import SessionSummary, SummarySlot
from brain_core.compose.write import write_evidence
from brain_core.errors import require
from brain_core.index.chunks import ChunkTable
from brain_core.index.derive import token_costs, turn_uri
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

    most: most pieces of evidence. pinned: chunks of items, best priority first. turns: newest last. chunks: what is
    known of every row. counter: of tokens. summary: of the session, if it has one.
    """

    user_message: str
    most: int
    pinned: Sequence[ChunkRecord]
    turns: Sequence[Turn]
    found: Found
    chunks: ChunkTable
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
    if not len(rows):
        return []
    priorities = chunks.column("priority")[rows]
    pinned = (chunks.column("status")[rows] == ITEM_STATUS_ACTIVE) & (priorities <= max_priority)
    return [int(row) for row in rows[pinned][np.argsort(priorities[pinned], kind="stable")]]


def assemble(
    package: ContextPackage, memory_id: str, material: Material, limit: int, policy: Composition
) -> Sequence[int]:
    """Fill the slots of a package in the order of priority of policies §4.2, and say why.

    system_blocks, then top evidence, the working summary, recent turns, long-tail evidence; each only as far as tokens
    are left. Evidence stands by score in the end. Returns the rows of all chunks that stand in it, alone or merged.
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
    offers = {row: offer for row, offer in candidates.offers.items() if row not in away} | missing
    away |= _fill(passages, candidates.rest(list(missing)), offers, room, "long_tail")
    _widen(material, recent, passages, room)
    stands = write_evidence(package, material.found, material.chunks, passages)
    # What was turned away may have joined a piece later.
    left_out = sorted(away.keys() - set(stands), key=list(away).index)
    ids = material.chunks.records.ids(left_out)
    _drop(package, [(each, away[row]) for each, row in zip(ids, left_out, strict=True)], "budget")
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
        left = ~self.recent
        return self.rows[left | np.isin(self.rows, missing)] if missing else self.rows[left]


def _candidates(
    package: ContextPackage, recent_uris: NDArray[np.int32], material: Material, policy: Composition
) -> _Candidates:
    ranking, chunks = material.found.ranking, material.chunks
    pinned = {chunk.evidence.id for chunk in material.pinned} - {dropped.id for dropped in package.debug.dropped}
    reach = max(_REACH, max(material.found.selection.kept, default=0) + 1)
    rows = ranking.rows[:reach]
    said = chunks.column("kind")[rows] == CHUNK_KIND_MESSAGE
    recent = said & (chunks.column("uri")[rows, None] == recent_uris).any(axis=1)
    scores = ranking.scores[:reach]
    order = np.argsort(-scores * chunks.column("tokens")[rows] ** -policy.tokens_exponent, kind="stable")
    found = _Candidates(rows[order], scores[order], recent[order], {}, {})
    kept = material.found.selection.kept
    for place, row, score in zip(kept, rows[kept].tolist(), scores[kept].tolist(), strict=True):
        offer = Offer(place, row, chunks.records.id(row), min(score, 1.0))
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
            token_costs(_shown(output, evidence), material.counter.counter)[0]
            for evidence in material.chunks.records.read(offered)
        ]
    return Passages(material.chunks, material.most, longest, tokens)


def _shown(output: PlanOutput, evidence: Evidence) -> Evidence:
    return Evidence(title=evidence.title, source_uri=evidence.source_uri, snippet=snippet(output, evidence)[0])


def _fill(
    passages: Passages, rows: NDArray[np.int32], offers: Mapping[int, Offer], room: Room, group: str
) -> dict[int, str]:
    """Let passages grow as far as there is room; return why by the rows of the offers that were turned away."""
    taken, away = passages.fill(rows, offers, room.free("evidence"), group)
    room.spend("evidence", taken)
    return {offer.row: reason for offer, reason in away}


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
    for (row, offer), evidence in zip(repeats.items(), material.chunks.records.read(list(repeats)), strict=True):
        if (evidence.ref.turn_id, evidence.ref.message_id) in shown:
            _drop(package, [(offer.id, "stands in recent_turns")], "duplicate")
        else:
            missing[row] = offer
    return missing


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
    # From the newest back to the first that does not fit: a conversation with holes misleads.
    pieces = [(turn, number, _content(memory_id, turn, number, policy)) for turn, number in reversed(places)]
    tokens = (
        material.counter.recent_turn(message.role, message.speaker, content)
        for message, content in ((turn.events.messages[number], content) for turn, number, content in pieces)
    )
    fitting = room.take_first("recent_turns", tokens, slot_limit=policy.recent_turns_max_tokens)
    whole: set[tuple[str, str]] = set()
    for turn, number, content in reversed(pieces[:fitting]):
        message = turn.events.messages[number]
        package.recent_turns.add(
            role=message.role,
            content=content,
            turn_id=turn.turn_id,
            message_id=message.message_id,
            speaker=message.speaker,
            created_at=message.created_at,
        )
        if content == message.content:
            whole.add((turn.turn_id, message.message_id))
    places = places[: len(places) - fitting]
    dropped = [f"{turn.turn_id}:{turn.events.messages[number].message_id}" for turn, number in places]
    _drop(package, [(each, "over recent_turns_max_tokens or token_limit") for each in dropped], "budget")
    return whole


def _content(memory_id: str, turn: Turn, number: int, policy: Composition) -> str:
    """Return what recent_turns shows of a message: of a long tool result no more than where it is."""
    message = turn.events.messages[number]
    content = message.content
    if message.role == "tool" and len(content) > policy.tool_result_max_chars:
        uri = turn_uri(memory_id, turn.session_id, turn.turn_id)
        return f"(tool result of {len(content)} characters: {uri})"
    return content


def _drop(package: ContextPackage, dropped: Iterable[tuple[str, str]], reason: str) -> None:
    """Name pieces that did not go in: (id, detail) of each."""
    package.debug.dropped.extend(Dropped(id=each, reason=reason, detail=detail) for each, detail in dropped)


def _constraints(package: ContextPackage, counter: str, room: Room, policy: Composition) -> None:
    budget = package.constraints.token_budget
    budget.limit, budget.used, budget.counter = room.limit, room.used, counter
    for slot, tokens in room.slots.items():
        budget.slots[slot] = tokens
    budget.slot_limits["system_blocks"] = policy.system_blocks_max_tokens
    budget.slot_limits["working_summary"] = policy.summary_max_tokens
    budget.slot_limits["recent_turns"] = policy.recent_turns_max_tokens
    diversity = package.constraints.diversity
    diversity.by_document = policy.diversity.by_document
    diversity.by_source_uri = policy.diversity.by_source_uri
    diversity.memory_resource_ratio = policy.diversity.memory_resource_ratio
    package.constraints.truncation.max_snippet_chars = policy.max_snippet_chars
    package.constraints.truncation.recent_turns_max = policy.recent_turns_max
