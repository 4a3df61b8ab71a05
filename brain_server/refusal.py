"""The answer to a call that is refused before its request is read."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from brain_core.errors import BrainError
from brain_server.services.failures import to_status


def refusing(error: BrainError, pool: ThreadPoolExecutor) -> grpc.RpcMethodHandler[Any, Any]:
    """Return what refuses a call, of whatever kind, in a thread of the pool, without waiting for its request."""
    return grpc.stream_unary_rpc_method_handler(_Refusal(error, pool))


class _Refusal:
    def __init__(self, error: BrainError, pool: ThreadPoolExecutor) -> None:
        self._error = error
        self.experimental_thread_pool = pool  # where gRPC looks for it

    def __call__(self, _requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        context.abort_with_status(to_status(self._error))
        raise AssertionError("abort raises")
