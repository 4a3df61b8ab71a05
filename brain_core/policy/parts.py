"""What the stages stand on: store, embedder, language models, index, documents, limits, kinds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from brain_core.policy.section import MOST, MOST_BYTES, Bytes, Count, Positive, Section

_MOST_REQUEST_BYTES = (1 << 29) - 1  # gRPC counts four times as many in 32 bits
_ID_BYTES = 36  # of a UUID, which the brain's own ids are


class StorePolicy(Section):
    """How truth is kept."""

    durability: Literal["disk", "process"]
    backup_folders: list[Annotated[str, Field(pattern=r"\S")]]


class EmbedderPolicy(Section):
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


class _ChatPolicy(Section):
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
    input_chars: Annotated[int, Field(ge=1000, le=MOST)]
    answer_tokens: Annotated[int, Field(ge=64, le=65536)]
    calls_per_hour: Count
    tokens_per_day: Annotated[int, Field(ge=0, le=MOST_BYTES)]
    extract: bool
    summarize: bool


class PlannerLlm(_ChatPolicy):
    """Which language model is asked how to look, if any, and for how long a compose waits for it."""

    timeout_ms: Annotated[int, Field(ge=1, le=60_000)]
    reserve_ms: Annotated[int, Field(ge=0, le=60_000)]
    input_chars: Annotated[int, Field(ge=200, le=100_000)]
    answer_tokens: Annotated[int, Field(ge=64, le=4096)]


class PlannerPolicy(Section):
    """Who plans beside the rules."""

    llm: PlannerLlm


class IndexPolicy(Section):
    """How derived data is kept."""

    cache_bytes: Bytes
    window_chars: Annotated[int, Field(ge=100, le=100_000)]


class IngestRefs(Section):
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


class Documents(Section):
    """How documents are read and let go of."""

    section_chars: Annotated[int, Field(ge=200, le=100_000)]
    read_seconds: Annotated[float, Field(gt=0, le=3600)]
    ingest_refs: IngestRefs
    purge_share: Annotated[float, Field(gt=0, le=1)]


class Limits(Section):
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


class KindRow(Section):
    """A sort of memory that a configuration adds; brain_core/kinds/declared.py reads and checks it."""

    type: str
    prefix: str
    parts: list[str]
    policy: Literal["overwrite", "versioned", "knowledge", "accumulate"]
    layer: Literal["working", "episodic", "longterm"]
    category: str
    priority: Annotated[int, Field(ge=0, le=10)] = 5
    required: list[str] = Field(default_factory=list)
    fields: dict[str, str | list[str]]
    defaults: dict[str, str] = Field(default_factory=dict)
    compared: list[str] = Field(default_factory=list)
    text: str
    uri: str = ""
    expires_after_seconds: Positive | None = None
