"""Evidence covers what the question is about, and is not all of one source, where anything in reach allows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from brain_core.compose.candidates import Candidates
from brain_core.compose.passages import Order, Passages
from brain_core.compose.search import Candidates as Searched
from brain_core.index.chunks import ChunkTable
from brain_core.index.lexical import LexicalScores, places_in
from brain_core.index.speakers import Speakers
from brain_core.kernels.offers import core
from brain_core.text.language import has_han
from brain_core.text.words import terms

Rows = NDArray[np.int32]

OF_DAYS = "the days asked for"

_MOST_SPEAKERS = 2
_WORD = re.compile(r"\w+(?:['’]\w+)?")


class Want(Protocol):
    """Something that at least one piece of evidence should have."""

    def met(self, passages: Passages) -> bool:
        """Return whether some piece has it."""

    def has(self, candidates: Candidates, passages: Passages) -> NDArray[np.bool_]:
        """Return which candidates have it that the pieces lack, bool[m]."""

    def words(self, row: int) -> str:
        """Return what a row that has it does for the evidence."""


class Named(NamedTuple):
    """Terms of a query, as bits of the masks, of which one should be covered. text: of the query."""

    lexical: LexicalScores
    bits: int
    text: str

    def met(self, passages: Passages) -> bool:
        """Return whether some piece has one of the terms."""
        return passages.has(self.lexical.masks, self.bits)

    def has(self, candidates: Candidates, passages: Passages | None = None) -> NDArray[np.bool_]:
        """Return which candidates have one of the terms, bool[m]."""
        del passages
        found: NDArray[np.bool_] = (self.lexical.masks[candidates.rows] & np.uint64(self.bits)) != 0
        return found

    def words(self, row: int) -> str:
        """Name the rarest of the terms that a row has, as the query writes it."""
        here = int(self.lexical.masks[row]) & self.bits
        weights = self.lexical.weights.tolist()
        term = self.lexical.terms[max(places_in(here), key=weights.__getitem__)]
        return f"covers {_as_written(term, self.text)!r}"


@dataclass(frozen=True, slots=True)
class Within:
    """A text of the time, the place or the days asked for. allowed: uint8[n], 1 for what is of it. what: in words."""

    allowed: NDArray[np.uint8]
    what: str

    def met(self, passages: Passages) -> bool:
        """Return whether some piece is of it."""
        return bool(self.allowed[passages.rows()].any())

    def has(self, candidates: Candidates, passages: Passages) -> NDArray[np.bool_]:
        """Return which candidates are of it, bool[m]."""
        del passages
        found: NDArray[np.bool_] = self.allowed[candidates.rows] != 0
        return found

    def words(self, row: int) -> str:
        """Say what it is there for."""
        del row
        return f"is of {self.what}"


@dataclass(frozen=True, slots=True)
class AnotherSource:
    """Evidence beside that of the one document or address that all pieces are of. floor: score from which it counts."""

    chunks: ChunkTable
    floor: float

    def met(self, passages: Passages) -> bool:
        """Return whether there are not two pieces, or they are of two sources."""
        origins = self._origins(passages.hits())
        return len(origins) < 2 or bool((origins != origins[0]).any())

    def has(self, candidates: Candidates, passages: Passages) -> NDArray[np.bool_]:
        """Return which candidates qualify and are of another source than the pieces, bool[m]."""
        origin = self._origins(passages.hits())[0]
        found: NDArray[np.bool_] = (self._origins(candidates.rows) != origin) & (candidates.scores >= self.floor)
        return found

    def words(self, row: int) -> str:
        """Say what it is there for."""
        del row
        return "is of another source"

    def _origins(self, rows: Rows) -> NDArray[np.int64]:
        documents = self.chunks.column("document")[rows].astype(np.int64)
        return np.where(documents >= 0, documents, -2 - self.chunks.column("uri")[rows])


def wants(
    searched: Sequence[Searched], candidates: Candidates, speakers: Speakers, min_share: float
) -> Iterator[Named]:
    """Yield what the heaviest query is about: its rarest terms that a row it may find has, and the speakers it names.

    min_share: of the rarest term's weight, from which a term is among them.
    """
    asked = heaviest(searched)
    lexical, text = asked.lexical, asked.query.text
    seen, rarest = core(lexical.masks, candidates.rows, asked.allowed.mask, lexical.weights, min_share)
    if not seen:
        return
    yield Named(lexical, rarest, text)
    for own in speakers.names_in(lexical.words)[:_MOST_SPEAKERS]:
        bits = sum(1 << place for place in places_in(seen) if lexical.terms[place] in own)
        if bits:
            yield Named(lexical, bits, text)


def preferred(searched: Sequence[Searched]) -> Iterator[Within]:
    """Yield that some piece is of where or when the heaviest query looks, if others look elsewhere too.

    The same goes for the days of any query that weighs as much: what is past and what is to come may both be meant.
    """
    asked = heaviest(searched)
    if all(one.query.HasField("filters") for one in searched):
        return
    for one in searched:
        query = one.query
        if query.filters.HasField("days") and query.weight == asked.query.weight:
            yield Within(one.allowed.mask, OF_DAYS)
        elif one is asked and query.HasField("filters"):
            yield Within(one.allowed.mask, "the time or place asked for")


def heaviest(searched: Sequence[Searched]) -> Searched:
    """Return what the query found that weighs most, the first of equals."""
    return max(searched, key=lambda one: one.query.weight)


def _as_written(term: str, text: str) -> str:
    if has_han(term):
        return term
    return next((word for word in _WORD.findall(text) if term in terms(word)), term)


class Filling(NamedTuple):
    """Top evidence. order: of the rows that were offered. away: fates, by the rows that found no place.

    taken: hundredths of a token. gave_way: in words, by rows of `away` that others took the place of.
    """

    passages: Passages
    order: Order
    taken: int
    away: dict[int, int]
    gave_way: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Room:
    """make: gives passages, empty, for all that is offered. most: pieces. caps: by column, of pieces.

    free: hundredths of a token. floor: score from which anything may go in.
    """

    make: Callable[[], Passages]
    free: int
    most: int
    caps: dict[str, int]
    chunks: ChunkTable
    floor: float


def covered(filling: Filling, wanted: Sequence[Want], candidates: Candidates, room: Room) -> Filling:
    """Return top evidence that meets each want which a candidate in reach can meet; its weakest pieces give way.

    What was put in is an offer from then on. A want that nothing under the caps meets, or that there is no room
    for, is left.
    """
    now, placed, gave_way, records = filling, dict[int, str](), dict[int, str](), room.chunks.records
    for want in wanted:
        if want.met(now.passages):
            continue
        for row in _able(want, now, candidates, room):
            why = want.words(row)
            trial = _with(filling, placed | {row: why}, candidates, room)
            if trial is not None:
                placed[row] = why
                lost = set(now.passages.hits().tolist()) - set(trial.passages.rows().tolist())
                gave_way |= dict.fromkeys(lost, f"gave way to {records.id(row)}, which {why}")
                now = trial
                break
    return now._replace(gave_way={row: why for row, why in gave_way.items() if row in now.away})


def _able(want: Want, now: Filling, candidates: Candidates, room: Room) -> Iterator[int]:
    """Yield the rows of the candidates that meet a want and may go in, best first."""
    costs = room.chunks.column("cost")[candidates.rows]
    wanted = (
        want.has(candidates, now.passages)
        & ~candidates.recent
        & (costs <= room.free)
        & (candidates.scores >= room.floor)
    )
    hits = now.passages.hits()
    for number in np.flatnonzero(wanted).tolist():
        row = int(candidates.rows[number])
        if candidates.stands_in_recent_turns(row):
            continue
        is_pinned = candidates.pinned and room.chunks.records.id(row) in candidates.pinned
        if not is_pinned and (candidates.may_open[number] or _under_caps(row, hits, room)):
            yield row


def _under_caps(row: int, hits: Rows, room: Room) -> bool:
    for name, cap in room.caps.items():
        column = room.chunks.column(name)
        if column[row] >= 0 and np.count_nonzero(column[hits] == column[row]) >= cap:
            return False
    return True


def _with(first: Filling, placed: dict[int, str], candidates: Candidates, room: Room) -> Filling | None:
    """Fill again, with some rows in place of the weakest pieces of the first filling; None if they have no room.

    placed: why, by the row.
    """
    rows = np.array([*placed], dtype=np.int32)
    hits, costs = first.passages.hits(), first.passages.costs()
    others = ~np.isin(hits, rows)
    needed = int(room.chunks.column("cost")[rows].sum())
    if needed > room.free or len(rows) > room.most:
        return None
    stay = min(int(np.count_nonzero(np.cumsum(costs[others]) + needed <= room.free)), room.most - len(rows))
    order = first.order.rows
    rest = order[~np.isin(order, rows)]
    left = hits[others]
    at = int(np.flatnonzero(rest == left[stay])[0]) if stay < len(left) else len(rest)
    candidates.offer(placed)
    return fill(room.make(), candidates.in_order(np.insert(rest, at, rows)), room.free)


def fill(passages: Passages, order: Order, free: int) -> Filling:
    """Let passages grow by rows in order, as far as they fit into what is free."""
    taken, away = passages.fill(order, free, leads=True)
    return Filling(passages, order, taken, away)
