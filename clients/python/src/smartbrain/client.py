"""The synchronous client."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import grpc

from smartbrain import requests
from smartbrain.access import Access, File
from smartbrain.channel import address, channel_options
from smartbrain.chat import MessageLike
from smartbrain.documents import DocumentCalls
from smartbrain.errors import translated
from smartbrain.fields import filled, seconds
from smartbrain.purging import PurgeCalls
from smartbrain.requests import Moment
from smartbrain.v1.admin_service_pb2 import (
    BackupResponse,
    GetMetricsRequest,
    GetStatusRequest,
    GetStatusResponse,
    RebuildIndexRequest,
    RebuildIndexResponse,
    VerifyRequest,
    VerifyResponse,
)
from smartbrain.v1.admin_service_pb2_grpc import AdminServiceStub
from smartbrain.v1.brain_service_pb2 import (
    AgentState,
    CommitTurnRequest,
    CommitTurnResponse,
    CommitTurnsResponse,
    ComposeContextResponse,
    GetContextRequest,
    GetContextResponse,
    GetSessionRequest,
    GetSessionResponse,
    ListContextsRequest,
    ListMemoriesRequest,
    ListSessionsRequest,
    ListTurnsRequest,
    Memory,
    ReplayRequest,
    ReplayResponse,
    StoredContext,
    WaitLevel,
)
from smartbrain.v1.brain_service_pb2_grpc import BrainServiceStub
from smartbrain.v1.event_pb2 import Session, Turn, TurnEvents
from smartbrain.v1.item_pb2 import ItemStatus, MemoryItem
from smartbrain.v1.memory_service_pb2 import (
    DiffItemRequest,
    DiffItemResponse,
    GetCommitRequest,
    GetCommitResponse,
    GetItemHistoryRequest,
    GetItemResponse,
    RollbackItemResponse,
)
from smartbrain.v1.memory_service_pb2_grpc import MemoryServiceStub
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceStub
from smartbrain.v1.retrieval_service_pb2 import RetrieveResponse
from smartbrain.v1.retrieval_service_pb2_grpc import RetrievalServiceStub

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class Client(DocumentCalls, PurgeCalls):
    """A connection to a SmartBrain server; safe to share among threads, and a context manager that closes it.

    `target` is `host:port` or `unix:/path`. `memory_id` stands in wherever a call does not name a memory, `timezone`
    (an IANA name, such as Asia/Shanghai) where a commit or compose names none; where nobody does, the server's setting
    holds. `timeout` is in seconds, for a whole call with its retries; streams (commit_many, ingest, verify,
    rebuild_index) have none unless given one. A call that meets UNAVAILABLE is made up to `retries` (0 to 4) more
    times. `token` says who calls, where the server asks; none goes to another machine in the clear. `tls` encrypts,
    as does any of the files `ca` (authorities that may have signed the server's certificate, else those that gRPC
    trusts), `certificate` and `key` (the client's, where the server asks for one). Connecting happens at the first
    call. Every call may raise what `smartbrain.errors` draws.
    """

    def __init__(  # noqa: PLR0913 - one parameter per setting
        self,
        target: str = "127.0.0.1:7700",
        *,
        memory_id: str | None = None,
        timezone: str | None = None,
        timeout: float = 10.0,
        retries: int = 4,
        token: str | None = None,
        tls: bool = False,
        ca: File | None = None,
        certificate: File | None = None,
        key: File | None = None,
    ) -> None:
        self._memory_id = memory_id or ""
        self._timezone = timezone or ""
        self._timeout = timeout
        access = Access(address(target), token=token, tls=tls, ca=ca, certificate=certificate, key=key)
        self._channel = access.open(grpc.secure_channel, grpc.insecure_channel, target, channel_options(retries))
        channel = access.carried(self._channel)
        self._brain = BrainServiceStub(channel)
        self._retrieval = RetrievalServiceStub(channel)
        self._items = MemoryServiceStub(channel)
        self._resources = ResourceServiceStub(channel)
        self._admin = AdminServiceStub(channel)

    def close(self) -> None:
        """Close the connection; calls in flight are cancelled."""
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def commit(  # noqa: PLR0913 - one parameter per field of the request
        self,
        session_id: str,
        messages: Iterable[MessageLike] | TurnEvents,
        *,
        memory_id: str | None = None,
        request_id: str | None = None,
        wait_level: WaitLevel.ValueType = WaitLevel.WAIT_LEVEL_FINDABLE,
        validate_only: bool = False,
        timezone: str | None = None,
        timeout: float | None = None,
    ) -> CommitTurnResponse:
        """Make a turn true and durable, learn from it, and make it findable by the next call.

        Without a `request_id` it goes under a new one, so that its retries commit once; give your own to repeat a
        commit safely across runs. `timezone` is where it was said: "tomorrow" is the day after the one there.
        """
        request = requests.commit_request(
            self._memory(memory_id),
            session_id,
            messages,
            request_id=request_id,
            wait_level=wait_level,
            validate_only=validate_only,
            timezone=self._zone(timezone),
        )
        return self._call(self._brain.CommitTurn, request, timeout)

    def commit_many(
        self, turns: Iterable[CommitTurnRequest], *, memory_id: str | None = None, timeout: float | None = None
    ) -> CommitTurnsResponse:
        """Commit many turns with one wait for the disk at the end.

        All requests are made before the first is sent, so hand over long runs in batches. The `index` of
        an error is the 0-based request it stopped at; those before it are committed.
        """
        stream = requests.commit_stream(turns, self._memory(memory_id), self._timezone)
        with translated():
            return self._brain.CommitTurns(iter(stream), timeout=seconds(timeout))

    def compose(  # noqa: PLR0913 - one parameter per field of the request
        self,
        session_id: str,
        user_message: str,
        *,
        token_limit: int = 0,
        plan: RetrievalPlan | None = None,
        agent_state: AgentState | None = None,
        min_revision: int = 0,
        now: datetime | None = None,
        as_of: Moment | None = None,
        timezone: str | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> ComposeContextResponse:
        """Choose what to put before the model for `user_message`, inside `token_limit` tokens (0: the server's).

        `now` is an aware datetime that recency and days count from; without it, the time of the memory's newest text.
        With it the evidence says which day it is. `timezone` is where the user is.
        `as_of`, a revision or an aware datetime, composes of what was known then.
        """
        request = requests.compose_request(
            self._memory(memory_id),
            session_id,
            user_message,
            token_limit=token_limit,
            plan=plan,
            agent_state=agent_state,
            min_revision=min_revision,
            now=now,
            as_of=as_of,
            timezone=self._zone(timezone),
        )
        return self._call(self._brain.ComposeContext, request, timeout)

    def retrieve(
        self,
        plan: RetrievalPlan | str,
        *,
        session_id: str = "",
        min_revision: int = 0,
        as_of: Moment | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> RetrieveResponse:
        """Give the evidences for a plan, or for a text as its one query; of what was there at `as_of`."""
        request = requests.retrieve_request(
            self._memory(memory_id), plan, session_id=session_id, min_revision=min_revision, as_of=as_of
        )
        return self._call(self._retrieval.Retrieve, request, timeout)

    def get_context(
        self, context_id: str, *, memory_id: str | None = None, timeout: float | None = None
    ) -> GetContextResponse:
        """Give request, plan and package of an earlier compose, as stored."""
        request = filled(GetContextRequest, memory_id=self._memory(memory_id), context_id=context_id)
        return self._call(self._brain.GetContext, request, timeout)

    def contexts(
        self, *, memory_id: str | None = None, page_size: int = 0, timeout: float | None = None
    ) -> Iterator[StoredContext]:
        """Give the stored contexts of a memory, newest first, fetched page by page; `timeout` is for each page."""
        request = filled(ListContextsRequest, memory_id=self._memory(memory_id), page_size=page_size)
        while True:
            page = self._call(self._brain.ListContexts, request, timeout)
            yield from page.contexts
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def replay(self, context_id: str, *, memory_id: str | None = None, timeout: float | None = None) -> ReplayResponse:
        """Compose a stored context again and say what differs from what was answered then; nothing is stored."""
        request = filled(ReplayRequest, memory_id=self._memory(memory_id), context_id=context_id)
        return self._call(self._brain.Replay, request, timeout)

    def get_session(
        self, session_id: str, *, memory_id: str | None = None, timeout: float | None = None
    ) -> GetSessionResponse:
        """Give one session."""
        request = filled(GetSessionRequest, memory_id=self._memory(memory_id), session_id=session_id)
        return self._call(self._brain.GetSession, request, timeout)

    def memories(self, *, prefix: str = "", page_size: int = 0, timeout: float | None = None) -> Iterator[Memory]:
        """Give the memories of the server by id, with what each holds, page by page; `timeout` is for each page.

        `prefix` is how their ids begin. Where the server asks for tokens, they are those that yours reaches.
        """
        request = filled(ListMemoriesRequest, prefix=prefix, page_size=page_size)
        while True:
            page = self._call(self._brain.ListMemories, request, timeout)
            yield from page.memories
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def sessions(
        self, *, memory_id: str | None = None, page_size: int = 0, timeout: float | None = None
    ) -> Iterator[Session]:
        """Give the sessions of a memory by id, fetched page by page; `timeout` is for each page."""
        request = filled(ListSessionsRequest, memory_id=self._memory(memory_id), page_size=page_size)
        while True:
            page = self._call(self._brain.ListSessions, request, timeout)
            yield from page.sessions
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def turns(
        self, session_id: str, *, memory_id: str | None = None, page_size: int = 0, timeout: float | None = None
    ) -> Iterator[Turn]:
        """Give the turns of a session in order, fetched page by page; `timeout` is for each page."""
        request = filled(
            ListTurnsRequest, memory_id=self._memory(memory_id), session_id=session_id, page_size=page_size
        )
        while True:
            page = self._call(self._brain.ListTurns, request, timeout)
            yield from page.turns
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def list_items(  # noqa: PLR0913 - one parameter per field of the request
        self,
        *,
        types: Iterable[str] = (),
        statuses: Iterable[ItemStatus.ValueType] = (),
        key_prefix: str = "",
        session_id: str = "",
        as_of: Moment | None = None,
        memory_id: str | None = None,
        page_size: int = 0,
        timeout: float | None = None,
    ) -> Iterator[MemoryItem]:
        """Give items by type and key, fetched page by page; `timeout` is for each page.

        No `types` means all, no `statuses` what is active or deprecated. `as_of` is a revision or an aware datetime:
        items come as they were then. All are true at one revision, whatever is committed between the pages.
        """
        request = requests.list_items_request(
            self._memory(memory_id),
            types=types,
            statuses=statuses,
            key_prefix=key_prefix,
            session_id=session_id,
            as_of=as_of,
            page_size=page_size,
        )
        while True:
            page = self._call(self._items.ListItems, request, timeout)
            yield from page.items
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def get_item(
        self,
        item_type: str,
        key: str,
        *,
        version: int = 0,
        as_of: Moment | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> GetItemResponse:
        """Give an item: its newest version, the one numbered `version`, or what it said `as_of` a moment."""
        request = requests.get_item_request(self._memory(memory_id), item_type, key, version=version, as_of=as_of)
        return self._call(self._items.GetItem, request, timeout)

    def item_history(
        self,
        item_type: str,
        key: str,
        *,
        memory_id: str | None = None,
        page_size: int = 0,
        timeout: float | None = None,
    ) -> Iterator[MemoryItem]:
        """Give every version of an item, oldest first, fetched page by page; `timeout` is for each page."""
        request = filled(
            GetItemHistoryRequest, memory_id=self._memory(memory_id), type=item_type, key=key, page_size=page_size
        )
        while True:
            page = self._call(self._items.GetItemHistory, request, timeout)
            yield from page.versions
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def diff_item(
        self,
        item_type: str,
        key: str,
        *,
        from_version: int = 0,
        to_version: int = 0,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> DiffItemResponse:
        """Give the fields in which two versions differ: by default the newest from the one before it."""
        request = filled(
            DiffItemRequest,
            memory_id=self._memory(memory_id),
            type=item_type,
            key=key,
            from_version=from_version,
            to_version=to_version,
        )
        return self._call(self._items.DiffItem, request, timeout)

    def rollback_item(
        self,
        item_type: str,
        key: str,
        version: int,
        *,
        request_id: str | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> RollbackItemResponse:
        """Make the value of an earlier version the newest one; the versions between stay.

        It goes under a `request_id` as `commit` does.
        """
        request = requests.rollback_request(self._memory(memory_id), item_type, key, version, request_id=request_id)
        return self._call(self._items.RollbackItem, request, timeout)

    def get_commit(
        self, commit_id: str, *, memory_id: str | None = None, timeout: float | None = None
    ) -> GetCommitResponse:
        """Give what a commit answered: items, verdicts, conflicts, summary."""
        request = filled(GetCommitRequest, memory_id=self._memory(memory_id), commit_id=commit_id)
        return self._call(self._items.GetCommit, request, timeout)

    def status(self, *, timeout: float | None = None) -> GetStatusResponse:
        """Give what the server is and holds."""
        return self._call(self._admin.GetStatus, GetStatusRequest(), timeout)

    def metrics(self, *, timeout: float | None = None) -> str:
        """Give what the server has counted since its start, in the text format of OpenMetrics."""
        return self._call(self._admin.GetMetrics, GetMetricsRequest(), timeout).text

    def verify(self, memory_id: str = "", *, timeout: float | None = None) -> Iterator[VerifyResponse]:
        """Check store and index of one memory, or of every memory when none is named; one answer per memory."""
        with translated():
            yield from self._admin.Verify(filled(VerifyRequest, memory_id=memory_id), timeout=seconds(timeout))

    def rebuild_index(self, memory_id: str = "", *, timeout: float | None = None) -> Iterator[RebuildIndexResponse]:
        """Make the index of one memory anew, or of every memory when none is named; one answer per memory.

        The work goes on only while the answers are read.
        """
        with translated():
            yield from self._admin.RebuildIndex(
                filled(RebuildIndexRequest, memory_id=memory_id), timeout=seconds(timeout)
            )

    def backup(self, folder: Path | str, *, timeout: float | None = None) -> Iterator[BackupResponse]:
        """Write all that the server holds to a new folder of its machine; the last answer has the manifest.

        folder: absolute, below the server's store.backup_folders, which is brain-backups beside its data as it comes.
        The folder appears when all of it is written and checked. The work goes on only while the answers are read.
        """
        request = requests.backup_request(folder)
        with translated():
            yield from self._admin.Backup(request, timeout=seconds(timeout))

    def _memory(self, memory_id: str | None) -> str:
        return self._memory_id if memory_id is None else memory_id

    def _zone(self, timezone: str | None) -> str:
        return self._timezone if timezone is None else timezone

    def _call(
        self, call: "grpc.UnaryUnaryMultiCallable[_Request, _Response]", request: _Request, timeout: float | None
    ) -> _Response:
        with translated():
            return call(request, timeout=seconds(self._timeout if timeout is None else timeout))
