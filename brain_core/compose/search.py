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
from brain_core.text.words import phrases, terms

Rows = NDArray[np.int32]
Scores = NDArray[np.float64]
ReadTexts = Callable[[Rows], list[str]]
"""Gives the texts of rows, for phrases."""

_NEIGHBOURS_OF = 64
_PHRASE_BATCH = 64
_MICROS_PER_DAY = 86_400_000_000.0


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


@dataclass(slots=True)
class Ranking:
    """All candidates in final order. best_query: which query scored each best. fused: joined score of the lists.

    reranked: whether a row was scored on features. over_quota: rows left out by per_mode_k.
    """

    rows: Rows
    scores: Scores
    best_query: NDArray[np.int32]
    fused: dict[int, float]
    reranked: set[int]
    recency: dict[int, float]
    over_quota: Rows
    candidates: list[Candidates] = field(default_factory=list)


def search(
    index: MemoryIndex,
    plan: RetrievalPlan,
    vectors: NDArray[np.float32],
    policy: RankingPolicy,
    now_us: int,
    read_texts: ReadTexts,
) -> Ranking:
    """Carry out a completed plan: candidates, fusion, features, one order.

    vectors: float32[queries, dimension]. now_us: the time that recency is counted from.
    """
    found = [
        _candidates(index, plan, query, vector, policy, read_texts)
        for query, vector in zip(plan.queries, vectors, strict=True)
    ]
    rows, fused = _fused(found, plan)
    if plan.ranking.rerank.enabled:
        return _reranked(index, plan, found, rows, fused, policy, now_us)
    best = np.array([_first_query(found, int(row)) for row in rows], dtype=np.int32)
    top = fused[0] if len(fused) else 1.0
    return _ordered(index, plan, found, rows, fused / top, best, dict(_pairs(rows, fused)), set(), {})


def _candidates(
    index: MemoryIndex,
    plan: RetrievalPlan,
    query: PlanQuery,
    vector: NDArray[np.float32],
    policy: RankingPolicy,
    read_texts: ReadTexts,
) -> Candidates:
    mode = mode_of(query)
    allowed, words = allowed_rows(index.chunks, [plan.global_filters, query.filters])
    lists: dict[str, tuple[Rows, Scores]] = {}
    lexical = np.zeros(len(index.chunks), dtype=np.float32)
    k = plan.budget.candidate_k
    if mode != "semantic":
        lexical = index.lexical.score(query.text, policy.bm25_k1, policy.bm25_b)
        quoted = phrases(query.text) if mode == "exact" else []
        rows = _with_phrases(lexical, allowed, quoted, k, read_texts) if quoted else top_k(lexical, allowed, k)
        lists["exact"] = (rows, lexical[rows].astype(np.float64))
    if mode != "exact" and np.any(vector):
        rows, cosines = index.vectors.search(vector, k, None if allowed.all() else allowed)
        lists["semantic"] = (rows, cosines.astype(np.float64))
    return Candidates(query, mode, lexical, vector if mode != "exact" else None, lists, words, allowed)


def _with_phrases(
    lexical: NDArray[np.float32], allowed: Mask, quoted: Sequence[str], k: int, read_texts: ReadTexts
) -> Rows:
    """Return up to k rows, best BM25 first, whose texts hold every phrase as a run of terms."""
    wanted = [run for run in (terms(phrase) for phrase in quoted) if run]
    ordered = top_k(lexical, allowed, len(lexical))
    kept: list[int] = []
    for start in range(0, len(ordered), _PHRASE_BATCH):
        batch = ordered[start : start + _PHRASE_BATCH]
        for row, text in zip(batch, read_texts(batch), strict=True):
            if all(_has_run(terms(text), run) for run in wanted):
                kept.append(int(row))
        if len(kept) >= k:
            break
    return np.array(kept[:k], dtype=np.int32)


def _has_run(words: list[str], run: list[str]) -> bool:
    return any(words[start : start + len(run)] == run for start in range(len(words) - len(run) + 1))


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


def _reranked(
    index: MemoryIndex,
    plan: RetrievalPlan,
    found: list[Candidates],
    rows: Rows,
    fused: Scores,
    policy: RankingPolicy,
    now_us: int,
) -> Ranking:
    head, tail = rows[: plan.ranking.rerank.top_n], rows[plan.ranking.rerank.top_n :]
    head = np.concatenate([head, _neighbours(index, found, rows)])
    age = (now_us - index.chunks.column("time_us")[head].astype(np.float64)) / _MICROS_PER_DAY
    scores = np.zeros(len(head), dtype=np.float64)
    best = np.zeros(len(head), dtype=np.int32)
    recency: dict[int, float] = {}
    for number, one in enumerate(found):
        matrix = _features(index, one, head, age, policy)
        values = linear(matrix, np.array([getattr(policy.weights, name) for name in NAMES]))
        values *= one.query.weight * one.allowed[head]
        better = values > scores
        scores[better], best[better] = values[better], number
        recency = dict(_pairs(head, matrix[:, NAMES.index("recency")]))
    deprecated = index.chunks.column("status")[head] == ITEM_STATUS_DEPRECATED
    scores[deprecated] *= policy.deprecated_penalty
    floor = float(scores.min()) if len(scores) else 0.0
    low = floor * fused[len(fused) - len(tail) :] / fused[0] if len(tail) else np.empty(0)
    tail_best = np.array([_first_query(found, int(row)) for row in tail], dtype=np.int32)
    return _ordered(
        index,
        plan,
        found,
        np.concatenate([head, tail]),
        np.concatenate([scores, low]),
        np.concatenate([best, tail_best]),
        dict(_pairs(rows, fused)),
        {int(row) for row in head},
        recency,
    )


def _features(
    index: MemoryIndex, one: Candidates, rows: Rows, age: Scores, policy: RankingPolicy
) -> NDArray[np.float64]:
    column = index.chunks.column
    cosine = np.zeros(len(rows), dtype=np.float64)
    if one.vector is not None:
        cosine = (index.vectors.vectors(rows) @ one.vector).astype(np.float64)
    return features(
        rows,
        one.lexical,
        cosine,
        column("before").astype(np.int32, copy=False),
        column("after").astype(np.int32, copy=False),
        column("session").astype(np.int32, copy=False),
        age,
        policy.recency_half_life_days,
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


def _ordered(
    index: MemoryIndex,
    plan: RetrievalPlan,
    found: list[Candidates],
    rows: Rows,
    scores: Scores,
    best: NDArray[np.int32],
    fused: dict[int, float],
    reranked: set[int],
    recency: dict[int, float],
) -> Ranking:
    order = np.lexsort((rows, _tie_breaker(index, plan, rows), -scores))
    rows, scores, best = rows[order], scores[order], best[order]
    quota = np.array([getattr(plan.budget.per_mode_k, one.query.mode) for one in found], dtype=np.int64)
    kept = np.zeros(len(rows), dtype=bool)
    for number in range(len(found)):
        kept[np.flatnonzero(best == number)[: quota[number]]] = True
    return Ranking(rows[kept], scores[kept], best[kept], fused, reranked, recency, rows[~kept], found)


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


def _first_query(found: Sequence[Candidates], row: int) -> int:
    for number, one in enumerate(found):
        if any(row in rows for rows, _ in one.lists.values()):
            return number
    return 0


def _pairs(rows: Rows, values: Scores) -> list[tuple[int, float]]:
    return list(zip(rows.tolist(), values.tolist(), strict=True))
