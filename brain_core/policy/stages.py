"""What each stage is told: one section per stage."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from brain_core.kernels.features import NAMES
from brain_core.policy.section import Bytes, Count, Positive, Section, Share, Weight


class Confidence(Section):
    """Confidence of a new item by who said it."""

    user_asserted: Share
    tool_derived: Share
    inferred: Share


class EntityGate(Section):
    """When a name counts as important."""

    window_turns: Positive
    freq_threshold: Positive


class ByType(Section):
    """A likelihood for each type that a sentence may teach."""

    preferences: Share
    goals: Share
    tasks: Share
    decisions: Share
    events: Share
    profile: Share
    knowledge: Share


class WorthPolicy(Section):
    """From which likelihood on a sentence is read, a draft kept, one proposed where no rule read, a skip overruled.

    And something known doubted, or held to be no longer so. guess: how likely it must be of the type proposed, too.
    """

    look: Share
    keep: Share
    propose: Share
    guess: ByType
    between_people: Share
    overrule: Share
    doubt: Share
    revise: Share


class Retention(Section):
    """What a commit learns."""

    learn_from: list[Literal["messages", "tool_calls", "refs"]]
    owner: list[Annotated[str, Field(pattern=r"\S", max_length=128)]]
    confidence: Confidence
    worth: WorthPolicy
    min_confidence: Share
    near_duplicate: Annotated[float, Field(gt=0, le=1)]
    profile_bytes: Annotated[int, Field(ge=100, le=65536)]
    secrets: Literal["mask", "refuse", "keep"]
    summarize_after_turns: Positive
    entity_gate: EntityGate


class Consolidation(Section):
    """When and how a session is summed up."""

    token_share: Annotated[float, Field(gt=0)]
    major_result_chars: Positive
    lines_per_section: Annotated[int, Field(ge=1, le=100)]
    line_chars: Annotated[int, Field(ge=20, le=1000)]
    versions_kept: Positive


class PerMode(Section):
    """Evidences that one query of a mode may bring."""

    exact: Positive
    semantic: Positive
    hybrid: Positive
    relational: Positive
    associative: Positive


class QueryExpansion(Section):
    """How a message becomes several queries."""

    enabled: bool
    max_queries: Positive


class Hints(Section):
    """What was said around a query, and what it counts for."""

    messages: Count
    chars: Positive
    total_chars: Positive
    likeness: Annotated[float, Field(ge=-1, le=1)]
    judged_from_chars: Positive
    words: Annotated[float, Field(ge=0, le=1)]
    meaning: Annotated[float, Field(ge=0, le=1)]
    terms: Count


class LikeWords(Section):
    """How words of like meaning count beside a query's own."""

    weight: Share
    words: Count
    known: Share


class Deadline(Section):
    """Below how many milliseconds left at the start of a search something is left out of it."""

    expansion_ms: Weight
    depth_ms: Weight
    semantic_ms: Weight
    least_candidates: Positive


class RelationWeights(Section):
    """What a step along each relation is worth."""

    mentions: Share
    version: Share
    link: Share
    address: Share
    turn: Share
    project: Share
    neighbour: Share


class Association(Section):
    """How a query of mode associative is expanded."""

    texts: Positive
    terms: Count
    weight: Annotated[float, Field(ge=0, lt=1)]
    alias_weight: Annotated[float, Field(ge=0, lt=1)]


class Retrieval(Section):
    """What is searched."""

    enable_resource_retrieval: Literal["auto", "on", "off"]
    top_k: Positive
    candidate_k: Positive
    per_mode_k: PerMode
    rrf_k: Positive
    query_expansion: QueryExpansion
    hints: Hints
    alike: LikeWords
    relations: RelationWeights
    association: Association
    deadline: Deadline


class FeatureWeights(Section):
    """Weights of the linear ranker, by feature of kernels.features.NAMES."""

    lexical: Weight
    semantic: Weight
    before: Weight
    after: Weight
    around: Weight
    session_lexical: Weight
    session_semantic: Weight
    speaker: Weight
    concise: Weight
    first_person: Weight
    recency: Weight
    priority: Weight
    confidence: Weight

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """All of them in the order of NAMES; not to be changed."""
        return np.array([getattr(self, name) for name in NAMES])


class Ranking(Section):
    """In which order results come."""

    bm25_k1: Weight
    bm25_b: Share
    session_bm25_k1: Weight
    words_known: Annotated[float, Field(gt=0, le=1)]
    han_semantic: Share
    rerank_top_n: Positive
    recency_half_life_days: Annotated[float, Field(gt=0)]
    deprecated_penalty: Share
    weights: FeatureWeights
    scattered: FeatureWeights


class Diversity(Section):
    """Caps on evidence that shares an origin."""

    by_document: Positive
    by_source_uri: Positive
    memory_resource_ratio: Annotated[str, Field(pattern=r"^\d{1,3}/\d{1,3}$")]
    ratio_min_share: Share

    @field_validator("memory_resource_ratio")
    @classmethod
    def _shares_something(cls, value: str) -> str:
        if not any(map(int, value.split("/"))):
            raise ValueError("one side must be above 0")
        return value


class DeveloperRule(Section):
    """A rule for the model that every context carries."""

    type: Literal["tooling_rules", "format_rules", "safety_rules", "other"]
    text: Annotated[str, Field(pattern=r"\S", max_length=4000)]


class TaskShares(Section):
    """Of what a context may hold otherwise: pieces of evidence, tokens of the summary and of recent turns."""

    evidence: Share
    summary: Share
    recent_turns: Annotated[float, Field(ge=0, le=4)]


class TaskKinds(Section):
    """What each word of agent_state.task_kind makes of a context."""

    simple: TaskShares
    complex: TaskShares
    conversation: TaskShares


class Composition(Section):
    """What goes into a context."""

    token_limit: Positive
    tokenizer: str
    system_blocks_max_tokens: Count
    system_blocks_share: Share
    developer_blocks: Annotated[list[DeveloperRule], Field(max_length=50)]
    summary_max_tokens: Count
    recent_turns_max: Count
    recent_turns_max_tokens: Count
    tool_result_max_chars: Positive
    evidence_items: Count
    evidence_item_tokens: Positive
    evidence_max_items: Count
    top_evidence_min_share: Share
    top_evidence_min_score: Share
    last_exchange_share: Share
    newest_turns_share: Share
    newest_turns_max_tokens: Count
    tokens_exponent: Share
    max_snippet_chars: Positive
    pinned_max_priority: Annotated[int, Field(ge=0, le=10)]
    pinned_min_confidence: Share
    mmr_trade: Share
    score_floor: Share
    score_min_share: Share
    diversity: Diversity
    core_term_min_share: Share
    task_kinds: TaskKinds


class Observability(Section):
    """What is kept of each answer."""

    trace: float
    store_contexts: bool
    store_plans: bool
    contexts_kept: Positive
    contexts_kept_bytes: Bytes

    @field_validator("trace", mode="plain")
    @classmethod
    def _share(cls, value: object) -> float:
        """Return the share of packages that keep their trace: true is all of them, false none."""
        if isinstance(value, bool):
            return float(value)
        if isinstance(value, (int, float)) and 0 < value <= 1:
            return float(value)
        raise ValueError("expected true, false or a share above 0 and up to 1")


class Policies(Section):
    """One section per stage."""

    retention: Retention
    consolidation: Consolidation
    retrieval: Retrieval
    ranking: Ranking
    composition: Composition
    observability: Observability
