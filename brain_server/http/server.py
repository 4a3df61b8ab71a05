"""An address for HTTP, and the thread that serves it. The only file that knows uvicorn."""

from __future__ import annotations

import asyncio
import math
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

import grpc
import h11
import structlog
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from brain_server.addresses import AddressError, bound, host_and_port, taking
from brain_server.http.body import Receive
from brain_server.http.door import Door
from brain_server.http.exchange import Send, refusal
from brain_server.http.refusals import Crowded, Unreadable
from brain_server.tls import Tls

_AFTER_GRACE_SECONDS = 1
"""For the answers of calls that the end of the grace has cut off."""

_HEAD_BYTES = 1 << 14

_OPTIONS = [
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.enable_retries", 0),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Connections:
    """How many connections there may be at once, and how long one may be without a request.

    at_once: while there are more, the answer is 503. head_seconds: until the head of a request has come, and the rest
    of a body that is answered already. kept_seconds: of silence after an answer. Past either it is closed.
    """

    at_once: int = 512
    head_seconds: float = 20.0
    kept_seconds: int = 5


class HttpServer:
    """A door behind an address, which is taken at once and served from `start` to `stop`."""

    def __init__(
        self,
        address: str,
        grace_seconds: float,
        door: Callable[[grpc.aio.Channel, str], Door],
        connections: Connections = Connections(),
        tls: Tls | None = None,
    ) -> None:
        """address: HOST:PORT. door: makes one of its channel and the host that is served. tls: what encrypts it.

        Raises AddressError, with the reason, if the address is malformed or in use.
        """
        self._host, port = host_and_port("--http", address)
        self._grace_seconds = grace_seconds
        self._door = door
        self._tls = tls
        self._connections = connections
        with taking("--http", address):
            self._socket = bound(self._host, port)
            self._socket.listen()
        self.address = f"{address.rpartition(':')[0]}:{self._socket.getsockname()[1]}"
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def start(self, target: str) -> None:
        """Answer from now on. target: gRPC address of the server that the door's channel leads to.

        Raises AddressError, with the reason, if it cannot.
        """
        started: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(target, started), name="http", daemon=True)
        self._thread.start()
        failure = started.exception()
        if failure is not None:
            reason = f"{type(failure).__name__}: {failure}"
            raise AddressError(f"--http {self.address}: cannot be served: {reason}") from failure

    def begin_stop(self) -> None:
        """Take no more requests."""
        if self._server is not None:
            self._server.should_exit = True

    def stop(self) -> None:
        """Take no more requests, answer those in flight within the grace, let go of the address."""
        self.begin_stop()
        if self._thread is not None:
            self._thread.join()
        self._socket.close()

    def _run(self, target: str, started: Future[None]) -> None:
        try:
            with asyncio.Runner(loop_factory=partial(_Loop, self._connections.head_seconds)) as runner:
                runner.run(self._serve(target, started))
        except BaseException as error:  # of uvicorn also SystemExit
            if started.done():
                log.exception("http has failed", address=self.address)
            else:
                started.set_exception(error)

    async def _serve(self, target: str, started: Future[None]) -> None:
        async with grpc.aio.insecure_channel(target, options=_OPTIONS) as channel:
            door = self._door(channel, self._host)
            self._server = _Server(self._config(door), started)
            await self._server.serve(sockets=[self._socket])

    def _config(self, door: Door) -> uvicorn.Config:
        async def admitted(scope: Any, receive: Receive, send: Send) -> None:  # noqa: ANN401  as ASGI has it
            if self._server is not None and self._server.crowded(self._connections.at_once):
                await _turn_away(self._connections.at_once, send)
            else:
                await door(scope, receive, send)

        connection: Any = partial(_Connection, self._connections.head_seconds)  # uvicorn asks for a class to call
        config = uvicorn.Config(
            admitted,
            http=connection,
            ws="none",
            loop="asyncio",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            h11_max_incomplete_event_size=_HEAD_BYTES,
            timeout_keep_alive=self._connections.kept_seconds,
            timeout_graceful_shutdown=math.ceil(self._grace_seconds) + _AFTER_GRACE_SECONDS,
        )
        if self._tls is not None:
            config.load()  # which makes a context of its own, or none
            config.ssl = self._tls.context
        return config


async def _turn_away(at_once: int, send: Send) -> None:
    log.warning("too many connections", limit=at_once)
    limit = f"{at_once} connections"
    status, headers, content = refusal(Crowded(f"connections: too many at once (limit: {limit})", limit=limit))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


class _Server(uvicorn.Server):
    """Tells when it has started, and whether there is too much at once."""

    def __init__(self, config: uvicorn.Config, started: Future[None]) -> None:
        super().__init__(config)
        self._has_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._has_started.set_result(None)

    def crowded(self, connections: int) -> bool:
        """Return whether there are more than so many, or as many requests of clients that have left beside its own."""
        return len(self.server_state.connections) > connections or len(self.server_state.tasks) > connections + 1


class _Loop(asyncio.SelectorEventLoop):
    """Waits for the handshake of an encrypted connection as long as for the head of a request."""

    def __init__(self, handshake_seconds: float) -> None:
        super().__init__()
        self._handshake_seconds = handshake_seconds

    async def create_server(self, *given: Any, ssl: Any = None, **named: Any) -> asyncio.Server:  # noqa: ANN401
        """Listen as the class above does; uvicorn names no time."""
        seconds = self._handshake_seconds if ssl else None
        return await super().create_server(*given, ssl=ssl, ssl_handshake_timeout=seconds, **named)


class _Connection(H11Protocol):
    """A connection that is not waited for without end, and is answered in JSON though what came is no HTTP."""

    def __init__(self, head_seconds: float, /, **given: Any) -> None:  # noqa: ANN401  as uvicorn gives it
        super().__init__(**given)
        self._head_seconds = head_seconds
        self._due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._limit_waiting()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._limit_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  plain words
        """Answer what cannot be read, unless an answer has begun, and close."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            limit = f"HTTP/1.1, a percent-encoded path, a head of at most {_HEAD_BYTES} bytes"
            words = f"request: cannot be read (limit: {limit})"
            status, headers, content = refusal(Unreadable(words, field="request", limit=limit))
            self.transport.write(
                self.conn.send(h11.Response(status_code=status, headers=headers, reason=b"Bad Request"))
            )
            self.transport.write(self.conn.send(h11.Data(data=content)))
            self.transport.write(self.conn.send(h11.EndOfMessage()))
        self.transport.close()

    def _limit_waiting(self) -> None:
        """Begin to count where the client is to send what no request waits for; what it sends begins no new count."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait_no_more()
        elif self._due is None:
            self._due = self.loop.call_later(self._head_seconds, self.timeout_keep_alive_handler)

    def _wait_no_more(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
