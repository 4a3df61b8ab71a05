"""What both clients say to purge: a turn, a session, a memory."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeVar

import grpc
from grpc import aio

from smartbrain.requests import delete_memory_request, delete_session_request, delete_turn_request
from smartbrain.v1.brain_service_pb2 import (
    DeleteMemoryResponse,
    DeleteSessionResponse,
    DeleteTurnResponse,
)
from smartbrain.v1.brain_service_pb2_grpc import BrainServiceStub

if TYPE_CHECKING:
    from smartbrain.v1.brain_service_pb2_grpc import BrainServiceAsyncStub  # a name that the stubs alone have

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class PurgeCalls(ABC):
    """The verbs of `Client` that purge."""

    _brain: BrainServiceStub

    def delete_turn(
        self,
        turn_id: str,
        *,
        validate_only: bool = False,
        request_id: str | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> DeleteTurnResponse:
        """Purge a turn, and what was learned from it alone; with `validate_only` say what would go, and purge nothing.

        Once it answers nothing of that is found any more; its bytes leave the server's files soon after, when
        `status().purges_to_erase` is 0. It goes under a `request_id` as `commit` does.
        """
        request = delete_turn_request(
            self._memory(memory_id), turn_id, validate_only=validate_only, request_id=request_id
        )
        return self._call(self._brain.DeleteTurn, request, timeout)

    def delete_session(
        self,
        session_id: str,
        *,
        validate_only: bool = False,
        request_id: str | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> DeleteSessionResponse:
        """Purge a session, and what was learned from it alone, as `delete_turn` does."""
        request = delete_session_request(
            self._memory(memory_id), session_id, validate_only=validate_only, request_id=request_id
        )
        return self._call(self._brain.DeleteSession, request, timeout)

    def delete_memory(
        self,
        memory_id: str,
        *,
        validate_only: bool = False,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> DeleteMemoryResponse:
        """Purge all of a memory, which must be named. It has not begun then, so a second time raises NotFound.

        It goes under a `request_id` as `commit` does.
        """
        request = delete_memory_request(memory_id, validate_only=validate_only, request_id=request_id)
        return self._call(self._brain.DeleteMemory, request, timeout)

    @abstractmethod
    def _memory(self, memory_id: str | None) -> str: ...

    @abstractmethod
    def _call(
        self, call: "grpc.UnaryUnaryMultiCallable[_Request, _Response]", request: _Request, timeout: float | None
    ) -> _Response: ...


class AsyncPurgeCalls(ABC):
    """The verbs of `AsyncClient` that purge."""

    _brain: "BrainServiceAsyncStub"

    async def delete_turn(
        self,
        turn_id: str,
        *,
        validate_only: bool = False,
        request_id: str | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> DeleteTurnResponse:
        """Do as `Client.delete_turn` does."""
        request = delete_turn_request(
            self._memory(memory_id), turn_id, validate_only=validate_only, request_id=request_id
        )
        return await self._call(self._brain.DeleteTurn, request, timeout)

    async def delete_session(
        self,
        session_id: str,
        *,
        validate_only: bool = False,
        request_id: str | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> DeleteSessionResponse:
        """Do as `Client.delete_session` does."""
        request = delete_session_request(
            self._memory(memory_id), session_id, validate_only=validate_only, request_id=request_id
        )
        return await self._call(self._brain.DeleteSession, request, timeout)

    async def delete_memory(
        self,
        memory_id: str,
        *,
        validate_only: bool = False,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> DeleteMemoryResponse:
        """Do as `Client.delete_memory` does."""
        request = delete_memory_request(memory_id, validate_only=validate_only, request_id=request_id)
        return await self._call(self._brain.DeleteMemory, request, timeout)

    @abstractmethod
    def _memory(self, memory_id: str | None) -> str: ...

    @abstractmethod
    async def _call(
        self, call: "aio.UnaryUnaryMultiCallable[_Request, _Response]", request: _Request, timeout: float | None
    ) -> _Response: ...
