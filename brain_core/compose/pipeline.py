"""ComposeContext and Retrieve: [at one revision: plan] → embed → [at one revision: search, select, package].

Steps write nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ComposeContextResponse
from smartbrain.v1.context_pb2 import ContextDebug, ContextPackage
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest, RetrieveResponse

from brain_core.compose import agent
from brain_core.compose.among import merge
from brain_core.compose.blocks import pinned_rows, sure
from brain_core.compose.check import HINTED, VERSION
from brain_core.compose.degrade import ADVISER, EXECUTOR
from brain_core.compose.drops import SELECTION, count_dropped
from brain_core.compose.evidence import build_pack, expansions
from brain_core.compose.executors import NOBODY, Reach
from brain_core.compose.expiry import in_force
from brain_core.compose.foreign import Others, receive
from brain_core.compose.labels import read_labels
from brain_core.compose.package import Material, assemble, check_fits
from brain_core.compose.plan import Planned, completed, most_pieces
from brain_core.compose.ratio import Ratio
from brain_core.compose.recent import NO_ROOM
from brain_core.compose.retrieve import Asked, Found, ends_by, execute, matching_nothing
from brain_core.compose.said import SaidTurn
from brain_core.compose.slots import SlotCounter
from brain_core.compose.summary import read_summary
from brain_core.compose.then import Then, known_then, moment_of, status_of, turns_at
from brain_core.compose.validate import make_passable
from brain_core.env import Env
from brain_core.index.memory_index import MemoryIndex
from brain_core.index.records import Records
from brain_core.models.embedder import Embedder
from brain_core.policy import Composition, Observability, Policies
from brain_core.store.core import read_core
from brain_core.store.kv import ReadView
from brain_core.store.log import read_chunks
from brain_core.store.v1.records_pb2 import ChunkRecord
from brain_core.zones import day_at

_PURE_RELEVANCE = 1.0
_MOST_SPARE = 32
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_LEAST = float(np.finfo(np.float32).tiny)
_DROPPED_FIELD = ContextDebug.DESCRIPTOR.fields_by_name["dropped"].number


@dataclass(frozen=True, slots=True)
class Composing:
    """A checked request with all that is worked out before the memory is looked at.

    limit: most tokens. said_tokens: what the user message costs. most: most pieces of evidence. planned: the plan as it
    was made or given. why: of the plan, in words. timings_ms: of the stages so far. tells_today: whether the package is
    to say which day it is.
    """

    request: ComposeContextRequest
    limit: int
    said_tokens: int
    most: int
    asked: Asked
    others: Others
    planned: Planned
    why: str
    began: float
    timings_ms: dict[str, float]
    counter: SlotCounter
    tells_today: bool


@dataclass(frozen=True, slots=True)
class Retrieving:
    """A checked plan, completed, with what others answered to it. asked_by: as in executors.Reach."""

    asked: Asked
    others: Others
    asked_by: str


def prepare_compose(
    request: ComposeContextRequest,
    policies: Policies,
    embedder: Embedder,
    env: Env,
    counter: SlotCounter,
    reach: Reach,
    planner: Callable[[], Planned],
) -> Composing:
    """Plan, ask others and embed. Raises InvalidArgument if the user message alone is over the token limit.

    planner: looks at the memory, and is not asked where the request has a plan.
    """
    began = time.perf_counter()
    limit = request.token_limit or policies.composition.token_limit
    said_tokens = check_fits(request.user_message, limit, counter)
    timings: dict[str, float] = {}
    if request.HasField("plan"):
        planned = Planned(request.plan, "plan given by the caller")
    else:
        planned = planner()
        timings["plan"] = (time.perf_counter() - began) * 1000
        if planned.advice is not None:
            timings["plan.llm"] = planned.advice.waited_ms
            timings["plan"] -= planned.advice.waited_ms
    plan = planned.plan
    most = plan.budget.top_k or most_pieces(request.token_limit, policies.composition)
    now_us = request.now.ToMicroseconds() if request.HasField("now") else None
    asked, others, timings["embed"] = _asked(request.memory_id, plan, policies, embedder, env, reach)
    ratio = Ratio.of(policies.composition.diversity, most)
    asked = asked._replace(now_us=now_us, ends_by_us=now_us, trade=policies.composition.mmr_trade, ratio=ratio)
    why = [planned.reason]
    if request.HasField("agent_state"):
        why += agent.told(request.agent_state, plan, most, policies)
    why_so = "; ".join(why)
    # Without a `now` it is the day of the newest text, which says nothing of when the user asks.
    tells = now_us is not None
    return Composing(request, limit, said_tokens, most, asked, others, planned, why_so, began, timings, counter, tells)


def prepare_retrieve(
    request: RetrieveRequest, policies: Policies, embedder: Embedder, env: Env, reach: Reach
) -> Retrieving:
    """Complete the plan of a checked request, ask others and embed its queries."""
    asked, others, _ = _asked(request.memory_id, request.plan, policies, embedder, env, reach)
    return Retrieving(asked, others, reach.asked_by)


def _asked(
    memory_id: str, plan: RetrievalPlan, policies: Policies, embedder: Embedder, env: Env, reach: Reach
) -> tuple[Asked, Others, float]:
    """Return (what the memory is asked, what others answered meanwhile, the milliseconds that embedding took).

    They are waited for before the search, which holds the memory's lock.
    """
    at = Timestamp()
    at.FromMicroseconds(env.now_us())
    full = completed(plan, env.new_id(), policies)
    asking = reach.ask(memory_id, full) if reach.members else None
    began = time.perf_counter()
    vectors = _vectors(full, embedder, policies.retrieval.hints.meaning)
    embedded = time.perf_counter()
    gathered = asking.collect() if asking else NOBODY
    received = time.perf_counter()
    guests = receive(gathered, vectors, embedder) if gathered.answers else ()
    embed_ms = (embedded - began + time.perf_counter() - received) * 1000
    asked = Asked(full, env.new_id(), vectors, at, None, _PURE_RELEVANCE, reach.due)
    return asked, Others(gathered, guests, full), embed_ms


def _vectors(plan: RetrievalPlan, embedder: Embedder, share: float) -> NDArray[np.float32]:
    """Return a vector per query; a text that stands in several is embedded once. share: of hints, beside 1 of the text.

    What has hints and no vector of its own has that of its hints.
    """
    hints = ["\n".join(query.hints) if query.mode in HINTED else "" for query in plan.queries]
    if len(plan.queries) == 1 and not hints[0]:
        return embedder.embed([plan.queries[0].text])
    texts = dict.fromkeys([*(query.text for query in plan.queries), *filter(None, hints)])
    vectors = embedder.embed(list(texts))
    places = {text: place for place, text in enumerate(texts)}
    found = vectors[[places[query.text] for query in plan.queries]]
    for number, hint in enumerate(hints):
        if hint:
            turned = found[number] + share * vectors[places[hint]]
            found[number] = turned / max(float(np.sqrt(turned @ turned)), _LEAST)
    return found


def retrieve(
    index: MemoryIndex,
    view: ReadView,
    request: RetrieveRequest,
    retrieving: Retrieving,
    policies: Policies,
    zone: tzinfo,
) -> RetrieveResponse:
    """Answer a request whose plan is completed as asked. The caller holds the memory's lock. zone: as in Asked."""
    began = time.perf_counter()
    asked, others = retrieving.asked._replace(zone=zone), retrieving.others
    if request.as_of.WhichOneof("moment"):
        asked = asked._replace(then=known_then(view, request.memory_id, index.chunks, request.as_of))
    found = execute(index, asked, policies, read_labels(view, request.memory_id, asked.plan))
    pack = build_pack(found, index.chunks)
    pack.warnings.extend(matching_nothing(found.ranking))
    if asked.plan.debug.trace:
        pack.explain.ignored_fields.append("debug.trace: nothing of a Retrieve is kept, this pack is its trace")
    if retrieving.asked_by:
        for evidence in pack.evidences:
            make_passable(evidence, request.memory_id)
    if others.gathered.asked:
        merge(pack, others.beside(found, index, policies.ranking), found)
        pack.explain.ignored_fields[:] = others.ignored(found)
        pack.warnings.extend([*others.gathered.warnings, *others.gathered.notes])
        pack.degraded.extend([EXECUTOR] if others.gathered.warnings else [])
    pack.stats.took_ms = (time.perf_counter() - began) * 1000
    return RetrieveResponse(pack=pack, revision=index.revision if asked.then is None else asked.then.revision)


