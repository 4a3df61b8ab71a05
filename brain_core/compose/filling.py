"""Which evidence has room in a package: what leads first, then what fills it up, and why the rest is turned away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.compose import coverage
from brain_core.compose.among import Seats
from brain_core.compose.candidates import Candidates, Part
from brain_core.compose.draft import Draft
from brain_core.compose.drops import name_dropped, name_rows
from brain_core.compose.evidence import shown_statuses
from brain_core.compose.fitted import fitted
from brain_core.compose.material import Material
from brain_core.compose.passages import Offer, Passages, PieceCosts
from brain_core.compose.search import allowed_by_any
from brain_core.compose.slots import Room
from brain_core.compose.snippets import SHORTER
from brain_core.compose.told_once import told_by_messages
from brain_core.index.derive import cost_showing, label_weight, shown_text
from brain_core.index.records import Records
from brain_core.kernels.fuse import places_in
from brain_core.kernels.passages import UNPRICED
from brain_core.policy import Composition
from brain_core.store.v1.records_pb2 import CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT

_REACH = 200
"""Best ranked rows that may go in beside a hit."""

_SAYS_NOTHING = "says nothing by itself"


def candidates_of(draft: Draft, recent_uris: NDArray[np.int32], material: Material, policy: Composition) -> Candidates:
    """Return the ranked rows that may go in, and of those that were selected what they are offered as.

    recent_uris: of the session's newest messages, which stand in recent_turns. What is not offered is named.
    """
    ranking, chunks = material.found.ranking, material.chunks
    pinned = material.pinned.whole
    pinned = pinned - draft.dropped_ids(material.chunks.records) if pinned else pinned
    reach = max(_REACH, max(material.found.selection.kept, default=0) + 1)
    rows = ranking.rows[:reach]
    kinds = chunks.column("kind")[rows]
    said = (kinds == CHUNK_KIND_MESSAGE) | (kinds == CHUNK_KIND_TOOL_RESULT)
    recent = said & (places_in(recent_uris, chunks.column("uri")[rows]) > 0)
    scores = ranking.scores[:reach]
    worth = scores * chunks.column("cost")[rows] ** -policy.tokens_exponent
    order = (-worth).argsort(kind="stable")
    kept = material.found.selection.kept
    ratio = material.found.asked.ratio
    if ratio and chunks.has_documents():
        offered = np.zeros(len(rows), dtype=bool)
        offered[kept] = True
        order = order[ratio.order(chunks.resources(rows[order]), scores[order], offered[order])]
    silent, floor = _saying_nothing(material, rows), _floor(material, scores[kept][~recent[kept]], policy)
    order = order[~silent[order]]
    found = Candidates(
        rows[order], order, scores[order], worth[order], recent[order], {}, {}, {}, pinned, {}, {}, floor
    )
    kept_rows = rows[kept].tolist()
    offers = map(Offer, kept, kept_rows, np.minimum(scores[kept], 1.0).tolist())
    records = chunks.records
    already = (
        {row for row, own in zip(kept_rows, records.ids(kept_rows), strict=True) if own in pinned} if pinned else ()
    )
    for offer, is_recent, is_silent in zip(offers, recent[kept].tolist(), silent[kept].tolist(), strict=True):
        if offer.row in already:
            name_dropped(draft, [(records.id(offer.row), "stands in system_blocks")], "duplicate", "system_blocks")
        elif is_recent:
            found.repeats[offer.row] = offer
        elif is_silent:
            found.left_out[offer.row] = _SAYS_NOTHING
        elif offer.score < floor:
            found.left_out[offer.row] = f"score {offer.score:.3f} under {floor:.3g}"
        else:
            found.offers[offer.row] = offer
    told = told_by_messages(found.offers, found.repeats, found.rows, chunks)
    for row, message in told.already.items():
        found.told[row] = found.offers.pop(row), message
    found.twins.update({row: message for row, message in told.twins.items() if row in found.offers})
    return found


def _saying_nothing(material: Material, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which of the best ranked rows say nothing by themselves, and were not asked for word for word, bool[m]."""
    ranking = material.found.ranking
    silent: NDArray[np.bool_] = material.chunks.column("contentless")[rows] != 0
    if silent.any():
        worded = np.array([one.mode == "exact" for one in ranking.candidates], dtype=bool)
        silent &= ~worded[ranking.best_query[: len(rows)]]
    return silent


def _floor(material: Material, scores: NDArray[np.float64], policy: Composition) -> float:
    """Return the score from which evidence may go in. scores: of the memory's own that may."""
    best = max(scores.max(initial=0.0), max((piece.score for piece in material.foreign.pieces), default=0.0))
    return max(policy.score_floor, policy.score_min_share * float(best))


def seats_for(material: Material, candidates: Candidates, policy: Composition) -> Seats:
    """Return the places that are kept for what other executors found, beside what the memory offers."""
    seats = Seats(material.foreign, material.found.snippets, material.counter, material.most, candidates.floor, policy)
    seats.reserve((offer.score for offer in candidates.offers.values()), material.most)
    return seats


