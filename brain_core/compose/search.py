"""Candidates by mode, then one order. Only rows and numbers flow here; no text is read but to check a phrase."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.item_pb2 import ITEM_STATUS_DEPRECATED
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan

from brain_core.compose.filters import Mask, allowed_rows
from brain_core.compose.plan import mode_of
from brain_core.index.chunks import NONE
from brain_core.index.memory_index import MemoryIndex
from brain_core.kernels.bm25 import top_k
from brain_core.kernels.features import NAMES, features
from brain_core.kernels.fuse import fuse
from brain_core.kernels.ranker import linear
from brain_core.policy import Ranking as RankingPolicy
from brain_core.text.words import Phrase, phrases

Rows = NDArray[np.int32]
Scores = NDArray[np.float64]
ReadTexts = Callable[[Rows], list[str]]
"""Gives the texts of rows, for phrases."""

_NEIGHBOURS_OF = 64
_PHRASE_BATCH = 64
_MICROS_PER_DAY = 86_400_000_000.0


@dataclass(frozen=True, slots=True)
class Question:
    """A completed plan over an index. now_us: the time that recency is counted from."""

    index: MemoryIndex
    plan: RetrievalPlan
    policy: RankingPolicy
    now_us: int
    read_texts: ReadTexts


@dataclass(slots=True)
class Candidates:
    """What one query found. Lists are best first; `lexical` is BM25 of every row, zeros where it was not asked."""

    query: PlanQuery
    mode: str
    lexical: NDArray[np.float32]
    vector: NDArray[np.float32] | None
    lists: dict[str, tuple[Rows, Scores]]
    filters: list[str]
    allowed: Mask

    def ranks(self) -> dict[str, dict[int, int]]:
        """Return for each list the 0-based rank of its rows."""
        return {name: {row: rank for rank, row in enumerate(rows.tolist())} for name, (rows, _) in self.lists.items()}


@dataclass(slots=True)
class Ranking:
    """All candidates in final order. best_query: which query scored each best. fused: joined score of the lists.

    over_quota: rows left out by per_mode_k. reranked: rows scored on features. recency: of those.
    """

    rows: Rows
    scores: Scores
    best_query: NDArray[np.int32]
    fused: dict[int, float]
    over_quota: Rows
    candidates: list[Candidates]
    reranked: set[int] = field(default_factory=set)
    recency: dict[int, float] = field(default_factory=dict)


def search(question: Question, vectors: NDArray[np.float32]) -> Ranking:
    """Carry out a plan: candidates, fusion, features, one order. vectors: float32[queries, dimension]."""
    plan = question.plan
    found = [_candidates(question, query, vector) for query, vector in zip(plan.queries, vectors, strict=True)]
    rows, fused = _fused(found, plan)
    if plan.ranking.rerank.enabled:
        return _reranked(question, found, rows, fused)
    scored = _Scored(rows, _shares(fused), _first_query(found, rows))
    return _ordered(question, found, scored, dict(_pairs(rows, fused)))


def _candidates(question: Question, query: PlanQuery, vector: NDArray[np.float32]) -> Candidates:
    index, plan, policy = question.index, question.plan, question.policy
    mode = mode_of(query)
    allowed, words = allowed_rows(index.chunks, [plan.global_filters, query.filters])
    lists: dict[str, tuple[Rows, Scores]] = {}
    lexical = np.zeros(len(index.chunks), dtype=np.float32)
    k = plan.budget.candidate_k
    if mode != "semantic":
        lexical = index.lexical.score(query.text, policy.bm25_k1, policy.bm25_b)
        quoted = phrases(query.text) if mode == "exact" else []
        rows = _with_phrases(lexical, allowed, quoted, k, question.read_texts) if quoted else top_k(lexical, allowed, k)
        if mode == "exact":  # a neighbour without the words is no answer to this query
            allowed = np.zeros_like(allowed)
            allowed[rows] = 1
        lists["exact"] = (rows, lexical[rows].astype(np.float64))
    if mode != "exact" and np.any(vector):
        rows, cosines = index.vectors.search(vector, k, None if allowed.all() else allowed)
        lists["semantic"] = (rows, cosines.astype(np.float64))
    return Candidates(query, mode, lexical, vector if mode != "exact" else None, lists, words, allowed)


def _with_phrases(
    lexical: NDArray[np.float32], allowed: Mask, quoted: Sequence[str], k: int, read_texts: ReadTexts
) -> Rows:
    """Return up to k rows, best BM25 first, whose texts hold every phrase."""
    wanted = [Phrase(one) for one in quoted]
    ordered = top_k(lexical, allowed, len(lexical))
    kept: list[int] = []
    for start in range(0, len(ordered), _PHRASE_BATCH):
        batch = ordered[start : start + _PHRASE_BATCH]
        for row, text in zip(batch, read_texts(batch), strict=True):
            if all(phrase.is_in(text) for phrase in wanted):
                kept.append(int(row))
        if len(kept) >= k:
            break
    return np.array(kept[:k], dtype=np.int32)


def _fused(found: Sequence[Candidates], plan: RetrievalPlan) -> tuple[Rows, Scores]:
    lists, weights = [], []
    for one in found:
        for name, pair in one.lists.items():
            lists.append(pair)
            weights.append(one.query.weight * plan.ranking.fusion.weights.get(name, 1.0))
    rows = np.concatenate([rows for rows, _ in lists]) if lists else np.empty(0, dtype=np.int32)
    scores = np.concatenate([scores for _, scores in lists]) if lists else np.empty(0)
    offsets = np.cumsum([0, *(len(rows) for rows, _ in lists)], dtype=np.int64)
    fusion = plan.ranking.fusion
    return fuse(rows, scores, offsets, np.array(weights, dtype=np.float64), fusion.method, float(fusion.rrf_k))


@dataclass(frozen=True, slots=True)
class _Scored:
    """Rows with their scores and the query that scored each best, in no order yet."""

    rows: Rows
    scores: Scores
    best_query: NDArray[np.int32]


def _reranked(question: Question, found: list[Candidates], rows: Rows, fused: Scores) -> Ranking:
    """Score the head of the fused list on features; the tail follows in its own order."""
    index, top_n = question.index, question.plan.ranking.rerank.top_n
    head, tail = rows[:top_n], rows[top_n:]
    head = np.concatenate([head, _neighbours(index, found, rows)])
    scores, best, recency = _scored_on_features(question, found, head)
    floor = float(scores.min()) if len(scores) else 0.0
    low = floor * _shares(fused)[len(fused) - len(tail) :]
    scored = _Scored(
        np.concatenate([head, tail]),
        np.concatenate([scores, low]),
        np.concatenate([best, _first_query(found, tail)]),
    )
    ranking = _ordered(question, found, scored, dict(_pairs(rows, fused)))
    ranking.reranked = set(head.tolist())
    ranking.recency = dict(_pairs(head, recency))
    return ranking


def _scored_on_features(
    question: Question, found: list[Candidates], rows: Rows
) -> tuple[Scores, NDArray[np.int32], Scores]:
    """Return (best weighted score over the queries, the query it is of, recency) of each row."""
    chunks, policy = question.index.chunks, question.policy
    weights = np.array([getattr(policy.weights, name) for name in NAMES])
    age = (question.now_us - chunks.column("time_us")[rows].astype(np.float64)) / _MICROS_PER_DAY
    scores, best = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.int32)
    recency = np.zeros(len(rows))
    vectors = question.index.vectors.vectors(rows)
    for number, one in enumerate(found):
        matrix = _features(question, one, rows, vectors, age)
        values = linear(matrix, weights) * one.query.weight * one.allowed[rows]
        better = values > scores
        scores[better], best[better] = values[better], number
        recency = matrix[:, NAMES.index("recency")]
    scores[chunks.column("status")[rows] == ITEM_STATUS_DEPRECATED] *= policy.deprecated_penalty
    return scores, best, recency


def _features(
    question: Question, one: Candidates, rows: Rows, vectors: NDArray[np.float32], age: Scores
) -> NDArray[np.float64]:
    column = question.index.chunks.column
    cosine = np.zeros(len(rows), dtype=np.float64)
    if one.vector is not None:
        cosine = (vectors @ one.vector).astype(np.float64)
    return features(
        rows,
        one.lexical,
        cosine,
        column("before"),
        column("after"),
        column("session"),
        age,
        question.policy.recency_half_life_days,
        column("priority")[rows].astype(np.float64),
        column("confidence")[rows].astype(np.float64),
    )


def _neighbours(index: MemoryIndex, found: list[Candidates], rows: Rows) -> Rows:
    """Return the allowed neighbours of the best rows that no list found: an answer often follows its question."""
    best = rows[:_NEIGHBOURS_OF]
    column = index.chunks.column
    near = np.unique(np.concatenate([column("before")[best], column("after")[best]]).astype(np.int32))
    near = near[near != NONE]
    allowed = np.zeros(len(near), dtype=bool)
    for one in found:
        allowed |= one.allowed[near].astype(bool)
    return np.setdiff1d(near[allowed], rows).astype(np.int32)


def _ordered(question: Question, found: list[Candidates], scored: _Scored, fused: dict[int, float]) -> Ranking:
    """Sort, break ties, and keep of each query what its mode may bring."""
    ties = _tie_breaker(question.index, question.plan, scored.rows)
    order = np.lexsort((scored.rows, ties, -scored.scores))
    rows, scores, best = scored.rows[order], scored.scores[order], scored.best_query[order]
    kept = np.zeros(len(rows), dtype=bool)
    for number, one in enumerate(found):
        quota = getattr(question.plan.budget.per_mode_k, one.query.mode)
        kept[np.flatnonzero(best == number)[:quota]] = True
    return Ranking(rows[kept], scores[kept], best[kept], fused, rows[~kept], found)


def _tie_breaker(index: MemoryIndex, plan: RetrievalPlan, rows: Rows) -> NDArray[np.int64]:
    if plan.ranking.tie_breaker == "recency":
        return -index.chunks.column("time_us")[rows].astype(np.int64)
    if plan.ranking.tie_breaker == "source_priority":
        names = index.chunks.names["source_type"].all()
        wanted = plan.ranking.source_priority
        last = max(wanted.values(), default=0) + 1
        memory = wanted.get("memory", last)
        ranks = np.array([wanted.get(name, memory) for name in names] or [last], dtype=np.int64)
        return ranks[index.chunks.column("source_type")[rows].astype(np.int64)]
    return np.zeros(len(rows), dtype=np.int64)


def _shares(fused: Scores) -> Scores:
    """Return joined scores as shares of the best one, or 1 / rank where even the best is not above 0: best first."""
    shares: Scores = 1.0 / np.arange(1, len(fused) + 1)
    if len(fused) and fused[0] > 0:
        shares = fused / fused[0]
    return shares


def _first_query(found: Sequence[Candidates], rows: Rows) -> NDArray[np.int32]:
    """Return for each row the first query that has it in a list."""
    first = np.zeros(len(rows), dtype=np.int32)
    if len(found) == 1:
        return first
    for number in range(len(found) - 1, -1, -1):
        for listed, _ in found[number].lists.values():
            first[np.isin(rows, listed)] = number
    return first


def _pairs(rows: Rows, values: Scores) -> list[tuple[int, float]]:
    return list(zip(rows.tolist(), values.tolist(), strict=True))