def compose(
    index: MemoryIndex, view: ReadView, composing: Composing, policies: Policies, env: Env, zone: tzinfo
) -> tuple[ComposeContextResponse, Asked]:
    """Return (the answer, of what the memory is at one revision; what was asked of it, as it was carried out).

    zone: where the user is. The caller holds the memory's lock.
    """
    request = composing.request
    material = _gather(index, view, composing, policies, zone)
    found = material.found
    then = found.asked.then
    response = ComposeContextResponse(revision=index.revision if then is None else then.revision)
    package = response.context  # filled in place: a package is large to copy
    package.version, package.context_id, package.session_id = VERSION, env.new_id(), request.session_id
    package.created_at.CopyFrom(found.asked.at)
    if composing.tells_today and found.asked.now_us is not None:
        package.today = _dated(day_at(found.asked.now_us, zone))
    before = time.perf_counter()
    stands = assemble(package, material, composing.limit, policies.composition)
    _debug(package, composing, found, policies)
    _drops(package.debug, found, stands, index.chunks.records)
    timings = {
        **composing.timings_ms,
        **composing.others.gathered.waits_ms,
        **found.timings_ms,
        "package": (time.perf_counter() - before) * 1000,
        "total": (time.perf_counter() - composing.began) * 1000,
    }
    for stage, spent in timings.items():
        package.debug.timings_ms[stage] = spent
    return response, found.asked


