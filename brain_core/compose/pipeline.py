"""ComposeContext and Retrieve at one revision of the memory: search, select, package; `prepare.py` comes before.

Steps write nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date, tzinfo
from typing import NamedTuple

from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.context_pb2 import PlannerDebug
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest, RetrieveResponse

from brain_core.compose import agent
from brain_core.compose.among import merge
from brain_core.compose.blocks import Pinned, pinned_in, pinned_of, pinned_rows, sure
from brain_core.compose.check import VERSION
from brain_core.compose.degrade import ADVISER, EXECUTOR
from brain_core.compose.draft import Draft, as_field
from brain_core.compose.drops import SELECTION
from brain_core.compose.evidence import build_pack, expansions
from brain_core.compose.expiry import in_force
from brain_core.compose.labels import read_labels
from brain_core.compose.material import Material
from brain_core.compose.package import assemble
from brain_core.compose.prepare import Composing, Retrieving
from brain_core.compose.recent import NO_ROOM
from brain_core.compose.retrieve import Asked, Found, ends_by, execute, matching_nothing
from brain_core.compose.said import SaidTurn
from brain_core.compose.summary import read_summary
from brain_core.compose.then import Then, known_then, moment_of, status_of, turns_at
from brain_core.compose.validate import make_passable
from brain_core.env import Env
from brain_core.index.memory_index import MemoryIndex
from brain_core.index.records import Records
from brain_core.policy import Composition, Observability, Policies
from brain_core.store.core import core_record
from brain_core.store.kv import ReadView
from brain_core.store.log import read_chunks
from brain_core.zones import day_at

_MOST_SPARE = 32
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_PACK_FIELD = RetrieveResponse.DESCRIPTOR.fields_by_name["pack"].number
_EXPANSIONS_FIELD = PlannerDebug.DESCRIPTOR.fields_by_name["expansions"].number


class Composed(NamedTuple):
    """A package, what was asked for it, as it was carried out, and the revision that it is of."""

    draft: Draft
    asked: Asked
    revision: int


class Retrieved(NamedTuple):
    """The answer of a Retrieve, serialised. told: its pack, for counting: maybe without plan, evidences and explain."""

    told: EvidencePack
    response: bytes


def retrieve(
    index: MemoryIndex,
    view: ReadView,
    request: RetrieveRequest,
    retrieving: Retrieving,
    policies: Policies,
    zone: tzinfo,
) -> Retrieved:
    """Answer a request whose plan is completed as asked. The caller holds the memory's lock. zone: as in Asked."""
    began = time.perf_counter()
    asked = retrieving.asked._replace(zone=zone)
    if request.as_of.WhichOneof("moment"):
        asked = asked._replace(then=known_then(view, request.memory_id, index.chunks, request.as_of))
    found = execute(index, asked, policies, read_labels(view, request.memory_id, asked.plan))
    pack = build_pack(found, index.chunks)
    told = pack.told
    told.warnings.extend(matching_nothing(found.ranking))
    if asked.plan.debug.trace:
        pack.explain.ignored_fields.append("debug.trace: nothing of a Retrieve is kept, this pack is its trace")
    among = retrieving.asked_by or retrieving.others.gathered.asked
    if among:
        told = _among_others(pack.whole(), index, found, request.memory_id, retrieving, policies)
    told.stats.took_ms = (time.perf_counter() - began) * 1000
    parts = (told.SerializeToString(),) if among else pack.parts()
    response = RetrieveResponse()
    response.revision = index.revision if asked.then is None else asked.then.revision
    return Retrieved(told, b"".join((*as_field(_PACK_FIELD, parts), response.SerializeToString())))


def _among_others(
    pack: EvidencePack, index: MemoryIndex, found: Found, memory_id: str, retrieving: Retrieving, policies: Policies
) -> EvidencePack:
    """Return a pack as another brain may have it, and with what others found."""
    others = retrieving.others
    if retrieving.asked_by:
        for evidence in pack.evidences:
            make_passable(evidence, memory_id)
    if others.gathered.asked:
        merge(pack, others.beside(found, index, policies.ranking), found)
        pack.explain.ignored_fields[:] = others.ignored(found)
        pack.warnings.extend([*others.gathered.warnings, *others.gathered.notes])
        pack.degraded.extend([EXECUTOR] if others.gathered.warnings else [])
    return pack


