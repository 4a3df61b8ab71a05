"""Pieces of other executors among those of the memory: in a package by worth and room, in a pack by score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import ContextDebug, ContextEvidence, ContextPackage
from smartbrain.v1.evidence_pb2 import Dropped, Evidence, EvidencePack
from smartbrain.v1.plan_pb2 import PlanOutput

from brain_core.compose.draft import Draft
from brain_core.compose.foreign import Foreign, Piece
from brain_core.compose.passages import does_not_fit
from brain_core.compose.retrieve import Asked, Found
from brain_core.compose.slots import Room, SlotCounter
from brain_core.compose.snippets import Snippets
from brain_core.index.derive import token_costs
from brain_core.policy import Composition


@dataclass(slots=True)
class Seat:
    """A piece that may stand in a package.

    cost: hundredths of a token. worth: what room is given by, as to rows. group: "" until it stands.
    """

    piece: Piece
    shown: Evidence
    cost: int
    worth: float
    group: str = ""

    def take(self, room: Room, group: str) -> None:
        """Stand in the package if there is room."""
        if self.cost <= room.free("evidence"):
            room.spend("evidence", self.cost)
            self.group = group


class Seats:
    """Pieces of other executors, best first, that ask for room beside what the memory found.

    most: pieces of the whole package. floor: score from which any may stand. reserved: how many of them are among the
    best of all, and so have a place if they fit.
    """

    def __init__(
        self, foreign: Foreign, snippets: Snippets, counter: SlotCounter, most: int, floor: float, policy: Composition
    ) -> None:
        self._dropped = list(foreign.dropped)
        self._seats = []
        self.reserved = 0
        label = counter.dearest_label(most) if foreign.pieces else 0
        for piece in foreign.pieces:
            if piece.score < floor:
                self._drop(piece, "below_threshold", f"score {piece.score:.3f} under {floor:.3g}")
                continue
            shown = snippets.as_shown(piece.evidence)
            shown.ClearField("kind")  # a resource, whatever it is to the executor
            cost = token_costs(shown, counter.counter)[0] + label
            self._seats.append(Seat(piece, shown, cost, piece.score * cost**-policy.tokens_exponent))

    def __bool__(self) -> bool:
        return bool(self._seats)

    @property
    def best(self) -> float:
        """The highest score, 0 without pieces."""
        return self._seats[0].piece.score if self._seats else 0.0

    def reserve(self, scores: NDArray[np.float64], most: int) -> None:
        """Keep places for those that are among the best `most` of all. scores: of what the memory offers."""
        offered = np.sort(scores)
        better = len(offered) - np.searchsorted(offered, [seat.piece.score for seat in self._seats], side="left")
        self.reserved = int(np.count_nonzero(better + np.arange(len(self._seats)) < most))

    def asking(self, floor: float) -> list[Seat]:
        """Return those with a place reserved that score at least a floor and do not stand yet, most worth first."""
        left = (seat for seat in self._seats[: self.reserved] if not seat.group and seat.piece.score >= floor)
        return sorted(left, key=lambda seat: -seat.worth)

    def fill_up(self, places: int, room: Room, group: str) -> None:
        """Give what is left of places to those that had none reserved. places: not taken by the memory's own pieces."""
        left = places - sum(1 for seat in self._seats if seat.group)
        for seat in self._seats[self.reserved : self.reserved + max(left, 0)]:
            seat.take(room, group)

    def write(self, draft: Draft, asked: Asked) -> None:
        """Put those that stand among the evidence of a package, by group and score, and say why; name the others."""
        standing = [seat for seat in self._seats if seat.group]
        if standing:
            package, debug = ContextPackage.FromString(draft.evidence), ContextDebug.FromString(draft.why)
            for seat in standing:
                package.evidence.append(_context_evidence(seat, asked))
                debug.why_selected.add(id=seat.piece.evidence.id, reason=f"{seat.group}: {seat.piece.why}")
            package.evidence.sort(key=lambda one: (one.group != "top", -one.score))
            places = {one.id: place for place, one in enumerate(package.evidence)}
            debug.why_selected.sort(key=lambda why: places[why.id])
            draft.evidence, draft.why = package.SerializeToString(), debug.SerializeToString()
            draft.sources = Counter(draft.sources) + Counter(resource=len(standing))
        for number, seat in enumerate(self._seats):
            if not seat.group:
                fitted = number < self.reserved
                detail = does_not_fit(seat.cost) if fitted else "over the pieces of evidence"
                self._drop(seat.piece, "budget", f"score {seat.piece.score:.3f}: {detail}")
        if self._dropped:
            draft.drop_each(self._dropped)
        for dropped in self._dropped:
            draft.count_dropped("evidence", dropped.reason, 1)

    def _drop(self, piece: Piece, reason: str, detail: str) -> None:
        self._dropped.append(Dropped(id=piece.evidence.id, reason=reason, detail=detail))


