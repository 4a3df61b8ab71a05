"""The end of a server's taking calls: new ones are refused by name before gRPC stops listening.

gRPC ends a call that arrives in the moment of its own stop as CANCELLED, which says nothing of a server that stops and
is not tried again by clients.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from brain_core.errors import Stopping
from brain_server.refusal import refusing

_QUIET_SECONDS = 0.05
_LONGEST_SECONDS = 1.0
"""gRPC stops once no call has come or ended for so long, or at the latest after so long: some clients never pause.

Who has an answer may call again at once, and shall be told by name that the server is stopping.
"""


class Draining(grpc.ServerInterceptor):
    """Lets calls of some services in until `refuse_new`; those that are in are not concerned."""

    def __init__(self, services: Sequence[str]) -> None:
        """services: by their full names; calls of others (health, reflection) are always let in."""
        self._prefixes = tuple(f"/{service}/" for service in services)
        self._refusing = False
        self._newest = 0.0
        # Calls that are in may hold all threads of the server.
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="refuse")
        error = Stopping("the server is stopping", hint="try again once it has been started again")
        self._refusal = refusing(error, self._pool)

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], grpc.RpcMethodHandler[Any, Any] | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Return what serves a call that has come."""
        if handler_call_details.method.startswith(self._prefixes):
            self._newest = time.monotonic()
            if self._refusing:
                return self._refusal
        return continuation(handler_call_details)

    def ended(self) -> None:
        """Note that a call has ended."""
        self._newest = time.monotonic()

    def refuse_new(self, most_seconds: float) -> None:
        """Refuse new calls from now on; return once none has come or ended for a moment, within so many seconds."""
        self._refusing = True
        latest = time.monotonic() + min(most_seconds, _LONGEST_SECONDS)
        while (now := time.monotonic()) < (until := min(self._newest + _QUIET_SECONDS, latest)):
            time.sleep(until - now)

    def close(self) -> None:
        """Let go of its thread, when no call can come any more."""
        self._pool.shutdown()
