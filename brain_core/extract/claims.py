"""What the memory holds to be so, claim by claim, beside what a sentence is compared with: worked out once of each."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.alike import Marks, marks, others_than, told_of, vector
from brain_core.extract.known import Known, value_of, words_of
from brain_core.extract.vital import is_vital_item
from brain_core.extract.worth import TYPES
from brain_core.kinds.kind import NO_PROJECT

Rows = NDArray[np.int32]
"""int32[n]: which claims of a table."""

_SAID = ("name", "topic", "value", "content", "decision", "description", "title", "date", "due")
"""Fields in which the value of an item says something, in the order of what they say."""

_FIRST_ROWS = 64
_NO_ROWS: Rows = np.zeros(0, np.int32)
_SPARE_ROWS = 512  # of claims that are held no more, besides as many as are
_BYTES_OF_CLAIM = 2_000  # besides its vector


@dataclass(frozen=True)
class Claim:
    """Something that the memory holds to be so. fact: of a profile, which has many. text: what is said of it."""

    item: MemoryItem
    fact: dict[str, Any] | None
    text: str

    @property
    def name(self) -> tuple[str, str]:
        """Its type, and its key or that of the fact."""
        return self.item.type, self.item.key if self.fact is None else str(self.fact["k"])

    @cached_property
    def is_vital(self) -> bool:
        """Whether it is about what somebody must, or must not, be given."""
        return is_vital_item(self.item, self.fact)


def claims_of(item: MemoryItem) -> Iterator[Claim]:
    """Yield what an item claims, a profile fact by fact; nothing of a project, which callers name and no sentence."""
    value = value_of(item)
    if item.type == "profile":
        for fact in value.get("facts", ()):
            yield Claim(item, fact, f"{str(fact['k']).replace('_', ' ')} {fact['v']}")
    elif value.get("project", NO_PROJECT) == NO_PROJECT:
        yield Claim(item, None, " ".join(str(value[name]) for name in _SAID if name in value))


class ClaimTable:
    """Claims by row, with what is compared of their texts."""

    def __init__(self, claims: Iterable[Claim] = ()) -> None:
        self._claims: list[Claim] = []
        self._rows_of: dict[tuple[str, str], list[int]] = {}  # by name
        self._sorts: dict[Marks, int] = {}
        self._sort_of = np.zeros(_FIRST_ROWS, np.int32)
        self._having: dict[str, array[int]] = {}
        self._sizes = np.zeros(_FIRST_ROWS, np.int32)
        self._vectors: NDArray[np.float32] | None = None
        for claim in claims:
            self.add(claim)

    def __len__(self) -> int:
        return len(self._claims)

    def __getitem__(self, row: int) -> Claim:
        return self._claims[row]

    def rows(self) -> Rows:
        """Return all rows."""
        return np.arange(len(self), dtype=np.int32)

    @property
    def nbytes(self) -> int:
        """Bytes held, estimated."""
        return _BYTES_OF_CLAIM * len(self) + (0 if self._vectors is None else self._vectors.nbytes)

    def add(self, claim: Claim) -> int:
        """Append a claim and return its row."""
        row, words, meaning, marked = len(self), words_of(claim.text), vector(claim.text), marks(claim.text)
        if self._vectors is None:
            self._vectors = np.zeros((_FIRST_ROWS, len(meaning)), np.float32)
        if row == len(self._sizes):
            self._sizes = np.concatenate([self._sizes, np.zeros_like(self._sizes)])
            self._sort_of = np.concatenate([self._sort_of, np.zeros_like(self._sort_of)])
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        self._sizes[row], self._vectors[row] = len(words), meaning
        self._claims.append(claim)
        self._rows_of.setdefault(claim.name, []).append(row)
        self._sort_of[row] = self._sorts.setdefault(marked, len(self._sorts))
        for word in words:
            self._having.setdefault(word, array("i")).append(row)
        return row

    def not_named(self, rows: Rows, names: Collection[tuple[str, str]]) -> Rows:
        """Return those of some rows whose claims have other names."""
        named = [row for name in set(names) for row in self._rows_of.get(name, ())]
        return rows[~np.isin(rows, np.array(named, np.int32))] if named else rows

    def about(self, text: str, rows: Rows) -> Rows:
        """Return those of some rows that a sentence may be about (`alike.others_than`): of Omar where it is of Omar."""
        another = np.array([*map(others_than(text), self._sorts)], np.bool_)
        near = rows if not another.any() else rows[~another[self._sort_of[rows]]]
        who = told_of(text)
        if not who:
            return near
        return np.array([row for row in near.tolist() if who in self._claims[row].text.lower()], np.int32)

    def nearest(self, text: str, rows: Rows, most: int) -> list[tuple[Claim, float, int]]:
        """Return those of some rows that are most like a text in meaning and words, best first.

        (claim, cosine, own): own is the count of the text's words that of these rows only this one has.
        """
        near = self.about(text, rows)
        if self._vectors is None or not len(near):
            return []
        cosines = self._vectors[near] @ vector(text)
        shares, own = self._shared(text, rows)
        like = cosines + shares[near]
        best = np.argsort(-like, kind="stable")[:most].tolist()
        return [(self._claims[near[place]], float(cosines[place]), int(own[near[place]])) for place in best]

    def _shared(self, text: str, rows: Rows) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return (float32[len(self)], int64[len(self)]): of a text's words and a row's, what both have.

        As a share of the fewer; and how many of them no other of `rows` has.
        """
        words = words_of(text)
        among = np.zeros(len(self), np.bool_)
        among[rows] = True
        lists = [held for word in words if (held := self._having.get(word)) is not None]
        having = np.frombuffer(b"".join(lists), np.intc)
        both = np.bincount(having, minlength=len(self))
        counted = among[having]
        of_words = np.repeat(np.arange(len(lists)), [len(each) for each in lists])[counted]
        alone = np.bincount(of_words, minlength=len(lists))[of_words] == 1
        own: NDArray[np.int64] = np.bincount(having[counted][alone], minlength=len(self))
        fewer = np.maximum(np.minimum(self._sizes[: len(self)], len(words)), 1)
        shares: NDArray[np.float32] = (both / fewer).astype(np.float32)
        return shares, own


