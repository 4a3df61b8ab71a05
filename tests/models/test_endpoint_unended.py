"""Answers that trickle in without end: what was given up holds a bounded number of threads, and is made up for."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from brain_core.models.endpoint import JsonEndpoint, Unanswered

_MOST = 64
_SECONDS = 60.0
_GIVEN_UP_SECONDS = 0.02
_TRICKLE_SECONDS = 0.005


class _Trickling:
    """A server that sends the beginning of an answer, a byte now and then, until it is told to end."""

    def __init__(self, begins: bytes) -> None:
        self._begins = begins
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=2 * _MOST)
        self.well = threading.Event()
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.recv(65536)
            if self.well.is_set():
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                return
            connection.sendall(self._begins)
            while not self.well.wait(_TRICKLE_SECONDS):
                connection.sendall(b"a")

    def close(self) -> None:
        self.well.set()
        self._listening.close()


@pytest.fixture(params=[b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"])
def trickling(request: pytest.FixtureRequest) -> Iterator[_Trickling]:
    """Give a server that never ends its head, or the head of a chunk."""
    opened = _Trickling(request.param)
    yield opened
    opened.close()


def asked(endpoint: JsonEndpoint) -> str:
    """Return why there is no answer."""
    with pytest.raises(Unanswered) as refused:
        endpoint.post("x", {}, 1000, tries=1, deadline=time.monotonic() + _GIVEN_UP_SECONDS)
    return str(refused.value)


def test_requests_that_never_end_are_no_more_than_so_many(trickling: _Trickling) -> None:
    endpoint = JsonEndpoint(trickling.url, "", _SECONDS)
    before = threading.active_count()
    try:
        for _ in range(_MOST):
            assert "no answer within" in asked(endpoint)
        for _ in range(_MOST):
            assert asked(endpoint) == f"is not asked while {_MOST} requests have come to no end"
        assert threading.active_count() - before <= 2 * _MOST  # the server's too
        trickling.well.set()
        while True:  # asked again as soon as they end
            with contextlib.suppress(Unanswered):
                assert endpoint.post("x", {}, 1000, tries=1) == b"{}"
                break
    finally:
        endpoint.close()
