"""What did not go in, and why, as the contract tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Dropped

from brain_core.compose.draft import Draft
from brain_core.index.records import Records
from brain_core.kernels.reasons import dropped

SELECTION = "selection"
"""Where a candidate was dropped that came before no slot."""


class Drops(NamedTuple):
    """Rows int32[m] that were dropped, and for each a place int32[m] in words: (reason, detail)."""

    rows: NDArray[np.int32]
    reasons: NDArray[np.int32]
    words: tuple[tuple[str, str], ...]

    def without(self, rows: frozenset[int] | set[int]) -> Drops:
        """Return the same but for some rows."""
        own = self.rows.tolist()
        return self if rows.isdisjoint(own) else self._those([row not in rows for row in own])

    def unnamed(self, named: Set[str], records: Records) -> Drops:
        """Return the same but for what is named already. named: ids."""
        return self._those([each not in named for each in records.ids(self.rows.tolist())])

    def _those(self, left: list[bool]) -> Drops:
        return self if all(left) else Drops(self.rows[left], self.reasons[left], self.words)

    def counts(self) -> list[tuple[str, int]]:
        """Return (reason, how many) of each of `words` that any was dropped for."""
        counts = Counter(self.reasons.tolist())
        return [(self.words[place][0], counts[place]) for place in sorted(counts)]

    def told(self) -> list[bytes]:
        """Return why of each row, a serialised Dropped without id."""
        words = _serialised(self.words)
        return [words[reason] for reason in self.reasons.tolist()]

    def serialised(self, records: Records, field: int) -> bytes:
        """Return them as messages Dropped of a repeated field of this number."""
        return dropped(records.content, records.ends, self.rows, self.reasons, _serialised(self.words), field)


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
