"""Executors over gRPC: any server of RetrievalService, of which another brain-server is one.

Each call says by metadata what the asked server is called here. A server that is asked so asks nobody itself. That
stands beside the question and not in its plan, because a plan is kept and asked again, by people too, and its debug
part never changes a result.
"""

from __future__ import annotations

import threading
import time
from typing import Any, cast

import grpc
from smartbrain.access import Access, is_local, token_of
from smartbrain.v1.admin_service_pb2 import ExecutorStatus
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest, RetrieveResponse
from smartbrain.v1.retrieval_service_pb2_grpc import RetrievalServiceStub

from brain_core.breaker import FAILURES, Breaker, Calls
from brain_core.compose.executors import Pending
from brain_core.compose.validate import ANSWER_BYTES
from brain_core.errors import ExecutorUnavailable, shorten
from brain_core.policy import RemoteRow
from brain_server.tls import of_policy

ASKED_AS = "smartbrain-asked-as"
"""Key of the metadata by which a request of another brain is known; the value is what that brain calls this server."""

_OPTIONS = [
    ("grpc.max_receive_message_length", ANSWER_BYTES),
    ("grpc.enable_retries", 0),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.keepalive_time_ms", 20_000),  # while a call is under way; also how long a silent connection is trusted
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
]
# It answers, but not this: no reason to leave it alone.
_REFUSALS = (
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.OUT_OF_RANGE,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNAUTHENTICATED,
)
_LATE = (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)
_NEARLY = 0.9  # of its timeout: with less, being late is no failure of the server's


class GrpcExecutor:
    """One row of resources.remote, and the connection to its server, which is made when it is first asked."""

    def __init__(self, row: RemoteRow) -> None:
        """Read its files. Raises PolicyError that names the row and the file that cannot be used."""
        self._row = row
        with of_policy(f"resources.remote ({row.name}): "):
            token = token_of("token_file", row.token_file) if row.token_file else None
            self._access = Access(
                row.target, token=token, tls=row.tls, ca=row.ca, certificate=row.certificate, key=row.key
            )
        self._breaker = Breaker(time.monotonic)
        self._lock = threading.Lock()
        self._channel: grpc.Channel | None = None
        self._calls = Calls()

    @property
    def name(self) -> str:
        """Its name in the policy."""
        return self._row.name

    @property
    def target(self) -> str:
        """Where it is asked."""
        return self._row.target

    @property
    def in_the_clear(self) -> bool:
        """Whether what it is asked leaves this machine unencrypted."""
        return self._access.credentials is None and not is_local(self._row.target)

    def start(self, request: RetrieveRequest, due: float) -> Pending:
        """Send a request. due: seconds of time.perf_counter. Raises ExecutorUnavailable while it is left alone."""
        left = self._breaker.admit()
        if left:
            why = f"after {FAILURES} failures or more: {self._calls.problem}"
            raise ExecutorUnavailable(f"not asked for another {left:.1f} s, {why}")
        seconds = due - time.perf_counter()
        self._calls.began()
        with self._lock:
            if self._channel is None:
                self._channel = self._access.open(
                    grpc.secure_channel, grpc.insecure_channel, self._row.target, _OPTIONS
                )
            stub = RetrievalServiceStub(self._channel)
        call = stub.Retrieve.future(request, timeout=seconds, metadata=((ASKED_AS, self.name), *self._access.metadata))
        whole = seconds >= _NEARLY * self._row.timeout_ms / 1000
        call.add_done_callback(lambda done: self._count(done, whole=whole))
        return _Pending(call, seconds)

    def status(self) -> ExecutorStatus:
        """Return how it is doing."""
        return self._calls.status(self.name, self._row.target, self._breaker.resting())

    def close(self) -> None:
        """Let go of the connection. It is not to be asked any more."""
        if self._channel is not None:
            self._channel.close()

    def _count(self, call: Any, *, whole: bool) -> None:  # noqa: ANN401  of a private class of grpc
        code = call.code()
        problem = "" if code is grpc.StatusCode.OK else _words(call)
        if not problem or code in _REFUSALS:
            self._breaker.succeeded()
        elif whole or code not in _LATE:
            self._breaker.failed()
        self._calls.ended(problem)


class _Pending:
    """A call that is under way for at most so many seconds."""

    def __init__(self, call: Any, seconds: float) -> None:  # noqa: ANN401  of a private class of grpc
        self._call = call
        self._seconds = seconds

    def result(self, timeout: float) -> RetrieveResponse:
        """Return the answer. Raises ExecutorUnavailable; then the call is over."""
        try:
            return cast("RetrieveResponse", self._call.result(timeout))
        except (grpc.FutureTimeoutError, grpc.FutureCancelledError):
            self._call.cancel()
            raise ExecutorUnavailable(self._late()) from None
        except grpc.RpcError:
            late = self._call.code() in _LATE
            raise ExecutorUnavailable(self._late() if late else f"no answer: {_words(self._call)}") from None

    def _late(self) -> str:
        return f"no answer within {self._seconds * 1000:.0f} ms"


def _words(call: Any) -> str:  # noqa: ANN401  of a private class of grpc
    """Return the status of a finished call on one line; its details are the other side's."""
    if call.code() in _LATE:
        return "no answer in time"
    return f"{call.code().name} ({shorten(call.details() or '', 200)!r})"
