"""CommitTurn, step by step: seen before? → fill in → learn → resolve → chunks → one batch.

`prepare` reads and computes; it writes nothing. The caller holds the memory's lock, writes the batch and hands the
chunks to the index.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import (
    CommitExplain,
    CommitSummary,
    CommittedItem,
    CommitTurnRequest,
    CommitTurnResponse,
    RetentionVerdict,
)
from smartbrain.v1.event_pb2 import Session, Turn
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.commit.learn import drafts
from brain_core.commit.resolve import Ledger, Origin, resolve, retract
from brain_core.env import Env
from brain_core.errors import AlreadyExists
from brain_core.index.derive import chunk_text, item_chunk, turn_chunks
from brain_core.models.embedder import Embedder, fresh_vectors
from brain_core.policy import Policy
from brain_core.store import events, items, keys, log
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import ChangeRecord, ChunkRecord, ItemVersion, RequestRecord, SpaceRecord


@dataclass(frozen=True, slots=True)
class Prepared:
    """A commit ready to be written. batch is None where nothing is to be written: a repeat, or validate_only."""

    response: CommitTurnResponse
    batch: Batch | None
    added: Sequence[ChunkRecord] = ()
    changed: Sequence[ChunkRecord] = ()


def prepare(view: ReadView, request: CommitTurnRequest, policy: Policy, embedder: Embedder, env: Env) -> Prepared:
    """Work out what a checked request changes at the view's revision.

    Raises AlreadyExists if its request_id was used for other content or a message_id is taken.
    """
    memory_id = request.memory_id
    digest = _digest(request)
    if request.request_id:
        seen = log.read_request(view, memory_id, request.request_id)
        if seen is not None:
            return _repeat(request, seen, digest)
    work = _Work(view, request, policy, env)
    work.learn()
    response = work.response()
    if request.validate_only:
        response.revision = view.revision(keys.memory(memory_id))
        response.turn_id = ""
        return Prepared(response, None)
    response.commit_id = f"c{response.revision}"
    added, changed = work.chunks(embedder)
    batch = work.batch(response, added, changed)
    if request.request_id:
        record = RequestRecord(content_hash=digest, response=response.SerializeToString())
        log.put_request(batch, request.request_id, record)
    return Prepared(response, batch, added, changed)


def _digest(request: CommitTurnRequest) -> bytes:
    content = CommitTurnRequest()
    content.CopyFrom(request)
    for name in ("request_id", "wait_level", "validate_only"):
        content.ClearField(name)
    return hashlib.sha256(content.SerializeToString(deterministic=True)).digest()


def _repeat(request: CommitTurnRequest, seen: RequestRecord, digest: bytes) -> Prepared:
    if seen.content_hash != digest:
        raise AlreadyExists(
            f"request_id: {request.request_id!r} was used for another turn",
            field="request_id",
            value=request.request_id,
            limit="one turn per request_id",
            hint="send a new request_id with new content",
        )
    return Prepared(CommitTurnResponse.FromString(seen.response), None)


class _Work:
    """One commit under way: the turn as it will be stored, and the ledger of its items."""

    def __init__(self, view: ReadView, request: CommitTurnRequest, policy: Policy, env: Env) -> None:
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
        self._origin = Origin(self._memory_id, self._turn, env.new_id)
        self._ledger = Ledger()

    def _filled_in(self, request: CommitTurnRequest) -> Turn:
        turn = Turn(
            turn_id=f"t{self._revision}",
            session_id=request.session_id,
            sequence=self._session.turn_count,
            revision=self._revision,
            committed_at=self._now,
            events=request.turn,
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

    def learn(self) -> None:
        """Fill the ledger from the turn: denials first, so that a corrected fact may follow under the same key."""

        def read(item_type: str, key: str) -> MemoryItem | None:
            return items.read_item(self._view, self._memory_id, item_type, key)

        for number, retraction in enumerate(self._turn.events.retractions):
            retract(self._ledger, read, self._origin, retraction, number)
        for draft in drafts(self._turn, self._policy.policies.retention.confidence):
            resolve(self._ledger, read, self._origin, draft)
        for number in range(len(self._turn.events.messages)):
            self._ledger.verdicts.append(
                RetentionVerdict(
                    path=f"messages[{number}]",
                    type="event",
                    verdict="event_only",
                    reason="messages are kept and found in the event log; items come from structured events",
                )
            )

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
            summary=CommitSummary(reason="working summaries are not made in this version"),
            explain=CommitExplain(retention=self._ledger.verdicts, conflicts=self._ledger.conflicts),
            message_ids=[message.message_id for message in self._turn.events.messages],
        )

    def chunks(self, embedder: Embedder) -> tuple[list[ChunkRecord], list[ChunkRecord]]:
        """Return (new chunks with ordinals and vectors, older chunks whose status changed)."""
        window_chars = self._policy.index.window_chars
        added = list(turn_chunks(self._memory_id, self._turn, self._session.message_count, window_chars))
        added += [item_chunk(item) for item in self._ledger.fresh.values()]
        vectors = fresh_vectors(embedder, [chunk_text(chunk) for chunk in added]).astype("<f2")
        for ordinal, (chunk, vector) in enumerate(zip(added, vectors, strict=True), start=self._space.next_chunk):
            chunk.ordinal = ordinal
            chunk.vector = vector.tobytes()
        return added, self._changed_chunks()

    def _changed_chunks(self) -> list[ChunkRecord]:
        """Return the chunks of stored versions that ended in this turn, or are surer for it."""
        changed: dict[int, MemoryItem] = {}
        for item in (*self._ledger.ended, *self._ledger.written.values()):
            stored = items.read_item(self._view, self._memory_id, item.type, item.key)
            ordinal = items.read_item_chunk(self._view, self._memory_id, item.type, item.key)
            if stored is None or ordinal is None or stored.version != item.version:
                continue
            if (stored.status, stored.confidence) != (item.status, item.confidence):
                changed[ordinal] = item
        chunks = log.read_chunks(self._view, self._memory_id, changed)
        for chunk in chunks:
            item = changed[chunk.ordinal]
            chunk.status, chunk.confidence = item.status, item.confidence
        return chunks

    def batch(self, response: CommitTurnResponse, added: list[ChunkRecord], changed: list[ChunkRecord]) -> Batch:
        """Return the one batch of this commit."""
        batch = Batch()
        events.put_turn(batch, self._turn)
        events.put_session(batch, self._session_after())
        for ended in self._ledger.ended:
            items.put_old_version(batch, ended)
        for item in self._ledger.written.values():
            items.put_item(batch, item)
        fresh_ordinals = range(self._space.next_chunk + len(added) - len(self._ledger.fresh), 2**63)
        for item, ordinal in zip(self._ledger.fresh.values(), fresh_ordinals, strict=False):
            items.put_item_chunk(batch, item, ordinal)
        for chunk in (*added, *changed):
            log.put_chunk(batch, chunk)
        log.put_change(batch, self._change(response, added, changed))
        self._space.next_chunk += len(added)
        self._space.turns += 1
        log.put_space(batch, self._space)
        return batch

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
