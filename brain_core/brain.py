"""Brain: a memory runtime in a folder. Joins the parts, decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType

from smartbrain.v1.admin_service_pb2 import (
    BackupRequest,
    BackupResponse,
    GetStatusResponse,
    RebuildIndexResponse,
    VerifyResponse,
)
from smartbrain.v1.brain_service_pb2 import (
    CommitTurnRequest,
    CommitTurnResponse,
    ComposeContextRequest,
    ComposeContextResponse,
    DeleteMemoryRequest,
    DeleteMemoryResponse,
    DeleteSessionRequest,
    DeleteSessionResponse,
    DeleteTurnRequest,
    DeleteTurnResponse,
    GetContextRequest,
    GetContextResponse,
    GetSessionRequest,
    GetSessionResponse,
    ListContextsRequest,
    ListContextsResponse,
    ListMemoriesRequest,
    ListMemoriesResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    ListTurnsRequest,
    ListTurnsResponse,
    ReplayRequest,
    ReplayResponse,
)
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.memory_service_pb2 import (
    DiffItemRequest,
    DiffItemResponse,
    GetCommitRequest,
    GetCommitResponse,
    GetItemHistoryRequest,
    GetItemHistoryResponse,
    GetItemRequest,
    GetItemResponse,
    ListItemsRequest,
    ListItemsResponse,
    RollbackItemRequest,
    RollbackItemResponse,
)
from smartbrain.v1.resource_service_pb2 import (
    DeleteDocumentRequest,
    DeleteDocumentResponse,
    DocumentHeader,
    GetDocumentRequest,
    GetDocumentResponse,
    IngestDocumentResponse,
    ListDocumentsRequest,
    ListDocumentsResponse,
)
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest, RetrieveResponse

from brain_core import browse, browse_documents
from brain_core.browse_memories import EVERYWHERE, Reach, list_memories
from brain_core.care import Care
from brain_core.chat import make_chat, make_consultant
from brain_core.commit.check import check_commit
from brain_core.commit.derive import Deriving
from brain_core.commit.held import HeldMemories
from brain_core.commit.pipeline import Answer, Prepared, prepare
from brain_core.commit.rollback import prepare_rollback
from brain_core.compose.draft import Contents
from brain_core.compose.executors import Executor, Executors
from brain_core.compose.slots import SlotCounter
from brain_core.composer import Composer
from brain_core.embedders import make_embedder
from brain_core.env import Env, Watch, system_env
from brain_core.extract.revision import judge_of_pairs
from brain_core.extract.worth import judge
from brain_core.follower import Follower
from brain_core.indexes import Indexes
from brain_core.items.check import check_rollback
from brain_core.items.commits import get_commit
from brain_core.items.diff import diff_item
from brain_core.items.read import get_item, item_history, list_items
from brain_core.kinds.load import make_kinds
from brain_core.learner import Learner
from brain_core.library import Library
from brain_core.models.embedder import Embedder, RefiningEmbedder
from brain_core.models.remote import ChatModel
from brain_core.policy import Policy, load_policy
from brain_core.purger import Purger
from brain_core.refine import Refiner
from brain_core.store.contexts import ContextLog
from brain_core.store.kv import KV
from brain_core.store.log import memory_ids, require_memory
from brain_core.store.migrate import FORMAT, lock_store
from brain_core.store.rocks import RocksKV
from brain_core.text.tokens import make_counter


class Brain:
    """All memories of one folder. Safe for use from many threads; one process at a time.

    Requests and answers are the messages of smartbrain.v1; errors are those of brain_core.errors.
    """

    def __init__(
        self,
        kv: KV,
        folder: Path,
        policy: Policy,
        embedder: Embedder,
        env: Env,
        chat: ChatModel | None = None,
        executors: Sequence[Executor] = (),
    ) -> None:
        self._kv = kv
        self._policy = policy
        self._embedder = embedder
        self._env = env
        self._kinds = make_kinds(row.model_dump() for row in policy.kinds)
        self._consultant = make_consultant(policy, list(self._kinds))
        self._counter = SlotCounter(make_counter(policy.policies.composition.tokenizer))
        kept = policy.policies.observability
        self._contexts = ContextLog(kv, kept.contexts_kept, kept.contexts_kept_bytes)
        self._executors = Executors(policy.resources.remote, executors)
        made_for = embedder.dimension, self._counter.counter, policy.zone
        self._indexes = Indexes(kv, folder / "index", *made_for, policy.index.cache_bytes)
        self._care = Care(kv, self._indexes, self._contexts, folder, policy, env)
        self._composer = Composer(
            kv, self._indexes, self._contexts, policy, embedder, env, self._kinds, self._counter, self._executors,
            self._consultant,
        )  # fmt: skip
        self._refiner = Refiner(kv, self._indexes, embedder, env) if isinstance(embedder, RefiningEmbedder) else None
        self._memories = HeldMemories()
        deriving = Deriving(policy, embedder, env, self._kinds, self._memories)
        self._learner = Learner(kv, self._indexes, chat, deriving, self._refine) if chat else None
        self._library = Library(kv, folder / "spool", policy, embedder, env, self._written, self._indexes.renew)
        self._purger = Purger(kv, self._indexes, self._contexts, deriving, self._refine, self._library.alone)
        self._follower = (
            Follower(kv, policy, self._library.ingest_again, env, self._indexes.hold)
            if policy.documents.ingest_refs.roots
            else None
        )

    @classmethod
    def open(
        cls,
        path: Path | str,
        policy: Policy | None = None,
        embedder: Embedder | None = None,
        env: Env | None = None,
        executors: Sequence[Executor] = (),
    ) -> Brain:
        """Open or make the brain in a folder, with the policy's embedder if none is given; it is closed with the brain.

        executors: what asks the servers that the policy's resources.remote names; they stay the caller's to close.
        Raises PolicyError, StoreLocked, StoreFailed, FormatMismatch or EmbedderMismatch; then nothing is held open.
        """
        folder = Path(path)
        policy = policy or load_policy()
        embedder = embedder or make_embedder(policy)
        chat = make_chat(policy.llm)
        kv = RocksKV(folder / "store", durable=policy.store.durability == "disk")
        try:
            lock_store(kv, embedder)
            return cls(kv, folder, policy, embedder, env or system_env(), chat, executors)
        except BaseException:
            kv.close()
            raise

    def close(self) -> None:
        """Write out what is derived, make everything durable, let go of the folder."""
        self._purger.close()
        if self._consultant is not None:
            self._consultant.close()
        if self._follower is not None:
            self._follower.close()
        if self._learner is not None:
            self._learner.close()
        if self._refiner is not None:
            self._refiner.close()
        if isinstance(self._embedder, RefiningEmbedder):
            self._embedder.close()
        try:
            self._contexts.close()
            self._indexes.close()
        finally:
            self._kv.close()

    def __enter__(self) -> Brain:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def warm_up(self) -> None:
        """Load what reads messages, a few tenths of a second of work; else the first calls do, as far as files open."""
        judge_of_pairs()
        judge()
        self._composer.warm_up()

    @property
    def policy(self) -> Policy:
        """The policy in force."""
        return self._policy

    def commit_turn(
        self,
        request: CommitTurnRequest,
        *,
        sync: bool = True,
        seen: Callable[[CommitTurnResponse], None] | None = None,
    ) -> CommitTurnResponse:
        """Make a turn true, durable and findable. With sync False, `sync` must be called before it is acknowledged.

        seen: is handed the answer if a turn was written, so neither a repeat's nor a dry run's.
        """
        check_commit(request, self._policy.limits, self._kinds)
        prepared = self._written(
            request.memory_id,
            lambda: prepare(self._kv, request, self._policy, self._embedder, self._env, self._kinds, self._memories),
        )
        if sync and not request.validate_only:
            self._kv.sync()
        if seen is not None and prepared.batch is not None:
            seen(prepared.response)
        if self._follower is not None:
            self._follower.notice(request.memory_id)
        return prepared.response

    def rollback_item(self, request: RollbackItemRequest) -> RollbackItemResponse:
        """Make an earlier version of an item hold again, durably and findably."""
        check_rollback(request, self._policy.limits, self._kinds)
        require_memory(self._kv, request.memory_id)
        prepared = self._written(
            request.memory_id,
            lambda: prepare_rollback(self._kv, request, self._policy, self._embedder, self._env),
        )
        self._kv.sync()
        return prepared.response

    def ingest_document(self, header: DocumentHeader, parts: Iterable[bytes]) -> IngestDocumentResponse:
        """Take in a document, durably and findably: all of it or nothing. parts: its content in order."""
        return self._library.ingest(header, parts)

    def end_ingests(self) -> None:
        """Have documents that are on their way end with Stopping: the brain is about to be closed."""
        self._library.end()

    def delete_document(self, request: DeleteDocumentRequest) -> DeleteDocumentResponse:
        """Take a document out; with `purge` also what is kept of the texts that the memory's documents have no more."""
        response = self._library.delete(request)
        self._purger.forget_documents(request)
        return response

    def delete_memory(self, request: DeleteMemoryRequest) -> DeleteMemoryResponse:
        """Purge a memory: it has not begun then."""
        return self._purger.delete_memory(request)

    def delete_session(self, request: DeleteSessionRequest) -> DeleteSessionResponse:
        """Purge a session and what was learned from it alone."""
        return self._purger.delete_session(request)

    def delete_turn(self, request: DeleteTurnRequest) -> DeleteTurnResponse:
        """Purge a turn and what was learned from it alone."""
        return self._purger.delete_turn(request)

    def get_document(self, request: GetDocumentRequest) -> GetDocumentResponse:
        """Give one document."""
        return browse_documents.document(self._kv.snapshot(), request, self._policy.limits)

    def list_documents(self, request: ListDocumentsRequest) -> ListDocumentsResponse:
        """Give a page of documents by id."""
        return browse_documents.list_documents(self._kv.snapshot(), request, self._policy.limits)

    def sync(self) -> None:
        """Return once every earlier commit is as durable as the policy says."""
        self._kv.sync()

    def compose_context(
        self,
        request: ComposeContextRequest,
        *,
        due: float | None = None,
        watch: Watch | None = None,
    ) -> ComposeContextResponse:
        """Choose what to put before the model, inside the token limit, with the reason for every piece.

        due: when the answer must be there, seconds of time.perf_counter; what there is no time for is left out and
        named. watch: tells when nobody waits for it any more; then no language model is waited for either.
        """
        return ComposeContextResponse.FromString(self.composed_bytes(request, due=due, watch=watch))

    def composed_bytes(
        self,
        request: ComposeContextRequest,
        *,
        due: float | None = None,
        watch: Watch | None = None,
        seen: Callable[[Contents], None] | None = None,
    ) -> bytes:
        """Answer as `compose_context` does, with the bytes that a server sends, which are never parsed here.

        seen: is handed what went into the package, with the numbers of its trace, whether the answer keeps that or not.
        """
        return self._composer.compose(request, due, watch, seen)

    def retrieve(self, request: RetrieveRequest, *, due: float | None = None, asked_by: str = "") -> RetrieveResponse:
        """Carry out a plan. due: as in compose_context. asked_by: the name by which another brain asks."""
        return RetrieveResponse.FromString(self.retrieved_bytes(request, due=due, asked_by=asked_by))

    def retrieved_bytes(
        self,
        request: RetrieveRequest,
        *,
        due: float | None = None,
        asked_by: str = "",
        seen: Callable[[EvidencePack], None] | None = None,
    ) -> bytes:
        """Answer as `retrieve` does, with the bytes that a server sends.

        seen: is handed the pack, maybe without plan, evidences and explain.
        """
        return self._composer.retrieve(request, due, asked_by, seen)

    def get_context(self, request: GetContextRequest) -> GetContextResponse:
        """Give an earlier compose, as stored."""
        return browse.stored_context(self._kv, self._contexts, request, self._policy.limits)

    def list_contexts(self, request: ListContextsRequest) -> ListContextsResponse:
        """Give a page of stored contexts, newest first."""
        return browse.stored_contexts(self._kv, self._contexts, request, self._policy.limits)

    def replay(self, request: ReplayRequest) -> ReplayResponse:
        """Compose a stored context again and say what differs; store nothing."""
        return self._composer.replay(request)

    def get_session(self, request: GetSessionRequest) -> GetSessionResponse:
        """Give one session."""
        return browse.session(self._kv.snapshot(), request, self._policy.limits)

    def list_memories(self, request: ListMemoriesRequest, reach: Reach = EVERYWHERE) -> ListMemoriesResponse:
        """Give a page of memories by id, with what each holds. reach: which of them whoever asks is told of."""
        return list_memories(self._kv.snapshot(), request, self._policy.limits, reach)

    def list_sessions(self, request: ListSessionsRequest) -> ListSessionsResponse:
        """Give a page of sessions by id."""
        return browse.sessions(self._kv.snapshot(), request, self._policy.limits)

    def list_turns(self, request: ListTurnsRequest) -> ListTurnsResponse:
        """Give a page of a session's turns in order."""
        return browse.turns(self._kv.snapshot(), request, self._policy.limits)

    def list_items(self, request: ListItemsRequest) -> ListItemsResponse:
        """Give a page of items, as they are or as they were."""
        return list_items(self._kv.snapshot(), request, self._policy.limits, self._kinds)

    def get_item(self, request: GetItemRequest) -> GetItemResponse:
        """Give one item, as it is or as it was."""
        return get_item(self._kv.snapshot(), request, self._policy.limits, self._kinds)

    def item_history(self, request: GetItemHistoryRequest) -> GetItemHistoryResponse:
        """Give a page of an item's versions, oldest first."""
        return item_history(self._kv.snapshot(), request, self._policy.limits, self._kinds)

    def diff_item(self, request: DiffItemRequest) -> DiffItemResponse:
        """Say in which fields two versions of an item differ."""
        return diff_item(self._kv.snapshot(), request, self._policy.limits, self._kinds)

    def get_commit(self, request: GetCommitRequest) -> GetCommitResponse:
        """Give what a commit answered."""
        return get_commit(self._kv.snapshot(), request, self._policy.limits)

    def status(self) -> GetStatusResponse:
        """Say what this brain is and holds; version and uptime are left for the server."""
        loaded, nbytes = self._indexes.stats()
        refiner, view = self._refiner, self._kv.snapshot()
        turns_left, learn_problem = self._learner.status(view) if self._learner else (0, "")
        to_follow, skipped, follow_problem = self._follower.status(view) if self._follower else (0, 0, "")
        to_erase, erase_problem = self._purger.status(view)
        return GetStatusResponse(
            store_format=FORMAT,
            embedder=self._embedder.name,
            dimension=self._embedder.dimension,
            durability=self._policy.store.durability,
            memories=sum(1 for _ in memory_ids(self._kv)),
            memories_loaded=loaded,
            index_bytes=nbytes,
            chunks_to_refine=refiner.chunks_left(view) if refiner else 0,
            refine_problem=refiner.problem if refiner else "",
            turns_to_learn=turns_left,
            learn_problem=learn_problem,
            turns_to_follow=to_follow,
            refs_skipped=skipped,
            follow_problem=follow_problem,
            purges_to_erase=to_erase,
            erase_problem=erase_problem,
            executors=self._executors.status(),
            planner=self._consultant.status() if self._consultant is not None else None,
        )

    def verify(self, memory_id: str = "") -> Iterator[VerifyResponse]:
        """Check store and index of one memory or of all, one answer per memory, whatever is found in the others.

        Where not all memories can be told, the last answer names none and says why.
        """
        return self._care.verify(memory_id)

    def rebuild_index(self, memory_id: str = "") -> Iterator[RebuildIndexResponse]:
        """Make the index of one memory or of all anew from the store, one answer per memory."""
        return self._care.rebuild_index(memory_id)

    def back_up(self, request: BackupRequest) -> Iterator[BackupResponse]:
        """Write a backup of all memories to a new folder; the last answer has its manifest. Calls go on meanwhile."""
        return self._care.back_up(request)

    def _written(self, memory_id: str, prepare: Callable[[], Prepared[Answer]]) -> Prepared[Answer]:
        """Prepare a change with the memory's lock held, write it, and tell those who work in the background."""
        prepared = self._indexes.written(memory_id, prepare)
        if prepared.added:
            self._refine(memory_id)
        if self._learner is not None and prepared.batch is not None:
            self._learner.notice(memory_id)
        return prepared

    def _refine(self, memory_id: str) -> None:
        if self._refiner is not None:
            self._refiner.notice(memory_id)