def _opening(material: Material, candidates: Candidates, most: int, free: int) -> Callable[[], Passages]:
    """Return what makes pieces of evidence to be filled, at most so many. free: what there is for all."""
    output, chunks = material.found.asked.plan.output, material.chunks
    longest = output.max_snippet_chars if output.include_snippets and output.snippet_policy not in SHORTER else 0
    costs = _costs(material, candidates, longest)
    best, cut_to = candidates.best(), dict[int, int]()
    # A cut message might leave out what its item says.
    if best is not None and longest and not candidates.says_an_item(best.row):
        alone, row = costs.alone, best.row
        if alone[row] == UNPRICED:
            alone[row] = costs.price(row)
        if alone[row] > free:
            [evidence] = chunks.records.read([row])
            fit = fitted(evidence, material.found.snippets, longest, material.counter.counter, free)
            if fit is not None:
                costs = costs._replace(alone=alone.copy())
                costs.alone[row], cut_to = fit.cost, {row: fit.chars}
    return partial(Passages, chunks, most, longest, costs, cut_to)


def _costs(material: Material, candidates: Candidates, longest: int) -> PieceCosts:
    """Return what pieces cost. longest: characters from which on a row may be cut, which costs time to price."""
    chunks, counter, snippets = material.chunks, material.counter, material.found.snippets
    records, alone = chunks.records, chunks.column("cost")
    offered = np.array([*candidates.offers, *candidates.repeats], dtype=np.int32)
    may_be_cut = offered[chunks.column("chars")[offered] > longest]
    labelled = counter.statuses[shown_statuses(material.found, chunks, candidates.rows)]
    if len(may_be_cut) or np.count_nonzero(labelled):
        alone = alone.copy()
        alone[candidates.rows] += labelled
    uncut: dict[int, int] = dict(zip(may_be_cut.tolist(), alone[may_be_cut].tolist(), strict=True))
    alone[may_be_cut] = UNPRICED
    weighed = "label", counter.counter.name

    def price(row: int) -> int:
        [evidence] = records.read([row])
        text = shown_text(evidence)
        if len(text) <= longest:
            return uncut[row]
        status = uncut[row] - int(chunks.column("cost")[row])
        label = records.made_of(row, weighed, lambda evidence: label_weight(evidence, counter.counter))
        return status + cost_showing(snippets.shown(text, evidence.title)[0], label, counter.counter)

    if material.foreign.pieces:  # among which those of the memory have any number
        labels = np.full(1, counter.dearest_label(material.most), dtype=np.int32)
    else:
        labels = counter.labels(material.most)
    return PieceCosts(alone, price, counter.ellipsis, labels)


def fill_top(
    material: Material, candidates: Candidates, seats: Seats, room: Room, policy: Composition
) -> tuple[Passages, dict[int, str]]:
    """Return top evidence, which covers what the question is about, and why by the rows that were turned away."""
    most = min(material.most - seats.reserved, policy.evidence_items)
    floor = policy.top_evidence_min_share * max(candidates.highest(), seats.best)
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
            if seat.cost <= room.free("evidence") - taken:
                seat.take(room, "top")


def fill_rest(passages: Passages, parts: Iterable[Part], offers: Mapping[int, Offer], room: Room) -> dict[int, str]:
    """Let passages grow as far as there is room; return why by the rows of the offers that were turned away."""
    turned_away: dict[int, str] = {}
    for rows, seat in parts:
        taken, away = passages.fill(rows, offers, room.free("evidence"), "long_tail")
        room.spend("evidence", taken)
        turned_away |= away
        if seat is not None:
            seat.take(room, "long_tail")
    return turned_away


def fill_told(
    draft: Draft, records: Records, candidates: Candidates, shown: Set[int], passages: Passages, room: Room
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
            said = f"was read in {records.id(message.row)}, which says it"
            name_dropped(draft, [(records.id(item.row), said)], "duplicate", "evidence")
        else:
            left[row] = item
    return fill_rest(passages, [(np.array([*left], dtype=np.int32), None)], left, room) if left else {}


def widen(material: Material, recent_uris: NDArray[np.int32], passages: Passages, room: Room) -> None:
    """Fill what room is left with what was said around the hits."""
    allowed = allowed_by_any(material.found.ranking.candidates)
    taken = passages.widen(room.free("evidence"), allowed, recent_uris)
    room.spend("evidence", taken)


def not_shown(
    draft: Draft, material: Material, candidates: Candidates, shown: set[tuple[str, str]]
) -> dict[int, Offer]:
    """Return the repeats of messages that recent_turns does not show whole; the others are dropped."""
    records, repeats = material.chunks.records, candidates.repeats
    missing = {row: offer for row, offer in repeats.items() if records.made_of(row, "said in", _said_in) not in shown}
    stands = {row: "stands in recent_turns" for row in repeats if row not in missing}
    name_rows(draft, records, stands, "duplicate", "recent_turns")
    return missing


def _said_in(text: Evidence) -> tuple[str, str]:
    """Return (turn_id, message_id) of the message that a text is of."""
    said = text.ref.message_id or text.id.removeprefix(f"{text.ref.turn_id}:").partition("#")[0]
    return text.ref.turn_id, said
