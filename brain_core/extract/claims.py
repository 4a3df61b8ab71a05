"""What the memory holds to be so, claim by claim, beside what a sentence is compared with: worked out once of each."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.alike import Marks, marks, others_than, told_of, vector
from brain_core.extract.known import Known, value_of, words_of
from brain_core.extract.vital import is_vital_item
from brain_core.extract.worth import TYPES
from brain_core.kernels.vectors import cosines, quantise
from brain_core.kinds.kind import NO_PROJECT

Rows = NDArray[np.int32]
"""int32[n]: which claims of a table."""

_SAID = ("name", "topic", "value", "content", "decision", "description", "title", "date", "due")
"""Fields in which the value of an item says something, in the order of what they say."""

_FIRST_ROWS = 64
_NO_ROWS: Rows = np.zeros(0, np.int32)
_BYTES_OF_CLAIM = 2_000  # besides its vector
_OFF = 0.004  # twice what a cosine of a vector in bytes is off, and more
_CLOSER = 64  # claims at most whose vectors are made in full to tell which of them are most like a text

_Number = TypeVar("_Number", bound=np.generic)
_Key = TypeVar("_Key")
_Held = TypeVar("_Held", list[int], "array[int]")


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
    """Claims by row, with what is compared of their texts. The row of a claim that was dropped is given to another."""

    def __init__(self, claims: Iterable[Claim] = ()) -> None:
        self._claims: list[Claim | None] = []  # None where the row is free
        self._free: list[int] = []
        self._rows_of: dict[tuple[str, str], list[int]] = {}  # by name
        self._sorts = _Sorts()
        self._sort_of = np.zeros(_FIRST_ROWS, np.int32)
        self._having: dict[str, array[int]] = {}
        self._sizes = np.zeros(_FIRST_ROWS, np.int32)
        self._packed: NDArray[np.uint8] | None = None  # vectors, as of `quantise`
        for claim in claims:
            self.add(claim)

    def __len__(self) -> int:
        return len(self._claims) - len(self._free)

    def __getitem__(self, row: int) -> Claim:
        claim = self._claims[row]
        if claim is None:
            raise IndexError(f"row {row} has no claim")
        return claim

    def rows(self) -> Rows:
        """Return all rows that have a claim."""
        return np.array([row for row, claim in enumerate(self._claims) if claim is not None], np.int32)

    @property
    def nbytes(self) -> int:
        """Bytes held, estimated."""
        return _BYTES_OF_CLAIM * len(self) + (0 if self._packed is None else self._packed.nbytes)

    def add(self, claim: Claim) -> int:
        """Take in a claim and return its row."""
        words, packed = words_of(claim.text), quantise(vector(claim.text)[None])[0]
        if self._packed is None:
            self._packed = np.zeros((_FIRST_ROWS, len(packed)), np.uint8)
        if not self._free:
            self._free.append(len(self._claims))
            self._claims.append(None)
        row = self._free.pop()
        if row == len(self._sizes):
            self._sizes, self._sort_of = _twice(self._sizes), _twice(self._sort_of)
            self._packed = _twice(self._packed)
        self._claims[row], self._sizes[row], self._packed[row] = claim, len(words), packed
        self._rows_of.setdefault(claim.name, []).append(row)
        self._sort_of[row] = self._sorts.add(marks(claim.text))
        for word in words:
            self._having.setdefault(word, array("i")).append(row)
        return row

    def restate(self, row: int, claim: Claim) -> None:
        """Put a claim of the same name and text in the place of another: that of a newer version of its item."""
        self._claims[row] = claim

    def drop(self, row: int) -> None:
        """Take a claim out. Raises IndexError where there is none."""
        claim = self[row]
        self._claims[row] = None
        self._free.append(row)
        _take_out(self._rows_of, claim.name, row)
        self._sorts.drop(marks(claim.text))
        for word in words_of(claim.text):
            _take_out(self._having, word, row)

    def not_named(self, rows: Rows, names: Collection[tuple[str, str]]) -> Rows:
        """Return those of some rows whose claims have other names."""
        named = [row for name in set(names) for row in self._rows_of.get(name, ())]
        return rows[~np.isin(rows, np.array(named, np.int32))] if named else rows

    def about(self, text: str, rows: Rows) -> Rows:
        """Return those of some rows that a sentence may be about (`alike.others_than`): of Omar where it is of Omar."""
        another = self._sorts.told(others_than(text))
        near = rows if not another.any() else rows[~another[self._sort_of[rows]]]
        who = told_of(text)
        if not who:
            return near
        return np.array([row for row in near.tolist() if who in self[row].text.lower()], np.int32)

    def nearest(self, text: str, rows: Rows, most: int) -> list[tuple[Claim, float, int]]:
        """Return those of some rows that are most like a text in meaning and words, best first.

        (claim, cosine, own): own is the count of the text's words that of these rows only this one has.
        """
        near = self.about(text, rows)
        if self._packed is None or not len(near):
            return []
        shares, own = self._shared(text, rows)
        near = near[_best(cosines(self._packed, near, vector(text)) + shares[near], most)]
        vectors = np.array([vector(self[row].text) for row in near.tolist()])
        meant = np.einsum("ij,j->i", vectors, vector(text))  # of each row the same bits, whatever others there are
        best = np.argsort(-(meant + shares[near]), kind="stable")[:most].tolist()
        return [(self[near[place]], float(meant[place]), int(own[near[place]])) for place in best]

    def _shared(self, text: str, rows: Rows) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return (float32[n], int64[n]) by row: of a text's words and a row's, what both have.

        As a share of the fewer; and how many of them no other of `rows` has.
        """
        words, size = words_of(text), len(self._claims)
        among = np.zeros(size, np.bool_)
        among[rows] = True
        lists = [held for word in words if (held := self._having.get(word)) is not None]
        having = np.frombuffer(b"".join(lists), np.intc)
        both = np.bincount(having, minlength=size)
        counted = among[having]
        of_words = np.repeat(np.arange(len(lists)), [len(each) for each in lists])[counted]
        alone = np.bincount(of_words, minlength=len(lists))[of_words] == 1
        own: NDArray[np.int64] = np.bincount(having[counted][alone], minlength=size)
        fewer = np.maximum(np.minimum(self._sizes[:size], len(words)), 1)
        shares: NDArray[np.float32] = (both / fewer).astype(np.float32)
        return shares, own