def merge(pack: EvidencePack, foreign: Foreign, found: Found) -> None:
    """Put pieces of other executors among the evidences of a pack by score, as many in all as its plan asks for.

    A rerank_score that a piece came without is the score that it was given here.
    """
    output, most = found.asked.plan.output, found.asked.plan.budget.top_k
    ranked = [(-min(score, 1.0), each) for score, each in zip(_kept_scores(found), pack.evidences, strict=True)]
    ranked += [(-piece.score, _in_pack(piece, output, found.snippets)) for piece in foreign.pieces]
    ranked.sort(key=lambda one: one[0])
    chosen = [each for _, each in ranked[:most]]
    pack.stats.candidates += len(foreign.pieces) + len(foreign.dropped)
    pack.stats.returned = len(chosen)
    over = (Dropped(id=each.id, reason="budget", detail=f"over the {most} best") for _, each in ranked[most:])
    pack.explain.dropped.extend([*over, *foreign.dropped])
    merged = EvidencePack(evidences=chosen)
    pack.ClearField("evidences")
    pack.MergeFrom(merged)


def _kept_scores(found: Found) -> Sequence[float]:
    scores: Sequence[float] = found.ranking.scores[found.selection.kept].tolist()
    return scores


def _in_pack(piece: Piece, output: PlanOutput, snippets: Snippets) -> Evidence:
    evidence = Evidence()
    evidence.CopyFrom(piece.evidence)
    evidence.snippet, evidence.snippet_policy = snippets.of(piece.evidence)
    evidence.signals.rerank_score = piece.score
    if not output.include_signals:
        evidence.ClearField("signals")
    if not output.include_provenance:
        evidence.ClearField("provenance")
    return evidence


def _context_evidence(seat: Seat, asked: Asked) -> ContextEvidence:
    """Return a piece as evidence of a package. Its source is "resource" whatever it is: it is not of this memory."""
    evidence, output = seat.piece.evidence, asked.plan.output
    written = ContextEvidence(
        id=evidence.id,
        source="resource",
        source_uri=seat.shown.source_uri,
        title=seat.shown.title,
        snippet=seat.shown.snippet,
        score=seat.piece.score,
        ref=evidence.ref,
        group=seat.group,
        status=evidence.status,
    )
    written.ref.document_id = written.ref.document_id or evidence.document_id
    written.ref.section_id = written.ref.section_id or evidence.section_id
    if evidence.metadata.HasField("created_at"):
        written.created_at.CopyFrom(evidence.metadata.created_at)
    if output.include_signals:
        written.signals.CopyFrom(evidence.signals)
    if output.include_provenance:
        written.mode = evidence.provenance.mode
    written.provenance.request_id = asked.plan.request_id
    written.provenance.plan_version = asked.plan.version
    written.provenance.retrieved_at.CopyFrom(asked.at)
    return written
