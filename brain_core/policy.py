"""The policy: every default once (brain.yml), one frozen section per stage, unknown or bad values refused by name."""

from __future__ import annotations

from datetime import tzinfo
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from brain_core.errors import PolicyError
from brain_core.policy_faults import contradictions, of_validation, refusal
from brain_core.yaml_file import read_yaml
from brain_core.zones import zone_named

_MOST_REQUEST_BYTES = (1 << 29) - 1  # gRPC counts four times as many in 32 bits
Share = Annotated[float, Field(ge=0, le=1)]
_MOST = 2**31 - 1  # the contracts' counts are int32
_MOST_BYTES = 2**63 - 1
_ID_BYTES = 36  # of a UUID, which the brain's own ids are
Positive = Annotated[int, Field(ge=1, le=_MOST)]
Count = Annotated[int, Field(ge=0, le=_MOST)]
Bytes = Annotated[int, Field(ge=1, le=_MOST_BYTES)]
Weight = Annotated[float, Field(ge=0)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True, allow_inf_nan=False)


class Confidence(_Section):
    """Confidence of a new item by who said it."""

    user_asserted: Share
    tool_derived: Share
    inferred: Share


class EntityGate(_Section):
    """When a name counts as important."""

    window_turns: Positive
    freq_threshold: Positive


class WorthPolicy(_Section):
    """From which likelihood on a sentence is read, a draft kept, one proposed where no rule read, a skip overruled.

    And something known doubted, or held to be no longer so.
    """

    look: Share
    keep: Share
    propose: Share
    overrule: Share
    doubt: Share
    revise: Share


class Retention(_Section):
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


class Consolidation(_Section):
    """When and how a session is summed up."""

    token_share: Annotated[float, Field(gt=0)]
    major_result_chars: Positive
    lines_per_section: Annotated[int, Field(ge=1, le=100)]
    line_chars: Annotated[int, Field(ge=20, le=1000)]
    versions_kept: Positive


class PerMode(_Section):
    """Evidences that one query of a mode may bring."""

    exact: Positive
    semantic: Positive
    hybrid: Positive
    relational: Positive
    associative: Positive


class QueryExpansion(_Section):
    """How a message becomes several queries."""

    enabled: bool
    max_queries: Positive


class Hints(_Section):
    """What was said around a query, and what it counts for."""

    messages: Count
    chars: Positive
    total_chars: Positive
    likeness: Annotated[float, Field(ge=-1, le=1)]
    judged_from_chars: Positive
    words: Annotated[float, Field(ge=0, le=1)]
    meaning: Annotated[float, Field(ge=0, le=1)]
    terms: Count


class LikeWords(_Section):
    """How words of like meaning count beside a query's own."""

    weight: Share
    words: Count
    known: Share


class Deadline(_Section):
    """Below how many milliseconds left at the start of a search something is left out of it."""

    expansion_ms: Weight
    depth_ms: Weight
    semantic_ms: Weight
    least_candidates: Positive


class RelationWeights(_Section):
    """What a step along each relation is worth."""

    mentions: Share
    version: Share
    link: Share
    address: Share
    turn: Share
    project: Share
    neighbour: Share


class Association(_Section):
    """How a query of mode associative is expanded."""

    texts: Positive
    terms: Count
    weight: Annotated[float, Field(ge=0, lt=1)]
    alias_weight: Annotated[float, Field(ge=0, lt=1)]


class Retrieval(_Section):
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


class FeatureWeights(_Section):
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


class Ranking(_Section):
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


class Diversity(_Section):
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


class DeveloperRule(_Section):
    """A rule for the model that every context carries."""

    type: Literal["tooling_rules", "format_rules", "safety_rules", "other"]
    text: Annotated[str, Field(pattern=r"\S", max_length=4000)]


class TaskShares(_Section):
    """Of what a context may hold otherwise: pieces of evidence, tokens of the summary and of recent turns."""

    evidence: Share
    summary: Share
    recent_turns: Annotated[float, Field(ge=0, le=4)]


class TaskKinds(_Section):
    """What each word of agent_state.task_kind makes of a context."""

    simple: TaskShares
    complex: TaskShares
    conversation: TaskShares


class Composition(_Section):
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
    tokens_exponent: Share
    max_snippet_chars: Positive
    pinned_max_priority: Annotated[int, Field(ge=0, le=10)]
    pinned_min_confidence: Share
    mmr_trade: Share
    score_floor: Share
    diversity: Diversity
    core_term_min_share: Share
    task_kinds: TaskKinds


class Observability(_Section):
    """What is kept of each answer."""

    trace: float
    store_contexts: bool
    store_plans: bool
    contexts_kept: Positive

    @field_validator("trace", mode="plain")
    @classmethod
    def _share(cls, value: object) -> float:
        """Return the share of packages that keep their trace: true is all of them, false none."""
        if isinstance(value, bool):
            return float(value)
        if isinstance(value, (int, float)) and 0 < value <= 1:
            return float(value)
        raise ValueError("expected true, false or a share above 0 and up to 1")


