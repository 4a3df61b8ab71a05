"""A stored context as it is composed again: what is kept of it for that, and what of it is taken over.

Two packages are comparable where `now` is that of then. The plan is the caller's, else the planner's of today; where a
deadline cut it, a model advised it or a commit landed between plan and search, it is the stored one. What a deadline
left out is left out again, and where all vectors were looked at, they are again. Policy and embedder are those of now,
and each section that has changed is named. Other executors are not asked again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ComposeContextResponse, ReplayResponse

from brain_core.compose.executors import MARK, Reach
from brain_core.compose.plan import Planned
from brain_core.compose.prepare import Composing, prepare_compose
from brain_core.compose.replay import comparable, differences
from brain_core.compose.retrieve import Asked
from brain_core.compose.since import Reasons, Since
from brain_core.compose.slots import SlotCounter
from brain_core.env import Env
from brain_core.items.moment import revision_at
from brain_core.models.embedder import Embedder
from brain_core.policy import Policies
from brain_core.store.kv import ReadView
from brain_core.store.v1.records_pb2 import ContextRecord

_FELT = ("retrieval", "ranking", "composition", "observability")
_HASH_CHARS = 16
_ALWAYS_WAS = {"timezone": "UTC"}
"""What the releases went by that did not store it."""


def made_under(policies: Policies, embedder: Embedder, zone: tzinfo) -> Mapping[str, str]:
    """Return by name what a context depends on: a hash of each section and of the embedder, and the server's zone."""
    sections = {f"policies.{name}": _hash(getattr(policies, name).model_dump_json()) for name in _FELT}
    return {**sections, "embedder": _hash(f"{embedder.name} {embedder.fingerprint}"), "timezone": str(zone)}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH_CHARS]


def record_of(composing: Composing, asked: Asked, response: bytes, policies: Policies) -> ContextRecord:
    """Return what is kept of a compose, without what it was made under. asked: as it was carried out.

    response: serialised ComposeContextResponse.
    """
    return ContextRecord(
        request=composing.request,
        plan=asked.plan if policies.observability.store_plans else None,
        response=response,
        now_us=asked.now_us,
        left_ms=asked.left_ms,
        planned_at=composing.planned.revision,
        codes_of=asked.codes_of,
        ends_by_us=asked.ends_by_us,
        advised=composing.planned.advice is not None,
    )


@dataclass(frozen=True, slots=True)
class Again:
    """A stored context and how it is composed again.

    answer: as it was given. request: with the `now` of then. planned: the plan to carry out, None asks the planner.
    left_ms, codes_of, ends_by_us: as in Asked. plan_source: caller, planner or stored. notes: what a reader must know.
    """

    answer: ComposeContextResponse
    request: ComposeContextRequest
    planned: Planned | None
    left_ms: float | None
    codes_of: int | None
    ends_by_us: int | None
    plan_source: str
    notes: list[str]


def again(record: ContextRecord, under: Mapping[str, str], view: ReadView) -> Again:
    """Return how a stored context is composed again. under: what holds now of `made_under`.

    A time that it was asked as of stays what it is where it still stands for the revision of then: a clock that was set
    back may have it stand for a later one.
    """
    answer = ComposeContextResponse.FromString(record.response)
    planned, plan_source, notes = _plan(record, answer)
    request = ComposeContextRequest()
    request.CopyFrom(record.request)
    request.ClearField("min_revision")
    if request.as_of.HasField("time") and revision_at(view, request.memory_id, request.as_of) != answer.revision:
        request.as_of.revision = answer.revision
    if record.HasField("now_us"):
        request.now.CopyFrom(_timestamp(record.now_us))
    elif not request.HasField("now"):
        notes.append("now: an earlier release did not store what it counted from; it is the newest text's of today")
    notes += _changed(record.made_under, under)
    if any(evidence.id.startswith(MARK) for evidence in answer.context.evidence):
        notes.append("executors: the original has pieces of other executors, which are not asked again")
    left_ms = record.left_ms if record.HasField("left_ms") else None
    codes_of = record.codes_of if record.HasField("codes_of") else None
    ends_by_us = record.ends_by_us if record.HasField("ends_by_us") else None
    return Again(answer, request, planned, left_ms, codes_of, ends_by_us, plan_source, notes)


def _plan(record: ContextRecord, answer: ComposeContextResponse) -> tuple[Planned | None, str, list[str]]:
    """Return (the plan to carry out, None for the planner's or the caller's; whose it is; notes)."""
    notes = []
    if record.HasField("left_ms"):
        notes.append(
            f"deadline: {max(record.left_ms, 0):.1f} ms were left to the original's search, and are to this one"
        )
    if record.request.HasField("plan"):
        return None, "caller", notes
    is_now = record.request.as_of.WhichOneof("moment") is None
    raced = is_now and record.planned_at not in {0, answer.revision}
    if raced:
        notes.append(f"plan: made at revision {record.planned_at}, searched at revision {answer.revision}")
    if not raced and not record.advised and not record.HasField("left_ms"):
        return None, "planner", notes
    if not record.HasField("plan"):
        notes.append("plan: it was not stored (policies.observability.store_plans); the planner makes it anew")
        return None, "planner", notes
    return Planned(record.plan, answer.context.debug.planner.reason), "stored", notes


def _changed(then: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    if not then:
        return ["policy: an earlier release did not store which was in force"]
    return [f"{name}: it has changed since" for name in now if then.get(name, _ALWAYS_WAS.get(name)) != now[name]]


def _timestamp(us: int) -> Timestamp:
    at = Timestamp()
    at.FromMicroseconds(us)
    return at


def prepare_again(
    stored: Again,
    policies: Policies,
    embedder: Embedder,
    env: Env,
    counter: SlotCounter,
    planner: Callable[[], Planned],
) -> Composing:
    """Plan and embed as `prepare_compose` does, with the time and the plan of then."""
    planned = stored.planned
    chosen = planner if planned is None else lambda: planned
    composing = prepare_compose(stored.request, policies, embedder, env, counter, Reach(None), chosen)
    ends_by_us = composing.asked.ends_by_us if stored.ends_by_us is None else stored.ends_by_us
    asked = composing.asked._replace(left_ms=stored.left_ms, codes_of=stored.codes_of, ends_by_us=ends_by_us)
    why = composing.why if planned is None else planned.reason
    return composing._replace(asked=asked, why=why, tells_today=bool(stored.answer.context.today))


def replayed(stored: Again, asked: Asked, response: ComposeContextResponse, since: Since) -> ReplayResponse:
    """Return what a replay answers. asked, response: of the second compose. since: the first."""
    then, now = stored.answer.context, response.context
    changes = differences(*comparable(then, now))
    Reasons(since, then, now).tell(changes)
    answer = ReplayResponse(
        revision_then=stored.answer.revision,
        revision=response.revision,
        identical=not changes,
        context=now,
        changes=changes,
        plan_source=stored.plan_source,
        notes=stored.notes,
    )
    answer.now.FromMicroseconds(asked.now_us or 0)
    if stored.codes_of and asked.codes_of != stored.codes_of:
        today = f"now they are of {asked.codes_of}" if asked.codes_of else "they are being learned, all are looked at"
        answer.notes.append(f"vectors: the original went by codes learned of {stored.codes_of} rows; {today}")
    if since.unread:
        answer.notes.append(f"reasons: the first {since.unread} revisions since were not looked into")
    return answer
