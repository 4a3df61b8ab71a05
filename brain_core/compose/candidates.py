"""The ranking as far as it may go into a package."""

from __future__ import annotations

from collections.abc import Sequence, Set
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brain_core.compose.among import Seat
from brain_core.compose.passages import Offer

Part = tuple[NDArray[np.int32], Seat | None]
"""Rows, and the piece of another executor that room is given to after them."""


class Candidates(NamedTuple):
    """All that rank, in the order in which room is given to them, and what of them may open a piece.

    rows int32[m], places in the ranking int64[m], scores float64[m], worth float64[m], which room is given by. recent:
    bool[m], of messages of the recent turns. offers, repeats: kept rows, the latter of messages among the recent turns.
    told: kept rows of items, each with the offered or recent message that says it already. twins: offered rows of other
    items that an offered message says too.
    pinned: ids that stand in system_blocks. left_out: why, by the kept rows that may not go in for themselves. floor:
    score from which anything may unless it covers what nothing else does.
    """

    rows: NDArray[np.int32]
    places: NDArray[np.int64]
    scores: NDArray[np.float64]
    worth: NDArray[np.float64]
    recent: NDArray[np.bool_]
    offers: dict[int, Offer]
    repeats: dict[int, Offer]
    told: dict[int, tuple[Offer, Offer]]
    pinned: frozenset[str]
    twins: dict[int, Offer]
    left_out: dict[int, str]
    floor: float

    def best(self) -> Offer | None:
        """Return the offer that scores most, of equals the one that ranks first."""
        return min(self.offers.values(), key=attrgetter("place"), default=None)

    def highest(self) -> float:
        """Return the highest score of an offer, 0 without any."""
        return max(map(attrgetter("score"), self.offers.values()), default=0.0)

    def says_an_item(self, row: int) -> bool:
        """Return whether a row is a message in whose place an item is not offered, or not where both stand."""
        return any(said.row == row for _, said in self.told.values()) or any(
            said.row == row for said in self.twins.values()
        )

    def top(self, floor: float, worth_it: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the rows that score at least the floor and are `worth_it`, bool[m], without recent messages.

        What scores most stands first: whatever it costs, what is worth more a token must not take its room.
        """
        rows, best = self.rows[(self.scores >= floor) & worth_it & ~self.recent], self.best()
        first = rows == best.row if best is not None else np.zeros(len(rows), dtype=bool)
        return np.concatenate((rows[first], rows[~first]))

    def stands_in_recent_turns(self, row: int) -> bool:
        """Return whether a row is an item that a recent message says, as far as that finds room."""
        return row in self.told and self.told[row][1].row in self.repeats

    def leave_to_messages(self, stands: Set[int]) -> bool:
        """Offer no item that stands beside the message that says it too; return whether there was one. stands: rows."""
        found = [row for row, message in self.twins.items() if row in stands and message.row in stands]
        for row in found:
            self.told[row] = self.offers.pop(row), self.twins.pop(row)
        return bool(found)

    def rest(self, missing: Sequence[int]) -> NDArray[np.int32]:
        """Return all rows that score at least the floor; of recent messages those that are missing."""
        left = ~self.recent & (self.scores >= self.floor)
        return self.rows[left | np.isin(self.rows, missing)] if missing else self.rows[left]

    def among(self, rows: NDArray[np.int32], seats: Sequence[Seat]) -> list[Part]:
        """Return rows in parts, each with the seat that room is given to after it; after the last one with none."""
        parts: list[Part] = []
        start = 0
        for seat in seats:
            stop = int(np.count_nonzero(np.isin(rows, self.rows[self.worth >= seat.worth])))
            parts.append((rows[start:stop], seat))
            start = stop
        return [*parts, (rows[start:], None)]