class Policies(_Section):
    """One section per stage."""

    retention: Retention
    consolidation: Consolidation
    retrieval: Retrieval
    ranking: Ranking
    composition: Composition
    observability: Observability


class StorePolicy(_Section):
    """How truth is kept."""

    durability: Literal["disk", "process"]
    backup_folders: list[Annotated[str, Field(pattern=r"\S")]]


class EmbedderPolicy(_Section):
    """What turns texts into vectors."""

    kind: Literal["static", "onnx", "openai"]
    folder: str
    url: Annotated[str, Field(pattern=r"^(https?://\S+)?$")]
    model: str
    dimension: Annotated[int, Field(ge=0, le=65536)]
    api_key_file: str
    timeout_seconds: Annotated[float, Field(gt=0, le=600)]
    batch: Annotated[int, Field(ge=1, le=2048)]

    @field_validator("folder", "url", "model", "dimension", "api_key_file")
    @classmethod
    def _fits_kind(cls, value: str | int, info: ValidationInfo) -> str | int:
        kind = info.data.get("kind")
        if kind is None:
            return value  # it is itself refused by name
        if info.field_name in _EMBEDDER_NEEDS[kind] and not value:
            raise ValueError(f"kind {kind} needs it")
        if info.field_name not in _EMBEDDER_READS[kind] and value:
            raise ValueError(f"kind {kind} does not read it")
        return value


_EMBEDDER_NEEDS = {"static": (), "onnx": ("folder",), "openai": ("url", "model", "dimension")}
_EMBEDDER_READS = {"static": ("folder",), "onnx": ("folder",), "openai": ("url", "model", "dimension", "api_key_file")}


class _ChatPolicy(_Section):
    """A language model behind an endpoint, if any."""

    url: Annotated[str, Field(pattern=r"^(https?://\S+)?$")]
    model: str
    api_key_file: str

    @field_validator("model", "api_key_file")
    @classmethod
    def _fits_url(cls, value: str, info: ValidationInfo) -> str:
        url = info.data.get("url")
        if url is None:
            return value  # it is itself refused by name
        if url and info.field_name == "model" and not value:
            raise ValueError("the url beside it needs it")
        if value and not url:
            raise ValueError("without the url beside it, it is not read")
        return value


class LlmPolicy(_ChatPolicy):
    """Which language model reads along, if any, and what it may cost."""

    timeout_seconds: Annotated[float, Field(gt=0, le=3600)]
    input_chars: Annotated[int, Field(ge=1000, le=_MOST)]
    answer_tokens: Annotated[int, Field(ge=64, le=65536)]
    calls_per_hour: Count
    tokens_per_day: Annotated[int, Field(ge=0, le=_MOST_BYTES)]
    extract: bool
    summarize: bool


class PlannerLlm(_ChatPolicy):
    """Which language model is asked how to look, if any, and for how long a compose waits for it."""

    timeout_ms: Annotated[int, Field(ge=1, le=60_000)]
    reserve_ms: Annotated[int, Field(ge=0, le=60_000)]
    input_chars: Annotated[int, Field(ge=200, le=100_000)]
    answer_tokens: Annotated[int, Field(ge=64, le=4096)]


class PlannerPolicy(_Section):
    """Who plans beside the rules."""

    llm: PlannerLlm


class IndexPolicy(_Section):
    """How derived data is kept."""

    cache_bytes: Bytes
    window_chars: Annotated[int, Field(ge=100, le=100_000)]


class IngestRefs(_Section):
    """Which files are taken in because a turn refers to them."""

    roots: list[str]
    include: list[Literal["file", "artifact"]]

    @field_validator("roots")
    @classmethod
    def _absolute(cls, value: list[str]) -> list[str]:
        for root in value:
            if not Path(root).is_absolute():
                raise ValueError(f"{root!r} is no absolute path")
        return value


class Documents(_Section):
    """How documents are read and let go of."""

    section_chars: Annotated[int, Field(ge=200, le=100_000)]
    read_seconds: Annotated[float, Field(gt=0, le=3600)]
    ingest_refs: IngestRefs
    purge_share: Annotated[float, Field(gt=0, le=1)]


class Limits(_Section):
    """What one request may ask for."""

    id_bytes: Annotated[int, Field(ge=_ID_BYTES, le=4096)]
    uri_bytes: Positive
    document_bytes: Bytes
    message_bytes: Positive
    request_bytes: Annotated[int, Field(gt=0, le=_MOST_REQUEST_BYTES)]
    messages_per_turn: Positive
    events_per_turn: Positive
    value_bytes: Positive
    queries_per_plan: Positive
    query_chars: Positive
    top_k: Positive
    candidate_k: Positive
    token_limit: Positive
    page_size: Positive
    user_message_bytes: Positive


