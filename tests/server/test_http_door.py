"""The door alone: how long a body may take to come, how many connections it serves, what it makes of failures."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import grpc
import pytest
from smartbrain.v1.admin_service_pb2 import VerifyResponse
from smartbrain.v1.brain_service_pb2 import CommitTurnsResponse

from brain_core import load_policy
from brain_server.addresses import AddressError, bound
from brain_server.app import App
from brain_server.http.body import Limits
from brain_server.http.door import Door
from brain_server.http.routes import Routes
from brain_server.http.server import Connections, HttpServer
from brain_server.services.table import SERVICES
from brain_server.tls import Tls, load_tls
from brain_server.tokens import Tokens
from tests.server.certificates import files
from tests.server.over_http import JSON, LINES, Http, turn
from tests.serving import Server

_SECONDS = 60
_CONNECTIONS = 4
_USUAL = Connections()

Call = tuple[str, str, str]
Opened = tuple[Http, list[Call]]


@pytest.fixture
def door(http_server: Server) -> Iterator[Callable[..., Opened]]:
    """Give a function that opens a door, to the server of all tests if to no other, and tells what is counted at it."""
    with ExitStack() as opened:

        def open_door(
            target: str = "",
            idle_seconds: float = 60.0,
            waiting_seconds: float = 600.0,
            connections: Connections = _USUAL,
            tls: Tls | None = None,
        ) -> Opened:
            counted: list[Call] = []

            def called(call: str, code: str, reason: str, seconds: float) -> None:
                assert seconds > 0
                counted.append((call, code, reason))

            limits = Limits(1 << 20, 1 << 20, idle_seconds, waiting_seconds)

            def door_to(channel: grpc.aio.Channel, host: str) -> Door:
                return Door(channel, Routes(SERVICES), host, limits, called, Tokens([]))

            served = HttpServer("127.0.0.1:0", 1, door_to, connections, tls)
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


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("sessions/s/turns:commit", JSON),
        ("turns:import", LINES),
        ("documents:ingest?document_id=d", "text/plain"),
    ],
)
def test_a_body_that_trickles_is_answered_408_in_the_end_and_writes_nothing(
    door: Callable[..., Opened], http: Http, memory_id: str, path: str, content_type: str
) -> None:
    ask, _ = door(waiting_seconds=0.5)
    with begun(ask, f"/v1/memories/{memory_id}/{path}", content_type, b" ") as connection:
        content = trickled(connection, b" " * 900)
    assert content.startswith(b"HTTP/1.1 408 ")
    assert b"body: has not come in 0.5 s" in content
    for written in ("sessions", "documents"):
        assert http.get(f"/v1/memories/{memory_id}/{written}").status == 404


def trickled(connection: socket.socket, content: bytes) -> bytes:
    """Send a byte each 50 ms until the other side closes; return what it has said.

    A byte that meets a closed connection is answered by a reset.
    """
    connection.settimeout(0.05)
    said = b""
    for byte in content:
        with suppress(TimeoutError):
            try:
                while received := connection.recv(1 << 16):
                    said += received
            except ConnectionResetError:
                return said
            return said
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(byte.to_bytes())
    raise AssertionError("all that was to trickle has been waited for")


def test_what_the_server_takes_to_take_a_body_in_is_not_the_clients_time(
    door: Callable[..., Opened], folder: Path
) -> None:
    def take(requests: Iterator[bytes], __: grpc.ServicerContext) -> bytes:
        taken = 0
        for taken, _ in enumerate(requests, start=1):  # noqa: B007  told after the loop
            time.sleep(0.05)
        return CommitTurnsResponse(committed=taken).SerializeToString()

    line = json.dumps({"session_id": "s", **turn("x" * 900_000)}).encode() + b"\n"
    handler: Any = grpc.stream_unary_rpc_method_handler(take)
    with answering(f"unix:{folder}/slow", "BrainService", {"CommitTurns": handler}):
        ask, _ = door(target=f"unix:{folder}/slow", waiting_seconds=1.0)
        assert ask("POST", "/v1/memories/m/turns:import", line * 40, LINES).json == {"committed": "40"}


# Connections


def test_connections_past_the_limit_are_answered_503_until_one_leaves(door: Callable[..., Opened]) -> None:
    ask, _ = door(connections=Connections(at_once=_CONNECTIONS))
    with ExitStack() as others:
        held = [others.enter_context(ask.connection()) for _ in range(_CONNECTIONS)]
        for connection in held:
            assert status_on(connection) == 200
        for _ in range(2):
            answer = ask.get("/v1/status")
            assert answer.fault == (503, "UNAVAILABLE", "")
            assert answer.json["error"]["message"] == "connections: too many at once (limit: 4 connections)"
            assert answer.headers["connection"] == "close"
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


_SOON = Connections(head_seconds=0.5, kept_seconds=1)


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"GET /v1/sta", id="part of a head"),
        pytest.param(b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n", id="a request"),
        pytest.param(b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\nGET", id="a request and part of one"),
    ],
)
def test_a_silent_connection_is_closed(door: Callable[..., Opened], said: bytes) -> None:
    ask, _ = door(connections=_SOON)
    with socket.create_connection((ask.host, ask.port), timeout=_SECONDS) as connection:
        connection.sendall(said)
        assert bool(everything(connection)) == (b"Host" in said), "an answer to no request, or none to one"


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01\x02"], ids=["nothing", "part of a handshake"])
def test_a_connection_that_shakes_no_hands_is_closed(
    door: Callable[..., Opened], http_server: Server, folder: Path, said: bytes
) -> None:
    """It stayed for a minute, and none of them counted as a connection."""
    _, certificate, key = files(folder, "127.0.0.1")
    tls = load_tls(load_policy({"server": {"tls": {"certificate": str(certificate), "key": str(key)}}}).server.tls)
    ask, counted = door(http_server.target, connections=_SOON, tls=tls)
    with socket.create_connection((ask.host, ask.port), timeout=_SECONDS / 2) as connection:
        connection.sendall(said)
        assert everything(connection) == b""
    assert counted == []


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(b"", id="head"),
        pytest.param(b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n", id="next head"),
        pytest.param(b"POST /v1/none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n", id="rest of a body"),
    ],
)
def test_a_connection_on_which_no_request_comes_to_an_end_is_closed(door: Callable[..., Opened], before: bytes) -> None:
    ask, counted = door(connections=_SOON)
    with socket.create_connection((ask.host, ask.port), timeout=_SECONDS) as connection:
        connection.sendall(before)
        trickled(connection, b"GET /v1/status HTTP/1.1\r\nX: " + b"x" * 900)
    assert counted == []


def everything(connection: socket.socket) -> bytes:
    """Return what comes until the other side closes."""
    said = b""
    while received := connection.recv(1 << 16):
        said += received
    return said


def test_a_request_that_takes_long_is_not_cut_off(door: Callable[..., Opened], folder: Path) -> None:
    def get_status(_: bytes, __: grpc.ServicerContext) -> bytes:
        time.sleep(1.5)
        return b""

    handler: Any = grpc.unary_unary_rpc_method_handler(get_status)
    with answering(f"unix:{folder}/slow", "AdminService", {"GetStatus": handler}):
        ask, _ = door(target=f"unix:{folder}/slow", connections=_SOON)
        with ask.connection() as connection:
            assert [status_on(connection) for _ in range(2)] == [200, 200]


# What is no request


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("GET /v1/memories/小 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(), id="no ASCII"),
        pytest.param(b"no HTTP\r\n\r\n", id="no HTTP"),
        pytest.param(b"GET /v1/status HTTP/1.1\r\n\r\n", id="no host"),
        pytest.param(b"GET /v1/status HTTP/1.1\r\nX: " + b"x" * 20_000, id="a long head"),
        pytest.param(b"POST /v1/memories/m/sessions/s/turns:commit HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                     b"application/json\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n", id="no chunk"),
    ],
)  # fmt: skip
def test_what_is_no_http_is_answered_400_in_the_shape_of_all_failures(door: Callable[..., Opened], said: bytes) -> None:
    ask, counted = door()
    with socket.create_connection((ask.host, ask.port), timeout=_SECONDS) as connection:
        connection.sendall(said)
        with closing(HTTPResponse(connection)) as answer:
            answer.begin()
            body = json.loads(answer.read())
        assert (answer.status, answer.headers["content-type"], answer.headers["connection"]) == (400, JSON, "close")
        assert connection.recv(1) == b""
    error = body["error"]
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")
    assert (
        error["message"]
        == "request: cannot be read (limit: HTTP/1.1, a percent-encoded path, a head of at most 16384 bytes)"
    )
    assert error["details"][0]["metadata"]["field"] == "request"
    assert counted == []
    assert ask.get("/v1/status").status == 200


# A start that fails


def test_a_door_that_cannot_be_made_fails_the_start_with_the_reason() -> None:
    def no_door(_: grpc.aio.Channel, __: str) -> Door:
        raise RuntimeError("the routes are at odds")

    served = HttpServer("127.0.0.1:0", 1, no_door)
    words = f"--http {served.address}: cannot be served: RuntimeError: the routes are at odds"
    with pytest.raises(AddressError) as failed:
        served.start("127.0.0.1:1")
    assert str(failed.value) == words
    served.stop()
    bound("127.0.0.1", int(served.address.rpartition(":")[2])).close()


def test_a_server_whose_http_cannot_be_served_holds_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_routes(_: object) -> Routes:
        raise RuntimeError("the routes are at odds")

    monkeypatch.setattr("brain_server.http.routes.Routes", no_routes)
    address = f"unix:{folder}/sock"
    with pytest.raises(AddressError, match="the routes are at odds"):
        App(folder / "data", load_policy(None), [address], "127.0.0.1:0", "127.0.0.1:0")
    monkeypatch.undo()
    app = App(folder / "data", load_policy(None), [address], "127.0.0.1:0", "127.0.0.1:0")
    assert Http("127.0.0.1", int(app.http_address.rpartition(":")[2])).get("/v1/status").status == 200
    app.stop()


# Failures


@contextmanager
def answering(target: str, service: str, handlers: dict[str, Any]) -> Iterator[None]:
    """Run a server that has some calls of a service."""
    with ThreadPoolExecutor(2) as pool:
        server = grpc.server(pool)
        server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(f"smartbrain.v1.{service}", handlers)])
        server.add_insecure_port(target)
        server.start()
        yield
        server.stop(0).wait()


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
    with answering(target, "AdminService", handlers):
        yield


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
