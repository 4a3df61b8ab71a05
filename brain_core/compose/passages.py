"""Hits and the messages around them, as pieces of text: an answer is worth little without its question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brain_core.index.chunks import ChunkTable
from brain_core.kernels import passages as kernel
from brain_core.store.v1.records_pb2 import CHUNK_KIND_MESSAGE
from brain_core.text.tokens import whole_tokens

_COLUMNS = ("line_cost", "before", "after", "day", "kind")


def does_not_fit(cost: int) -> str:
    """Return why a piece that costs so much is turned away. cost: hundredths of a token."""
    return f"{whole_tokens(cost)} tokens do not fit"


class Order(NamedTuple):
    """Rows int32[m] in the order in which room is given to them. may_open: uint8[m], 1 for what may open a piece."""

    rows: NDArray[np.int32]
    may_open: NDArray[np.uint8]


class Pieces(NamedTuple):
    """Pieces of evidence, best first. hits int32[p]: rows. places int64[p]: of them in the ranking. leads: uint8[p].

    Piece i has rows[offsets[i]:offsets[i + 1]], its hit among them, in the order in which they were said. offsets:
    int64[p + 1]. rows: int32[r]. breaks uint8[r]: before which further rows something is left out (1), and which begin
    another section of a document (2). What leads is top evidence.
    """

    hits: NDArray[np.int32]
    places: NDArray[np.int64]
    leads: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    rows: NDArray[np.int32]
    breaks: NDArray[np.uint8]


class PieceCosts(NamedTuple):
    """What pieces cost, in hundredths of a token.

    column: int32[n], a piece of one row. dear: by row, what others cost than the column says; UNPRICED are some that
    are longer than a piece may be, until `price` of the row is asked, which need not be where there is no room for a
    piece more. gap: an ellipsis. labels: int32[m], by the piece's number.
    """

    column: NDArray[np.int32]
    dear: dict[int, int]
    price: Callable[[int], int]
    gap: int
    labels: NDArray[np.int32]

    def of(self, row: int) -> int:
        """Return what a piece of a row costs, which is priced now if it was not."""
        known = self.dear.get(row)
        if known is None:
            return int(self.column[row])
        if known == kernel.UNPRICED:
            known = self.dear[row] = self.price(row)
        return known


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
            costs.column,
            costs.dear,
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
        self._uris, self._sections = chunks.column("uri"), chunks.column("section")
        self._calls = self._leading = 0
        self._known: Columns | None = None

    @property
    def too_many(self) -> str:
        """Why what would open one piece more is turned away."""
        return f"over {self._most} pieces of evidence"

    def allow(self, most: int) -> None:
        """Let there be as many as `most` pieces from now on."""
        self._most = most
        self._grown.allow(most)

    def fill(self, order: Order, free: int, *, leads: bool) -> tuple[int, dict[int, int]]:
        """Take rows in order while they fit into what is free.

        free: hundredths of a token. leads: whether what is opened is top evidence; what is not comes after all that is.
        Returns (how many of them are taken, fates by the rows of those that found no place: OVER_MOST or DOES_NOT_FIT).
        """
        rows, may_open = order
        self._known = None
        taken, fates = self._grown.fill(rows, may_open, free, self._costs.of)
        self._calls += 1
        if leads:
            self._leading = self._calls
        return taken, kernel.turned_away(rows, fates)

    def widen(self, free: int, allowed: NDArray[np.uint8], closed: NDArray[np.int32]) -> int:
        """Let pieces take in what stands beside them, one row on each side at a time, the first piece first.

        allowed: uint8[n], 0 leaves a row out. closed: ordinals of addresses whose rows are left out. Returns what
        they take, at most `free`, in hundredths of a token.
        """
        self._known = None
        return self._grown.widen(allowed, self._uris, closed, free)

    def __len__(self) -> int:
        return len(self._grown)

    def __contains__(self, row: object) -> bool:
        return row in self._grown

    def has(self, masks: NDArray[np.uint64], bits: int) -> bool:
        """Return whether some row of a piece has one of the bits in its mask. masks: uint64[n], by row."""
        return self._grown.has(masks, bits)

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

    def best_first(self, ranked: NDArray[np.int32], scores: NDArray[np.float64]) -> Pieces:
        """Return the pieces as a package has them. ranked: rows of a ranking int32[k]. scores: float64[k]."""
        return Pieces(*self._grown.best_first(ranked, scores, self._leading, self._sections))

    def does_not_fit(self, row: int) -> str:
        """Return why a row was turned away that there is no room for."""
        return does_not_fit(self._costs.of(row))
