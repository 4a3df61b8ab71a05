"""Candidates by mode, then one order. Only rows and numbers flow here; no text is read but to check a phrase."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan

from brain_core.compose.associated import Expanded, expanded
from brain_core.compose.check import HINTED
from brain_core.compose.filters import Allowed, allowed_rows
from brain_core.compose.labels import NONE, Labels
from brain_core.compose.quoted import ReadTexts, Rows, with_phrases
from brain_core.compose.related import Kin, kin_of
from brain_core.compose.then import Then
from brain_core.index.lexical import Beside, Formula, LexicalScores, Similar, no_scores
from brain_core.index.memory_index import MemoryIndex
from brain_core.kernels.best import top_k
from brain_core.kernels.rank import Query, rank
from brain_core.kernels.words import Alike
from brain_core.models.thesaurus import built_in_thesaurus
from brain_core.policy import FeatureWeights, Retrieval
from brain_core.policy import Ranking as RankingPolicy
from brain_core.text.language import has_han
from brain_core.text.words import phrases

Scores = NDArray[np.float64]
Nearest = Callable[[NDArray[np.float32], int, NDArray[np.uint8], int], tuple[Rows, NDArray[np.float32]]]
"""VectorIndex.search, or search_all."""

_MICROS_PER_DAY = 86_400_000_000.0
_NO_VECTOR = np.empty(0, dtype=np.float32)
_NO_TIES = np.empty(0, dtype=np.int64)


@dataclass(slots=True)
class Question:
    """A completed plan over an index. now_us: the time that recency is counted from.

    retrieval: how queries of modes relational and associative are widened. nearest: None is `search`. then: the moment
    that is asked for, None for now. labels: that the plan's filters name. alike: as `alike_of` the plan gives it.
    """

    index: MemoryIndex
    plan: RetrievalPlan
    policy: RankingPolicy
    retrieval: Retrieval
    now_us: int
    read_texts: ReadTexts
    nearest: Nearest | None = None
    then: Then | None = None
    labels: Labels = NONE
    alike: Mapping[str, tuple[Alike, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Candidates:
    """What one query found. Lists are best first; `lexical` is blank where words were not asked for.

    kin: of mode relational, what its names lead to. added: of mode associative, what it was expanded by. unread: texts
    in which a phrase was not looked for.
    """

    query: PlanQuery
    mode: str
    lexical: LexicalScores
    vector: NDArray[np.float32] | None
    lists: dict[str, tuple[Rows, Scores]]
    allowed: Allowed
    kin: Kin | None = None
    added: Expanded | None = None
    unread: int = 0


@dataclass(slots=True)
class Ranking:
    """All candidates in final order, with what each was given on the way; NaN where it was given nothing.

    best_query: which query scored each best. fused: joined score of the lists. recency: of those scored on features.
    over_quota: how many more per_mode_k leaves out.
    """

    rows: Rows
    scores: Scores
    best_query: NDArray[np.int32]
    fused: Scores
    recency: Scores
    over_quota: int
    candidates: list[Candidates]


def alike_of(plan: RetrievalPlan, retrieval: Retrieval) -> Mapping[str, tuple[Alike, ...]]:
    """Return by text of a query what its words may be called otherwise; of modes that count such words.

    It needs no memory, and a long Chinese text takes a tenth of a second: to be had before its lock.
    """
    if not retrieval.alike.weight:
        return {}
    thesaurus = built_in_thesaurus()
    return {query.text: thesaurus.alike(query.text) for query in plan.queries if query.mode in HINTED}


def search(question: Question, vectors: NDArray[np.float32]) -> Ranking:
    """Carry out a plan: candidates, fusion, features, one order. vectors: float32[queries, dimension]."""
    plan = question.plan
    # What words say of the texts depends on no filter, and queries that narrow a message repeat its words.
    words = partial(_words, question) if len(plan.queries) == 1 else cache(partial(_words, question))
    found = [_candidates(question, query, vector, words) for query, vector in zip(plan.queries, vectors, strict=True)]
    weights = plan.ranking.fusion.weights
    unwanted = {name for name, weight in weights.items() if not weight} if weights else ()
    for one in found if unwanted else ():
        # A query that has no other list is asked all the same.
        one.lists = {name: each for name, each in one.lists.items() if name not in unwanted} or one.lists
    return _ranked(question, found)


def _words(question: Question, text: str, hints: tuple[str, ...], joined: bool) -> LexicalScores:
    """Score by words. joined: words of like meaning count too."""
    counted = question.retrieval.hints
    beside = Beside(hints, counted.words, counted.terms) if hints else None
    similar = _similar(question, text) if joined else None
    return question.index.lexical.score(text, formula_of(question.policy), beside, similar)


def _similar(question: Question, text: str) -> Similar | None:
    alike = question.retrieval.alike
    if not alike.weight:
        return None
    return Similar(question.alike.get(text, ()), alike.weight, alike.words, alike.known)


def formula_of(policy: RankingPolicy) -> Formula:
    """Return the constants of BM25 that a policy names."""
    return Formula(policy.bm25_k1, policy.bm25_b, policy.session_bm25_k1)


def _candidates(
    question: Question,
    query: PlanQuery,
    vector: NDArray[np.float32],
    words: Callable[[str, tuple[str, ...], bool], LexicalScores],
) -> Candidates:
    index, plan = question.index, question.plan
    mode = query.mode
    filters = [plan.global_filters, query.filters]
    with_documents = plan.resource_retrieval.enabled
    allowed = allowed_rows(index.chunks, filters, question.labels, question.then, documents=with_documents)
    lists: dict[str, tuple[Rows, Scores]] = {}
    unread = 0
    k = plan.budget.candidate_k
    if mode == "semantic":
        lexical = no_scores(len(index.chunks))
    else:
        lexical = words(query.text, tuple(query.hints) if mode in HINTED else (), mode in HINTED)
        if mode == "relational":
            return _related(question, query, vector, lexical, allowed)
        bm25 = lexical.rows
        quoted = phrases(query.text) if mode == "exact" else []
        mask = allowed.mask
        if quoted:
            rows, unread = with_phrases(lexical, mask, quoted, k, question.read_texts)
        else:
            rows = top_k(bm25, mask, k)
        if mode == "exact":  # a neighbour without the words is no answer to this query
            allowed = allowed.only(rows)
        lists["exact"] = (rows, bm25[rows].astype(np.float64))
    if mode != "exact" and np.count_nonzero(vector):
        rows, cosines = (question.nearest or index.vectors.search)(vector, k, allowed.mask, allowed.count)
        lists["semantic"] = (rows, cosines.astype(np.float64))
    found = Candidates(query, mode, lexical, vector if mode != "exact" else None, lists, allowed, unread=unread)
    return _associated(question, found) if mode == "associative" else found


def _related(
    question: Question, query: PlanQuery, vector: NDArray[np.float32], lexical: LexicalScores, allowed: Allowed
) -> Candidates:
    """Return what is related to what a query names; that a row is near counts as much as that it has the words."""
    there = None if question.then is None else question.then.rows
    kin = kin_of(question.index, query.text, question.retrieval.relations, there)
    rows = kin.best(lexical.rows, allowed, question.plan.budget.candidate_k)
    nearer = lexical._replace(rows=kin.blended(lexical.rows, rows), known=1.0)
    # A neighbour without a relation is no answer to this query.
    return Candidates(
        query, query.mode, nearer, vector, {"relational": (rows, kin.scores[rows])}, allowed.only(rows), kin=kin
    )


def _associated(question: Question, found: Candidates) -> Candidates:
    """Search by words again, with those that the first hits bring."""
    index, policy = question.index, question.policy
    # Which names an entity had then is not known.
    names = index.aliases.others(found.query.text, index.chunks) if question.then is None else []
    lists = list(found.lists.values())
    added = expanded(index, found.query.text, names, lists, question.retrieval.association)
    bm25 = found.lexical.rows + index.lexical.score_terms(added.weights, formula_of(policy))
    rows = top_k(bm25, found.allowed.mask, question.plan.budget.candidate_k)
    found.lists["associative"] = (rows, bm25[rows].astype(np.float64))
    return replace(found, lexical=found.lexical._replace(rows=bm25), added=added)


def _ranked(question: Question, found: list[Candidates]) -> Ranking:
    """Rank what queries found, and keep of each what its mode may bring."""
    index, plan, policy = question.index, question.plan, question.policy
    weights = plan.ranking.fusion.weights
    rerank = plan.ranking.rerank
    heaviest = max(one.query.weight for one in found)
    kept = rank(
        index.memory,
        [_query(question, one, heaviest) for one in found],
        [
            (*listed, one.query.weight * weights.get(name, 1.0), number)
            for number, one in enumerate(found)
            for name, listed in one.lists.items()
        ],
        plan.ranking.fusion.method,
        float(plan.ranking.fusion.rrf_k),
        (
            rerank.top_n if rerank.enabled else 0,
            weights_of(policy, plan).numbers,
            policy.deprecated_penalty,
            question.now_us,
            policy.recency_half_life_days * _MICROS_PER_DAY,
            _ties(index, plan),
        ),
    )
    return Ranking(*kept, found)


def weights_of(policy: RankingPolicy, plan: RetrievalPlan) -> FeatureWeights:
    """Return what features weigh for what a plan asks."""
    return policy.scattered if plan.ranking.scattered else policy.weights


def _query(question: Question, one: Candidates, heaviest: float) -> Query:
    """Return a query as the ranker takes it. heaviest: weight of one that counts whole, so that scores stay in 0..1."""
    policy, lexical = question.policy, one.lexical
    return Query(
        (lexical.rows, lexical.likes, lexical.weights, lexical.sessions),
        min(1.0, lexical.known / policy.words_known) if lexical.words else 1.0,
        _NO_VECTOR if one.vector is None else one.vector,
        policy.han_semantic if has_han(one.query.text) else 1.0,
        question.index.speakers.named_in(lexical.words),
        one.allowed.mask,
        one.query.weight / heaviest,
        getattr(question.plan.budget.per_mode_k, one.query.mode),
    )


def _ties(index: MemoryIndex, plan: RetrievalPlan) -> NDArray[np.int64]:
    """Return by row what comes first among equal scores, the lower; nothing where the row alone says."""
    if plan.ranking.tie_breaker == "recency":
        return -index.chunks.column("time_us").astype(np.int64)
    if plan.ranking.tie_breaker == "source_priority":
        names = index.chunks.names["source_type"].all()
        wanted = plan.ranking.source_priority
        last = max(wanted.values(), default=0) + 1
        others = dict.fromkeys(("conversation", "memory_item"), wanted.get("memory", last))
        ranks = np.array([wanted.get(name, others.get(name, last)) for name in names] or [last], dtype=np.int64)
        return ranks[index.chunks.column("source_type").astype(np.int64)]
    return _NO_TIES


def allowed_by_any(found: Sequence[Candidates]) -> NDArray[np.uint8]:
    """Return uint8[n]: 1 where the filters of at least one query hold."""
    allowed = found[0].allowed.mask
    for one in found[1:]:
        allowed = allowed | one.allowed.mask
    return allowed