class Claims:
    """The claims of a memory's items, kept from sentence to sentence. Used by one thread at a time.

    An item is known by being the same object, and nobody changes it.
    """

    def __init__(self) -> None:
        self._anew()

    def _anew(self) -> None:
        self._table = ClaimTable()
        self._of_items: dict[int, tuple[MemoryItem, list[int]]] = {}
        self._of_types: dict[str, tuple[Sequence[MemoryItem], Rows]] = {}

    @property
    def nbytes(self) -> int:
        """Bytes held, estimated."""
        return self._table.nbytes

    def of(self, known: Known) -> tuple[ClaimTable, Rows]:
        """Return a table and the rows of what is known, by type, in the order in which the items come."""
        rows = np.concatenate([self._of_type(item_type, known.active(item_type)) for item_type in TYPES])
        if len(self._of_items) > 2 * sum(len(held) for held, _ in self._of_types.values()) + _SPARE_ROWS:
            self._anew()
            return self.of(known)
        return self._table, rows

    def _of_type(self, item_type: str, held: Sequence[MemoryItem]) -> Rows:
        before, rows = self._of_types.get(item_type, (None, _NO_ROWS))
        if before is not held:
            of_items = self._of_items
            each = (of_items.get(id(item)) or self._added(item) for item in held)
            rows = np.array([row for _, of_item in each for row in of_item], np.int32)
            self._of_types[item_type] = held, rows
        return rows

    def _added(self, item: MemoryItem) -> tuple[MemoryItem, list[int]]:
        added = self._of_items[id(item)] = item, [self._table.add(claim) for claim in claims_of(item)]
        return added
