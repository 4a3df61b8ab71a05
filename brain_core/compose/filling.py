"""Which evidence has room in a package: what leads first, then what fills it up, and why the rest is turned away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from functools import partial, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.compose import coverage
from brain_core.compose.among import Seats
from brain_core.compose.candidates import Candidates, Part
from brain_core.compose.draft import Draft
from brain_core.compose.drops import name_alike, name_rows
from brain_core.compose.fitted import fitted
from brain_core.compose.material import Material
from brain_core.compose.passages import Order, Passages, PieceCosts
from brain_core.compose.search import allowed_by_any
from brain_core.compose.slots import Room
from brain_core.compose.snippets import SHORTER
from brain_core.compose.then import status_of
from brain_core.compose.told_once import told_by_messages
from brain_core.index.derive import cost_showing, label_weight
from brain_core.index.records import Records
from brain_core.kernels.offers import PINNED, REPEATS, SILENT, offered, priced
from brain_core.policy import Composition
from brain_core.store.v1.records_pb2 import (
    CHUNK_KIND_ITEM,
    CHUNK_KIND_MESSAGE,
    CHUNK_KIND_SECTION,
    CHUNK_KIND_TOOL_RESULT,
)

_REACH = 200
"""Best ranked rows that may go in beside a hit."""

_SAYS_NOTHING = "says nothing by itself"

_KINDS = CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT, CHUNK_KIND_SECTION
_NOTHING = np.empty(0, dtype=np.uint8)


def candidates_of(draft: Draft, recent_uris: NDArray[np.int32], material: Material, policy: Composition) -> Candidates:
    """Return the ranked rows that may go in, and what of those that were selected is offered.

    recent_uris: of the session's newest messages, which stand in recent_turns. What is not offered is named.
    """
    found, chunks = material.found, material.chunks
    ranking, kept, records = found.ranking, found.selection.kept, chunks.records
    rows = ranking.rows[kept]
    pinned = material.pinned.whole
    pinned = pinned - draft.dropped_ids() if pinned else pinned
    ratio = found.asked.ratio if chunks.has_documents() else None
    places, ranked, scores, worth, recent, may_open, fates, floor = offered(
        (ranking.rows, ranking.scores, ranking.best_query),
        min(len(ranking.rows), max(_REACH, int(kept[-1]) + 1 if len(kept) else 0)),
        kept,
        (chunks.column("kind"), chunks.column("uri"), chunks.column("cost"), chunks.column("contentless")),
        _KINDS,
        recent_uris,
        np.array([own in pinned for own in records.ids(rows.tolist())], dtype=np.uint8) if pinned else _NOTHING,
        np.array([one.mode == "exact" for one in ranking.candidates], dtype=np.uint8),
        policy.tokens_exponent,
        (
            policy.score_floor,
            policy.score_min_share,
            max((each.score for each in material.foreign.pieces), default=0.0),
        ),
        None if ratio is None else (ratio.memory, ratio.documents, ratio.least),
    )
    candidates = Candidates(places, ranked, scores, worth, recent, may_open, floor, pinned)
    doubled = dict[int, str]()
    not_offered = fates.nonzero()[0]
    for row, fate, number in zip(rows[not_offered].tolist(), fates[not_offered].tolist(), not_offered, strict=True):
        if fate == REPEATS:
            candidates.repeats.append(row)
        elif fate == PINNED:
            doubled[row] = "stands in system_blocks"
        elif fate == SILENT:
            candidates.left_out[row] = _SAYS_NOTHING
        else:
            score = min(float(ranking.scores[kept[number]]), 1.0)
            candidates.left_out[row] = f"score {score:.3f} under {floor:.3g}"
    name_rows(draft, doubled, "duplicate", "system_blocks")
    told = told_by_messages(rows, fates, candidates.rows, chunks)
    candidates.leave_to(told.already)
    candidates.twins.update({row: said for row, said in told.twins.items() if row not in told.already})
    return candidates


def seats_for(material: Material, candidates: Candidates, policy: Composition) -> Seats:
    """Return the places that are kept for what other executors found, beside what the memory offers."""
    seats = Seats(material.foreign, material.found.snippets, material.counter, material.most, candidates.floor, policy)
    if seats:
        seats.reserve(candidates.offered_scores(), material.most)
    return seats


def _opening(
    material: Material, candidates: Candidates, best: int | None, most: int, free: int
) -> Callable[[], Passages]:
    """Return what makes pieces of evidence to be filled, at most so many.

    best: the row of the best offer. free: what there is for all.
    """
    output, chunks = material.found.asked.plan.output, material.chunks
    longest = output.max_snippet_chars if output.include_snippets and output.snippet_policy not in SHORTER else 0
    costs = _costs(material, candidates, longest)
    cut_to = dict[int, int]()
    # A cut message might leave out what its item says.
    if best is not None and longest and not candidates.says_an_item(best) and costs.of(best) > free:
        [evidence] = chunks.records.read([best])
        fit = fitted(evidence, material.found.snippets, longest, material.counter.counter, free)
        if fit is not None:
            costs.dear[best], cut_to = fit.cost, {best: fit.chars}
    return partial(Passages, chunks, most, longest, costs, cut_to)


def _costs(material: Material, candidates: Candidates, longest: int) -> PieceCosts:
    """Return what pieces cost. longest: characters from which on a row may be cut, which costs time to price."""
    chunks, counter, snippets = material.chunks, material.counter, material.found.snippets
    records, alone = chunks.records, chunks.column("cost")
    statuses = status_of(chunks, material.found.asked.then)
    dear = priced(
        candidates.rows,
        candidates.may_open,
        candidates.repeats,
        (alone, chunks.column("chars"), chunks.column("kind"), statuses),
        CHUNK_KIND_ITEM,
        counter.statuses,
        longest,
    )
    weighed = "label", counter.name

    def price(row: int) -> int:
        text, title = snippets.text_of(row, records)
        status = int(counter.statuses[statuses[row]]) if chunks.column("kind")[row] == CHUNK_KIND_ITEM else 0
        if len(text) <= longest:
            return status + int(alone[row])
        label = records.made_of(row, weighed, lambda evidence: label_weight(evidence, counter.counter))
        return status + cost_showing(snippets.shown(text, title)[0], label, counter.counter)

    if material.foreign.pieces:  # among which those of the memory have any number
        labels = np.full(1, counter.dearest_label(material.most), dtype=np.int32)
    else:
        labels = counter.labels(material.most)
    return PieceCosts(alone, dear, price, counter.ellipsis, labels)


def fill_top(
    material: Material, candidates: Candidates, seats: Seats, room: Room, policy: Composition
) -> coverage.Filling:
    """Return top evidence, which covers what the question is about."""
    most = min(material.most - seats.reserved, policy.evidence_items)
    searched = material.found.ranking.candidates
    named = [*coverage.wants(searched, candidates, material.speakers, policy.core_term_min_share)]
    # Where all texts are much alike even the best of them scores little.
    order, floor, best = candidates.top(
        coverage.heaviest(searched).lexical.masks,
        reduce(or_, [want.bits for want in named], 0),
        policy.top_evidence_min_share,
        seats.best,
        policy.top_evidence_min_score,
    )
    opened = _opening(material, candidates, best, most, room.free("evidence"))
    if seats:
        _seat_among(seats, candidates, order, floor, room, opened())
    free = room.free("evidence")
    filling = coverage.fill(opened(), order, free)
    if candidates.twins and candidates.leave_to_messages(filling.passages):
        filling = coverage.fill(opened(), candidates.in_order(order.rows), free)
    caps = material.found.asked.plan.budget.diversity
    wanted: list[coverage.Want] = [*named, *coverage.preferred(searched)]
    if len(filling.passages) <= max(caps.by_document, caps.by_source):
        wanted.append(coverage.AnotherSource(material.chunks, floor))
    if not all(want.met(filling.passages) for want in wanted):
        limits = {"document": caps.by_document, "uri": caps.by_source, "section": caps.by_section, "text_hash": 1}
        space = coverage.Room(opened, free, most, limits, material.chunks, policy.score_floor)
        filling = coverage.covered(filling, wanted, candidates, space)
    room.spend("evidence", filling.taken)
    return filling


def _seat_among(seats: Seats, candidates: Candidates, top: Order, floor: float, room: Room, trial: Passages) -> None:
    """Give room to pieces of other executors as far as the rows that are worth more leave some. trial: to fill."""
    taken = 0
    for order, seat in candidates.among(top, seats.asking(floor)):
        if seat is not None:
            taken += trial.fill(order, room.free("evidence") - taken, leads=True)[0]
            if seat.cost <= room.free("evidence") - taken:
                seat.take(room, "top")


def fill_rest(passages: Passages, parts: Iterable[Part], room: Room) -> dict[int, int]:
    """Let passages grow as far as there is room; return fates by the rows of the offers that were turned away."""
    turned_away: dict[int, int] = {}
    for order, seat in parts:
        taken, away = passages.fill(order, room.free("evidence"), leads=False)
        room.spend("evidence", taken)
        turned_away |= away
        if seat is not None:
            seat.take(room, "long_tail")
    return turned_away


def fill_told(
    draft: Draft, records: Records, candidates: Candidates, shown: Set[int], passages: Passages, room: Room
) -> dict[int, int]:
    """Offer the items whose message found no room, and name the others as told by it; return as `fill_rest`.

    shown: rows of messages that stand in recent_turns.
    """
    if not candidates.told:
        return {}
    told = candidates.told.items()
    away = {item: message for item, message in told if item not in passages and item not in shown}
    said = {item: message for item, message in away.items() if message in passages or message in shown}
    ids = zip(said, records.ids(said.values()), strict=True)
    name_rows(draft, {item: f"was read in {own}, which says it" for item, own in ids}, "duplicate", "evidence")
    left = [item for item in away if item not in said]
    if not left:
        return {}
    order = Order(np.array(left, dtype=np.int32), np.ones(len(left), dtype=np.uint8))
    return fill_rest(passages, [(order, None)], room)


def widen(material: Material, recent_uris: NDArray[np.int32], passages: Passages, room: Room) -> None:
    """Fill what room is left with what was said around the hits."""
    allowed = allowed_by_any(material.found.ranking.candidates)
    taken = passages.widen(room.free("evidence"), allowed, recent_uris)
    room.spend("evidence", taken)


def not_shown(draft: Draft, material: Material, candidates: Candidates, shown: set[tuple[str, str]]) -> list[int]:
    """Return the repeats of messages that recent_turns does not show whole; the others are dropped."""
    records, repeats = material.chunks.records, candidates.repeats
    missing = [row for row in repeats if records.made_of(row, "said in", _said_in) not in shown]
    stands = [row for row in repeats if row not in missing]
    name_alike(draft, stands, "stands in recent_turns", "duplicate", "recent_turns")
    return missing


def _said_in(text: Evidence) -> tuple[str, str]:
    """Return (turn_id, message_id) of the message that a text is of."""
    said = text.ref.message_id or text.id.removeprefix(f"{text.ref.turn_id}:").partition("#")[0]
    return text.ref.turn_id, said
