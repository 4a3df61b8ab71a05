"""Are these a plan and a message that can be answered? Decided before any work starts."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.item_pb2 import ItemStatus, Layer
from smartbrain.v1.plan_pb2 import DayRange, PlanBudget, PlanFilters, PlanRanking, RetrievalPlan, TimeRange
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core.check import (
    check_as_of,
    check_count,
    check_enum,
    check_id,
    check_length,
    check_range,
    check_size,
    check_text,
    check_time,
    check_word,
)
from brain_core.compose.own_days import bounds
from brain_core.errors import require
from brain_core.kinds.registry import Kinds
from brain_core.kinds.shape import is_day
from brain_core.policy import Limits
from brain_core.zones import check_zone

VERSION = "0.1"
PURPOSES = ("qa", "continue_task", "debug", "summarize", "research", "other")
HINTED = ("semantic", "hybrid", "associative")
"""Modes that know hints."""
MODES = ("exact", "semantic", "hybrid", "relational", "associative")
FUSIONS = ("rrf", "weighted_sum", "none")
TIE_BREAKERS = ("recency", "source_priority", "none")
SNIPPETS = ("l0", "l1", "l2", "auto")
SOURCE_TYPES = ("url", "file", "manual", "memory_snapshot", "conversation", "memory_item")
TASK_KINDS = ("simple", "complex", "conversation")
RANKERS = ("linear",)
_LISTED = 1000
_NAMED = 100  # entries of a map by words of the contract
_HINTS = 100
_SNIPPET_CHARS = 100_000
_REMEMBERED = 256  # parts of plans


def check_compose(request: ComposeContextRequest, limits: Limits) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_id("session_id", request.session_id, limits.id_bytes)
    check_text("user_message", request.user_message, limits.user_message_bytes)
    check_range("token_limit", request.token_limit, 0, limits.token_limit)
    check_range("min_revision", request.min_revision, 0, 2**63 - 1)
    # To read a message that is not there makes an empty one, which takes as long as all else here.
    if request.HasField("now"):
        check_time("now", request.now)
    check_zone("timezone", request.timezone)
    if request.HasField("as_of"):
        check_as_of(request.as_of)
    if request.HasField("agent_state"):
        check_word("agent_state.task_kind", request.agent_state.task_kind, TASK_KINDS)
        check_length("agent_state.task", request.agent_state.task, limits.query_chars)
        attributes = request.agent_state.attributes
        size = sum(len(name.encode()) + len(value.encode()) for name, value in attributes.items())
        check_size("agent_state.attributes", size, limits.value_bytes)
    if request.HasField("plan"):
        check_plan(request.plan, limits)


def check_retrieve(request: RetrieveRequest, limits: Limits) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_id("session_id", request.session_id, limits.id_bytes, required=False)
    check_range("min_revision", request.min_revision, 0, 2**63 - 1)
    require(request.HasField("plan"), "plan", "none", "a plan with at least one query", "is required")
    if request.HasField("as_of"):
        check_as_of(request.as_of)
    check_plan(request.plan, limits)


def check_plan(plan: RetrievalPlan, limits: Limits) -> None:
    """Raise InvalidArgument that names the first bad field of a plan."""
    check_word("plan.version", plan.version, (VERSION,))
    check_id("plan.request_id", plan.request_id, limits.id_bytes, required=False)
    check_word("plan.purpose", plan.purpose, PURPOSES)
    require(len(plan.queries) > 0, "plan.queries", "0 entries", f"1..{limits.queries_per_plan} entries", "is required")
    check_count("plan.queries", len(plan.queries), limits.queries_per_plan)
    for number, query in enumerate(plan.queries):
        path = f"plan.queries[{number}]"
        require(bool(query.text.strip()), f"{path}.text", query.text, "not blank", "is empty")
        check_length(f"{path}.text", query.text, limits.query_chars)
        check_word(f"{path}.mode", query.mode, MODES)
        check_range(f"{path}.weight", query.weight, 0, 1000)
        if query.HasField("filters"):
            _check_filters(f"{path}.filters", query.filters, limits.uri_bytes)
        check_count(f"{path}.hints", len(query.hints), _HINTS)
        for place, hint in enumerate(query.hints):
            check_length(f"{path}.hints[{place}]", hint, limits.query_chars)
    if plan.HasField("global_filters"):
        _check_filters("plan.global_filters", plan.global_filters, limits.uri_bytes)
    _check_hints(plan, limits)
    if plan.HasField("budget"):
        _check_budget(plan.budget.SerializeToString(), limits.top_k, limits.candidate_k)
    if plan.HasField("ranking"):
        for name, named in _named_in(plan.ranking):
            check_count(f"plan.ranking.{name}", len(named), _NAMED)
        _check_ranking(plan.ranking.SerializeToString(), limits.id_bytes)
    if plan.HasField("output"):
        check_word("plan.output.snippet_policy", plan.output.snippet_policy, SNIPPETS)
        check_range("plan.output.max_snippet_chars", plan.output.max_snippet_chars, 0, _SNIPPET_CHARS)
    _check_words(plan, limits.query_chars)


def _check_hints(plan: RetrievalPlan, limits: Limits) -> None:
    """Check all hints together: a hundred to each query would take seconds to read."""
    longest = limits.queries_per_plan * limits.query_chars
    size = sum(len(hint) for query in plan.queries for hint in query.hints)
    limit = f"{longest} characters in all"
    require(size <= longest, "plan.queries.hints", f"{size} characters", limit, "are too long")


def _check_words(plan: RetrievalPlan, longest: int) -> None:
    """Check what is for people: it is kept with the context."""
    if plan.HasField("resource_retrieval"):
        check_length("plan.resource_retrieval.reason", plan.resource_retrieval.reason, longest)
    if plan.HasField("debug"):
        check_length("plan.debug.notes", plan.debug.notes, longest)
        check_length("plan.debug.caller.app", plan.debug.caller.app, longest)
        check_length("plan.debug.caller.session_id", plan.debug.caller.session_id, longest)


def check_types(plan: RetrievalPlan, kinds: Kinds) -> None:
    """Raise InvalidArgument that names the first type in a plan's filters that no kind of item has."""
    _check_types("plan.global_filters", plan.global_filters, kinds)
    for number, query in enumerate(plan.queries):
        _check_types(f"plan.queries[{number}].filters", query.filters, kinds)


