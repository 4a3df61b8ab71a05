"""What each kept place of a ranking was given on the way, as the contract's signals."""

from __future__ import annotations

import itertools
from functools import cached_property
from math import isnan

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Signals

from brain_core.compose.search import Ranking


class SignalReader:
    """Signals of places of one ranking."""

    def __init__(self, ranking: Ranking) -> None:
        self._ranking = ranking

    @cached_property
    def _ranks(self) -> list[dict[str, dict[int, int]]]:
        """For each query and list, the 1-based rank of its rows."""
        return [
            {name: dict(zip(rows.tolist(), itertools.count(1), strict=False)) for name, (rows, _) in one.lists.items()}
            for one in self._ranking.candidates
        ]

    def score(self, place: int) -> float:
        """Return the final score of a place, 0..1."""
        return min(float(self._ranking.scores[place]), 1.0)

    def tell(self, place: int, found: Signals) -> None:
        """Put the scores and ranks of a place, as far as they were seen, into a message."""
        ranking = self._ranking
        row, number = int(ranking.rows[place]), int(ranking.best_query[place])
        lists, ranks = ranking.candidates[number].lists, self._ranks[number]
        rank = ranks.get("exact", {}).get(row)
        if rank:
            found.fts_rank, found.fts_score = rank, lists["exact"][1][rank - 1]
        rank = ranks.get("semantic", {}).get(row)
        if rank:
            found.vector_rank, found.vector_score = rank, lists["semantic"][1][rank - 1]
        if _known(ranking.fused, place):
            found.rrf_score = ranking.fused[place]
        if _known(ranking.recency, place):
            found.rerank_score, found.recency_score = self.score(place), ranking.recency[place]


def _known(values: NDArray[np.float64], place: int) -> bool:
    return not isnan(values[place])
