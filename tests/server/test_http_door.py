"""The door alone: how long a body may take to come, how many connections it serves, what it makes of failures."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import grpc
import pytest
from smartbrain.v1.admin_service_pb2 import VerifyResponse

from brain_server.http.door import Door, Limits
from brain_server.http.routes import Routes
from brain_server.http.server import HttpServer
from brain_server.services.table import SERVICES
from tests.server.over_http import JSON, LINES, Http
from tests.serving import Server

_SECONDS = 60
_CONNECTIONS = 4

Call = tuple[str, str, str]
Opened = tuple[Http, list[Call]]


@pytest.fixture
def door(http_server: Server) -> Iterator[Callable[..., Opened]]:
    """Give a function that opens a door, to the server of all tests if to no other, and tells what is counted at it."""
    with ExitStack() as opened:

        def open_door(target: str = "", idle_seconds: float = 60.0, connections: int = 512) -> Opened:
            counted: list[Call] = []

            def called(call: str, code: str, reason: str, seconds: float) -> None:
                assert seconds > 0
                counted.append((call, code, reason))

            limits = Limits(1 << 20, 1 << 20, idle_seconds)

            def door_to(channel: grpc.aio.Channel, host: str) -> Door:
                return Door(channel, Routes(SERVICES), host, limits, called)

            served = HttpServer("127.0.0.1:0", 1, door_to, connections)
            opened.callback(served.stop)
            served.start(target or http_server.target)
            return Http("127.0.0.1", int(served.address.rpartition(":")[2])), counted

        yield open_door


# A body that does not come


@contextmanager
def begun(http: Http, path: str, content_type: str, body: bytes) -> Iterator[Any]:
    """Give a connection on which a request of 1,000 bytes more than this body has begun."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content_type}\r\n"
    with socket.create_connection((http.host, http.port), timeout=_SECONDS) as connection:
        connection.sendall(f"{head}Content-Length: {len(body) + 1000}\r\n\r\n".encode() + body)
        yield connection


@pytest.mark.parametrize(
    ("call", "path", "content_type", "body"),
    [
        ("CommitTurn", "sessions/s/turns:commit", JSON, b""),
        ("CommitTurn", "sessions/s/turns:commit", JSON, b'{"turn": {"mess'),
        ("CommitTurns", "turns:import", LINES, b'{"session_id": "s", "tu'),
        ("IngestDocument", "documents:ingest?document_id=d", "text/plain", b"Once upon a"),
    ],
)
def test_a_body_that_does_not_come_is_answered_408_and_writes_nothing(
    door: Callable[..., Opened], http: Http, memory_id: str, call: str, path: str, content_type: str, body: bytes
) -> None:
    ask, counted = door(idle_seconds=0.2)
    with begun(ask, f"/v1/memories/{memory_id}/{path}", content_type, body) as connection:
        with closing(HTTPResponse(connection)) as answer:
            answer.begin()
            content = answer.read()
        assert (answer.status, answer.headers["connection"]) == (408, "close")
        assert b"body: nothing has come for 0.2 s" in content
        assert connection.recv(1) == b"", "the rest of the body is still waited for"
    # What has begun as a stream is counted where it ends.
    assert counted == ([(call, "DEADLINE_EXCEEDED", "TOO_SLOW")] if call == "CommitTurn" else [])
    for written in ("sessions", "documents"):
        assert http.get(f"/v1/memories/{memory_id}/{written}").status == 404


def test_a_body_that_comes_slowly_is_taken_as_long_as_it_comes(door: Callable[..., Opened], memory_id: str) -> None:
    ask, counted = door(idle_seconds=1.0)

    def content() -> Iterator[bytes]:
        for _ in range(12):
            time.sleep(0.1)
            yield b"Drop by drop. "

    taken = ask("POST", f"/v1/memories/{memory_id}/documents:ingest?document_id=d", content(), "text/plain")
    assert taken.json["document"]["size_bytes"] == str(12 * len("Drop by drop. "))
    assert counted == []


# Connections


def test_connections_past_the_limit_are_answered_503_until_one_leaves(door: Callable[..., Opened]) -> None:
    ask, _ = door(connections=_CONNECTIONS)
    with ExitStack() as others:
        held = [others.enter_context(ask.connection()) for _ in range(_CONNECTIONS)]
        for connection in held:
            assert status_on(connection) == 200
        for _ in range(2):
            with ask.connection() as one_too_many:
                assert status_on(one_too_many) == 503
        held[0].close()
        with ask.connection() as next_one:
            deadline = time.monotonic() + _SECONDS
            while (status := status_on(next_one)) == 503:
                assert time.monotonic() < deadline
            assert status == 200


def status_on(connection: HTTPConnection) -> int:
    """Return the status of an answer on a connection that is kept."""
    connection.request("GET", "/v1/status")
    answer = connection.getresponse()
    answer.read()
    return answer.status


# Failures


@contextmanager
def failing(target: str) -> Iterator[None]:
    """Run a server whose Verify gives two answers and fails, and whose GetStatus gives what is no answer."""

    def verify(_: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        for number in (1, 2):
            yield VerifyResponse(memory_id=f"m{number}", done=number, total=3).SerializeToString()
        context.abort(grpc.StatusCode.DATA_LOSS, "m3: a record is damaged")

    handlers: dict[str, Any] = {
        "Verify": grpc.unary_stream_rpc_method_handler(verify),
        "GetStatus": grpc.unary_unary_rpc_method_handler(lambda *_: b"\xff"),
    }
    with ThreadPoolExecutor(2) as pool:
        server = grpc.server(pool)
        server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler("smartbrain.v1.AdminService", handlers)],
        )
        server.add_insecure_port(target)
        server.start()
        yield
        server.stop(0).wait()


def test_a_failure_amid_lines_is_the_last_of_them_and_what_is_no_answer_is_a_500(
    door: Callable[..., Opened], folder: Path
) -> None:
    with failing(f"unix:{folder}/failing"):
        ask, _ = door(target=f"unix:{folder}/failing")
        answer = ask.get("/v1/verify")
        assert answer.status == 200
        *before, last = answer.lines
        assert [line["memory_id"] for line in before] == ["m1", "m2"]
        error = {"code": 500, "status": "DATA_LOSS", "message": "m3: a record is damaged", "details": []}
        assert last == {"error": error}
        broken = ask.get("/v1/status")
        assert (broken.status, broken.json["error"]["status"]) == (500, "INTERNAL")
        assert broken.json["error"]["message"] == "the request failed on the server; its log says why"