def _check_types(path: str, filters: PlanFilters, kinds: Kinds) -> None:
    for number, item_type in enumerate(filters.types):
        kinds.of(item_type, f"{path}.types[{number}]")


def _check_filters(path: str, filters: PlanFilters, longest: int) -> None:
    """longest: characters of a text; none that it could be compared with has more."""
    for field, value in filters.ListFields():
        if field.is_repeated:
            check_count(f"{path}.{field.name}", len(value), _LISTED)
        if field.type == FieldDescriptor.TYPE_STRING:
            for text in value if field.is_repeated else (value,):
                check_length(f"{path}.{field.name}", text, longest)
    for word in filters.source_type:
        check_word(f"{path}.source_type", word, SOURCE_TYPES, required=True)
    for layer in filters.layers:
        check_enum(f"{path}.layers", layer, Layer.DESCRIPTOR)
    for status in filters.statuses:
        check_enum(f"{path}.statuses", status, ItemStatus.DESCRIPTOR)
    if filters.HasField("min_confidence"):
        check_range(f"{path}.min_confidence", filters.min_confidence, 0, 1)
    if filters.HasField("max_priority"):
        check_range(f"{path}.max_priority", filters.max_priority, 0, 10)
    if filters.HasField("time_range"):
        _check_time_range(f"{path}.time_range", filters.time_range)
    if filters.HasField("days"):
        _check_days(f"{path}.days", filters.days)


def _check_time_range(path: str, times: TimeRange) -> None:
    start: Timestamp = getattr(times, "from")
    check_time(f"{path}.from", start)
    check_time(f"{path}.to", times.to)
    if times.HasField("from") and times.HasField("to"):
        require(
            start.ToNanoseconds() < times.to.ToNanoseconds(),
            path,
            f"{start.ToJsonString()}..{times.to.ToJsonString()}",
            "from before to",
            "is empty",
        )


def _check_days(path: str, days: DayRange) -> None:
    for end, value in (("from", getattr(days, "from")), ("to", days.to)):
        require(not value or is_day(value), f"{path}.{end}", value, "YYYY-MM-DD", "is not a day")
    start, stop = bounds(days)
    require(start < stop, path, f"{getattr(days, 'from')}..{days.to}", "from before to", "is empty")


@lru_cache(maxsize=_REMEMBERED)
def _check_budget(serialised: bytes, top_k: int, candidate_k: int) -> None:
    """Check a PlanBudget, serialised: callers send the same one with each request. Whatever raises is checked anew."""
    budget = PlanBudget.FromString(serialised)
    check_range("plan.budget.top_k", budget.top_k, 0, top_k)
    check_range("plan.budget.candidate_k", budget.candidate_k, 0, candidate_k)
    for mode in MODES:
        check_range(f"plan.budget.per_mode_k.{mode}", getattr(budget.per_mode_k, mode), 0, top_k)
    for origin in ("by_document", "by_source", "by_section"):
        check_range(f"plan.budget.diversity.{origin}", getattr(budget.diversity, origin), 0, top_k)


def _named_in(ranking: PlanRanking) -> tuple[tuple[str, Collection[str]], ...]:
    """Return (path, names) of the maps of a PlanRanking, whose names a caller chooses."""
    return ("fusion.weights", ranking.fusion.weights), ("source_priority", ranking.source_priority)


@lru_cache(maxsize=_REMEMBERED)
def _check_ranking(serialised: bytes, longest: int) -> None:
    """Check a PlanRanking, as `_check_budget`. longest: characters of a name."""
    ranking = PlanRanking.FromString(serialised)
    for path, named in _named_in(ranking):
        for name in named:
            check_length(f"plan.ranking.{path}[{name}]", name, longest)
    check_word("plan.ranking.fusion.method", ranking.fusion.method, FUSIONS)
    check_range("plan.ranking.fusion.rrf_k", ranking.fusion.rrf_k, 0, 1_000_000)
    for name, weight in ranking.fusion.weights.items():
        check_range(f"plan.ranking.fusion.weights[{name}]", weight, 0, 1000)
    check_word("plan.ranking.rerank.model", ranking.rerank.model, RANKERS)
    check_range("plan.ranking.rerank.top_n", ranking.rerank.top_n, 0, 10_000)
    check_word("plan.ranking.tie_breaker", ranking.tie_breaker, TIE_BREAKERS)
