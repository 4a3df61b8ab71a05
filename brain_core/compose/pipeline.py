"""ComposeContext, step by step: plan → embed → [at one revision: pinned, recent, search] → package.

Steps write nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core.compose.check import VERSION
from brain_core.compose.package import Material, assemble, check_fits, pinned_rows
from brain_core.compose.plan import completed, plan_message
from brain_core.compose.retrieve import Asked, Found, execute
from brain_core.env import Env
from brain_core.index.memory_index import MemoryIndex
from brain_core.models.embedder import Embedder
from brain_core.policy import Policies
from brain_core.store.events import newest_turns
from brain_core.store.kv import ReadView
from brain_core.store.log import read_chunks

_PURE_RELEVANCE = 1.0
_MOST_SPARE = 16


@dataclass(frozen=True, slots=True)
class Composing:
    """A checked request with all that is worked out before the memory is looked at.

    limit: most tokens. most: most pieces of evidence.
    """

    request: ComposeContextRequest
    limit: int
    most: int
    asked: Asked
    began: float


def prepare_compose(request: ComposeContextRequest, policies: Policies, embedder: Embedder, env: Env) -> Composing:
    """Plan and embed. Raises InvalidArgument if the user message alone is over the token limit."""
    began = time.perf_counter()
    limit = request.token_limit or policies.composition.token_limit
    check_fits(request.user_message, limit)
    plan = request.plan if request.HasField("plan") else plan_message(request, policies)
    most = plan.budget.top_k or policies.composition.evidence_max_items
    now_us = request.now.ToMicroseconds() if request.HasField("now") else None
    asked = _asked(plan, policies, embedder, env, now_us, policies.composition.mmr_trade)
    return Composing(request, limit, most, asked, began)


def prepare_retrieve(request: RetrieveRequest, policies: Policies, embedder: Embedder, env: Env) -> Asked:
    """Complete the plan of a checked request and embed its queries."""
    return _asked(request.plan, policies, embedder, env, None, _PURE_RELEVANCE)


def _asked(
    plan: RetrievalPlan, policies: Policies, embedder: Embedder, env: Env, now_us: int | None, trade: float
) -> Asked:
    at = Timestamp()
    at.FromMicroseconds(env.now_us())
    full = completed(plan, env.new_id(), policies)
    return Asked(full, env.new_id(), _vectors(full, embedder), at, now_us, trade)


def _vectors(plan: RetrievalPlan, embedder: Embedder) -> NDArray[np.float32]:
    return embedder.embed([query.text for query in plan.queries])


def gather(index: MemoryIndex, view: ReadView, composing: Composing, policies: Policies) -> Material:
    """Read and search all that may go in, at one revision. The caller holds the memory's lock."""
    request, composition = composing.request, policies.composition
    rows = pinned_rows(index, composition.pinned_max_priority)
    turns = newest_turns(view, request.memory_id, request.session_id, composition.recent_turns_max)
    elsewhere = len(rows) + sum(len(turn.events.messages) for turn in turns)
    asked = replace(composing.asked, spare=min(elsewhere, _MOST_SPARE))
    return Material(
        user_message=request.user_message,
        most=composing.most,
        pinned=read_chunks(view, request.memory_id, rows),
        turns=turns,
        found=execute(index, view, request.memory_id, asked, policies),
    )


def compose(composing: Composing, material: Material, policies: Policies, env: Env) -> ContextPackage:
    """Return the package."""
    request, asked, found = composing.request, composing.asked, material.found
    package = ContextPackage(
        version=VERSION, context_id=env.new_id(), session_id=request.session_id, created_at=asked.at
    )
    before = time.perf_counter()
    assemble(package, request.memory_id, material, composing.limit, policies.composition)
    _debug(package, request, asked, found)
    timings = {
        **found.timings_ms,
        "package": (time.perf_counter() - before) * 1000,
        "total": (time.perf_counter() - composing.began) * 1000,
    }
    for stage, spent in timings.items():
        package.debug.timings_ms[stage] = spent
    if not policies.observability.trace:
        _without_trace(package)
    return package


def _debug(package: ContextPackage, request: ComposeContextRequest, asked: Asked, found: Found) -> None:
    debug = package.debug
    debug.planner.intent = asked.plan.purpose
    debug.planner.reason = (
        "plan given by the caller" if request.HasField("plan") else "the message as one hybrid query over memory"
    )
    debug.planner.queries.extend(asked.plan.queries)
    debug.dropped.extend(found.pack.explain.dropped)
    debug.ignored.extend([*found.pack.explain.ignored_fields, *found.pack.warnings, *_unused(request)])
    debug.trace_ids.extend([found.pack.plan_id, found.pack.request_id])


def _unused(request: ComposeContextRequest) -> Sequence[str]:
    return ["agent_state: it changes nothing in this version"] if request.HasField("agent_state") else []


def _without_trace(package: ContextPackage) -> None:
    del package.debug.dropped[:]
    package.debug.timings_ms.clear()
    package.debug.ignored.append("dropped and timings_ms: policies.observability.trace is off")
