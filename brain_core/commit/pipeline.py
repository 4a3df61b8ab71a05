"""CommitTurn, step by step: seen before? → fill in → learn → resolve → chunks → one batch.

`prepare` reads and computes; it writes nothing. The caller holds the memory's lock, writes the batch and hands the
chunks to the index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import (
    CommitExplain,
    CommitSummary,
    CommittedItem,
    CommitTurnRequest,
    CommitTurnResponse,
    DeleteSessionResponse,
    DeleteTurnResponse,
)
from smartbrain.v1.event_pb2 import Session, Turn
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE
from smartbrain.v1.memory_service_pb2 import RollbackItemResponse
from smartbrain.v1.resource_service_pb2 import DeleteDocumentResponse, IngestDocumentResponse

from brain_core.commit.gate import Gate, kept_as_events
from brain_core.commit.held import HeldItems, HeldMemories
from brain_core.commit.known import StoreAndLedger
from brain_core.commit.learn import drafts
from brain_core.commit.ledger import Ledger, Origin
from brain_core.commit.mentions import Importance
from brain_core.commit.parts import parted
from brain_core.commit.placing import Told, placed
from brain_core.commit.resolve import Resolving, resolve
from brain_core.commit.retract import retract
from brain_core.commit.seen import answer_given, digest_of
from brain_core.commit.situation import note_situation
from brain_core.commit.summarize import Learned, follow_summary
from brain_core.commit.tellers import Tellers
from brain_core.commit.writing import follow_newest, number_chunks, put_items, restated_chunks
from brain_core.env import Env
from brain_core.errors import AlreadyExists
from brain_core.extract.frames import EARLIER
from brain_core.index.derive import item_chunk, turn_chunks
from brain_core.kinds.draft import Draft, Skip
from brain_core.kinds.registry import Kinds
from brain_core.models.embedder import Embedder
from brain_core.policy import Policy
from brain_core.store import events, keys, log
from brain_core.store.core import follow_core
from brain_core.store.holdings import follow_holdings
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import (
    ChangeRecord,
    ChunkRange,
    ChunkRecord,
    CommitRecord,
    ItemVersion,
    RequestRecord,
    SpaceRecord,
)
from brain_core.zones import zone_or

_TOLD = "the caller tells it in the same turn"

Answer = TypeVar(
    "Answer",
    CommitTurnResponse,
    RollbackItemResponse,
    IngestDocumentResponse,
    DeleteDocumentResponse,
    DeleteSessionResponse,
    DeleteTurnResponse,
)


@dataclass(frozen=True, slots=True)
class Prepared(Generic[Answer]):
    """A change ready to be written. batch is None where nothing is to be written: a repeat, or validate_only.

    purged: texts leave the store with it.
    """

    response: Answer
    batch: Batch | None
    added: Sequence[ChunkRecord] = ()
    changed: Sequence[ChunkRecord] = ()
    shown: Sequence[ChunkRange] = ()
    hidden: Sequence[ChunkRange] = ()
    purged: bool = False


def prepare(
    view: ReadView,
    request: CommitTurnRequest,
    policy: Policy,
    embedder: Embedder,
    env: Env,
    kinds: Kinds,
    memories: HeldMemories,
) -> Prepared[CommitTurnResponse]:
    """Work out what a checked request changes at the view's revision.

    memories: what earlier commits have read of them.

    Raises AlreadyExists if its request_id was used for other content or a message_id is taken.
    """
    memory_id = request.memory_id
    digest = digest_of(request, ("wait_level", "validate_only"))
    given = answer_given(view, memory_id, request.request_id, digest)
    if given is not None:
        return Prepared(CommitTurnResponse.FromString(given), None)
    work = _Work(view, request, policy, env, kinds)
    with memories.use(view, memory_id) as held:
        work.learn(held)
    response = work.response()
    if request.validate_only:
        response.revision = view.revision(keys.memory(memory_id))
        response.turn_id = ""
        return Prepared(response, None)
    response.commit_id = f"c{response.revision}"
    added, changed = work.chunks(embedder)
    batch = work.batch(response, added, changed)
    work.consolidate(batch, response, added, changed)
    answer = response.SerializeToString()
    log.put_commit(batch, response.revision, work.record(answer))
    if request.request_id:
        log.put_request(batch, request.request_id, RequestRecord(content_hash=digest, response=answer))
    return Prepared(response, batch, added, changed)


def _is_known(known: StoreAndLedger, draft: Draft) -> bool:
    item = known.read(draft.kind.type, draft.key)
    return item is not None and item.status == ITEM_STATUS_ACTIVE


class _Work:
    """One commit under way: the turn as it will be stored, and the ledger of its items."""

    def __init__(self, view: ReadView, request: CommitTurnRequest, policy: Policy, env: Env, kinds: Kinds) -> None:
        self._kinds = kinds
        self._view = view
        self._memory_id = request.memory_id
        self._policy = policy
        self._now = Timestamp()
        self._now.FromMicroseconds(env.now_us())
        self._space = log.read_space(view, self._memory_id) or SpaceRecord(
            memory_id=self._memory_id, created_at_us=self._now.ToMicroseconds()
        )
        self._revision = view.revision(keys.memory(self._memory_id)) + 1
        self._session = events.read_session(view, self._memory_id, request.session_id) or Session(
            session_id=request.session_id
        )
        self._turn = self._filled_in(request)
        self._origin = Origin(self._memory_id, self._turn, env.new_id, zone_or(request.timezone, policy.zone))
        self._ledger = Ledger()

    def _filled_in(self, request: CommitTurnRequest) -> Turn:
        turn = Turn(
            turn_id=f"t{self._revision}",
            session_id=request.session_id,
            sequence=self._session.turn_count,
            revision=self._revision,
            committed_at=self._now,
            events=request.turn,
            timezone=request.timezone,
        )
        given = {message.message_id for message in turn.events.messages}
        for number, message in enumerate(turn.events.messages):
            if message.message_id and self._is_taken(message.message_id):
                raise AlreadyExists(
                    f"turn.messages[{number}].message_id: session {request.session_id!r} has {message.message_id!r}",
                    field=f"turn.messages[{number}].message_id",
                    value=message.message_id,
                    limit="unique within its session",
                    hint="send the request_id of the first try to repeat a commit safely",
                )
            message.message_id = message.message_id or self._free_message_id(f"{turn.turn_id}.{number}", given)
            message.speaker = message.speaker or message.role
            if not message.HasField("created_at"):
                message.created_at.CopyFrom(self._now)
        for call in turn.events.tool_calls:
            call.status = call.status or "ok"
        return turn

    def _is_taken(self, message_id: str) -> bool:
        return events.has_message(self._view, self._memory_id, self._session.session_id, message_id)

    def _free_message_id(self, wanted: str, given: set[str]) -> str:
        while wanted in given or self._is_taken(wanted):
            wanted += "_"
        return wanted

    def learn(self, held: HeldItems) -> None:
        """Fill the ledger from the turn: denials first, so that a corrected fact may follow under the same key."""
        ledger, turn, retention = self._ledger, self._turn, self._policy.policies.retention
        note_situation(self._space, turn)
        known = StoreAndLedger(self._view, self._memory_id, ledger, held)
        importance = Importance(turn, self._earlier_turns, lambda draft: _is_known(known, draft), retention.entity_gate)
        gate = Gate(turn, importance, retention, self._policy.limits, self._origin.zone)
        at = Resolving(ledger, known, self._origin, retention)
        for number, retraction in enumerate(turn.events.retractions):
            reason = gate.without_secrets(retraction.reason)
            retract(ledger, known, self._origin, retraction, reason, f"retractions[{number}]")
        told, tellers = Told(), Tellers(self._view, known, self._space, turn, retention.owner)
        nobody_s = tellers.known_to(None)
        said = partial(held.heard.newest, self._view, self._memory_id, turn.session_id, EARLIER)
        for found in drafts(turn, nobody_s, self._kinds, retention, self._origin.zone, tellers.of, said):
            left = self._beside(found, tellers, told) if isinstance(found, Draft) and found.is_read else found
            if isinstance(left, Skip):
                ledger.verdicts.append(gate.passed_over(left))
                continue
            draft, verdict = gate.judge(left)
            if verdict.verdict in {"written", "masked"}:
                for part, its in parted(known, draft, verdict, retention.profile_bytes):
                    resolve(at, part, its)
                if not draft.is_read:
                    told.note(draft)
            else:
                ledger.verdicts.append(verdict)
        ledger.verdicts.extend(kept_as_events(turn, {verdict.path for verdict in ledger.verdicts}))

    def _beside(self, draft: Draft, tellers: Tellers, told: Told) -> Draft | Skip:
        """Return what a draft that was read says beside what is known and told."""
        message = self._origin.message(draft.path) if draft.path.startswith("messages") else None
        draft = placed(draft, tellers.known_to(message), self._turn.session_id)
        left = told.left_of(draft)
        return Skip(draft.path, draft.span, draft.rule, f"{draft.kind.type}: {_TOLD}") if left is None else left

    def _earlier_turns(self, most: int) -> Sequence[Turn]:
        return events.newest_turns(self._view, self._memory_id, self._turn.session_id, most)

    def response(self) -> CommitTurnResponse:
        """Return the answer, without commit_id."""
        return CommitTurnResponse(
            turn_id=self._turn.turn_id,
            revision=self._revision,
            items=[
                CommittedItem(
                    type=item.type,
                    key=item.key,
                    status=item.status,
                    version=item.version,
                    confidence=item.confidence,
                )
                for item in self._ledger.written.values()
            ],
            summary=CommitSummary(reason="validate_only: none is made"),
            explain=CommitExplain(retention=self._ledger.verdicts, conflicts=self._ledger.conflicts),
            message_ids=[message.message_id for message in self._turn.events.messages],
        )

    def chunks(self, embedder: Embedder) -> tuple[list[ChunkRecord], list[ChunkRecord]]:
        """Return (new chunks with ordinals and vectors, older chunks whose status changed)."""
        window_chars = self._policy.index.window_chars
        added = list(turn_chunks(self._memory_id, self._turn, self._session.message_count, window_chars))
        added += [item_chunk(item) for item in self._ledger.fresh.values()]
        number_chunks(added, self._space.next_chunk, embedder)
        follow_newest(self._space, added, self._now.ToMicroseconds())
        return added, restated_chunks(self._view, self._memory_id, self._ledger)

    def batch(self, response: CommitTurnResponse, added: list[ChunkRecord], changed: list[ChunkRecord]) -> Batch:
        """Return the one batch of this commit."""
        batch = Batch()
        events.put_turn(batch, self._turn)
        events.put_session(batch, self._session_after())
        put_items(batch, self._ledger, self._space.next_chunk + len(added) - len(self._ledger.fresh))
        for chunk in (*added, *changed):
            log.put_chunk(batch, chunk)
        change = self._change(response, added, changed)
        log.put_change(batch, change)
        self._space.next_chunk += len(added)
        self._space.turns += 1
        follow_holdings(batch, self._view, self._space, change)
        log.put_space(batch, self._space)
        return batch

    def consolidate(
        self, batch: Batch, response: CommitTurnResponse, added: list[ChunkRecord], changed: list[ChunkRecord]
    ) -> None:
        """Bring the session's summary and the memory's core up to the turn."""
        policies = self._policy.policies
        ordinals = [chunk.ordinal for chunk in added[len(added) - len(self._ledger.fresh) :]]
        learned = Learned(
            self._memory_id, self._turn, self._ledger, dict(zip(self._ledger.fresh, ordinals, strict=True))
        )
        response.summary.CopyFrom(follow_summary(batch, self._view, learned, policies))
        follow_core(batch, self._view, self._memory_id, added, changed, policies.composition.pinned_max_priority)

    def record(self, answer: bytes) -> CommitRecord:
        """Return what is kept of the commit. answer: the serialised response."""
        return CommitRecord(
            response=answer,
            session_id=self._turn.session_id,
            sequence=self._turn.sequence,
            committed_at_us=self._now.ToMicroseconds(),
        )

    def _session_after(self) -> Session:
        session = Session()
        session.CopyFrom(self._session)
        session.turn_count += 1
        session.message_count += len(self._turn.events.messages)
        times = [message.created_at for message in self._turn.events.messages] or [self._now]
        if session.HasField("started_at"):
            times.append(session.started_at)
        session.started_at.CopyFrom(min(times, key=Timestamp.ToMicroseconds))
        session.updated_at.CopyFrom(self._now)
        session.revision = self._revision
        return session

    def _change(
        self, response: CommitTurnResponse, added: list[ChunkRecord], changed: list[ChunkRecord]
    ) -> ChangeRecord:
        return ChangeRecord(
            revision=self._revision,
            commit_id=response.commit_id,
            committed_at_us=self._now.ToMicroseconds(),
            session_id=self._turn.session_id,
            sequence=self._turn.sequence,
            first_chunk=self._space.next_chunk,
            chunk_count=len(added),
            changed_chunks=[chunk.ordinal for chunk in changed],
            items=[
                ItemVersion(type=item.type, key=item.key, version=item.version)
                for item in self._ledger.written.values()
            ],
        )