class _Sorts:
    """Ordinals of the marks that claims have; one that no claim has any more is given to others."""

    def __init__(self) -> None:
        self._ordinals: dict[Marks, int] = {}
        self._counts: list[int] = []
        self._free: list[int] = []

    def add(self, marked: Marks) -> int:
        """Count a claim more and return the ordinal of its marks."""
        ordinal = self._ordinals.get(marked)
        if ordinal is None:
            if not self._free:
                self._free.append(len(self._counts))
                self._counts.append(0)
            ordinal = self._ordinals[marked] = self._free.pop()
        self._counts[ordinal] += 1
        return ordinal

    def drop(self, marked: Marks) -> None:
        """Count a claim less."""
        ordinal = self._ordinals[marked]
        self._counts[ordinal] -= 1
        if not self._counts[ordinal]:
            del self._ordinals[marked]
            self._free.append(ordinal)

    def told(self, tell: Callable[[Marks], bool]) -> NDArray[np.bool_]:
        """Return by ordinal what is told of the marks, False of one that is free."""
        found = np.zeros(len(self._counts), np.bool_)
        for marked, ordinal in self._ordinals.items():
            found[ordinal] = tell(marked)
        return found


class _OfType(NamedTuple):
    """Claims of a type's items. by_key: each item and its rows."""

    held: Sequence[MemoryItem]
    by_key: dict[str, tuple[MemoryItem, Rows]]
    rows: Rows


class Claims:
    """The claims of a memory's items, kept from sentence to sentence. Used by one thread at a time.

    An item is known by being the same object, and nobody changes it. Of a newer version of it only those claims are
    worked out that the one before has not.
    """

    def __init__(self) -> None:
        self._table = ClaimTable()
        self._of_types: dict[str, _OfType] = {}

    @property
    def nbytes(self) -> int:
        """Bytes held, estimated."""
        return self._table.nbytes

    def of(self, known: Known) -> tuple[ClaimTable, Rows]:
        """Return a table and the rows of what is known, by type, in the order in which the items come.

        The rows are those of these claims until it is called again.
        """
        return self._table, np.concatenate([self._of_type(item_type, known.active(item_type)) for item_type in TYPES])

    def _of_type(self, item_type: str, held: Sequence[MemoryItem]) -> Rows:
        before = self._of_types.get(item_type)
        if before is not None and before.held is held:
            return before.rows
        gone = {} if before is None else before.by_key
        by_key = {item.key: self._taken_over(item, *gone.pop(item.key, (None, _NO_ROWS))) for item in held}
        for _, rows in gone.values():
            self._drop(rows.tolist())
        rows = np.concatenate([_NO_ROWS, *(of_item for _, of_item in by_key.values())])
        self._of_types[item_type] = _OfType(held, by_key, rows)
        return rows

    def _taken_over(self, item: MemoryItem, before: MemoryItem | None, rows: Rows) -> tuple[MemoryItem, Rows]:
        """Return an item and its rows. before, rows: of the version that was held, if there was one."""
        if before is item:
            return item, rows
        left: defaultdict[tuple[tuple[str, str], str], list[int]] = defaultdict(list)
        for row in rows.tolist():
            left[self._table[row].name, self._table[row].text].append(row)
        claims = list(claims_of(item))
        kept = [_one_of(left[claim.name, claim.text]) for claim in claims]
        self._drop(row for rest in left.values() for row in rest)
        return item, np.array([*map(self._entered, claims, kept)], np.int32)

    def _entered(self, claim: Claim, row: int | None) -> int:
        if row is None:
            return self._table.add(claim)
        self._table.restate(row, claim)
        return row

    def _drop(self, rows: Iterable[int]) -> None:
        for row in rows:
            self._table.drop(row)


def _one_of(rows: list[int]) -> int | None:
    return rows.pop(0) if rows else None


def _best(like: NDArray[np.float32], most: int) -> NDArray[np.intp]:
    """Return the places, ascending, of all that may be among the best, by how like they nearly are."""
    if len(like) <= most:
        return np.arange(len(like))
    worth = np.flatnonzero(like >= np.partition(like, -most)[-most] - _OFF)
    return worth if len(worth) <= _CLOSER else worth[np.sort(np.argsort(-like[worth], kind="stable")[:_CLOSER])]


def _take_out(of: dict[_Key, _Held], key: _Key, row: int) -> None:
    of[key].remove(row)
    if not of[key]:
        del of[key]


def _twice(rows: NDArray[_Number]) -> NDArray[_Number]:
    longer = np.zeros((2 * len(rows), *rows.shape[1:]), rows.dtype)
    longer[: len(rows)] = rows
    return longer
