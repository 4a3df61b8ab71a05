"""Hits and the messages around them, as pieces of text: an answer is worth little without its question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brain_core.index.chunks import ChunkTable
from brain_core.kernels import passages as kernel
from brain_core.store.v1.records_pb2 import CHUNK_KIND_MESSAGE
from brain_core.text.tokens import whole_tokens

_COLUMNS = ("line_cost", "before", "after", "day", "kind")


class Offer(NamedTuple):
    """A kept place of a ranking that may become evidence. why: what it is there for besides its score."""

    place: int
    row: int
    score: float
    why: str = ""


def does_not_fit(cost: int) -> str:
    """Return why a piece that costs so much is turned away. cost: hundredths of a token."""
    return f"{whole_tokens(cost)} tokens do not fit"


@dataclass(slots=True)
class Passage:
    """One piece of evidence to be: a hit, and rows in the order they were said, the hit's among them."""

    hit: Offer
    group: str
    rows: list[int]


class PieceCosts(NamedTuple):
    """What pieces cost, in hundredths of a token.

    alone: int32[n], a piece of one row; UNPRICED are some that are longer than a piece may be, until `price` of the
    row is asked, which need not be where there is no room for a piece more. gap: an ellipsis. labels: int32[m], by the
    piece's number.
    """

    alone: NDArray[np.int32]
    price: Callable[[int], int]
    gap: int
    labels: NDArray[np.int32]


Columns = tuple[
    NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]
]
"""What the kernel tells of pieces: hits, calls, costs, chars, offsets, rows."""


class Passages:
    """Pieces of evidence that grow: a row that stands beside a piece joins it, a message also one of its session.

    That stands behind an ellipsis: a line costs less than a heading. What joins none and is offered may open a new one.
    All messages of a piece are of one day, which its title tells; sections of a document have their titles within.
    most: pieces. longest: characters of a piece that more than one row may fill. cut_to: characters, by row, of those
    cut to fit; nothing joins them.
    """

    def __init__(
        self,
        chunks: ChunkTable,
        most: int,
        longest: int,
        costs: PieceCosts,
        cut_to: Mapping[int, int],
    ) -> None:
        line_costs, before, after, day, kind = map(chunks.column, _COLUMNS)
        chars = chunks.column("chars")
        if cut_to:
            chars = chars.copy()
            chars[list(cut_to)] = longest + 1
        self.cut_to = cut_to
        self._grown = kernel.Passages(
            costs.alone,
            line_costs,
            chars,
            before,
            after,
            day,
            kind,
            CHUNK_KIND_MESSAGE,
            most,
            longest,
            costs.gap,
            costs.labels,
        )
        self._costs = costs
        self._most = most
        self._uris = chunks.column("uri")
        self._offers: dict[int, Offer] = {}
        self._groups: list[str] = []
        self._known: Columns | None = None

    @property
    def too_many(self) -> str:
        """Why what would open one piece more is turned away."""
        return f"over {self._most} pieces of evidence"

    def allow(self, most: int) -> None:
        """Let there be as many as `most` pieces from now on."""
        self._most = most
        self._grown.allow(most)

    def fill(
        self, rows: NDArray[np.int32], offers: Mapping[int, Offer], free: int, group: str
    ) -> tuple[int, dict[int, str]]:
        """Take rows in order while they fit into what is free.

        rows: best first. offers: by row, those that may open a piece of their own. free: hundredths of a token. Returns
        (how many of them are taken, why by the rows of those that found no place).
        """
        may_open = np.fromiter(map(offers.__contains__, rows.tolist()), dtype=np.uint8, count=len(rows))
        self._known = None
        taken, fates = self._grown.fill(rows, may_open, free)
        self._groups.append(group)
        while len(fates) < len(rows):
            done, row = len(fates), int(rows[len(fates)])
            self._costs.alone[row] = self._costs.price(row)
            more, further = self._grown.fill(rows[done:], may_open[done:], free - taken)
            taken, fates = taken + more, np.concatenate((fates, further))
            self._groups.append(group)
        self._offers.update(offers)
        away = fates >= kernel.OVER_MOST
        return taken, self._reasons(rows[away], fates[away])

    def widen(self, free: int, allowed: NDArray[np.uint8], closed: NDArray[np.int32]) -> int:
        """Let pieces take in what stands beside them, one row on each side at a time, the first piece first.

        allowed: uint8[n], 0 leaves a row out. closed: ordinals of addresses whose rows are left out. Returns what
        they take, at most `free`, in hundredths of a token.
        """
        self._known = None
        return self._grown.widen(allowed, self._uris, closed, free)

    def hits(self) -> NDArray[np.int32]:
        """Return the row that each piece began with, in the order in which they were opened."""
        return self._pieces()[0]

    def costs(self) -> NDArray[np.int64]:
        """Return what each piece costs, in the same order."""
        return self._pieces()[2]

    def rows(self) -> NDArray[np.int32]:
        """Return the rows of all pieces."""
        return self._pieces()[5]

    def _pieces(self) -> Columns:
        if self._known is None:
            self._known = self._grown.pieces()
        return self._known

    def all(self) -> list[Passage]:
        """Return the pieces in the order in which they were opened."""
        hits, calls, _, _, offsets, rows = (column.tolist() for column in self._pieces())
        return [
            Passage(self._offers[hit], self._groups[call], rows[start:stop])
            for hit, call, start, stop in zip(hits, calls, offsets, offsets[1:], strict=False)
        ]

    def _reasons(self, rows: NDArray[np.int32], fates: NDArray[np.int8]) -> dict[int, str]:
        """Return why by the rows that were turned away. fates: of each."""
        too_many, costs = self.too_many, self._costs.alone[rows].tolist()
        told = zip(rows.tolist(), fates.tolist(), costs, strict=True)
        return {row: too_many if fate == kernel.OVER_MOST else does_not_fit(cost) for row, fate, cost in told}
