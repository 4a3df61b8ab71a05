"""Who has no token is turned away before any request of theirs is read."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import structlog

from brain_server.refusal import refusing
from brain_server.services.calls import Called
from brain_server.services.failures import code_name
from brain_server.tokens import Tokens, Unauthenticated

log = structlog.get_logger()


class Admission(grpc.ServerInterceptor):
    """Lets calls of some services in whose token is known; what each may do is decided with its request."""

    def __init__(self, tokens: Tokens, services: Sequence[str], called: Called) -> None:
        """services: by their full names; calls of others (health, reflection) need no token."""
        self._tokens = tokens
        self._prefixes = tuple(f"/{service}/" for service in services)
        self._called = called
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="turn-away")

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], grpc.RpcMethodHandler[Any, Any] | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Return what serves a call that has come."""
        handler = continuation(handler_call_details)
        if handler is None or not self._tokens or not handler_call_details.method.startswith(self._prefixes):
            return handler
        began = time.perf_counter()
        try:
            self._tokens.caller_of(handler_call_details.invocation_metadata)
        except Unauthenticated as error:
            call = handler_call_details.method.rpartition("/")[2]
            log.info("refused", call=call, reason=error.reason, error=str(error))
            self._called(call, code_name(error), error.reason, time.perf_counter() - began)
            return refusing(error, self._pool)
        return handler

    def close(self) -> None:
        """Let go of its thread, when no call can come any more."""
        self._pool.shutdown()
