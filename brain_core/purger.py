"""What is purged for good: turns, sessions, memories, and what is kept of documents whose text went.

At once from all that answers, then from the files.

A purge is one batch of the store, with a note of it; with the memory's lock held the index, its file and all that is
held of the memory go too. What is left to do, stored contexts and the bytes in the store's files, stands in the note,
so a process that dies goes on with it at its next start.

Where an index is loaded, one without the words is made first, while calls go on (`Indexes.foresee`); it follows what is
committed meanwhile and takes the place of the loaded one at the moment of the batch (`come_true`). So no call is
answered from an index that has words which the store has no more. Places stay: a chunk is blank, a turn has
`purged_at`, so sequences and ordinals have no holes and as-of reads go on. Whoever works in the background compares
`SpaceRecord.purges` before it writes what it read earlier, and a compose the `epoch` of stored contexts. Backups made
before, and lines of logs with ids, are not reached.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Generic

from smartbrain.v1.brain_service_pb2 import (
    ComposeContextResponse,
    DeleteMemoryRequest,
    DeleteMemoryResponse,
    DeleteSessionRequest,
    DeleteSessionResponse,
    DeleteTurnRequest,
    DeleteTurnResponse,
    Purged,
)
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest

from brain_core.check import check_id
from brain_core.commit.derive import Deriving
from brain_core.commit.purge import Deleted, PreparedPurge, prepare_session_purge, prepare_turn_purge
from brain_core.compose.blocks import forget_pinned
from brain_core.compose.executors import MARK
from brain_core.compose.said import forget_said
from brain_core.compose.summary import forget_summaries
from brain_core.errors import BrainError, StoreFailed
from brain_core.index import snapshot
from brain_core.indexes import Foreseen, Indexes
from brain_core.rounds import Rounds
from brain_core.store import documents, events, items, keys, log
from brain_core.store.contexts import ContextLog
from brain_core.store.core import forget_core
from brain_core.store.followed import followed, read_followed, without_names
from brain_core.store.kv import KV, Batch, ReadView
from brain_core.store.purges import noted, put_answer, read_answer, scan_purges
from brain_core.store.v1.records_pb2 import ContextRecord, PurgeRecord, SpaceRecord

_LONGEST_PAUSE_SECONDS = 30.0
_LOOK_AGAIN_SECONDS = 0.05

Alone = Callable[[str], AbstractContextManager[None]]
"""Lets no document into or out of a memory."""


@dataclass(frozen=True, slots=True)
class _Ahead(Generic[Deleted]):
    """A purge as it was worked out before its index was made. space: the memory's counters then."""

    purge: PreparedPurge[Deleted]
    record: PurgeRecord
    space: SpaceRecord | None
    index: Foreseen


