"""What `rank.rank` answers, step by step."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.bm25 import MASK_BITS
from brain_core.kernels.reference.features import Columns, check_rows, features, neighbours
from brain_core.kernels.reference.fuse import fuse
from brain_core.kernels.reference.sums import in_lanes, sum_in_order
from brain_core.kernels.reference.vectors import SCALE_BYTES, cosines

_FEATURES = 13
_RECENCY = 10  # column of the features
_SAMPLE = 256  # rows whose cosines say what is usual in a memory
_NEIGHBOURS_OF = 64  # best rows of the joined lists whose neighbours come in
_LEAST_DEVIATION, _LEAST_LENGTH = 0.03, np.float32(1e-6)


def order(rows: NDArray[np.int32], scores: NDArray[np.float64], ties: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the places of rows, best first: higher score, then lower tie, then lower row. int32[m]. A step of rank.

    rows: int32[m], each once. scores: float64[m], no NaN. ties: int64[m].
    """
    return np.lexsort((rows, ties, -scores)).astype(np.int32)


def linear(matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weighted mean of each row of features: float64[m]. A step of rank.

    matrix: float64[m, f]. weights: float64[f], ≥ 0, not all 0.
    """
    total = sum_in_order(weights)
    scores = np.zeros(len(matrix), dtype=np.float64)
    for column, weight in zip(matrix.T, weights, strict=True):
        scores += column * (weight / total)
    return scores


@dataclass(frozen=True, slots=True)
class Memory:
    """What a ranking reads of every row, until a row is added.

    columns: as in features. status: uint8[n]. packed: uint8[n, d + 4], as of `quantise`. session_places: int32[s],
    where each session's sum of vectors stands, -1 is nowhere; session_sums: float32[≥ c, d].
    """

    columns: Columns
    status: NDArray[np.uint8]
    packed: NDArray[np.uint8]
    session_places: NDArray[np.int32]
    session_sums: NDArray[np.float32]

    def __post_init__(self) -> None:
        n, d = len(self.packed), self.packed.shape[1] - SCALE_BYTES
        for name, column in [*self.columns.items(), ("status", self.status)]:
            if len(column) != n:
                raise ValueError(f"column {name} has {len(column)} entries, not {n}")
        if self.session_sums.shape[1] != d:
            raise ValueError(f"sums have {self.session_sums.shape[1]} numbers, vectors have {d}")
        for session, place in enumerate(self.session_places.tolist()):
            if place >= len(self.session_sums):
                raise ValueError(f"session {session} has no sum at {place}")


@dataclass(frozen=True, slots=True)
class Query:
    """What one query says of every row.

    words: (BM25 of every row float32[n], which of its words each has uint64[n], what each weighs float64[≤ 64], BM25 of
    every session float64[s]), which count word_trust. vector: float32[d], empty for none, which counts vector_trust.
    named: uint8[speakers], 1 where it holds the name. allowed: uint8[n], 0 where its filters leave a row out. weight:
    of the query, ≥ 0. most: rows that are kept of those that it scores best, ≥ 0.
    """

    words: tuple[NDArray[np.float32], NDArray[np.uint64], NDArray[np.float64], NDArray[np.float64]]
    word_trust: float
    vector: NDArray[np.float32]
    vector_trust: float
    named: NDArray[np.uint8]
    allowed: NDArray[np.uint8]
    weight: float
    most: int

    def __post_init__(self) -> None:
        lexical, masks, weights, _ = self.words
        if {len(masks), len(self.allowed)} != {len(lexical)}:
            raise ValueError(f"masks and allowed must have {len(lexical)} entries, one for each of lexical")
        if len(weights) > MASK_BITS:
            raise ValueError(f"weights must have at most {MASK_BITS} entries, got {len(weights)}")
        if not self.weight >= 0:
            raise ValueError(f"weight must be ≥ 0, got {self.weight}")
        if self.most < 0:
            raise ValueError(f"most must be ≥ 0, got {self.most}")


Lists = list[tuple[NDArray[np.int32], NDArray[np.float64], float, int]]
Settings = tuple[int, NDArray[np.float64], int, float, int, float, NDArray[np.int64]]


def rank(
    memory: Memory, queries: list[Query], lists: Lists, method: str, rrf_k: float, settings: Settings
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], int]:
    """Return (rows int32[m], scores float64[m], queries int32[m], joined float64[m], recency float64[m], over).

    Best first; over: how many more there are than the queries keep.

    queries: Query of each. lists: (rows int32[r], scores float64[r], weight, place of the query) of each that a query
    found, as in `fuse`. settings: (top_n, weights float64[13] of the features, deprecated status, factor on its score,
    now_us, half_life_us, ties int64[n] or empty).

    The lists are joined. The best top_n, and what stands beside the best 64 and no list has, get the best score that
    they have with a query: the weighted mean of their features times the query's weight. The rest follows below, by its
    joined score. With top_n 0 all stand by their joined score, as a share of the best. joined is NaN for what no list
    has, recency for what was not scored on features. queries: which gave the best score; of the rest, whose list comes
    first. Ties go by `ties`, then by row.
    """
    _check_ranking(memory, queries, lists, method, settings)
    top_n, weights, deprecated, factor, now_us, half_life_us, ties = settings
    listed, fused = fuse([one[:3] for one in lists], method, rrf_k)
    check_rows(listed, memory.columns["before"], memory.columns["after"], len(memory.packed))
    head, beside = listed[:top_n], _beside(memory, queries, listed) if top_n else listed[:0]
    rows = np.concatenate([head, beside, listed[top_n:]])
    scored = len(head) + len(beside)
    scores, best = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.int32)
    joined, recency = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
    joined[: len(head)], joined[scored:] = fused[: len(head)], fused[len(head) :]
    for number, query in enumerate(queries if scored else []):
        matrix = _known(memory, query, rows[:scored], now_us, half_life_us)
        found = np.where(query.allowed[rows[:scored]] != 0, linear(matrix, weights) * query.weight, 0.0)
        best[:scored] = np.where(found > scores[:scored], number, best[:scored])
        scores[:scored] = np.maximum(scores[:scored], found)
        recency[:scored] = matrix[:, _RECENCY]
    scores[:scored] *= np.where(memory.status[rows[:scored]] == deprecated, factor, 1.0)
    best[scored:] = [_first_query(lists, row) for row in rows[scored:].tolist()]
    low = float(scores[:scored].min()) if scored else 1.0
    for place in range(len(head), len(listed)):
        share = fused[place] / fused[0] if fused[0] > 0 else 1.0 / (place + 1)
        scores[len(beside) + place] = low * share
    places = order(rows, scores, ties[rows] if len(ties) else np.zeros(len(rows), dtype=np.int64))
    left = [query.most for query in queries]
    kept = []
    for place in places.tolist():
        left[best[place]] -= 1
        if left[best[place]] >= 0:
            kept.append(place)
    over = len(places) - len(kept)
    places = np.array(kept, dtype=np.int64)
    return rows[places], scores[places], best[places], joined[places], recency[places], over


def _check_ranking(memory: Memory, queries: list[Query], lists: Lists, method: str, settings: Settings) -> None:
    n = len(memory.packed)
    top_n, weights, _, _, _, half_life_us, ties = settings
    if method not in {"rrf", "weighted_sum", "none"}:
        raise ValueError(f"method must be one of ['none', 'rrf', 'weighted_sum'], got {method!r}")
    if top_n < 0:
        raise ValueError(f"top_n must be ≥ 0, got {top_n}")
    if len(weights) != _FEATURES:
        raise ValueError(f"weights must have {_FEATURES} entries, got {len(weights)}")
    for number, weight in enumerate(weights.tolist()):
        if not weight >= 0:
            raise ValueError(f"weights[{number}] must be ≥ 0, got {weight}")
    if not sum_in_order(weights) > 0:
        raise ValueError("weights must have a positive sum")
    if not half_life_us > 0:
        raise ValueError(f"half_life_us must be > 0, got {half_life_us}")
    if len(ties) not in {0, n}:
        raise ValueError(f"ties must have {n} entries or none, got {len(ties)}")
    _check_queries(memory, queries, lists)


def _check_queries(memory: Memory, queries: list[Query], lists: Lists) -> None:
    n, d = len(memory.packed), memory.packed.shape[1] - SCALE_BYTES
    for number, query in enumerate(queries):
        if len(query.allowed) != n:
            raise ValueError(f"query {number} is of {len(query.allowed)} rows, not {n}")
        if len(query.vector) not in {0, d}:
            raise ValueError(f"query {number}: vector has {len(query.vector)} numbers")
    for number, (*_, of) in enumerate(lists):
        if not 0 <= of < len(queries):
            raise IndexError(f"list {number} is of query {of}, not of one of {len(queries)}")


def _beside(memory: Memory, queries: list[Query], listed: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return what stands beside the best and some query may find."""
    allowed = np.maximum.reduce([np.zeros(len(memory.packed), np.uint8), *(query.allowed for query in queries)])
    return neighbours(listed, _NEIGHBOURS_OF, memory.columns["before"], memory.columns["after"], allowed)


def _known(
    memory: Memory, query: Query, rows: NDArray[np.int32], now_us: int, half_life_us: float
) -> NDArray[np.float64]:
    """Return the features that rows have with a query."""
    own = of_sessions = np.zeros(len(rows), dtype=np.float32)
    mean, deviation = 0.0, 1.0
    if len(query.vector):
        own = cosines(memory.packed, rows, query.vector)
        of_sessions = _of_sessions(memory, rows, own, query.vector)
        mean, deviation = _usual(memory.packed, query.vector)
    vectors = (own, of_sessions, mean, deviation)
    return features(
        rows, query.words, query.word_trust, vectors, query.vector_trust, query.named, memory.columns, now_us,
        half_life_us,
    )  # fmt: skip


def _of_sessions(
    memory: Memory, rows: NDArray[np.int32], own: NDArray[np.float32], query: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the cosine of the sum of each row's session; the row's own where there is none."""
    found = own.copy()
    for number, session in enumerate(memory.columns["session"][rows].tolist()):
        place = int(memory.session_places[session]) if 0 <= session < len(memory.session_places) else -1
        if place >= 0:
            joined = memory.session_sums[place : place + 1]
            length = max(np.sqrt(in_lanes(joined * joined)[0]), _LEAST_LENGTH)
            found[number] = in_lanes(joined * query)[0] / length
    return found


def _usual(packed: NDArray[np.uint8], query: NDArray[np.float32]) -> tuple[float, float]:
    """Return mean and deviation of the cosines of up to 256 rows spread evenly."""
    size = min(len(packed), _SAMPLE)
    found = cosines(packed, (np.arange(size) * len(packed) // size).astype(np.int32), query).tolist()
    mean = sum_in_order(found) / size
    return mean, max(math.sqrt(sum_in_order((one - mean) * (one - mean) for one in found) / size), _LEAST_DEVIATION)


def _first_query(lists: Lists, row: int) -> int:
    """Return the query of the first list that has a row."""
    return next(of for rows, _, _, of in lists if row in rows)
