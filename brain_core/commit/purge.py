"""A session or a turn goes for good, in one batch: out of log, items, chunks, summaries and answers.

What is left of items is decided in `unsay.py`, what answers and summaries may still tell in `redact.py`. A purged turn
keeps its place, without content; a purged session keeps nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import (
    DeleteSessionRequest,
    DeleteSessionResponse,
    DeleteTurnRequest,
    DeleteTurnResponse,
    Purged,
)
from smartbrain.v1.event_pb2 import Turn
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from brain_core.commit.lines import SECTION_OF, item_line
from brain_core.commit.pipeline import Prepared
from brain_core.commit.purge_items import PurgedItems
from brain_core.commit.redact import Redacting, redact_answers, redact_summaries
from brain_core.commit.revisions import begin_revision, put_revision
from brain_core.commit.seen import answer_given, digest_of
from brain_core.commit.withdraw import blank
from brain_core.commit.writing import embed_chunks, number_chunks
from brain_core.env import Env
from brain_core.errors import NotFound
from brain_core.index.derive import item_chunk
from brain_core.kinds.registry import Kinds
from brain_core.models.embedder import Embedder
from brain_core.policy import Policy
from brain_core.store import events, items, keys, learned, log
from brain_core.store.core import follow_core
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import (
    CHUNK_KIND_ITEM,
    CHUNK_KIND_SECTION,
    ChunkRecord,
    PurgeRecord,
    RequestRecord,
    SummaryLine,
)

Deleted = TypeVar("Deleted", DeleteSessionResponse, DeleteTurnResponse)


@dataclass(frozen=True, slots=True)
class PreparedPurge(Generic[Deleted]):
    """A purge ready to be written. prepared: its answer, and its batch; None where nothing is to be written.

    record: what is to be done besides; None for a repeat. digest: of the request, for its request_id. uris: what the
    purged turns refer to.
    """

    prepared: Prepared[Deleted]
    record: PurgeRecord | None
    digest: bytes = b""
    uris: Sequence[str] = ()

    def put_request(self, request_id: str) -> None:
        """Keep the answer, once it is whole, for a repeat of the request."""
        if request_id and self.prepared.batch is not None:
            answer = self.prepared.response.SerializeToString()
            log.put_request(self.prepared.batch, request_id, RequestRecord(content_hash=self.digest, response=answer))


def prepare_session_purge(
    view: ReadView, request: DeleteSessionRequest, policy: Policy, embedder: Embedder, env: Env, kinds: Kinds
) -> PreparedPurge[DeleteSessionResponse]:
    """Work out what a checked request changes. Raises NotFound, or AlreadyExists for a request_id used otherwise."""
    digest = digest_of(request, ("validate_only",))
    given = answer_given(view, request.memory_id, request.request_id, digest)
    if given is not None:
        return PreparedPurge(Prepared(DeleteSessionResponse.FromString(given), None), None)
    events.get_session(view, request.memory_id, request.session_id)
    turns = list(events.scan_turns(view, request.memory_id, request.session_id))
    work = _Work(view, request.memory_id, turns, policy, embedder, env, kinds)
    work.purge()
    work.remove_session(request.session_id)
    response = DeleteSessionResponse(purged=work.purged, revision=work.revision)
    return _answered(view, request, response, work, digest)


def prepare_turn_purge(
    view: ReadView, request: DeleteTurnRequest, policy: Policy, embedder: Embedder, env: Env, kinds: Kinds
) -> PreparedPurge[DeleteTurnResponse]:
    """Work out what a checked request changes. Raises NotFound, also for a turn that was purged before."""
    digest = digest_of(request, ("validate_only",))
    given = answer_given(view, request.memory_id, request.request_id, digest)
    if given is not None:
        return PreparedPurge(Prepared(DeleteTurnResponse.FromString(given), None), None)
    turn = events.get_turn(view, request.memory_id, request.turn_id)
    if turn.HasField("purged_at"):
        raise NotFound(
            f"turn_id: {request.turn_id!r} of memory {request.memory_id!r} was purged at "
            f"{turn.purged_at.ToJsonString()}",
            field="turn_id",
            value=request.turn_id,
            limit="a turn with content",
        )
    work = _Work(view, request.memory_id, [turn], policy, embedder, env, kinds)
    work.purge()
    response = DeleteTurnResponse(purged=work.purged, revision=work.revision)
    return _answered(view, request, response, work, digest)


def _answered(
    view: ReadView,
    request: DeleteSessionRequest | DeleteTurnRequest,
    response: Deleted,
    work: _Work,
    digest: bytes,
) -> PreparedPurge[Deleted]:
    if request.validate_only:
        response.revision = view.revision(keys.memory(request.memory_id))
        return PreparedPurge(Prepared(response, None), work.record)
    return PreparedPurge(Prepared(response, work.batch(), *work.chunks), work.record, digest, work.uris)


class _Work:
    """One purge under way. turns: of one session."""

    def __init__(
        self,
        view: ReadView,
        memory_id: str,
        turns: list[Turn],
        policy: Policy,
        embedder: Embedder,
        env: Env,
        kinds: Kinds,
    ) -> None:
        self._view = view
        self._memory_id = memory_id
        self._turns = [turn for turn in turns if not turn.HasField("purged_at")]
        self._gone = frozenset(turn.turn_id for turn in self._turns)
        self._session_id = turns[0].session_id
        self._first = min((turn.revision for turn in self._turns), default=0)
        self._policy = policy
        self._embedder = embedder
        self._space, self._change, self._batch = begin_revision(view, memory_id, env)
        self._at = Timestamp()
        self._at.FromMicroseconds(self._change.committed_at_us)
        self.purged = Purged()
        self._items = PurgedItems(view, memory_id, self._gone, kinds, self._batch, self.purged, self._change)
        self._chunks: list[ChunkRecord] = []
        self._added: list[ChunkRecord] = []

    @property
    def revision(self) -> int:
        """Revision of the memory after the purge."""
        return self._change.revision

    @property
    def uris(self) -> list[str]:
        """What the purged turns refer to."""
        return [ref.uri for turn in self._turns for ref in turn.events.refs]

    @property
    def record(self) -> PurgeRecord:
        """What is to be done after the purge: stored contexts, files."""
        return PurgeRecord(
            memory_id=self._memory_id,
            revision=self.revision,
            contexts_from=self._first or self.revision,
            session_id=self._session_id,
        )

    @property
    def chunks(self) -> tuple[list[ChunkRecord], list[ChunkRecord]]:
        """The chunks that are added, and those that are written again: blank, or made anew."""
        return self._added, self._chunks

    def purge(self) -> None:
        """Take the turns out of everything."""
        self._purge_log()
        if self._turns:
            self._items.purge()
            self._purge_chunks()
            self._redact()
            self._forget_owner()
            self._purge_progress()

    def remove_session(self, session_id: str) -> None:
        """Take out the records of a session whose turns were purged."""
        partition, batch = keys.memory(self._memory_id), self._batch
        puts = {keys.turn(session_id, turn.sequence) for turn in self._turns}
        batch.puts = [put for put in batch.puts if put[0] not in puts]
        batch.delete(keys.session(session_id))
        batch.delete(keys.summary_progress(session_id))
        for prefix in (keys.turns(session_id), keys.messages(session_id), keys.session_changes(session_id)):
            batch.deletes += [key for key, _ in self._view.scan(partition, prefix)]
        summaries = keys.summaries(session_id)
        batch.puts = [put for put in batch.puts if not put[0].startswith(summaries)]
        batch.deletes += [key for key, _ in self._view.scan(partition, summaries)]
        self._space.turns_gone += sum(1 for _ in self._view.scan(partition, keys.turns(session_id)))
        self.purged.sessions = 1

    def batch(self) -> Batch:
        """Return the one batch of the purge."""
        change, space = self._change, self._space
        change.purged = True
        change.first_chunk, change.chunk_count = space.next_chunk, len(self._added)
        change.changed_chunks.extend(chunk.ordinal for chunk in self._chunks)
        for item in self._items.left.holding:
            change.items.add(type=item.type, key=item.key, version=item.version)
        space.next_chunk += len(self._added)
        space.purges += 1
        for chunk in (*self._chunks, *self._added):
            log.put_chunk(self._batch, chunk)
        put_revision(self._batch, self._view, space, change)
        pinned = self._policy.policies.composition.pinned_max_priority
        follow_core(self._batch, self._view, self._memory_id, self._added, self._chunks, pinned)
        return self._batch

    def _purge_log(self) -> None:
        for turn in self._turns:
            self.purged.turns += 1
            self.purged.messages += len(turn.events.messages)
            place = Turn(
                turn_id=turn.turn_id,
                session_id=turn.session_id,
                sequence=turn.sequence,
                revision=turn.revision,
                committed_at=turn.committed_at,
                purged_at=self._at,
                purged_messages=len(turn.events.messages),
            )
            self._batch.put(keys.turn(turn.session_id, turn.sequence), place.SerializeToString())
            for message in turn.events.messages:
                self._batch.delete(keys.message(turn.session_id, message.message_id))

    def _purge_chunks(self) -> None:
        """Take the text from chunks of what is gone, and make those of items that lost something anew."""
        first = log.read_change(self._view, self._memory_id, min(self._first, self._items.left.earliest))
        again: list[ChunkRecord] = []
        for chunk in log.scan_chunks(self._view, self._memory_id, first.first_chunk if first is not None else 0):
            if chunk.kind == CHUNK_KIND_SECTION:
                continue
            of_item = chunk.kind == CHUNK_KIND_ITEM
            if of_item and chunk.evidence.id in self._items.left.versions:
                left = self._items.left.versions[chunk.evidence.id]
                if left is not None:
                    fresh = item_chunk(left)
                    fresh.ordinal, fresh.newest_said_us = chunk.ordinal, chunk.newest_said_us
                    again.append(fresh)
                else:
                    self._chunks.append(blank(chunk, self._embedder.dimension))
            elif not of_item and chunk.evidence.ref.turn_id in self._gone:
                self._chunks.append(blank(chunk, self._embedder.dimension))
        embed_chunks(again, self._embedder)
        self.purged.chunks = len(self._chunks)
        self._chunks += again
        self._space.refined_chunks = min([self._space.refined_chunks, *(chunk.ordinal for chunk in again)])
        holding = [item for item in self._items.left.holding if item.status == ITEM_STATUS_ACTIVE]
        self._added = [item_chunk(item) for item in holding]
        number_chunks(self._added, self._space.next_chunk, self._embedder)
        for item, chunk in zip(holding, self._added, strict=True):
            items.put_item_chunk(self._batch, item, chunk.ordinal)

    def _redact(self) -> None:
        left = self._items.left
        redacting = Redacting(
            self._memory_id,
            self._session_id,
            self._gone,
            left.touched,
            left.gone,
            left.item_ids,
            {chunk.ordinal for chunk in self._chunks},
            self._first,
            self._at,
        )
        redact_answers(self._batch, self._view, redacting)
        redact_summaries(self._batch, self._view, redacting, self._lines())

    def _lines(self) -> Iterator[SummaryLine]:
        """Yield the summary lines of what holds after the purge of items that lost something."""
        longest = self._policy.policies.consolidation.line_chars
        ordinals = {chunk.evidence.id: chunk.ordinal for chunk in (*self._chunks, *self._added)}
        left = [item for item in self._items.left.versions.values() if item is not None]
        for item in (*left, *self._items.left.holding):
            ordinal = ordinals.get(f"{item.id}:{item.version}")
            if item.type in SECTION_OF and item.status == ITEM_STATUS_ACTIVE and ordinal is not None:
                yield item_line(item, ordinal, longest)

    def _forget_owner(self) -> None:
        """Let the memory's owner be named anew if it was a purged turn that named them."""
        for change in log.scan_changes(self._view, self._memory_id, 0):
            turn = events.turn_of(self._view, self._memory_id, change)
            if turn is not None and any(message.role == "user" for message in turn.events.messages):
                if turn.turn_id in self._gone:
                    self._space.owner = ""
                return

    def _purge_progress(self) -> None:
        """Count the turns as read by a language model: it will not read them."""
        record = learned.read_learned(self._view, self._memory_id)
        aside = {revision for revision, _ in learned.scan_set_aside(self._view, self._memory_id)}
        revisions = {turn.revision for turn in self._turns}
        unread = {each for each in revisions if each > record.revision or each in aside}
        for revision in aside & revisions:
            learned.delete_set_aside(self._batch, revision)
        record.turns += len(unread)
        learned.put_learned(self._batch, record)