class Purger:
    """Purges, and one thread that takes from the files what was purged. Safe for use from many threads."""

    def __init__(
        self,
        kv: KV,
        indexes: Indexes,
        contexts: ContextLog,
        deriving: Deriving,
        refine: Callable[[str], None],
        alone: Alone,
    ) -> None:
        """Begin with what earlier runs have left. refine: called with a memory of which chunks were made anew."""
        self._refine = refine
        self._kv = kv
        self._indexes = indexes
        self._contexts = contexts
        self._deriving = deriving
        self._alone = alone
        self._rounds = Rounds("purger", self._erase, _LONGEST_PAUSE_SECONDS)
        left = [record for _, record in scan_purges(kv.snapshot())]
        self._quoting = [(record, kv.revision(keys.memory(record.memory_id))) for record in left if record.revision]
        for record in left:
            self._remove_snapshot(record.memory_id)
            with suppress(BrainError):  # a full disk: the thread tries again
                self._purge_contexts(record.memory_id)
        self._rounds.start([record.memory_id for record in left])

    def status(self, view: ReadView) -> tuple[int, str]:
        """Return how many purges are not out of the files yet, and why this is not getting on, in words."""
        left = sum(1 for _ in scan_purges(view))
        return left, self._rounds.problem if left else ""

    def close(self) -> None:
        """End the thread; what it has not done is done in the next run."""
        self._rounds.close()

    def delete_memory(self, request: DeleteMemoryRequest) -> DeleteMemoryResponse:
        """Purge a memory. Raises NotFound."""
        memory_id, request_id = request.memory_id, request.request_id
        longest = self._deriving.policy.limits.id_bytes
        check_id("memory_id", memory_id, longest)
        check_id("request_id", request_id, longest, required=False)
        if read_answer(self._kv, memory_id, request_id) is None:
            log.require_memory(self._kv, memory_id)
        with self._alone(memory_id), self._indexes.hold(memory_id):
            given = read_answer(self._kv, memory_id, request_id)
            if given is not None:
                response = DeleteMemoryResponse.FromString(given)
            else:
                log.require_memory(self._kv, memory_id)
                response = DeleteMemoryResponse(purged=self._count(memory_id))
                if request.validate_only:
                    return response
                self._remove(memory_id, request_id, response)
        self._kv.sync()
        return response

    def _remove(self, memory_id: str, request_id: str, answer: DeleteMemoryResponse) -> None:
        """Remove all of a memory. Its lock is held."""
        note = self._noted(PurgeRecord(memory_id=memory_id))
        if request_id:
            put_answer(note, memory_id, request_id, answer.SerializeToString())
        self._contexts.forget(memory_id)
        self._indexes.forget(memory_id)
        self._forget(memory_id)
        self._kv.remove(_partitions(memory_id), {keys.STORE: note})
        self._rounds.notice(memory_id)

    def delete_session(self, request: DeleteSessionRequest) -> DeleteSessionResponse:
        """Purge a session. Raises NotFound."""
        check_id("session_id", request.session_id, self._deriving.policy.limits.id_bytes)
        given = self._deriving
        return self._purged(
            request,
            lambda: prepare_session_purge(self._kv, request, given.policy, given.embedder, given.env, given.kinds),
        )

    def forget_documents(self, request: DeleteDocumentRequest) -> None:
        """Take out the stored contexts that quote texts which a memory's documents have no more, and their bytes.

        Nothing goes where the request asks for no purge.
        """
        if not request.purge:
            return
        memory_id = request.memory_id
        with self._alone(memory_id), self._indexes.hold(memory_id):
            self._contexts.purge(memory_id, _quoting_what_went(self._kv.snapshot(), memory_id))
            self._kv.write(keys.STORE, self._noted(PurgeRecord(memory_id=memory_id)))
        self._kv.sync()
        self._rounds.notice(memory_id)

    def delete_turn(self, request: DeleteTurnRequest) -> DeleteTurnResponse:
        """Purge a turn. Raises NotFound."""
        check_id("turn_id", request.turn_id, self._deriving.policy.limits.id_bytes)
        given = self._deriving
        return self._purged(
            request,
            lambda: prepare_turn_purge(self._kv, request, given.policy, given.embedder, given.env, given.kinds),
        )

    def _purged(
        self, request: DeleteSessionRequest | DeleteTurnRequest, prepare: Callable[[], PreparedPurge[Deleted]]
    ) -> Deleted:
        """Purge, or answer a repeat once what it repeats is as durable and has left the contexts, too."""
        memory_id, longest = request.memory_id, self._deriving.policy.limits.id_bytes
        check_id("memory_id", memory_id, longest)
        check_id("request_id", request.request_id, longest, required=False)
        log.require_memory(self._kv, memory_id)
        ahead = self._ahead(memory_id, prepare)
        with self._indexes.hold(memory_id):
            log.require_memory(self._kv, memory_id)
            purge = ahead.purge if ahead is not None and self._is_of_now(ahead) else prepare()
            response, batch, record = purge.prepared.response, purge.prepared.batch, purge.record
            if record is not None:
                response.purged.contexts = self._contexts.count(memory_id, _of(record, record.revision))
            if request.validate_only:
                return response
            if batch is not None and record is not None:
                purge.put_request(request.request_id)
                self._write(batch, purge, record, ahead.index if ahead is not None else None)
            try:
                self._purge_contexts(memory_id)
            finally:  # what fails is tried again
                self._rounds.notice(memory_id)
        self._kv.sync()
        self._refine(memory_id)
        return response

    def _ahead(self, memory_id: str, prepare: Callable[[], PreparedPurge[Deleted]]) -> _Ahead[Deleted] | None:
        """Work a purge out, and the index after it, while calls go on; None if none is loaded, or nothing changes."""
        with self._indexes.hold(memory_id) as index:
            purge = prepare() if index is not None else None
            space = log.read_space(self._kv, memory_id)
        if purge is None or purge.record is None or purge.prepared.batch is None:
            return None
        return _Ahead(purge, purge.record, space, self._indexes.foresee(memory_id, purge.prepared.changed))

    def _is_of_now(self, ahead: _Ahead[Deleted]) -> bool:
        memory_id = ahead.record.memory_id
        has_moved = self._kv.revision(keys.memory(memory_id)) != ahead.record.revision - 1
        return not has_moved and log.is_unpurged(ahead.space, log.read_space(self._kv, memory_id))

    def _write(
        self, batch: Batch, purge: PreparedPurge[Deleted], record: PurgeRecord, foreseen: Foreseen | None
    ) -> None:
        """Write a purge. From then on there is no index that has its words. The memory's lock is held."""
        memory_id, prepared = record.memory_id, purge.prepared
        index = None
        if foreseen is not None:
            index = self._indexes.come_true(memory_id, foreseen, record.revision, prepared.added, prepared.changed)
        beside = {keys.STORE: self._noted(record)}
        unnamed = without_names(read_followed(self._kv, memory_id), purge.uris)
        if unnamed is not None:
            beside[keys.followed(memory_id)] = followed(unnamed)
        self._forget(memory_id)
        self._kv.write(keys.memory(memory_id), batch, expect=record.revision - 1, beside=beside)
        self._quoting.append((record, record.revision))
        if index is not None:
            self._indexes.replace(memory_id, index)
        else:
            self._indexes.forget(memory_id)

    def _noted(self, record: PurgeRecord) -> Batch:
        """Return the batch that notes a purge, under a number that no purge of the memory had. Its lock is held."""
        return noted(record, self._kv.revision(keys.STORE) + 1)

    def _forget(self, memory_id: str) -> None:
        """Let go of what is held of a memory beside its index, and of the index's file. The memory's lock is held."""
        self._deriving.memories.forget(memory_id)
        forget_said()
        forget_summaries()
        forget_core()
        forget_pinned()
        self._remove_snapshot(memory_id)

    def _remove_snapshot(self, memory_id: str) -> None:
        path = self._indexes.snapshot_path(memory_id)
        try:
            snapshot.remove(path)
        except OSError as error:
            hint = f"nothing was purged: see that files in {path.parent} can be removed, then purge again"
            raise StoreFailed(f"{path}: cannot be removed: {error.strerror}", value=path, hint=hint) from error

    def _erase(self, memory_id: str) -> bool:
        """Finish what was purged of a memory. What fails is tried again."""
        notes = list(scan_purges(self._kv, memory_id))
        if not notes:
            return False
        self._purge_contexts(memory_id)
        self._kv.erase(_partitions(memory_id), self._wait)
        batch = Batch()
        batch.deletes += [key for key, _ in notes]
        self._kv.write(keys.STORE, batch)
        return False

    def _purge_contexts(self, memory_id: str) -> None:
        """Take out the stored contexts that may quote what was purged of a memory."""
        for each in [each for each in self._quoting if each[0].memory_id == memory_id]:
            self._contexts.purge(memory_id, _of(*each))
            with suppress(ValueError):  # another thread was the faster one
                self._quoting.remove(each)

    def _wait(self) -> None:
        self._rounds.wait(_LOOK_AGAIN_SECONDS, "waits for calls that began before a purge")

    def _count(self, memory_id: str) -> Purged:
        view = self._kv
        sessions = events.list_sessions(view, memory_id, "", 2**31 - 1)
        messages = [
            len(turn.events.messages)
            for session in sessions
            for turn in events.scan_turns(view, memory_id, session.session_id)
            if not turn.HasField("purged_at")
        ]
        partition = keys.memory(memory_id)
        return Purged(
            sessions=len(sessions),
            turns=len(messages),
            messages=sum(messages),
            items=sum(1 for _ in items.scan_items(view, memory_id)),
            item_versions=sum(1 for _ in view.scan(partition, keys.VERSIONS)),
            chunks=sum(1 for chunk in log.scan_chunks(view, memory_id) if chunk.evidence.id),
            documents=sum(1 for _ in documents.scan_documents(view, memory_id)),
            contexts=self._contexts.count(memory_id, lambda _: True),
        )


def _partitions(memory_id: str) -> list[bytes]:
    return [keys.memory(memory_id), keys.contexts(memory_id), keys.followed(memory_id)]


def _of(record: PurgeRecord, newest: int) -> Callable[[ContextRecord], bool]:
    """Return which stored contexts a purge takes out: they may quote what it did. newest: revision they may be of."""

    def goes(context: ContextRecord) -> bool:
        revision = ComposeContextResponse.FromString(context.response).revision
        is_of_session = context.request.session_id == record.session_id
        return revision <= newest and (is_of_session or revision >= record.contexts_from)

    return goes


def _quoting_what_went(view: ReadView, memory_id: str) -> Callable[[ContextRecord], bool]:
    """Return which stored contexts quote a section that a document of the memory had and has no more."""

    @cache
    def sections(document_id: str) -> set[str]:
        return {section.section_id for section in documents.scan_sections(view, memory_id, document_id)}

    def goes(context: ContextRecord) -> bool:
        evidence = ComposeContextResponse.FromString(context.response).context.evidence
        own = (each.ref for each in evidence if each.ref.document_id and not each.id.startswith(MARK))
        return any(ref.section_id not in sections(ref.document_id) for ref in own)

    return goes