class TlsPolicy(_Section):
    """Files in PEM by which a server is known, and the authority of whoever may connect."""

    certificate: str
    key: str
    client_ca: str

    @field_validator("key", "client_ca")
    @classmethod
    def _goes_with_certificate(cls, value: str, info: ValidationInfo) -> str:
        certificate = info.data.get("certificate")
        if certificate and info.field_name == "key" and not value:
            raise ValueError("the certificate beside it needs it")
        if value and not certificate:
            raise ValueError("without the certificate beside it, it is not read")
        return value


class TokenRow(_Section):
    """Somebody who may call: by which token, which memories and what there."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")]
    sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    file: str = ""
    env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    memories: Annotated[list[Annotated[str, Field(pattern=r"\S", max_length=128)]], Field(max_length=256)] = ["*"]
    rights: list[Literal["read", "write", "admin"]] = ["read", "write"]


class ServerPolicy(_Section):
    """How calls are served, and to whom; brain_core itself does not read it."""

    workers: Annotated[int, Field(ge=1, le=4096)]
    grace_seconds: Annotated[float, Field(ge=0, le=86_400)]
    metrics: str
    http: str
    tls: TlsPolicy
    tokens: Annotated[list[TokenRow], Field(max_length=256)]


class RemoteRow(_Section):
    """Another server of RetrievalService that is asked, how long its answer is waited for, and how much it may bring.

    It is waited for no longer than timeout_ms, nor than deadline_share of what is left of the caller's deadline.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
    target: Annotated[str, Field(pattern=r"^(unix:\S+|(\[[0-9a-fA-F:.]+\]|[^\s:/]+):\d{1,5})$")]
    memory_id: Annotated[str, Field(max_length=128)] = ""
    timeout_ms: Annotated[int, Field(ge=1, le=60_000)] = 50
    deadline_share: Annotated[float, Field(gt=0, le=1)] = 0.5
    top_k: Annotated[int, Field(ge=1, le=100)] = 6
    when: Literal["documents", "always"] = "documents"
    tls: bool = False
    ca: str = ""
    certificate: str = ""
    key: str = ""
    token_file: str = ""


class Resources(_Section):
    """Who is asked beside the memory itself."""

    remote: Annotated[list[RemoteRow], Field(max_length=16)]

    @field_validator("remote")
    @classmethod
    def _named_once(cls, rows: list[RemoteRow]) -> list[RemoteRow]:
        names = [row.name for row in rows]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"more than one is called {', '.join(twice)}")
        return rows


class KindRow(_Section):
    """A sort of memory that a configuration adds; brain_core/kinds/declared.py reads and checks it."""

    type: str
    prefix: str
    parts: list[str]
    policy: Literal["overwrite", "versioned", "knowledge", "accumulate"]
    layer: Literal["working", "episodic", "longterm"]
    category: str
    priority: Annotated[int, Field(ge=0, le=10)] = 5
    required: list[str] = []
    fields: dict[str, str | list[str]]
    defaults: dict[str, str] = {}
    compared: list[str] = []
    text: str
    uri: str = ""
    expires_after_seconds: Positive | None = None


class Policy(_Section):
    """Everything that can be set."""

    timezone: str
    policies: Policies
    resources: Resources
    kinds: list[KindRow]
    store: StorePolicy
    embedder: EmbedderPolicy
    llm: LlmPolicy
    planner: PlannerPolicy
    index: IndexPolicy
    documents: Documents
    limits: Limits
    server: ServerPolicy

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        zone_named(name)
        return name

    @property
    def zone(self) -> tzinfo:
        """The time zone of whoever names none."""
        return zone_named(self.timezone)


def load_policy(override: Path | dict[str, Any] | None = None) -> Policy:
    """Return the shipped defaults with an override on top, from a YAML file or a nested dict.

    Raises PolicyError naming each unknown key, bad value or pair of values that contradict each other, or the file that
    cannot be read.
    """
    merged = _merge(_defaults(), _read(override))
    source = str(override) if isinstance(override, Path) else "brain.yml"
    try:
        policy = Policy.model_validate(merged)
    except ValidationError as error:
        raise refusal(source, of_validation(error, Policy, _defaults())) from error
    faults = contradictions(policy)
    if faults:
        raise refusal(source, faults)
    return policy


@cache
def _defaults() -> dict[str, Any]:
    loaded: dict[str, Any] = read_yaml(files("brain_core").joinpath("brain.yml").read_text("utf-8"))
    return loaded


def _read(override: Path | dict[str, Any] | None) -> dict[str, Any]:
    if override is None or isinstance(override, dict):
        return override or {}
    try:
        loaded = read_yaml(override.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise PolicyError(f"cannot read {override}: {reason}", field="config", value=override) from error
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise PolicyError(f"{override}: expected keys and values at the top", field="config", value=override)
    return loaded


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        below = base.get(key)
        merged[key] = _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged
