"""The ranking as far as it may go into a package."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brain_core.compose.among import Seat
from brain_core.compose.passages import Order
from brain_core.kernels import offers

Part = tuple[Order, Seat | None]
"""Rows, and the piece of another executor that room is given to after them."""


class Leading(NamedTuple):
    """What leads a package. floor: its least score. best: the row of the best offer, None if nothing is offered."""

    order: Order
    floor: float
    best: int | None


@dataclass(slots=True)
class Candidates:
    """All that rank, in the order in which room is given to them, and what of them may open a piece.

    places in the ranking int64[m], rows int32[m], scores float64[m], worth float64[m], which room is given by. recent:
    bool[m], of messages of the recent turns. may_open: uint8[m], 1 for what is offered; others join a piece only.
    floor: score from which anything may go in unless it covers what nothing else does. pinned: ids that stand in
    system_blocks. repeats: kept rows of recent messages. left_out: why, by the kept rows that may not go in for
    themselves. told: rows of kept items, each with that of the offered or recent message that says it already. twins:
    the same of items that are offered all the same. why: by row, what it is there for besides its score.
    """

    places: NDArray[np.int64]
    rows: NDArray[np.int32]
    scores: NDArray[np.float64]
    worth: NDArray[np.float64]
    recent: NDArray[np.bool_]
    may_open: NDArray[np.uint8]
    floor: float
    pinned: frozenset[str]
    repeats: list[int] = field(default_factory=list)
    left_out: dict[int, str] = field(default_factory=dict)
    told: dict[int, int] = field(default_factory=dict)
    twins: dict[int, int] = field(default_factory=dict)
    why: dict[int, str] = field(default_factory=dict)

    def offered_scores(self) -> NDArray[np.float64]:
        """Return the scores of what is offered, at most 1."""
        scores: NDArray[np.float64] = np.minimum(self.scores[self.may_open != 0], 1.0)
        return scores

    def says_an_item(self, row: int) -> bool:
        """Return whether a row is a message in whose place an item is not offered, or not where both stand."""
        return row in self.told.values() or row in self.twins.values()

    def top(self, masks: NDArray[np.uint64], bits: int, share: float, elsewhere: float, least: float) -> Leading:
        """Return what leads: it scores a share of the best, and `least` unless it has one of the bits in its mask.

        masks: uint64[n], by row. elsewhere: the best score of what others found. What scores most stands first:
        whatever it costs, what is worth more a token must not take its room.
        """
        rows, may_open, floor, best = offers.top(
            self.places, self.rows, self.scores, self.recent, self.may_open, masks, bits, (share, elsewhere, least)
        )
        return Leading(Order(rows, may_open), floor, int(self.rows[best]) if best >= 0 else None)

    def stands_in_recent_turns(self, row: int) -> bool:
        """Return whether a row is an item that a recent message says, as far as that finds room."""
        return row in self.told and self.told[row] in self.repeats

    def leave_to(self, told: dict[int, int]) -> None:
        """Offer no item that a message says already. told: the message's row by the item's."""
        self.told |= told
        for row in told:
            self.may_open[self.rows == row] = 0

    def leave_to_messages(self, stands: Container[int]) -> bool:
        """Offer no item that stands beside the message that says it too; return whether there was one. stands: rows."""
        found = {row: said for row, said in self.twins.items() if row in stands and said in stands}
        self.leave_to(found)
        for row in found:
            del self.twins[row]
        return bool(found)

    def offer(self, why: dict[int, str]) -> None:
        """Let rows open a piece. why: what each is there for besides its score."""
        self.why |= why
        for row in why:
            self.may_open[self.rows == row] = 1

    def in_order(self, rows: NDArray[np.int32]) -> Order:
        """Return rows in an order of their own, with what of them is offered now."""
        return Order(rows, np.isin(rows, self.rows[self.may_open != 0]).astype(np.uint8))

    def rest(self, away: Iterable[int], missing: list[int]) -> Order:
        """Return all rows that score at least the floor; of recent messages those that are missing, which are offered.

        away: rows that were offered and turned away.
        """
        return Order(*offers.rest(self.rows, self.scores, self.recent, self.may_open, self.floor, [*away], missing))

    def among(self, order: Order, seats: Sequence[Seat]) -> list[Part]:
        """Return rows in parts, each with the seat that room is given to after it; after the last one with none."""
        if not seats:
            return [(order, None)]
        parts: list[Part] = []
        start = 0
        for seat in seats:
            stop = int(np.count_nonzero(np.isin(order.rows, self.rows[self.worth >= seat.worth])))
            parts.append((Order(order.rows[start:stop], order.may_open[start:stop]), seat))
            start = stop
        return [*parts, (Order(order.rows[start:], order.may_open[start:]), None)]
