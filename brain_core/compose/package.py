"""From what was found to a ContextPackage inside its token limit, with a reason for every piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.evidence_pb2 import Dropped

from brain_core.compose import coverage
from brain_core.compose.among import Seats
from brain_core.compose.blocks import add_rules, is_whole, most_of_blocks, pin
from brain_core.compose.candidates import Candidates, Part
from brain_core.compose.drops import SELECTION, count_dropped, name_dropped
from brain_core.compose.evidence import shown_statuses
from brain_core.compose.fitted import fitted
from brain_core.compose.foreign import NOTHING, Foreign
from brain_core.compose.passages import Offer, Passages, PieceCosts
from brain_core.compose.recent import RecentMessages
from brain_core.compose.retrieve import Found
from brain_core.compose.said import SaidTurn
from brain_core.compose.search import allowed_by_any
from brain_core.compose.slots import Room, SlotCounter
from brain_core.compose.summary import SessionSummary, SummarySlot
from brain_core.compose.told_once import told_by_messages
from brain_core.compose.write import write_evidence
from brain_core.errors import require
from brain_core.index.chunks import ChunkTable
from brain_core.index.derive import shown_text, token_costs
from brain_core.index.speakers import Speakers
from brain_core.policy import Composition
from brain_core.store.v1.records_pb2 import CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT, ChunkRecord

_REACH = 200
"""Best ranked rows that may go in beside a hit."""

_SAID = (CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT)

_ALONE = ("l0", "l1")
"""Snippet policies under which a piece is one text."""


@dataclass(frozen=True, slots=True)
class Material:
    """All that may go into a package.

    said_tokens: what the user message costs. most: most pieces of evidence. pinned: chunks of items, best priority
    first. ended: pinned items that no longer hold. turns: newest last. chunks: what is known of every row. counter: of
    tokens. speakers: of all rows. summary: of the session, if it has one. foreign: what other executors found.
    """

    user_message: str
    said_tokens: int
    most: int
    pinned: Sequence[ChunkRecord]
    ended: Sequence[Dropped]
    turns: Sequence[SaidTurn]
    found: Found
    chunks: ChunkTable
    counter: SlotCounter
    speakers: Speakers
    summary: SessionSummary | None = None
    foreign: Foreign = NOTHING


def check_fits(user_message: str, token_limit: int, counter: SlotCounter) -> int:
    """Return what the user message costs; raise InvalidArgument with both numbers if it alone is over the limit."""
    needed = counter.user_message(user_message)
    require(
        needed <= token_limit,
        "token_limit",
        token_limit,
        f"≥ {needed} tokens, which user_message needs",
        "is too small",
    )
    return needed


def assemble(package: ContextPackage, material: Material, limit: int, policy: Composition) -> Sequence[int]:
    """Fill the slots of a package in the order of priority of policies §4.2, and say why.

    system_blocks, developer_blocks, then top evidence, the working summary, recent turns, long-tail evidence; each only
    as far as tokens are left. Where there is room for more pieces than evidence_items, those past them come last.
    Evidence stands by score in the end. Returns the rows of all chunks that stand in it, alone or merged.
    """
    counter = material.counter
    room = Room(limit, counter.headings_on(package.today))
    package.user_message.role = "user"
    package.user_message.content = material.user_message
    room.slots["user_message"] = material.said_tokens
    pin(package, material.pinned, counter, room, policy)
    _name_ended(package, material)
    if policy.developer_blocks:
        add_rules(package, counter, room, policy)
    recent = material.chunks.names["uri"].find(turn.uri for turn in material.turns)
    candidates = _candidates(package, recent, material, policy)
    seats = _seats(material, candidates, policy)
    newest = RecentMessages(material.turns, counter, policy)
    newest.hold(room)
    passages, away = _fill_top(material, candidates, seats, room, policy)
    most = material.most - seats.reserved
    if most > policy.evidence_items:
        passages.allow(most)
        away = {}  # what was turned away for one of the first pieces may be one of the others
    shown = _add_summary_and_recent(package, material, newest, room, policy)
    missing = _not_shown(package, material, candidates, shown)
    offers = {row: offer for row, offer in candidates.offers.items() if row not in away} | missing
    away |= _fill_rest(passages, candidates.among(candidates.rest(list(missing)), seats.asking(0.0)), offers, room)
    away |= _fill_told(package, candidates, candidates.repeats.keys() - missing, passages, room)
    if seats:
        seats.fill_up(material.most - len(passages.all()), room, "long_tail")
    _widen(material, recent, passages, room)
    stands = write_evidence(package, material.found, material.chunks, passages)
    seats.write(package, material.found.asked)
    records = material.chunks.records
    named = newest.name_left(package, records.ids(stands))
    # What was turned away may have joined a piece later.
    left_out = sorted(away.keys() - set(stands), key=list(away).index)
    away_ids = zip(records.ids(left_out), left_out, strict=True)
    no_room = [(each, away[row]) for each, row in away_ids if each not in named]
    too_many = passages.too_many
    name_dropped(package, [one for one in no_room if one[1] != too_many], "budget", "evidence")
    name_dropped(package, [one for one in no_room if one[1] == too_many], "budget", SELECTION)
    _constraints(package, material, room, policy)
    _count_sources(package, of_memory_alone=not (seats or material.chunks.has_documents()))
    return stands


def _name_ended(package: ContextPackage, material: Material) -> None:
    """Name the pinned items that no longer hold, unless they were found and are named as such."""
    if material.ended:
        named = {one.id for one in material.found.selection.beyond}
        ended = [one for one in material.ended if one.id == "*" or one.id not in named]
        package.debug.dropped.extend(ended)
        for one in ended:
            count_dropped(package.debug, "system_blocks", one.reason, one.count or 1)


def _candidates(
    package: ContextPackage, recent_uris: NDArray[np.int32], material: Material, policy: Composition
) -> Candidates:
    ranking, chunks = material.found.ranking, material.chunks
    whole = [chunk.evidence.id for chunk in material.pinned if is_whole(chunk, policy.pinned_min_confidence)]
    pinned = frozenset(whole) - {one.id for one in package.debug.dropped}
    reach = max(_REACH, max(material.found.selection.kept, default=0) + 1)
    rows = ranking.rows[:reach]
    said = np.isin(chunks.column("kind")[rows], _SAID)
    recent = said & (chunks.column("uri")[rows, None] == recent_uris).any(axis=1)
    scores = ranking.scores[:reach]
    worth = scores * chunks.column("tokens")[rows] ** -policy.tokens_exponent
    order = np.argsort(-worth, kind="stable")
    kept = material.found.selection.kept
    ratio = material.found.asked.ratio
    if ratio and chunks.has_documents():
        offered = np.isin(order, kept)
        order = order[ratio.order(chunks.resources(rows[order]), scores[order], offered)]
    found = Candidates(rows[order], order, scores[order], worth[order], recent[order], {}, {}, {}, pinned, {})
    kept_rows = rows[kept].tolist()
    ids = chunks.records.ids(kept_rows)
    shown = recent[kept].tolist()
    for place, row, each, score, is_recent in zip(kept, kept_rows, ids, scores[kept].tolist(), shown, strict=True):
        offer = Offer(place, row, each, min(score, 1.0))
        if offer.id in pinned:
            name_dropped(package, [(offer.id, "stands in system_blocks")], "duplicate", "system_blocks")
        elif offer.score < policy.score_floor:
            under = f"score {offer.score:.3f} under {policy.score_floor}"
            name_dropped(package, [(offer.id, under)], "below_threshold", "evidence")
        else:
            (found.repeats if is_recent else found.offers)[row] = offer
    told = told_by_messages(found.offers, found.repeats, found.rows, chunks)
    for row, message in told.already.items():
        found.told[row] = found.offers.pop(row), message
    found.twins.update({row: message for row, message in told.twins.items() if row in found.offers})
    return found


def _seats(material: Material, candidates: Candidates, policy: Composition) -> Seats:
    seats = Seats(material.foreign, material.found.snippets, material.counter, material.most, policy)
    seats.reserve((offer.score for offer in candidates.offers.values()), material.most)
    return seats


def _opening(material: Material, candidates: Candidates, most: int, free: int) -> Callable[[], Passages]:
    """Return what makes pieces of evidence to be filled, at most so many. free: tokens that there are for all."""
    output, chunks = material.found.asked.plan.output, material.chunks
    tokens = chunks.column("tokens")
    longest = output.max_snippet_chars if output.include_snippets and output.snippet_policy not in _ALONE else 0
    offered = np.array([*candidates.offers, *candidates.repeats], dtype=np.int32)
    may_be_cut = offered[chunks.column("chars")[offered] > longest].tolist()
    counter, snippets = material.counter, material.found.snippets
    cut = {
        row: token_costs(snippets.as_shown(evidence), counter.counter)[0]
        for row, evidence in zip(may_be_cut, chunks.records.read(may_be_cut), strict=True)
        if len(shown_text(evidence)) > longest
    }
    labelled = counter.statuses[shown_statuses(material.found, chunks, candidates.rows)]
    if cut or labelled.any():
        tokens = tokens.copy()
        tokens[list(cut)] = list(cut.values())
        tokens[candidates.rows] += labelled
    best, cut_to = candidates.best(), {}
    # A cut message might leave out what its item says.
    if best is not None and longest and tokens[best.row] > free and not candidates.says_an_item(best.row):
        evidence = chunks.records.read([best.row])[0]
        fit = fitted(evidence, snippets, longest, counter.counter, free)
        if fit is not None:
            tokens = tokens.copy()
            tokens[best.row], cut_to = fit.tokens, {best.row: fit.chars}
    if material.foreign.pieces:  # among which those of the memory have any number
        labels = np.full(1, counter.dearest_label(material.most), dtype=np.int32)
    else:
        labels = counter.labels(material.most)
    return partial(Passages, chunks, most, longest, tokens, PieceCosts(counter.ellipsis, labels), cut_to)


def _fill_top(
    material: Material, candidates: Candidates, seats: Seats, room: Room, policy: Composition
) -> tuple[Passages, dict[int, str]]:
    """Return top evidence, which covers what the question is about, and why by the rows that were turned away."""
    most = min(material.most - seats.reserved, policy.evidence_items)
    best = max((offer.score for offer in candidates.offers.values()), default=0.0)
    floor = policy.top_evidence_min_share * max(best, seats.best)
    searched, share = material.found.ranking.candidates, policy.core_term_min_share
    named = [*coverage.wants(searched, candidates, material.speakers, share)]
    # Where all texts are much alike even the best of them scores little.
    worth_it = (candidates.scores >= policy.top_evidence_min_score) | coverage.some(named, candidates)
    top = candidates.top(floor, worth_it)
    opened = _opening(material, candidates, most, room.free("evidence"))
    if seats:
        _seat_among(seats, candidates, top, floor, room, opened())
    free = room.free("evidence")
    filling = coverage.fill(opened(), top, candidates, free)
    if candidates.twins and candidates.leave_to_messages(set(filling.passages.rows().tolist())):
        filling = coverage.fill(opened(), top, candidates, free)
    caps = material.found.asked.plan.budget.diversity
    wanted: list[coverage.Want] = [*named, *coverage.preferred(searched)]
    if len(filling.passages.hits()) <= max(caps.by_document, caps.by_source):
        wanted.append(coverage.AnotherSource(material.chunks, floor))
    if not all(want.met(filling.passages) for want in wanted):
        limits = {"document": caps.by_document, "uri": caps.by_source, "section": caps.by_section, "text_hash": 1}
        space = coverage.Room(opened, free, most, limits, material.chunks, policy.score_floor)
        filling = coverage.covered(filling, wanted, candidates, space)
    room.spend("evidence", filling.taken)
    return filling.passages, filling.away


def _seat_among(
    seats: Seats, candidates: Candidates, top: NDArray[np.int32], floor: float, room: Room, trial: Passages
) -> None:
    """Give room to pieces of other executors as far as the rows that are worth more leave some. trial: to fill."""
    taken = 0
    for rows, seat in candidates.among(top, seats.asking(floor)):
        if seat is not None:
            taken += trial.fill(rows, candidates.offers, room.free("evidence") - taken, "top")[0]
            if seat.tokens <= room.free("evidence") - taken:
                seat.take(room, "top")


def _fill_rest(passages: Passages, parts: Iterable[Part], offers: Mapping[int, Offer], room: Room) -> dict[int, str]:
    """Let passages grow as far as there is room; return why by the rows of the offers that were turned away."""
    turned_away: dict[int, str] = {}
    for rows, seat in parts:
        taken, away = passages.fill(rows, offers, room.free("evidence"), "long_tail")
        room.spend("evidence", taken)
        turned_away |= {offer.row: reason for offer, reason in away}
        if seat is not None:
            seat.take(room, "long_tail")
    return turned_away


def _fill_told(
    package: ContextPackage, candidates: Candidates, shown: Set[int], passages: Passages, room: Room
) -> dict[int, str]:
    """Offer the items whose message found no room, and name the others as told by it; return as `_fill_rest`.

    shown: rows of messages that stand in recent_turns.
    """
    if not candidates.told:
        return {}
    stands, left = shown | set(passages.rows().tolist()), {}
    for row, (item, message) in candidates.told.items():
        if row in stands:
            continue
        if message.row in stands:
            name_dropped(package, [(item.id, f"was read in {message.id}, which says it")], "duplicate", "evidence")
        else:
            left[row] = item
    return _fill_rest(passages, [(np.array([*left], dtype=np.int32), None)], left, room) if left else {}


def _widen(material: Material, recent_uris: NDArray[np.int32], passages: Passages, room: Room) -> None:
    """Fill what room is left with what was said around the hits."""
    allowed = allowed_by_any(material.found.ranking.candidates)
    taken = passages.widen(room.free("evidence"), allowed, recent_uris)
    room.spend("evidence", taken)


def _not_shown(
    package: ContextPackage, material: Material, candidates: Candidates, shown: set[tuple[str, str]]
) -> dict[int, Offer]:
    """Return the repeats of messages that recent_turns does not show whole; the others are dropped."""
    repeats = candidates.repeats
    missing = {}
    for (row, offer), evidence in zip(repeats.items(), material.chunks.records.read(list(repeats)), strict=True):
        said = evidence.ref.message_id or evidence.id.removeprefix(f"{evidence.ref.turn_id}:").partition("#")[0]
        if (evidence.ref.turn_id, said) in shown:
            name_dropped(package, [(offer.id, "stands in recent_turns")], "duplicate", "recent_turns")
        else:
            missing[row] = offer
    return missing


def _add_summary_and_recent(
    package: ContextPackage, material: Material, newest: RecentMessages, room: Room, policy: Composition
) -> set[tuple[str, str]]:
    """Add what the summary has beyond the recent turns, then these, then the rest of it; return as `add` of these."""
    if material.summary is None:
        return newest.add(package, room)
    slot = SummarySlot(material.summary, material.turns, policy.summary_max_tokens)
    slot.fill(room, material.counter)
    shown = newest.add(package, room)
    slot.fill_rest(shown, room, material.counter)
    slot.write(package)
    return shown


def _count_sources(package: ContextPackage, *, of_memory_alone: bool) -> None:
    diversity, pieces = package.constraints.diversity, len(package.evidence)
    of_documents = 0 if of_memory_alone else sum(one.source == "resource" for one in package.evidence)
    diversity.memory_evidence, diversity.resource_evidence = pieces - of_documents, of_documents


def _constraints(package: ContextPackage, material: Material, room: Room, policy: Composition) -> None:
    budget = package.constraints.token_budget
    plan, counter = material.found.asked.plan, material.counter.counter
    budget.limit, budget.used, budget.counter = room.limit, room.used, counter.name
    for slot, tokens in room.slots.items():
        budget.slots[slot] = tokens
    budget.slot_limits["system_blocks"] = most_of_blocks(policy, room.limit)
    budget.slot_limits["working_summary"] = policy.summary_max_tokens
    budget.slot_limits["recent_turns"] = policy.recent_turns_max_tokens
    diversity = package.constraints.diversity
    diversity.by_document = plan.budget.diversity.by_document
    diversity.by_source_uri = plan.budget.diversity.by_source
    diversity.memory_resource_ratio = policy.diversity.memory_resource_ratio
    package.constraints.truncation.max_snippet_chars = plan.output.max_snippet_chars
    package.constraints.truncation.recent_turns_max = policy.recent_turns_max
