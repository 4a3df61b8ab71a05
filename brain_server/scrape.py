"""An HTTP endpoint beside gRPC, for monitoring systems that fetch pages."""

from __future__ import annotations

import socket
import threading
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.types import WSGIApplication

import structlog

from brain_server.addresses import host_and_port, taking

_IDLE_SECONDS = 10.0

log = structlog.get_logger()


class Scrape:
    """A WSGI application behind an address of its own, which is taken at once and served from `start` to `stop`."""

    def __init__(self, address: str, application: WSGIApplication) -> None:
        """address: HOST:PORT. Raises AddressError, with the reason, if it is malformed or in use."""
        host, port = host_and_port("--metrics", address)
        with taking("--metrics", address):
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
            family, _, _, _, place = found[0]
            self._server = _Server(place, family)
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
        super().__init__(place, _Handler)


class _Handler(WSGIRequestHandler):
    timeout = _IDLE_SECONDS

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - as the class above has it
        """Log as the server does; the class above writes lines of its own to standard error."""
        log.debug("page", request=format % args)
