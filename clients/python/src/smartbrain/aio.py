"""The asynchronous client: `smartbrain.Client` with `await` before its verbs."""

from collections.abc import AsyncIterator, Iterable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from grpc import aio

from smartbrain import requests, streams
from smartbrain.access import Access, File
from smartbrain.channel import address, channel_options
from smartbrain.chat import MessageLike
from smartbrain.documents import AsyncDocumentCalls
from smartbrain.errors import translated
from smartbrain.fields import filled, seconds
from smartbrain.purging import AsyncPurgeCalls
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


class AsyncClient(AsyncDocumentCalls, AsyncPurgeCalls):
    """As `smartbrain.Client`, for asyncio; to be made and used inside one running event loop."""

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
        self._channel = access.open(aio.secure_channel, aio.insecure_channel, target, channel_options(retries))
        channel = access.carried(self._channel)
        self._brain = BrainServiceStub(channel)
        self._retrieval = RetrievalServiceStub(channel)
        self._items = MemoryServiceStub(channel)
        self._resources = ResourceServiceStub(channel)
        self._admin = AdminServiceStub(channel)

    async def close(self) -> None:
        """Close the connection; calls in flight are cancelled."""
        await self._channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def commit(  # noqa: PLR0913 - one parameter per field of the request
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
        """Do as `Client.commit` does."""
        request = requests.commit_request(
            self._memory(memory_id),
            session_id,
            messages,
            request_id=request_id,
            wait_level=wait_level,
            validate_only=validate_only,
            timezone=self._zone(timezone),
        )
        return await self._call(self._brain.CommitTurn, request, timeout)

    async def commit_many(
        self, turns: Iterable[CommitTurnRequest], *, memory_id: str | None = None, timeout: float | None = None
    ) -> CommitTurnsResponse:
        """Do as `Client.commit_many` does."""
        stream = requests.commit_stream(turns, self._memory(memory_id), self._timezone)
        with translated():
            return await streams.answer(self._brain.CommitTurns(iter(stream), timeout=seconds(timeout)))

    async def compose(  # noqa: PLR0913 - one parameter per field of the request
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
        """Do as `Client.compose` does."""
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
        return await self._call(self._brain.ComposeContext, request, timeout)

    async def retrieve(
        self,
        plan: RetrievalPlan | str,
        *,
        session_id: str = "",
        min_revision: int = 0,
        as_of: Moment | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> RetrieveResponse:
        """Do as `Client.retrieve` does."""
        request = requests.retrieve_request(
            self._memory(memory_id), plan, session_id=session_id, min_revision=min_revision, as_of=as_of
        )
        return await self._call(self._retrieval.Retrieve, request, timeout)

    async def get_context(
        self, context_id: str, *, memory_id: str | None = None, timeout: float | None = None
    ) -> GetContextResponse:
        """Do as `Client.get_context` does."""
        request = filled(GetContextRequest, memory_id=self._memory(memory_id), context_id=context_id)
        return await self._call(self._brain.GetContext, request, timeout)

    async def contexts(
        self, *, memory_id: str | None = None, page_size: int = 0, timeout: float | None = None
    ) -> AsyncIterator[StoredContext]:
        """Do as `Client.contexts` does."""
        request = filled(ListContextsRequest, memory_id=self._memory(memory_id), page_size=page_size)
        while True:
            page = await self._call(self._brain.ListContexts, request, timeout)
            for context in page.contexts:
                yield context
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def replay(
        self, context_id: str, *, memory_id: str | None = None, timeout: float | None = None
    ) -> ReplayResponse:
        """Do as `Client.replay` does."""
        request = filled(ReplayRequest, memory_id=self._memory(memory_id), context_id=context_id)
        return await self._call(self._brain.Replay, request, timeout)

    async def get_session(
        self, session_id: str, *, memory_id: str | None = None, timeout: float | None = None
    ) -> GetSessionResponse:
        """Do as `Client.get_session` does."""
        request = filled(GetSessionRequest, memory_id=self._memory(memory_id), session_id=session_id)
        return await self._call(self._brain.GetSession, request, timeout)

    async def memories(
        self, *, prefix: str = "", page_size: int = 0, timeout: float | None = None
    ) -> AsyncIterator[Memory]:
        """Do as `Client.memories` does."""
        request = filled(ListMemoriesRequest, prefix=prefix, page_size=page_size)
        while True:
            page = await self._call(self._brain.ListMemories, request, timeout)
            for memory in page.memories:
                yield memory
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def sessions(
        self, *, memory_id: str | None = None, page_size: int = 0, timeout: float | None = None
    ) -> AsyncIterator[Session]:
        """Do as `Client.sessions` does."""
        request = filled(ListSessionsRequest, memory_id=self._memory(memory_id), page_size=page_size)
        while True:
            page = await self._call(self._brain.ListSessions, request, timeout)
            for session in page.sessions:
                yield session
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def turns(
        self, session_id: str, *, memory_id: str | None = None, page_size: int = 0, timeout: float | None = None
    ) -> AsyncIterator[Turn]:
        """Do as `Client.turns` does."""
        request = filled(
            ListTurnsRequest, memory_id=self._memory(memory_id), session_id=session_id, page_size=page_size
        )
        while True:
            page = await self._call(self._brain.ListTurns, request, timeout)
            for turn in page.turns:
                yield turn
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def list_items(  # noqa: PLR0913 - one parameter per field of the request
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
    ) -> AsyncIterator[MemoryItem]:
        """Do as `Client.list_items` does."""
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
            page = await self._call(self._items.ListItems, request, timeout)
            for item in page.items:
                yield item
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def get_item(
        self,
        item_type: str,
        key: str,
        *,
        version: int = 0,
        as_of: Moment | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> GetItemResponse:
        """Do as `Client.get_item` does."""
        request = requests.get_item_request(self._memory(memory_id), item_type, key, version=version, as_of=as_of)
        return await self._call(self._items.GetItem, request, timeout)

    async def item_history(
        self,
        item_type: str,
        key: str,
        *,
        memory_id: str | None = None,
        page_size: int = 0,
        timeout: float | None = None,
    ) -> AsyncIterator[MemoryItem]:
        """Do as `Client.item_history` does."""
        request = filled(
            GetItemHistoryRequest, memory_id=self._memory(memory_id), type=item_type, key=key, page_size=page_size
        )
        while True:
            page = await self._call(self._items.GetItemHistory, request, timeout)
            for version in page.versions:
                yield version
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def diff_item(
        self,
        item_type: str,
        key: str,
        *,
        from_version: int = 0,
        to_version: int = 0,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> DiffItemResponse:
        """Do as `Client.diff_item` does."""
        request = filled(
            DiffItemRequest,
            memory_id=self._memory(memory_id),
            type=item_type,
            key=key,
            from_version=from_version,
            to_version=to_version,
        )
        return await self._call(self._items.DiffItem, request, timeout)

    async def rollback_item(
        self,
        item_type: str,
        key: str,
        version: int,
        *,
        request_id: str | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> RollbackItemResponse:
        """Do as `Client.rollback_item` does."""
        request = requests.rollback_request(self._memory(memory_id), item_type, key, version, request_id=request_id)
        return await self._call(self._items.RollbackItem, request, timeout)

    async def get_commit(
        self, commit_id: str, *, memory_id: str | None = None, timeout: float | None = None
    ) -> GetCommitResponse:
        """Do as `Client.get_commit` does."""
        request = filled(GetCommitRequest, memory_id=self._memory(memory_id), commit_id=commit_id)
        return await self._call(self._items.GetCommit, request, timeout)

    async def status(self, *, timeout: float | None = None) -> GetStatusResponse:
        """Do as `Client.status` does."""
        return await self._call(self._admin.GetStatus, GetStatusRequest(), timeout)

    async def metrics(self, *, timeout: float | None = None) -> str:
        """Do as `Client.metrics` does."""
        return (await self._call(self._admin.GetMetrics, GetMetricsRequest(), timeout)).text

    async def verify(self, memory_id: str = "", *, timeout: float | None = None) -> AsyncIterator[VerifyResponse]:
        """Do as `Client.verify` does."""
        with translated():
            async for answer in self._admin.Verify(
                filled(VerifyRequest, memory_id=memory_id), timeout=seconds(timeout)
            ):
                yield answer

    async def rebuild_index(
        self, memory_id: str = "", *, timeout: float | None = None
    ) -> AsyncIterator[RebuildIndexResponse]:
        """Do as `Client.rebuild_index` does."""
        with translated():
            async for answer in self._admin.RebuildIndex(
                filled(RebuildIndexRequest, memory_id=memory_id), timeout=seconds(timeout)
            ):
                yield answer

    async def backup(self, folder: Path | str, *, timeout: float | None = None) -> AsyncIterator[BackupResponse]:
        """Do as `Client.backup` does."""
        request = requests.backup_request(folder)
        with translated():
            async for answer in self._admin.Backup(request, timeout=seconds(timeout)):
                yield answer

    def _memory(self, memory_id: str | None) -> str:
        return self._memory_id if memory_id is None else memory_id

    def _zone(self, timezone: str | None) -> str:
        return self._timezone if timezone is None else timezone

    async def _call(
        self, call: "aio.UnaryUnaryMultiCallable[_Request, _Response]", request: _Request, timeout: float | None
    ) -> _Response:
        with translated():
            return await call(request, timeout=seconds(self._timeout if timeout is None else timeout))