def _dated(day: date) -> str:
    return f"{day.isoformat()} ({_WEEKDAYS[day.weekday()]})"


def _gather(index: MemoryIndex, view: ReadView, composing: Composing, policies: Policies, zone: tzinfo) -> Material:
    request, composition = composing.request, policies.composition

    then, turns = _session(index, view, composing, composition.recent_turns_max)
    pinned = sure(_core(index, view, request, then, composition), composition.pinned_min_confidence)
    newest_us = index.chunks.newest_us if then is None else then.newest_us
    ends_by_us = ends_by(composing.asked._replace(then=then), newest_us)
    pinned, ended = in_force(pinned, ends_by_us, zone)
    elsewhere = len(pinned) + sum(len(turn.messages) for turn in turns)
    # As many again, for those that join a piece of their session and so leave room for another one.
    spare = min(elsewhere, _MOST_SPARE) + composing.most
    asked = composing.asked._replace(then=then, spare=spare, ends_by_us=ends_by_us, zone=zone)
    found = execute(index, asked, policies, read_labels(view, request.memory_id, asked.plan))
    return Material(
        user_message=request.user_message,
        said_tokens=composing.said_tokens,
        most=composing.most,
        pinned=pinned,
        ended=ended,
        turns=turns,
        found=found,
        chunks=index.chunks,
        counter=composing.counter,
        speakers=index.speakers,
        summary=read_summary(view, index.chunks, request.memory_id, request.session_id, ends_by_us, then),
        foreign=composing.others.beside(found, index, policies.ranking),
    )


def _session(
    index: MemoryIndex, view: ReadView, composing: Composing, most: int
) -> tuple[Then | None, Sequence[SaidTurn]]:
    """Return (the moment asked for, the session's newest turns), as the planner has them if it saw this revision."""
    planned, request = composing.planned, composing.request
    if planned.turns is None or planned.revision != index.revision:
        then = moment_of(view, request, index.chunks)
        return then, turns_at(view, request, most, then)
    return planned.then, planned.turns()[-most:] if most else []


def _core(
    index: MemoryIndex, view: ReadView, request: ComposeContextRequest, then: Then | None, policy: Composition
) -> Sequence[ChunkRecord]:
    """Return the chunks of the items that every context of a memory carries, or carried at a moment."""
    core = read_core(view, request.memory_id, policy.pinned_max_priority) if then is None else None
    if core is not None:
        return core
    rows = pinned_rows(index.chunks, status_of(index.chunks, then), policy.pinned_max_priority)
    return read_chunks(view, request.memory_id, rows)


def _debug(package: ContextPackage, composing: Composing, found: Found, policies: Policies) -> None:
    debug, asked, others = package.debug, found.asked, composing.others
    debug.planner.intent = asked.plan.purpose
    debug.planner.reason = composing.why
    if asked.then is not None:
        debug.planner.reason += f"; as of revision {asked.then.revision}"
    debug.planner.queries.extend(asked.plan.queries)
    debug.planner.expansions.extend(expansions(found.ranking))
    ignored = [*others.ignored(found), *found.warnings, *others.gathered.warnings, *others.gathered.notes]
    if composing.request.HasField("plan"):
        ignored += matching_nothing(found.ranking)
    debug.ignored.extend([*ignored, *_unused(composing.request, asked.plan, policies.observability)])
    debug.degraded.extend([*found.degraded, EXECUTOR] if others.gathered.warnings else found.degraded)
    advice = composing.planned.advice
    if advice is not None:
        debug.ignored.extend(advice.ignored)
        debug.degraded.extend([] if advice.given else [ADVISER])
    debug.trace_ids.extend([asked.plan_id, asked.plan.request_id, *others.gathered.trace_ids])


def _drops(debug: ContextDebug, found: Found, stands: Sequence[int], records: Records) -> None:
    """Name and count what the selection left out. stands: rows that went in all the same, beside a hit."""
    drops = found.selection.drops.without(stands)
    if NO_ROOM in debug.dropped_counts:  # of messages, which may have been candidates, too
        drops = drops.unnamed(debug, records)
    debug.MergeFromString(drops.serialised(records, _DROPPED_FIELD))
    debug.dropped.extend(found.selection.beyond)
    for reason, count in drops.counts():
        count_dropped(debug, SELECTION, reason, count)
    for beyond in found.selection.beyond:
        count_dropped(debug, SELECTION, beyond.reason, beyond.count or 1)


def _unused(request: ComposeContextRequest, plan: RetrievalPlan, policy: Observability) -> Sequence[str]:
    unused = agent.ignored(request.agent_state, plan) if request.HasField("agent_state") else []
    if request.plan.output.include_raw:
        unused.append("output.include_raw: a package has no raw content; Retrieve has")
    if request.plan.debug.trace and not policy.store_contexts:
        unused.append("debug.trace: policies.observability.store_contexts is off")
    return unused
