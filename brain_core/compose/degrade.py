"""What is left out when time is short, in a fixed order, and said so: further queries, depth, the semantic part."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core.policy import Deadline

EXPANSION, DEPTH, SEMANTIC = "deadline_expansion", "deadline_depth", "deadline_semantic"
NO_VECTOR = "no_vector"
EXECUTOR = "executor"
ADVISER = "llm_planner"
DEGRADATIONS = (EXPANSION, DEPTH, SEMANTIC, NO_VECTOR, EXECUTOR, ADVISER)
"""What an answer may be without, as EvidencePack.degraded names it."""


class Degraded(NamedTuple):
    """A plan with its queries' vectors, as far as there is time for it.

    words: what was left out. left_out: the same as DEGRADATIONS name it.
    """

    plan: RetrievalPlan
    vectors: NDArray[np.float32]
    words: list[str]
    left_out: list[str]


def fit_to(whole: Degraded, left_ms: float | None, policy: Deadline) -> Degraded:
    """Return what of a plan there is time for. left_ms: until the answer must be there; None is whenever it is."""
    if left_ms is None or left_ms >= max(policy.expansion_ms, policy.depth_ms, policy.semantic_ms):
        return whole
    plan = RetrievalPlan()
    plan.CopyFrom(whole.plan)
    vectors, words, left_out = whole.vectors, list(whole.words), list(whole.left_out)
    left = f"{max(left_ms, 0):.1f} ms left"
    if left_ms < policy.expansion_ms and len(plan.queries) > 1:
        best = max(range(len(plan.queries)), key=lambda number: (plan.queries[number].weight, -number))
        words.append(f"deadline: {left}: only queries[{best}] of {len(plan.queries)} was asked")
        left_out.append(EXPANSION)
        kept = plan.queries[best]
        del plan.queries[:]
        plan.queries.append(kept)
        vectors = vectors[best : best + 1]
    if left_ms < policy.depth_ms and plan.budget.candidate_k > policy.least_candidates:
        words.append(f"deadline: {left}: {policy.least_candidates} candidates of {plan.budget.candidate_k} per mode")
        left_out.append(DEPTH)
        plan.budget.candidate_k = policy.least_candidates
        plan.ranking.rerank.top_n = min(plan.ranking.rerank.top_n, policy.least_candidates)
    if left_ms < policy.semantic_ms and _has_semantic_part(plan, vectors):
        words.append(f"deadline: {left}: the semantic part was left out")
        left_out.append(SEMANTIC)
        vectors = np.zeros_like(vectors)
    return Degraded(plan, vectors, words, left_out)


def _has_semantic_part(plan: RetrievalPlan, vectors: NDArray[np.float32]) -> bool:
    pairs = zip(plan.queries, vectors, strict=True)
    return any(query.mode != "exact" and bool(vector.any()) for query, vector in pairs)
