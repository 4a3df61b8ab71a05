"""ComposeContext and Retrieve: [at one revision: plan] → embed → [at one revision: search, select, package].

Steps write nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ComposeContextResponse
from smartbrain.v1.context_pb2 import ContextDebug, ContextPackage
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core.compose.check import VERSION
from brain_core.compose.evidence import build_pack
from brain_core.compose.package import Material, assemble, check_fits, pinned_rows
from brain_core.compose.plan import Planned, completed
from brain_core.compose.retrieve import Asked, Found, execute
from brain_core.compose.slots import SlotCounter
from brain_core.compose.summary import read_summary
from brain_core.env import Env
from brain_core.index.memory_index import MemoryIndex
from brain_core.models.embedder import Embedder
from brain_core.policy import Policies
from brain_core.store.core import read_core
from brain_core.store.events import newest_turns
from brain_core.store.kv import ReadView
from brain_core.store.log import read_chunks

_PURE_RELEVANCE = 1.0
_MOST_SPARE = 16
_DROPPED_FIELD = ContextDebug.DESCRIPTOR.fields_by_name["dropped"].number


@dataclass(frozen=True, slots=True)
class Composing:
    """A checked request with all that is worked out before the memory is looked at.

    limit: most tokens. most: most pieces of evidence. planned: the plan as it was made or given.
    """

    request: ComposeContextRequest
    limit: int
    most: int
    asked: Asked
    planned: Planned
    began: float
    counter: SlotCounter


def prepare_compose(
    request: ComposeContextRequest,
    policies: Policies,
    embedder: Embedder,
    env: Env,
    counter: SlotCounter,
    due: float | None,
    planner: Callable[[], Planned],
) -> Composing:
    """Plan and embed. Raises InvalidArgument if the user message alone is over the token limit.

    planner: looks at the memory, and is not asked where the request has a plan.
    """
    began = time.perf_counter()
    limit = request.token_limit or policies.composition.token_limit
    check_fits(request.user_message, limit, counter)
    planned = Planned(request.plan, "plan given by the caller") if request.HasField("plan") else planner()
    plan = planned.plan
    most = plan.budget.top_k or policies.composition.evidence_max_items
    now_us = request.now.ToMicroseconds() if request.HasField("now") else None
    asked = _asked(plan, policies, embedder, env)
    asked = replace(asked, now_us=now_us, trade=policies.composition.mmr_trade, due=due)
    return Composing(request, limit, most, asked, planned, began, counter)


def prepare_retrieve(
    request: RetrieveRequest, policies: Policies, embedder: Embedder, env: Env, due: float | None
) -> Asked:
    """Complete the plan of a checked request and embed its queries."""
    return replace(_asked(request.plan, policies, embedder, env), due=due)


def _asked(plan: RetrievalPlan, policies: Policies, embedder: Embedder, env: Env) -> Asked:
    at = Timestamp()
    at.FromMicroseconds(env.now_us())
    full = completed(plan, env.new_id(), policies)
    return Asked(full, env.new_id(), _vectors(full, embedder), at, None, _PURE_RELEVANCE)


def _vectors(plan: RetrievalPlan, embedder: Embedder) -> NDArray[np.float32]:
    """Return a vector per query; a text that stands in several is embedded once."""
    if len(plan.queries) == 1:
        return embedder.embed([plan.queries[0].text])
    texts = list(dict.fromkeys(query.text for query in plan.queries))
    vectors = embedder.embed(texts)
    return vectors[[texts.index(query.text) for query in plan.queries]]


def retrieve(index: MemoryIndex, asked: Asked, policies: Policies) -> EvidencePack:
    """Return the pack of a plan. The caller holds the memory's lock."""
    began = time.perf_counter()
    found = execute(index, asked, policies)
    pack = build_pack(found, index.chunks.records)
    pack.stats.took_ms = (time.perf_counter() - began) * 1000
    return pack


def compose(
    index: MemoryIndex, view: ReadView, composing: Composing, policies: Policies, env: Env
) -> tuple[ComposeContextResponse, Asked]:
    """Return (the answer, of what the memory is at one revision; what was asked of it, as it was carried out).

    The caller holds the memory's lock.
    """
    request = composing.request
    material = _gather(index, view, composing, policies)
    found = material.found
    response = ComposeContextResponse(revision=index.revision)
    package = response.context  # filled in place: a package is large to copy
    package.version, package.context_id, package.session_id = VERSION, env.new_id(), request.session_id
    package.created_at.CopyFrom(found.asked.at)
    before = time.perf_counter()
    stands = assemble(package, request.memory_id, material, composing.limit, policies.composition)
    _debug(package, request, found, composing.planned.reason)
    drops = found.selection.drops.without(stands)
    package.debug.MergeFromString(drops.serialised(index.chunks.records, _DROPPED_FIELD))
    package.debug.dropped.extend(found.selection.beyond)
    timings = {
        **found.timings_ms,
        "package": (time.perf_counter() - before) * 1000,
        "total": (time.perf_counter() - composing.began) * 1000,
    }
    for stage, spent in timings.items():
        package.debug.timings_ms[stage] = spent
    if not policies.observability.trace:
        _without_trace(package)
    return response, found.asked


def _gather(index: MemoryIndex, view: ReadView, composing: Composing, policies: Policies) -> Material:
    request, composition = composing.request, policies.composition

    pinned = read_core(view, request.memory_id, composition.pinned_max_priority)
    if pinned is None:
        rows = pinned_rows(index.chunks, composition.pinned_max_priority)
        pinned = read_chunks(view, request.memory_id, rows)
    now_us = index.chunks.newest_us if composing.asked.now_us is None else composing.asked.now_us
    pinned = [chunk for chunk in pinned if not 0 < chunk.ends_us <= now_us]
    turns = newest_turns(view, request.memory_id, request.session_id, composition.recent_turns_max)
    elsewhere = len(pinned) + sum(len(turn.events.messages) for turn in turns)
    asked = replace(composing.asked, spare=min(elsewhere, _MOST_SPARE))
    return Material(
        user_message=request.user_message,
        most=composing.most,
        pinned=pinned,
        turns=turns,
        found=execute(index, asked, policies),
        chunks=index.chunks,
        counter=composing.counter,
        summary=read_summary(view, index.chunks, request.memory_id, request.session_id),
    )


def _debug(package: ContextPackage, request: ComposeContextRequest, found: Found, why: str) -> None:
    debug, asked = package.debug, found.asked
    debug.planner.intent = asked.plan.purpose
    debug.planner.reason = why
    debug.planner.queries.extend(asked.plan.queries)
    debug.ignored.extend([*found.ignored, *found.warnings, *_unused(request)])
    debug.trace_ids.extend([asked.plan_id, asked.plan.request_id])


def _unused(request: ComposeContextRequest) -> Sequence[str]:
    unused = ["agent_state: it changes nothing in this version"] if request.HasField("agent_state") else []
    if request.plan.output.include_raw:
        unused.append("output.include_raw: a package has no raw content; Retrieve has")
    return unused


def _without_trace(package: ContextPackage) -> None:
    del package.debug.dropped[:]
    package.debug.timings_ms.clear()
    package.debug.ignored.append("dropped and timings_ms: policies.observability.trace is off")
