"""What `passages.Passages` answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

NOTHING, JOINED, OPENED, OVER_MOST, DOES_NOT_FIT = range(5)


@dataclass(slots=True)
class _Piece:
    """A piece of Passages: what it began with, the call that opened it, its rows in order and what they come to.

    runs: of rows that follow each other. label: what it costs beside its rows. changed: which change of all
    was its last.
    """

    hit: int
    call: int
    runs: list[list[int]]
    label: int
    cost: int = 0
    chars: int = 0
    changed: int = 0

    @property
    def rows(self) -> list[int]:
        return [row for run in self.runs for row in run]


def _priced(row: int, price: Callable[[int], int] | None) -> int:
    if price is None:
        raise ValueError(f"row {row} has no price")
    if (cost := price(row)) < 0:
        raise ValueError(f"the price of row {row} must be ≥ 0, got {cost}")
    return cost


def turned_away(rows: NDArray[np.int32], fates: NDArray[np.int8]) -> dict[int, int]:
    """Return the fates that say why a row found no place, by the row."""
    if len(fates) != len(rows):
        raise ValueError(f"there are {len(fates)} fates of {len(rows)} rows")
    away = np.flatnonzero(fates >= OVER_MOST)
    return dict(zip(rows[away].tolist(), fates[away].tolist(), strict=True))


class Passages:
    """Twin of passages.Passages, which says what the columns are.

    A row between two pieces is beside the one that changed last, and may join that one alone. One that stands beside
    none may join the first piece under its heading that has room, behind a gap.
    """

    def __init__(  # noqa: PLR0913  the signature of the kernel
        self,
        costs: NDArray[np.int32],
        dear: dict[int, int],
        line_costs: NDArray[np.int32],
        chars: NDArray[np.int32],
        before: NDArray[np.int32],
        after: NDArray[np.int32],
        headings: NDArray[np.int32],
        kinds: NDArray[np.uint8],
        shared: int,
        most: int,
        longest: int,
        gap: int,
        labels: NDArray[np.int32],
    ) -> None:
        if {len(one) for one in (line_costs, chars, before, after, headings, kinds)} != {len(costs)}:
            raise ValueError(f"all columns must have {len(costs)} entries, one for each of costs")
        if not len(labels):
            raise ValueError("labels must have an entry")
        if most < 0:
            raise ValueError(f"most must be ≥ 0, got {most}")
        self._costs: dict[int, int] = dict(enumerate(costs.tolist())) | dear
        self._line_costs: list[int] = line_costs.tolist()
        self._chars: list[int] = chars.tolist()
        self._before: list[int] = before.tolist()
        self._after: list[int] = after.tolist()
        self._headings: list[tuple[int, bool]] = list(zip(headings.tolist(), (kinds == shared).tolist(), strict=True))
        self._most, self._longest, self._gap = most, longest, gap
        self._labels: list[int] = labels.tolist()
        self._pieces: list[_Piece] = []
        self._piece_of: dict[int, _Piece] = {}
        self._calls = self._changes = 0

    def fill(
        self,
        rows: NDArray[np.int32],
        may_open: NDArray[np.uint8],
        free: int,
        price: Callable[[int], int] | None = None,
    ) -> tuple[int, NDArray[np.int8]]:
        """Take rows in order while they fit into what is free; return (what is taken ≤ max(free, 0), fates int8[≤ m]).

        Fates end before a row without a price that could open a piece. rows: int32[m], best first. may_open: uint8[m],
        1 where a row may open a piece. Fates: 0 nothing, 1 joined, 2 opened, 3 over most, 4 does not fit.
        """
        if len(may_open) != len(rows):
            raise ValueError(f"rows has {len(rows)} entries but may_open has {len(may_open)}")
        for place, row in enumerate(rows.tolist()):
            if not 0 <= row < len(self._chars):
                raise ValueError(f"rows[{place}] is {row}, not in 0..{len(self._chars) - 1}")
            self._check_links(row)
        start, fates = free, np.zeros(len(rows), dtype=np.int8)
        for place, row in enumerate(rows.tolist()):
            if row in self._piece_of:
                continue
            full = len(self._pieces) >= self._most
            if self._costs[row] < 0 and may_open[place] and not full:
                self._costs[row] = _priced(row, price)
            if (cost := self._joined(row, free)) is not None or (cost := self._fused(row, free)) is not None:
                fates[place], free = JOINED, free - cost
            elif may_open[place] and not full and self._costs[row] + (label := self._label()) <= free:
                self._pieces.append(_Piece(row, self._calls, [], label))
                self._put(self._pieces[-1], row, [[row]])
                fates[place], free = OPENED, free - self._pieces[-1].cost
            elif may_open[place]:
                fates[place] = OVER_MOST if full else DOES_NOT_FIT
        self._calls += 1
        return start - free, fates

    def allow(self, most: int) -> None:
        """Let there be as many as `most` pieces from now on; those that are there stay."""
        if most < 0:
            raise ValueError(f"most must be ≥ 0, got {most}")
        self._most = most

    def widen(self, allowed: NDArray[np.uint8], uris: NDArray[np.int32], closed: NDArray[np.int32], free: int) -> int:
        """Let pieces take in what stands beside them; return what they take ≤ max(free, 0).

        In turns, in the order in which they were opened: each, for its runs, the row after, then the row before, until
        none can.
        allowed: uint8[n], 0 leaves a row out. uris: int32[n]. closed: the uris of rows to leave out.
        """
        if {len(allowed), len(uris)} != {len(self._chars)}:
            raise ValueError(f"allowed and uris must have {len(self._chars)} entries, one for each of costs")
        start, growing = free, self._pieces
        while growing:
            grown = []
            for piece in growing:
                costs = []
                ends = [(to, run[end]) for run in piece.runs for to, end in ((self._after, -1), (self._before, 0))]
                for to, end in ends:
                    row = self._neighbour(to, end)
                    if row >= 0 and row not in self._piece_of and allowed[row] and uris[row] not in closed:
                        self._check_links(row)
                        costs.append(self._joined(row, free))
                        free -= costs[-1] or 0
                if any(cost is not None for cost in costs):
                    grown.append(piece)
            growing = grown
        return start - free

    def __len__(self) -> int:
        return len(self._pieces)

    def __contains__(self, row: object) -> bool:
        return row in self._piece_of

    def has(self, masks: NDArray[np.uint64], bits: int) -> bool:
        """Return whether the mask of some row of a piece has one of the bits."""
        if len(masks) != len(self._line_costs):
            raise ValueError(f"masks has {len(masks)} entries, not {len(self._line_costs)}")
        return any(int(masks[row]) & bits for row in self._piece_of)

    def pieces(
        self,
    ) -> tuple[
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int32],
    ]:
        """Return (hits, calls, costs, chars, offsets, rows), pieces in the order in which they were opened.

        hits: the row that each began with. calls: which call of fill opened it, from 0. Piece i has
        rows[offsets[i]:offsets[i + 1]], in their order in the session.
        """
        return (
            np.array([piece.hit for piece in self._pieces], dtype=np.int32),
            np.array([piece.call for piece in self._pieces], dtype=np.int32),
            np.array([piece.cost for piece in self._pieces], dtype=np.int64),
            np.array([piece.chars for piece in self._pieces], dtype=np.int64),
            np.cumsum([0, *(len(piece.rows) for piece in self._pieces)], dtype=np.int64),
            np.array([row for piece in self._pieces for row in piece.rows], dtype=np.int32),
        )

    def best_first(
        self, ranked: NDArray[np.int32], scores: NDArray[np.float64], leading: int, sections: NDArray[np.int32]
    ) -> tuple[
        NDArray[np.int32],
        NDArray[np.int64],
        NDArray[np.uint8],
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.uint8],
    ]:
        """Return (hits, places, leads, offsets, rows, breaks): what the first calls opened, then all else, by score."""
        if len(scores) != len(ranked) or len(sections) != len(self._chars):
            raise ValueError("scores has other entries than ranked, or sections than the columns")
        if not {piece.hit for piece in self._pieces} <= set(ranked.tolist()):
            raise ValueError("a hit is not ranked")
        places = {row: place for place, row in reversed([*enumerate(ranked.tolist())])}

        def standing(piece: _Piece) -> tuple[bool, float, int]:
            place = places[piece.hit]
            return piece.call >= leading, -min(scores[place], 1.0), place

        def break_before(last: int, row: int) -> int:
            begins = sections[row] >= 0 and sections[row] != sections[last]
            return int(self._after[last] != row) + 2 * int(begins)

        pieces = sorted(self._pieces, key=standing)
        breaks = [[0, *(break_before(*both) for both in pairwise(piece.rows))] for piece in pieces]
        return (
            np.array([piece.hit for piece in pieces], dtype=np.int32),
            np.array([places[piece.hit] for piece in pieces], dtype=np.int64),
            np.array([piece.call < leading for piece in pieces], dtype=np.uint8),
            np.cumsum([0, *(len(piece.rows) for piece in pieces)], dtype=np.int64),
            np.array([row for piece in pieces for row in piece.rows], dtype=np.int32),
            np.array([one for some in breaks for one in some], dtype=np.uint8),
        )

    def _joined(self, row: int, free: int) -> int | None:
        """Put a row into the piece that it stands beside, if it fits; return what that costs, else None."""
        beside = self._beside(row)
        if not beside:
            return None
        piece = max(beside, key=lambda one: one.changed)
        before, after = self._before[row], self._after[row]
        at = next(place for place, run in enumerate(piece.runs) if run[-1] == before or run[0] == after)
        runs = [list(run) for run in piece.runs]
        if runs[at][-1] == before:
            runs[at].append(row)
            if at + 1 < len(runs) and runs[at + 1][0] == after:
                runs[at] += runs.pop(at + 1)
        else:
            runs[at].insert(0, row)
        return self._put_if_fits(piece, row, runs, free)

    def _fused(self, row: int, free: int) -> int | None:
        """Put a row that stands beside no piece into one under its heading, if it fits; return what that costs."""
        heading, may_share = self._headings[row]
        if heading < 0 or not may_share or self._beside(row):
            return None
        for piece in self._pieces:
            if self._headings[piece.hit] == self._headings[row]:
                at = next((place for place, run in enumerate(piece.runs) if run[0] > row), len(piece.runs))
                cost = self._put_if_fits(piece, row, [*piece.runs[:at], [row], *piece.runs[at:]], free)
                if cost is not None:
                    return cost
        return None

    def _label(self) -> int:
        """Return what the label of the next piece costs."""
        return self._labels[min(len(self._pieces), len(self._labels) - 1)]

    def _beside(self, row: int) -> list[_Piece]:
        near = (self._neighbour(self._before, row), self._neighbour(self._after, row))
        return [self._piece_of[one] for one in near if one in self._piece_of]

    def _neighbour(self, there: list[int], row: int) -> int:
        """Return the row before or after a row, if it stands under the same heading, else -1."""
        near = there[row]
        return near if near >= 0 and self._headings[near][0] == self._headings[row][0] else -1

    def _put_if_fits(self, piece: _Piece, row: int, runs: list[list[int]], free: int) -> int | None:
        cost = self._cost(runs) + piece.label - piece.cost
        if cost > free or self._length(runs) > self._longest:
            return None
        self._put(piece, row, runs)
        return cost

    def _put(self, piece: _Piece, row: int, runs: list[list[int]]) -> None:
        self._changes += 1
        piece.runs, piece.cost, piece.chars = runs, self._cost(runs) + piece.label, self._length(runs)
        piece.changed = self._changes
        self._piece_of[row] = piece

    def _cost(self, runs: list[list[int]]) -> int:
        first, *others = [row for run in runs for row in run]
        return self._costs[first] + sum(self._line_costs[row] for row in others) + self._gap * (len(runs) - 1)

    def _length(self, runs: list[list[int]]) -> int:
        return sum(self._chars[row] for run in runs for row in run) + 2 * (len(runs) - 1)

    def _check_links(self, row: int) -> None:
        for there, back in ((self._before, self._after), (self._after, self._before)):
            near = there[row]
            if near >= len(back) or (near >= 0 and back[near] != row):
                raise ValueError(f"a neighbour of row {row} does not point back to it")
