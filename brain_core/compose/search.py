"""Candidates by mode, then one order. Only rows and numbers flow here; no text is read but to check a phrase."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.item_pb2 import ITEM_STATUS_DEPRECATED
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan

from brain_core.compose.filters import Allowed, allowed_rows
from brain_core.compose.plan import mode_of
from brain_core.index.lexical import LexicalScores, no_scores
from brain_core.index.memory_index import MemoryIndex
from brain_core.kernels.bm25 import top_k
from brain_core.kernels.features import NAMES, features, neighbours
from brain_core.kernels.fuse import fuse, order
from brain_core.kernels.ranker import linear
from brain_core.policy import Ranking as RankingPolicy
from brain_core.text.language import has_han
from brain_core.text.words import Phrase, phrases

Rows = NDArray[np.int32]
Scores = NDArray[np.float64]
ReadTexts = Callable[[Rows], list[str]]
"""Gives the texts of rows, for phrases."""

_NEIGHBOURS_OF = 64
_PHRASE_BATCH = 64
_MICROS_PER_DAY = 86_400_000_000.0
_RECENCY = NAMES.index("recency")
_COLUMNS = (
    "before", "after", "start", "session", "speaker", "chars", "assistant", "first_person", "time_us", "priority",
    "confidence",
)  # fmt: skip
_SAMPLE = 256  # rows whose cosines say what is usual in a memory
_LEAST_DEVIATION = 0.03


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
    """What one query found. Lists are best first; `lexical` is blank where words were not asked for."""

    query: PlanQuery
    mode: str
    lexical: LexicalScores
    vector: NDArray[np.float32] | None
    lists: dict[str, tuple[Rows, Scores]]
    allowed: Allowed


@dataclass(slots=True)
class Ranking:
    """All candidates in final order, with what each was given on the way; NaN where it was given nothing.

    best_query: which query scored each best. fused: joined score of the lists. recency: of those scored on features.
    over_quota: rows left out by per_mode_k.
    """

    rows: Rows
    scores: Scores
    best_query: NDArray[np.int32]
    fused: Scores
    recency: Scores
    over_quota: Rows
    candidates: list[Candidates]


def search(question: Question, vectors: NDArray[np.float32]) -> Ranking:
    """Carry out a plan: candidates, fusion, features, one order. vectors: float32[queries, dimension]."""
    plan = question.plan
    found = [_candidates(question, query, vector) for query, vector in zip(plan.queries, vectors, strict=True)]
    rows, fused = _fused(found, plan)
    if plan.ranking.rerank.enabled:
        return _ordered(question, found, _reranked(question, found, rows, fused))
    nothing = np.full(len(rows), np.nan)
    return _ordered(question, found, _Scored(rows, _shares(fused), _first_query(found, rows), fused, nothing))


def _candidates(question: Question, query: PlanQuery, vector: NDArray[np.float32]) -> Candidates:
    index, plan, policy = question.index, question.plan, question.policy
    mode = mode_of(query)
    allowed = allowed_rows(index.chunks, [plan.global_filters, query.filters])
    lists: dict[str, tuple[Rows, Scores]] = {}
    k = plan.budget.candidate_k
    if mode == "semantic":
        lexical = no_scores(len(index.chunks))
    else:
        lexical = index.lexical.score(query.text, policy.bm25_k1, policy.bm25_b, policy.session_bm25_k1)
        bm25 = lexical.rows
        quoted = phrases(query.text) if mode == "exact" else []
        mask = allowed.mask
        rows = _with_phrases(bm25, allowed, quoted, k, question.read_texts) if quoted else top_k(bm25, mask, k)
        if mode == "exact":  # a neighbour without the words is no answer to this query
            allowed = allowed.only(rows)
        lists["exact"] = (rows, bm25[rows].astype(np.float64))
    if mode != "exact" and vector.any():
        rows, cosines = index.vectors.search(vector, k, allowed.mask, allowed.count)
        lists["semantic"] = (rows, cosines.astype(np.float64))
    return Candidates(query, mode, lexical, vector if mode != "exact" else None, lists, allowed)


def _with_phrases(
    lexical: NDArray[np.float32], allowed: Allowed, quoted: Sequence[str], k: int, read_texts: ReadTexts
) -> Rows:
    """Return up to k rows, best BM25 first, whose texts hold every phrase."""
    wanted = [Phrase(one) for one in quoted]
    ordered = top_k(lexical, allowed.mask, len(lexical))
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
    if not lists:
        return np.empty(0, dtype=np.int32), np.empty(0)
    rows = np.concatenate([rows for rows, _ in lists])
    scores = np.concatenate([scores for _, scores in lists])
    offsets = np.cumsum([0, *(len(rows) for rows, _ in lists)], dtype=np.int64)
    fusion = plan.ranking.fusion
    return fuse(rows, scores, offsets, np.array(weights, dtype=np.float64), fusion.method, float(fusion.rrf_k))


@dataclass(frozen=True, slots=True)
class _Scored:
    """Rows in no order yet; otherwise as in Ranking."""

    rows: Rows
    scores: Scores
    best_query: NDArray[np.int32]
    fused: Scores
    recency: Scores


def _reranked(question: Question, found: list[Candidates], rows: Rows, fused: Scores) -> _Scored:
    """Score the head of the fused list, and what stands beside it, on features; the tail follows in its own order.

    An answer often follows its question, so neighbours that no list has may come in.
    """
    column, top_n = question.index.chunks.column, question.plan.ranking.rerank.top_n
    near = neighbours(rows, _NEIGHBOURS_OF, column("before"), column("after"), allowed_by_any(found))
    tail = rows[top_n:]
    head = np.concatenate([rows[:top_n], near])
    scores, best, recency = _scored_on_features(question, found, head)
    if not len(tail):
        return _Scored(head, scores, best, _then(fused, len(near)), recency)
    low = float(scores.min()) * _shares(fused)[top_n:]
    return _Scored(
        np.concatenate([head, tail]),
        np.concatenate([scores, low]),
        np.concatenate([best, _first_query(found, tail)]),
        np.concatenate([_then(fused[:top_n], len(near)), fused[top_n:]]),
        _then(recency, len(tail)),
    )


def _then(values: Scores, nothing: int) -> Scores:
    return np.concatenate([values, np.full(nothing, np.nan)])


def allowed_by_any(found: Sequence[Candidates]) -> NDArray[np.uint8]:
    """Return uint8[n]: 1 where the filters of at least one query hold."""
    allowed = found[0].allowed.mask
    for one in found[1:]:
        allowed = allowed | one.allowed.mask
    return allowed


def _scored_on_features(
    question: Question, found: list[Candidates], rows: Rows
) -> tuple[Scores, NDArray[np.int32], Scores]:
    """Return (best weighted score over the queries, the query it is of, recency) of each row."""
    weights = np.array([getattr(question.policy.weights, name) for name in NAMES])
    scores, best = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.int32)
    recency = scores
    for number, one in enumerate(found):
        matrix = _features(question, one, rows)
        values = linear(matrix, weights) * one.query.weight * one.allowed.mask[rows]
        better = values > scores
        scores[better], best[better] = values[better], number
        recency = matrix[:, _RECENCY]
    scores[question.index.chunks.column("status")[rows] == ITEM_STATUS_DEPRECATED] *= question.policy.deprecated_penalty
    return scores, best, recency


def _features(question: Question, one: Candidates, rows: Rows) -> Scores:
    index, policy, lexical = question.index, question.policy, one.lexical
    han = has_han(one.query.text)
    return features(
        rows,
        (lexical.rows, lexical.masks, lexical.weights, lexical.sessions),
        min(1.0, lexical.known / policy.words_known),
        _cosines(index, one.vector, rows),
        policy.han_semantic if han else 1.0,
        index.speakers.named_in(lexical.words),
        {name: index.chunks.column(name) for name in _COLUMNS},
        question.now_us,
        policy.recency_half_life_days * _MICROS_PER_DAY,
    )


def _cosines(
    index: MemoryIndex, vector: NDArray[np.float32] | None, rows: Rows
) -> tuple[NDArray[np.float32], NDArray[np.float32], float, float]:
    """Return the cosines of rows and of their sessions, and what is usual in the memory: mean and deviation."""
    if vector is None or not len(rows):
        nothing = np.zeros(len(rows), dtype=np.float32)
        return nothing, nothing, 0.0, 1.0
    own = index.vectors.cosines(rows, vector)
    of_sessions = index.sessions.cosines(index.chunks.column("session")[rows], own, vector)
    usual = index.vectors.cosines(_evenly(len(index.chunks), _SAMPLE), vector)
    return own, of_sessions, float(usual.mean()), max(float(usual.std()), _LEAST_DEVIATION)


def _evenly(size: int, most: int) -> Rows:
    """Return up to `most` rows of a memory, evenly spaced."""
    places = np.arange(size) if size <= most else np.arange(most) * size // most
    return places.astype(np.int32)


def _ordered(question: Question, found: list[Candidates], scored: _Scored) -> Ranking:
    """Sort, break ties, and keep of each query what its mode may bring."""
    places = order(scored.rows, scored.scores, _tie_breaker(question.index, question.plan, scored.rows))
    best = scored.best_query[places]
    kept, over = _within_quotas(question.plan, found, places, best)
    return Ranking(
        scored.rows[kept],
        scored.scores[kept],
        scored.best_query[kept],
        scored.fused[kept],
        scored.recency[kept],
        scored.rows[over],
        found,
    )


def _within_quotas(
    plan: RetrievalPlan, found: list[Candidates], places: Rows, best: NDArray[np.int32]
) -> tuple[Rows, Rows]:
    quotas = [getattr(plan.budget.per_mode_k, one.query.mode) for one in found]
    if len(found) == 1:
        return places[: quotas[0]], places[quotas[0] :]
    kept = np.zeros(len(places), dtype=bool)
    for number, quota in enumerate(quotas):
        kept[np.flatnonzero(best == number)[:quota]] = True
    return places[kept], places[~kept]


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