def compose(
    index: MemoryIndex, view: ReadView, composing: Composing, policies: Policies, env: Env, zone: tzinfo
) -> Composed:
    """Return the answer, of what the memory is at one revision.

    zone: where the user is. The caller holds the memory's lock.
    """
    request = composing.request
    material = _gather(index, view, composing, policies, zone)
    found = material.found
    then = found.asked.then
    draft = Draft(index.chunks.records)
    package = draft.package
    package.version, package.context_id, package.session_id = VERSION, env.new_id(), request.session_id
    package.created_at.CopyFrom(found.asked.at)
    if composing.tells_today and found.asked.now_us is not None:
        package.today = _dated(day_at(found.asked.now_us, zone))
    before = time.perf_counter()
    stands = assemble(draft, material, composing.limit, policies.composition)
    _debug(draft, composing, found, policies)
    _drops(draft, found, stands, index.chunks.records)
    draft.timings_ms = {
        **composing.timings_ms,
        **composing.others.gathered.waits_ms,
        **found.timings_ms,
        "package": (time.perf_counter() - before) * 1000,
        "total": (time.perf_counter() - composing.began) * 1000,
    }
    return Composed(draft, found.asked, index.revision if then is None else then.revision)


def _dated(day: date) -> str:
    return f"{day.isoformat()} ({_WEEKDAYS[day.weekday()]})"


def _gather(index: MemoryIndex, view: ReadView, composing: Composing, policies: Policies, zone: tzinfo) -> Material:
    request, composition = composing.request, policies.composition

    then, turns = _session(index, view, composing, composition.recent_turns_max)
    pinned = _pinned(index, view, request, then, composition)
    newest_us = index.chunks.newest_us if then is None else then.newest_us
    ends_by_us = ends_by(composing.asked._replace(then=then), newest_us)
    pinned, ended = in_force(pinned, ends_by_us, zone)
    elsewhere = len(pinned.blocks) + sum(len(turn.messages) for turn in turns)
    # As many again, for those that join a piece of their session and so leave room for another one.
    spare = min(elsewhere, _MOST_SPARE) + composing.most
    asked = composing.asked._replace(then=then, spare=spare, ends_by_us=ends_by_us, zone=zone)
    found = execute(index, asked, policies, read_labels(view, request.memory_id, asked.plan))
    return Material(
        user_message=request.user_message,
        said_cost=composing.said_cost,
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


def _pinned(
    index: MemoryIndex, view: ReadView, request: ComposeContextRequest, then: Then | None, policy: Composition
) -> Pinned:
    """Return the items that every context of a memory carries, or carried at a moment."""
    record = core_record(view, request.memory_id) if then is None else None
    pinned = pinned_in(record, policy) if record is not None else None
    if pinned is not None:
        return pinned
    rows = pinned_rows(index.chunks, status_of(index.chunks, then), policy.pinned_max_priority)
    return pinned_of(sure(read_chunks(view, request.memory_id, rows), policy.pinned_min_confidence))


def _debug(draft: Draft, composing: Composing, found: Found, policies: Policies) -> None:
    debug, planner, asked, others = draft.debug, draft.planner, found.asked, composing.others
    planner.intent = asked.plan.purpose
    planner.reason = composing.why
    if asked.then is not None:
        planner.reason += f"; as of revision {asked.then.revision}"
    planner.queries.extend(asked.plan.queries)
    draft.expanded = expansions(found.ranking, _EXPANSIONS_FIELD)
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


def _drops(draft: Draft, found: Found, stands: Sequence[int], records: Records) -> None:
    """Name and count what the selection left out. stands: rows that went in all the same, beside a hit."""
    drops = found.selection.drops.without(set(stands))
    if NO_ROOM in draft.dropped_counts:  # of messages, which may have been candidates, too
        drops = drops.unnamed(draft.dropped_ids(), records)
    draft.drop_rows(drops.rows, drops.told())
    if found.selection.beyond:
        draft.drop_each(found.selection.beyond)
    for reason, count in drops.counts():
        draft.count_dropped(SELECTION, reason, count)
    for beyond in found.selection.beyond:
        draft.count_dropped(SELECTION, beyond.reason, beyond.count or 1)


def _unused(request: ComposeContextRequest, plan: RetrievalPlan, policy: Observability) -> Sequence[str]:
    unused = agent.ignored(request.agent_state, plan) if request.HasField("agent_state") else []
    if request.plan.output.include_raw:
        unused.append("output.include_raw: a package has no raw content; Retrieve has")
    if request.plan.debug.trace and not policy.store_contexts:
        unused.append("debug.trace: policies.observability.store_contexts is off")
    return unused
