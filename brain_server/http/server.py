"""An address for HTTP, and the thread that serves it. The only file that knows uvicorn."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable
from typing import Any

import grpc
import uvicorn

from brain_server.addresses import bound, host_and_port, taking
from brain_server.http.door import Door

_AFTER_GRACE_SECONDS = 1
"""For the answers of calls that the end of the grace has cut off."""

_OPTIONS = [
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.enable_retries", 0),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
]


class HttpServer:
    """A door behind an address, which is taken at once and served from `start` to `stop`."""

    def __init__(
        self, address: str, grace_seconds: float, door: Callable[[grpc.aio.Channel, str], Door], connections: int = 512
    ) -> None:
        """address: HOST:PORT. door: makes one of its channel and the host that is served.

        connections: at once; while there are more, the answer is 503.
        Raises AddressError, with the reason, if the address is malformed or in use.
        """
        self._host, port = host_and_port("--http", address)
        self._grace_seconds = grace_seconds
        self._door = door
        self._connections = connections
        with taking("--http", address):
            self._socket = bound(self._host, port)
            self._socket.listen()
        self.address = f"{address.rpartition(':')[0]}:{self._socket.getsockname()[1]}"
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def start(self, target: str) -> None:
        """Answer from now on. target: gRPC address of the server that the door's channel leads to."""
        running = threading.Event()
        serve = self._serve(target, running)
        self._thread = threading.Thread(target=asyncio.run, args=(serve,), name="http", daemon=True)
        self._thread.start()
        running.wait()

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

    async def _serve(self, target: str, running: threading.Event) -> None:
        try:
            async with grpc.aio.insecure_channel(target, options=_OPTIONS) as channel:
                self._server = uvicorn.Server(self._config(self._door(channel, self._host)))
                running.set()
                await self._server.serve(sockets=[self._socket])
        finally:
            running.set()

    def _config(self, app: Any) -> uvicorn.Config:  # noqa: ANN401  an ASGI application, by uvicorn's own types
        return uvicorn.Config(
            app,
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=self._connections + 1,  # the first number that is refused
            timeout_graceful_shutdown=math.ceil(self._grace_seconds) + _AFTER_GRACE_SECONDS,
        )
