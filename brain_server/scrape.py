"""An HTTP endpoint beside gRPC, for monitoring systems that fetch pages."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from socketserver import TCPServer, ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.types import WSGIApplication

import structlog

from brain_server.addresses import host_and_port, taking
from brain_server.tls import Tls

_AT_ONCE = 32
_SECONDS = 10.0
"""For a whole page, from the connection to its end."""

log = structlog.get_logger()


class Scrape:
    """A WSGI application behind an address of its own, which is taken at once and served from `start` to `stop`."""

    def __init__(self, address: str, application: WSGIApplication, tls: Tls | None = None) -> None:
        """address: HOST:PORT. Raises AddressError, with the reason, if it is malformed or in use."""
        host, port = host_and_port("--metrics", address)
        with taking("--metrics", address):
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
            family, _, _, _, place = found[0]
            self._server = _Server(place, family)
        if tls is not None:  # each connection shakes hands in its own thread
            listening = self._server.socket
            self._server.socket = tls.context.wrap_socket(listening, server_side=True, do_handshake_on_connect=False)
        self._server.set_app(application)
        self.address = f"{address.rpartition(':')[0]}:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True)

    def start(self) -> None:
        """Answer from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Let go of the address."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True  # a client that does not read its page holds up no stop

    def __init__(self, place: Any, family: socket.AddressFamily) -> None:  # noqa: ANN401 - as getaddrinfo gives it
        self.address_family = family
        self._began: dict[Any, float] = {}
        super().__init__(place, _Handler)

    def server_bind(self) -> None:
        """Take the address without asking for the name of its host, as the class above does: that may take seconds."""
        TCPServer.server_bind(self)
        host, self.server_port = self.server_address[:2]
        self.server_name = str(host)
        self.setup_environ()

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ANN401, ARG002 - as the class above
        """Turn away what would be one too many: each has a thread."""
        return len(self._began) < _AT_ONCE

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as the class above
        """Serve one connection in a thread."""
        self._began[request] = time.monotonic()
        super().process_request(request, client_address)

    def service_actions(self) -> None:
        """Cut off what takes too long, however much comes of it; called at least twice a second."""
        for request, began in list(self._began.items()):
            if time.monotonic() - began > _SECONDS:
                with contextlib.suppress(OSError):
                    request.shutdown(socket.SHUT_RDWR)

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 - as the class above
        """Let go of a connection."""
        self._began.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401, ARG002 - as the class above
        """Log as the server does; the class above writes lines of its own to standard error."""
        log.debug("page failed", exc_info=True)


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - as the class above has it
        """Log as the server does; the class above writes lines of its own to standard error."""
        log.debug("page", request=format % args)
