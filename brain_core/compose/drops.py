"""What did not go in, and why, as the contract tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from smartbrain.v1.evidence_pb2 import Dropped

from brain_core.compose.draft import Draft
from brain_core.index.records import Records
from brain_core.kernels.reasons import dropped

SELECTION = "selection"
"""Where a candidate was dropped that came before no slot."""


class Drops(NamedTuple):
    """Rows that were dropped, and for each a place in words: (reason, detail)."""

    rows: list[int]
    reasons: list[int]
    words: tuple[tuple[str, str], ...]

    def without(self, rows: Set[int]) -> Drops:
        """Return the same but for some rows."""
        return self if rows.isdisjoint(self.rows) else self._those([row not in rows for row in self.rows])

    def unnamed(self, named: Set[str], records: Records) -> Drops:
        """Return the same but for what is named already. named: ids."""
        return self._those([each not in named for each in records.ids(self.rows)])

    def _those(self, left: list[bool]) -> Drops:
        return Drops([*compress(self.rows, left)], [*compress(self.reasons, left)], self.words)

    def counts(self) -> list[tuple[str, int]]:
        """Return (reason, how many) of each of `words` that any was dropped for."""
        told = enumerate(self.words)
        return [(reason, count) for place, (reason, _) in told if (count := self.reasons.count(place))]

    def told(self) -> list[bytes]:
        """Return why of each row, a serialised Dropped without id."""
        words = _serialised(self.words)
        return [words[reason] for reason in self.reasons]

    def serialised(self, records: Records, field: int) -> bytes:
        """Return them as messages Dropped of a repeated field of this number."""
        return dropped(records.content, records.ends, self.rows, self.told(), field)


@lru_cache(maxsize=256)
def _serialised(words: tuple[tuple[str, str], ...]) -> list[bytes]:
    """Return words (reason, detail) as messages Dropped. Nobody changes the list."""
    return [_word(reason, detail) for reason, detail in words]


@lru_cache(maxsize=1024)
def _word(reason: str, detail: str) -> bytes:
    return Dropped(reason=reason, detail=detail).SerializeToString()


def name_dropped(draft: Draft, dropped: Sequence[tuple[str, str]], reason: str, slot: str) -> None:
    """Name and count pieces that did not go in: (id, detail) of each. slot: as ContextDebug.dropped_counts says."""
    if dropped:
        draft.drop_each([Dropped(id=each, reason=reason, detail=detail) for each, detail in dropped])
        draft.count_dropped(slot, reason, len(dropped))


def name_rows(draft: Draft, details: Mapping[int, str], reason: str, slot: str) -> None:
    """As name_dropped, of rows. details: by the row."""
    if details:
        draft.drop_rows(details, [_word(reason, detail) for detail in details.values()])
        draft.count_dropped(slot, reason, len(details))


def name_alike(draft: Draft, rows: Sequence[int], detail: str, reason: str, slot: str) -> None:
    """As name_rows, of rows that one detail is told of."""
    if rows:
        draft.drop_rows(rows, [_word(reason, detail)] * len(rows))
        draft.count_dropped(slot, reason, len(rows))
