"""What kept places of a ranking were given on the way, as the contract's signals."""

from __future__ import annotations

from math import isnan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Signals

from brain_core.compose.search import Ranking
from brain_core.index.derive import line
from brain_core.index.records import Records
from brain_core.kernels.wire import RANKS, SIGNALS, told

_LISTS = {"semantic": 0, "exact": 1}  # columns of ranks and of scores


class Told(NamedTuple):
    """Of m places: ranks int32[m, 2], columns as in RANKS, 0 is none; scores float64[m, 5] as in SIGNALS, NaN is none.

    final: float64[m], 0..1.
    """

    ranks: NDArray[np.int32]
    scores: NDArray[np.float64]
    final: NDArray[np.float64]

    def tell(self, number: int, found: Signals) -> None:
        """Put the scores and ranks of the place of this number, as far as there are some, into a message."""
        for name, rank in zip(RANKS, self.ranks[number].tolist(), strict=True):
            if rank:
                setattr(found, name, rank)
        for name, score in zip(SIGNALS, self.scores[number].tolist(), strict=True):
            if not isnan(score):
                setattr(found, name, score)


def read_signals(ranking: Ranking, places: NDArray[np.int64]) -> Told:
    """Return what places of a ranking were given."""
    lists = [
        (query, column, *one.lists[name])
        for query, one in enumerate(ranking.candidates)
        for name, column in _LISTS.items()
        if name in one.lists
    ]
    given = (ranking.rows, ranking.scores, ranking.best_query, ranking.fused, ranking.recency)
    return Told(*told(*given, places, lists))


def relation_of(ranking: Ranking, query: int, place: int, records: Records) -> str:
    """Return in words how a place of a ranking is related to the query it is of; "" if by its own words."""
    one = ranking.candidates[query]
    if one.kin is not None:
        return one.kin.words(int(ranking.rows[place]), records)
    if one.added is not None:
        [evidence] = records.read([int(ranking.rows[place])])
        return one.added.words(line(evidence))
    return ""
